import type { Db } from '../../kit/database/database.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import type { ListingCounts } from '../listings/listings.service.ts';
import type { SearchIndex } from './index/search.index.ts';
import { PostgresIndex } from './index/search.postgres.ts';
import type { Understood } from './understanding/search.understanding.ts';

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

export const openIndex = (db: Db, limitMs?: number): SearchIndex => new PostgresIndex(db, limitMs === undefined ? {} : { limitMs });

export const openSearch = (db: Db, counts: ListingCounts, limitMs?: number): SearchParts => ({
  db,
  index: openIndex(db, limitMs),
  counts,
  readings: new ResultCache<Understood>({ name: 'searchReadings', seconds: 3_600 }),
});
