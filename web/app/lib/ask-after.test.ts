import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askAfter } from './ask-after.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('what is typed is asked for once, when the pause is over', () => {
  const ask = vi.fn<(signal: AbortSignal) => void>();
  askAfter(120, ask);
  vi.advanceTimersByTime(119);
  expect(ask).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(ask).toHaveBeenCalledTimes(1);
});

test('of what is given up before, nothing is asked', () => {
  const ask = vi.fn<(signal: AbortSignal) => void>();
  askAfter(120, ask)();
  vi.advanceTimersByTime(500);
  expect(ask).not.toHaveBeenCalled();
});

test('an answer on its way is given up with its question', () => {
  const signals: AbortSignal[] = [];
  const giveUp = askAfter(120, (signal) => void signals.push(signal));
  vi.advanceTimersByTime(120);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  giveUp();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
