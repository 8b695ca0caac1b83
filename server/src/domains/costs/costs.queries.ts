import { sql } from 'kysely';
import { minSample } from '@handwise/contract/costs/words';
import type { CountryCode } from '@handwise/contract/markets';
import type { Reader, Tx } from '../../kit/database/database.ts';

type Filter = { country?: CountryCode | undefined; subCategory?: number };

/** The largest sample first, so that the most telling unit leads; then in a fixed order. */
export const listAskingPrices = (db: Reader, { country, subCategory }: Filter) =>
  db
    .selectFrom('asking_prices')
    .selectAll()
    .$if(country !== undefined, (query) => query.where('country', '=', country ?? 'NZ'))
    .$if(subCategory !== undefined, (query) => query.where('sub_category_code', '=', subCategory ?? 0))
    .orderBy('sub_category_code')
    .orderBy('country', 'desc')
    .orderBy('region_code')
    .orderBy('sample', 'desc')
    .orderBy('price_unit')
    .execute();

/** Replaces all rows by what the active listings ask now. Quartiles are interpolated between neighbours, to the cent. */
export async function replaceAskingPrices(tx: Tx, now: Date): Promise<void> {
  await tx.deleteFrom('asking_prices').execute();
  const quartile = (share: number) => sql`round(percentile_cont(${sql.lit(share)}) within group (order by price_from_minor)::numeric)::int`;
  await sql`
    insert into asking_prices
      (sub_category_code, country, region_code, price_unit, sample, low_minor, median_minor, high_minor, computed_at)
    select sub_category_code, country, region_code, price_unit, count(*)::int, ${quartile(0.25)}, ${quartile(0.5)}, ${quartile(0.75)},
      ${now}::timestamptz
    from listings
    where status = 'active' and sub_category_code is not null and price_from_minor is not null
    group by grouping sets ((sub_category_code, country, price_unit), (sub_category_code, country, price_unit, region_code))
    having count(*) >= ${sql.lit(minSample)}
  `.execute(tx);
}
