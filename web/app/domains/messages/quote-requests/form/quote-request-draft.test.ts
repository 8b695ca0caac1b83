import { beforeEach, expect, test, vi } from 'vitest';
import { getLoginPath, getSafeRedirect } from '../../../../lib/session/redirect.ts';
import {
  hasSendParameter,
  deleteQuoteRequestDraft,
  createEmptyDraft,
  hasPendingQuoteRequest,
  saveQuoteRequestDraft,
  leadsToSending,
  readQuoteRequestDraft,
  sendPath,
  takePendingQuoteRequest,
  setPendingQuoteRequest,
} from './quote-request-draft.ts';
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
  saveQuoteRequestDraft(draft);
  expect(readQuoteRequestDraft()).toEqual(draft);
  deleteQuoteRequestDraft();
  expect(readQuoteRequestDraft()).toEqual({ ...createEmptyDraft(), clientId: expect.stringMatching(/^[\da-f-]{36}$/) });
  expect(readQuoteRequestDraft().clientId).not.toBe(draft.clientId);
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
  expect(readQuoteRequestDraft()).toEqual({ ...empty, clientId: expect.stringMatching(/^[\da-f-]{36}$/) });
});

test('reads the valid parts of a draft', () => {
  localStorage.setItem('quoteDraft', JSON.stringify({ ...draft, when: 'soon', picks: 'all' }));
  expect(readQuoteRequestDraft()).toEqual({ ...draft, when: 'flexible', picks: [] });
});

test('a receiver that cannot be read is lost alone', () => {
  localStorage.setItem('quoteDraft', JSON.stringify({ ...draft, sent: [{ listingId: 'x' }, null, ...draft.sent], colour: 'blue' }));
  expect(readQuoteRequestDraft()).toEqual(draft);
});

test('returns pending quotes once, and only within an hour', () => {
  expect(takePendingQuoteRequest(0)).toBe(false);
  setPendingQuoteRequest(0);
  expect([hasPendingQuoteRequest(hour - 1), hasPendingQuoteRequest(hour)]).toEqual([true, false]);
  expect([takePendingQuoteRequest(hour - 1), takePendingQuoteRequest(hour - 1)]).toEqual([true, false]);
  setPendingQuoteRequest(0);
  expect(takePendingQuoteRequest(hour)).toBe(false);
  expect(takePendingQuoteRequest(1)).toBe(false);
});

test('leads through the account back to sending', () => {
  const back = new URL(getLoginPath(sendPath), 'https://own.invalid').searchParams.get('redirect');
  const target = getSafeRedirect(back);
  expect([leadsToSending(target), hasSendParameter(new URL(target, 'https://own.invalid').search)]).toEqual([true, true]);
  for (const other of ['/get-quotes', '/get-quotes?category=plumbing', '/listing/1?send', '/get-quotes?sender'])
    expect(leadsToSending(other)).toBe(false);
  expect(hasSendParameter('?category=plumbing')).toBe(false);
});
