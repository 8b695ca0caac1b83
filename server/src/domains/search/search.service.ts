import type { ListingPage } from '@handwise/contract/listings';
import { pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import type { ListingSearch } from '@handwise/contract/search';
import type { Suggestion } from '@handwise/contract/search-suggest';
import type { Db } from '../../kit/database/database.ts';
import { Remembered } from '../../kit/remembered.ts';
import { type CardRow, asPage } from '../listings/listings.service.ts';
import { listCategoryRatings } from '../reviews/reviews.service.ts';
import { shouldWalk, wordCount, wordQuery } from './search.planner.ts';
import * as lists from './search.lists.queries.ts';
import { type ListingFilter, bestOf, filterOf, meantWords, wordsOfSearch } from './search.rules.ts';
import * as words from './search.words.queries.ts';

/** What searches worked out: exact totals, the vocabulary's words for searched ones, and suggestions. Cleared whenever a listing changes. */
export class SearchMemory {
  readonly totals = new Remembered<number>({ entries: 20_000, seconds: 30 });
  readonly meanings = new Remembered<string[][]>({ entries: 2_000, seconds: 30 });
  readonly suggestions = new Remembered<Suggestion[]>({ entries: 5_000, seconds: 30 });

  clear() {
    this.totals.clear();
    this.meanings.clear();
    this.suggestions.clear();
  }
}

type Found = { rows: CardRow[]; total: number };

/**
 * Searches the active listings of a market (null: of all): paid rank first, then the newest, or the best of a group. Throws
 * `invalid_input` for a parameter that means nothing.
 */
export async function searchListings(
  db: Db,
  memory: SearchMemory,
  search: ListingSearch,
  market: CountryCode | null,
): Promise<ListingPage> {
  const filter = filterOf(search, market);
  const page = search.page ?? 1;
  const take = search.limit ?? pageSize;
  const skip = (page - 1) * take;
  const best = bestOf(search, filter);
  const { rows, total } =
    best === undefined
      ? await findMatches(db, memory, search, filter, { skip, take })
      : await findBest(db, memory, best, filter, { skip, take });
  return asPage(rows, total, { page, take });
}

/** The rows of one page and how many there are in all: of a filter, of words within it, or of one number. */
export async function findMatches(
  db: Db,
  memory: SearchMemory,
  search: Pick<ListingSearch, 'title' | 'listingNumber'>,
  filter: ListingFilter,
  page: { skip: number; take: number },
): Promise<Found> {
  if (search.listingNumber !== undefined) {
    const rows = await lists.findByNumber(db, search.listingNumber, filter);
    return { rows: rows.slice(page.skip, page.skip + page.take), total: rows.length };
  }
  if (search.title) return findByWords(db, memory, wordsOfSearch(search.title), filter, page);
  const total = await totalOf(db, memory, filter);
  if (page.skip >= total) return { rows: [], total };
  const behind = Math.max(0, total - page.skip - page.take);
  if (behind >= page.skip) return { rows: await lists.listPage(db, filter, { ...page, fromEnd: false }), total };
  const take = Math.min(page.take, total - page.skip);
  return { rows: await lists.listPage(db, filter, { skip: behind, take, fromEnd: true }), total };
}

/** How many listings a filter has, counted once until a listing changes. */
const totalOf = (db: Db, memory: SearchMemory, filter: ListingFilter) =>
  memory.totals.get(JSON.stringify(filter), () => lists.countListings(db, filter));

async function findBest(
  db: Db,
  memory: SearchMemory,
  categoryCode: number,
  filter: ListingFilter,
  page: { skip: number; take: number },
): Promise<Found> {
  const total = await totalOf(db, memory, filter);
  if (page.skip >= total) return { rows: [], total };
  // Of both countries: the same listing has the same score wherever it is looked at from.
  const ofCategory = (await listCategoryRatings(db)).filter((one) => one.category_code === categoryCode);
  const reviews = ofCategory.reduce((sum, one) => sum + one.reviews, 0);
  const stars = ofCategory.reduce((sum, one) => sum + one.stars, 0);
  return { rows: await lists.listBest(db, filter, stars / Math.max(1, reviews), page), total };
}

async function findByWords(
  db: Db,
  memory: SearchMemory,
  typed: readonly string[],
  filter: ListingFilter,
  page: { skip: number; take: number },
): Promise<Found> {
  const nothing = { rows: [], total: 0 };
  if (typed.length === 0) return nothing;
  const groups = await memory.meanings.get(typed.join(' '), () => meaningsOf(db, typed));
  if (groups.some((group) => group.length === 0)) return nothing;

  const query = wordQuery(groups, filter);
  const key = JSON.stringify(query);
  const countable = wordCount(groups, filter);
  const known = countable ? await memory.totals.get(key, () => words.countWords(db, countable)) : memory.totals.peek(key);
  if (known === undefined) {
    const keep = memory.totals.begin(key);
    const found = await words.sortMatches(db, query, page);
    keep(found.total);
    return found;
  }
  if (page.skip >= known) return { rows: [], total: known };
  const filtered = await totalOf(db, memory, filter);
  if (query.wide.length > 0 || !shouldWalk(known, filtered, page.skip, page.take)) return words.sortMatches(db, query, page);
  return { rows: await words.walkMatches(db, filter, query.text, page), total: known };
}

async function meaningsOf(db: Db, typed: readonly string[]): Promise<string[][]> {
  const candidates = await words.findWords(db, typed);
  return typed.map((word) => {
    const ofWord = candidates.filter((candidate) => candidate.typed === word);
    return meantWords(word, ofWord).map((meant) => meant.word);
  });
}
