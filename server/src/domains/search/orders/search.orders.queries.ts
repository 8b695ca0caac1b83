import { categories, groupCodeOf } from '@handwise/contract/categories';
import { regionCodeOf, regions, regionsOf } from '@handwise/contract/places';
import { plans } from '@handwise/contract/plan-table';
import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../../kit/database/database.ts';
import { type CardRow, cardColumns } from '../../listings/listings.service.ts';
import { type CellCount, type Evidence, boundsOf, cellsOf, cutOf } from './search.evidence.ts';
import { type Page, active, matching, subCodesOf } from './search.lists.queries.ts';
import type { ListingFilter, Order } from '../search.rules.ts';

/**
 * How the keys of an ordered list are found. `list`: along the index of place and category, or through all that these have; `scores`: along
 * an index of scores, of everything or of one region or group; `cells`: all that pass the filters, by the index of cells.
 */
export type Path =
  | { way: 'walk' | 'visit'; by: 'list' }
  | { way: 'walk'; by: 'scores'; of: 'all' | 'region' | 'group' }
  | { way: 'visit'; by: 'cells' };

type Condition = RawBuilder<boolean>;
// Read from the row or the index that is walked. The planner takes half of all rows to pass whatever stands in a case, so it keeps to the
// path that was chosen by what is known: by its own guesses few pass, and it sorts all instead of walking to the first.
const held = (condition: Condition) => sql<boolean>`case when ${condition} then true else false end`;
const within = (column: string, codes: readonly number[]) => sql<boolean>`${sql.ref(column)} = any(${[...codes]}::smallint[])`;

/** What is asked of a listing besides place and category. */
export function evidenceHolds(evidence: Evidence | undefined): Condition[] {
  if (!evidence) return [];
  const { from, flags, price } = boundsOf(evidence);
  const cell = sql<boolean>`evidence_cell >= ${from} and (evidence_cell & ${flags}) = ${flags} and (evidence_cell & 7) <= ${price}`;
  return [held(cell), ...cutHolds(evidence)];
}
const priceHolds = (maxPrice: number) => held(sql`price_from_minor <= ${maxPrice}::bigint * 100`);

function cutHolds(evidence: Evidence): Condition[] {
  const cut = cutOf(evidence);
  return cut === undefined ? [] : [priceHolds(cut)];
}

/** The regions and groups that hold a filter's place and category, with what is narrower within them. */
function wideOf({ place, category }: ListingFilter) {
  const narrow: Condition[] = [];
  if (place?.level === 'district') narrow.push(within('district_code', [place.code]));
  if (category?.level === 'sub') narrow.push(within('sub_category_code', category.codes));
  const groupsOf = {
    main: (main: string) => categories.filter((one) => one.mainCategory === main).map((one) => one.code),
    sub: (codes: readonly number[]) => codes.map(groupCodeOf),
  };
  return {
    regions: !place
      ? regions.map((one) => one.code)
      : place.level === 'country'
        ? regionsOf(place.country).map((one) => one.code)
        : [place.level === 'region' ? place.code : regionCodeOf(place.code)],
    groups: !category
      ? categories.map((one) => one.code)
      : category.level === 'main'
        ? groupsOf.main(category.main)
        : category.level === 'group'
          ? [category.code]
          : groupsOf.sub(category.codes),
    narrow,
  };
}

// The rows of a list themselves, counted by their cells.
const countRows = (db: Reader, filter: ListingFilter, conditions: readonly Condition[] = []): Promise<CellCount[]> =>
  db
    .selectFrom('listings')
    .select(['evidence_cell as cell', sql<number>`count(*)::int`.as('listings')])
    .where((eb) => eb.or(subCodesOf(filter).map((code) => matching(filter, code)(eb))))
    .where((eb) => eb.and([...conditions]))
    .groupBy('evidence_cell')
    .execute();

