import type { Db } from '../../kit/database/database.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { type ListingCounts, toCard, listActiveByNumbers, getPlanTypeByRank } from '../listings/listings.service.ts';
import { type SearchIndex, type Matches, type Search, maxExactTotal } from './index/search.index.ts';
import { PostgresIndex } from './index/search.postgres.ts';
import type { Understood } from './understanding/search.understanding.ts';
import type { FindPage } from '@handwise/contract/search/calls';
import { pageSize } from '@handwise/contract/listings/calls';
import { maxPages } from '@handwise/contract/search/filters';
import { createDistanceField } from './index/search.localities.ts';
import { listMatchingFields } from './index/search.terms.ts';

/** What every search needs. */
export type SearchParts = {
  db: Db;
  index: SearchIndex;
  /** The number of listings by place and category, at most a minute old. */
  counts: ListingCounts;
  /** The readings of texts, which do not depend on any listing. */
  readings: ResultCache<Understood>;
};

export const createSearchIndex = (db: Db, limitMs?: number): SearchIndex => new PostgresIndex(db, limitMs);

export const createSearch = (db: Db, counts: ListingCounts, limitMs?: number): SearchParts => ({
  db,
  index: createSearchIndex(db, limitMs),
  counts,
  readings: new ResultCache<Understood>({ name: 'searchReadings', seconds: 3_600 }),
});

type PageInfo = { currentPage: number; totalPages: number; totalListings: number | null; totalIsExact: boolean };

export const parsePage = ({ page = 1, limit = pageSize }: { page?: number | undefined; limit?: number | undefined }) => ({
  skip: (page - 1) * limit,
  take: limit,
});

/** There is one page if the total is unknown. */
export function buildPageInfo({ total, isExact }: Pick<Matches, 'total' | 'isExact'>, query: Parameters<typeof parsePage>[0]): PageInfo {
  const { take } = parsePage(query);
  const totalPages = total === null ? 1 : Math.min(maxPages, Math.ceil(total / take));
  return {
    currentPage: query.page ?? 1,
    totalPages,
    totalListings: total === null ? null : Math.min(total, maxExactTotal),
    totalIsExact: isExact,
  };
}

/** The notice for a search that hit the time limit; null for any other. */
export const describeTimeout = ({ total }: Pick<Matches, 'total'>) =>
  total === null ? 'Showing the first matches; add a place or a trade to narrow it down' : null;

/** The cards of the matches, each with the reasons for its position. Listings that have ended since the search are left out. */
export async function listSearchCards(
  { db }: SearchParts,
  { filter }: Search,
  { numbers, paidCount, terms }: Matches,
): Promise<FindPage['listings']> {
  const rows = await listActiveByNumbers(db, numbers);
  const distanceOf = createDistanceField(filter);
  const paidNumbers = new Set(numbers.slice(0, paidCount));
  return rows.map((row) => {
    const distance = distanceOf(row.base_locality_code);
    return {
      ...toCard(row),
      ...distance,
      ...(paidNumbers.has(row.listing_number) && { paidPlacement: true as const }),
      why: { rank: getPlanTypeByRank(row.plan_rank), words: listMatchingFields(row, terms), ...distance },
    };
  });
}
