import { categories } from '@handwise/contract/categories';
import { regionsOf } from '@handwise/contract/places';
import type { Evidence } from './search.evidence.ts';
import type { Path } from './search.orders.queries.ts';
import type { ListingFilter, Order } from './search.rules.ts';

// PostgreSQL takes a query of hundreds of words for one that matches nearly every row, and then reads them all. From so many
// words on, a group is looked up word by word instead.
const wideGroup = 32;

/**
 * A query for the search column. `wide` holds the groups that are too large to stand in it: one of the words of each is needed. `evidence`
 * is asked of the rows.
 */
export type WordQuery = { text: string; wide: readonly (readonly string[])[]; evidence?: Evidence };

/** Asks for one of the words of each group, and for all facets. Words hold letters and digits only. */
export function wordQuery(groups: readonly (readonly string[])[], filter: ListingFilter): WordQuery {
  const narrow = groups.filter((group) => group.length <= wideGroup);
  const words = narrow.map((group) => `(${group.map((word) => `'${word}'`).join('|')})`);
  return {
    text: [...words, ...facetTokens(filter)].join('&'),
    wide: groups.filter((group) => group.length > wideGroup),
    ...(filter.evidence && { evidence: filter.evidence }),
  };
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
 * words, districts, sub-categories, what is asked of listings.
 */
export function wordCount(groups: readonly (readonly string[])[], filter: ListingFilter): WordCount | null {
  const { place, category } = filter;
  const [words, ...others] = groups;
  if (
    filter.evidence ||
    !words ||
    others.length > 0 ||
    words.length > countableWords ||
    place?.level === 'district' ||
    category?.level === 'sub'
  )
    return null;
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

/** What is known of an ordered list before it is read: numbers of listings. */
export type Known = {
  /** Of its place and category. */
  filtered: number;
  /** Of those, the ones that pass its filters. */
  matching: number;
  /** That pass in its region and group; undefined where nothing is filtered. */
  passing: number | undefined;
  /** In all, and in its region and its group, where it has one. */
  walked: { all: number; region: number | undefined; group: number | undefined };
};

// A row that is found in an index alone costs so much of one that must be fetched.
const fromIndex = 0.2;

/**
 * The cheapest way to the first `reach` keys of an ordered list: a walk reads about `reach` divided by the share of listings that match,
 * a visit reads everything once. What filters leave few of is visited by them, what they leave much of is walked to.
 */
export function pathOf(order: Order, { filtered, matching, passing, walked }: Known, reach: number): Path {
  const walk = (all: number) => Math.min(all, (reach * all) / Math.max(1, matching));
  const costs: [Path, number][] = [[{ way: 'visit', by: 'list' }, filtered]];
  if (passing !== undefined) costs.push([{ way: 'visit', by: 'cells' }, passing * fromIndex]);
  if (order === 'rating')
    for (const scope of ['group', 'region', 'all'] as const) {
      const all = walked[scope];
      if (all !== undefined) costs.push([{ way: 'walk', by: 'scores', of: scope }, walk(all) * fromIndex]);
    }
  else costs.push([{ way: 'walk', by: 'list' }, walk(filtered) * (passing === undefined ? fromIndex : 1)]);
  return costs.reduce((best, one) => (one[1] < best[1] ? one : best))[0];
}
