import type { FindPage } from '@handwise/contract/search';
import { sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { type CardRow, cardColumns } from '../../listings/listings.service.ts';
import { active } from '../orders/search.lists.queries.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import type { Meaning } from '../words/search.words.rules.ts';
import { asked, facetsOfChoices } from './asking.ts';
import type { AskedRings } from './query.ts';
import type { SearchPostings } from './search.postings.ts';

type Found = { rows: CardRow[]; total: number; paid: number; facets: FindPage['facets'] };

/** The cards of these listings in their order. One that has ended since it was found is left out. */
async function cardsOf(db: Reader, numbers: readonly number[]): Promise<CardRow[]> {
  if (numbers.length === 0) return [];
  const rows = await runForm(db, 'search.numbers', [[...numbers]], (reader) =>
    reader
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(cardColumns)
      .where('listing_number', '=', sql<number>`any(${[...numbers]}::int[])`)
      .where('status', '=', active),
  );
  const byNumber = new Map(rows.map((row) => [row.listing_number, row]));
  return numbers.flatMap((number) => byNumber.get(number) ?? []);
}

/** One page of a search as the postings have it; null where PostgreSQL must be asked. */
export async function findInPostings(
  db: Reader,
  postings: SearchPostings | null,
  search: { meanings: readonly Meaning[]; filter: ListingFilter; rings: AskedRings | null },
  page: { order: Order; skip: number; take: number; choicesUpTo: number },
): Promise<Found | null> {
  if (!postings?.isReady) return null;
  const byWorth = search.meanings.length > 0 && page.order === 'recommended' && search.rings === null;
  const found = await postings.find(asked(search, { ...page, byWorth }));
  if (!found) return null;
  return {
    rows: await cardsOf(db, found.numbers),
    total: found.total,
    paid: found.paid,
    facets: found.choices && facetsOfChoices(found.choices),
  };
}