/** How many active listings of a place and category there are in each cell. No counts are kept of a town: it has few. */
export async function countCells(db: Reader, filter: ListingFilter): Promise<CellCount[]> {
  const { place, category } = filter;
  if (place?.level === 'town') return countRows(db, filter);
  const { regions: regionCodes, groups } = wideOf(filter);
  const total = sql<number>`sum(listings)::int`;
  if (place?.level !== 'district' && category?.level !== 'sub') {
    return db
      .selectFrom('listing_cells')
      .select(['evidence_cell as cell', total.as('listings')])
      .$if(place !== undefined, (query) => query.where(within('region_code', regionCodes)))
      .$if(category !== undefined, (query) => query.where(within('category_code', groups)))
      .groupBy('evidence_cell')
      .execute();
  }
  return db
    .selectFrom('listing_district_cells')
    .select(['evidence_cell as cell', total.as('listings')])
    .$if(place?.level === 'district', (query) => query.where(within('district_code', place?.level === 'district' ? [place.code] : [])))
    .$if(place !== undefined && place.level !== 'district', (query) => query.where(within('region_code', regionCodes)))
    .$if(category !== undefined && category.level !== 'sub', (query) => query.where(within('category_code', groups)))
    .$if(category?.level === 'sub', (query) => query.where(within('sub_category_code', category?.level === 'sub' ? category.codes : [])))
    .groupBy('evidence_cell')
    .execute();
}

/** The same of those cells only that a limit of the price cuts through, and of the listings within it. */
export function countCut(db: Reader, filter: ListingFilter, maxPrice: number): Promise<CellCount[]> {
  if (filter.place?.level === 'town') return countRows(db, filter, [priceHolds(maxPrice)]);
  const { regions: regionCodes, groups, narrow } = wideOf(filter);
  const { price } = boundsOf({ maxPrice });
  const cut = cellsOf({ maxPrice }).filter((cell) => (cell & 7) === price);
  return db
    .selectFrom('listings')
    .select(['evidence_cell as cell', sql<number>`count(*)::int`.as('listings')])
    .where('status', '=', active)
    .where(within('evidence_cell', cut))
    .where(within('region_code', regionCodes))
    .where(within('category_code', groups))
    .where((eb) => eb.and([...narrow.map(held), priceHolds(maxPrice)]))
    .groupBy('evidence_cell')
    .execute();
}

type Direction = 'asc' | 'desc';

// What each order goes by, from the column that the path's index has. All are unique.
const ranks = Object.values(plans).map(({ rank }) => rank);
const ofRank = (rank: number) => [rank, rank + 1].map((one) => String(one * 1_000_000_000_000)) as [string, string];
const number = sql`1000000000000::bigint`;
const score = sql`10000000000000::bigint`;
const keyOf = {
  sort_key: { recommended: sql<string>`sort_key`, newest: sql<string>`sort_key % ${number}`, rating: sql<string>`rating_key` },
  rating_key: {
    recommended: sql<string>`rating_key % ${score}`,
    newest: sql<string>`rating_key % ${number}`,
    rating: sql<string>`rating_key`,
  },
} as const;
const rankHolds = (rank: number) => held(sql`rating_key / ${number} % 10 = ${rank}`);

/** Which rows of an ordered list: `without` are keys that it is read without, `rank` leaves those of one plan. */
export type Part = { direction: Direction; reach: number; without: readonly string[]; rank?: number };

