import { beforeEach, expect, test, vi } from 'vitest';
import { deletePendingMessage, hasPendingMessage, takePendingMessage, setPendingMessage } from './pending-message.ts';
import { stubLocalStorage } from '../../../lib/testing/local-storage.ts';

beforeEach(() => {
  stubLocalStorage();
  return () => vi.unstubAllGlobals();
});

const hour = 3_600_000;
const id = '0190f2c4-0000-7000-8000-000000000001';
const other = '0190f2c4-0000-7000-8000-000000000002';

test('returns a pending message once, for its listing only', () => {
  setPendingMessage(id, 0);
  expect(takePendingMessage(other, 1)).toBeNull();
  expect(takePendingMessage(id, 1)).toMatch(/^[\da-f-]{36}$/);
  expect(takePendingMessage(id, 1)).toBeNull();
});

test('keeps the id of a pending message while typing, and restarts its hour', () => {
  setPendingMessage(id, 0);
  const first = localStorage.getItem('messageWish') ?? '';
  setPendingMessage(id, hour - 1);
  expect(takePendingMessage(id, 2 * hour - 2)).toBe((JSON.parse(first) as { clientId: string }).clientId);
});

test('expires after an hour, and is gone once deleted', () => {
  setPendingMessage(id, 0);
  expect([hasPendingMessage(id, hour - 1), hasPendingMessage(id, hour)]).toEqual([true, false]);
  expect(takePendingMessage(id, hour)).toBeNull();
  setPendingMessage(id, 0);
  deletePendingMessage();
  expect(hasPendingMessage(id, 1)).toBe(false);
});

test('ignores invalid stored actions', () => {
  for (const text of ['', 'no json', '{}', 'null', `{"listingId":"${id}","until":9e15}`, `{"listingId":"${id}","clientId":"x"}`]) {
    localStorage.setItem('messageWish', text);
    expect(hasPendingMessage(id, 0)).toBe(false);
  }
});
