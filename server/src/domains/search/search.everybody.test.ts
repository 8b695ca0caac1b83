import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { given, callers } = await testApp();
const { asVisitor } = callers;

await given.listing({ title: 'Taps mended by Aroha', district: 301, category: 6, subCategory: 601 });
await given.listing({ title: 'Switchboards by Tane', district: 1901, category: 5, subCategory: 501 });

const find = async (query: string) => {
  const { status, body } = await asVisitor.get(`/search?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body;
};
const titlesOf = (body: { listings: { serviceTitle: string }[] }) => body.listings.map((one) => one.serviceTitle);

test.each([
  ['category=plumbing&where=hamilton', 'Taps mended by Aroha', { category: 'Plumbing', place: 'Hamilton, Waikato' }],
  [
    'where=Queensland',
    'Switchboards by Tane',
    { place: 'Queensland', area: { country: 'AU', region: 'queensland', district: null, town: null } },
  ],
  ['q=aroha', 'Taps mended by Aroha', { words: 'aroha', category: null, place: null, area: null }],
  ['q=switchboards&country=AU', 'Switchboards by Tane', { words: 'switchboards', place: 'Australia' }],
  ['subCategory=Electricians', 'Switchboards by Tane', { category: 'Electrical & Gas', subCategory: 'Electricians' }],
])('anybody finds by ?%s what is there, and how it was understood', async (query, title, understood) => {
  const body = await find(query);
  expect([titlesOf(body), body.totalListings]).toEqual([[title], 1]);
  expect(body.understood).toMatchObject(understood);
});

test.each([
  ['nothing=1', 'nothing'],
  ['sort=cheapest', 'sort'],
  ['km=0', 'km'],
  ['km=201', 'km'],
  ['minRating=2', 'minRating'],
  ['verified=yes', 'verified'],
  ['maxPrice=1.5', 'maxPrice'],
  ['raw=2', 'raw'],
  [`q=${'x'.repeat(121)}`, 'q'],
  ['where=Narnia', 'where'],
  ['town=cambridge', 'town'],
  ['town=narnia&region=waikato', 'town'],
  ['town=cambridge&region=waikato&district=hamilton', 'town'],
  ['near=Narnia', 'near'],
  ['near=Waikato', 'near'],
  ['near=-37.791,175.28', 'near'],
  ['near=-37.79,175.281', 'near'],
  ['near=-90.01,175.28', 'near'],
  ['near=-37.79,180.01', 'near'],
  ['km=25', 'km'],
  ['sort=nearest', 'sort'],
  ['near=Hamilton&sort=recommended', 'sort'],
  ['where=Hamilton&serves=1&sort=recommended', 'sort'],
  ['serves=1', 'serves'],
  ['serves=1&country=NZ', 'serves'],
  ['serves=1&where=Hamilton&near=Hamilton', 'serves'],
])('?%s is refused and names %s', async (query, field) => {
  const { status, body } = await asVisitor.get(`/search?${query}`);
  expect([status, body.code, body.errors.map((one: { field: string }) => one.field)]).toEqual([400, 'invalid_input', [field]]);
});
