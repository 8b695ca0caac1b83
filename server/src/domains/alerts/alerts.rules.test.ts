import { expect, test } from 'vitest';
import type { CountryCode } from '@handwise/contract/markets';
import { findRegionByCode } from '@handwise/contract/places/regions';
import { findEmailWindow, getCountryOfSearch, isDaytimeAt, isNarrowSearch, normalizeFilter } from './alerts.rules.ts';

const auckland = { latitude: -36.85, longitude: 174.76, km: 20 };
const perth = { latitude: -31.95, longitude: 115.86, km: 20 };
const westernAustralia = 21;

test.each<[string, CountryCode, string[] | undefined]>([
  ['2027-02-28T17:59:59Z', 'NZ', undefined],
  ['2027-02-28T18:00:00Z', 'NZ', ['daily', 'weekly']],
  ['2027-02-28T18:00:00Z', 'AU', undefined],
  ['2027-02-28T20:00:00Z', 'AU', ['daily', 'weekly']],
  ['2027-03-01T07:59:59Z', 'NZ', ['daily', 'weekly']],
  ['2027-03-01T08:00:00Z', 'NZ', undefined],
  ['2027-03-01T18:00:00Z', 'NZ', ['daily']],
  ['2027-02-27T18:00:00Z', 'NZ', ['daily']],
])('at %s in %s these emails are due: %s', (now, country, frequencies) => {
  expect(findEmailWindow(new Date(now), country)?.frequencies).toEqual(frequencies);
});

test('normalizes equivalent searches, and uses the site’s country if a search names none', () => {
  expect(normalizeFilter({ category: { level: 'sub', codes: [301, 201] } })).toEqual(
    normalizeFilter({ category: { level: 'sub', codes: [201, 301] } }),
  );
  expect([
    getCountryOfSearch({}, 'AU'),
    getCountryOfSearch({}, null),
    getCountryOfSearch({ place: { level: 'country', country: 'NZ' } }, 'AU'),
    getCountryOfSearch({ place: { level: 'country', country: 'AU' } }, 'NZ'),
    getCountryOfSearch({ place: { level: 'country', country: 'NZ' }, near: perth }, 'NZ'),
    getCountryOfSearch({ near: auckland }, 'AU'),
    getCountryOfSearch({ place: { level: 'region', code: westernAustralia } }, 'NZ'),
    getCountryOfSearch({ place: { level: 'district', code: 2101 } }, 'NZ'),
  ]).toEqual(['AU', 'NZ', 'NZ', 'AU', 'AU', 'NZ', 'AU', 'AU']);
});

test('sorts the sub-categories of a filter and leaves the rest as it is', () => {
  expect(normalizeFilter({ listingNumber: 7 })).toEqual({ listingNumber: 7 });
  expect(normalizeFilter({ listingNumber: 7, category: { level: 'sub', codes: [301, 201] } })).toEqual({
    listingNumber: 7,
    category: { level: 'sub', codes: [201, 301] },
  });
  const main = { category: { level: 'main', main: 'trade' } } as const;
  expect(normalizeFilter(main)).toEqual(main);
});

test.each([
  [{}, '', false],
  [{ place: { level: 'country', country: 'NZ' } }, '', false],
  [{}, 'roof', true],
  [{ listingNumber: 7 }, '', true],
  [{ category: { level: 'main', main: 'trade' } }, '', true],
  [{ near: perth }, '', true],
  [{ place: { level: 'region', code: westernAustralia } }, '', true],
] as const)('the search %j for “%s” is narrow enough for an alert: %s', (filter, words, isNarrow) => {
  expect(isNarrowSearch(filter, words)).toBe(isNarrow);
});

test.each([
  ['a point near Perth', { near: perth }],
  ['Western Australia', { place: { level: 'region', code: westernAustralia } }],
  ['a district of Western Australia', { place: { level: 'district', code: 2101 } }],
] as const)('it is daytime for %s from 7 to 21 o’clock in Perth', (_, filter) => {
  expect(findRegionByCode(westernAustralia)?.country).toBe('AU');
  const isDaytime = (time: string) => isDaytimeAt(filter, 'AU', new Date(time));
  expect(['2027-02-28T22:59:59Z', '2027-02-28T23:00:00Z', '2027-03-01T12:59:59Z', '2027-03-01T13:00:00Z'].map(isDaytime)).toEqual([
    false,
    true,
    true,
    false,
  ]);
});

test('a search without a place has the daytime of its country', () => {
  const isDaytime = (country: CountryCode) =>
    isDaytimeAt({ place: { level: 'country', country } }, country, new Date('2027-02-28T18:30:00Z'));
  expect([isDaytime('NZ'), isDaytime('AU')]).toEqual([true, false]);
});

test('a day of emails starts at midnight in the country', () => {
  expect(findEmailWindow(new Date('2027-03-01T00:00:00Z'), 'NZ')).toEqual({
    country: 'NZ',
    frequencies: ['daily', 'weekly'],
    dayStartedAt: new Date('2027-02-28T11:00:00Z'),
  });
});
