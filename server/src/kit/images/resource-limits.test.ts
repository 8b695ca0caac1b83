import { expect, test } from 'vitest';
import { limitConcurrency, createBudget } from './resource-limits.ts';

/** Work that runs until the test ends it. */
function startWork(within: (cost: number, work: () => Promise<void>) => Promise<void>) {
  const running: number[] = [];
  const ends = new Map<number, () => void>();
  const start = (cost: number) =>
    within(cost, () => {
      running.push(cost);
      return new Promise<void>((end) => void ends.set(cost, end)).finally(() => running.splice(running.indexOf(cost), 1));
    });
  const settled = () => new Promise((done) => void setImmediate(done));
  return {
    running,
    start,
    settled,
    async end(cost: number) {
      ends.get(cost)?.();
      await settled();
    },
  };
}

test('runs work concurrently within the budget, in order of arrival', async () => {
  const { running, start, settled, end } = startWork(createBudget(100));
  const all = [60, 40, 1, 39, 99].map(start);
  await settled();
  expect(running).toEqual([60, 40]);
  await end(40);
  expect(running).toEqual([60, 1, 39]);
  await end(60);
  // Cheap work does not overtake earlier work.
  const cheap = start(2);
  expect(running).toEqual([1, 39]);
  await end(1);
  await end(39);
  expect(running).toEqual([99]);
  await end(99);
  expect(running).toEqual([2]);
  await end(2);
  await Promise.all([...all, cheap]);
});

test('work above the budget runs alone', async () => {
  const { running, start, settled, end } = startWork(createBudget(100));
  const all = [10, 500, 20].map(start);
  await settled();
  expect(running).toEqual([10]);
  await end(10);
  expect(running).toEqual([500]);
  await end(500);
  expect(running).toEqual([20]);
  await end(20);
  await Promise.all(all);
});

test('failed work releases its share', async () => {
  const within = createBudget(1);
  const fails = within(1, () => Promise.reject(new Error('broken')));
  await expect(fails).rejects.toThrow('broken');
  expect(await within(1, async () => 'next')).toBe('next');
});

test('limits the number of concurrent tasks', async () => {
  const turn = limitConcurrency(2);
  const { running, start, settled, end } = startWork((_, work) => turn(work));
  const all = [1, 2, 3].map(start);
  await settled();
  expect(running).toEqual([1, 2]);
  await end(2);
  expect(running).toEqual([1, 3]);
  await end(1);
  await end(3);
  await Promise.all(all);
});
