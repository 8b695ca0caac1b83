import type { Db } from '../../../kit/database/database.ts';
import { findNearby } from '../near/search.nearby.ts';
import { asksDistance } from '../orders/search.cards.ts';
import type { SearchMemory } from '../search.memory.ts';
import type { ListingFilter } from '../search.rules.ts';
import { findInPostings } from './finding.ts';

const alone = { order: 'recommended', skip: 0, take: 0, choicesUpTo: -1 } as const;

/**
 * How many are found from memory, with neither a card read for it nor what each filter would leave; null where PostgreSQL must
 * be asked.
 */
export async function countInPostings(db: Db, memory: SearchMemory, filter: ListingFilter, words: string): Promise<number | null> {
  const find = asksDistance(words, filter) ? findNearby : findInPostings;
  return (await find(db, memory, { title: words || undefined, filter }, alone))?.total ?? null;
}
