import { describe, expect, test } from 'vitest';
import {
  clearAll,
  isFiltered,
  readFilters,
  textOf,
  toggleCategory,
  withCategory,
  withCountry,
  withDistrict,
  withListingNumber,
  withoutLocation,
  withoutText,
  withPage,
  withReading,
  withRegion,
  withSort,
  withSubCategory,
  withText,
  withTitle,
  writeFilters,
} from './search-params.ts';

const read = (search: string, market: 'NZ' | 'AU' | null = null) => readFilters(new URLSearchParams(search), market);
const full = read('title=deck&category=plumbing&subCategory=drain-cleaning&country=NZ&region=otago&district=dunedin&page=3');

describe('the address', () => {
  test('keeps a search through writing and reading', () => {
    expect(read(writeFilters(full, null))).toEqual(full);
  });

  test('keeps the order "Best", which is no filter, and knows no other', () => {
    const best = withSort(read('category=plumbing&page=3'), 'best');
    expect(writeFilters(best, null)).toBe('?category=plumbing&sort=best');
    expect(read(writeFilters(best, null))).toEqual(best);
    expect(isFiltered(read('sort=best'), null)).toBe(false);
    expect(read('sort=newest').sort).toBe('');
  });

  test('stays bare where nothing is chosen', () => {
    expect(writeFilters(read(''), null)).toBe('');
    expect(writeFilters(read('', 'NZ'), 'NZ')).toBe('');
  });

  test('is read without the spaces around it, and whichever way a country is written', () => {
    expect(read('title=%20deck%20&country=nz&region=otago%20')).toMatchObject({ title: 'deck', country: 'NZ', region: 'otago' });
  });

  test('cannot leave the country that the site is fixed to', () => {
    expect(read('country=AU', 'NZ').country).toBe('NZ');
  });

  test.each(['0', '-1', '1.5', 'two', '', '1e99'])('with the page "%s" means the first page', (page) => {
    expect(read(`page=${page}`).page).toBe(1);
  });

  test('with a listing number that is none has no listing number', () => {
    expect(read('listingNumber=abc').listingNumber).toBe('');
    expect(read('listingNumber=0').listingNumber).toBe('');
  });
});

describe('what somebody types', () => {
  test.each([
    ['1001', { listingNumber: '1001', title: '' }],
    [' #1001 ', { listingNumber: '1001', title: '' }],
    ['0042', { listingNumber: '42', title: '' }],
    ['24 hour plumber', { listingNumber: '', title: '24 hour plumber' }],
    ['1234567890', { listingNumber: '', title: '1234567890' }],
    ['0', { listingNumber: '', title: '0' }],
    ['  ', { listingNumber: '', title: '' }],
  ])('"%s" is understood', (typed, expected) => {
    expect(withText(full, typed)).toMatchObject(expected);
  });

  test('stands in the bar again as it is understood', () => {
    expect(textOf(withText(full, '1001'))).toBe('#1001');
    expect(textOf(withText(full, ' decks '))).toBe('decks');
  });
});

describe('choosing', () => {
  test('a title gives up the listing number, and the other way round', () => {
    expect(withTitle(withListingNumber(full, '7'), 'deck')).toMatchObject({ title: 'deck', listingNumber: '' });
    expect(withListingNumber(full, '7')).toMatchObject({ title: '', listingNumber: '7' });
  });

  test('clearing the search empties both and nothing else', () => {
    expect(withoutText(full)).toEqual({ ...full, title: '', listingNumber: '', page: 1 });
  });

  test('a category gives up the sub-category', () => {
    expect(withCategory(full, 'roofing')).toMatchObject({ category: 'roofing', subCategory: '' });
  });

  test('a sub-category brings its category along', () => {
    expect(withSubCategory(full, 'roofing', 'roofing')).toMatchObject({ category: 'roofing', subCategory: 'roofing' });
  });

  test('the chosen category again gives it up', () => {
    expect(toggleCategory(full, 'plumbing')).toMatchObject({ category: '', subCategory: '' });
    expect(toggleCategory(full, 'roofing').category).toBe('roofing');
  });

  test('a country gives up region and district, a region the district', () => {
    expect(withCountry(full, 'AU')).toMatchObject({ country: 'AU', region: '', district: '' });
    expect(withRegion(full, 'waikato')).toMatchObject({ country: 'NZ', region: 'waikato', district: '' });
  });

  test('no location keeps the country of a fixed site', () => {
    expect(withoutLocation(full, null)).toMatchObject({ country: '', region: '', district: '' });
    expect(withoutLocation(full, 'NZ')).toMatchObject({ country: 'NZ', region: '', district: '' });
  });

  test.each([
    ['title', withTitle(full, 'fence')],
    ['number', withListingNumber(full, '1001')],
    ['category', withCategory(full, 'roofing')],
    ['sub-category', withSubCategory(full, 'plumbing', 'pipe-repairs')],
    ['country', withCountry(full, 'AU')],
    ['region', withRegion(full, 'waikato')],
    ['district', withDistrict(full, 'waitaki')],
    ['nothing at all', clearAll(null)],
  ])('another %s starts on the first page', (_, filters) => {
    expect(filters.page).toBe(1);
  });

  test('what words were read as becomes filters, and what was not read stays', () => {
    const area = { country: 'AU', region: 'queensland', district: null };
    const typed = { ...clearAll(null), title: 'cheap sparky qld', district: 'otago', page: 2 };
    expect(withReading(typed, { category: 'Electrical & Gas', subCategory: 'Electricians', area, words: 'cheap' })).toEqual({
      ...clearAll(null),
      title: 'cheap',
      category: 'electrical-gas',
      subCategory: 'electricians',
      country: 'AU',
      region: 'queensland',
      district: '',
    });
    expect(withReading(full, { category: null, subCategory: null, area: null, words: '' })).toEqual({ ...full, title: '', page: 1 });
    const wide = { country: 'NZ', region: null, district: null };
    expect(withReading(full, { category: 'Plumbing', subCategory: null, area: wide, words: '' })).toMatchObject({
      category: 'plumbing',
      subCategory: '',
      country: 'NZ',
      region: '',
      district: '',
    });
  });

  test('another page changes nothing else', () => {
    expect(withPage(full, 4)).toEqual({ ...full, page: 4 });
  });

  test('clearing all leaves the country of a fixed site only', () => {
    expect(clearAll('AU')).toEqual(read('', 'AU'));
    expect(isFiltered(clearAll('AU'), 'AU')).toBe(false);
    expect(isFiltered(clearAll(null), null)).toBe(false);
    expect(isFiltered(full, null)).toBe(true);
    expect(isFiltered(withCountry(clearAll(null), 'NZ'), null)).toBe(true);
  });
});
