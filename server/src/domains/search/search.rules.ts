import { type Category, type MainCategory, findCategory, findSubCategories, mainCategory } from '@handwise/contract/categories';
import type { ListingSearch } from '@handwise/contract/search';
import type { Point } from '@handwise/contract/localities';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion } from '@handwise/contract/places';
import { fold } from '@handwise/contract/text';
import { invalidField } from '../../kit/errors.ts';
import type { Evidence } from './orders/search.evidence.ts';

/** Where and what a list is narrowed to: at most one place and one category, the narrowest that was given, and what is asked of listings. */
export type ListingFilter = {
  place?: { level: 'country'; country: CountryCode } | { level: 'region' | 'district' | 'town'; code: number };
  category?: { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
  evidence?: Evidence;
  /** Those based within a distance of a point, or who come so far from further away. */
  near?: Point & { km: number };
  /** Those based elsewhere who come to the place. */
  serves?: true;
};

/** By plan and then the newest, by score, or the newest. */
export type Order = 'recommended' | 'rating' | 'newest';

/**
 * The filter of a search in a market (null: every market). Throws `invalid_input` naming the field that means nothing or
 * does not fit the others.
 */
export function filterOf(search: ListingSearch, market: CountryCode | null): ListingFilter {
  return { ...placeOf(search, market), ...categoryOf(search) };
}

function placeOf(search: ListingSearch, market: CountryCode | null): Pick<ListingFilter, 'place'> {
  const given = search.country ? findCountry(search.country) : undefined;
  if (search.country && !given) throw invalidField('country', 'There is no such country here');
  if (given && market && given !== market) throw invalidField('country', `This site shows ${markets[market].name} only`);
  const country = given ?? market;

  const region = search.region ? findRegion(search.region) : undefined;
  if (search.region && (!region || (country && region.country !== country))) throw invalidField('region', 'There is no such region here');

  if (search.district) {
    const found = findDistrict(search.district, region && [region]);
    if (!found || (country && found.region.country !== country)) throw invalidField('district', 'There is no such district here');
    return { place: { level: 'district', code: found.district.code } };
  }
  if (region) return { place: { level: 'region', code: region.code } };
  return country ? { place: { level: 'country', country } } : {};
}

function categoryOf(search: ListingSearch): Pick<ListingFilter, 'category'> {
  let within: Category | MainCategory | undefined;
  if (search.category) {
    within = mainCategory.safeParse(fold(search.category)).data ?? findCategory(search.category);
    if (!within) throw invalidField('category', 'There is no such category');
  }
  if (search.subCategory) {
    const codes = findSubCategories(search.subCategory, within).map((sub) => sub.code);
    if (codes.length === 0) throw invalidField('subCategory', 'There is no such sub-category here');
    return { category: { level: 'sub', codes } };
  }
  if (!within) return {};
  return { category: typeof within === 'string' ? { level: 'main', main: within } : { level: 'group', code: within.code } };
}

/** Whether the best listings of a group are asked for. Throws `invalid_input` where there is no average to hold them against. */
export function asksForBest({ sort, title, listingNumber }: ListingSearch, { category }: ListingFilter): boolean {
  if (sort !== 'best') return false;
  if (title || listingNumber !== undefined) throw invalidField('sort', 'A search by words or number has no order “best”');
  if (category?.level !== 'group') throw invalidField('sort', 'Choose one group of services to see the best first');
  return true;
}

const maxWords = 50;

/** The words of a text, folded as the vocabulary is. Empty where the text has neither letters nor digits. */
export const wordsOf = (text: string): string[] =>
  fold(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 60));

/** The words of a search text, each once. */
export const wordsOfSearch = (text: string): string[] => [...new Set(wordsOf(text))].slice(0, maxWords);
