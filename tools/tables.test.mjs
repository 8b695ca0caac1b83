import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import * as lists from '../domains.mjs';
import { root } from './install.mjs';
import { tableFaults, tablesOf } from './tables.mjs';

const migration = 'create table users (id uuid);\ncreate unlogged table listings (id uuid);\ncreate table plans (id uuid);\n';
const small = {
  domains: { accounts: [], plans: ['accounts'], listings: ['accounts'], saved: [] },
  tables: { accounts: ['users'], plans: ['plans'], listings: ['listings'] },
  readers: {},
  writers: {},
  upwards: {},
};

/** A tree of these files beside a migration of three tables. */
function treeOf(files) {
  const tree = mkdtempSync(join(tmpdir(), 'handwise-tables-'));
  onTestFinished(() => rmSync(tree, { recursive: true, force: true }));
  for (const [path, text] of Object.entries({ 'server/migrations/001-a.sql': migration, 'server/src/app.ts': '', ...files })) {
    mkdirSync(join(tree, dirname(path)), { recursive: true });
    writeFileSync(join(tree, path), text);
  }
  return tree;
}
const faultsOf = (files, list = {}) => tableFaults(treeOf(files), { ...small, ...list });
const inListings = (text) => faultsOf({ 'server/src/domains/listings/a.ts': text });
const reads = ['server/src/domains/listings/a.ts: listings reads users, which is accounts’'];
const writes = ['server/src/domains/listings/a.ts: listings writes users, which is accounts’'];

test.each([
  ["db.selectFrom('users').selectAll()", reads],
  ["db\n  .selectFrom(\n    'users as seller')", reads],
  ["db.selectFrom(['listings', 'users as seller'])", reads],
  ["db.selectFrom('listings').innerJoin('users', 'users.id', 'seller_id')", reads],
  ["db.selectFrom('listings').leftJoinLateral('users', (join) => join)", reads],
  ["db.updateTable('listings').from('users')", reads],
  ["const table = 'users' as const;\ndb.selectFrom(table)", reads],
  ["for (const table of ['users', 'listings'] as const) await tx.deleteFrom(table).execute();", writes],
  ["db.updateTable('users')", writes],
  ["db.insertInto('users')", writes],
  ["db.deleteFrom('users')", writes],
  ['sql`select id from users`', reads],
  ['sql`select id from listings as l, users where true`', reads],
  ['sql`select id from listings left join users on true`', reads],
  ['sql`SELECT id\n  FROM users`', reads],
  ['sql`update users set id = null`', writes],
  ['sql`insert into users values (1)`', writes],
  ['sql`delete from only users`', writes],
  ["client.query('select id from users')", reads],
])('who has a statement about the table of another is named: %s', (text, found) => {
  expect(inListings(text)).toEqual(found);
});

test.each([
  "db.selectFrom('listings').select('users')",
  '// from users\nconst from = Array.from(users);\n/* update users */',
  "type User = Selectable<DB['users']>;",
  "await tell(tx, 'users', id);",
])('what names a table in no statement is left alone: %s', (text) => {
  expect(inListings(text)).toEqual([]);
});

test('tests may look anywhere, and the kit and what stands beside the app may not', () => {
  const text = "db.selectFrom('users')";
  const files = ['domains/listings/a.test.ts', 'kit/a.ts', 'mcp/a.ts', 'a.ts'];
  expect(faultsOf(Object.fromEntries(files.map((file) => [`server/src/${file}`, text])))).toEqual([
    'server/src/a.ts: app reads users, which is accounts’',
    'server/src/kit/a.ts: kit reads users, which is accounts’',
    'server/src/mcp/a.ts: app reads users, which is accounts’',
  ]);
});

test('a table that nobody owns is named, and an owner of what is no table, or another’s', () => {
  const files = {
    'server/migrations/002-b.sql': 'drop table plans;\n-- create table notes (\ncreate table if not exists visits (id uuid);\n',
  };
  expect([...tablesOf(treeOf(files))]).toEqual(['users', 'listings', 'visits']);
  expect(faultsOf(files, { tables: { ...small.tables, saved: ['users'], shop: [] } })).toEqual([
    'domains.mjs: shop owns tables and is no domain',
    'the table visits has no owner in domains.mjs',
    'domains.mjs: no migration leaves a table plans',
    'domains.mjs: users has two owners',
  ]);
});

test('who is named may, to read or to write, and an entry that nothing needs is refused', () => {
  const reading = { 'server/src/domains/listings/a.ts': "db.selectFrom('users')" };
  const writing = { 'server/src/domains/listings/a.ts': "db.updateTable('users')" };
  const named = { users: { listings: 'why' } };
  expect(faultsOf(reading, { readers: named })).toEqual([]);
  expect(faultsOf(writing, { readers: named })).toEqual(writes);
  expect(faultsOf(writing, { writers: named })).toEqual([]);
  expect(faultsOf(reading, { writers: named })).toEqual(['domains.mjs: listings does not write users']);
  expect(faultsOf({}, { readers: named })).toEqual(['domains.mjs: listings has no statement about users']);
  const byBoth = { users: { listings: 'why', plans: 'why' } };
  expect(faultsOf(reading, { readers: byBoth })).toEqual(['domains.mjs: plans has no statement about users']);
});

test('a domain reads tables of those below it; what it reads of one above stands in a list of its own, and is only read', () => {
  const files = { 'server/src/domains/accounts/a.ts': "db.selectFrom('listings')" };
  const named = { listings: { accounts: 'why' } };
  expect(faultsOf(files, { readers: named })).toEqual(['domains.mjs: accounts may not use listings and so not listings']);
  expect(faultsOf(files, { upwards: named })).toEqual([]);
  expect(faultsOf({ 'server/src/domains/accounts/a.ts': "db.updateTable('listings')" }, { upwards: named })).toEqual([
    'server/src/domains/accounts/a.ts: accounts writes listings, which is listings’',
  ]);
});

test('every table has its owner, and each who may read another’s says why', () => {
  expect(tableFaults(root)).toEqual([]);
  for (const list of [lists.readers, lists.writers, lists.upwards]) {
    for (const [table, others] of Object.entries(list)) {
      for (const [by, why] of Object.entries(others)) expect([table, by, why.length > 20]).toEqual([table, by, true]);
    }
  }
});
