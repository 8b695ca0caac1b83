import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { AppError } from '../errors.ts';
import { passwordTurns, withPasswords } from '../identity/password.ts';
import { NetworkWork } from './network-work.ts';
import { Turns } from './turns.ts';

/** Work that ends when it is told to. */
function held(log: string[], name: string) {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const work = () => {
    log.push(name);
    return promise;
  };
  return { work, end: () => resolve(name), fail: () => reject(new Error(name)) };
}
/** Lets everything happen that waits for nothing but its turn. */
async function settled() {
  await setImmediate();
  await setImmediate();
}

test('two run at a time, the others in the order in which they came, whether those before end well or not', async () => {
  const turns = new Turns({ running: 2, waiting: 10 });
  const begun: string[] = [];
  const works = ['a', 'b', 'c', 'd', 'e'].map((name) => held(begun, name));
  const ends = works.map(({ work }) => turns.run(work).catch((error: Error) => `failed ${error.message}`));
  await settled();
  expect(begun).toEqual(['a', 'b']);
  works[1]?.fail();
  await settled();
  expect(begun).toEqual(['a', 'b', 'c']);
  works[0]?.end();
  await settled();
  expect([begun, turns.running, turns.waiting]).toEqual([['a', 'b', 'c', 'd'], 2, 1]);
  for (const { end } of works) end();
  expect(await Promise.all(ends)).toEqual(['a', 'failed b', 'c', 'd', 'e']);
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
});

test('whoever comes while others wait does not slip in before them', async () => {
  const turns = new Turns({ running: 1, waiting: 10 });
  const begun: string[] = [];
  const [first, second, third] = [held(begun, 'first'), held(begun, 'second'), held(begun, 'third')];
  const one = turns.run(first.work);
  const two = turns.run(second.work);
  first.end();
  await one;
  const three = turns.run(third.work);
  await settled();
  expect(begun).toEqual(['first', 'second']);
  second.end();
  third.end();
  await Promise.all([two, three]);
  expect(begun).toEqual(['first', 'second', 'third']);
});

test('more than may wait are refused at once, and told to come back', async () => {
  const turns = new Turns({ running: 1, waiting: 2 });
  const works = ['a', 'b', 'c'].map((name) => held([], name));
  const ends = works.map(({ work }) => turns.run(work));
  const refusal = await turns.run(async () => 'd').catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(AppError);
  expect(refusal).toMatchObject({ code: 'overloaded', retryAfterSeconds: 2 });
  expect(turns.refused).toEqual({ all: 1, one: 0 });
  for (const { end } of works) end();
  await Promise.all(ends);
});

/** Pieces of work that are held, each begun with whose it is: the names of those that began, in their order. */
function heldTurns(turns: Turns) {
  const begun: string[] = [];
  const open = new Map<string, () => void>();
  const ask = (name: string, by: string | null, weight = 1) => {
    const { work, end } = held(begun, name);
    open.set(name, end);
    return turns.run(work, { by, weight }).catch((error: AppError) => error.code);
  };
  const end = async (name: string) => {
    open.get(name)?.();
    await settled();
  };
  return { begun, ask, end, endAll: () => Promise.all([...open.keys()].map(end)) };
}

test('whoever asks for little waits for one piece of those who ask for much, and not for all of them', async () => {
  const turns = new Turns({ running: 1, waiting: 100 });
  const { begun, ask, end, endAll } = heldTurns(turns);
  const asked = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => ask(name, 'a'));
  asked.push(ask('b1', 'b'), ask('c1', 'c'), ask('b2', 'b'));
  for (const name of ['a1', 'a2', 'b1', 'c1', 'a3', 'b2']) await end(name);
  expect(begun).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  await endAll();
  await endAll();
  expect(await Promise.all(asked)).toHaveLength(8);
});

test('one network has no more at work or waiting than its own share, while others begin at once', async () => {
  const turns = new Turns({ running: 4, waiting: 100, ofOne: { running: 2, waiting: 3 } });
  const { begun, ask, end, endAll } = heldTurns(turns);
  const asked = Array.from({ length: 7 }, (_, index) => ask(`a${index}`, 'a'));
  expect([await asked[5], await asked[6], turns.refused]).toEqual(['too_many_requests', 'too_many_requests', { all: 0, one: 2 }]);
  asked.push(ask('b0', 'b'));
  await settled();
  expect(begun).toEqual(['a0', 'a1', 'b0']);
  await end('a0');
  expect(begun.at(-1)).toBe('a2');
  // Those of whom nobody keeps count have all of it.
  asked.push(ask('m0', null), ask('m1', null));
  await settled();
  expect(begun.slice(-1)).toEqual(['m0']);
  await endAll();
  await endAll();
  expect([turns.running, turns.waiting]).toEqual([0, 0]);
  await Promise.all(asked);
});

test('where nothing may wait, what has room begins and the rest is refused', async () => {
  const turns = new Turns({ running: 2, waiting: 0, ofOne: { running: 1, waiting: 9 } });
  const { begun, ask, endAll } = heldTurns(turns);
  const asked = [ask('a1', 'a'), ask('a2', 'a'), ask('b1', 'b'), ask('c1', 'c')];
  expect([await asked[1], await asked[3]]).toEqual(['overloaded', 'overloaded']);
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  await endAll();
  await Promise.all(asked);
});

