import { type RawBuilder, sql } from 'kysely';
import { type CountryCode, markets } from '@handwise/contract/markets';
import type { Point } from '@handwise/contract/places/distance';
import { plans } from '@handwise/contract/plans/table';
import {
  type Condition,
  createBestCondition,
  createLevel,
  createNamedTermsCondition,
  createNamesCondition,
  createPreferredCondition,
  isBestByTerms,
  joinConditions,
  levelOfOthers,
  listConditions,
  listOtherConditions,
  listScopeConditions,
  listWordConditions,
  type ParsedSearch,
  toArray,
  toDocumentCondition,
  toHintScore,
  withoutCategory,
  filterColumns,
  listFilterConditions,
} from './search.conditions.ts';
import { type LocalityTotal, type Order, type Page, type Search, maxExactTotal, type NameSuggestion } from './search.index.ts';
import { findMiddle, listCodesWithin, listDistrictPoints, listLocalitiesAround } from './search.localities.ts';
import {
  byPlanAndDistance,
  columns,
  createOrder,
  isIndexed,
  orders,
  scanAhead,
  scanFirst,
  type Selection,
  selectMatches,
  unnestDistances,
} from './search.selection.ts';
import { toNamedQuery, toTermQuery } from './search.terms.ts';

// As many of its own category are enough.
const fewOfCategory = 5;

/** Whether listings of other categories that name the work are to be added to this many of its own. */
export const needsOthers = (parsed: ParsedSearch, total: number) => total < fewOfCategory && listOtherConditions(parsed, 'people') !== null;

/** Listings of other categories that name the work, as a subquery: only where its own category has few in the place, whatever the filters. */
function selectOthers(parsed: ParsedSearch, { order, filters, more }: Selection) {
  const conditions = listOtherConditions(parsed, 'people', filters) ?? [sql<boolean>`false`];
  const { values, ...unfiltered } = parsed.search.filter;
  if (!values) return selectMatches(parsed, { order, conditions, ...(more && { more }) });
  const own = selectMatches({ ...parsed, search: { ...parsed.search, filter: unfiltered } }, { order: 'recommended', filters: [] });
  const isFew = sql<boolean>`(select count(*) from (select from (${own}) as own limit ${sql.lit(fewOfCategory)}) as few) < ${sql.lit(fewOfCategory)}`;
  return selectMatches(parsed, { order, conditions: [...conditions, isFew], ...(more && { more }) });
}

const nothing = sql`select * from matched where false`;

type PaidPlacements = { max: number; rank: number };
/** `numbers` has each listing's number, its level and whether it travels from far away; `pinned` are listings of a business with the name that was typed. */
export type FirstMatches = {
  total: number;
  numbers: [number: number, level: number, isFar: number][] | null;
  /** All of them, if they are few enough to count and no business is looked for by its name. */
  all: number[] | null;
  paid: number;
  pinned: number[];
  hints: boolean[];
};

// Up to this many matches per shown listing are read and sorted. If there are more, scanning the index of the order finds a page soon enough.
const sortedPerShown = 4;
const toMaxSorted = ({ skip, take }: Page) => Math.max(maxExactTotal, sortedPerShown * (skip + take));
const maxPinned = 3;
// Too far away for most jobs: who travels from there comes after those who are closer.
export const farKm = 100;

const ranks = Object.values(plans).map(({ rank }) => rank);

// Materialized, because the planner would rather read all listings in their order than look up names that it expects to be frequent.
function selectPinned(named: NonNullable<Search['named']>, more: RawBuilder<unknown>) {
  const conditions = [...listScopeConditions({ filter: named.filter, words: '' }), ...listFilterConditions(named.filter.values)];
  return sql`with bearing as materialized (
      select ${columns}, null::real as km${more} from listings
      where ${joinConditions(conditions)} and country = any(${Object.keys(markets)}::text[]) and plan_rank = any(${toArray(ranks, 'smallint')})
        and suggestion_start(business_title) = any(${[...named.names]}::text[])
    )
    select * from bearing order by sort_key desc limit ${sql.lit(maxPinned)}`;
}

