import { expect, test } from 'vitest';
import { cacheBytes } from './bounded-cache.ts';
import { ResultCache } from './result-cache.ts';
import { TagVersions } from './tag-versions.ts';

const open = () => new ResultCache<string>({ name: 'facts', seconds: 60 });

/** A cache, and a computation that counts its runs and ends when the test says so. */
function withComputation() {
  let runs = 0;
  const ends: (() => void)[] = [];
  const compute = async () => {
    runs += 1;
    const result = `result ${runs}`;
    await new Promise<void>((end) => ends.push(end));
    return result;
  };
  return { cache: open(), compute, endAll: () => ends.splice(0).forEach((end) => end()), endLast: () => ends.pop()?.() };
}

test('caches a result per key until it is cleared', async () => {
  const cache = open();
  let runs = 0;
  const compute = async () => `result ${(runs += 1)}`;
  expect([await cache.get('one', compute), await cache.get('one', compute), cache.peek('one')]).toEqual(Array(3).fill('result 1'));
  expect(await cache.get('other', compute)).toBe('result 2');
  cache.clear();
  expect(cache.peek('one')).toBeUndefined();
  expect(await cache.get('one', compute)).toBe('result 3');
});

test('simultaneous callers share one computation', async () => {
  const { cache, compute, endAll } = withComputation();
  const results = [cache.get('one', compute), cache.get('one', compute), cache.get('one', compute)];
  endAll();
  expect(await Promise.all(results)).toEqual(Array(3).fill('result 1'));
});

test('returns a result that was cleared meanwhile to its caller only', async () => {
  const { cache, compute, endAll } = withComputation();
  const before = cache.get('one', compute);
  cache.clear();
  const after = cache.get('one', compute);
  endAll();
  expect([await before, await after]).toEqual(['result 1', 'result 2']);
  expect(cache.peek('one')).toBe('result 2');
});

test('a late result from before a change does not replace the one from after it', async () => {
  const { cache, compute, endAll, endLast } = withComputation();
  const before = cache.get('one', compute);
  cache.clear();
  const after = cache.get('one', compute);
  endLast();
  expect(await after).toBe('result 2');
  endAll();
  expect(await before).toBe('result 1');
  expect(cache.peek('one')).toBe('result 2');
});

test('invalidates the results that have a tag, and no others', async () => {
  const tagVersions = new TagVersions();
  const cache = new ResultCache<string>({ name: 'facts', seconds: 60, tagVersions });
  for (const tag of ['a', 'b']) await cache.get(tag, async () => tag, [tag]);
  tagVersions.invalidate(['a']);
  expect([cache.peek('a'), cache.peek('b')]).toEqual([undefined, 'b']);
});

test('caches no failure', async () => {
  const cache = open();
  await expect(cache.get('one', () => Promise.reject(new Error('no database')))).rejects.toThrow('no database');
  expect(await cache.get('one', async () => 'result')).toBe('result');
});

test('evicts the least recently used results once its memory is used up', async () => {
  const cache = open();
  const size = cacheBytes.facts / 10;
  for (let index = 0; index < 30; index += 1) await cache.get(`${index}`, async () => 'x'.repeat(size));
  const left = Array.from({ length: 30 }, (_, index) => cache.peek(`${index}`)).filter((value) => value !== undefined).length;
  expect(left).toBeGreaterThan(5);
  expect(left * size).toBeLessThanOrEqual(cacheBytes.facts);
  expect([cache.peek('0'), cache.peek('29') === undefined]).toEqual([undefined, false]);
});