test('heavy work leaves less room beside it, and is not passed by light work that came later', async () => {
  const turns = new Turns({ running: 4, waiting: 100 });
  const { begun, ask, end, endAll } = heldTurns(turns);
  const asked = [ask('light', 'a'), ask('heavy', 'b', 4), ask('later', 'c')];
  await settled();
  expect([begun, turns.running]).toEqual([['light'], 1]);
  await end('light');
  expect([begun, turns.running]).toEqual([['light', 'heavy'], 4]);
  await end('heavy');
  expect(begun.at(-1)).toBe('later');
  await endAll();
  // What weighs more than everything still has its turn, alone.
  asked.push(ask('heaviest', 'a', 50));
  await settled();
  expect([begun.at(-1), turns.running]).toEqual(['heaviest', 4]);
  await endAll();
  await Promise.all(asked);
});

test('heavy work that waits for its own network’s share holds up nobody else', async () => {
  const turns = new Turns({ running: 4, waiting: 100, ofOne: { running: 2, waiting: 9 } });
  const { begun, ask, end, endAll } = heldTurns(turns);
  const asked = [ask('a1', 'a', 3), ask('a2', 'a', 3), ask('b1', 'b')];
  await settled();
  expect(begun).toEqual(['a1', 'b1']);
  await end('a1');
  expect(begun.at(-1)).toBe('a2');
  await endAll();
  await Promise.all(asked);
});

test('work counts for the network that asked for it, by its share of the time, and whoever has had its part is refused', async () => {
  const times = vi.spyOn(performance, 'now');
  const at = (ms: number) => void times.mockReturnValue(1_000 + ms);
  at(0);
  const charges = new NetworkWork({ milliseconds: 100, windowMs: 1_000 }, () => 0);
  const turns = new Turns({ running: 4, waiting: 100 }, charges);
  const [a, b, inner] = [held([], 'a'), held([], 'b'), held([], 'inner')];
  const asked = [turns.run(a.work, { by: 'a' }), turns.run(b.work, { by: 'b' })];
  const within = turns.run(inner.work, { by: 'inner', isCharged: false });
  await settled();
  at(60);
  inner.end();
  await within;
  at(300);
  for (const { end } of [a, b]) end();
  await Promise.all(asked);
  times.mockRestore();
  // Each had 20 of the first 60 ms, and 120 of the rest.
  expect([charges.waitOf('a') > 0, charges.waitOf('b') > 0, charges.waitOf('inner')]).toEqual([true, true, 0]);
  expect(await turns.run(async () => 'done', { by: 'a' }).catch((error: AppError) => error.code)).toBe('too_many_requests');
  expect(turns.refused).toEqual({ all: 0, one: 1 });
  expect(await turns.run(async () => 'done', { by: 'a', isCharged: false })).toBe('done');
  expect(await turns.run(async () => 'done', { by: 'c' })).toBe('done');
  expect(await turns.run(async () => 'done')).toBe('done');
});

test('pieces that wait for nothing but their turn let in between whoever else has come', async () => {
  const turns = new Turns({ running: 1, waiting: 100 });
  const log: string[] = [];
  const all = Array.from({ length: 5 }, (_, piece) => turns.run(async () => void log.push(`piece ${piece}`)));
  // What a connection brings is heard of once in each round of the loop.
  for (let round = 0; round < 3; round += 1) {
    await setImmediate();
    log.push('heard');
  }
  await Promise.all(all);
  expect(log.filter((one) => one === 'heard')).toHaveLength(3);
  expect(log.indexOf('heard')).toBeLessThan(log.indexOf('piece 2'));
  expect(log.lastIndexOf('heard')).toBeLessThan(log.indexOf('piece 4'));
});

test('a network that has had much rests after each piece twice as long as it took, and nobody else does', async () => {
  const charges = new NetworkWork({ milliseconds: 1_000_000, windowMs: 1_000_000_000 });
  const paced = (from: number) =>
    new Turns({ running: 4, waiting: 100, ofOne: { running: 2, waiting: 100, rest: { from, times: 2 } } }, charges);
  const turns = paced(10);
  await turns.run(() => pause(30), { by: 'a' });
  const rested = performance.now();
  const waits = [1, 2].map(() => turns.run(async () => performance.now() - rested, { by: 'a' }));
  expect(turns.waiting).toBe(2);
  for (const by of ['b', null]) await turns.run(async () => expect(turns.waiting).toBe(2), { by });
  // Twice the thirty; a timer may be a moment early.
  for (const waited of await Promise.all(waits)) expect(waited).toBeGreaterThan(55);
  expect([turns.running, turns.waiting, turns.refused]).toEqual([0, 0, { all: 0, one: 0 }]);

  // Whoever has had little goes on at once.
  const others = paced(1_000_000);
  await others.run(() => pause(30), { by: 'a' });
  const next = others.run(async () => 'next', { by: 'a' });
  expect(others.waiting).toBe(0);
  expect(await next).toBe('next');
});

test('password hashes leave a thread of the pool to files, and 500 wait at most', async () => {
  const many = Array.from({ length: 20 }, (_, index) => withPasswords((able) => able.hash(`password ${index}`)));
  const { running, waiting } = passwordTurns;
  expect(running).toBeGreaterThanOrEqual(1);
  expect(running).toBeLessThanOrEqual(3);
  expect(running + waiting).toBe(20);
  const others = Array.from({ length: 600 }, () => withPasswords(async () => 'had its turn').catch((error: AppError) => error.code));
  expect(passwordTurns.waiting).toBe(500);
  const outcomes = await Promise.all(others);
  expect(outcomes.filter((one) => one === 'busy')).toHaveLength(600 - (500 - waiting));
  expect((await Promise.all(many)).filter((hash) => hash.startsWith('$argon2id$'))).toHaveLength(20);
});
