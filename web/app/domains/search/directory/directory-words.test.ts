import { expect, test } from 'vitest';
import type { DirectoryListData } from './directory-data.server.ts';
import { directoryListIntro, directoryTitle, listAddress } from './directory-words.ts';

const list = (change: Partial<DirectoryListData>): DirectoryListData => ({
  category: { name: 'Roofing', slug: 'roofing', subCategories: [] },
  region: null,
  town: null,
  nearby: [],
  map: null,
  alert: null,
  place: 'New Zealand',
  country: 'New Zealand',
  isBest: false,
  isOrdered: true,
  page: 1,
  totalPages: 1,
  totalListings: 12,
  averageRating: 4.72,
  reviewCount: 1340,
  cards: [],
  regions: [],
  categories: [],
  ...change,
});
const cambridge = (isBase: boolean): Partial<DirectoryListData> => ({
  place: 'Cambridge, Waikato',
  region: { name: 'Waikato', slug: 'waikato', districts: [] },
  town: { name: 'Cambridge', slug: 'cambridge', district: { name: 'Waipā', slug: 'waipa', total: 12 }, isBase },
  reviewCount: 0,
});
const otago = { place: 'Otago', region: { name: 'Otago', slug: 'otago', districts: [] } };

test.each([
  ['a category', list({}), '12 listings for roofing in New Zealand, rated 4.7 out of 5 on average in 1,340 reviews.'],
  ['one listing without reviews', list({ totalListings: 1, reviewCount: 0 }), '1 listing for roofing in New Zealand.'],
  ['no listing', list({ totalListings: 0 }), 'There is no listing for roofing in New Zealand yet.'],
  [
    'a region, whose ratings are the country’s',
    list(otago),
    '12 listings for roofing in Otago. Across New Zealand, roofing is rated 4.7 out of 5 on average in 1,340 reviews.',
  ],
  ['a town', list(cambridge(true)), '12 listings for roofing in Cambridge, Waikato.'],
  [
    'a town that nobody is based in',
    list(cambridge(false)),
    '12 listings for roofing in Waipā, none known to be based in Cambridge itself.',
  ],
])('the sentence for %s is true', (_, data, expected) => {
  expect(directoryListIntro(data)).toBe(expected);
});

test.each([
  [1, false, '/services/roofing'],
  [2, false, '/services/roofing?page=2'],
  [1, true, '/services/roofing?sort=best'],
  [3, true, '/services/roofing?page=3&sort=best'],
])('page %d, the best first: %s, stands at %s', (page, isBest, address) => {
  expect(listAddress('/services/roofing', { page, isBest })).toBe(address);
});

test('the title says “near” where nobody is known to be based in the town', () => {
  expect(directoryTitle(list(cambridge(true)))).toBe('Roofing in Cambridge, Waikato');
  expect(directoryTitle(list(cambridge(false)))).toBe('Roofing near Cambridge, Waikato');
  expect(directoryTitle(list(otago))).toBe('Roofing in Otago');
});
