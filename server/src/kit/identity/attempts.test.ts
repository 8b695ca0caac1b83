import { sql } from 'kysely';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { type Db, openDatabase } from '../database/database.ts';
import { AppError } from '../errors.ts';
import {
  countAttempt,
  deleteExpiredAttempts,
  isFirstAttempt,
  limitFailures,
  rejectExhausted,
  resetAttempts,
  throttleAttempt,
  uncountAttempt,
} from './attempts.ts';

const { url } = await testDatabase();
// Two servers, each with its own connections.
const servers = [1, 2].map(() => openDatabase({ url, connections: 8, onIdleError: () => {} }));
const [db, otherDb] = servers.map((server) => server.db) as [Db, Db];
afterAll(() => Promise.all(servers.map((server) => server.close())));

const outcome = (work: Promise<unknown>) =>
  work.then(
    () => 'through',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );
const count = (all: readonly string[], one: string) => all.filter((each) => each === one).length;
/** Ends the window of a key. */
const endWindow = (key: string) =>
  sql`update attempts set window_ends_at = now() - interval '1 millisecond' where key = ${key}`.execute(db);
const rowOf = (key: string) => db.selectFrom('attempts').selectAll().where('key', '=', key).executeTakeFirst();
const secondsLeft = async (key: string) => (((await rowOf(key))?.window_ends_at.getTime() ?? 0) - Date.now()) / 1000;

const three = (key: string) => [{ key, limit: { max: 3, windowSeconds: 600 } }];
const fail = (keys = three('k'), on = db) => limitFailures(on, keys, async () => undefined);
const succeed = (keys = three('k'), on = db) => limitFailures(on, keys, async () => 'right');

test('allows exactly the limit of concurrent attempts on two servers', async () => {
  const all = await Promise.all(
    Array.from({ length: 40 }, (_, index) => outcome(countAttempt(index % 2 ? db : otherDb, 'counted', { max: 7, windowSeconds: 60 }))),
  );
  expect([count(all, 'through'), count(all, 'too_many_requests')]).toEqual([7, 33]);
});

test('a rejection has the rest of the window as its wait; then the count restarts at one', async () => {
  const limit = { max: 1, windowSeconds: 600 };
  await countAttempt(db, 'window', limit);
  const refusal = await countAttempt(db, 'window', limit).catch((error: unknown) => error);
  expect(refusal).toMatchObject({
    code: 'too_many_requests',
    retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 500 && seconds <= 600),
  });
  await endWindow('window');
  expect(await outcome(countAttempt(db, 'window', limit))).toBe('through');
  expect(await rowOf('window')).toMatchObject({ count: 1 });
  expect(await secondsLeft('window')).toBeGreaterThan(500);
  expect(await outcome(countAttempt(db, 'window', limit))).toBe('too_many_requests');
});

test('further attempts do not extend the window', async () => {
  const limit = { max: 1, windowSeconds: 600 };
  await countAttempt(db, 'longer', limit);
  await sql`update attempts set window_ends_at = now() + interval '5 seconds' where key = 'longer'`.execute(db);
  await outcome(countAttempt(db, 'longer', limit));
  expect(await secondsLeft('longer')).toBeLessThanOrEqual(5);
});

test('runs exactly the limit of concurrent failing attempts on two servers', async () => {
  let tried = 0;
  const attempt = (on: Db) =>
    limitFailures(on, three('failures'), async () => {
      tried += 1;
      return undefined;
    });
  const all = await Promise.all(Array.from({ length: 30 }, (_, index) => outcome(attempt(index % 2 ? db : otherDb))));
  expect([tried, count(all, 'through'), count(all, 'too_many_requests')]).toEqual([3, 3, 27]);
  expect(await rowOf('failures')).toMatchObject({ count: 3, pending: 0 });
});

