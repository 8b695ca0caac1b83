import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { passwordQueue, withPasswordHasher } from '../identity/password.ts';
import { FairQueue } from './fair-queue.ts';

/** Work that ends when the test says so. */
function held(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
/** Lets every task start that can. */
async function settled() {
  await setImmediate();
  await setImmediate();
}

test('runs two at a time, the others in order of arrival, also after a failure', async () => {
  const queue = new FairQueue({ running: 2, waiting: 10 });
  const started: string[] = [];
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) => held(started, name));
  const ends = works.map(({ work }) => queue.run(work).catch((error: Error) => `failed ${error.message}`));
  await settled();
  expect(started).toEqual(['a', 'b']);
  works[1]?.fail();
  await settled();
  expect(started).toEqual(['a', 'b', 'c']);
  works[0]?.end();
  await settled();
  expect([started, queue.running, queue.waiting]).toEqual([['a', 'b', 'c', 'd'], 2, 1]);
  for (const { end } of works) end();
  expect(await Promise.all(ends)).toEqual(['a', 'failed b', 'c', 'd', 'e']);
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

test('a task that arrives while others wait goes after them', async () => {
  const queue = new FairQueue({ running: 1, waiting: 10 });
  const started: string[] = [];
  const [first, second, third] = [held(started, 'first'), held(started, 'second'), held(started, 'third')];
  const one = queue.run(first.work);
  const two = queue.run(second.work);
  first.end();
  await one;
  const three = queue.run(third.work);
  await settled();
  expect(started).toEqual(['first', 'second']);
  second.end();
  third.end();
  await Promise.all([two, three]);
  expect(started).toEqual(['first', 'second', 'third']);
});

test('rejects tasks at once when too many wait', async () => {
  const queue = new FairQueue({ running: 1, waiting: 2 });
  const works = ['a', 'b', 'c'].map((name) => held([], name));
  const ends = works.map(({ work }) => queue.run(work));
  const rejection = await queue.run(async () => 'd').catch((error: unknown) => error);
  expect(rejection).toBeInstanceOf(AppError);
  expect(rejection).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  expect(queue.refused).toEqual({ all: 1, one: 0 });
  for (const { end } of works) end();
  await Promise.all(ends);
});

/** Tasks that end when the test says so, and the names of those that started, in order. */
function heldTasks(queue: FairQueue) {
  const started: string[] = [];
  const open = new Map<string, () => void>();
  const add = (name: string, client: string | null) => {
    const { work, end } = held(started, name);
    open.set(name, end);
    return queue.run(work, client).catch((error: AppError) => error.code);
  };
  const end = async (name: string) => {
    open.get(name)?.();
    await settled();
  };
  return { started, add, end, endAll: () => Promise.all([...open.keys()].map(end)) };
}

test('says whether it would reject a task because too many wait, and counts that', async () => {
  const queue = new FairQueue({ running: 1, waiting: 2, perClient: { running: 1, waiting: 1 } });
  const { add, endAll } = heldTasks(queue);
  const results = [add('a1', 'a')];
  expect(queue.rejectsAnyone()).toBe(false);
  results.push(add('a2', 'a'));
  // What is one client's own doing is said by `run`.
  expect(queue.rejectsAnyone()).toBe(false);
  results.push(add('b1', 'b'));
  expect([queue.rejectsAnyone(), queue.rejectsAnyone()]).toEqual([true, true]);
  expect(queue.refused).toEqual({ all: 2, one: 0 });
  await endAll();
  await endAll();
  expect(await Promise.all(results)).toHaveLength(3);
});

test('a client with one task waits for one task of a client with many', async () => {
  const queue = new FairQueue({ running: 1, waiting: 100 });
  const { started, add, end, endAll } = heldTasks(queue);
  const results = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => add(name, 'a'));
  results.push(add('b1', 'b'), add('c1', 'c'), add('b2', 'b'));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await endAll();
  await endAll();
  expect(await Promise.all(results)).toHaveLength(8);
});

