import type { FindPage } from '@handwise/contract/search';
import type { Db } from '../../../kit/database/database.ts';
import { anyListing } from '../../listings/listings.service.ts';
import { type ListingFilter, type Order, wordsOfSearch } from '../search.rules.ts';
import type { Meaning } from '../words/search.words.rules.ts';
import { type Typed, asked, askedWord, facetsOfChoices } from './asking.ts';
import { type MadeRow, cardsOf } from './cards.ts';
import type { SearchMemory } from '../search.memory.ts';
import { areRemembered, beginningsOf } from '../words/search.meanings.ts';
import type { Answer, AskedRings, ReadPage } from './query.ts';

type Found = { rows: MadeRow[]; total: number; paid: number; facets: FindPage['facets']; meanings: readonly Meaning[] };

type Search = { title?: string | undefined; filter: ListingFilter; rings?: () => Promise<AskedRings> };
type Page = { order: Order; skip: number; take: number; choicesUpTo: number };

/** One page of a search as the postings have it, with what its words stand for; null where PostgreSQL must be asked. */
export async function findInPostings(db: Db, memory: SearchMemory, search: Search, page: Page): Promise<Found | null> {
  if (!memory.postings?.isReady) return null;
  const typed = search.title === undefined ? [] : wordsOfSearch(search.title);
  const found = search.title !== undefined && typed.length === 0 ? nothing : await pageFound(db, memory, search, typed, page);
  if (!found) return null;
  return {
    rows: await cardsOf(db, memory.cards, found.numbers),
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
  // Only of a text with a word that stands for nothing, which other ways to read it, and to find more, have as well.
  if (!areRemembered(memory, typed)) {
    const found = await ask(typed.map(askedWord));
    if (found?.meanings !== null) return found;
  }
  // Which words are similar to such a one is for PostgreSQL to say.
  const meanings = await beginningsOf(db, memory, typed.join(' '));
  return meanings ? ask(meanings) : nothing;
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
