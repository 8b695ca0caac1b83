import { expect, test } from 'vitest';
import { usualBounds } from './bounds.ts';
import { NetworkWork } from './network-work.ts';

function work(limits = { milliseconds: 100, windowMs: 1_000 }) {
  let now = 0;
  const had = new NetworkWork(limits, () => now);
  return { had, pass: (ms: number) => void (now += ms) };
}

test('a network may have its work at once, then waits, and has all of it again after the window', () => {
  const { had, pass } = work();
  had.charge('a', 99);
  expect(had.waitOf('a')).toBe(0);
  had.charge('a', 51);
  // 50 too many and a tenth to spend, of 100 a second.
  expect(had.waitOf('a')).toBeCloseTo(0.6);
  expect(had.waitOf('b')).toBe(0);
  pass(500);
  expect(had.waitOf('a')).toBeCloseTo(0.1);
  pass(1);
  expect(had.waitOf('a')).toBe(0);
  pass(10_000);
  // What nobody used is not saved up.
  had.charge('a', 99);
  expect(had.waitOf('a')).toBe(0);
  had.charge('a', 1);
  expect(had.waitOf('a')).toBeGreaterThan(0);
});

test('work of nobody counts for nobody', () => {
  const { had } = work();
  had.charge(null, 1_000);
  expect(had.waitOf('null')).toBe(0);
});

test('a household that opens ten new pages a second for a minute never notices', () => {
  const { had, pass } = work(usualBounds.networkWork);
  for (let page = 0; page < 600; page += 1) {
    expect(had.waitOf('home')).toBe(0);
    had.charge('home', 30);
    pass(100);
  }
});
