import type { Db } from '../../kit/database/database.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { type ListingCounts, toCard, listActiveByNumbers, getPlanTypeByRank } from '../listings/listings.service.ts';
import { type SearchIndex, type Matches, type Search, mostCounted } from './index/search.index.ts';
import { PostgresIndex } from './index/search.postgres.ts';
import type { Understood } from './understanding/search.understanding.ts';
import type { FindPage } from '@handwise/contract/search/calls';
import { pageSize } from '@handwise/contract/listings/calls';
import { mostPages } from '@handwise/contract/search/filters';
import { distanceFrom } from './index/search.localities.ts';
import { fieldsWith } from './index/search.terms.ts';

/** What searches are answered with. */
export type SearchParts = {
  /** What cards and the vocabulary are read from. */
  db: Db;
  index: SearchIndex;
  /** How many listings each place and category has, at most a minute old. */
  counts: ListingCounts;
  /** What texts were read as, which depends on no listing. */
  readings: ResultCache<Understood>;
};

export const openIndex = (db: Db, limitMs?: number): SearchIndex => new PostgresIndex(db, limitMs);

export const openSearch = (db: Db, counts: ListingCounts, limitMs?: number): SearchParts => ({
  db,
  index: openIndex(db, limitMs),
  counts,
  readings: new ResultCache<Understood>({ name: 'searchReadings', seconds: 3_600 }),
});

type Envelope = { currentPage: number; totalPages: number; totalListings: number | null; totalIsExact: boolean };

export const pageFrom = ({ page = 1, limit = pageSize }: { page?: number | undefined; limit?: number | undefined }) => ({
  skip: (page - 1) * limit,
  take: limit,
});

/** Which page it is, and of how many. Where the total is not known there is one. */
export function envelopeOf({ total, isExact }: Pick<Matches, 'total' | 'isExact'>, asked: Parameters<typeof pageFrom>[0]): Envelope {
  const { take } = pageFrom(asked);
  const totalPages = total === null ? 1 : Math.min(mostPages, Math.ceil(total / take));
  return {
    currentPage: asked.page ?? 1,
    totalPages,
    totalListings: total === null ? null : Math.min(total, mostCounted),
    totalIsExact: isExact,
  };
}

/** What is shown where the time limit struck. */
export const noticeOf = ({ total }: Pick<Matches, 'total'>) =>
  total === null ? 'Showing the first matches; add a place or a trade to narrow it down' : null;

/** The cards of what was found, with why each is where it is. One that has ended since is left out. */
export async function cardsOf({ db }: SearchParts, { filter }: Search, { numbers, paid, terms }: Matches): Promise<FindPage['listings']> {
  const rows = await listActiveByNumbers(db, numbers);
  const distanceOf = distanceFrom(filter);
  const isPaid = new Set(numbers.slice(0, paid));
  return rows.map((row) => {
    const distance = distanceOf(row.base_locality_code);
    return {
      ...toCard(row),
      ...distance,
      ...(isPaid.has(row.listing_number) && { paidPlacement: true as const }),
      why: { rank: getPlanTypeByRank(row.plan_rank), words: fieldsWith(row, terms), ...distance },
    };
  });
}
