import { sql, type RawBuilder } from 'kysely';
import {
  type Condition,
  joinConditions,
  listConditions,
  listGroupConditions,
  listListConditions,
  type ParsedSearch,
} from './search.conditions.ts';
import type { Order, Search } from './search.index.ts';
import { type Distances, listLocalitiesAround, listLocalitiesIn } from './search.localities.ts';

// All in the indexes of places and of regions, so that a search without words is an index-only scan.
export const columns = sql`listing_number, sort_key, plan_rank, rating_score, locality_code`;

export const unnestDistances = ({ codes, kms }: Distances) => sql`unnest(${codes}::int[], ${kms}::float8[]) as point (code, km)`;

export type Selection = {
  order: Order;
  filters?: Condition[];
  more?: RawBuilder<unknown>;
  /** Whether the index of words is used, whatever the planner expects. */
  isMaterialized?: boolean;
  /** Instead of those of the search. */
  conditions?: Condition[];
};

/**
 * The unordered matches as a subquery. Near a point it is the union of three disjoint parts, each with its own index: based within the
 * radius, travelling that far, naming the district.
 */
export function selectMatches(parsed: ParsedSearch, { order, filters, more = sql``, isMaterialized, conditions: others }: Selection) {
  const conditions = others ?? listConditions(parsed, filters);
  const { near, place } = parsed.search.filter;
  // Without a base only the district is known.
  const onlyBased = order === 'nearest' ? [sql<boolean>`locality_code > 0`] : [];
  if (!near) {
    const inside = order === 'nearest' && place ? listLocalitiesIn(place) : null;
    if (!inside) {
      const found = sql`select ${columns}, null::real as km${more} from listings where ${joinConditions([...conditions, ...onlyBased])}`;
      // The planner assumes that words are independent and may expect too many matches. It would then scan the listings in order; for a materialized
      // CTE it uses the index of words.
      return (isMaterialized ?? parsed.terms.length > 1) ? sql`with found as materialized (${found}) select * from found` : found;
    }
    return sql`select ${columns}, point.km::real${more} from listings join ${unnestDistances(inside)} on point.code = locality_code
      where ${joinConditions([...conditions, ...onlyBased])}`;
  }
  const { distances, district } = listLocalitiesAround(near);
  const served = others || parsed.search.work?.doneBy === 'mentions or names' ? [] : listGroupConditions(parsed.search.filter);
  const where = joinConditions([...conditions, ...onlyBased]);
  return sql`with point as materialized (select code, km from ${unnestDistances(distances)})
    select ${columns}, point.km::real${more} from point join listings on locality_code = point.code where point.km <= ${near.km} and ${where}
    union all
    select ${columns}, point.km::real${more}
      from point join listings on locality_code = point.code and service_radius_km >= ceil(point.km)::smallint where point.km > ${near.km} and ${where}
    union all
    select ${columns}, point.km::real${more} from listings left join point on point.code = locality_code
      where ${joinConditions([...conditions, ...onlyBased, ...served])} and service_districts @> array[${district}]::smallint[]
        and (point.km <= ${near.km}) is not true`;
}

type IndexedOrder = 'recommended' | 'rating' | 'newest';

export const orders: Record<Exclude<Order, 'price'>, RawBuilder<unknown>> = {
  recommended: sql`sort_key desc`,
  rating: sql`rating_score desc, sort_key desc`,
  newest: sql`listing_number desc`,
  nearest: sql`km, sort_key desc`,
};
// The price is in no index of places, so it is looked up for the rows that are sorted.
export const createOrder = (order: Order, table: 'ranked' | 'found') =>
  order === 'price'
    ? sql`(select price_from_minor from listings as priced where priced.listing_number = ${sql.ref(`${table}.listing_number`)}) nulls last, sort_key desc`
    : orders[order];
export const byPlanAndDistance = sql`plan_rank desc, km nulls last, sort_key desc`;

export const isIndexed = (order: Order): order is IndexedOrder => order !== 'nearest' && order !== 'price';

/** The first of the matches in an indexed order that are among the first listings of place and category. */
export const scanFirst = (
  search: Search,
  order: IndexedOrder,
  conditions: Condition[],
  read: RawBuilder<number>,
  most: RawBuilder<number>,
) => sql`
  select ${columns}, null::real as km from (
    select * from listings where ${joinConditions(listListConditions(search))} order by ${orders[order]} limit ${read}
  ) as listings where ${joinConditions(conditions)} order by ${orders[order]} limit ${most}`;

// A scan reads at most this many listings for each that is wanted. If it does not find them, the matches are few, and the index of words finds all of them
// sooner.
const readPerWanted = 20;
const fewestRead = 2_000;
// Tells frequent words from rare ones; more of them would cost as much as the page.
const [fewestSampled, readPerSampled] = [200, 50];

/** The first of the matches in an indexed order as `scanned`, if a sample of the scan finds that enough match; `isFull`: whether that are `wanted`. */
export function scanAhead(search: Search, order: IndexedOrder, conditions: Condition[], wanted: number) {
  const read = Math.max(fewestRead, readPerWanted * wanted);
  const scan = (most: RawBuilder<number>) => scanFirst(search, order, conditions, most, sql.lit(wanted));
  const sampled = Math.max(fewestSampled, Math.round(read / readPerSampled));
  const isFrequent = sql`(select count(*) from sample) >= ${sql.lit((sampled * wanted) / read / 2)}`;
  return {
    scanned: sql`sample as materialized (${scan(sql.lit(sampled))}),
      scanned as materialized (${scan(sql`case when ${isFrequent} then ${sql.lit(read)} else 0 end`)})`,
    isFull: sql`(select count(*) from scanned) = ${sql.lit(wanted)}`,
  };
}
