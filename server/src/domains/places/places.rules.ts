import type { CountryCode } from '@handwise/contract/markets';
import { splitPlaceName } from './places.data.ts';
import { isPostcode, type NamedPlace, type NameIndex } from './places.index.ts';
import { nicknames } from './places.other-names.ts';

const maxText = 120;
const maxNameWords = 4;
// The longest meaningful text, a name with region and postcode, has fewer readings.
const maxReadings = 6;

type Match = { found: readonly NamedPlace[]; corrected: boolean };

const smallPlaceAddresses = 3_000;
const isSmall = ({ locality }: NamedPlace) => locality !== undefined && locality.addresses < smallPlaceAddresses;

/**
 * Finds the places that a text names, likeliest first: a name ("Cambridge"), a name with a surrounding place or postcode ("Richmond,
 * Victoria", "Hamilton 3204", "Newtown NSW 2042"), or a postcode. Exact names win over similar ones, and of equal ones those of the preferred country.
 */
export function matchPlaceName(index: NameIndex, text: string, market: CountryCode | null, preferred: CountryCode | null): Match {
  const typed = splitPlaceName(text.slice(0, maxText));
  const nickname = nicknames[typed.join(' ')];
  const words = nickname === undefined ? typed : nickname.split(' ');
  const ordered = words[0] !== undefined && words.length > 1 && isPostcode(words[0]) ? [...words.slice(1), words[0]] : words;
  const filterByMarket = (found: readonly NamedPlace[]) => {
    if (market) return found.filter((one) => one.country === market);
    // "Victoria" is the state to a New Zealander, too, who has a suburb of that name.
    const hasSmallOnly = found.every((one) => one.country !== preferred || isSmall(one));
    const isElsewhere = (one: NamedPlace) =>
      Number(preferred !== null && one.country !== preferred && !(hasSmallOnly && one.kind === 'region'));
    return found.toSorted((a, b) => isElsewhere(a) - isElsewhere(b));
  };
  if (ordered.length === 1 && ordered[0] && isPostcode(ordered[0]))
    return { found: filterByMarket(index.ofPostcode(ordered[0])), corrected: false };

  // Text before the first comma is a name: "Elizabeth, South Australia" is not in Elizabeth South.
  const named = text.includes(',') ? splitPlaceName(text.slice(0, Math.min(maxText, text.indexOf(',')))).length : 0;
  const readings = listReadings(index, ordered, named);
  const ways: { find: (key: string) => readonly NamedPlace[]; corrected: boolean }[] = [
    { find: index.find, corrected: false },
    { find: (key) => listDistrictsStarting(index, key), corrected: false },
    { find: (key) => index.findSimilar(key), corrected: true },
  ];
  for (const { find, corrected } of ways) {
    for (const [at, { name, distance }] of readings.entries()) {
      const isWhole = at === 0;
      const found = filterByMarket(find(name))
        .map((one) => ({ one, distance: distance(one) }))
        .filter((found) => found.distance < Infinity)
        // "Warrane, Tasmania" is the suburb, "Warrane" is Sydney.
        .toSorted((a, b) => a.distance - b.distance || (isWhole ? 0 : Number('alsoCalled' in a.one) - Number('alsoCalled' in b.one)));
      if (found.length > 0) return { found: found.map(({ one }) => one), corrected };
    }
  }
  return { found: [], corrected: false };
}

/** Finds districts by the first words of their names: "Kāpiti", "Western Bay". */
const listDistrictsStarting = (index: NameIndex, key: string) =>
  key.length < 4 ? [] : index.listByPrefix(`${key} `).filter((one) => one.kind === 'district' && one.key.startsWith(`${key} `));

/** How well a place fits the surroundings in a text: 0 within the likeliest, `Infinity` within none. */
type Distance = (one: NamedPlace) => number;
type Reading = { name: string; distance: Distance };

/** The possible readings of the words: all as a name, or the first ones as a name and the rest as its surroundings. */
function listReadings(index: NameIndex, words: readonly string[], named: number): Reading[] {
  const readings: Reading[] = [{ name: words.join(' '), distance: () => 0 }];
  const splits = Array.from({ length: Math.max(0, words.length - 1) }, (_, index) => words.length - 1 - index);
  for (const split of splits.toSorted((a, b) => Number(b === named) - Number(a === named))) {
    if (readings.length === maxReadings) break;
    const surroundings = parseSurroundings(index, words.slice(split));
    if (surroundings)
      readings.push({
        name: words.slice(0, split).join(' '),
        distance: (one) => surroundings.reduce((sum, distance) => sum + distance(one), 0),
      });
  }
  return readings;
}

/** The surroundings that words name, longest names first; undefined if a word names nothing that a place can be within. */
function parseSurroundings(index: NameIndex, words: readonly string[]): Distance[] | undefined {
  const surroundings: Distance[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (isPostcode(word)) {
      surroundings.push((one) => (one.locality?.postcodes.includes(word) || coversPostcode(index, one, word) ? 0 : Infinity));
      at += 1;
      continue;
    }
    let length = Math.min(maxNameWords, words.length - at);
    while (length > 0 && index.find(words.slice(at, at + length).join(' ')).length === 0) length -= 1;
    if (length === 0) return undefined;
    const around = index.find(words.slice(at, at + length).join(' '));
    surroundings.push((one) => {
      const place = around.findIndex((other) => isWithin(one, other));
      return place < 0 ? Infinity : place;
    });
    at += length;
  }
  return surroundings;
}

const coversPostcode = (index: NameIndex, one: NamedPlace, postcode: string) =>
  one.kind !== 'town' && index.ofPostcode(postcode).some((other) => isWithin(other, one));

/** Whether a place is within another; for a town, whether it is in the same district. */
function isWithin(one: NamedPlace, other: NamedPlace): boolean {
  if (other.kind === 'country') return one.country === other.country;
  if (other.kind === 'region') return one.regionCode === other.regionCode;
  return one.districtCode !== undefined && one.districtCode === other.districtCode;
}
