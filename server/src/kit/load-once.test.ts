import { expect, test } from 'vitest';
import { loadOnce } from './load-once.ts';

test('loads on first use, once for all callers', async () => {
  let loads = 0;
  const load = loadOnce(async () => (loads += 1));
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('rejects for all waiting callers on failure, and retries for the next', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  const results = await Promise.allSettled([load(), load()]);
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await load()).toBe(2);
});
