import { expect, test, vi } from 'vitest';
import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { findMainTown, listPlacesByName } from '../places/places.service.ts';
import { splitText } from './index/search.terms.ts';
import { getListCachePolicy, getPlacesCachePolicy, getSearchCachePolicy } from './search.cache.ts';
import { parseFilter, parseNear, toPlaceFilter } from './search.filter.ts';
import { buildPageInfo } from './search.pages.ts';

test.each([
  [{}, null, {}],
  [{ country: 'nz' }, null, { place: { level: 'country', country: 'NZ' } }],
  [{ country: 'New Zealand', region: 'manawatu-whanganui' }, null, { place: { level: 'region', code: 8 } }],
  [{ region: 'Waikato', district: 'Taupo' }, null, { place: { level: 'district', code: 306 } }],
  [{ region: 'NSW' }, null, { place: { level: 'region', code: 17 } }],
  [{}, 'AU', { place: { level: 'country', country: 'AU' } }],
  [{ category: 'Trade' }, null, { category: { level: 'main', main: 'trade' } }],
  [{ category: 'electrical & gas' }, null, { category: { level: 'group', code: 5 } }],
  [{ category: 'electrical-gas', subCategory: 'Gas fitting' }, null, { category: { level: 'sub', codes: [502] } }],
  [{ subCategory: 'Home security' }, null, { category: { level: 'sub', codes: [201, 301] } }],
  [{ category: 'trade', subCategory: 'Home security' }, null, { category: { level: 'sub', codes: [301] } }],
] as const)('the search %j in market %s narrows to %j', (search, market, filter) => {
  expect(parseFilter(search, market)).toEqual(filter);
});

test.each([
  [{ country: 'Fiji' }, null, 'country'],
  [{ country: 'AU' }, 'NZ', 'country'],
  [{ region: 'Nowhere' }, null, 'region'],
  [{ country: 'NZ', region: 'Victoria' }, null, 'region'],
  [{ region: 'Victoria' }, 'NZ', 'region'],
  [{ region: 'Otago', district: 'Taupō' }, null, 'district'],
  [{ district: 'Sydney' }, 'NZ', 'district'],
  [{ category: 'Wizardry' }, null, 'category'],
  [{ category: 'Roofing', subCategory: 'Gas fitting' }, null, 'subCategory'],
] as const)('the search %j in market %s is refused at %s', (search, market, field) => {
  expect(() => parseFilter(search, market)).toThrow(
    expect.objectContaining({ code: 'invalid_input', fields: [expect.objectContaining({ field })] }),
  );
});

const searched = (text: string) => splitText(text).map((words) => words.join(' '));

test.each([
  ['“heat pump” repairs', ['heat pump', 'repairs']],
  ['"heat pump', ['heat', 'pump']],
  ['Taupō plumber', ['taupo', 'plumber']],
  ["Hawke's  Bay—roofing!", ['hawkes', 'bay', 'roofing']],
  ['24/7 24', ['24', '7']],
  ['  ', []],
  ["'; drop table listings; --", ['drop', 'table', 'listings']],
])('the text %j has the words %j', (text, words) => {
  expect(searched(text)).toEqual(words);
});

test('splitText returns at most fifty distinct words of at most sixty letters', () => {
  const many = Array.from({ length: 60 }, (_, index) => `word${index}`);
  expect(searched(many.join(' '))).toEqual(many.slice(0, 50));
  expect(searched(`${'x'.repeat(70)} Roof roof`)).toEqual(['x'.repeat(60), 'roof']);
});

test('an answer that ran out of time is not cached', () => {
  const facets = { minRating: [], maxPrice: [], verified: 0, photos: 0, replied: 0, noMinimumCharge: 0, available: 0 };
  const other = { label: 'Plumbing in Waikato', total: 3, query: 'category=plumbing&region=waikato' };
  const whole = {
    listings: [],
    totalListings: 0,
    facets,
    alternatives: [other],
    notice: null,
    understood: { wishes: [] },
  } as unknown as FindPage;
  const secondsOf = (page: Partial<FindPage>) => getSearchCachePolicy({ q: 'plumber' }, { ...whole, ...page }, 'NZ').maxAgeSeconds;
  expect(secondsOf({})).toBe(600);
  expect(secondsOf({ totalListings: 1_000, facets: null })).toBe(600);
  expect(secondsOf({ totalListings: null, notice: 'Showing the first matches' })).toBe(0);
  expect(secondsOf({ facets: null, notice: 'Some numbers are missing' })).toBe(0);
  expect(getListCachePolicy({ title: 'plumber' }, { ...whole, totalListings: null }, 'NZ').maxAgeSeconds).toBe(0);
});

test('has at most 50 pages, and an unknown number where the total is unknown', () => {
  const pages = (total: number | null, limit: number) => buildPageInfo({ total, isExact: total !== null }, { limit }).totalPages;
  expect([pages(1_000, 20), pages(1_000, 10), pages(41, 20), pages(0, 20), pages(null, 20)]).toEqual([50, 50, 3, 0, null]);
});

