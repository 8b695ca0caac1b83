import { expect, test } from 'vitest';
import {
  changeParams,
  findAddress,
  searchNearby,
  readFind,
  getExplicitParams,
  missingCountry,
  settleWishes,
  withText,
  withWhere,
  withoutWish,
} from './find-params.ts';

const read = (query: string) => readFind(new URLSearchParams(query));

test.each([
  ['q=+tap+&where=&category=plumbing', { q: 'tap', category: 'plumbing' }],
  ['verified=yes&photos=1&replied=0&serves=1&raw=1', { photos: '1', raw: '1' }],
  ['noMinimumCharge=1&minRating=4.5&maxPrice=80', { noMinimumCharge: '1', minRating: '4.5', maxPrice: '80' }],
  ['emergencyCallOut=1', { emergencyCallOut: '1' }],
  ['noMinimumCharge=2&minRating=4.4&maxPrice=0', {}],
  ['region=bay-of-plenty&town=mount-maunganui&serves=1', { near: 'mount maunganui, bay of plenty' }],
  ['km=0&near=cambridge', { near: 'cambridge' }],
  ['km=200&near=cambridge', { near: 'cambridge', km: '200' }],
  ['km=201', {}],
  ['minRating=4.5&maxPrice=80', { minRating: '4.5', maxPrice: '80' }],
  ['minRating=5&maxPrice=1.5', {}],
  ['maxPrice=1000000', { maxPrice: '1000000' }],
  ['maxPrice=1000001', {}],
  ['sort=rating', { sort: 'rating' }],
  ['sort=newest', { sort: 'newest' }],
  ['sort=recommended', {}],
  ['sort=nearest', {}],
  ['sort=nearest&near=taupo', { near: 'taupo', sort: 'nearest' }],
  ['sort=nearest&where=taupo', { where: 'taupo', sort: 'nearest' }],
  ['page=51', {}],
  ['page=1', {}],
  ['page=2', { page: '2' }],
  ['page=-1&utm_source=x', {}],
])('parses ?%s and ignores the rest', (query, expected) => {
  expect(read(query)).toEqual(expected);
});

test('truncates values that are longer than the call allows', () => {
  expect(read(`q=${'x'.repeat(119)}+yz`).q).toBe('x'.repeat(119));
});

test('writes the parameters that it reads, and none for a search for everything', () => {
  const all =
    '/search?q=tap&where=Hamilton&category=plumbing&minRating=4&verified=1&photos=1&replied=1&maxPrice=80&sort=newest&raw=1&page=3';
  expect(findAddress(read(all.slice('/search'.length)))).toBe(all);
  expect(findAddress({})).toBe('/search');
});

test('returns to the first page on any change but the page', () => {
  const params = read('q=tap&sort=newest&page=3');
  expect(changeParams(params, { sort: undefined })).toEqual({ q: 'tap' });
  expect(changeParams(params, { photos: '1' })).toEqual({ q: 'tap', sort: 'newest', photos: '1' });
  expect(changeParams(params, { page: '4' })).toEqual({ ...params, page: '4' });
});

const area = { country: 'NZ', region: 'waikato', district: 'hamilton' };
test('makes the understood parts explicit parameters, and keeps filters', () => {
  const understood = { category: 'Plumbing', subCategory: 'Drain cleaning', area, near: null, words: 'cheap', wishes: [] };
  expect(getExplicitParams(read('q=cheap+drains&where=hamiltn&photos=1&page=2'), understood, null)).toEqual({
    q: 'cheap',
    category: 'plumbing',
    subCategory: 'drain-cleaning',
    region: 'waikato',
    district: 'hamilton',
    photos: '1',
  });
});

test('names a country only without a place, and only if it is not the site’s', () => {
  const nothing = { category: null, subCategory: null, near: null, words: '', wishes: [] };
  const country = { country: 'NZ', region: null, district: null };
  expect(getExplicitParams({}, { ...nothing, area: country }, null)).toEqual({ country: 'NZ' });
  expect(getExplicitParams({}, { ...nothing, area: country }, 'NZ')).toEqual({});
  const wanaka = { area: { ...country, region: 'otago' }, near: { label: 'Wānaka, Otago', km: 25 } };
  expect(getExplicitParams({}, { ...nothing, ...wanaka }, null)).toEqual({ near: 'Wānaka, Otago' });
});

