import { expect, test } from 'vitest';
import type { DirectoryListData } from './directory-data.server.ts';
import { describeDirectoryList, getDirectoryTitle, getPageName, listAddress } from './directory-words.ts';

const list = (change: Partial<DirectoryListData>): DirectoryListData => ({
  category: { name: 'Roofing', slug: 'roofing', subCategories: [] },
  region: null,
  town: null,
  nearby: [],
  towns: [],
  map: { category: 'roofing', region: undefined, country: undefined },
  alert: null,
  place: 'New Zealand',
  country: 'New Zealand',
  isBest: false,
  isOrdered: true,
  page: 1,
  totalPages: 1,
  totalListings: 12,
  totalIsExact: true,
  notice: null,
  averageRating: 4.72,
  reviewCount: 1340,
  cards: [],
  regions: [],
  categories: [],
  ...change,
});
const cambridge: Partial<DirectoryListData> = {
  place: 'Cambridge, Waikato',
  region: { name: 'Waikato', slug: 'waikato', districts: [] },
  town: { name: 'Cambridge', slug: 'cambridge', district: { name: 'Waipā', slug: 'waipa', total: 12 }, isNear: true },
  reviewCount: 0,
};
const otago = { place: 'Otago', region: { name: 'Otago', slug: 'otago', districts: [] } };

test.each([
  ['a category', list({}), '12 listings for roofing in New Zealand, rated 4.7 out of 5 on average in 1,340 reviews.'],
  ['one listing without reviews', list({ totalListings: 1, reviewCount: 0 }), '1 listing for roofing in New Zealand.'],
  [
    'listings that were not counted in time',
    list({ totalListings: null, totalIsExact: false, reviewCount: 0 }),
    'Listings for roofing in New Zealand.',
  ],
  ['no listing', list({ totalListings: 0 }), 'There is no listing for roofing in New Zealand yet.'],
  [
    'a region, whose ratings are the country’s',
    list(otago),
    '12 listings for roofing in Otago. Across New Zealand, roofing is rated 4.7 out of 5 on average in 1,340 reviews.',
  ],
  ['a town', list(cambridge), '12 listings for roofing based within 25 km of Cambridge, Waikato or travelling there.'],
  ['very many', list({ totalListings: 1_000, totalIsExact: false, reviewCount: 0 }), '1,000+ listings for roofing in New Zealand.'],
])('describes %s truthfully', (_, data, expected) => {
  expect(describeDirectoryList(data)).toBe(expected);
});

test.each([
  [1, false, '/services/roofing'],
  [2, false, '/services/roofing?page=2'],
  [1, true, '/services/roofing?sort=best'],
  [3, true, '/services/roofing?page=3&sort=best'],
])('puts page %d, best first: %s, at %s', (page, isBest, address) => {
  expect(listAddress('/services/roofing', { page, isBest })).toBe(address);
});

test('says “near” in the title for a town', () => {
  expect(getDirectoryTitle(list(cambridge))).toBe('Roofing near Cambridge, Waikato');
  expect(getDirectoryTitle(list(otago))).toBe('Roofing in Otago');
});

test('names a page, of how many if that is known', () => {
  expect([getPageName({ page: 1, totalPages: 9 }), getPageName({ page: 2, totalPages: 9 })]).toEqual(['', 'page 2 of 9']);
  expect(getPageName({ page: 2, totalPages: null })).toBe('page 2');
});
