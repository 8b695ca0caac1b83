import { countryCode } from '@handwise/contract/country-code';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places/regions';
import { getMaxEditDistance, computeEditDistance } from '../../kit/edit-distance.ts';
import type { Locality } from './places.data.ts';
import { toPlaceKey } from './places.data.ts';
import { firstNames } from './places.other-names.ts';

/** `rank` orders all places, bigger ones first; `key` is the normalized name, `full` the same followed by the region. */
export type NamedPlace = {
  kind: 'country' | 'region' | 'district' | 'town';
  name: string;
  country: CountryCode;
  regionCode?: number;
  districtCode?: number;
  locality?: Locality;
  rank: number;
  key: string;
  full: string;
  /** The name in a first language that this entry is found by, if it is not `name`. */
  alsoCalled?: string;
};

export const compareRank = (a: NamedPlace, b: NamedPlace) => a.rank - b.rank;

/** All place names by their normalized keys, each key's places ordered by rank. */
export class NameIndex {
  // A single place is stored without an array, because most names are unique.
  readonly #byKey = new Map<string, NamedPlace | NamedPlace[]>();
  readonly #byPostcode = new Map<string, NamedPlace | NamedPlace[]>();
  // For prefix search: all names with their regions, sorted.
  readonly #sorted: NamedPlace[];
  // For typing errors: each name once, by its length, with a bit set of its letters.
  readonly #byLength: { keys: string[]; letters: Int32Array }[];

