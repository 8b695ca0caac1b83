import { dayMs } from '@handwise/contract/dates';
import { subscriptionDays } from '@handwise/contract/plans/table';
import { expect, test } from 'vitest';
import { describeListingEnd, toOwnCardView } from './my-listings.tsx';

test.each([
  ['2026-12-03T00:00:00Z', 'Ends in 12 days, on Dec 3, 2026'],
  ['2026-11-22T23:59:00Z', 'Ends in 2 days, on Nov 23, 2026'],
  ['2026-11-21T23:59:59Z', 'Ends tomorrow, on Nov 22, 2026'],
  ['2026-11-21T10:59:59Z', 'Ends today, on Nov 21, 2026'],
  ['2026-11-21T00:00:00Z', 'Ended on Nov 21, 2026'],
  ['2026-11-01T00:00:00Z', 'Ended on Nov 1, 2026'],
])('describes a period to %s as: %s', (end, text) => {
  expect(describeListingEnd(end, new Date('2026-11-21T00:00:00Z'), 'Pacific/Auckland')).toBe(text);
});

test('ends in 30 days right after the purchase and until that night', () => {
  const boughtAt = Date.parse('2026-11-21T00:00:00Z');
  const end = new Date(boughtAt + subscriptionDays * dayMs).toISOString();
  for (const secondsLater of [1, 60, 10 * 3600])
    expect(describeListingEnd(end, new Date(boughtAt + secondsLater * 1000), 'Pacific/Auckland')).toBe('Ends in 30 days, on Dec 21, 2026');
  expect(describeListingEnd(end, new Date(boughtAt + 12 * 3_600_000), 'Pacific/Auckland')).toBe('Ends in 29 days, on Dec 21, 2026');
});

test('ends a listing on the day in its own region', () => {
  const now = new Date('2027-01-01T00:00:00Z');
  const end = '2027-01-15T11:30:00Z';
  expect(describeListingEnd(end, now, 'Australia/Sydney')).toBe('Ends in 14 days, on Jan 15, 2027');
  expect(describeListingEnd(end, now, 'Pacific/Auckland')).toBe('Ends in 15 days, on Jan 16, 2027');
});

test('shows status, plan and end on an own card', () => {
  const card = toOwnCardView(
    {
      _id: '1',
      listingNumber: 1234,
      serviceTitle: 'Plumber',
      businessTitle: 'Kingi',
      serviceDescription: 'Leaks.',
      mainCategory: 'trade',
      serviceCategory: 'Plumbing',
      serviceSubCategory: null,
      services: [],
      serviceImages: [],
      logo: '',
      logoColor: '#10B981',
      location: 'Perth, Western Australia, Australia',
      country: 'AU',
      region: 'Western Australia',
      district: 'Perth',
      base: null,
      serviceRadiusKm: null,
      serviceDistricts: [],
      status: 'inactive',
      plan: { planType: 'featured' },
      sellerId: '2',
      averageRating: 0,
      reviewCount: 0,
      createdAt: '2027-01-01T00:00:00Z',
      subscriptionEndDate: '2027-01-31T14:30:00Z',
      timeZone: 'Australia/Perth',
      cover: null,
      priceGuide: null,
      inTradeSince: null,
      hours: null,
      emergency: false,
      emergencyCallOut: false,
      insured: false,
      availability: null,
      answersWithinDay: false,
      answering: null,
      licence: null,
      withoutLicence: null,
      verified: [],
      reviews: [],
    },
    new Date('2027-01-29T14:30:00Z'),
  );
  expect(card).toMatchObject({ number: 1234, status: 'inactive', statusName: 'Inactive', planName: 'Featured' });
  expect(card.ends).toBe('Ends in 2 days, on Jan 31, 2027');
});
