import type { FindPage } from '@handwise/contract/search';
import { sql } from 'kysely';
import { type Db, prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { type CardRow, anyListing, cardColumns } from '../../listings/listings.service.ts';
import { active } from '../orders/search.lists.queries.ts';
import { type ListingFilter, type Order, wordsOfSearch } from '../search.rules.ts';
import type { Meaning } from '../words/search.words.rules.ts';
import { type Typed, asked, askedWord, facetsOfChoices } from './asking.ts';
import type { SearchMemory } from '../search.memory.ts';
import { beginningsOf } from '../words/search.meanings.ts';
import type { Answer, AskedRings, ReadPage } from './query.ts';

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
  const typed = search.title === undefined ? [] : wordsOfSearch(search.title);
  const found = search.title !== undefined && typed.length === 0 ? nothing : await pageFound(db, memory, search, typed, page);
  if (!found) return null;
  return {
    rows: await cardsOf(db, found.numbers),
    total: found.total,
    paid: found.paid,
    facets: found.choices && facetsOfChoices(found.choices),
    meanings: found.meanings ?? [],
  };
}

const nothing: ReadPage = { total: 0, numbers: [], paid: 0, choices: null, meanings: null };

/** What the thread finds, or has found since the last change of a listing. */
async function pageFound(db: Db, memory: SearchMemory, search: Search, typed: readonly string[], page: Page): Promise<ReadPage | null> {
  const key = JSON.stringify([search.title, search.filter, page]);
  const known = memory.found.peek(key);
  if (known) return known;
  const keep = memory.found.begin(key, [anyListing]);
  const found = await askPostings(db, memory, search, typed, page);
  if (found) keep(found);
  return found;
}

async function askPostings(db: Db, memory: SearchMemory, search: Search, typed: readonly string[], page: Page): Promise<ReadPage | null> {
  const byWorth = typed.length > 0 && page.order === 'recommended' && !search.rings;
  const rings = search.rings ? await search.rings() : null;
  const ask = async (meanings: readonly (Meaning | Typed)[]): Promise<ReadPage | null> => {
    const asking = asked({ meanings, filter: search.filter, rings }, { ...page, byWorth });
    const answer = (await memory.postings?.find(asking)) ?? null;
    return answer && readPage(answer, meanings);
  };
  const found = await ask(typed.map(askedWord));
  if (found?.meanings !== null) return found;
  // Which words are similar to one that stands for nothing is for PostgreSQL to say.
  const meanings = await beginningsOf(db, memory, typed.join(' '));
  return meanings ? ask(meanings) : found;
}

function readPage({ forms, ...page }: Answer, asked: readonly (Meaning | Typed)[]): ReadPage {
  const meanings = asked.flatMap((word, index) => {
    const of = forms[index];
    return of
      ? { forms: of, categoryCodes: word.categoryCodes, subCodes: word.subCodes, ...('begins' in word && { begins: word.begins }) }
      : [];
  });
  return { ...page, meanings: meanings.length === asked.length ? meanings : null };
}
