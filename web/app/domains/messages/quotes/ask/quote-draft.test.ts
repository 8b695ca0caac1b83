import { beforeEach, expect, test, vi } from 'vitest';
import { getLoginPath, getSafeRedirect } from '../../../../lib/session/redirect.ts';
import {
  hasSendParameter,
  deleteQuoteDraft,
  createEmptyDraft,
  hasPendingQuotes,
  saveQuoteDraft,
  leadsToSending,
  readQuoteDraft,
  sendPath,
  takePendingQuotes,
  setPendingQuotes,
} from './quote-draft.ts';
import { stubLocalStorage } from '../../../../lib/testing/local-storage.ts';

beforeEach(() => {
  stubLocalStorage();
  return () => vi.unstubAllGlobals();
});

const hour = 3_600_000;
const draft = {
  ...createEmptyDraft(),
  job: 'A tap drips.',
  category: 'Plumbing',
  place: 'Hamilton, Waikato',
  when: 'date' as const,
  date: '2027-03-01',
  picks: [{ listingId: 'one', name: 'Kingi & Daughters', title: 'Plumber' }],
  photos: [{ id: 'photo', name: 'tap.jpg' }],
  sent: [{ listingId: 'one', conversationId: 'talk' }],
};

test('stores a described job under one id until it is deleted', () => {
  saveQuoteDraft(draft);
  expect(readQuoteDraft()).toEqual(draft);
  deleteQuoteDraft();
  expect(readQuoteDraft()).toEqual({ ...createEmptyDraft(), clientId: expect.stringMatching(/^[\da-f-]{36}$/) });
  expect(readQuoteDraft().clientId).not.toBe(draft.clientId);
});

test.each([
  ['no json', '{'],
  ['nothing', 'null'],
  ['other kinds', '{"job":7,"category":null,"when":"soon","date":1,"clientId":""}'],
  ['lists of other things', '{"picks":[{"listingId":"x"}],"photos":[null],"sent":[{"listingId":"x"}],"place":[]}'],
  ['other names', '{"constructor":"x","toString":"y"}'],
])('ignores an invalid draft: %s', (_, text) => {
  localStorage.setItem('quoteDraft', text);
  const empty = createEmptyDraft();
  expect(readQuoteDraft()).toEqual({ ...empty, clientId: expect.stringMatching(/^[\da-f-]{36}$/) });
});

test('reads the valid parts of a draft', () => {
  localStorage.setItem('quoteDraft', JSON.stringify({ ...draft, when: 'soon', picks: 'all' }));
  expect(readQuoteDraft()).toEqual({ ...draft, when: 'flexible', picks: [] });
});

test('a receiver that cannot be read is lost alone', () => {
  localStorage.setItem('quoteDraft', JSON.stringify({ ...draft, sent: [{ listingId: 'x' }, null, ...draft.sent], colour: 'blue' }));
  expect(readQuoteDraft()).toEqual(draft);
});

test('returns pending quotes once, and only within an hour', () => {
  expect(takePendingQuotes(0)).toBe(false);
  setPendingQuotes(0);
  expect([hasPendingQuotes(hour - 1), hasPendingQuotes(hour)]).toEqual([true, false]);
  expect([takePendingQuotes(hour - 1), takePendingQuotes(hour - 1)]).toEqual([true, false]);
  setPendingQuotes(0);
  expect(takePendingQuotes(hour)).toBe(false);
  expect(takePendingQuotes(1)).toBe(false);
});

test('leads through the account back to sending', () => {
  const back = new URL(getLoginPath(sendPath), 'https://own.invalid').searchParams.get('redirect');
  const target = getSafeRedirect(back);
  expect([leadsToSending(target), hasSendParameter(new URL(target, 'https://own.invalid').search)]).toEqual([true, true]);
  for (const other of ['/get-quotes', '/get-quotes?category=plumbing', '/listing/1?send', '/get-quotes?sender'])
    expect(leadsToSending(other)).toBe(false);
  expect(hasSendParameter('?category=plumbing')).toBe(false);
});
