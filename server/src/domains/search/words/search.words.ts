import type { Db } from '../../../kit/database/database.ts';
import { type CardRow, anyListing } from '../../listings/listings.service.ts';
import type { Page } from '../orders/search.lists.queries.ts';
import { type SearchMemory, totalOf } from '../search.memory.ts';
import { type Leg, type Legs, type WordQuery, rangeOf, shouldTakeLegs, shouldWalk, wordCount, wordQuery } from './search.planner.ts';
import type { ListingFilter } from '../search.rules.ts';
import type { FoundRow } from '../postings/cards.ts';
import { findInPostings } from '../postings/finding.ts';
import * as queries from './search.words.queries.ts';
import { meaningsOf } from './search.meanings.ts';

/** One page of the listings that have all words of a text, by paid rank, then by the fields that they stand in, then the newest. */
export async function findByWords(
  db: Db,
  memory: SearchMemory,
  text: string,
  filter: ListingFilter,
  page: Page,
): Promise<{ rows: FoundRow[]; total: number }> {
  const inMemory = await findInPostings(db, memory, { title: text, filter }, { order: 'recommended', ...page, choicesUpTo: -1 });
  if (inMemory) return inMemory;
  const meanings = await meaningsOf(db, memory, text);
  if (!meanings) return { rows: [], total: 0 };

  const query = wordQuery(meanings, filter);
  const key = JSON.stringify(query);
  const countable = wordCount(meanings, filter);
  const { evidence: _, ...list } = filter;
  const [known, counted] = countable
    ? await Promise.all([memory.legs.get(key, () => queries.countWords(db, countable), [anyListing]), totalOf(db, memory, list)])
    : [memory.legs.peek(key), undefined];
  if (known && page.skip >= known.total) return { rows: [], total: known.total };
  if (known && shouldTakeLegs(known, query)) {
    const filtered = counted ?? (await totalOf(db, memory, list));
    return { rows: await pageOfLegs(db, query, filter, known, page, filtered), total: known.total };
  }
  const keep = memory.legs.begin(key, [anyListing]);
  const found = await queries.sortMatches(db, query, page);
  keep(found.known);
  return { rows: found.rows, total: found.known.total };
}

// Legs are asked one after the other, because most pages lie within one.
async function pageOfLegs(db: Db, query: WordQuery, filter: ListingFilter, known: Legs, page: Page, filtered: number): Promise<CardRow[]> {
  const rows: CardRow[] = [];
  let skip = page.skip;
  for (const leg of known.legs) {
    if (rows.length === page.take) break;
    if (known.exact && skip >= leg.listings) {
      skip -= leg.listings;
      continue;
    }
    const wanted = page.take - rows.length;
    const part = { skip, take: known.exact ? Math.min(wanted, leg.listings - skip) : wanted };
    const found = await partOfLeg(db, query, filter, leg, part, rangeOf(known, leg, filtered));
    rows.push(...found);
    skip = found.length === 0 && skip > 0 ? skip - (await queries.countLeg(db, query, leg)) : 0;
  }
  return rows;
}

const partOfLeg = (db: Db, query: WordQuery, filter: ListingFilter, leg: Leg, part: Page, range: number): Promise<CardRow[]> =>
  shouldWalk(leg.listings, range, part.skip, part.take)
    ? queries.walkLeg(db, filter, query, leg, part)
    : queries.fetchLeg(db, query, leg, part);