test('successes do not count, even concurrent ones', async () => {
  const keys = three('successes');
  await fail(keys);
  await fail(keys);
  const all = await Promise.all(Array.from({ length: 20 }, (_, index) => outcome(succeed(keys, index % 2 ? db : otherDb))));
  expect(count(all, 'through')).toBe(20);
  expect(await rowOf('successes')).toMatchObject({ count: 2, pending: 0 });
  await fail(keys);
  expect(await outcome(succeed(keys))).toBe('too_many_requests');
});

test('each key has its own limit; an exhausted one rejects without counting for the others', async () => {
  const narrow = { key: 'narrow', limit: { max: 1, windowSeconds: 60 } };
  const wide = { key: 'wide', limit: { max: 2, windowSeconds: 60 } };
  await fail([narrow, wide]);
  expect(await outcome(fail([narrow, wide]))).toBe('too_many_requests');
  expect(await outcome(fail([wide, narrow]))).toBe('too_many_requests');
  expect(await rowOf('wide')).toMatchObject({ count: 1, pending: 0 });
  await fail([{ ...narrow, key: 'another' }, wide]);
  expect(await outcome(fail([{ ...narrow, key: 'a third' }, wide]))).toBe('too_many_requests');
});

test('an attempt that throws counts for nothing and keeps no reservation', async () => {
  const broken = limitFailures(db, three('broken'), () => Promise.reject(new Error('no database')));
  expect(await outcome(broken)).toBe('Error: no database');
  expect(await rowOf('broken')).toMatchObject({ count: 0, pending: 0 });
});

test('the window begins with the first failure and expires', async () => {
  const keys = three('first failure');
  await succeed(keys);
  await sql`update attempts set window_ends_at = now() + interval '5 seconds' where key = 'first failure'`.execute(db);
  await fail(keys);
  expect(await secondsLeft('first failure')).toBeGreaterThan(500);
  await sql`update attempts set window_ends_at = now() + interval '5 seconds' where key = 'first failure'`.execute(db);
  await fail(keys);
  await fail(keys);
  expect(await secondsLeft('first failure')).toBeLessThanOrEqual(5);
  expect(await outcome(fail(keys))).toBe('too_many_requests');
  expect(await outcome(rejectExhausted(db, keys))).toBe('too_many_requests');
  await endWindow('first failure');
  expect(await outcome(rejectExhausted(db, keys))).toBe('through');
  await fail(keys);
  expect(await rowOf('first failure')).toMatchObject({ count: 1, pending: 0 });
  expect(await secondsLeft('first failure')).toBeGreaterThan(500);
});

test('the reservation of a dead server expires with its window', async () => {
  const keys = three('died');
  await sql`insert into attempts values ('died', 0, now() + interval '1 minute', 3)`.execute(db);
  const refusal = await succeed(keys).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: 1 });
  await endWindow('died');
  expect(await outcome(succeed(keys))).toBe('through');
  expect(await rowOf('died')).toMatchObject({ count: 0, pending: 0 });
});

test('checking for an exhausted limit counts nothing and is exact at the boundary', async () => {
  const keys = three('edge');
  for (let index = 0; index < 5; index += 1) await rejectExhausted(db, keys);
  await fail(keys);
  await fail(keys);
  expect(await outcome(rejectExhausted(db, keys))).toBe('through');
  await fail(keys);
  const refusal = await rejectExhausted(db, [...three('untouched'), ...keys]).catch((error: unknown) => error);
  expect(refusal).toMatchObject({ code: 'too_many_requests', retryAfterSeconds: expect.toSatisfy((seconds: number) => seconds > 500) });
});

const pace = { free: 3, longestPauseSeconds: 15, windowSeconds: 600 };
/** Sequential attempts; returns the pause of each. */
async function pauses(key: string, turns: number) {
  const all: number[] = [];
  for (let index = 0; index < turns; index += 1) {
    all.push(Math.round(await throttleAttempt(db, key, pace)));
    await sql`update attempts set next_at = least(next_at, now()) where key = ${key}`.execute(db);
  }
  return all;
}

test('pauses double after the free attempts, up to the longest pause', async () => {
  expect(await pauses('slowed', 9)).toEqual([0, 0, 0, 1, 2, 4, 8, 15, 15]);
});

