import { beforeEach, expect, test, vi } from 'vitest';
import { getLoginPath } from '../../lib/session/redirect.ts';
import { pendingSave } from './pending-save.ts';
import { stubLocalStorage } from '../../lib/testing/local-storage.ts';

beforeEach(() => {
  stubLocalStorage();
  return () => vi.unstubAllGlobals();
});

const hour = 3_600_000;

test('returns a pending action once', () => {
  pendingSave.store('one', 0);
  expect([pendingSave.take(1), pendingSave.take(1)]).toEqual(['one', null]);
});

test('expires after an hour, and keeps only the last action', () => {
  pendingSave.store('old', 0);
  pendingSave.store('new', 0);
  expect(pendingSave.take(hour - 1)).toBe('new');
  pendingSave.store('late', 0);
  expect(pendingSave.take(hour)).toBe(null);
});

test('ignores invalid stored actions', () => {
  for (const text of ['', 'no json', '{}', '{"wish":5,"until":9e15}', '{"wish":"x","until":"never"}', 'null']) {
    localStorage.setItem('saveWish', text);
    expect(pendingSave.take(0)).toBe(null);
  }
});

const id = '0190f2c4-0000-7000-8000-000000000001';

test('carries a pending save through the login', () => {
  const back = pendingSave.addTo('/services/plumbing?page=2', id);
  const { search } = new URL(getLoginPath(back), 'https://own.invalid');
  expect(pendingSave.read(search)).toBe(id);
  expect(pendingSave.read(back.slice(back.indexOf('?')))).toBe(id);
  expect(pendingSave.addTo('/services/plumbing', id)).toBe(`/services/plumbing?save=${id}`);
});

test.each(['', '?save=', '?save=everything', `?save=${id}0`, '?redirect=/services', '?redirect=/services?save=all'])(
  'finds no pending action in %j',
  (search) => {
    expect(pendingSave.read(search)).toBeNull();
  },
);

test('removes only its own parameter from an address', () => {
  expect(pendingSave.without(`?page=2&save=${id}`)).toBe('?page=2');
  expect(pendingSave.without(`?save=${id}`)).toBe('');
});
