import type { CountryCode } from '@handwise/contract/markets';
import { isPostcode, type Named, type NameIndex } from './places.index.ts';
import { wordsOfPlace } from './places.names.ts';

const maxText = 120;
const maxNameWords = 4;
// The longest text that means something, a name with region and postcode, is read in fewer ways.
const maxReadings = 6;

type Match = { found: readonly Named[]; corrected: boolean };

/**
 * What a text names, the likeliest first: a name ("Cambridge"), a name with what it lies in or its postcode ("Richmond, Victoria",
 * "Hamilton 3204", "Newtown NSW 2042"), or a postcode. Names that are spelled so win over the ones that are alike.
 */
export function match(index: NameIndex, text: string, market: CountryCode | null): Match {
  const words = wordsOfPlace(text.slice(0, maxText));
  const given = words[0] !== undefined && words.length > 1 && isPostcode(words[0]) ? [...words.slice(1), words[0]] : words;
  const inMarket = (found: readonly Named[]) => (market ? found.filter((one) => one.country === market) : found);
  if (given.length === 1 && given[0] && isPostcode(given[0])) return { found: inMarket(index.ofPostcode(given[0])), corrected: false };

  // What stands before the first comma is a name, and "Elizabeth, South Australia" is not in Elizabeth South.
  const named = text.includes(',') ? wordsOfPlace(text.slice(0, Math.min(maxText, text.indexOf(',')))).length : 0;
  const readings = readingsOf(index, given, named);
  const ways: { find: (key: string) => readonly Named[]; corrected: boolean }[] = [
    { find: index.named, corrected: false },
    { find: (key) => districtsStarting(index, key), corrected: false },
    { find: (key) => index.alike(key), corrected: true },
  ];
  for (const { find, corrected } of ways) {
    for (const { name, away } of readings) {
      const found = inMarket(find(name))
        .map((one) => ({ one, away: away(one) }))
        .filter((found) => found.away < Infinity)
        .toSorted((a, b) => a.away - b.away);
      if (found.length > 0) return { found: found.map(({ one }) => one), corrected };
    }
  }
  return { found: [], corrected: false };
}

/** Districts are called by the first words of their names: "Kāpiti", "Western Bay". */
const districtsStarting = (index: NameIndex, key: string) =>
  key.length < 4 ? [] : index.starting(`${key} `).filter((one) => one.kind === 'district' && one.key.startsWith(`${key} `));

/** How far a place is from what was asked: 0 where it lies in the likeliest of what was named, `Infinity` where it lies in none. */
type Away = (one: Named) => number;
type Reading = { name: string; away: Away };

/** How the words can be read: all of them as a name, or the first as a name and the others as where that is. */
function readingsOf(index: NameIndex, words: readonly string[], named: number): Reading[] {
  const readings: Reading[] = [{ name: words.join(' '), away: () => 0 }];
  const splits = Array.from({ length: Math.max(0, words.length - 1) }, (_, index) => words.length - 1 - index);
  for (const split of splits.toSorted((a, b) => Number(b === named) - Number(a === named))) {
    if (readings.length === maxReadings) break;
    const asked = askedOf(index, words.slice(split));
    if (asked) readings.push({ name: words.slice(0, split).join(' '), away: (one) => asked.reduce((sum, away) => sum + away(one), 0) });
  }
  return readings;
}

/** What each of the words asks of a place, longest names first; undefined where one of them names nothing that a place can lie in. */
function askedOf(index: NameIndex, words: readonly string[]): Away[] | undefined {
  const asked: Away[] = [];
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (isPostcode(word)) {
      asked.push((one) => (one.locality?.postcodes.includes(word) || coversPostcode(index, one, word) ? 0 : Infinity));
      at += 1;
      continue;
    }
    let length = Math.min(maxNameWords, words.length - at);
    while (length > 0 && index.named(words.slice(at, at + length).join(' ')).length === 0) length -= 1;
    if (length === 0) return undefined;
    const around = index.named(words.slice(at, at + length).join(' '));
    asked.push((one) => {
      const place = around.findIndex((other) => liesIn(one, other));
      return place < 0 ? Infinity : place;
    });
    at += length;
  }
  return asked;
}

const coversPostcode = (index: NameIndex, one: Named, postcode: string) =>
  one.kind !== 'town' && index.ofPostcode(postcode).some((other) => liesIn(other, one));

/** Whether a place lies in another; in a town lies what is in its district. */
function liesIn(one: Named, other: Named): boolean {
  if (other.kind === 'country') return one.country === other.country;
  if (other.kind === 'region') return one.regionCode === other.regionCode;
  return one.districtCode !== undefined && one.districtCode === other.districtCode;
}