test('concurrent attempts queue across both servers, and none waits longer than the longest pause', async () => {
  const patient = { ...pace, longestPauseSeconds: 600 };
  await pauses('line', 3);
  await sql`update attempts set next_at = now() + interval '30 seconds' where key = 'line'`.execute(db);
  const begins = (await rowOf('line'))?.next_at?.getTime() ?? 0;
  const all = await Promise.all(
    Array.from({ length: 20 }, (_, index) => throttleAttempt(index % 2 ? db : otherDb, 'line', patient).catch((error: AppError) => error)),
  );
  // The pauses are 1, 2, 4, … 256 seconds; the next would be over after 1,023.
  expect(all.filter((one) => typeof one === 'number')).toHaveLength(9);
  expect(((await rowOf('line'))?.next_at?.getTime() ?? 0) - begins).toBe(511_000);
  const refused = all.filter((one) => one instanceof AppError);
  expect(refused).toHaveLength(11);
  for (const { code, retryAfterSeconds = 0 } of refused) {
    expect(code).toBe('too_many_requests');
    // It would start in up to 1,053 seconds, but may wait for at most 600.
    expect(retryAfterSeconds).toBeGreaterThan(400);
    expect(retryAfterSeconds).toBeLessThanOrEqual(453);
  }
});

test('a reset or the end of the window ends the throttling', async () => {
  await pauses('forgotten', 5);
  await resetAttempts(db, 'forgotten');
  expect(await pauses('forgotten', 4)).toEqual([0, 0, 0, 1]);
  await sql`update attempts set next_at = now() + interval '1 hour' where key = 'forgotten'`.execute(db);
  await endWindow('forgotten');
  expect(await pauses('forgotten', 4)).toEqual([0, 0, 0, 1]);
});

test('deletes only expired counters', async () => {
  await countAttempt(db, 'old', { max: 1, windowSeconds: 60 });
  await countAttempt(db, 'new', { max: 1, windowSeconds: 60 });
  await endWindow('old');
  await deleteExpiredAttempts(db);
  expect(await rowOf('old')).toBeUndefined();
  expect(await rowOf('new')).toMatchObject({ count: 1 });
});

test('only the first attempt of a window is the first', async () => {
  const isFirst = () => isFirstAttempt(db, 'first', { windowSeconds: 600 });
  expect([await isFirst(), await isFirst()]).toEqual([true, false]);
  await endWindow('first');
  expect(await isFirst()).toBe(true);
});

test('an attempt without effect is not counted', async () => {
  const limit = { max: 1, windowSeconds: 600 };
  await countAttempt(db, 'undone', limit);
  await countAttempt(db, 'beside', limit);
  await uncountAttempt(db, 'undone');
  await uncountAttempt(db, 'undone');
  expect([await rowOf('undone'), await rowOf('beside')]).toMatchObject([{ count: 0 }, { count: 1 }]);
});

test('a limit can have a message of its own', async () => {
  const [one] = three('message');
  const reject = async (message?: string) => {
    const keys = [{ key: 'message', limit: { max: 3, windowSeconds: 600 }, ...(message !== undefined && { message }) }];
    return (await rejectExhausted(db, keys).catch((error: unknown) => error)) as AppError;
  };
  for (let times = 0; times < 3; times += 1) if (one) await fail([one]);
  expect((await reject('Use the link in your email.')).message).toBe('Use the link in your email.');
  expect((await reject()).message).toMatch(/^Too many attempts\. Please try again in \d+ minutes\.$/);
});

test('the last failure of a limit runs `onExhausted` once', async () => {
  const counts: number[] = [];
  const keys = three('exhausted').map((one) => ({
    ...one,
    onExhausted: async () => {
      counts.push((await rowOf('exhausted'))?.count ?? 0);
    },
  }));
  for (let times = 0; times < 3; times += 1) {
    await fail(keys);
    expect(counts).toHaveLength(times === 2 ? 1 : 0);
  }
  expect(await outcome(fail(keys))).toBe('too_many_requests');
  expect(counts).toHaveLength(1);
});
