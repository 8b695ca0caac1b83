import { expect, test } from 'vitest';
import { Tarpit } from './tarpit.ts';

function open({ free = 2, maxDelayed = 100 } = {}) {
  const ends: (() => void)[] = [];
  const clock = { now: 0 };
  const wait = () => new Promise<void>((end) => void ends.push(end));
  const tarpit = new Tarpit({ free, windowMs: 60_000, delayMs: 1_000, maxDelayed, wait }, () => clock.now);
  return { tarpit, ends, clock };
}
const isDelayed = async (delay: Promise<void>) => {
  const first = await Promise.race([delay.then(() => 'sent'), new Promise((done) => setImmediate(done, 'delayed'))]);
  return first === 'delayed';
};

test('delays the rejections of a network after the free ones, and not those of others', async () => {
  const { tarpit, ends } = open();
  expect([await isDelayed(tarpit.delay('a')), await isDelayed(tarpit.delay('a'))]).toEqual([false, false]);
  const third = tarpit.delay('a');
  expect([await isDelayed(third), await isDelayed(tarpit.delay('b')), await isDelayed(tarpit.delay(null))]).toEqual([true, false, false]);
  ends[0]?.();
  await third;
});

test('starts again after the window', async () => {
  const { tarpit, clock } = open({ free: 1 });
  await tarpit.delay('a');
  clock.now = 59_999;
  expect(await isDelayed(tarpit.delay('a'))).toBe(true);
  clock.now = 60_000;
  expect(await isDelayed(tarpit.delay('a'))).toBe(false);
});

test('delays no more responses at the same time than its limit', async () => {
  const { tarpit, ends } = open({ free: 0, maxDelayed: 2 });
  const delays = [tarpit.delay('a'), tarpit.delay('a')];
  expect(await isDelayed(tarpit.delay('a'))).toBe(false);
  ends[0]?.();
  await delays[0];
  expect(await isDelayed(tarpit.delay('a'))).toBe(true);
});