const kmFrom = ({ latitude, longitude }: Point, latitudeOf = sql`latitude`, longitudeOf = sql`longitude`) => sql`
  (12742 * asin(least(1, sqrt(sin(radians(${latitudeOf} - ${latitude}::float8) / 2) ^ 2
    + cos(radians(${latitude}::float8)) * cos(radians(${latitudeOf})) * sin(radians(${longitudeOf} - ${longitude}::float8) / 2) ^ 2))))`;

/**
 * Counts the matches and lists a page of them if they are few enough to sort or have distances; otherwise `numbers` is null. The first
 * `paid` listings are paid placements. `withOthers`: with listings of other categories that name the work.
 */
export function countAndList(
  parsed: ParsedSearch,
  order: Order,
  { skip, take }: Page,
  { max, rank }: PaidPlacements,
  withOthers: boolean,
): RawBuilder<FirstMatches> {
  const { search, hintTerms } = parsed;
  const { near, place } = search.filter;
  const hasDistances = near !== undefined || order === 'nearest';
  const level = createLevel(parsed);
  const { prefers, named, first = [] } = search;
  const hasDocument = level !== undefined || hintTerms.length > 0 || prefers !== undefined;
  const middle = near || order !== 'recommended' || !place ? undefined : findMiddle(place);
  const maxSorted = hasDocument ? maxExactTotal : toMaxSorted({ skip, take });
  const isFar = sql`(km > ${sql.lit(farKm)}) is true`;
  // Of what is the same for all matches nothing is compared, because thousands are sorted.
  const sorted = sql.join([
    ...(named ? [sql`pinned desc`] : []),
    ...(first.length > 0 ? [sql`(listing_number = any(${toArray(first)})) desc`] : []),
    ...(near ? [isFar] : []),
    ...(hasDocument || withOthers ? [sql`level desc, urgent desc, hint desc`] : []),
    order === 'recommended' ? (near || middle ? byPlanAndDistance : orders.recommended) : createOrder(order, 'ranked'),
  ]);
  const isPaid = order === 'recommended' ? sql`` : sql`(listing_number in (select listing_number from paid)) desc, `;
  const details = sql`${level ?? sql.lit(2)} as level, ${prefers ? createPreferredCondition(prefers) : sql`false`} as urgent,
    ${hintTerms.length > 0 ? sql.join(hintTerms.map(toHintScore), sql` + `) : sql.lit(0)} as hint,
    array[${sql.join(hintTerms.map((term) => toDocumentCondition(toTermQuery(term, ''))))}]::bool[] as hints`;
  // Words around a point are looked for in the documents of all listings there; otherwise documents are read for few matches alone.
  const isRead = near !== undefined && parsed.terms.length > 0;
  const more = isRead ? sql`, ${details}` : sql``;
  const document = isRead
    ? sql``
    : hasDocument
      ? sql`left join lateral (
          select ${details} from listings where total <= ${sql.lit(maxExactTotal)} and listings.listing_number = found.listing_number
        ) as document on true`
      : sql`cross join (select 2 as level, false as urgent, 0 as hint, null::bool[] as hints) as document`;
  return sql<FirstMatches>`
    with ${hasDistances ? sql`matched as materialized (${selectMatches(parsed, { order, more })})` : selectMatched(parsed, order, maxSorted + 1)},
    others as materialized (select * from (${withOthers ? selectOthers(parsed, { order, more }) : nothing}) as other limit ${sql.lit(maxExactTotal)}),
    pinned as materialized (${named ? selectPinned(named, more) : nothing}),
    found as (${
      named || withOthers
        ? sql`
      select *, true as own, false as pinned from matched where listing_number not in (select listing_number from pinned)
      union all select *, false, false from others where listing_number not in (select listing_number from pinned)
      union all select *, true, true from pinned`
        : sql`select *, true as own, false as pinned from matched`
    }),
    counted as materialized (select count(*)::int as total from found),
    ranked as materialized (
      select found.listing_number, sort_key, plan_rank, rating_score, found.pinned, case when own then coalesce(level, 2) else ${levelOfOthers} end as level,
        coalesce(urgent, false) as urgent, coalesce(hint, 0) as hint, hints,
        ${middle ? sql`case when locality_code < 0 then 0 else ${kmFrom(middle)} end::real as km` : sql`km`}
      from counted cross join found ${middle ? sql`left join localities on localities.code = locality_code` : sql``} ${document}
    ),
    paid as materialized (
      select listing_number from ranked where plan_rank = ${rank} and level = 2 and not pinned order by ${sorted} limit ${order === 'recommended' ? 0 : max}
    )
    select total, (select count(*)::int from paid) as paid, array(select listing_number from pinned order by sort_key desc) as pinned,
      array[${sql.join(hintTerms.map((_, at) => sql`(select coalesce(bool_or(hints[${sql.lit(at + 1)}]), true) from ranked)`))}]::bool[] as hints,
      case when ${hasDistances && (isRead || !hasDocument)} or total <= ${sql.lit(maxSorted)} then array(
        select array[listing_number, level, ${near ? sql`(${isFar})::int` : sql.lit(0)}] from ranked
        order by ${isPaid}${sorted} offset ${skip} limit ${take}
      ) end as numbers,
      ${named ? sql`null::int[]` : sql`case when total <= ${sql.lit(maxExactTotal)} then array(select listing_number from found) end`} as all
    from counted`;
}

