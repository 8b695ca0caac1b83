import { categories, getGroupCode } from '@handwise/contract/listings/categories';
import { getRegionCode } from '@handwise/contract/places/regions';
import { type RawBuilder, sql } from 'kysely';
import { filterColumns, listFilterConditions } from './search.filter-columns.ts';
import { type Order, type Page, type Search, maxExactTotal, type NameSuggestion } from './search.index.ts';
import { type Distances, listLocalitiesAround, listLocalitiesIn } from './search.localities.ts';
import { type Term, toTsquery } from './search.terms.ts';
import { plans } from '@handwise/contract/plans/table';
import type { CountryCode } from '@handwise/contract/markets';

type Condition = RawBuilder<boolean>;
export type ParsedSearch = { search: Search; terms: readonly Term[] };

const toArray = (numbers: readonly number[], type: 'int' | 'smallint' = 'int') => sql`${[...numbers]}::${sql.raw(type)}[]`;
const joinConditions = (conditions: readonly Condition[]) =>
  sql<boolean>`(${sql.join(conditions.length > 0 ? [...conditions] : [sql`true`], sql` and `)})`;

// A literal, because a partial index is not used for a parameter.
const isActive = sql<boolean>`status = 'active'`;

function listPlaceConditions({ place }: Search['filter']): Condition[] {
  if (!place) return [];
  if (place.level === 'country') return [sql<boolean>`country = ${place.country}`];
  if (place.level === 'region') return [sql<boolean>`region_code = ${place.code}::smallint`];
  return [sql<boolean>`region_code = ${getRegionCode(place.code)}::smallint`, sql<boolean>`district_code = ${place.code}::smallint`];
}

function listCategoryConditions({ category }: Search['filter']): Condition[] {
  if (!category) return [];
  const inGroups = (codes: readonly number[]) =>
    codes.length === 1
      ? sql<boolean>`category_code = ${codes[0]}::smallint`
      : sql<boolean>`category_code = any(${toArray(codes, 'smallint')})`;
  if (category.level === 'main') return [inGroups(categories.filter((one) => one.mainCategory === category.main).map(({ code }) => code))];
  if (category.level === 'group') return [inGroups([category.code])];
  return [
    inGroups([...new Set(category.codes.map(getGroupCode))]),
    sql<boolean>`sub_category_code = any(${toArray(category.codes, 'smallint')})`,
  ];
}

const listWordConditions = (terms: readonly Term[]): Condition[] =>
  terms.length === 0 ? [] : [sql<boolean>`search_document @@ ${toTsquery(terms)}::tsquery`];

/** Place, category and listings, without words and filters. */
const listScopeConditions = ({ filter, onlyIds }: Search): Condition[] => [
  isActive,
  ...(onlyIds ? [sql<boolean>`id = any(${[...onlyIds]}::uuid[])`] : []),
  ...(filter.listingNumber === undefined ? [] : [sql<boolean>`listing_number = ${filter.listingNumber}`]),
  ...listPlaceConditions(filter),
  ...listCategoryConditions(filter),
];

const listConditions = ({ search, terms }: ParsedSearch, filters = listFilterConditions(search.filter.values)): Condition[] => [
  ...listScopeConditions(search),
  ...listWordConditions(terms),
  ...filters,
];

// All in the index of places, so that a search without words is an index-only scan.
const columns = sql`listing_number, sort_key, plan_rank, rating_score`;

const unnestDistances = ({ codes, kms }: Distances) => sql`unnest(${toArray(codes)}, ${kms}::float8[]) as point (code, km)`;

/**
 * The unordered matches as a subquery. Near a point it is the union of three disjoint parts, each with its own index: based within the
 * radius, travelling that far, naming the district.
 */
