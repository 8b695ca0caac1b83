import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase } from '@handwise/sandbox/testing/database';
import { listOwnKeyFiles, noteOwnKeys } from '../secrets/own-keys.ts';
import { StartupError } from '../startup-error.ts';
import { type DatabaseRequirements, checkDatabase } from './database-check.ts';
import { openDatabase } from './database.ts';

const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
beforeAll(async () => {
  await client.connect();
  await client.query('create table migrations (name text primary key)');
});
afterAll(() => client.end());

const needs: DatabaseRequirements = {
  url,
  folder: null,
  migrations: ['001-kit.sql', '021-next.sql'],
  allowsNewer: false,
  demoAccounts: [],
  keyFiles: [],
};

async function faultsWith(applied: string[], more: Partial<DatabaseRequirements> = {}) {
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

test('requires one of the keys that the database was used with in each file that holds keys, but not a key set instead', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-own-keys-'));
  const [first, second, third] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const keys = join(dataDir, 'prize-keys.json');
  const env = { logKey: null, prizeKeys: null, accountKeys: null, dataDir };
  const write = (content: object) => writeFileSync(keys, JSON.stringify(content));
  const check = (files = listOwnKeyFiles(env)) => faultsWith(['001-kit.sql'], { keyFiles: files });
  try {
    expect(await check()).toBe(null);
    await client.query('create table own_keys (file text, fingerprint bytea, primary key (file, fingerprint))');
    write({ one: first });
    const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
    for (let times = 0; times < 2; times += 1) await noteOwnKeys(database.db, listOwnKeyFiles(env));
    expect(await check()).toBe(null);
    // A new key is put first and noted before the old one is removed.
    write({ two: second, one: first });
    expect(await check()).toBe(null);
    await noteOwnKeys(database.db, listOwnKeyFiles(env));
    write({ two: second });
    expect(await check()).toBe(null);
    await database.close();
    write({ one: third });
    expect(await check()).toEqual([expect.stringContaining(`${keys} has another key`)]);
    writeFileSync(keys, '{');
    expect(await check()).toEqual([expect.stringContaining(`${keys} is missing or damaged`)]);
    rmSync(keys);
    expect(await check()).toEqual([expect.stringMatching(/prize-keys\.json is missing .* Put it back as it was\. .* set PRIZE_KEYS /)]);
    expect(await check(listOwnKeyFiles({ ...env, prizeKeys: { one: third } }))).toBe(null);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});
