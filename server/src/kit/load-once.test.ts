import { expect, test } from 'vitest';
import { loadOnce } from './load-once.ts';

test('it is loaded when it is first asked for, and once for all who ask', async () => {
  let loads = 0;
  const load = loadOnce(async () => (loads += 1));
  expect(loads).toBe(0);
  expect(await Promise.all([load(), load()])).toEqual([1, 1]);
  expect(await load()).toBe(1);
});

test('what failed is told to all who asked, and tried again for whoever asks next', async () => {
  let loads = 0;
  const load = loadOnce(async () => {
    loads += 1;
    if (loads === 1) throw new Error('too many open files');
    return loads;
  });
  const asked = await Promise.allSettled([load(), load()]);
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await load()).toBe(2);
});
