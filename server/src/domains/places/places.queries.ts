import { fold } from '@handwise/contract/text';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Locality } from './places.data.ts';

export async function isWrittenFrom(db: Reader, checksum: string): Promise<boolean> {
  const row = await db.selectFrom('localities_source').select('checksum').executeTakeFirst();
  return row?.checksum === checksum;
}

export const noteSource = (tx: Tx, checksum: string) =>
  tx
    .insertInto('localities_source')
    .values({ checksum })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ checksum }))
    .execute();

/** Adds and renews rows, one array a column: 17,000 rows are one statement. */
export async function writeLocalities(tx: Tx, localities: readonly Locality[]): Promise<void> {
  const of = <Value>(value: (one: Locality) => Value) => localities.map(value);
  await sql`
    insert into localities (code, name, slug, folded, country, region_code, district_code, postcode, latitude, longitude, addresses)
    select * from unnest(
      ${of((one) => one.code)}::int[], ${of((one) => one.name)}::text[], ${of((one) => one.slug)}::text[], ${of((one) => fold(one.name))}::text[],
      ${of((one) => one.country)}::text[], ${of((one) => one.regionCode)}::smallint[], ${of((one) => one.districtCode)}::smallint[],
      ${of((one) => one.postcodes[0])}::text[], ${of((one) => one.latitude)}::float8[], ${of((one) => one.longitude)}::float8[],
      ${of((one) => one.addresses)}::int[]
    )
    on conflict (code) do update set
      name = excluded.name, slug = excluded.slug, folded = excluded.folded, country = excluded.country, region_code = excluded.region_code,
      district_code = excluded.district_code, postcode = excluded.postcode, latitude = excluded.latitude, longitude = excluded.longitude,
      addresses = excluded.addresses`.execute(tx);
}
