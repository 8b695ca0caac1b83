import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './install.mjs';
import { lockFaults } from './migration-locks.mjs';

test.each([
  ['create index a on listings (id);', /^an index on listings stops writing to it/],
  ['create unique index if not exists a on only listings (id);', /^an index on listings stops writing/],
  ['drop index listings_id;', /drop index concurrently/],
  ['reindex table listings;', /reindex concurrently/],
  ['alter table listings add column a int not null;', /fails on rows that are there/],
  ['alter table listings add column a int references users;', /checks every row under its lock/],
  ['alter table listings add column a uuid default gen_random_uuid();', /writes every row anew: the default differs/],
  ['alter table listings add column a bigserial;', /writes every row anew: the default differs/],
  ['alter table listings add column a text generated always as (lower(b)) stored;', /writes every row anew/],
  ['alter table listings alter column a type bigint;', /“alter column a type bigint” of listings writes every row anew/],
  ['alter table listings alter a set not null;', /reads every row under its lock/],
  ['alter table listings add constraint a check (b > 0);', /add it `not valid`/],
  ['alter table listings add foreign key (a) references users;', /add it `not valid`/],
  ['alter table listings add constraint a unique (b, c);', /builds an index under its lock/],
  ['alter table listings drop column a;', /takes from the version before/],
  ['alter table listings rename a to b;', /takes from the version before/],
  ['alter table listings set unlogged;', /writes every row anew/],
  ['alter table listings add column a int, alter column b type text;', /“alter column b type text”/],
  ['update listings set a = 1;', /changing many rows of listings/],
  ['delete from listings;', /changing many rows of listings/],
  ['drop table listings;', /takes from the version before/],
  ['truncate listings;', /takes from the version before/],
  ['lock table listings;', /keeps everybody out/],
  ['refresh materialized view a;', /keeps everybody out/],
  ['do $$ begin update listings set a = 1; end $$;', /what this check cannot read/],
  ['create index concurrently a on listings (id);', /needs a file that begins with/],
  ['-- outside a transaction\ncreate index concurrently a on listings (id);', /may be left half made/],
])('%s is refused', (sql, why) => {
  expect(lockFaults(sql)).toEqual(expect.arrayContaining([expect.stringMatching(why)]));
});

test.each([
  'create table a (id int primary key references listings);\ncreate index b on a (id);\nalter table a add check (id > 0);\nupdate a set id = 1;',
  'alter table listings add column a int, add column b text not null default $$none$$, add column c timestamptz default now();',
  "alter table listings add constraint a check (b in ('update x', 'drop table y')) not valid;\nalter table listings validate constraint a;",
  'alter table listings add constraint a unique using index b;\nalter table listings drop constraint c;\nalter table listings alter column a drop not null;',
  '-- outside a transaction\ndrop index concurrently if exists a;\ncreate unique index concurrently a on listings (id);',
  'create or replace function a() returns int language sql as $$ update listings set a = 1; select 1; $$;',
  '-- drop table listings;\n/* update listings; */ create view a as select 1;',
  '-- allowed: the table has one row for each plan.\nalter table plans alter column a type bigint;',
])('what locks nothing for long may be: %s', (sql) => {
  expect(lockFaults(sql)).toEqual([]);
});

test('a comment allows the statement that follows it, and no other', () => {
  expect(lockFaults('-- allowed: it is small.\nupdate plans set a = 1;\nupdate listings set a = 1;')).toEqual([
    'changing many rows of listings at once locks all of them: leave it to a job, in parts',
  ]);
});

test('no migration that has not run everywhere yet stops the version before it', () => {
  const dir = join(root, 'server/migrations');
  const since = readdirSync(dir).filter((name) => name.endsWith('.sql') && name >= '049');
  expect(since.length).toBeGreaterThan(0);
  for (const name of since) expect([name, lockFaults(readFileSync(join(dir, name), 'utf8'))]).toEqual([name, []]);
});
