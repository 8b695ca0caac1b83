import type { Suggestion } from '@handwise/contract/search-suggest';
import type { Db } from '../../kit/database/database.ts';
import type { Told } from '../../kit/events/events.ts';
import { Remembered } from '../../kit/remembered.ts';
import { type CellCount, cutOf, cutAt, sumOf } from './orders/search.evidence.ts';
import { countListings } from './orders/search.lists.queries.ts';
import { countTown } from './near/search.near.queries.ts';
import type { Distances } from './near/search.near.rules.ts';
import { type OrderedRow, countCells, countCut } from './orders/search.orders.queries.ts';
import type { Legs } from './words/search.planner.ts';
import type { ListingFilter } from './search.rules.ts';
import type { FoundPage } from './postings/query.ts';
import type { SearchPostings } from './postings/search.postings.ts';
import type { Meaning } from './words/search.words.rules.ts';
import type { Understood } from './understanding/search.understanding.ts';

/**
 * What searches worked out: exact totals, who is how far away, what stands in paid places, what searched words stand for and how many
 * matches they have, pages as the postings found them, and suggestions. Cleared whenever a listing changes.
 */
export class SearchMemory {
  /** Answers searches from memory where there are listings enough; null where nobody does. */
  readonly postings: SearchPostings | null;
  readonly totals = new Remembered<number>({ entries: 20_000, seconds: 30 });
  readonly cells = new Remembered<readonly CellCount[]>({ entries: 5_000, seconds: 30 });
  readonly matches = new Remembered<{ whole: CellCount[]; cut: CellCount[] }>({ entries: 5_000, seconds: 30 });
  readonly paid = new Remembered<OrderedRow[]>({ entries: 1_000, seconds: 30 });
  readonly meanings = new Remembered<Meaning[]>({ entries: 2_000, seconds: 30 });
  readonly legs = new Remembered<Legs>({ entries: 20_000, seconds: 30 });
  readonly found = new Remembered<FoundPage>({ entries: 5_000, seconds: 30 });
  readonly suggestions = new Remembered<Suggestion[]>({ entries: 5_000, seconds: 30 });
  readonly distances = new Remembered<Distances>({ entries: 500, seconds: 30 });
  readonly districts = new Remembered<ReadonlyMap<number, number>>({ entries: 200, seconds: 30 });
  /** What texts were read as: that depends on no listing. */
  readonly readings = new Remembered<Understood>({ entries: 2_000, seconds: 3_600 });

  constructor(postings: SearchPostings | null) {
    this.postings = postings;
  }

  /** Takes what the channel of listings tells. */
  changed(told: Told<'listings'>) {
    this.clear();
    this.postings?.changed(told);
  }

  clear() {
    this.totals.clear();
    this.cells.clear();
    this.matches.clear();
    this.paid.clear();
    this.meanings.clear();
    this.legs.clear();
    this.found.clear();
    this.suggestions.clear();
    this.distances.clear();
    this.districts.clear();
  }
}

/** How many listings of a place and category there are in each cell: all of them, and those within the limit of the price. */
export async function cellsOfFilter(db: Db, memory: SearchMemory, { evidence = {}, ...wide }: ListingFilter) {
  const key = JSON.stringify(wide);
  const whole = await memory.cells.get(key, () => countCells(db, wide));
  const limit = cutOf(evidence);
  if (limit === undefined) return { whole, counts: whole };
  const cut = await memory.cells.get(`${key} ${limit}`, () => countCut(db, wide, limit));
  return { whole, counts: cutAt(whole, limit, cut) };
}

/** How many listings a filter has, counted once until a listing changes. */
export async function totalOf(db: Db, memory: SearchMemory, filter: ListingFilter): Promise<number> {
  if (filter.evidence) return sumOf((await cellsOfFilter(db, memory, filter)).counts, filter.evidence);
  const { place } = filter;
  return memory.totals.get(JSON.stringify(filter), () =>
    place?.level === 'town' ? countTown(db, filter, place.code) : countListings(db, filter),
  );
}