/** Up to `most` matches, with the other expressions that they need, as `matched`. */
function selectMatched(parsed: ParsedSearch, order: Order, most: number) {
  const limited = sql`select * from (${selectMatches(parsed, { order })}) as found limit ${sql.lit(most)}`;
  // The index of words finds all matches of several frequent words before the first is read.
  if (parsed.terms.length < 2) return sql`matched as materialized (${limited})`;
  const { scanned, isFull } = scanAhead(parsed.search, 'recommended', listConditions(parsed), most);
  return sql`${scanned},
    limited as materialized (select * from (${limited}) as found where not ${isFull}),
    matched as materialized (select * from scanned where ${isFull} union all select * from limited)`;
}

export type Part = { rank?: number; without?: readonly number[]; best?: boolean | undefined };
/** A page of a part of many matches. `total`: the number of the part, if the page is not full. */
export type PartPage = { numbers: number[]; total: number | null };

/** A page of one part of more matches than are counted. */
export function listPage(parsed: ParsedSearch, order: Order, { skip, take }: Page, part: Part = {}): RawBuilder<PartPage> {
  const { search } = parsed;
  const { near, values } = search.filter;
  const sorted = near && order === 'recommended' ? byPlanAndDistance : createOrder(order, 'found');
  const list = (found: RawBuilder<unknown>) =>
    sql`array(select listing_number from (${found}) as found order by ${sorted} offset ${skip} limit ${take})`;
  const filters = [...listFilterConditions(values), ...listPartConditions(parsed, part)];
  if (part.best === undefined || near || !isIndexed(order)) {
    const found = selectMatches(parsed, { order, filters, isMaterialized: false });
    // Without parts the planner scans the index of the order and stops after a page.
    return part.best === undefined
      ? sql<PartPage>`select ${list(found)} as numbers, null::int as total`
      : sql<PartPage>`with found as materialized (${found}) select ${list(sql`select * from found`)} as numbers, (select count(*)::int from found) as total`;
  }
  const { scanned, isFull } = scanAhead(search, order, listConditions(parsed, filters), skip + take);
  return sql<PartPage>`
    with ${scanned}, others as materialized (select * from (${selectIndexed(parsed, order, part)}) as found where not ${isFull})
    select ${list(sql`select * from scanned where ${isFull} union all select * from others`)} as numbers,
      case when not ${isFull} then (select count(*)::int from others) end as total`;
}

/** All listings of a part, by the index of words. */
function selectIndexed(parsed: ParsedSearch, order: Order, part: Part) {
  const { terms } = parsed;
  const named = part.best && isBestByTerms(parsed) ? createNamedTermsCondition(terms) : undefined;
  const filters = [
    ...listFilterConditions(parsed.search.filter.values),
    ...listPartConditions(parsed, named ? { ...part, best: undefined } : part),
  ];
  const conditions = listConditions(named ? { ...parsed, terms: [] } : parsed, [...filters, ...(named ? [named] : [])]);
  return selectMatches(parsed, { order, conditions, isMaterialized: true });
}

