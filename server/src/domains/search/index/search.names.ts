import { plans } from '@handwise/contract/plans/table';
import type { CountryCode } from '@handwise/contract/markets';
import { sql } from 'kysely';
import type { Reader } from '../../../kit/database/database.ts';
import type { StartingName } from './search.index.ts';

const columns = { business: sql.ref('business_title'), listing: sql.ref('service_title') } as const;
// All of it is in the index of the name.
const shown = {
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
  const name = columns[kind];
  const { rows } = await sql<StartingName>`
    with found as materialized (
      select name.*
      from unnest(${[...countries]}::text[]) as of_country (code), unnest(${ranks}::smallint[]) as of_rank (plan_rank), lateral (
        select suggestion_start(${name}) as start, sort_key, ${name} as label, ${shown[kind]} from listings
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
