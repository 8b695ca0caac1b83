import { expect, test } from 'vitest';
import { findData } from './find-data.server.ts';
import type { FindData } from './find-data.ts';
import { nothingUnderstood } from './unanswered-data.ts';

const plumbing: FindData['understood'] = { ...nothingUnderstood, category: 'Plumbing' };
test('drops an unknown place with its distance and order, and searches for the rest', async () => {
  const requests: unknown[] = [];
  const nothing = { understood: plumbing, listings: [], alternatives: [], facets: null, currentPage: 1, totalPages: 0, totalListings: 0 };
  const call = (_: unknown, { query }: { query: Record<string, string> }) => {
    requests.push(query);
    return query['near'] ? Promise.reject({ status: 400, fields: [{ field: 'near' }] }) : Promise.resolve(nothing);
  };
  const search = (query: string) => findData({ call } as unknown as Parameters<typeof findData>[0], new URLSearchParams(query));
  expect(await search('q=plumber&near=Narnia&km=50&sort=nearest')).toMatchObject({ unknown: 'Narnia' });
  expect(await search('q=plumber&near=Narnia&km=50&sort=rating')).toMatchObject({ unknown: 'Narnia' });
  expect(requests.filter((_, at) => at % 2 === 1)).toEqual([{ q: 'plumber' }, { q: 'plumber', sort: 'rating' }]);
});

const page = (total: number) => ({ listings: [], currentPage: 1, totalPages: total, totalListings: total });

test('searches a number as a listing’s, and as a word if there is none', async () => {
  const found = { ...page(7), understood: plumbing, alternatives: [], facets: null };
  const search = (q: string, numbered: number) => {
    const call = (address: string) => Promise.resolve(address === 'GET /listing/all' ? page(numbered) : found);
    return findData({ call } as unknown as Parameters<typeof findData>[0], new URLSearchParams({ q }));
  };
  expect(await search('#1991', 1)).toMatchObject({ total: 1, understood: { words: '#1991' } });
  expect(await search('\u202a#1991\u202c', 1)).toMatchObject({ total: 1, understood: { words: '#1991' }, params: { q: '#1991' } });
  expect(await search('＃1991', 1)).toMatchObject({ total: 1, understood: { words: '#1991' } });
  expect(await search('plumber\tPonsonby', 0)).toMatchObject({ params: { q: 'plumber Ponsonby' } });
  expect(await search('1991', 1)).toMatchObject({ total: 1, understood: { words: '#1991' } });
  expect(await search('1991', 0)).toMatchObject({ total: 7 });
  expect(await search('#1991', 0)).toMatchObject({ total: 0, understood: { words: '#1991' } });
});

test.each(['country=AU', 'region=victoria', 'district=geelong'])(
  'says which country the site shows for %s on the host of another',
  async (query) => {
    const wrong = query.split('=')[0];
    const call = () => Promise.reject({ status: 400, fields: [{ field: wrong }] });
    const search = (market: 'NZ' | 'AU' | null) =>
      findData({ call, market } as unknown as Parameters<typeof findData>[0], new URLSearchParams(query));
    await expect(search('NZ')).rejects.toMatchObject({ data: { wrong: [wrong], onlyIn: 'New Zealand' } });
    await expect(search('AU')).rejects.toMatchObject({ data: { wrong: [wrong], onlyIn: null } });
    await expect(search(null)).rejects.toMatchObject({ data: { onlyIn: null } });
  },
);
