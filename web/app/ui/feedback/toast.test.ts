import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { exitMs, shownMs, createToastTimer } from './toast.tsx';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const started = () => {
  const end = vi.fn<() => void>();
  const timer = createToastTimer(end);
  timer.run();
  return { end, timer };
};

test('shows a toast for eight seconds and fades it out in 300 ms', () => {
  const { end } = started();
  vi.advanceTimersByTime(7999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledOnce();
  expect([shownMs, exitMs]).toEqual([8000, 300]);
});

test('pauses the timer while the pointer is over it, and resumes with the rest', () => {
  const { end, timer } = started();
  vi.advanceTimersByTime(5000);
  timer.pause();
  vi.advanceTimersByTime(60_000);
  expect(end).not.toHaveBeenCalled();
  timer.run();
  vi.advanceTimersByTime(2999);
  expect(end).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(end).toHaveBeenCalledOnce();
});

test('pauses once for pointer and focus, and never starts twice', () => {
  const { end, timer } = started();
  timer.run();
  vi.advanceTimersByTime(4000);
  timer.pause();
  timer.pause();
  timer.run();
  vi.advanceTimersByTime(4000);
  expect(end).toHaveBeenCalledOnce();
});
