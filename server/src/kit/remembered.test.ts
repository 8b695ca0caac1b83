import { expect, test } from 'vitest';
import { cacheBytes } from './bounds/cache-bytes.ts';
import { Remembered } from './remembered.ts';

/** A memory, and work that says how often it was done; it ends when it is told to. */
function memory() {
  const results = new Remembered<string>({ name: 'figures', seconds: 60 });
  let done = 0;
  const ends: (() => void)[] = [];
  const work = async () => {
    done += 1;
    const result = `answer ${done}`;
    await new Promise<void>((end) => ends.push(end));
    return result;
  };
  return { results, work, endAll: () => ends.splice(0).forEach((end) => end()), endLast: () => ends.pop()?.() };
}

test('what was worked out is remembered for its key until it is cleared', async () => {
  const results = new Remembered<string>({ name: 'figures', seconds: 60 });
  let done = 0;
  const work = async () => `answer ${(done += 1)}`;
  expect([await results.get('one', work), await results.get('one', work), results.peek('one')]).toEqual(Array(3).fill('answer 1'));
  expect(await results.get('other', work)).toBe('answer 2');
  results.clear();
  expect(results.peek('one')).toBeUndefined();
  expect(await results.get('one', work)).toBe('answer 3');
});

test('all who ask for the same at the same time wait for one answer', async () => {
  const { results, work, endAll } = memory();
  const asked = [results.get('one', work), results.get('one', work), results.get('one', work)];
  endAll();
  expect(await Promise.all(asked)).toEqual(Array(3).fill('answer 1'));
});

test('what was begun before a change is handed out, not kept, and nobody who asks after it gets it', async () => {
  const { results, work, endAll } = memory();
  const before = results.get('one', work);
  results.clear();
  const after = results.get('one', work);
  endAll();
  expect([await before, await after]).toEqual(['answer 1', 'answer 2']);
  expect(results.peek('one')).toBe('answer 2');
  const keep = results.begin('other');
  results.clear();
  keep('old');
  expect(results.peek('other')).toBeUndefined();
});

test('what was begun before a change and comes last does not take the place of what was begun after it', async () => {
  const { results, work, endAll, endLast } = memory();
  const before = results.get('one', work);
  results.clear();
  const after = results.get('one', work);
  endLast();
  expect(await after).toBe('answer 2');
  endAll();
  expect(await before).toBe('answer 1');
  expect(results.peek('one')).toBe('answer 2');
});

test('work that fails is not remembered', async () => {
  const results = new Remembered<string>({ name: 'figures', seconds: 60 });
  await expect(results.get('one', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(await results.get('one', async () => 'answer')).toBe('answer');
});

test('what is remembered takes no more memory than its kind may', () => {
  const results = new Remembered<string>({ name: 'figures', seconds: 60 });
  for (let index = 0; index < 30; index += 1) results.begin(`${index}`)('x'.repeat(cacheBytes.figures / 10));
  expect(results.bytes).toBeGreaterThan(cacheBytes.figures / 2);
  expect(results.bytes).toBeLessThanOrEqual(cacheBytes.figures);
  expect([results.peek('0'), results.peek('29') === undefined]).toEqual([undefined, false]);
});
