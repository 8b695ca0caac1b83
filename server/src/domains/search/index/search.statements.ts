import { categories, groupCodeOf } from '@handwise/contract/listings/categories';
import { regionCodeOf } from '@handwise/contract/places/regions';
import { type RawBuilder, sql } from 'kysely';
import { filterColumns, filterConditions } from './search.filter-columns.ts';
import { type Order, type Page, type Search, mostCounted, type StartingName } from './search.index.ts';
import { type Distances, reachOf, reachWithin } from './search.localities.ts';
import { type Term, tsqueryOf } from './search.terms.ts';
import { plans } from '@handwise/contract/plans/table';
import type { CountryCode } from '@handwise/contract/markets';
import type { Reader } from '../../../kit/database/database.ts';

type Condition = RawBuilder<boolean>;
export type Asked = { search: Search; terms: readonly Term[] };

const ints = (numbers: readonly number[], type: 'int' | 'smallint' = 'int') => sql`${[...numbers]}::${sql.raw(type)}[]`;
const allOf = (conditions: readonly Condition[]) =>
  sql<boolean>`(${sql.join(conditions.length > 0 ? [...conditions] : [sql`true`], sql` and `)})`;

// Written out, not a parameter: only then do the indexes of active listings serve.
const isActive = sql<boolean>`status = 'active'`;

function placeConditions({ place }: Search['filter']): Condition[] {
  if (!place) return [];
  if (place.level === 'country') return [sql<boolean>`country = ${place.country}`];
  if (place.level === 'region') return [sql<boolean>`region_code = ${place.code}::smallint`];
  return [sql<boolean>`region_code = ${regionCodeOf(place.code)}::smallint`, sql<boolean>`district_code = ${place.code}::smallint`];
}

function categoryConditions({ category }: Search['filter']): Condition[] {
  if (!category) return [];
  const ofGroups = (codes: readonly number[]) =>
    codes.length === 1
      ? sql<boolean>`category_code = ${codes[0]}::smallint`
      : sql<boolean>`category_code = any(${ints(codes, 'smallint')})`;
  if (category.level === 'main') return [ofGroups(categories.filter((one) => one.mainCategory === category.main).map(({ code }) => code))];
  if (category.level === 'group') return [ofGroups([category.code])];
  return [
    ofGroups([...new Set(category.codes.map(groupCodeOf))]),
    sql<boolean>`sub_category_code = any(${ints(category.codes, 'smallint')})`,
  ];
}

const wordConditions = (terms: readonly Term[]): Condition[] =>
  terms.length === 0 ? [] : [sql<boolean>`search_document @@ ${tsqueryOf(terms)}::tsquery`];

/** Where and what, without words and filters. */
const scopeConditions = ({ filter, among }: Search): Condition[] => [
  isActive,
  ...(among ? [sql<boolean>`id = any(${[...among]}::uuid[])`] : []),
  ...(filter.listingNumber === undefined ? [] : [sql<boolean>`listing_number = ${filter.listingNumber}`]),
  ...placeConditions(filter),
  ...categoryConditions(filter),
];

const conditionsOf = ({ search, terms }: Asked, filters = filterConditions(search.filter.values)): Condition[] => [
  ...scopeConditions(search),
  ...wordConditions(terms),
  ...filters,
];

// All of them are in the index of places, so that places without words are searched in it alone.
const columns = sql`listing_number, sort_key, plan_rank, rating_score`;

const pointsOf = ({ codes, kms }: Distances) => sql`unnest(${ints(codes)}, ${kms}::float8[]) as point (code, km)`;

/**
 * The matches as `from` of a statement, without order. Near a point they are the union of three that share no listing, each with an index:
 * based within the radius, travelling that far, naming the district.
 */
