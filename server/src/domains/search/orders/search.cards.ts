import { maxPaidPlaces } from '@handwise/contract/search-filters';
import { plans } from '@handwise/contract/plan-table';
import type { FindPage } from '@handwise/contract/search';
import type { Db } from '../../../kit/database/database.ts';
import { anyListing, planTypeOfRank } from '../../listings/listings.service.ts';
import { withMore } from '../../../kit/kept/written.ts';
import { cutAt, cutOf, facetsOf, sumOf } from './search.evidence.ts';
import { type SearchMemory, cellsOfFilter } from '../search.memory.ts';
import { distanceFrom, findByDistance } from '../near/search.near.ts';
import { findNearby } from '../near/search.nearby.ts';
import { type FoundRow, cardOf } from '../postings/cards.ts';
import { findInPostings } from '../postings/finding.ts';
import { findOrdered, findWithPaidPlaces, withPaidPlaces } from './search.orders.ts';
import { type WordQuery, wordQuery } from '../words/search.planner.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import { findMatches } from './search.matches.ts';
import { countMatchingCells, listMatchesBy } from '../words/search.word-orders.queries.ts';
import { meaningsOf } from '../words/search.meanings.ts';
import { type Meaning, fieldsWith } from '../words/search.words.rules.ts';

type Page = { skip: number; take: number };
type Rows = { rows: FoundRow[]; total: number; paid: number };
type Found = { listings: FindPage['listings']; total: number; facets: FindPage['facets'] };

// From so many matches of words on, how many each filter would leave is not worth reading them all for.
const manyMatches = 20_000;

/** One page of what is found by words or without any, in an order, with why each card stands there and how many each filter would leave. */
export async function findCards(
  db: Db,
  memory: SearchMemory,
  search: { title?: string },
  filter: ListingFilter,
  order: Order,
  page: Page,
): Promise<Found> {
  const {
    facets,
    meanings: known,
    ...found
  }: Rows & { facets: Found['facets']; meanings?: readonly Meaning[] } = asksDistance(search.title, filter)
    ? await findWhereabouts(db, memory, search.title, filter, order, page)
    : search.title
      ? await findByWords(db, memory, search.title, filter, order, page)
      : await findInList(db, memory, filter, order, page);
  const distanceOf = distanceFrom(filter);
  const meanings = known ?? ((search.title && (await meaningsOf(db, memory, search.title))) || []);
  return {
    listings: found.rows.map((row, index) => asFoundCard(row, index < found.paid, meanings, distanceOf(row))),
    total: found.total,
    facets,
  };
}

/** Whether how far somebody is, or comes, decides who is found on cards. */
export const asksDistance = (title: string | undefined, { near, serves, place }: ListingFilter) =>
  near !== undefined || serves !== undefined || (Boolean(title) && place?.level === 'town');

const asFoundCard = (
  row: FoundRow,
  isPaid: boolean,
  meanings: readonly Meaning[],
  distance: { distanceKm?: number },
): FindPage['listings'][number] =>
  withMore(cardOf(row), {
    ...distance,
    ...(isPaid && { paidPlacement: true as const }),
    why: { rank: planTypeOfRank(row.plan_rank), words: fieldsWith(row, meanings), ...distance },
  });

async function findWhereabouts(db: Db, memory: SearchMemory, title: string | undefined, filter: ListingFilter, order: Order, page: Page) {
  const choicesUpTo = !title && !filter.evidence ? manyMatches : Infinity;
  const inMemory = await findNearby(db, memory, { title, filter }, { order, ...page, choicesUpTo });
  if (inMemory) return inMemory;
  const meanings = title ? await meaningsOf(db, memory, title) : [];
  if (!meanings) return { rows: [], total: 0, paid: 0, facets: null };
  // Where they are is not asked by words.
  const words = meanings.length > 0 ? wordQuery(meanings, filter.category ? { category: filter.category } : {}) : null;
  return findByDistance(db, memory.distances, filter, words, order, page);
}

async function findInList(db: Db, memory: SearchMemory, filter: ListingFilter, order: Order, page: Page) {
  const inMemory = await findInPostings(db, memory, { filter }, { order, ...page, choicesUpTo: Infinity });
  if (inMemory) return inMemory;
  const found: Rows =
    order === 'recommended'
      ? { ...(await findOrdered(db, memory, filter, order, page)), paid: 0 }
      : await findWithPaidPlaces(db, memory, filter, order, page);
  const { whole, counts } = await cellsOfFilter(db, memory, filter);
  return { ...found, facets: facetsOf(whole, counts, filter.evidence ?? {}) };
}

async function findByWords(db: Db, memory: SearchMemory, title: string, filter: ListingFilter, order: Order, page: Page) {
  const isPlain = order === 'recommended' && !filter.evidence;
  const choicesUpTo = isPlain ? manyMatches : Infinity;
  const inMemory = await findInPostings(db, memory, { title, filter }, { order, ...page, choicesUpTo });
  if (inMemory) return { ...inMemory, facets: isPlain && inMemory.total === 0 ? null : inMemory.facets };
  const meanings = await meaningsOf(db, memory, title);
  if (!meanings) return { rows: [], total: 0, paid: 0, facets: null };
  const query = wordQuery(meanings, filter);
  if (isPlain) {
    const found = await findMatches(db, memory, { title }, filter, page);
    const isCounted = found.total > 0 && found.total <= manyMatches;
    return { ...found, paid: 0, facets: isCounted ? (await countWords(db, memory, query)).facets : null };
  }
  const { total, facets } = await countWords(db, memory, query);
  if (page.skip >= total) return { rows: [], total, paid: 0, facets };
  if (order !== 'recommended') return { ...(await orderMatches(db, memory, query, order, total, page)), facets };
  return { ...(await findMatches(db, memory, { title }, filter, page)), paid: 0, facets };
}

/** How many matches of the words pass, and how many each filter would leave. */
async function countWords(db: Db, memory: SearchMemory, query: WordQuery) {
  const { evidence = {}, ...words } = query;
  const limit = cutOf(evidence);
  const counted = await memory.matches.get(JSON.stringify([words, limit]), () => countMatchingCells(db, query), [anyListing]);
  const counts = cutAt(counted.whole, limit, counted.cut);
  return { total: sumOf(counts, evidence), facets: facetsOf(counted.whole, counts, evidence) };
}

async function orderMatches(
  db: Db,
  memory: SearchMemory,
  query: WordQuery,
  order: Exclude<Order, 'recommended'>,
  total: number,
  page: Page,
): Promise<Rows> {
  const featured = await memory.paid.get(
    `${order} ${JSON.stringify(query)}`,
    () => listMatchesBy(db, query, order, { without: [], rank: plans.featured.rank }, { skip: 0, take: maxPaidPlaces }),
    [anyListing],
  );
  return withPaidPlaces(featured, total, page, (rest) =>
    listMatchesBy(db, query, order, { without: featured.map(({ key }) => String(key)) }, rest),
  );
}
