import { beforeEach, expect, test, vi } from 'vitest';
import { loginPath } from '../../lib/session/redirect.ts';
import { saveWish } from './pending-save.ts';

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
  saveWish.remember('one', 0);
  expect([saveWish.take(1), saveWish.take(1)]).toEqual(['one', null]);
});

test('a wish holds for an hour and not longer, and the last one counts', () => {
  saveWish.remember('old', 0);
  saveWish.remember('new', 0);
  expect(saveWish.take(hour - 1)).toBe('new');
  saveWish.remember('late', 0);
  expect(saveWish.take(hour)).toBe(null);
});

test('what others wrote there is no wish', () => {
  for (const text of ['', 'no json', '{}', '{"wish":5,"until":9e15}', '{"wish":"x","until":"never"}', 'null']) {
    localStorage.setItem('saveWish', text);
    expect(saveWish.take(0)).toBe(null);
  }
});

const id = '0190f2c4-0000-7000-8000-000000000001';

test('the way to the login and back carries what a heart wishes', () => {
  const back = saveWish.withWish('/services/plumbing?page=2', id);
  const { search } = new URL(loginPath(back), 'https://own.invalid');
  expect(saveWish.read(search)).toBe(id);
  expect(saveWish.read(back.slice(back.indexOf('?')))).toBe(id);
  expect(saveWish.withWish('/services/plumbing', id)).toBe(`/services/plumbing?save=${id}`);
});

test.each(['', '?save=', '?save=everything', `?save=${id}0`, '?redirect=/services', '?redirect=/services?save=all'])(
  '%j wishes nothing',
  (search) => {
    expect(saveWish.read(search)).toBeNull();
  },
);

test('an address that has done its work keeps the rest', () => {
  expect(saveWish.without(`?page=2&save=${id}`)).toBe('?page=2');
  expect(saveWish.without(`?save=${id}`)).toBe('');
});