function listPartConditions(parsed: ParsedSearch, { rank, without, best }: Part): Condition[] {
  const condition = best === undefined ? undefined : createBestCondition(parsed);
  return [
    ...(rank === undefined ? [] : [sql<boolean>`plan_rank = ${rank}::smallint`]),
    ...(without?.length ? [sql<boolean>`listing_number <> all(${toArray(without)})`] : []),
    ...(condition ? [best ? condition : sql<boolean>`not ${condition}`] : []),
  ];
}

// Where this many of the first listings do the same work, the nearest places have enough of them; otherwise all are sorted by their distance.
const [manyFurther, sampledFurther] = [200, 2_000];

/**
 * The same work outside of the place of the search, within its country, nearest first: those that do it, then those that only mention it where they must
 * name or mention it, then those of other categories that name it. Those too far away for a job come only if there is nothing else, matches included.
 */
export function listFurther(parsed: ParsedSearch, country: CountryCode, origin: Point, besides: readonly number[], most: number) {
  const { near: _, ...filter } = parsed.search.filter;
  const everywhere: ParsedSearch = { ...parsed, search: { ...parsed.search, filter: { ...filter, place: { level: 'country', country } } } };
  const others = listOtherConditions(everywhere, 'any name');
  const own = joinConditions(listConditions(everywhere));
  const isBeside = sql<boolean>`listing_number <> all(${toArray(besides)})`;
  const mustName = parsed.search.work !== undefined && parsed.search.work.doneBy !== 'category';
  const names = sql`(${(mustName && createNamesCondition(parsed)) || sql`true`})`;
  // 2 names it, 1 mentions it, 0 is of another category and names it.
  const fit = sql`case when ${own} then ${names}::int + 1 else 0 end as fit`;
  const close = listCodesWithin(origin, farKm);
  const districts = listDistrictPoints(country);
  const isNothingElse = sql`${sql.lit(besides.length === 0)} and not exists (select from close)`;
  const points = sql`unnest(${toArray(districts.map(({ districtCode }) => districtCode))}, ${districts.map(({ latitude }) => latitude)}::float8[],
    ${districts.map(({ longitude }) => longitude)}::float8[]) as district (code, latitude, longitude)`;
  // Those that name the work go before those that are closer.
  const sample = scanFirst(everywhere.search, 'recommended', listConditions(everywhere), sql.lit(sampledFurther), sql.lit(manyFurther));
  const isMany = mustName ? sql`false` : sql`(select count(*) from sample) = ${sql.lit(manyFurther)}`;
  return sql<{ listing_number: number }>`
    with close as materialized (
      select listing_number, sort_key, point.km, ${fit} from ${unnestDistances(close)} join listings on locality_code = point.code
      where (${own} or ${others ? joinConditions(others) : sql`false`}) and ${isBeside} order by fit desc, point.km, sort_key desc limit ${most}
    ), sample as materialized (select * from (${sample}) as found where ${isNothingElse}), walked as materialized (
      select listing.listing_number, listing.sort_key, km, 2 as fit from (
        select code, ${kmFrom(origin)} as km from localities union all select -code, ${kmFrom(origin)} from ${points} order by km
      ) as point cross join lateral (
        select listing_number, sort_key from listings where ${isNothingElse} and ${isMany} and locality_code = point.code and ${own} and ${isBeside}
        order by sort_key desc limit ${most}
      ) as listing order by km, sort_key desc limit ${most}
    ), away as materialized (
      select listing_number, sort_key, ${kmFrom(origin, sql`coalesce(localities.latitude, district.latitude)`, sql`coalesce(localities.longitude, district.longitude)`)} as km, fit
      from (
        select listing_number, sort_key, base_locality_code, district_code, ${fit} from listings
        where ${isNothingElse} and not ${isMany} and ${own} and ${isBeside}
      ) as listing left join localities on localities.code = base_locality_code left join ${points} on district.code = listing.district_code
      order by fit desc, km, sort_key desc limit ${most}
    ), found as (select * from close union all select * from walked union all select * from away)
    select listing_number from found order by fit desc, km, sort_key desc limit ${most}`;
}

