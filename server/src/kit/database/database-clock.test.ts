import { globSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { DatabaseClock } from './database-clock.ts';
import { openDatabase } from './database.ts';

const { url } = await testDatabase();
const { db, close } = openDatabase({ url, connections: 2, onIdleError: () => {} });
const clocks: DatabaseClock[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const clock of clocks.splice(0)) clock.stop();
});
afterAll(close);

const day = 86_400_000;
const newClock = () => {
  const clock = new DatabaseClock();
  clocks.push(clock);
  return clock;
};
const machineNow = Date.now.bind(Date);
/** Sets this machine's clock, but not its monotonic clock. */
const moveMachine = (ms: number) => vi.spyOn(Date, 'now').mockImplementation(() => machineNow() + ms);

/** Whether a clock's time is between the database's times before and after it was read. */
async function isRight(clock: DatabaseClock) {
  const readTime = async () => {
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
    return rows[0]?.ms ?? 0;
  };
  const before = await readTime();
  const now = clock.now().getTime();
  // Tolerance for a very busy machine.
  const leeway = 5_000;
  return now > before - leeway && now < (await readTime()) + leeway;
}

test.each([
  ['ahead', 2 * day, /^this machine’s clock is 172[78]\d\d s ahead of the database’s, and the database’s time is used$/],
  ['behind', -2 * day, /^this machine’s clock is 172[78]\d\d s behind the database’s, and the database’s time is used$/],
])('uses the database’s time on a machine that is two days %s, and logs a warning', async (_, offMs, words) => {
  moveMachine(offMs);
  const warnings: unknown[] = [];
  const clock = newClock();
  await clock.start(db, { warn: (line: unknown) => void warnings.push(line) });
  expect(await isRight(clock)).toBe(true);
  expect(warnings).toEqual([expect.stringMatching(words)]);
});

test('logs nothing if the machine’s clock is right, and ignores later changes of it', async () => {
  const warnings: unknown[] = [];
  const clock = newClock();
  await clock.start(db, { warn: (line: unknown) => void warnings.push(line) });
  moveMachine(2 * day);
  expect(await isRight(clock)).toBe(true);
  expect(warnings).toEqual([]);
});

test('corrects its drift from the database’s clock', async () => {
  const clock = newClock();
  await clock.start(db, { warn: () => {} });
  const passed = performance.now.bind(performance);
  // As after a suspended machine: more time has passed than it counted.
  vi.spyOn(performance, 'now').mockImplementation(() => passed() - day);
  expect(await isRight(clock)).toBe(false);
  await clock.sync(db);
  expect(await isRight(clock)).toBe(true);
});

test('no server code reads the machine’s time, except for the age of files, pages and cached responses and the checks of an installation', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const asking = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .filter((file) => /new Date\(\)|Date\.now\(\)/.test(readFileSync(root + file, 'utf8')))
    .toSorted();
  expect(asking).toEqual([
    'doctor/doctor.routes.ts',
    'doctor/doctor.ts',
    'doctor/part-checks.ts',
    'domains/listings/listings.cache-tags.ts',
    'kit/context.ts',
    'kit/database/database-clock.ts',
    'kit/files/file-store.ts',
    'kit/pages/pages.ts',
  ]);
});
