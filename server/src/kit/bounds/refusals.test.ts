import { expect, test } from 'vitest';
import { Refusals } from './refusals.ts';

function refusals(limits: { held?: number } = {}) {
  let now = 0;
  const waiting: { ms: number; end: () => void }[] = [];
  const wait = (ms: number) => new Promise<void>((end) => void waiting.push({ ms, end }));
  const all = new Refusals({ atOnce: 3, windowMs: 60_000, heldMs: 1_000, held: 100, ...limits, wait }, () => now);
  /** Whether somebody of this network is told at once. */
  const isAtOnce = async (network: string | null) => {
    const before = all.held;
    const told = all.hold(network);
    if (all.held > before) return false;
    await told;
    return true;
  };
  return { all, waiting, isAtOnce, pass: (ms: number) => void (now += ms) };
}

test('a network is told a few times at once that it is refused, then it waits, and others do not', async () => {
  const { isAtOnce, pass, waiting } = refusals();
  for (const turn of [1, 2, 3]) expect([turn, await isAtOnce('a')]).toEqual([turn, true]);
  expect([await isAtOnce('a'), await isAtOnce('a'), await isAtOnce('b')]).toEqual([false, false, true]);
  expect(waiting.map(({ ms }) => ms)).toEqual([1_000, 1_000]);
  pass(59_999);
  expect(await isAtOnce('a')).toBe(false);
  pass(1);
  for (const turn of [1, 2, 3]) expect([turn, await isAtOnce('a')]).toEqual([turn, true]);
  expect(await isAtOnce('a')).toBe(false);
});

test('nobody waits where nobody is counted', async () => {
  const { isAtOnce } = refusals();
  for (let turn = 0; turn < 10; turn += 1) expect(await isAtOnce(null)).toBe(true);
});

test('only so many are held back at the same time, and each makes room when it is told', async () => {
  const { all, isAtOnce, waiting } = refusals({ held: 2 });
  for (let turn = 0; turn < 3; turn += 1) await isAtOnce('a');
  expect([await isAtOnce('a'), await isAtOnce('a'), await isAtOnce('a'), all.held]).toEqual([false, false, true, 2]);
  waiting[0]?.end();
  await expect.poll(() => all.held).toBe(1);
  expect([await isAtOnce('a'), await isAtOnce('a'), all.held]).toEqual([false, true, 2]);
});

test('whom it remembers is bounded: a network that was refused before ten thousand others begins anew', async () => {
  const { isAtOnce } = refusals();
  for (let turn = 0; turn < 4; turn += 1) await isAtOnce('a');
  for (let other = 0; other < 1_000; other += 1) await isAtOnce(`203.0.113.0/24 ${other}`);
  expect(await isAtOnce('a')).toBe(false);
  for (let other = 0; other < 10_000; other += 1) await isAtOnce(`198.51.100.0/24 ${other}`);
  expect(await isAtOnce('a')).toBe(true);
});
