import { expect, test } from 'vitest';
import { directoryAddress, findData, type FindData } from './find-data.server.ts';
import { readFind } from './find-params.ts';

const plumbing: FindData['understood'] = {
  category: 'Plumbing',
  subCategory: null,
  place: null,
  area: null,
  near: null,
  words: '',
  corrected: null,
  widened: [],
  nearMe: false,
  guess: null,
};
const nz = { country: 'NZ', region: null, district: null, town: null };
const waikato = { ...nz, region: 'waikato' };

const led = (query: string, understood: Partial<FindData['understood']>, market: string | null = null, unknown: string | null = null) =>
  directoryAddress({ params: readFind(new URLSearchParams(query)), understood: { ...plumbing, ...understood }, unknown }, market);

test.each([
  ['a group', 'q=plumber', {}, null, '/services/plumbing?q=plumber'],
  ['a group in a region', 'q=plumber&where=Waikato', { area: waikato }, null, '/services/plumbing/waikato?q=plumber&where=Waikato'],
  [
    'a group in a district',
    'q=plumber+hamilton',
    { area: { ...waikato, district: 'hamilton' } },
    null,
    '/services/plumbing/waikato/hamilton?q=plumber+hamilton',
  ],
  [
    'a group in a town',
    'q=plumber&where=cambridge',
    { area: { ...waikato, district: 'waipa', town: 'cambridge' } },
    null,
    '/services/plumbing/waikato/cambridge?q=plumber&where=cambridge',
  ],
  [
    'a group in a district that is a whole region',
    'q=plumber+auckland',
    { area: { ...nz, region: 'auckland', district: 'auckland' } },
    null,
    '/services/plumbing/auckland?q=plumber+auckland',
  ],
  ['a group in the country of its site', 'q=plumber', { area: nz }, 'NZ', '/services/plumbing?q=plumber'],
] as const)('a typed search for %s and nothing else is that page of the directory', (_, query, understood, market, address) => {
  expect(led(query, understood, market)?.path).toBe(address);
});

const searches: [string, string, Partial<FindData['understood']>][] = [
  ['words beside the group', 'q=cheap+plumber', { words: 'cheap' }],
  ['a sub-category', 'q=drains', { subCategory: 'Drain cleaning' }],
  ['a guess', 'q=it+drips', { guess: { alternatives: [] } }],
  ['a wish for what is near', 'q=plumber+near+me', { nearMe: true }],
  ['no group', 'q=x', { category: null }],
  ['a main category', 'q=trade', { category: 'Trade' }],
  ['a country among several', 'q=plumber+nz', { area: nz }],
  ['what was chosen by its parts', 'category=plumbing', {}],
  ['a filter', 'q=plumber&photos=1', {}],
  ['words as they are typed', 'q=plumber&raw=1', {}],
];
test.each(searches)('%s is a search of its own', (_, query, understood) => {
  expect(led(query, understood)).toBe(null);
});

test('a search whose place nobody knows stays, to say so', () => {
  expect(led('q=plumber&where=Narnia', {}, null, 'Narnia')).toBe(null);
});

test('a search in another country than the site’s stays a search', () => {
  expect(led('q=plumber', { area: nz }, 'AU')).toBe(null);
});

test('without a place that nobody knows, how far from it and the nearest first go too, and the rest is searched for', async () => {
  const asked: unknown[] = [];
  const nothing = { understood: plumbing, listings: [], alternatives: [], facets: null, currentPage: 1, totalPages: 0, totalListings: 0 };
  const call = (_: unknown, { query }: { query: Record<string, string> }) => {
    asked.push(query);
    return query['near'] ? Promise.reject({ status: 400, fields: [{ field: 'near' }] }) : Promise.resolve(nothing);
  };
  const search = (query: string) => findData({ call } as unknown as Parameters<typeof findData>[0], new URLSearchParams(query));
  expect(await search('q=plumber&near=Narnia&km=50&sort=nearest')).toMatchObject({ unknown: 'Narnia' });
  expect(await search('q=plumber&near=Narnia&km=50&sort=rating')).toMatchObject({ unknown: 'Narnia' });
  expect(asked.filter((_, at) => at % 2 === 1)).toEqual([{ q: 'plumber' }, { q: 'plumber', sort: 'rating' }]);
});
