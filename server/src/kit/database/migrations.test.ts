import { testDatabase } from '@handwise/sandbox/testing/database';
import pg from 'pg';
import { afterAll, beforeEach, expect, test } from 'vitest';
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

/** Whether the migration waits for a lock now. */
const isHeldUp = async () => {
  const text =
    "select from pg_stat_activity where query like 'alter table things%' and wait_event_type = 'Lock' and datname = current_database()";
  return (await reading.query(text)).rowCount === 1;
};

test('a migration that somebody holds up lets everybody else go on, tries again, and is done once it can', async () => {
  await holding.query('begin; select from things');
  const done = migrate(migrating, [migrationOf('901.sql', 'alter table things add column name text')], {
    lockMs: 100,
    pauseMs: 50,
    tries: 10_000,
  });
  for (let turn = 0; turn < 3; turn += 1) {
    await expect.poll(isHeldUp).toBe(true);
    // Behind a migration that waits without a limit this would wait for whoever holds it up, which is us.
    await reading.query('select from things');
  }
  await holding.query('commit');
  expect(await done).toEqual(['901.sql']);
  expect((await reading.query('select name from things')).fields).toHaveLength(1);
  expect((await reading.query("select from migrations where name = '901.sql'")).rowCount).toBe(1);
});

test('a migration that never gets its locks gives up, and leaves nothing behind', async () => {
  await holding.query('begin; select from things');
  const two = 'create table others (id int); alter table things add column name text';
  const failure = await migrate(migrating, [migrationOf('902.sql', two)], { lockMs: 20, pauseMs: 1, tries: 2 }).catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ message: 'Migration 902.sql failed', cause: { code: '55P03' } });
  await holding.query('commit');
  expect((await reading.query("select to_regclass('others') is null as gone, to_regclass('migrations') is not null as kept")).rows).toEqual(
    [{ gone: true, kept: true }],
  );
  expect((await reading.query("select from migrations where name = '902.sql'")).rowCount).toBe(0);
});

test('an index is made while others write, and one that was left half made is made anew', async () => {
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

test('two that migrate at once do each migration once, also where an index is made concurrently', async () => {
  const sql = `-- outside a transaction
drop index concurrently if exists things_id;
create index concurrently things_id on things (id);
`;
  const all = [migrationOf('904.sql', 'create table others (id int)'), migrationOf('905.sql', sql)];
  const added = await Promise.all([migrate(migrating, all), migrate(holding, all)]);
  expect(added.flat().toSorted()).toEqual(['904.sql', '905.sql']);
  await reading.query('drop table others');
});

test('each migration has a number of its own: of two with the same one nobody could say which is applied first', async () => {
  const numbers = (await readMigrations()).map(({ name }) => /^\d{3}(?=-)/.exec(name)?.[0]);
  expect(numbers).not.toContain(undefined);
  expect(new Set(numbers).size).toBe(numbers.length);
});
