import { categoryOfCode, groupCodeOf, subCategoryOfCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regionCodeOf, regionOfCode } from '@handwise/contract/places/regions';
import { findLocality, findNearestLocality, type Place, listPlacesByName } from '../../places/places.service.ts';
import { classify } from '../classifier/search.classifier.ts';
import type { Area, Search, SearchFilter } from '../index/search.index.ts';
import { wordsInUse } from '../index/search.vocabulary.ts';
import type { SearchParts } from '../search.pages.ts';
import { placeFilterOf } from '../search.rules.ts';
import { type Guess, type Known, type Reading, understand, type Understood } from './search.understanding.ts';

/** A reading of what was typed, as a search. */
export type Attempt = Search & { reading: Reading; understood: Understood };
export type Attempts = readonly [Attempt, ...Attempt[]];

const fewAddresses = 3_000;
const numberTyped = /^#?\s*0*([1-9]\d{0,8})$/;

type Asked = {
  chosen: SearchFilter;
  market: CountryCode | null;
  /** The words as they are typed, and nothing else. */
  raw: boolean;
  km: number | undefined;
};

/** The ways to search for what was typed within what was chosen, the likeliest first. */
export async function attemptsOf({ db, readings }: SearchParts, text: string, { chosen, market, raw, km }: Asked): Promise<Attempts> {
  const typed: Reading = { category: null, subCategories: [], place: null, words: text };
  const asTyped: Understood = { readings: [typed], namesakes: [], corrected: null, mistyped: [], nearMe: false, guesses: [] };
  const attempt = (reading: Reading, understood: Understood): Attempt => ({
    filter: filterWith(chosen, reading, km),
    words: reading.words,
    reading,
    understood,
  });
  const number = raw ? undefined : listingNumberOf(text, market);
  if (number !== undefined) {
    const byNumber = { ...attempt({ ...typed, words: `#${number}` }, asTyped), filter: { ...chosen, listingNumber: number }, words: '' };
    return [byNumber];
  }
  const understood = raw || !text ? asTyped : await readings.get(JSON.stringify([market, text, chosen]), () => read(text, chosen, market));
  const { readings: ways, mistyped } = understood;
  // Tyler may be a tiler, unless somebody is called so.
  const isSomebody = mistyped.length > 0 && (await wordsInUse(db, mistyped)).size === new Set(mistyped).size;
  const ordered = isSomebody ? [typed, ...ways.filter(({ words }) => words !== text)] : ways;
  const [first = typed, ...others] = ordered;
  return [attempt(first, understood), ...others.map((reading) => attempt(reading, understood))];
}

/** Digits behind a # are a listing's number; digits alone are one unless they are a postcode. */
function listingNumberOf(text: string, market: CountryCode | null): number | undefined {
  const [, digits] = numberTyped.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return text.includes('#') || (digits.length > 2 && listPlacesByName(text, market).length === 0) ? Number(digits) : undefined;
}

/** What a sentence is about, by what was learned of others. */
const guessesOf = (words: string): Guess[] =>
  classify(words).map(({ category, subCategory, probability }) => {
    const sub = subCategory === null ? undefined : subCategoryOfCode(subCategory);
    return { category: categoryOfCode(category) ?? null, subCategories: sub ? [sub] : [], probability };
  });

/** What the reading of a text asks others, in a market (null: in both). */
export const knownIn = (market: CountryCode | null): Known => ({
  listPlacesByName: (named) => listPlacesByName(named, market),
  isSmall: ({ localityCode }) => localityCode !== undefined && (findLocality(localityCode)?.addresses ?? 0) < fewAddresses,
  classify: guessesOf,
});

async function read(text: string, chosen: SearchFilter, market: CountryCode | null): Promise<Understood> {
  const isMarketOnly = chosen.place?.level === 'country' && chosen.place.country === market;
  const found = understand(text, knownIn(market), {
    covers: chosen.place && !isMarketOnly ? (place) => isWithin(place, chosen.place as Area) : undefined,
    fits: chosen.category && ((trade) => isOf(trade, chosen.category)),
  });
  // Signs alone are no words, and find nothing rather than everything.
  return found.readings.length > 0 ? found : { ...found, readings: [{ category: null, subCategories: [], place: null, words: text }] };
}

/** Whether a trade is of a category: within it, or the group that a sub-category belongs to. */
function isOf({ category, subCategories }: Pick<Reading, 'category' | 'subCategories'>, chosen: SearchFilter['category']): boolean {
  if (!chosen) return true;
  const codes = subCategories.map(({ code }) => code);
  const groups = category ? [category] : codes.map((code) => categoryOfCode(groupCodeOf(code)));
  if (chosen.level === 'main') return groups.every((group) => group?.mainCategory === chosen.main);
  if (chosen.level === 'group') return groups.some((group) => group?.code === chosen.code);
  return chosen.codes.every((code) => (codes.length > 0 ? codes.includes(code) : category?.code === groupCodeOf(code)));
}

/** What was chosen stays; what was read is added where nothing was chosen, or where it is narrower. */
function filterWith(chosen: SearchFilter, { category, subCategories, place }: Reading, km: number | undefined): SearchFilter {
  const { category: given } = chosen;
  const codes = subCategories.map(({ code }) => code).filter((code) => given?.level !== 'group' || groupCodeOf(code) === given.code);
  const read: SearchFilter['category'] =
    codes.length > 0 ? { level: 'sub', codes } : category ? { level: 'group', code: category.code } : undefined;
  const isNarrower = !given || given.level === 'main' || (given.level === 'group' && read?.level === 'sub');
  const { place: area, ...placeless } = chosen;
  const where = place && !chosen.near ? placeFilterOf(place, km) : { ...(area && { place: area }) };
  return { ...placeless, ...where, ...(isNarrower && read && { category: read }) };
}

/** The areas around a place, the nearest first. */
export function areasAround({ near, place }: SearchFilter): Area[] {
  if (near) {
    const locality = near.locality === undefined ? findNearestLocality(near)?.locality : findLocality(near.locality);
    return locality
      ? [{ level: 'district', code: locality.districtCode }, ...areasAround({ place: { level: 'district', code: locality.districtCode } })]
      : [];
  }
  if (!place || place.level === 'country') return [];
  const region = regionOfCode(place.level === 'region' ? place.code : regionCodeOf(place.code));
  if (!region) return [];
  const country: Area = { level: 'country', country: region.country };
  if (place.level === 'region') return [country];
  // A region of one district is the same once more.
  return region.districts.length === 1 ? [country] : [{ level: 'region', code: region.code }, country];
}

const isWithin = (inner: Place, outer: Area) => {
  const filter = placeFilterOf(inner);
  const areas = [...('place' in filter ? [filter.place] : []), ...areasAround(filter)];
  return areas.some((one) => JSON.stringify(one) === JSON.stringify(outer));
};
