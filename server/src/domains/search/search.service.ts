import type { ListingPage } from '@handwise/contract/listings';
import { pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import type { ListingSearch } from '@handwise/contract/search';
import type { Db } from '../../kit/database/database.ts';
import { type CardRow, asPage } from '../listings/listings.service.ts';
import { type WordQuery, shouldWalk, wordCount, wordQuery } from './search.planner.ts';
import * as lists from './search.lists.queries.ts';
import { SearchMemory, totalOf } from './search.memory.ts';
import { findOrdered } from './search.orders.ts';
import { type ListingFilter, asksForBest, filterOf, meantWords, wordsOfSearch } from './search.rules.ts';
import * as words from './search.words.queries.ts';

export { SearchMemory };

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
  const { rows, total } = asksForBest(search, filter)
    ? await findOrdered(db, memory, filter, 'rating', { skip, take })
    : await findMatches(db, memory, search, filter, { skip, take });
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
  if (search.title) return findByWords(db, memory, search.title, filter, page);
  return findOrdered(db, memory, filter, 'recommended', page);
}

/** What asks for the words of a text within a filter; null where no listing can have them. */
export async function wordQueryOf(db: Db, memory: SearchMemory, title: string, filter: ListingFilter): Promise<WordQuery | null> {
  const groups = await meaningsOf(db, memory, wordsOfSearch(title));
  return groups && wordQuery(groups, filter);
}

async function findByWords(
  db: Db,
  memory: SearchMemory,
  title: string,
  filter: ListingFilter,
  page: { skip: number; take: number },
): Promise<Found> {
  const groups = await meaningsOf(db, memory, wordsOfSearch(title));
  if (!groups) return { rows: [], total: 0 };

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
  const { evidence: _, ...list } = filter;
  const filtered = await totalOf(db, memory, list);
  if (query.wide.length > 0 || !shouldWalk(known, filtered, page.skip, page.take)) return words.sortMatches(db, query, page);
  return { rows: await words.walkMatches(db, filter, query.text, page), total: known };
}

/** What each typed word may mean; null where one means nothing. */
async function meaningsOf(db: Db, memory: SearchMemory, typed: readonly string[]): Promise<string[][] | null> {
  if (typed.length === 0) return null;
  const groups = await memory.meanings.get(typed.join(' '), async () => {
    const candidates = await words.findWords(db, typed);
    return typed.map((word) => {
      const ofWord = candidates.filter((candidate) => candidate.typed === word);
      return meantWords(word, ofWord).map((meant) => meant.word);
    });
  });
  return groups.some((group) => group.length === 0) ? null : groups;
}
