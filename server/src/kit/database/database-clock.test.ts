import { globSync, readFileSync } from 'node:fs';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { sql } from 'kysely';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { DatabaseClock } from './database-clock.ts';
import { openDatabase } from './database.ts';

const { url } = await testDatabase();
const { db, close } = openDatabase({ url, connections: 2, onIdleError: () => {} });
const clocks: DatabaseClock[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const clock of clocks.splice(0)) clock.stop();
});
afterAll(close);

const day = 86_400_000;
const newClock = () => {
  const clock = new DatabaseClock();
  clocks.push(clock);
  return clock;
};
/** Sets this machine's clock, and not what passes. */
const setMachine = (time: number) => vi.useFakeTimers({ toFake: ['Date'], now: time });

/** Whether a clock's time lies between what the database said before and after it was read. */
async function isRight(clock: DatabaseClock) {
  const ask = async () => {
    const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
    return rows[0]?.ms ?? 0;
  };
  const before = await ask();
  const now = clock.now().getTime();
  // What a measure may be off by on a machine that is very busy.
  const leeway = 5_000;
  return now > before - leeway && now < (await ask()) + leeway;
}

test.each([
  ['ahead', 2 * day, /^this machine’s clock is 17280\d s ahead of the database’s, which counts$/],
  ['behind', -2 * day, /^this machine’s clock is 17280\d s behind the database’s, which counts$/],
])('the time is the database’s where the machine is two days %s, and whoever runs it is told', async (_, offMs, words) => {
  setMachine(Date.now() + offMs);
  const said: unknown[] = [];
  const clock = newClock();
  await clock.start(db, { warn: (line: unknown) => void said.push(line) });
  expect(await isRight(clock)).toBe(true);
  expect(said).toEqual([expect.stringMatching(words)]);
});

test('a machine whose clock is right is told nothing, and setting it later changes nothing', async () => {
  const said: unknown[] = [];
  const clock = newClock();
  await clock.start(db, { warn: (line: unknown) => void said.push(line) });
  setMachine(Date.now() + 2 * day);
  expect(await isRight(clock)).toBe(true);
  expect(said).toEqual([]);
});

test('a clock that has gone another way than the database’s follows it', async () => {
  const clock = newClock();
  await clock.start(db, { warn: () => {} });
  const passed = performance.now.bind(performance);
  // As after a machine slept: more has passed than it counted.
  const counting = vi.spyOn(performance, 'now').mockImplementation(() => passed() - day);
  expect(await isRight(clock)).toBe(false);
  await clock.follow(db);
  expect(await isRight(clock)).toBe(true);
  counting.mockRestore();
});

test('nothing in the server asks the machine what time it is, but for the age of files on it and of pages, whose texts are drawn by it', () => {
  const root = new URL('../..', import.meta.url).pathname;
  const asking = globSync('**/*.ts', { cwd: root, exclude: ['**/*.test.ts'] })
    .filter((file) => /new Date\(\)|Date\.now\(\)/.test(readFileSync(root + file, 'utf8')))
    .toSorted();
  expect(asking).toEqual(['kit/context.ts', 'kit/database/database-clock.ts', 'kit/files/files-store.ts', 'kit/pages/pages.ts']);
});
