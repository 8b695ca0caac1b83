import { expect, test } from 'vitest';
import type { FindData } from './find-data.ts';
import type { FindParams } from './find-params.ts';
import { listChips, getRawAddress, readAddress } from './find-chips.tsx';
import { nothingUnderstood } from './unanswered-data.ts';

const hamilton = { place: 'Hamilton, Waikato', area: { country: 'NZ', region: 'waikato', district: 'hamilton', town: null } };
const search = (params: FindParams, understood: Partial<FindData['understood']>) => ({
  params,
  understood: { ...nothingUnderstood, ...understood },
});

test('shows each understood part as a chip whose link removes only it', () => {
  const found = search(
    { q: 'cheap drains hamilton', photos: '1' },
    { category: 'Plumbing', subCategory: 'Drain cleaning', ...hamilton, words: 'cheap' },
  );
  expect(listChips(found, null)).toEqual([
    { kind: 'category', name: 'Plumbing', without: '/search?q=cheap&region=waikato&district=hamilton&photos=1' },
    {
      kind: 'sub-category',
      name: 'Drain cleaning',
      without: '/search?q=cheap&category=plumbing&region=waikato&district=hamilton&photos=1',
    },
    { kind: 'place', name: 'Hamilton, Waikato', without: '/search?q=cheap&category=plumbing&subCategory=drain-cleaning&photos=1' },
    {
      kind: 'words',
      name: '“cheap”',
      without: '/search?category=plumbing&subCategory=drain-cleaning&region=waikato&district=hamilton&photos=1',
    },
  ]);
});

test('shows no chip for the only country of a site', () => {
  const found = search({}, { place: 'New Zealand', area: { country: 'NZ', region: null, district: null, town: null } });
  expect(listChips(found, 'NZ')).toEqual([]);
  expect(listChips(found, null)).toEqual([{ kind: 'place', name: 'New Zealand', without: '/search' }]);
});

test('drops the order by distance with the distance, and no other order', () => {
  const chip = ({ near = '', km = '25', ...params }: FindParams) =>
    listChips(search({ near, km, ...params }, { near: { label: near, latitude: 0, longitude: 0, km: Number(km) } }), null)[0];
  expect(chip({ near: 'Cambridge', km: '10', sort: 'nearest' })).toEqual({
    kind: 'distance',
    name: 'Within 10 km of Cambridge',
    without: '/search',
  });
  expect(chip({ near: '-37.79,175.28', sort: 'newest' })).toEqual({
    kind: 'distance',
    name: 'Within 25 km of where you are',
    without: '/search?sort=newest',
  });
});

test.each([
  ['a category read into the words', { q: 'plumber' }, { category: 'Plumbing' }, '/search?q=plumber&raw=1'],
  ['a place read into the words', { q: 'drains hamilton' }, { ...hamilton, words: 'drains' }, '/search?q=drains+hamilton&raw=1'],
  ['a typing error put right', { q: 'plumer' }, { words: 'plumer', corrected: 'plumber' }, '/search?q=plumer&raw=1'],
  ['words that stayed as they are', { q: 'tap' }, { words: 'tap' }, null],
  [
    'words beside what was chosen',
    { q: 'tap', category: 'plumbing', where: 'Hamilton' },
    { category: 'Plumbing', ...hamilton, words: '' },
    null,
  ],
  ['words that are searched as typed already', { q: 'plumber', raw: '1' }, { category: 'Plumbing' }, null],
  ['no words', { where: 'Hamilton' }, hamilton, null],
] as const)('%s: whether “search these words instead” is offered', (_, params, understood, address) => {
  expect(getRawAddress(search(params, understood))).toBe(address);
});

test('links from a search for the literal words back to the interpreted one', () => {
  expect(readAddress({ q: 'plumber', raw: '1', page: '2' })).toBe('/search?q=plumber');
  expect(readAddress({ q: 'plumber' })).toBe(null);
});

test('a wish is a chip of its own, without which the rest of the text stays', () => {
  const wish = { text: 'under $60', filter: 'maxPrice=60', isOffer: false, isFirst: false };
  const found = search({ q: 'handyman under $60 hamilton' }, { category: 'Handyman', ...hamilton, wishes: [wish] });
  expect(listChips(found, 'NZ')).toContainEqual({ kind: 'wish', name: 'under $60', without: '/search?q=handyman+hamilton' });
});
