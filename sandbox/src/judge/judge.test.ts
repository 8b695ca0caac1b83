import pg from 'pg';
import { expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import type { FindPage } from '@handwise/contract/search/calls';
import { fillDemoData } from '@handwise/demo/demo-data';
import { testApp } from '@handwise/sandbox/testing/app';
import { formatTable, judge, readJudgedSearches, summarize } from './judge.ts';

const { callers, parts } = await testApp();
const client = new pg.Client({ connectionString: parts.databaseUrl });
await client.connect();
await fillDemoData({ client, filesDir: '', hasPictures: false });
await client.end();

const hosts = { NZ: 'nz.localhost:3000', AU: 'au.localhost:3000' } as const;
const ask = async (market: keyof typeof hosts, path: string) => {
  const { status, body } = await callers.onHost(hosts[market]).get(path);
  expect([path, status]).toEqual([path, 200]);
  return body as FindPage;
};

/** All active listings of a country. */
async function listSupply(market: keyof typeof hosts) {
  const found = new Map<string, FindPage['listings'][number]>();
  for (const { slug } of categories) {
    for (let page = 1, pages = 1; page <= pages; page += 1) {
      const answer = await ask(market, `/listing/all?category=${slug}&limit=100&page=${page}`);
      pages = answer.totalPages ?? 0;
      for (const card of answer.listings) found.set(card._id, card);
    }
  }
  return [...found.values()].filter(({ country }) => country === market);
}

const searches = readJudgedSearches();
const supply = { NZ: await listSupply('NZ'), AU: await listSupply('AU') };
const judgements: ReturnType<typeof judge>[] = [];
for (const search of searches)
  judgements.push(judge(search, await ask(search.market, `/search?q=${encodeURIComponent(search.text)}`), supply[search.market]));
const summary = summarize(judgements);
if (process.env['JUDGE']) process.stdout.write(`${formatTable(judgements)}\n\n${JSON.stringify(summary, null, 2)}\n`);

test('of the searches that people type, the first result and the first three are right', () => {
  expect(summary.judged).toBeGreaterThanOrEqual(150);
  expect([summary.firstRight, formatTable(judgements)]).toEqual([expect.toSatisfy((share: number) => share >= 95), expect.any(String)]);
  expect([summary.threeRight, formatTable(judgements)]).toEqual([expect.toSatisfy((share: number) => share >= 90), expect.any(String)]);
});

test('no search drops its place, shows a wrong distance or an empty page', () => {
  expect(summary.wrong).toEqual([]);
});

test('a listing elsewhere, a wrong distance and another trade are noticed', () => {
  const search = searches.find(({ text }) => text === 'sparky in ponsonby');
  const electricians = supply.NZ.filter(({ serviceSubCategory }) => serviceSubCategory === 'Electricians');
  const near = electricians.filter(({ base }) => base === 'Ōrewa' || base === 'Mount Eden' || base === 'Ponsonby' || base === 'Papakura');
  const far = electricians.find(({ base }) => base === 'Riccarton' || base === 'Hamilton');
  const plumber = supply.NZ.find(({ serviceCategory }) => serviceCategory === 'Plumbing');
  if (!search || !far || !plumber || near.length === 0) throw new Error('the demo has no such listings');
  const noticed = (listings: FindPage['listings']) => judge(search, { listings }, supply.NZ);
  expect(noticed(near)).toMatchObject({ isFirstRight: true, wrong: [] });
  expect(noticed([far, ...near]).isFirstRight).toBe(false);
  expect(noticed([plumber, ...near]).isFirstRight).toBe(false);
  expect(noticed([])).toMatchObject({ wrong: ['nothing is shown'], isFirstRight: false, areThreeRight: false });
  expect(noticed(near.map((card) => ({ ...card, distanceKm: 400 }))).wrong).toContain('a distance is wrong');
});