function selectMatches(
  parsed: ParsedSearch,
  { order, filters, more = sql`` }: { order: Order; filters?: Condition[]; more?: RawBuilder<unknown> },
) {
  const { near, place } = parsed.search.filter;
  const conditions = listConditions(parsed, filters);
  // Without a base only the district is known.
  const onlyBased = order === 'nearest' ? [sql<boolean>`locality_code > 0`] : [];
  if (!near) {
    const inside = order === 'nearest' && place ? listLocalitiesIn(place) : null;
    if (!inside) {
      const found = sql`select ${columns}, null::real as km${more} from listings where ${joinConditions([...conditions, ...onlyBased])}`;
      // The planner assumes that words are independent and may expect too many matches. It would then scan the listings in order; for a materialized
      // CTE it uses the index of words.
      return parsed.terms.length > 1 ? sql`with found as materialized (${found}) select * from found` : found;
    }
    return sql`select ${columns}, point.km::real${more} from listings join ${unnestDistances(inside)} on point.code = locality_code
      where ${joinConditions([...conditions, ...onlyBased])}`;
  }
  const { within, beyond, district } = listLocalitiesAround(near);
  const all = { codes: [...within.codes, ...beyond.codes], kms: [...within.kms, ...beyond.kms] };
  const where = joinConditions([...conditions, ...onlyBased]);
  return sql`select ${columns}, point.km::real${more} from ${unnestDistances(within)} join listings on locality_code = point.code where ${where}
    union all
    select ${columns}, point.km::real${more}
      from ${unnestDistances(beyond)} join listings on locality_code = point.code and service_radius_km >= ceil(point.km)::smallint where ${where}
    union all
    select ${columns}, point.km::real${more} from listings left join ${unnestDistances(all)} on point.code = locality_code
      where ${where} and service_districts @> array[${district}]::smallint[] and (point.km <= ${near.km}) is not true`;
}

const orders: Record<Order, RawBuilder<unknown>> = {
  recommended: sql`sort_key desc`,
  rating: sql`rating_score desc, sort_key desc`,
  newest: sql`listing_number desc`,
  nearest: sql`km, sort_key desc`,
};
const byPlanAndDistance = sql`plan_rank desc, km nulls last, sort_key desc`;

const selectInTitle = (terms: readonly Term[]) => sql`, search_document @@ ${toTsquery(terms, 'title')}::tsquery as in_title`;

type PaidPlacements = { max: number; rank: number };
export type FirstMatches = { total: number; numbers: number[] | null; paid: number };

// Up to this many matches per shown listing are read and sorted. If there are more, scanning the index of the order finds a page soon enough.
const sortedPerShown = 4;

/**
 * Counts the matches and lists a page of them if they are few enough to sort or have distances; otherwise `numbers` is null. The first
 * `paid` listings are paid placements.
 */
export function countAndList(
  parsed: ParsedSearch,
  order: Order,
  { skip, take }: Page,
  { max, rank }: PaidPlacements,
): RawBuilder<FirstMatches> {
  const { near } = parsed.search.filter;
  const hasDistances = near !== undefined || order === 'nearest';
  const byTitle = order === 'recommended' && !hasDistances && parsed.terms.length > 0;
  const rows = selectMatches(parsed, { order, ...(byTitle && { more: selectInTitle(parsed.terms) }) });
  const sorted =
    order === 'recommended'
      ? byTitle
        ? sql`plan_rank desc, (in_title and total <= ${sql.lit(maxExactTotal)}) desc, sort_key desc`
        : near
          ? byPlanAndDistance
          : orders.recommended
      : orders[order];
  const maxSorted = Math.max(maxExactTotal, sortedPerShown * (skip + take));
  const limit = hasDistances ? sql`` : sql`limit ${sql.lit(maxSorted + 1)}`;
  return sql<FirstMatches>`
    with matched as materialized (select * from (${rows}) as found ${limit}),
    counted as (select count(*)::int as total from matched),
    paid as materialized (
      select listing_number from matched, counted where plan_rank = ${rank} order by ${sorted} limit ${order === 'recommended' ? 0 : max}
    )
    select total, (select count(*)::int from paid) as paid,
      case when ${hasDistances} or total <= ${sql.lit(maxSorted)} then array(
        select listing_number from matched
        order by (listing_number in (select listing_number from paid)) desc, ${sorted} offset ${skip} limit ${take}
      ) end as numbers
    from counted`;
}