test('limits the running and waiting tasks of a client, while others start at once', async () => {
  const queue = new FairQueue({ running: 4, waiting: 100, perClient: { running: 2, waiting: 3 } });
  const { started, add, end, endAll } = heldTasks(queue);
  const results = Array.from({ length: 7 }, (_, index) => add(`a${index}`, 'a'));
  expect([await results[5], await results[6], queue.refused]).toEqual(['too_many_requests', 'too_many_requests', { all: 0, one: 2 }]);
  results.push(add('b0', 'b'));
  await settled();
  expect(started).toEqual(['a0', 'a1', 'b0']);
  await end('a0');
  expect(started.at(-1)).toBe('a2');
  // Tasks without a client have no limit of their own.
  results.push(add('m0', null), add('m1', null));
  await settled();
  expect(started.slice(-1)).toEqual(['m0']);
  await endAll();
  await endAll();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
  await Promise.all(results);
});

test('starts what has room and rejects the rest when nothing may wait', async () => {
  const queue = new FairQueue({ running: 2, waiting: 0, perClient: { running: 1, waiting: 9 } });
  const { started, add, endAll } = heldTasks(queue);
  const results = [add('a1', 'a'), add('a2', 'a'), add('b1', 'b'), add('c1', 'c')];
  expect([await results[1], await results[3]]).toEqual(['overloaded', 'overloaded']);
  await settled();
  expect(started).toEqual(['a1', 'b1']);
  await endAll();
  await Promise.all(results);
});

test('rejects a task at once that would wait longer than its limit, as its client’s own doing or not', async () => {
  const queue = new FairQueue({ running: 2, waiting: 100, perClient: { running: 1, waiting: 100 }, longestWaitMs: 120_000 });
  const now = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValueOnce(30_000);
  onTestFinished(() => now.mockRestore());
  // The queue learns that a task takes half a minute.
  await queue.run(async () => {});
  const { started, add, endAll } = heldTasks(queue);
  const results = ['a1', 'a2', 'a3', 'a4'].map((name) => add(name, 'a'));
  expect(queue.waiting).toBe(3);
  expect(await add('a5', 'a')).toBe('too_many_requests');
  results.push(add('b1', 'b'), add('c1', 'c'), add('d1', 'd'), add('e1', 'e'));
  expect(await add('f1', 'f')).toBe('overloaded');
  expect([queue.refused, queue.waiting]).toEqual([{ all: 1, one: 1 }, 6]);
  for (const _ of results) await endAll();
  expect(started).toHaveLength(8);
  await Promise.all(results);
});

test('rejects a task that has waited as long as its limit, while those before it hang', async () => {
  const queue = new FairQueue({ running: 1, waiting: 100, longestWaitMs: 20 });
  const { started, add, end } = heldTasks(queue);
  const results = [add('a1', 'a'), add('a2', 'a'), add('b1', 'b')];
  expect([await results[1], await results[2], queue.waiting]).toEqual(['overloaded', 'overloaded', 0]);
  await end('a1');
  const last = add('b2', 'b');
  await settled();
  await end('b2');
  expect([await last, started]).toEqual(['b2', ['a1', 'b2']]);
});

test('lets other work of the process run between tasks', async () => {
  const queue = new FairQueue({ running: 1, waiting: 100 });
  const log: string[] = [];
  const all = Array.from({ length: 5 }, (_, piece) => queue.run(async () => void log.push(`piece ${piece}`)));
  // New requests arrive once per turn of the event loop.
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    log.push('heard');
  }
  await Promise.all(all);
  expect(log.filter((one) => one === 'heard')).toHaveLength(3);
  expect(log.indexOf('heard')).toBeLessThan(log.indexOf('piece 2'));
  expect(log.lastIndexOf('heard')).toBeLessThan(log.indexOf('piece 4'));
});

test('hashes passwords on all but one thread, with at most 500 waiting', async () => {
  const many = Array.from({ length: 20 }, (_, index) => withPasswordHasher((able) => able.hash(`password ${index}`)));
  const { running, waiting } = passwordQueue;
  expect(running).toBeGreaterThanOrEqual(1);
  expect(running).toBeLessThanOrEqual(3);
  expect(running + waiting).toBe(20);
  const others = Array.from({ length: 600 }, () => withPasswordHasher(async () => 'ran').catch((error: AppError) => error.code));
  expect(passwordQueue.waiting).toBe(500);
  const outcomes = await Promise.all(others);
  expect(outcomes.filter((one) => one === 'busy')).toHaveLength(600 - (500 - waiting));
  expect((await Promise.all(many)).filter((hash) => hash.startsWith('$argon2id$'))).toHaveLength(20);
});