function matchedRows(asked: Asked, { order, filters, more = sql`` }: { order: Order; filters?: Condition[]; more?: RawBuilder<unknown> }) {
  const { near, place } = asked.search.filter;
  const conditions = conditionsOf(asked, filters);
  // Of a listing without a base only the district is known.
  const byDistance = order === 'nearest' ? [sql<boolean>`locality_code > 0`] : [];
  if (!near) {
    const inside = order === 'nearest' && place ? reachWithin(place) : null;
    if (!inside) {
      const found = sql`select ${columns}, null::real as km${more} from listings where ${allOf([...conditions, ...byDistance])}`;
      // The planner takes words for independent of each other. Where it expects more matches than there are, it reads the listings in order until
      // it has enough; for a materialized CTE it uses the index of words.
      return asked.terms.length > 1 ? sql`with found as materialized (${found}) select * from found` : found;
    }
    return sql`select ${columns}, point.km::real${more} from listings join ${pointsOf(inside)} on point.code = locality_code
      where ${allOf([...conditions, ...byDistance])}`;
  }
  const { within, beyond, district } = reachOf(near);
  const all = { codes: [...within.codes, ...beyond.codes], kms: [...within.kms, ...beyond.kms] };
  const where = allOf([...conditions, ...byDistance]);
  return sql`select ${columns}, point.km::real${more} from ${pointsOf(within)} join listings on locality_code = point.code where ${where}
    union all
    select ${columns}, point.km::real${more}
      from ${pointsOf(beyond)} join listings on locality_code = point.code and service_radius_km >= ceil(point.km)::smallint where ${where}
    union all
    select ${columns}, point.km::real${more} from listings left join ${pointsOf(all)} on point.code = locality_code
      where ${where} and service_districts @> array[${district}]::smallint[] and (point.km <= ${near.km}) is not true`;
}

const orders: Record<Order, RawBuilder<unknown>> = {
  recommended: sql`sort_key desc`,
  rating: sql`rating_score desc, sort_key desc`,
  newest: sql`listing_number desc`,
  nearest: sql`km, sort_key desc`,
};
const byPlanAndDistance = sql`plan_rank desc, km nulls last, sort_key desc`;

const inTitle = (terms: readonly Term[]) => sql`, search_document @@ ${tsqueryOf(terms, 'title')}::tsquery as in_title`;

type Paid = { most: number; rank: number };
export type FirstMatches = { total: number; numbers: number[] | null; paid: number };

// For a page that is so much further in, so many times as many matches are read and sorted. Where there are more, they are so many that the index of
// the order meets enough of them soon.
const readPerShown = 4;

/**
 * Counts the matches and lists a page of them where they are few enough to be sorted, or their distances had to be worked out anyway; else
 * `numbers` is null. `paid` many of the highest plan are first.
 */
export function countAndList(asked: Asked, order: Order, { skip, take }: Page, { most, rank }: Paid): RawBuilder<FirstMatches> {
  const { near } = asked.search.filter;
  const hasDistances = near !== undefined || order === 'nearest';
  const byTitle = order === 'recommended' && !hasDistances && asked.terms.length > 0;
  const rows = matchedRows(asked, { order, ...(byTitle && { more: inTitle(asked.terms) }) });
  const sorted =
    order === 'recommended'
      ? byTitle
        ? sql`plan_rank desc, (in_title and total <= ${sql.lit(mostCounted)}) desc, sort_key desc`
        : near
          ? byPlanAndDistance
          : orders.recommended
      : orders[order];
  const mostSorted = Math.max(mostCounted, readPerShown * (skip + take));
  const limit = hasDistances ? sql`` : sql`limit ${sql.lit(mostSorted + 1)}`;
  return sql<FirstMatches>`
    with matched as materialized (select * from (${rows}) as found ${limit}),
    counted as (select count(*)::int as total from matched),
    paid as materialized (
      select listing_number from matched, counted where plan_rank = ${rank} order by ${sorted} limit ${order === 'recommended' ? 0 : most}
    )
    select total, (select count(*)::int from paid) as paid,
      case when ${hasDistances} or total <= ${sql.lit(mostSorted)} then array(
        select listing_number from matched
        order by (listing_number in (select listing_number from paid)) desc, ${sorted} offset ${skip} limit ${take}
      ) end as numbers
    from counted`;
}

