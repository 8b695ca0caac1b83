import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { countSegments, readArchiveDelay } from './database-health.ts';
import { openDatabase } from './database.ts';

const { url } = await testDatabase();
const { db, close } = openDatabase({ url, connections: 1, onIdleError: () => {} });
afterAll(close);

test('a database that archives nothing has no delay', async () => {
  expect(await readArchiveDelay(db)).toBeNull();
});

test.each([
  ['000000010000000000000001', 1],
  ['0000000200000000000000FF', 255],
  ['0000000100000001000000FE', 510],
  ['00000003FFFFFFFF000000FF', 1_099_511_627_775],
])('counts the segments before %s', async (file, count) => {
  const { rows } = await sql<{ count: number }>`select ${countSegments(sql`${file}::text`)} as count`.execute(db);
  expect(rows).toEqual([{ count }]);
});
