import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { emptyDatabase } from '@handwise/sandbox/testing/database';
import { readMigrations } from '../kit/database/migrations.ts';
import { failedQueue } from '../kit/jobs/queues.ts';
import { prepareDatabase } from './prepare-database.ts';

const { url } = await emptyDatabase();
const client = new pg.Client({ connectionString: url });
afterAll(() => client.end());

test('four processes that prepare an empty database at once apply each step once', async () => {
  const all = await Promise.allSettled(Array.from({ length: 4 }, () => prepareDatabase(url)));
  expect(all.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'fulfilled']);
  await client.connect();
  const count = async (from: string, values: string[] = []) =>
    Number((await client.query<{ count: string }>(`select count(*) from ${from}`, values)).rows[0]?.count);
  expect(await count('migrations')).toBe((await readMigrations()).length);
  expect(await count('plans')).toBe(3);
  expect(await count('localities')).toBeGreaterThan(15_000);
  for (const table of ['districts', 'categories', 'sub_categories']) expect([table, (await count(table)) > 10]).toEqual([table, true]);
  expect(await count('pgboss.queue where name = $1', [failedQueue])).toBe(1);
});