  constructor(localities: readonly Locality[]) {
    const { all, standIns } = listNamedPlaces(localities);
    for (const one of all) {
      add(this.#byKey, one.key, one);
      if (one.kind === 'country') add(this.#byKey, toPlaceKey(one.country), one);
      const abbreviation = one.kind === 'region' && regions.find((region) => region.code === one.regionCode)?.abbreviation;
      if (abbreviation) add(this.#byKey, toPlaceKey(abbreviation), one);
      for (const postcode of one.locality?.postcodes ?? []) add(this.#byPostcode, postcode, one);
    }
    const also = firstNames.flatMap(({ name, official }) => this.#listAlsoCalled(name, official));
    for (const one of also) {
      const same = [...this.find(one.key), one].toSorted(compareRank);
      this.#byKey.set(one.key, same);
    }
    for (const [locality, one] of standIns) for (const postcode of locality.postcodes) add(this.#byPostcode, postcode, one);
    for (const found of this.#byPostcode.values()) if (Array.isArray(found)) found.sort(compareRank);
    this.#sorted = [...all, ...also].toSorted((a, b) => (a.full < b.full ? -1 : a.full > b.full ? 1 : 0));
    // Sparse: some lengths have no names.
    const keys: (string[] | undefined)[] = [];
    for (const key of this.#byKey.keys()) (keys[key.length] ??= []).push(key);
    this.#byLength = Array.from(keys, (alike = []) => ({ keys: alike, letters: Int32Array.from(alike, toLetterBits) }));
  }

  /** The entry of another name of a place, whose official one may be followed by its region or country. */
  #listAlsoCalled(name: string, official: string): NamedPlace[] {
    const [own = '', around] = official.split(', ').map(toPlaceKey);
    const isAround = ({ full, country }: NamedPlace) =>
      around === undefined || full.endsWith(` ${around}`) || toPlaceKey(markets[country].name) === around;
    const place = this.find(own).find(isAround);
    const key = toPlaceKey(name);
    return place ? [{ ...place, key, full: place.full.replace(place.key, key), alsoCalled: name }] : [];
  }

  /** Places with exactly this name, biggest first. */
  find = (key: string): readonly NamedPlace[] => toList(this.#byKey.get(key));

  ofPostcode = (postcode: string): readonly NamedPlace[] => toList(this.#byPostcode.get(postcode));

  /** Places whose names have the fewest tolerated typing errors. Names under ten letters tolerate one, because too many are similar. */
  findSimilar(typed: string): readonly NamedPlace[] {
    const tolerated = Math.min(getMaxEditDistance(typed), typed.length < 10 ? 1 : 2);
    if (tolerated === 0) return [];
    const found = this.#findWithin(typed, tolerated);
    // "brisbain": among regions and districts a second error is still clear.
    return found.length > 0 || typed.length < 8 || tolerated > 1
      ? found
      : this.#findWithin(typed, 2).filter(({ kind }) => kind === 'region' || kind === 'district');
  }

  #findWithin(typed: string, tolerated: number): readonly NamedPlace[] {
    let most = tolerated;
    const letters = toLetterBits(typed);
    let found: string[] = [];
    for (const { keys, letters: ofKeys } of this.#byLength.slice(typed.length - most, typed.length + most + 1)) {
      for (const [index, key] of keys.entries()) {
        const others = ofKeys[index] ?? 0;
        // Each error changes the set of letters by at most one on either side.
        if (countBits(letters & ~others) > most || countBits(others & ~letters) > most) continue;
        const errors = computeEditDistance(typed, key);
        if (errors < most) found = [];
        if (errors > most) continue;
        most = errors;
        found.push(key);
      }
    }
    return found.flatMap((key) => this.find(key)).toSorted(compareRank);
  }

  /** Places whose name, optionally followed by the region, has this prefix. */
  listByPrefix(key: string): readonly NamedPlace[] {
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
 * All named places: bigger kinds first, then bigger places, then New Zealand. A district named like its region and a locality named like
 * its district are left out, because the bigger place stands in for them.
 */
function listNamedPlaces(localities: readonly Locality[]): { all: NamedPlace[]; standIns: Map<Locality, NamedPlace> } {
  const countries: NamedPlace[] = [];
  for (const country of countryCode.options) {
    const { name } = markets[country];
    countries.push({ kind: 'country', name, country, key: toPlaceKey(name), full: toPlaceKey(name), rank: 0 });
  }
  const ofRegions: NamedPlace[] = [];
  const districts: NamedPlace[] = [];
  // The place that stands in for the locality of the same name, by district code.
  const ofDistrict = new Map<number, NamedPlace>();
  const standIns = new Map<Locality, NamedPlace>();
  const regionKeys = new Map<number, string>();
  for (const region of regions) {
    const { code: regionCode, name, country } = region;
    const regionKey = toPlaceKey(name);
    regionKeys.set(regionCode, regionKey);
    const itself: NamedPlace = { kind: 'region', name, country, regionCode, key: regionKey, full: regionKey, rank: 0 };
    ofRegions.push(itself);
    for (const { code: districtCode, name: district } of region.districts) {
      const key = toPlaceKey(district);
      const own: NamedPlace = {
        kind: 'district',
        name: district,
        country,
        regionCode,
        districtCode,
        key,
        full: `${key} ${regionKey}`,
        rank: 0,
      };
      ofDistrict.set(districtCode, key === regionKey ? itself : own);
      if (key !== regionKey) districts.push(own);
    }
  }
  const towns: NamedPlace[] = [];
  for (const locality of localities) {
    const { name, country, regionCode, districtCode } = locality;
    const key = toPlaceKey(name);
    const standIn = ofDistrict.get(districtCode);
    if (standIn?.key === key) {
      standIns.set(locality, standIn);
      continue;
    }
    const full = `${key} ${regionKeys.get(regionCode) ?? ''}`;
    towns.push({ kind: 'town', name, country, regionCode, districtCode, locality, key, full, rank: 0 });
  }
  const getSize = (one: NamedPlace) => one.locality?.addresses ?? 0;
  towns.sort((a, b) => getSize(b) - getSize(a) || (a.country === b.country ? 0 : a.country === 'NZ' ? -1 : 1));
  const all = [...countries, ...ofRegions, ...districts, ...towns];
  for (const [rank, one] of all.entries()) one.rank = rank;
  return { all, standIns };
}

function add(map: Map<string, NamedPlace | NamedPlace[]>, key: string, one: NamedPlace) {
  const had = map.get(key);
  if (Array.isArray(had)) had.push(one);
  else map.set(key, had ? [had, one] : one);
}

const toList = (found: NamedPlace | NamedPlace[] | undefined): readonly NamedPlace[] =>
  Array.isArray(found) ? found : found ? [found] : [];

/** A bit set of the letters a to z in a word; one more bit stands for all other characters. */
function toLetterBits(word: string): number {
  let letters = 0;
  for (let at = 0; at < word.length; at += 1) {
    const place = word.charCodeAt(at) - 97;
    letters |= 1 << (place >= 0 && place < 26 ? place : 26);
  }
  return letters;
}

function countBits(number: number): number {
  let count = 0;
  for (let left = number; left !== 0; left &= left - 1) count += 1;
  return count;
}

export const isPostcode = (word: string) => /^\d{4}$/.test(word);
