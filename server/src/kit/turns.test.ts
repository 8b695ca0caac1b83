import { expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { passwordTurns, withPasswords } from './identity/password.ts';
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
const settled = () => new Promise((resolve) => setImmediate(resolve));

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
  expect(refusal).toMatchObject({ code: 'busy', retryAfterSeconds: 2 });
  for (const { end } of works) end();
  await Promise.all(ends);
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
