import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { findLocality } from './places.service.ts';

const { db, given } = await testApp();
const migration = readFileSync(join(import.meta.dirname, '../../../migrations/060-localities-by-state.sql'), 'utf8');
const placeOf = (id: string) =>
  db.selectFrom('listings').select(['region_code', 'district_code', 'service_districts']).where('id', '=', id).executeTakeFirst();

test('listings move with the places that were in the state of their postcode, and no others', async () => {
  const queanbeyan = await given.listing({ district: 2401, base: 17122 });
  const serving = await given.listing({ district: 2303, base: 16935, serviceDistricts: [2303, 2301] });
  const canberra = await given.listing({ district: 2401, base: 17070 });
  await sql.raw(migration).execute(db);
  expect(await placeOf(queanbeyan.id)).toEqual({ region_code: 17, district_code: 1707, service_districts: null });
  expect(await placeOf(serving.id)).toEqual({ region_code: 20, district_code: 2009, service_districts: [2009, 2303, 2301] });
  expect(await placeOf(canberra.id)).toEqual({ region_code: 24, district_code: 2401, service_districts: null });
  // Every place that the migration names is where the file has it.
  for (const [, codes = '', district] of migration.matchAll(/select (?:unnest\(array\[)?([\d, ]+)\]?\)?(?: as code)?,\s+(\d{4})/g))
    for (const code of codes.split(', ')) expect([code, findLocality(Number(code))?.districtCode]).toEqual([code, Number(district)]);
});
