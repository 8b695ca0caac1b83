import type { Reader } from '../../kit/database/database.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { countByDistrict } from './listings.queries.ts';

type DistrictCount = Awaited<ReturnType<typeof countByDistrict>>[number];

/** How many active listings there are of each kind in each place, counted together and cached for a minute. */
export class ListingCounts {
  readonly #db: Reader;
  readonly #counts: ResultCache<DistrictCount[]>;

  constructor(db: Reader, seconds = 60) {
    this.#db = db;
    this.#counts = new ResultCache({ name: 'listingCounts', seconds });
  }

  /** Of each sub-category (null: none chosen) in each district. */
  byDistrict(): Promise<DistrictCount[]> {
    return this.#counts.get('', () => countByDistrict(this.#db));
  }
}
