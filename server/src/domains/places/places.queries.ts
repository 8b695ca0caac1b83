import { fold } from '@handwise/contract/text';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';
import type { Locality } from './places.data.ts';

export async function hasChecksum(db: Reader, checksum: string): Promise<boolean> {
  const row = await db.selectFrom('localities_source').select('checksum').executeTakeFirst();
  return row?.checksum === checksum;
}

export const saveChecksum = (tx: Tx, checksum: string) =>
  tx
    .insertInto('localities_source')
    .values({ checksum })
    .onConflict((conflict) => conflict.column('only_row').doUpdateSet({ checksum }))
    .execute();

const updatedColumns = [
  'name',
  'slug',
  'folded',
  'country',
  'region_code',
  'district_code',
  'postcode',
  'latitude',
  'longitude',
  'addresses',
] as const;

/** Inserts or updates all 17,000 rows in one statement, with one array per column. */
export async function upsertLocalities(tx: Tx, localities: readonly Locality[]): Promise<void> {
  const of = <Value>(value: (one: Locality) => Value) => localities.map(value);
  const rows = unnestTable('given', {
    code: ['int', of((one) => one.code)],
    name: ['text', of((one) => one.name)],
    slug: ['text', of((one) => one.slug)],
    folded: ['text', of((one) => fold(one.name))],
    country: ['text', of((one) => one.country)],
    region_code: ['smallint', of((one) => one.regionCode)],
    district_code: ['smallint', of((one) => one.districtCode)],
    postcode: ['text', of((one) => one.postcodes[0] ?? null)],
    latitude: ['float8', of((one) => one.latitude)],
    longitude: ['float8', of((one) => one.longitude)],
    addresses: ['int', of((one) => one.addresses)],
  });
  await tx
    .insertInto('localities')
    .columns(['code', ...updatedColumns])
    .expression((from) => from.selectFrom(rows).select(['code', ...updatedColumns]))
    .onConflict((conflict) =>
      conflict
        .column('code')
        .doUpdateSet(({ ref }) => Object.fromEntries(updatedColumns.map((column) => [column, ref(`excluded.${column}`)]))),
    )
    .execute();
}
