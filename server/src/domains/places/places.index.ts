import { type CountryCode, countryCode, markets } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import { forgivenErrors, typingErrors } from '../../kit/typing-errors.ts';
import type { Locality } from './places.data.ts';
import { keyOfPlace } from './places.names.ts';

/** A place that has a name. `rank` is its place among all, the bigger before; `key` is its name as it is compared, `full` the same with its region. */
export type Named = {
  kind: 'country' | 'region' | 'district' | 'town';
  name: string;
  country: CountryCode;
  regionCode?: number;
  districtCode?: number;
  locality?: Locality;
  rank: number;
  key: string;
  full: string;
};

export const byRank = (a: Named, b: Named) => a.rank - b.rank;

/** All names of places, by their keys; those of one key in their order. */
export class NameIndex {
  // Most names are one place's alone: lists of one would take as much as the places.
  readonly #byKey = new Map<string, Named | Named[]>();
  readonly #byPostcode = new Map<string, Named | Named[]>();
  // For prefixes: all names with their regions, in the order of their keys.
  readonly #sorted: Named[];
  // For typing errors: each name once, by its length, with the letters it has.
  readonly #byLength: { keys: string[]; letters: Int32Array }[];

  constructor(localities: readonly Locality[]) {
    const { all, standIns } = namedPlaces(localities);
    for (const one of all) {
      add(this.#byKey, one.key, one);
      if (one.kind === 'country') add(this.#byKey, keyOfPlace(one.country), one);
      const abbreviation = one.kind === 'region' && regions.find((region) => region.code === one.regionCode)?.abbreviation;
      if (abbreviation) add(this.#byKey, keyOfPlace(abbreviation), one);
      for (const postcode of one.locality?.postcodes ?? []) add(this.#byPostcode, postcode, one);
    }
    for (const [locality, one] of standIns) for (const postcode of locality.postcodes) add(this.#byPostcode, postcode, one);
    for (const found of this.#byPostcode.values()) if (Array.isArray(found)) found.sort(byRank);
    this.#sorted = all.toSorted((a, b) => (a.full < b.full ? -1 : a.full > b.full ? 1 : 0));
    // None of some lengths.
    const keys: (string[] | undefined)[] = [];
    for (const key of this.#byKey.keys()) (keys[key.length] ??= []).push(key);
    this.#byLength = Array.from(keys, (alike = []) => ({ keys: alike, letters: Int32Array.from(alike, lettersOf) }));
  }

  /** What bears exactly this name, the biggest first. */
  named = (key: string): readonly Named[] => asList(this.#byKey.get(key));

  ofPostcode = (postcode: string): readonly Named[] => asList(this.#byPostcode.get(postcode));

  /** What bears a name the fewest forgivable typing errors away. Names of less than ten letters are forgiven one at most: too many are alike. */
  alike(typed: string): readonly Named[] {
    let most = Math.min(forgivenErrors(typed), typed.length < 10 ? 1 : 2);
    if (most === 0) return [];
    const letters = lettersOf(typed);
    let found: string[] = [];
    for (const { keys, letters: ofKeys } of this.#byLength.slice(typed.length - most, typed.length + most + 1)) {
      for (const [index, key] of keys.entries()) {
        const others = ofKeys[index] ?? 0;
        // Each error changes what letters there are by one on either side at most.
        if (bits(letters & ~others) > most || bits(others & ~letters) > most) continue;
        const errors = typingErrors(typed, key);
        if (errors < most) found = [];
        if (errors > most) continue;
        most = errors;
        found.push(key);
      }
    }
    return found.flatMap((key) => this.named(key)).toSorted(byRank);
  }

  /** What begins so, alone or with its region behind it. */
  starting(key: string): readonly Named[] {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#sorted[middle]?.full ?? '') < key) low = middle + 1;
      else high = middle;
    }
    const rest = this.#sorted.slice(low);
    const end = rest.findIndex((one) => !one.full.startsWith(key));
    return end < 0 ? rest : rest.slice(0, end);
  }
}

/**
 * Every place with a name: the bigger kind first, then the bigger place, then New Zealand. A district that bears its region's name is left
 * out, and so is a locality that bears its district's: the bigger one stands for both.
 */
function namedPlaces(localities: readonly Locality[]): { all: Named[]; standIns: Map<Locality, Named> } {
  const countries: Named[] = [];
  for (const country of countryCode.options) {
    const { name } = markets[country];
    countries.push({ kind: 'country', name, country, key: keyOfPlace(name), full: keyOfPlace(name), rank: 0 });
  }
  const ofRegions: Named[] = [];
  const districts: Named[] = [];
  // By a district's code, what bears its name.
  const ofDistrict = new Map<number, Named>();
  const standIns = new Map<Locality, Named>();
  const regionKeys = new Map<number, string>();
  for (const region of regions) {
    const { code: regionCode, name, country } = region;
    const regionKey = keyOfPlace(name);
    regionKeys.set(regionCode, regionKey);
    const itself: Named = { kind: 'region', name, country, regionCode, key: regionKey, full: regionKey, rank: 0 };
    ofRegions.push(itself);
    for (const { code: districtCode, name: district } of region.districts) {
      const key = keyOfPlace(district);
      const own: Named = { kind: 'district', name: district, country, regionCode, districtCode, key, full: `${key} ${regionKey}`, rank: 0 };
      ofDistrict.set(districtCode, key === regionKey ? itself : own);
      if (key !== regionKey) districts.push(own);
    }
  }
  const towns: Named[] = [];
  for (const locality of localities) {
    const { name, country, regionCode, districtCode } = locality;
    const key = keyOfPlace(name);
    const standIn = ofDistrict.get(districtCode);
    if (standIn?.key === key) {
      standIns.set(locality, standIn);
      continue;
    }
    const full = `${key} ${regionKeys.get(regionCode) ?? ''}`;
    towns.push({ kind: 'town', name, country, regionCode, districtCode, locality, key, full, rank: 0 });
  }
  const sizeOf = (one: Named) => one.locality?.addresses ?? 0;
  towns.sort((a, b) => sizeOf(b) - sizeOf(a) || (a.country === b.country ? 0 : a.country === 'NZ' ? -1 : 1));
  const all = [...countries, ...ofRegions, ...districts, ...towns];
  for (const [rank, one] of all.entries()) one.rank = rank;
  return { all, standIns };
}

function add(map: Map<string, Named | Named[]>, key: string, one: Named) {
  const had = map.get(key);
  if (Array.isArray(had)) had.push(one);
  else map.set(key, had ? [had, one] : one);
}

const asList = (found: Named | Named[] | undefined): readonly Named[] => (Array.isArray(found) ? found : found ? [found] : []);

/** Which of the letters a to z stand in a word; all others together are one more. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) {
    const place = word.charCodeAt(at) - 97;
    letters |= 1 << (place >= 0 && place < 26 ? place : 26);
  }
  return letters;
}

function bits(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count += 1;
  return count;
}

export const isPostcode = (word: string) => /^\d{4}$/.test(word);
