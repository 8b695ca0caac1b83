import type { Suggestion } from '@handwise/contract/search-suggest';
import type { Db } from '../../kit/database/database.ts';
import type { Told } from '../../kit/events/events.ts';
import type { CacheName } from '../../kit/bounds/cache-bytes.ts';
import { Freshness } from '../../kit/kept/freshness.ts';
import { longestSeconds } from '../../kit/kept/kept-answers.ts';
import { Remembered } from '../../kit/remembered.ts';
import { anyListing, evidenceOfList, orderOf } from '../listings/listings.service.ts';
import { type CellCount, cutOf, cutAt, sumOf } from './orders/search.evidence.ts';
import { countListings } from './orders/search.lists.queries.ts';
import { countTown } from './near/search.near.queries.ts';
import type { Distances } from './near/search.near.rules.ts';
import { type OrderedRow, countCells, countCut } from './orders/search.orders.queries.ts';
import type { Legs } from './words/search.planner.ts';
import type { ListingFilter } from './search.rules.ts';
import type { MadeRow } from './postings/cards.ts';
import type { AskedRings, ReadPage } from './postings/query.ts';
import type { SearchPostings } from './postings/search.postings.ts';
import type { Meaning } from './words/search.words.rules.ts';
import type { Understood } from './understanding/search.understanding.ts';

// Whatever a filter asks beside the place and the category of a list, what it leaves changes with this.
const shownBy = (filter: ListingFilter): string[] => (filter.near || filter.serves ? [anyListing] : evidenceOfList(filter));

/**
 * What searches worked out: exact totals, who is how far away, what stands in paid places, what searched words stand for and how many
 * matches they have, pages as the postings found them, cards, and suggestions. Each until a listing changes in a way that changes it.
 */
export class SearchMemory {
  /** Answers searches from memory where there are listings enough; null where nobody does. */
  readonly postings: SearchPostings | null;
  readonly totals: Remembered<number>;
  readonly cells: Remembered<readonly CellCount[]>;
  readonly matches: Remembered<{ whole: CellCount[]; cut: CellCount[] }>;
  readonly paid: Remembered<OrderedRow[]>;
  readonly meanings: Remembered<Meaning[]>;
  readonly legs: Remembered<Legs>;
  readonly found: Remembered<ReadPage>;
  readonly cards: Remembered<MadeRow>;
  readonly suggestions: Remembered<Suggestion[]>;
  readonly distances: Remembered<Distances>;
  readonly districts: Remembered<ReadonlyMap<number, number>>;
  /** Which places lie how far from a point: that depends on no listing. */
  readonly rings = new Remembered<AskedRings>({ name: 'searchRings', seconds: 3_600 });
  /** What texts were read as: that depends on no listing either. */
  readonly readings = new Remembered<Understood>({ name: 'searchReadings', seconds: 3_600 });

  /** `ofListings` says of single listings alone whether they have changed; without, `freshness` does. */
  constructor(postings: SearchPostings | null, freshness = new Freshness(), ofListings = freshness) {
    this.postings = postings;
    const remember = <Value extends NonNullable<unknown>>(name: CacheName) => new Remembered<Value>({ name, seconds: 30, freshness });
    this.totals = remember('searchTotals');
    this.cells = remember('searchCells');
    this.matches = remember('searchMatches');
    this.paid = remember('searchPaid');
    this.meanings = remember('searchMeanings');
    this.legs = remember('searchLegs');
    this.found = remember('searchFound');
    this.cards = new Remembered({ name: 'searchCards', seconds: longestSeconds, freshness: ofListings });
    this.suggestions = remember('searchSuggestions');
    this.distances = remember('searchDistances');
    this.districts = remember('searchDistricts');
  }

  /** Takes what the channel of listings tells. */
  changed(told: Told<'listings'>) {
    this.postings?.changed(told);
  }

  /** Takes what the channel of words tells. */
  wordsChanged(told: Told<'words'>) {
    this.postings?.wordsChanged(told);
  }
}

/** How many listings of a place and category there are in each cell: all of them, and those within the limit of the price. */
export async function cellsOfFilter(db: Db, memory: SearchMemory, { evidence = {}, ...wide }: ListingFilter) {
  const key = JSON.stringify(wide);
  const shows = shownBy(wide);
  const whole = await memory.cells.get(key, () => countCells(db, wide), shows);
  const limit = cutOf(evidence);
  if (limit === undefined) return { whole, counts: whole };
  const cut = await memory.cells.get(`${key} ${limit}`, () => countCut(db, wide, limit), shows);
  return { whole, counts: cutAt(whole, limit, cut) };
}

/** How many listings a filter has, counted once until one comes or goes. */
export async function totalOf(db: Db, memory: SearchMemory, filter: ListingFilter): Promise<number> {
  if (filter.evidence) return sumOf((await cellsOfFilter(db, memory, filter)).counts, filter.evidence);
  const { place } = filter;
  return memory.totals.get(
    JSON.stringify(filter),
    () => (place?.level === 'town' ? countTown(db, filter, place.code) : countListings(db, filter)),
    filter.near || filter.serves ? [anyListing] : orderOf(filter),
  );
}
