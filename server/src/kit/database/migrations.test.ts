import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { migrate, readMigrations } from './migrations.ts';

const { url } = await testDatabase();
const open = async () => {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client;
};
const clients = [await open(), await open(), await open()] as const;
const [migrating, holding, reading] = clients;
afterAll(() => Promise.all(clients.map((client) => client.end())));
const migrationOf = (name: string, sql: string) => ({ name, sql, checksum: sql });

beforeEach(async () => {
  await holding.query("drop table if exists things; create table things (id int); delete from migrations where name like '9%'");
});

/** Whether the migration is waiting for a lock. */
const isHeldUp = async () => {
  const text =
    "select from pg_stat_activity where query like 'alter table things%' and wait_event_type = 'Lock' and datname = current_database()";
  return (await reading.query(text)).rowCount === 1;
};

test('retries a migration that waits for a lock, and lets other queries run between the attempts', async () => {
  await holding.query('begin; select from things');
  const done = migrate(migrating, [migrationOf('901.sql', 'alter table things add column name text')], {
    lockMs: 100,
    retryMs: 50,
    tries: 10_000,
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await expect.poll(isHeldUp).toBe(true);
    // Behind a migration without a lock timeout this would wait for the lock that this test holds.
    await reading.query('select from things');
  }
  await holding.query('commit');
  expect(await done).toEqual(['901.sql']);
  expect((await reading.query('select name from things')).fields).toHaveLength(1);
  expect((await reading.query("select from migrations where name = '901.sql'")).rowCount).toBe(1);
});

test('rolls a migration back that never gets its locks', async () => {
  await holding.query('begin; select from things');
  const two = 'create table others (id int); alter table things add column name text';
  const failure = await migrate(migrating, [migrationOf('902.sql', two)], { lockMs: 20, retryMs: 1, tries: 2 }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: 'Migration 902.sql failed', cause: { code: '55P03' } });
  await holding.query('commit');
  expect((await reading.query("select to_regclass('others') is null as gone, to_regclass('migrations') is not null as kept")).rows).toEqual(
    [{ gone: true, kept: true }],
  );
  expect((await reading.query("select from migrations where name = '902.sql'")).rowCount).toBe(0);
});

test('creates an index during writes, and recreates one that was left invalid', async () => {
  const sql = `-- outside a transaction
drop index concurrently if exists things_id;
create unique index concurrently things_id on things (id);
`;
  await holding.query('insert into things values (1), (1)');
  const failure = await migrate(migrating, [migrationOf('903.sql', sql)]).catch((error: unknown) => error);
  expect(failure).toMatchObject({ message: 'Migration 903.sql failed', cause: { code: '23505' } });
  expect((await reading.query("select from migrations where name = '903.sql'")).rowCount).toBe(0);
  await holding.query('delete from things');
  expect(await migrate(migrating, [migrationOf('903.sql', sql)])).toEqual(['903.sql']);
  expect((await reading.query("select indisvalid as valid from pg_index where indexrelid = 'things_id'::regclass")).rows).toEqual([
    { valid: true },
  ]);
});

test('two servers that migrate at once apply each migration once, also with a concurrent index', async () => {
  const sql = `-- outside a transaction
drop index concurrently if exists things_id;
create index concurrently things_id on things (id);
`;
  const all = [migrationOf('904.sql', 'create table others (id int)'), migrationOf('905.sql', sql)];
  const added = await Promise.all([migrate(migrating, all), migrate(holding, all)]);
  expect(added.flat().toSorted()).toEqual(['904.sql', '905.sql']);
  await reading.query('drop table others');
});

test('every migration has a unique number, so their order is defined', async () => {
  const numbers = (await readMigrations()).map(({ name }) => /^\d{3}(?=-)/.exec(name)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('accepts a file as it was before PostgreSQL 15 was supported, and refuses any other change of one that was applied', async () => {
  const all = await readMigrations();
  const set = (checksum: string, name: string) => holding.query('update migrations set checksum = $1 where name = $2', [checksum, name]);
  const former = all.flatMap(({ name, checksum, formerChecksum }) =>
    formerChecksum === undefined ? [] : { name, checksum, formerChecksum },
  );
  expect(former.map(({ name }) => name)).toEqual(['001-kit.sql', '018-draws.sql']);
  for (const { name, checksum, formerChecksum } of former) {
    await set(formerChecksum, name);
    expect(await migrate(migrating, all)).toEqual([]);
    await set('another', name);
    await expect(migrate(migrating, all)).rejects.toThrow(`Migration ${name} was changed after it had been applied`);
    await set(checksum, name);
  }
});

test('ids sort in the order in which they are made, on servers without uuidv7() too', async () => {
  const before = Date.now();
  const { rows } = await reading.query<{ id: string }>('select uuidv7()::text as id from generate_series(1, 10000)');
  const ids = rows.map(({ id }) => id);
  expect(new Set(ids).size).toBe(10_000);
  expect(ids.toSorted()).toEqual(ids);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  const madeAt = Number.parseInt((ids[0] ?? '').replace('-', '').slice(0, 12), 16);
  expect(madeAt).toBeGreaterThanOrEqual(before - 1_000);
  expect(madeAt).toBeLessThanOrEqual(Date.now() + 1_000);
});
