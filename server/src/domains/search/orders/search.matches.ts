import type { ListingPage } from '@handwise/contract/listings';
import { pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import type { ListingSearch } from '@handwise/contract/search';
import type { Db } from '../../../kit/database/database.ts';
import { pageOf } from '../../listings/listings.service.ts';
import { type FoundRow, cardOf } from '../postings/cards.ts';
import { findInPostings } from '../postings/finding.ts';
import * as lists from './search.lists.queries.ts';
import type { SearchMemory } from '../search.memory.ts';
import { findOrdered } from './search.orders.ts';
import { type ListingFilter, asksForBest, filterOf } from '../search.rules.ts';
import { findByWords } from '../words/search.words.ts';

type Found = { rows: FoundRow[]; total: number };

/**
 * Searches the active listings of a market (null: of all): paid rank first, then the worth of the fields that have the words, then the newest; or the best of a group. Throws
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
  return pageOf(rows.map(cardOf), total, { page, take });
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
  const inMemory = await findInPostings(db, memory, { filter }, { order: 'recommended', ...page, choicesUpTo: -1 });
  return inMemory ?? findOrdered(db, memory, filter, 'recommended', page);
}