test('an answer to the filter of availability is cached until the next quarter of an hour at most, when one may end', () => {
  vi.useFakeTimers({ now: new Date('2027-03-01T10:14:00Z') });
  const facets = { minRating: [], maxPrice: [], verified: 0, photos: 0, replied: 0, noMinimumCharge: 0, available: 0 };
  const page = {
    listings: [],
    totalListings: 30,
    facets,
    alternatives: [],
    notice: null,
    understood: { wishes: [] },
  } as unknown as FindPage;
  const secondsOf = (search: FindQuery) =>
    [getSearchCachePolicy(search, page, 'NZ'), getPlacesCachePolicy(search, 'NZ')].map(({ maxAgeSeconds }) => maxAgeSeconds);
  expect(secondsOf({})).toEqual([600, 600]);
  expect(secondsOf({ available: '1' })).toEqual([60, 60]);
  // "Today" puts those first who have time this week.
  const wishes = [{ text: 'today', filter: null, isOffer: false, isFirst: true }];
  const wished = { ...page, understood: { ...page.understood, wishes } };
  expect(getSearchCachePolicy({ q: 'plumber today' }, wished, 'NZ').maxAgeSeconds).toBe(60);
  vi.useRealTimers();
});

const firstPlace = (name: string) => listPlacesByName(name, null)[0] ?? expect.fail(`there is no ${name}`);
const auckland = 2;
const taupo = 306;

test('narrows to a radius around a suburb, and to the area of a larger place', () => {
  const ponsonby = firstPlace('Ponsonby');
  const { latitude, longitude, localityCode } = ponsonby;
  expect(toPlaceFilter(ponsonby)).toEqual({ near: { latitude, longitude, km: 25, locality: localityCode } });
  expect(toPlaceFilter(ponsonby, 5)).toMatchObject({ near: { km: 5 } });
  expect(toPlaceFilter(firstPlace('Taupō'))).toEqual({ place: { level: 'district', code: taupo } });
  expect(toPlaceFilter(firstPlace('Auckland'))).toEqual({ place: { level: 'region', code: auckland } });
  expect(toPlaceFilter(firstPlace('New Zealand'))).toEqual({ place: { level: 'country', country: 'NZ' } });
  const { longitude: _, ...unknown } = ponsonby;
  expect(toPlaceFilter(unknown)).toEqual({ place: { level: 'district', code: ponsonby.districtCode } });
  const { latitude: __, ...alsoUnknown } = ponsonby;
  expect(toPlaceFilter(alsoUnknown)).toEqual({ place: { level: 'district', code: ponsonby.districtCode } });
});

test.each([
  ['-36.85,174.76', undefined, { latitude: -36.85, longitude: 174.76, km: 25 }],
  ['-36.85, 174.76', 7, { latitude: -36.85, longitude: 174.76, km: 7 }],
  ['-36,174', 7, { latitude: -36, longitude: 174, km: 7 }],
  ['-90,180', 7, { latitude: -90, longitude: 180, km: 7 }],
  ['5.1,-180', 7, { latitude: 5.1, longitude: -180, km: 7 }],
])('searches near the position “%s” within %s km', (near, km, point) => {
  expect(parseNear(near, km, null)).toEqual(point);
});

test.each([
  ['-36.853,174.76', 'Use two decimals at most'],
  ['-36.85,174.761', 'Use two decimals at most'],
  ['90.5,10', 'There is no such position on Earth'],
  ['-90.5,10', 'There is no such position on Earth'],
  ['10,180.5', 'There is no such position on Earth'],
  ['10,-180.5', 'There is no such position on Earth'],
  ['at -36.85,174.76', 'There is no such place here'],
  ['-36.85,174.76 or so', 'There is no such place here'],
  ['the moon', 'There is no such place here'],
  ['Queensland', 'Name a town, a suburb or a district'],
  ['New Zealand', 'Name a town, a suburb or a district'],
])('cannot search near “%s”: %s', (near, message) => {
  expect(() => parseNear(near, undefined, null)).toThrow(
    expect.objectContaining({ code: 'invalid_input', fields: [{ field: 'near', message }] }),
  );
});

test('searches near a suburb, a district’s main town and the city that a region is named after', () => {
  const near = (name: string, market: 'NZ' | 'AU' | null = null) => parseNear(name, 10, market);
  const ponsonby = firstPlace('Ponsonby');
  expect(near('Ponsonby')).toEqual({
    latitude: ponsonby.latitude,
    longitude: ponsonby.longitude,
    km: 10,
    locality: ponsonby.localityCode,
  });
  const taupoTown = findMainTown(taupo);
  expect(near('Taupō')).toMatchObject({ km: 10, locality: taupoTown?.code });
  expect(near('Auckland')).toEqual({ latitude: -36.848, longitude: 174.763, km: 10, locality: 124 });
  expect(near('Wellington')).toEqual({ latitude: -41.289, longitude: 174.777, km: 10, locality: 1153 });
  expect(parseNear('Nelson', undefined, 'NZ')).toMatchObject({ km: 25, latitude: -41.273 });
  // A region without such a city gives way to the suburb of its name, if the market has one.
  expect(near('Canterbury', 'AU')).toMatchObject({ latitude: -33.913 });
});
