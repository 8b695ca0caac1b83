import { screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { answerCalls, renderPart } from '../../../lib/testing/document.tsx';
import { Toaster } from '../../../ui/feedback/toast.tsx';
import { AvailabilityFields } from './availability.tsx';
import { MyListings } from './my-listings.tsx';

const listing = {
  _id: 'one',
  listingNumber: 7,
  serviceTitle: 'Drains',
  businessTitle: 'Tāne & Sons',
  serviceCategory: 'Plumbing',
  serviceDescription: 'Leaks and drains.',
  location: 'Taupō, Waikato',
  base: null,
  serviceRadiusKm: null,
  serviceDistricts: [],
  verified: [],
  answering: null,
  licence: null,
  priceGuide: null,
  businessHours: null,
  cover: null,
  status: 'active',
  plan: { planType: 'basic' },
  subscriptionEndDate: '2090-12-21T00:00:00.000Z',
  timeZone: 'Pacific/Auckland',
  availability: null,
  reviewCount: 0,
  averageRating: null,
};
const list = (...listings: object[]) => ({ body: { listings, totalListings: listings.length, totalPages: 1, currentPage: 1 } });

function render(answers: Parameters<typeof answerCalls>[0]) {
  const calls = answerCalls(answers);
  const part = renderPart(
    <>
      <Toaster />
      <MyListings />
    </>,
  );
  const press = async (name: string | RegExp) => part.user.click(await screen.findByRole('button', { name }));
  return { ...part, press, changes: () => calls.filter(({ method }) => method !== 'GET') };
}

afterEach(() => {
  vi.useRealTimers();
});

test('a listing is deactivated only after a second yes, stays after a failure, and can be deactivated again', async () => {
  const { press, changes } = render({
    'GET /listing/mylistings': [list(listing), list(listing), list({ ...listing, status: 'inactive' })],
    'PUT /listing/one/deactivate': [null, { body: {} }],
  });
  await press(/^Deactivate ?: Drains/);
  await press('Keep it active');
  expect(changes()).toEqual([]);
  await press(/^Deactivate ?: Drains/);
  await press('Deactivate');
  await screen.findByText('Failed to update listing status');
  expect(screen.queryByText('Listing status updated successfully')).toBeNull();
  await press(/^Deactivate ?: Drains/);
  await press('Deactivate');
  await screen.findByText('Listing status updated successfully');
  await screen.findByRole('link', { name: /^Reactivate/ });
  expect(changes().map(({ path }) => path)).toEqual(['/listing/one/deactivate', '/listing/one/deactivate']);
});

test('listings that could not be loaded are not shown as none, and are loaded again', async () => {
  const { press } = render({ 'GET /listing/mylistings': [null, list(listing)] });
  await screen.findByText('Connection Problem');
  expect(screen.queryByText('No listings found')).toBeNull();
  await press('Try Again');
  expect(await screen.findByRole('link', { name: 'Drains' })).toBeTruthy();
});

test('listings that could not be loaded again after a change stay, and say so until they are', async () => {
  const { press } = render({
    'GET /listing/mylistings': [list(listing), null, list({ ...listing, status: 'inactive' })],
    'PUT /listing/one/deactivate': [{ body: {} }],
  });
  await press(/^Deactivate ?: Drains/);
  await press('Deactivate');
  await screen.findByText(/could not be loaded again/);
  expect(screen.getByRole('link', { name: 'Drains' })).toBeTruthy();
  await press('Try Again');
  await screen.findByRole('link', { name: /^Reactivate/ });
  expect(screen.queryByText(/could not be loaded again/)).toBeNull();
});

test.each([
  ['Pacific/Auckland', '2026-12-09', '2026-12-02'],
  ['Australia/Perth', '2026-12-08', '2026-12-01'],
])('a business in %s is booked until a day of its own', async (timeZone, until, today) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-12-01T14:00:00Z') });
  const calls = answerCalls({
    'PUT /listing/one/availability': [{ body: { listing: { availability: { state: 'booked_until', until } } } }],
  });
  const { user } = renderPart(<AvailabilityFields card={{ id: 'one', title: 'Drains', availability: null, timeZone }} />);
  expect((await screen.findByLabelText<HTMLInputElement>('Booked until')).min).toBe(today);
  await user.click(screen.getByText('Say booked'));
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ state: 'booked_until', until }]));
});

test('a choice of time that was not saved is not shown as chosen', async () => {
  const { press, changes } = render({ 'GET /listing/mylistings': [list(listing)], 'PUT /listing/one/availability': [null] });
  await press(/^This week/);
  await within(screen.getAllByRole('status')[0] as HTMLElement).findByText(/trouble connecting to the server/);
  expect(changes().map(({ body }) => body)).toEqual([{ state: 'this_week' }]);
  expect(screen.getByRole('group', { name: 'Do you have time?' })).toBeTruthy();
  expect(screen.getByRole('button', { name: /^This week/ }).getAttribute('aria-pressed')).toBe('false');
});