/** A page of many matches, for which the planner may scan the index of the order. */
export const listPage = (
  parsed: ParsedSearch,
  order: Order,
  { skip, take }: Page,
  part: { rank?: number; without?: readonly number[] } = {},
) => {
  const more = [
    ...(part.rank === undefined ? [] : [sql<boolean>`plan_rank = ${part.rank}::smallint`]),
    ...(part.without?.length ? [sql<boolean>`listing_number <> all(${toArray(part.without)})`] : []),
  ];
  return sql<{ listing_number: number }>`select listing_number from listings
    where ${joinConditions([...listConditions(parsed), ...more])} order by ${orders[order]} offset ${skip} limit ${take}`;
};

export const countMatches = (parsed: ParsedSearch) =>
  sql<{ total: number }>`select count(*)::int as total from (
    select from (${selectMatches(parsed, { order: 'recommended' })}) as found limit ${sql.lit(maxExactTotal + 1)}
  ) as counted`;

/** How many matches that pass `filters` meet each condition of `counts`, and how many there are, up to one above the largest exact total. */
export const countFacets = (parsed: ParsedSearch, filters: Condition[], counts: readonly Condition[]) =>
  sql<{ total: number; counts: number[] }>`
    with matched as materialized (
      select * from (${selectMatches(parsed, { order: 'recommended', filters, more: sql`, ${filterColumns}` })}) as found limit ${sql.lit(maxExactTotal + 1)}
    )
    select count(*)::int as total, array[${sql.join(counts.map((condition) => sql`count(*) filter (where ${condition})`))}]::int[] as counts from matched`;

// After the time limit only this many listings are looked through.
const fallbackCandidates = 2_000;

/** The matches among the first listings of the place and category, in the order of plans. */
export function listFirstMatches(parsed: ParsedSearch, { skip, take }: Page) {
  const { search, terms } = parsed;
  const { near } = search.filter;
  const around = near ? [sql<boolean>`locality_code = any(${toArray(listLocalitiesAround(near).within.codes)})`] : [];
  return sql<{ listing_number: number }>`select listing_number from (
      select listing_number, sort_key, search_document, ${filterColumns} from listings
      where ${joinConditions([...listScopeConditions(search), ...around])} order by sort_key desc limit ${sql.lit(fallbackCandidates)}
    ) as newest
    where ${joinConditions([...listWordConditions(terms), ...listFilterConditions(search.filter.values)])} order by sort_key desc offset ${skip} limit ${take}`;
}

const nameColumns = { business: sql.ref('business_title'), listing: sql.ref('service_title') } as const;
// All in the index of the name.
const detailColumns = {
  business: sql`category_code, district_code, null::text as business_title`,
  listing: sql`null::smallint as category_code, null::smallint as district_code, business_title`,
} as const;
const ranks = Object.values(plans).map(({ rank }) => rank);

// Names read for each country and plan, in alphabetical order. A prefix with more is too short to tell which is meant.
const namesPerPlan = 60;

/**
 * Distinct names of active listings that begin with `start`: an exact match first, then by the best listing of each name (highest plan, newest).
 * Reads a bounded number of index rows however many names there are.
 */
export function listNamesStarting(
  kind: 'business' | 'listing',
  start: string,
  countries: readonly CountryCode[],
  count: number,
): RawBuilder<NameSuggestion> {
  const name = nameColumns[kind];
  return sql<NameSuggestion>`
    with found as materialized (
      select name.*
      from unnest(${[...countries]}::text[]) as of_country (code), unnest(${ranks}::smallint[]) as of_rank (plan_rank), lateral (
        select suggestion_start(${name}) as start, sort_key, ${name} as label, ${detailColumns[kind]} from listings
        where status = 'active' and country = of_country.code and plan_rank = of_rank.plan_rank
          and suggestion_start(${name}) ~>=~ ${start} and suggestion_start(${name}) ~<~ ${`${start}\u{10ffff}`}
        order by suggestion_start(${name}) using ~<~
        limit ${sql.lit(namesPerPlan)}
      ) as name
    ), names as (
      select start, max(sort_key) as best, count(*)::int as listings from found
      group by start order by start = ${start} desc, best desc limit ${count}
    )
    select label, names.listings, category_code as "categoryCode", district_code as "districtCode", business_title as "businessTitle"
    from names join found on sort_key = best
    order by names.start = ${start} desc, best desc`;
}
