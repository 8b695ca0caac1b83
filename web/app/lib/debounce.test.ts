import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { debounce } from './debounce.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test('runs once, after the pause', () => {
  const work = vi.fn<(signal: AbortSignal) => void>();
  debounce(120, work);
  vi.advanceTimersByTime(119);
  expect(work).not.toHaveBeenCalled();
  vi.advanceTimersByTime(500);
  expect(work).toHaveBeenCalledTimes(1);
});

test('does not run when cancelled during the pause', () => {
  const work = vi.fn<(signal: AbortSignal) => void>();
  debounce(120, work)();
  vi.advanceTimersByTime(500);
  expect(work).not.toHaveBeenCalled();
});

test('aborts work that is running when cancelled', () => {
  const signals: AbortSignal[] = [];
  const cancel = debounce(120, (signal) => void signals.push(signal));
  vi.advanceTimersByTime(120);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  cancel();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});