/** The keys of a path, each list of them in order and no longer than needed. */
function legsOf(db: Reader, filter: ListingFilter, order: Order, path: Path, { direction, reach, without, rank }: Part) {
  const unwanted = (key: RawBuilder<string>) => (without.length > 0 ? [sql<boolean>`${key} <> all(${[...without]}::bigint[])`] : []);
  const keys = (key: RawBuilder<string>) => db.selectFrom('listings').select(key.as('key')).where('status', '=', active);

  if (path.by === 'list') {
    const key = keyOf.sort_key[order];
    const conditions = [...evidenceHolds(filter.evidence), ...unwanted(key)];
    return subCodesOf(filter).flatMap((code) => {
      const all = keys(key).where(matching(filter, code));
      // Nothing gives the order of a sum: all are fetched, and then sorted.
      if (path.way === 'visit')
        return [
          all
            .where((eb) => eb.and([...conditions, ...(rank === undefined ? [] : [rankHolds(rank)])]))
            .orderBy(sql`${key} + 0`, direction)
            .limit(reach),
        ];
      if (order === 'recommended')
        return [
          all
            .where((eb) => eb.and(conditions))
            .orderBy('sort_key', direction)
            .limit(reach),
        ];
      return (rank === undefined ? ranks : [rank]).map((one) => {
        const [from, to] = ofRank(one);
        return all
          .where('sort_key', '>=', from)
          .where('sort_key', '<', to)
          .where((eb) => eb.and(conditions))
          .orderBy('sort_key', direction)
          .limit(reach);
      });
    });
  }

  const key = keyOf.rating_key[order];
  const { regions: regionCodes, groups, narrow } = wideOf(filter);
  const { place, category } = filter;
  const conditions = [...narrow.map(held), ...unwanted(key), ...(rank === undefined ? [] : [rankHolds(rank)])];
  if (path.by === 'cells') {
    const { evidence = {} } = filter;
    return [
      keys(key)
        .where(within('evidence_cell', cellsOf(evidence)))
        .where(within('region_code', regionCodes))
        .where(within('category_code', groups))
        .where((eb) => eb.and([...conditions, ...cutHolds(evidence)]))
        .orderBy(sql`${key} + 0`, direction)
        .limit(reach),
    ];
  }

  conditions.push(...evidenceHolds(filter.evidence));
  if (place && path.of !== 'region') conditions.push(held(within('region_code', regionCodes)));
  if (category && path.of !== 'group') conditions.push(held(within('category_code', groups)));
  const walks =
    path.of === 'all'
      ? [keys(key)]
      : path.of === 'region'
        ? regionCodes.map((code) => keys(key).where('region_code', '=', code))
        : groups.map((code) => keys(key).where('category_code', '=', code));
  return walks.map((walk) =>
    walk
      .where((eb) => eb.and(conditions))
      .orderBy('rating_key', direction)
      .limit(reach),
  );
}

/** The keys of one page of an ordered list, merged from its legs. */
function keysOf(db: Reader, filter: ListingFilter, order: Order, path: Path, part: Part, page: Page) {
  const [first, ...others] = legsOf(db, filter, order, path, part).map((leg) => db.selectFrom(leg.as('leg')).select('key'));
  if (!first) throw new Error('no list to take a page of');
  return others
    .reduce((all, leg) => all.unionAll(leg), first)
    .orderBy('key', part.direction)
    .offset(page.skip)
    .limit(page.take);
}

// Where the rows of keys are found, and what puts them in order again.
const rowsBy = {
  recommended: { column: 'sort_key', order: 'sort_key' },
  newest: { column: 'listing_number', order: 'listing_number' },
  rating: { column: 'sort_key', order: 'rating_key' },
} as const;

/** A row of an ordered list, with what it stands by. */
export type OrderedRow = CardRow & { key: string | number };

/** One page of an ordered list, found by this path. */
export function listOrdered(db: Reader, filter: ListingFilter, order: Order, path: Path, part: Part, page: Page): Promise<OrderedRow[]> {
  const { column, order: by } = rowsBy[order];
  const keys = keysOf(db, filter, order, path, part, page);
  const found = order === 'rating' ? sql`(select key % ${score} from (${keys}) as page)` : keys;
  return db
    .selectFrom('listings')
    .select(cardColumns)
    .select(`${by} as key`)
    .where(sql<boolean>`${sql.ref(column)} in ${found}`)
    .orderBy(by, 'desc')
    .execute();
}
