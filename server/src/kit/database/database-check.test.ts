import { emptyDatabase } from '@handwise/sandbox/testing/database';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { StartupError } from '../startup-error.ts';
import { checkDatabase } from './database-check.ts';

const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
beforeAll(async () => {
  await client.connect();
  await client.query('create table migrations (name text primary key)');
});
afterAll(() => client.end());

const needs = { url, folder: null, migrations: ['001-kit.sql', '021-next.sql'], allowsNewer: false, demoAccounts: [] };

async function faultsWith(applied: string[], more: Partial<typeof needs> | { folder: string } = {}) {
  await client.query('delete from migrations');
  await client.query('insert into migrations select unnest($1::text[])', [applied]);
  const error = await checkDatabase({ ...needs, ...more }, 5_000).catch((fault: unknown) => fault);
  expect((await client.query('select name from migrations order by name')).rows.map(({ name }) => name as string)).toEqual(applied);
  return error instanceof StartupError ? error.lines : error;
}

test('rejects a database of an earlier version without changing it, and says what to do', async () => {
  const old = ['001-accounts.sql', '002-listings.sql'];
  const sentence =
    'DATABASE_URL points to a database created by an earlier version, which this one cannot upgrade. Use an empty database, or start the earlier version.';
  expect(await faultsWith(old)).toEqual([sentence]);
  expect(await faultsWith(old, { allowsNewer: true })).toEqual([sentence]);
  expect(await faultsWith(old, { folder: '/srv/.data' })).toEqual([
    'DATA_DIR is /srv/.data, whose database was made by an earlier version, which this one cannot upgrade. Delete the folder or set another to begin with new data, or start the earlier version.',
  ]);
});

test('does not mistake a database with missing or newer migrations for one of an earlier version', async () => {
  expect(await faultsWith([])).toBe(null);
  expect(await faultsWith(['001-kit.sql'])).toBe(null);
  expect(await faultsWith(['001-kit.sql', '999-later.sql'])).toEqual([expect.stringContaining('a database newer than this program')]);
  expect(await faultsWith(['001-kit.sql', '999-later.sql'], { allowsNewer: true })).toBe(null);
});
