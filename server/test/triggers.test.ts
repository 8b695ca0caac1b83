import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { testDatabase } from '@handwise/sandbox/testing/database';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';

const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
afterAll(() => client.end());

const root = join(import.meta.dirname, '../..');
const rows = readFileSync(join(root, 'docs/database.md'), 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('| `'))
  .map((line) => line.split('|').map((cell) => cell.trim()));

test('the page about the database names every trigger, and no other', async () => {
  const named = rows.flatMap(([, triggers = '']) => [...triggers.matchAll(/`(\w+)`/g)].map(([, name]) => name));
  const { rows: there } = await client.query<{ name: string }>(`
    select tgname as name from pg_trigger join pg_class on pg_class.oid = tgrelid
    where not tgisinternal and relnamespace = 'public'::regnamespace`);
  expect(new Set(named)).toEqual(new Set(there.map(({ name }) => name)));
});

test('each test that holds a trigger is there under its title', () => {
  const held = rows.flatMap(([, , , tests = '']) =>
    [...tests.matchAll(/`([\w./-]+)`: ([^`]+?)(?=; `|$)/g)].map(([, file = '', title = '']) => ({ file, title })),
  );
  expect(held.length).toBeGreaterThanOrEqual(rows.length);
  for (const { file, title } of held) expect(readFileSync(join(root, file), 'utf8')).toContain(`'${title}'`);
});