/** A page of many matches, by an index of its order or by all of them. */
export const listMany = (asked: Asked, order: Order, { skip, take }: Page, part: { rank?: number; without?: readonly number[] } = {}) => {
  const more = [
    ...(part.rank === undefined ? [] : [sql<boolean>`plan_rank = ${part.rank}::smallint`]),
    ...(part.without?.length ? [sql<boolean>`listing_number <> all(${ints(part.without)})`] : []),
  ];
  return sql<{ listing_number: number }>`select listing_number from listings
    where ${allOf([...conditionsOf(asked), ...more])} order by ${orders[order]} offset ${skip} limit ${take}`;
};

export const countOnly = (asked: Asked) =>
  sql<{ total: number }>`select count(*)::int as total from (
    select from (${matchedRows(asked, { order: 'recommended' })}) as found limit ${sql.lit(mostCounted + 1)}
  ) as counted`;

/** Each of `counts` over the matches that pass `filters`, and how many those are, as far as totals go. */
export const countEach = (asked: Asked, filters: Condition[], counts: readonly Condition[]) =>
  sql<{ total: number; counts: number[] }>`
    with matched as materialized (
      select * from (${matchedRows(asked, { order: 'recommended', filters, more: sql`, ${filterColumns}` })}) as found limit ${sql.lit(mostCounted + 1)}
    )
    select count(*)::int as total, array[${sql.join(counts.map((condition) => sql`count(*) filter (where ${condition})`))}]::int[] as counts from matched`;

// Where the time limit strikes, so many are looked at instead of all.
const newestLookedAt = 2_000;

/** What matches among the first listings of the place and category in the order of the plans. */
export function listNewest(asked: Asked, { skip, take }: Page) {
  const { search, terms } = asked;
  const { near } = search.filter;
  const around = near ? [sql<boolean>`locality_code = any(${ints(reachOf(near).within.codes)})`] : [];
  return sql<{ listing_number: number }>`select listing_number from (
      select listing_number, sort_key, search_document, ${filterColumns} from listings
      where ${allOf([...scopeConditions(search), ...around])} order by sort_key desc limit ${sql.lit(newestLookedAt)}
    ) as newest
    where ${allOf([...wordConditions(terms), ...filterConditions(search.filter.values)])} order by sort_key desc offset ${skip} limit ${take}`;
}

const nameColumns = { business: sql.ref('business_title'), listing: sql.ref('service_title') } as const;
// All of it is in the index of the name.
const shownWithName = {
  business: sql`category_code, district_code, null::text as business_title`,
  listing: sql`null::smallint as category_code, null::smallint as district_code, business_title`,
} as const;
const ranks = Object.values(plans).map(({ rank }) => rank);

// So many names of each country and plan are looked at, in the order of the alphabet. Of more that begin so, no one is meant yet.
const looked = 60;

/**
 * The names of active listings that begin so, each once: the one that is exactly so first, then by the best listing of the name, the highest plan
 * and the newest. However many begin so, a few rows of the index alone are read.
 */
export async function namesStarting(
  db: Reader,
  kind: 'business' | 'listing',
  start: string,
  countries: readonly CountryCode[],
  count: number,
): Promise<StartingName[]> {
  const name = nameColumns[kind];
  const { rows } = await sql<StartingName>`
    with found as materialized (
      select name.*
      from unnest(${[...countries]}::text[]) as of_country (code), unnest(${ranks}::smallint[]) as of_rank (plan_rank), lateral (
        select suggestion_start(${name}) as start, sort_key, ${name} as label, ${shownWithName[kind]} from listings
        where status = 'active' and country = of_country.code and plan_rank = of_rank.plan_rank
          and suggestion_start(${name}) ~>=~ ${start} and suggestion_start(${name}) ~<~ ${`${start}\u{10ffff}`}
        order by suggestion_start(${name}) using ~<~
        limit ${sql.lit(looked)}
      ) as name
    ), names as (
      select start, max(sort_key) as best, count(*)::int as listings from found
      group by start order by start = ${start} desc, best desc limit ${count}
    )
    select label, names.listings, category_code as "categoryCode", district_code as "districtCode", business_title as "businessTitle"
    from names join found on sort_key = best
    order by names.start = ${start} desc, best desc`.execute(db);
  return rows;
}
