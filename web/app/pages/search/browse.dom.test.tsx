import { screen } from '@testing-library/react';
import { beforeEach, expect, test, vi } from 'vitest';
import { nothingUnderstood } from '../../domains/search/find/unanswered-data.ts';
import { forgetUser, storeUser } from '../../lib/session/stored-user.ts';
import { answerCalls, renderPart } from '../../lib/testing/document.tsx';
import { BrowsePage } from './browse.tsx';

const found = (totalListings: number) => ({
  body: {
    listings: [],
    sections: [],
    currentPage: 1,
    totalPages: 1,
    totalListings,
    totalIsExact: true,
    understood: nothingUnderstood,
    alternatives: [],
    facets: null,
    notice: null,
  },
});
const busy = { status: 429, body: { success: false, code: 'too_many_requests', message: 'Please wait a moment.' } };

beforeEach(() => {
  forgetUser();
  storeUser({ _id: crypto.randomUUID(), token: 'token' } as Parameters<typeof storeUser>[0]);
});
const show = (answers: readonly (ReturnType<typeof found> | typeof busy)[]) => {
  answerCalls({ 'GET /search': answers });
  return renderPart(<BrowsePage />, { path: '/home', root: { market: 'NZ' } });
};

test('listings that could not be loaded are not none, and can be loaded again', async () => {
  const { user } = show([busy, found(7)]);
  const again = await screen.findByText('Try Again');
  expect(screen.queryByText(/Active Listings/)).toBeNull();
  await user.click(again);
  await screen.findByText('0 of 7 Active Listings');
});

test('listings that could not be loaded again stay and say so, until they are', async () => {
  const { user } = show([found(7), busy, found(8)]);
  await screen.findByText('0 of 7 Active Listings');
  // Who comes back to the page after a while has it loaded again.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 });
  window.dispatchEvent(new Event('visibilitychange'));
  await screen.findByText(/could not be loaded again/);
  screen.getByText('0 of 7 Active Listings');
  await user.click(screen.getByText('Try Again'));
  await screen.findByText('0 of 8 Active Listings');
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
});
