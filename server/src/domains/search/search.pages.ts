import { pageSize } from '@handwise/contract/listings/calls';
import type { FindPage } from '@handwise/contract/search/calls';
import { maxPages } from '@handwise/contract/search/filters';
import type { SectionKey } from '@handwise/contract/search/sections';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import type { Db } from '../../kit/database/database.ts';
import { type ListingCounts, toCard, listActiveByNumbers, getPlanTypeByRank } from '../listings/listings.service.ts';
import { type SearchIndex, type Matches, type Order, type Search, type SearchFilter, maxExactTotal } from './index/search.index.ts';
import { createDistanceField } from './index/search.localities.ts';
import { PostgresIndex } from './index/search.postgres.ts';
import { farKm } from './index/search.statements.ts';
import { createPhraseTerm, isSpecialist, listMatchingFields, toNameStart, type Work } from './index/search.terms.ts';
import { SearchTimeout, withSearchTimeout } from './index/search.time-budget.ts';
import type { Understood } from './understanding/search.understanding.ts';

/** The listings of a page by section. */
type Sections = { matches: Matches; further: readonly number[]; related: readonly number[] };

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

type PageInfo = { currentPage: number; totalPages: number | null; totalListings: number | null; totalIsExact: boolean };

export const parsePage = ({ page = 1, limit = pageSize }: { page?: number | undefined; limit?: number | undefined }) => ({
  skip: (page - 1) * limit,
  take: limit,
});

export function buildPageInfo({ total, isExact }: Pick<Matches, 'total' | 'isExact'>, query: Parameters<typeof parsePage>[0]): PageInfo {
  const { take } = parsePage(query);
  return {
    currentPage: query.page ?? 1,
    totalPages: total === null ? null : Math.min(maxPages, Math.ceil(total / take)),
    totalListings: total === null ? null : Math.min(total, maxExactTotal),
    totalIsExact: isExact,
  };
}

/** The notice for a search that found some of its matches before the time limit. */
export function describeFirstMatches({ place, near, category }: SearchFilter): string {
  const hasPlace = near !== undefined || (place !== undefined && place.level !== 'country');
  const missing = [...(hasPlace ? [] : ['a place']), ...(category ? [] : ['a trade'])];
  return `Showing the first matches; ${missing.length > 0 ? `add ${missing.join(' or ')} to narrow it down` : 'search again to see them all'}`;
}

/**
 * The listings of the matches that are still active. Throws `SearchTimeout` if they cannot be read in time, or if a search that ran out of time has none
 * left.
 */
export async function listMatchedRows({ db }: SearchParts, { numbers, total }: Pick<Matches, 'numbers' | 'total'>) {
  const rows = await withSearchTimeout(() => listActiveByNumbers(db, numbers));
  if (total === null && rows.length === 0) throw new SearchTimeout();
  return rows;
}

type TitledRow = { listing_number: number; service_title: string; business_title: string };

/**
 * The specialists among the matches of a page, who come after those who do the whole of the work: a heat pump installer is not the electrician that was
 * asked for. Told by the titles of the page, because reading the titles of all matches would cost more than the search itself.
 */
function listSpecialists(rows: readonly TitledRow[], { work, named, first = [] }: Search, { numbers, far }: Matches): Set<number> {
  const own = new Set(numbers);
  const keeps = new Set([...far, ...first]);
  const isNamed = ({ business_title: name }: TitledRow) => named?.names.includes(toNameStart(name)) === true;
  const isLast = (row: TitledRow) =>
    own.has(row.listing_number) && !keeps.has(row.listing_number) && !isNamed(row) && isSpecialist(row.service_title, work as Work);
  return new Set(work?.specialties ? rows.filter(isLast).map((row) => row.listing_number) : []);
}

const levelNames = ['category', 'mentions', 'names'] as const;

/** The cards of all sections, each with the reasons for its position. */
export async function listSearchCards(parts: SearchParts, search: Search, found: Sections, order: Order): Promise<FindPage['listings']> {
  const { matches, further, related } = found;
  const { paidCount, terms } = matches;
  const unordered = await listMatchedRows(parts, { numbers: [...matches.numbers, ...further, ...related], total: matches.total });
  const last = order === 'recommended' ? listSpecialists(unordered, search, matches) : new Set<number>();
  const far = new Set(matches.far);
  const groupOf = (number: number) => (far.has(number) ? 2 : last.has(number) ? 1 : 0);
  const numbers = last.size === 0 ? matches.numbers : matches.numbers.toSorted((one, other) => groupOf(one) - groupOf(other));
  const positions = new Map([...numbers, ...further, ...related].map((number, at) => [number, at]));
  const rows = unordered.toSorted((one, other) => (positions.get(one.listing_number) ?? 0) - (positions.get(other.listing_number) ?? 0));
  const distanceOf = createDistanceField(search.filter);
  const paidNumbers = new Set(numbers.slice(0, paidCount));
  const [away, beside] = [new Set(further), new Set(related)];
  const cards = rows.map((row) => {
    const distance = distanceOf(row.base_locality_code);
    const level = last.has(row.listing_number) ? 0 : matches.levels.get(row.listing_number);
    const section: SectionKey = away.has(row.listing_number) ? 'further' : beside.has(row.listing_number) ? 'related' : 'match';
    return {
      ...toCard(row),
      ...distance,
      section,
      ...(paidNumbers.has(row.listing_number) && { paidPlacement: true as const }),
      why: {
        rank: getPlanTypeByRank(row.plan_rank),
        words: listMatchingFields(row, [...terms, ...(search.work?.names ?? []).map(createPhraseTerm)]),
        ...(level !== undefined && { level: levelNames[level] }),
        ...distance,
      },
    };
  });
  // The same work is too far away for most jobs, so other work of its kind that is here goes before it.
  const nearest = cards.find(({ section }) => section === 'further')?.distanceKm ?? 0;
  const position: Record<SectionKey, number> = { match: 0, further: nearest > farKm ? 2 : 1, related: nearest > farKm ? 1 : 2 };
  return cards.toSorted((one, other) => position[one.section] - position[other.section]);
}
