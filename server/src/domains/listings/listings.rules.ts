import { type Category, type MainCategory, categories, findCategory, findSubCategories, mainCategory } from '@handwise/contract/categories';
import type { ListingSearch } from '@handwise/contract/listings';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion, regionsOf } from '@handwise/contract/places';
import { fold } from '@handwise/contract/text';
import { invalidField } from '../../kit/errors.ts';

/** Where and what a list is narrowed to: at most one place and one category, the narrowest that was given. */
export type ListingFilter = {
  place?: { level: 'country'; country: CountryCode } | { level: 'region' | 'district'; code: number };
  category?: { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
};

const at = <T>(items: readonly T[], index: number) => items[index];

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

const maxWords = 8;

/** The words of a search text, folded as the vocabulary is. Empty where the text has neither letters nor digits. */
export function wordsOfSearch(text: string): string[] {
  const words = fold(text)
    .replace(/['’]/g, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 60));
  return [...new Set(words)].slice(0, maxWords);
}

/** Typing errors that a word of this length is forgiven. Short words differ by one letter from too many others. */
export const forgivenErrors = (word: string) => (word.length < 4 ? 0 : word.length < 6 ? 1 : 2);

/**
 * How many letters must be inserted, deleted, replaced or swapped with their neighbour to turn one word into the other
 * (optimal string alignment).
 */
export function typingErrors(typed: string, meant: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: meant.length + 1 }, (_, index) => index);
  for (let i = 1; i <= typed.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= meant.length; j += 1) {
      const replaced = (at(previous, j - 1) ?? 0) + (typed[i - 1] === meant[j - 1] ? 0 : 1);
      let best = Math.min(replaced, (at(previous, j) ?? 0) + 1, (at(current, j - 1) ?? 0) + 1);
      const swapped = i > 1 && j > 1 && typed[i - 1] === meant[j - 2] && typed[i - 2] === meant[j - 1];
      if (swapped) best = Math.min(best, (at(beforePrevious, j - 2) ?? 0) + 1);
      current.push(best);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, meant.length) ?? 0;
}

/**
 * What a searched word stands for: every word of the vocabulary that it is a part of; where there is none, the ones that
 * a forgivable typing error away, the nearest only.
 */
export function meantWords<Word extends { word: string; exact: boolean }>(typed: string, candidates: readonly Word[]): Word[] {
  const parts = candidates.filter((candidate) => candidate.exact);
  if (parts.length > 0) return parts;
  const near = candidates
    .map((candidate) => ({ candidate, errors: typingErrors(typed, candidate.word) }))
    .filter(({ errors }) => errors <= forgivenErrors(typed));
  const fewest = Math.min(...near.map(({ errors }) => errors));
  return near.filter(({ errors }) => errors === fewest).map(({ candidate }) => candidate);
}

// PostgreSQL takes a query of hundreds of words for one that matches nearly every row, and then reads them all. From so many
// words on, a group is looked up word by word instead.
const wideGroup = 32;

/** A query for the search column. `wide` holds the groups that are too large to stand in it: one of the words of each is needed. */
export type WordQuery = { text: string; wide: readonly (readonly string[])[] };

/** Asks for one of the words of each group, and for all facets. Words hold letters and digits only. */
export function wordQuery(groups: readonly (readonly string[])[], filter: ListingFilter): WordQuery {
  const narrow = groups.filter((group) => group.length <= wideGroup);
  const words = narrow.map((group) => `(${group.map((word) => `'${word}'`).join('|')})`);
  return { text: [...words, ...facetTokens(filter)].join('&'), wide: groups.filter((group) => group.length > wideGroup) };
}

// From so many words on there are too many pairs of them to ask for.
const countableWords = 8;

/** How to count the listings of one searched word without visiting them all. */
export type WordCount = {
  words: readonly string[];
  /** Listings that have two of the words or more, and so are in the sum of the words' counts more than once. */
  several: string | null;
  /** Regions and groups to count in, null for all. */
  regionCodes: readonly number[] | null;
  categoryCodes: readonly number[] | null;
};

/**
 * The counting of a search for one word, or null where the counts by word, region and group do not reach: several searched
 * words, districts, sub-categories.
 */
export function wordCount(groups: readonly (readonly string[])[], filter: ListingFilter): WordCount | null {
  const { place, category } = filter;
  const [words, ...others] = groups;
  if (!words || others.length > 0 || words.length > countableWords || place?.level === 'district' || category?.level === 'sub') return null;
  const pairs = words.flatMap((one, index) => words.slice(index + 1).map((other) => `('${one}'&'${other}')`));
  const regionCodes = place?.level === 'country' ? regionsOf(place.country).map((region) => region.code) : place && [place.code];
  const categoryCodes =
    category?.level === 'group'
      ? [category.code]
      : category && categories.filter((one) => one.mainCategory === category.main).map((one) => one.code);
  return {
    words,
    several: pairs.length > 0 ? [`(${pairs.join('|')})`, ...facetTokens(filter)].join('&') : null,
    regionCodes: regionCodes ?? null,
    categoryCodes: categoryCodes ?? null,
  };
}

function facetTokens({ place, category }: ListingFilter): string[] {
  const tokens: string[] = [];
  if (place) tokens.push(place.level === 'country' ? `'country:${place.country}'` : `'${place.level}:${place.code}'`);
  if (category?.level === 'main') tokens.push(`'main:${category.main}'`);
  if (category?.level === 'group') tokens.push(`'category:${category.code}'`);
  if (category?.level === 'sub') tokens.push(`(${category.codes.map((code) => `'sub:${code}'`).join('|')})`);
  return tokens;
}

/**
 * Whether to walk the list's own index and keep what matches (true), or to fetch all matches and sort them (false).
 * Walking reads about `offset + limit` divided by the share of matching listings.
 */
export function shouldWalk(matching: number, filtered: number, offset: number, limit: number): boolean {
  if (matching === 0) return false;
  const readByWalking = ((offset + limit) * filtered) / matching;
  return readByWalking < Math.min(20_000, Math.max(200, matching));
}
