import { type ListingPage, pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import type { ListingSearch, Understanding } from '@handwise/contract/search';
import type { Db } from '../../../kit/database/database.ts';
import { pageOf } from '../../listings/listings.service.ts';
import { type Search, attemptsOf, firstThatFinds } from './search.attempts.ts';
import { filterOf } from '../search.rules.ts';
import type { SearchMemory } from '../search.memory.ts';
import { cardOf } from '../postings/cards.ts';
import { findMatches, searchListings } from '../orders/search.matches.ts';
import { understandingOf } from './search.views.ts';

/**
 * The search of members: by words, filters or number. Words that no listing has are read as everybody's are, and the answer then says
 * how: where a visitor finds something, a member does too.
 */
export async function searchAsMember(
  db: Db,
  memory: SearchMemory,
  search: ListingSearch,
  market: CountryCode | null,
): Promise<ListingPage & { understood?: Understanding }> {
  const plain = await searchListings(db, memory, search, market);
  const { title, listingNumber, page = 1, limit: take = pageSize } = search;
  if (plain.totalListings > 0 || !title || listingNumber !== undefined) return plain;
  const find = ({ filter, words }: Search, at: { skip: number; take: number }) =>
    findMatches(db, memory, words ? { title: words } : {}, filter, at);
  const chosen = filterOf(search, market);
  const attempts = await attemptsOf(db, memory, title, chosen, market, {});
  const attempt = await firstThatFinds(attempts, async (one) => (await find(one, { skip: 0, take: 1 })).total);
  const found = await find(attempt, { skip: (page - 1) * take, take });
  if (found.total === 0) return plain;
  const understood = understandingOf(attempt, chosen, { q: title }, { corrected: null, nearMe: false });
  return { ...pageOf(found.rows.map(cardOf), found.total, { page, take }), understood };
}