test('searches around the position instead of a place on “Near me”, from the first page', () => {
  const understood = {
    category: 'Plumbing',
    subCategory: null,
    area,
    near: null,
    words: 'emergency',
    wishes: [],
  };
  const params = { q: 'emergency plumber', where: 'hamilton', verified: '1', sort: 'rating', page: '3' };
  expect(findAddress(searchNearby(params, understood, '-37.79,175.28', 'NZ'))).toBe(
    '/search?q=emergency&category=plumbing&near=-37.79%2C175.28&verified=1',
  );
});

test('takes digits in the members’ bar as a listing’s number, and adds words to the choices', () => {
  const params = read('q=tap&where=Hamilton&category=plumbing&raw=1&page=2');
  expect([withText(params, ' 01991 '), withText(params, '#1991')]).toEqual([{ q: '#1991' }, { q: '#1991' }]);
  expect(withText(params, ' drain ')).toEqual({ q: 'drain', category: 'plumbing' });
  expect(withText(params, '')).toEqual({ category: 'plumbing' });
  expect(withText({}, '24/7 plumber')).toEqual({ q: '24/7 plumber' });
});

test('a wish is removed from the words, kept with explicit parts, and becomes a parameter where it is one', () => {
  const wishes = [
    { text: 'under $60 an hour', filter: 'maxPrice=60', isOffer: false },
    { text: 'best', filter: 'sort=rating', isOffer: true },
    { text: 'tonight', filter: null, isOffer: false },
  ];
  const params = { q: 'best handyman under $60 an hour tonight', where: 'hamilton' };
  expect(withoutWish(params, 'under $60 an hour')).toEqual({ q: 'best handyman tonight', where: 'hamilton' });
  expect(settleWishes(params, wishes)).toEqual({ q: 'best handyman tonight', where: 'hamilton', maxPrice: '60' });
  expect(settleWishes({ ...params, maxPrice: '100' }, wishes).maxPrice).toBe('100');
  const understood = { category: 'Handyman', subCategory: null, area, near: null, words: '', wishes };
  expect(getExplicitParams(params, understood, 'NZ').q).toBe('under $60 an hour best tonight');
});

test('the place of the members’ field replaces the one before, and a number too large is a number all the same', () => {
  const params = read('q=tap&where=Hamilton&km=50');
  expect(withText(params, 'tap', 'Hamilton')).toEqual({ q: 'tap', where: 'Hamilton', km: '50' });
  expect(withText(read('q=tap&near=Ponsonby&km=50'), 'tap', 'Nelson')).toEqual({ q: 'tap', where: 'Nelson' });
  expect(withText(params, '#99999999999')).toEqual({ q: '#99999999999' });
});

test('an answer to “Where?” keeps everything else and the country', () => {
  const params = { q: 'plumber under $60', category: 'plumbing', country: 'NZ', photos: '1', sort: 'rating', page: '2' };
  expect(withWhere(params, 'Newtown')).toEqual({
    q: 'plumber under $60',
    where: 'Newtown',
    category: 'plumbing',
    country: 'NZ',
    photos: '1',
    sort: 'rating',
  });
});

const nowhere = { category: null, subCategory: null, area: null, placeCountries: [], near: null, words: '', wishes: [] };
const sydney = { ...nowhere, area: { country: 'AU', region: 'new-south-wales', district: 'sydney' }, placeCountries: ['AU', 'NZ'] };

test.each([
  ['words without a place', { q: 'plumber' }, nowhere, 'NZ', 'NZ'],
  ['a category without a place', { category: 'plumbing' }, nowhere, 'NZ', null],
  ['a place that the visitor’s country has too', { q: 'plumber newtown' }, sydney, 'NZ', 'NZ'],
  ['the same in the field for places', { where: 'newtown' }, sydney, 'NZ', 'NZ'],
  ['a place of the visitor’s country', { q: 'plumber newtown' }, sydney, 'AU', null],
  ['a place of the other country alone', { q: 'plumber parramatta' }, { ...sydney, placeCountries: ['AU'] }, 'NZ', null],
  ['an address that says the country', { q: 'plumber newtown', country: 'AU' }, sydney, 'NZ', null],
  ['a browser of neither country', { q: 'plumber newtown' }, sydney, null, null],
] as const)('%s: the country to add', (_, params, understood, likely, expected) => {
  expect(missingCountry(params, understood, likely)).toBe(expected);
});
