import { beforeEach, expect, test, vi } from 'vitest';
import { rememberSaveWish, takeSaveWish } from './save-wish.ts';

beforeEach(() => {
  const stored = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  return () => vi.unstubAllGlobals();
});

const hour = 3_600_000;

test('a wish is taken once', () => {
  rememberSaveWish('one', 0);
  expect([takeSaveWish(1), takeSaveWish(1)]).toEqual(['one', null]);
});

test('a wish holds for an hour and not longer, and the last one counts', () => {
  rememberSaveWish('old', 0);
  rememberSaveWish('new', 0);
  expect(takeSaveWish(hour - 1)).toBe('new');
  rememberSaveWish('late', 0);
  expect(takeSaveWish(hour)).toBe(null);
});

test('what others wrote there is no wish', () => {
  for (const text of ['', 'no json', '{}', '{"listingId":5,"until":9e15}', '{"listingId":"x","until":"never"}', 'null']) {
    localStorage.setItem('saveWish', text);
    expect(takeSaveWish(0)).toBe(null);
  }
});
