import type { FindPage } from '@handwise/contract/search';
import { sql } from 'kysely';
import { type Db, prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { type CardRow, anyListing, cardColumns } from '../../listings/listings.service.ts';
import { active } from '../orders/search.lists.queries.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import type { Meaning } from '../words/search.words.rules.ts';
import { asked, facetsOfChoices } from './asking.ts';
import type { SearchMemory } from '../search.memory.ts';
import { beginningsOf } from '../words/search.meanings.ts';
import type { AskedRings, FoundPage } from './query.ts';

type Found = { rows: CardRow[]; total: number; paid: number; facets: FindPage['facets']; meanings: readonly Meaning[] };

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

type Search = { title?: string | undefined; filter: ListingFilter; rings?: () => Promise<AskedRings> };
type Page = { order: Order; skip: number; take: number; choicesUpTo: number };

/** One page of a search as the postings have it, with what its words stand for; null where PostgreSQL must be asked. */
export async function findInPostings(db: Db, memory: SearchMemory, search: Search, page: Page): Promise<Found | null> {
  if (!memory.postings?.isReady) return null;
  const meanings = search.title === undefined ? [] : await beginningsOf(db, memory, search.title);
  if (!meanings) return { rows: [], total: 0, paid: 0, facets: null, meanings: [] };
  const found = await pageFound(memory, search, meanings, page);
  if (!found) return null;
  return {
    rows: await cardsOf(db, found.numbers),
    total: found.total,
    paid: found.paid,
    facets: found.choices && facetsOfChoices(found.choices),
    meanings,
  };
}

/** What the thread finds, or has found since the last change of a listing. */
async function pageFound(
  { postings, found }: SearchMemory,
  { title, filter, rings }: Search,
  meanings: readonly Meaning[],
  page: Page,
): Promise<FoundPage | null> {
  const key = JSON.stringify([title, filter, page]);
  const known = found.peek(key);
  if (known) return known;
  const keep = found.begin(key, [anyListing]);
  const byWorth = meanings.length > 0 && page.order === 'recommended' && !rings;
  const asking = asked({ meanings, filter, rings: rings ? await rings() : null }, { ...page, byWorth });
  const answer = (await postings?.find(asking)) ?? null;
  if (answer) keep(answer);
  return answer;
}