/** Other work of the same groups within the place of the search: first what names the typed work, then in the order of the matches. */
export function listRelated({ search, ...parsed }: ParsedSearch, groups: readonly number[], besides: readonly number[], most: number) {
  const related: ParsedSearch = { ...parsed, terms: [], hintTerms: [], search: { ...withoutCategory(search), words: '' } };
  const filters = [
    ...listFilterConditions(search.filter.values),
    sql<boolean>`category_code = any(${toArray(groups, 'smallint')})`,
    ...(besides.length > 0 ? [sql<boolean>`listing_number <> all(${toArray(besides)})`] : []),
  ];
  const names = search.work && search.work.names.length > 0 ? toDocumentCondition(toNamedQuery(search.work.names)) : sql`true`;
  return sql<{ listing_number: number }>`select listing_number from (
      ${selectMatches(related, { order: 'recommended', filters, more: sql`, ${names} as names` })}
    ) as found where (km > ${sql.lit(farKm)}) is not true order by names desc, ${byPlanAndDistance} limit ${most}`;
}

export const countMatches = (parsed: ParsedSearch, withOthers: boolean) =>
  sql<{ total: number }>`
    with matched as materialized (select * from (${selectMatches(parsed, { order: 'recommended' })}) as found limit ${sql.lit(maxExactTotal + 1)}),
    others as (select * from (${withOthers ? selectOthers(parsed, { order: 'recommended' }) : nothing}) as other limit ${sql.lit(maxExactTotal)})
    select ((select count(*) from matched) + (select count(*) from others))::int as total`;

export const countLocalities = (parsed: ParsedSearch, withOthers: boolean) => sql<LocalityTotal>`
  with matched as (${selectMatches(parsed, { order: 'recommended' })}),
    others as (${withOthers ? selectOthers(parsed, { order: 'recommended' }) : nothing})
  select locality_code as "localityCode", count(*)::int as total
  from (select locality_code from matched union all select locality_code from others) as found group by 1`;

const createCounts = (counts: readonly Condition[]) =>
  sql<number[]>`array[${sql.join(counts.map((condition) => sql`count(*) filter (where ${condition})`))}]::int[]`;

/** How many of these listings meet each condition of `counts`, and how many there are. */
export const countFacetsOf = (numbers: readonly number[], counts: readonly Condition[]) =>
  sql<{ total: number; counts: number[] }>`
    select count(*)::int as total, ${createCounts(counts)} as counts from listings where listing_number = any(${toArray(numbers)})`;

/** How many matches that pass `filters` meet each condition of `counts`, and how many there are, up to one above the largest exact total. */
export function countFacets(parsed: ParsedSearch, filters: Condition[], counts: readonly Condition[], withOthers: boolean) {
  const selection = { order: 'recommended', filters, more: sql`, ${filterColumns}` } as const;
  return sql<{ total: number; counts: number[] }>`
    with matched as materialized (
      select * from (${selectMatches(parsed, selection)}) as found limit ${sql.lit(maxExactTotal + 1)}
    ), found as (select * from matched union all select * from (${withOthers ? selectOthers(parsed, selection) : nothing}) as other)
    select count(*)::int as total, ${createCounts(counts)} as counts from found`;
}

// After the time limit only this many listings are looked through.
const fallbackCandidates = 2_000;

/** The matches among the first listings of the place and category, in the order of plans. */
export function listFirstMatches(parsed: ParsedSearch, { skip, take }: Page) {
  const { search, terms } = parsed;
  const { near } = search.filter;
  const around = near
    ? [
        sql<boolean>`locality_code = any(array(select code from ${unnestDistances(listLocalitiesAround(near).distances)} where km <= ${near.km}))`,
      ]
    : [];
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
