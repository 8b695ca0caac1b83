import { findCategoryByCode, getGroupCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { getRegionCode, findRegionByCode } from '@handwise/contract/places/regions';
import { findLocality, findNearestLocality, type Place, listPlacesByName } from '../../places/places.service.ts';
import { classify } from '../classifier/search.classifier.ts';
import type { Area, Search, SearchFilter } from '../index/search.index.ts';
import type { SearchParts } from '../search.pages.ts';
import { toPlaceFilter } from '../search.rules.ts';
import { type Guess, type Lookups, type Reading, understand, type Understood } from './search.understanding.ts';

/** A reading of the typed text as a search. */
export type Attempt = Search & { reading: Reading; understood: Understood };
export type Attempts = readonly [Attempt, ...Attempt[]];

const smallPlaceAddresses = 3_000;
const listingNumberPattern = /^#?\s*0*([1-9]\d{0,8})$/;

type AttemptOptions = {
  chosen: SearchFilter;
  market: CountryCode | null;
  /** Searches the words exactly as typed. */
  raw: boolean;
  km: number | undefined;
};

/** The ways to search for a text within the chosen filter, most likely first. */
export async function listAttempts(parts: SearchParts, text: string, { chosen, market, raw, km }: AttemptOptions): Promise<Attempts> {
  const typed: Reading = { category: null, subCategories: [], place: null, words: text };
  const asTyped: Understood = { readings: [typed], namesakes: [], corrected: null, mistyped: [], nearMe: false, guesses: [] };
  const toAttempt = (reading: Reading, understood: Understood): Attempt => ({
    filter: addReading(chosen, reading, km),
    words: reading.words,
    reading,
    understood,
  });
  const number = raw ? undefined : parseListingNumber(text, market);
  if (number !== undefined) {
    const byNumber = { ...toAttempt({ ...typed, words: `#${number}` }, asTyped), filter: { ...chosen, listingNumber: number }, words: '' };
    return [byNumber];
  }
  const understood =
    raw || !text ? asTyped : await parts.readings.get(JSON.stringify([market, text, chosen]), () => readText(text, chosen, market));
  const { readings, mistyped } = understood;
  // "Tyler" may be a misspelt "tiler", unless a listing has the word.
  const isName = mistyped.length > 0 && (await parts.index.listKnownWords(mistyped)).size === new Set(mistyped).size;
  const ordered = isName ? [typed, ...readings.filter(({ words }) => words !== text)] : readings;
  const [first = typed, ...others] = ordered;
  return [toAttempt(first, understood), ...others.map((reading) => toAttempt(reading, understood))];
}

/** Digits after a # are a listing's number, and so are three or more digits that are not a postcode. */
function parseListingNumber(text: string, market: CountryCode | null): number | undefined {
  const [, digits] = listingNumberPattern.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return text.includes('#') || (digits.length > 2 && listPlacesByName(text, market).length === 0) ? Number(digits) : undefined;
}

const listClassifierGuesses = (words: string): Guess[] =>
  classify(words).map(({ category, subCategory, probability }) => {
    const sub = subCategory === null ? undefined : findSubCategoryByCode(subCategory);
    return { category: findCategoryByCode(category) ?? null, subCategories: sub ? [sub] : [], probability };
  });

/** The lookups for a market (null: both). */
export const createLookups = (market: CountryCode | null): Lookups => ({
  listPlacesByName: (named) => listPlacesByName(named, market),
  isSmall: ({ localityCode }) => localityCode !== undefined && (findLocality(localityCode)?.addresses ?? 0) < smallPlaceAddresses,
  classify: listClassifierGuesses,
});

async function readText(text: string, chosen: SearchFilter, market: CountryCode | null): Promise<Understood> {
  const isMarketOnly = chosen.place?.level === 'country' && chosen.place.country === market;
  const found = understand(text, createLookups(market), {
    isPlaceAllowed: chosen.place && !isMarketOnly ? (place) => isWithin(place, chosen.place as Area) : undefined,
    isTradeAllowed: chosen.category && ((trade) => isInCategory(trade, chosen.category)),
  });
  // A text of punctuation has no words; it finds nothing instead of everything.
  return found.readings.length > 0 ? found : { ...found, readings: [{ category: null, subCategories: [], place: null, words: text }] };
}

/** Whether a trade is within the chosen category, or is the group of the chosen sub-category. */
function isInCategory({ category, subCategories }: Pick<Reading, 'category' | 'subCategories'>, chosen: SearchFilter['category']): boolean {
  if (!chosen) return true;
  const codes = subCategories.map(({ code }) => code);
  const groups = category ? [category] : codes.map((code) => findCategoryByCode(getGroupCode(code)));
  if (chosen.level === 'main') return groups.every((group) => group?.mainCategory === chosen.main);
  if (chosen.level === 'group') return groups.some((group) => group?.code === chosen.code);
  return chosen.codes.every((code) => (codes.length > 0 ? codes.includes(code) : category?.code === getGroupCode(code)));
}

/** Adds the place and category of a reading to the chosen filter if nothing is chosen there or the reading is narrower. */
function addReading(chosen: SearchFilter, { category, subCategories, place }: Reading, km: number | undefined): SearchFilter {
  const { category: chosenCategory } = chosen;
  const codes = subCategories
    .map(({ code }) => code)
    .filter((code) => chosenCategory?.level !== 'group' || getGroupCode(code) === chosenCategory.code);
  const read: SearchFilter['category'] =
    codes.length > 0 ? { level: 'sub', codes } : category ? { level: 'group', code: category.code } : undefined;
  const isNarrower = !chosenCategory || chosenCategory.level === 'main' || (chosenCategory.level === 'group' && read?.level === 'sub');
  const { place: area, ...placeless } = chosen;
  const where = place && !chosen.near ? toPlaceFilter(place, km) : { ...(area && { place: area }) };
  return { ...placeless, ...where, ...(isNarrower && read && { category: read }) };
}

/** The larger areas around a place, smallest first. */
export function listAreasAround({ near, place }: SearchFilter): Area[] {
  if (near) {
    const locality = near.locality === undefined ? findNearestLocality(near)?.locality : findLocality(near.locality);
    return locality
      ? [
          { level: 'district', code: locality.districtCode },
          ...listAreasAround({ place: { level: 'district', code: locality.districtCode } }),
        ]
      : [];
  }
  if (!place || place.level === 'country') return [];
  const region = findRegionByCode(place.level === 'region' ? place.code : getRegionCode(place.code));
  if (!region) return [];
  const country: Area = { level: 'country', country: region.country };
  if (place.level === 'region') return [country];
  // A region with one district is the same area.
  return region.districts.length === 1 ? [country] : [{ level: 'region', code: region.code }, country];
}

const isWithin = (inner: Place, outer: Area) => {
  const filter = toPlaceFilter(inner);
  const areas = [...('place' in filter ? [filter.place] : []), ...listAreasAround(filter)];
  return areas.some((one) => JSON.stringify(one) === JSON.stringify(outer));
};
