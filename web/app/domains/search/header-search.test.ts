import { expect, test } from 'vitest';
import { withChoice } from './header-search.tsx';
import { findNewAddress } from './old-addresses.ts';

const category = (label: string, query: string) => ({ kind: 'category', label, detail: '', query }) as const;
const hamilton = { kind: 'place', label: 'Hamilton', detail: 'Waikato', query: 'country=NZ&region=waikato&district=hamilton' } as const;
const business = { kind: 'business', label: 'Plum & Co', detail: 'Plumbing, Taupō', query: 'q=Plum+%26+Co&raw=1' } as const;

test('narrows the current search by a category or place of the members’ bar, replacing its text', () => {
  const now = { q: 'plum', category: 'roofing', region: 'otago', photos: '1', page: '3' };
  expect(withChoice(now, category('Plumbing', 'category=plumbing'))).toEqual({ category: 'plumbing', region: 'otago', photos: '1' });
  expect(withChoice(now, category('Drains', 'category=plumbing&subCategory=drain-cleaning'))).toEqual({
    category: 'plumbing',
    subCategory: 'drain-cleaning',
    region: 'otago',
    photos: '1',
  });
  expect(withChoice({ ...now, near: 'Ponsonby', km: '10' }, hamilton)).toEqual({
    category: 'roofing',
    country: 'NZ',
    region: 'waikato',
    district: 'hamilton',
    photos: '1',
  });
});

test('starts a new search for a business, a trade or a recent search of the members’ bar', () => {
  expect(withChoice({ category: 'roofing' }, business)).toEqual({ q: 'Plum & Co', raw: '1' });
  expect(withChoice({ category: 'roofing' }, category('Tiler', 'q=tiler'))).toEqual({ q: 'tiler' });
  const again = { kind: 'recent', label: '#1001', detail: '', query: 'q=%231001', search: { q: '#1001', where: '' } } as const;
  expect(withChoice({ category: 'roofing' }, again)).toEqual({ q: '#1001' });
});

const moved = (query: string) => findNewAddress(new URLSearchParams(query));

test('redirects searches on /home to the search page', () => {
  expect(moved('title=sparky+waikato&category=plumbing&country=NZ&page=2')).toBe(
    '/search?q=sparky+waikato&category=plumbing&country=NZ&page=2',
  );
  expect(moved('listingNumber=1991')).toBe('/search?q=%231991');
  expect(moved('category=plumbing&sort=best')).toBe('/search?category=plumbing&sort=rating');
  expect([moved(''), moved('utm_source=mail')]).toEqual([null, null]);
});
