import { expect, test } from 'vitest';
import { headingOf, knownFilters, placePath } from './known-filters.ts';
import { readFilters } from './search-params.ts';

const known = (search: string, market: 'NZ' | 'AU' | null = null) => knownFilters(readFilters(new URLSearchParams(search), market), market);

test.each([
  ['slugs', 'category=plumbing&subCategory=drain-cleaning&country=NZ&region=hawkes-bay&district=napier'],
  ['names, with or without macrons', "category=Plumbing&subCategory=Drain+cleaning&country=New+Zealand&region=Hawke's+Bay&district=napier"],
  ['only the narrowest', 'subCategory=drain-cleaning&district=napier'],
])('an address with %s is understood', (_, search) => {
  const found = known(search);
  expect(found.filters).toMatchObject({
    category: 'plumbing',
    subCategory: 'drain-cleaning',
    country: 'NZ',
    region: 'hawkes-bay',
    district: 'napier',
  });
  expect(placePath(found)).toBe("New Zealand › Hawke's Bay › Napier");
  expect(headingOf(found)).toBe('Plumbing: Drain cleaning in Napier');
});

test.each([
  ['an unknown category', 'category=astrology', { category: '' }],
  ['a sub-category of another group', 'category=roofing&subCategory=drain-cleaning', { category: 'roofing', subCategory: '' }],
  ['a region of another country', 'country=AU&region=otago', { country: 'AU', region: '' }],
  ['a district of another region', 'region=otago&district=napier', { country: 'NZ', region: 'otago', district: '' }],
  ['an unknown district', 'region=otago&district=atlantis', { region: 'otago', district: '' }],
])('%s is dropped and the rest kept', (_, search, expected) => {
  expect(known(search).filters).toMatchObject(expected);
});

test('a site of one country shows nothing of the other', () => {
  expect(known('region=queensland', 'NZ').filters).toMatchObject({ country: 'NZ', region: '' });
});

test('a main category stands for all its groups', () => {
  expect(known('category=trade')).toMatchObject({ categoryName: 'Trade', filters: { category: 'trade' } });
});

test.each([
  ['title=drain', 'Results for “drain”'],
  ['title=drain&category=plumbing&region=otago', 'Results for “drain” in Plumbing, Otago'],
  ['listingNumber=1005', 'Results for #1005'],
])('the heading of %s names what was searched for', (search, expected) => {
  expect(headingOf(known(search))).toBe(expected);
});

test('without filters the heading says so', () => {
  expect(headingOf(known(''))).toBe('All services');
  expect(headingOf(known('', 'NZ'))).toBe('All services in New Zealand');
});

test.each([
  ['one group', 'category=plumbing', 'best'],
  ['one group in a place', 'category=plumbing&region=otago', 'best'],
  ['all groups', '', ''],
  ['a main category', 'category=trade', ''],
  ['a sub-category', 'category=plumbing&subCategory=drain-cleaning', ''],
  ['words', 'category=plumbing&title=tap', ''],
  ['a number', 'category=plumbing&listingNumber=1001', ''],
])('for %s the order "Best" is kept or dropped as the server has it', (_, search, sort) => {
  expect(known(`${search}&sort=best`)).toMatchObject({ filters: { sort }, mayBeBest: sort === 'best' });
});
