import { afterAll, expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { writeCookie } from '../kit/cache/write-cookie.ts';
import { Events } from '../kit/events/events.ts';

// Two servers that share changes as in production, and one without a cache.
const { app, besides, callers, db, given, parts } = await testApp({}, null, { alwaysLatest: false });
const { context, databaseUrl } = parts;
const eventsOfOther = new Events(databaseUrl, () => {});
await eventsOfOther.start();
const other = await besides({ context: { ...context, events: eventsOfOther } });
const forgetful = await besides();
afterAll(async () => {
  await Promise.all([other.close(), forgetful.close()]);
  await eventsOfOther.stop();
});

type Server = typeof app;
const read = async (server: Server, url: string, headers: Record<string, string> = {}) => {
  const { statusCode, headers: answered, ...answer } = await server.inject({ url: `/api${url}`, headers });
  // This header is for pages of the same process only.
  expect(answered).not.toHaveProperty('x-cache-policy');
  return { status: statusCode, body: answer.json(), state: answered['x-cache'], etag: answered['etag'] };
};
const comparable = ({ status, body }: Awaited<ReturnType<typeof read>>) => ({ status, body: { ...body, requestId: undefined } });
/** The response of a server without a cache. */
const truth = async (url: string, headers = {}) => comparable(await read(forgetful, url, headers));
const catchUpAll = () => Promise.all([context.events.catchUp(), eventsOfOther.catchUp()]);

/** Pseudo-random numbers with a fixed seed. */
function dice(seed: number) {
  let state = seed;
  const roll = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  return { roll, pick: <One>(of: readonly One[]): One => of[roll(of.length)] as One };
}

const places = [
  { district: 306, category: 6 },
  { district: 309, category: 6 },
  { district: 306, category: 7 },
  { district: 1402, category: 6 },
  { district: 2301, category: 6 },
];
const seller = await given.member();
const ids: string[] = [];
// Enough in one place that its list has no alternatives.
for (let made = 0; made < 24; made += 1) ids.push((await given.listing({ ...places[0], sellerId: seller._id })).id);
for (const place of [...places.slice(1), ...places.slice(1), ...places.slice(1)])
  ids.push((await given.listing({ ...place, sellerId: seller._id })).id);
const subs = await db.selectFrom('sub_categories').select(['code', 'category_code', 'name']).where('category_code', 'in', [6, 7]).execute();
const subOf = (group: number) => subs.filter((one) => one.category_code === group).map((one) => one.code);

const nz = { host: 'nz.localhost' };
const reads = [
  '/listing/all',
  '/listing/all?page=2',
  '/listing/all?category=plumbing',
  '/listing/all?category=Plumbing&region=waikato',
  '/listing/all?category=plumbing&district=waipa&region=waikato',
  '/listing/all?category=plumbing&sort=best',
  '/listing/all?country=AU',
  '/listing/all?region=waikato&page=2',
  `/listing/all?subCategory=${encodeURIComponent(subs[0]?.name ?? '')}`,
  '/listing/all?title=kauri',
  '/search?category=plumbing',
  '/search?category=plumbing&region=waikato',
  '/search?category=plumbing&sort=rating',
  '/search?category=plumbing&minRating=4',
  '/search?category=plumbing&maxPrice=60',
  '/search?category=plumbing&region=otago',
  '/search?q=kauri',
  '/search/places?category=plumbing',
  '/search/town?region=waikato&town=waipa&category=plumbing',
  '/search/suggest?q=kaur',
];

type Change = { name: string; make: (id: string) => Promise<unknown> };
function changesOf({ roll, pick }: ReturnType<typeof dice>): Change[] {
  const set = (id: string, values: object) => db.updateTable('listings').set(values).where('id', '=', id).execute();
  return [
    { name: 'a text', make: (id) => set(id, { service_description: `Said anew ${roll(1e6)}` }) },
    { name: 'a title', make: (id) => set(id, { service_title: pick(['Kauri fences', 'Gutters', `Kauri ${roll(100)}`]) }) },
    { name: 'a name', make: (id) => set(id, { business_title: pick(['Kauri & Co', 'Rimu Ltd']) }) },
    { name: 'a price', make: (id) => set(id, { price_from_minor: 1_000 * (1 + roll(12)), price_unit: 'hour' }) },
    { name: 'a plan', make: (id) => set(id, { plan_rank: 1 + roll(3) }) },
    {
      name: 'a place',
      make: (id) =>
        set(
          id,
          pick([
            { country: 'NZ', region_code: 3, district_code: 306 },
            { country: 'NZ', region_code: 3, district_code: 309 },
            { country: 'NZ', region_code: 14, district_code: 1402 },
          ]),
        ),
    },
    {
      name: 'services',
      make: (id) =>
        set(id, pick([6, 7].map((category_code) => ({ category_code, sub_category_code: pick([null, ...subOf(category_code)]) })))),
    },
    { name: 'an end', make: (id) => set(id, { status: 'inactive' }) },
    { name: 'a beginning', make: (id) => set(id, { status: 'active' }) },
    { name: 'a review', make: (id) => given.review(id, 1 + roll(5)) },
    { name: 'a review’s end', make: (id) => db.deleteFrom('reviews').where('listing_id', '=', id).execute() },
    {
      name: 'a reviewer’s name',
      make: (id) =>
        db
          .updateTable('users')
          .set({ full_name: `Person ${roll(1e6)}` })
          .where('id', 'in', db.selectFrom('reviews').select('author_id').where('listing_id', '=', id))
          .execute(),
    },
    { name: 'a new listing', make: async () => void ids.push((await given.listing({ ...pick(places), sellerId: seller._id })).id) },
  ];
}

test('cached responses soon equal uncached ones after any change, and at once for the client that made it', async () => {
  const random = dice(20_261_122);
  const changes = changesOf(random);
  const member = { authorization: `Bearer ${seller.token}` };
  let hits = 0;
  // Each kind of change several times, in random order.
  for (let turn = 0; turn < changes.length * 4; turn += 1) {
    const { name, make } = changes[(turn * 5) % changes.length] as Change;
    const id = random.pick(ids);
    const urls = [...reads, `/listing/${id}`, `/listing/${id}/reviews`];
    const few = [...Array.from({ length: 7 }, () => random.pick(urls)), `/listing/${id}`];
    for (const url of few) for (const server of [app, other]) await read(server, url);
    await make(id);
    // Whoever is signed in or wrote a moment ago sees every change at once, on any server.
    const own = random.pick(reads);
    const writer = turn % 2 === 0 ? member : { cookie: writeCookie };
    expect([name, own, comparable(await read(other, own, writer))]).toEqual([name, own, await truth(own)]);
    await catchUpAll();
    for (const url of few) {
      const found = await read(app, url);
      if (found.state === 'hit') hits += 1;
      // Other responses may be a second old, except for requests with no-cache.
      const isNear = /q=|title=|places|town/.test(url) || (found.body.totalListings ?? 99) < 20;
      const held = isNear ? await read(app, url, { 'cache-control': 'no-cache' }) : found;
      expect([name, url, comparable(held)]).toEqual([name, url, await truth(url)]);
    }
  }
  // The cache is in use.
  expect(hits).toBeGreaterThan(changes.length * 8);
});

test('each change of a listing appears in each affected list', async () => {
  const random = dice(7);
  for (const { name, make } of changesOf(random)) {
    const id = random.pick(ids.slice(0, 24));
    for (const url of reads) await read(app, url);
    await make(id);
    await context.events.catchUp();
    for (const url of reads) {
      const held = await read(app, url, /q=|title=|places|town/.test(url) ? { 'cache-control': 'no-cache' } : {});
      const isOld = held.body.totalListings < 20;
      expect([name, url, isOld || comparable(held)]).toEqual([name, url, isOld || (await truth(url))]);
    }
  }
});

test('reviews that make a listing top rated appear in that list', async () => {
  const best = '/listing/all?category=plumbing&sort=best';
  const last = (await truth(`${best}&page=2`)).body.listings.at(-1)._id;
  await read(app, best);
  for (let written = 0; written < 12; written += 1) await given.review(last, 5);
  await context.events.catchUp();
  const now = await truth(best);
  expect(now.body.listings.map((one: { _id: string }) => one._id)).toContain(last);
  expect(comparable(await read(app, best))).toEqual(now);
});

test('a change does not invalidate responses without the listing, its place and services', async () => {
  const elsewhere = (await given.listing({ district: 1402, category: 7, sellerId: seller._id })).id;
  await catchUpAll();
  const cachedUrls = ['/listing/all?category=plumbing&region=waikato', '/search?category=plumbing&region=waikato', `/listing/${ids[0]}`];
  for (const url of cachedUrls) await read(app, url);
  for (const values of [{ status: 'inactive' as const }, { status: 'active' as const }, { plan_rank: 3 }, { service_title: 'Elsewhere' }]) {
    await db.updateTable('listings').set(values).where('id', '=', elsewhere).execute();
    await context.events.catchUp();
    for (const url of cachedUrls) expect([url, (await read(app, url)).state]).toEqual([url, 'hit']);
  }
});

test('parameters in another order or spelling share one entry, other values do not', async () => {
  const first = await read(app, '/listing/all?region=otago&category=plumbing');
  expect(first.state).toBe('miss');
  for (const url of ['/listing/all?category=plumbing&region=otago', '/listing/all?region=otago&district=&category=plumbing']) {
    expect([url, await read(app, url)]).toEqual([url, { ...first, state: 'hit' }]);
  }
  expect((await read(app, '/listing/all?region=otago&category=plumbing&page=2')).state).toBe('miss');
  expect((await read(app, '/listing/all?region=otago&category=plumbing', nz)).state).toBe('miss');
  const known = await app.inject({
    url: '/api/listing/all?region=otago&category=plumbing',
    headers: { 'if-none-match': String(first.etag) },
  });
  expect([known.statusCode, known.body, known.headers['cache-control']]).toEqual([304, '', 'no-cache']);
});

test('concurrent requests share one computation', async () => {
  for (const url of [
    '/search?category=plumbing&region=southland',
    '/listing/all?category=roofing&region=southland',
    `/listing/${ids[2]}`,
  ]) {
    if (url.includes(String(ids[2])))
      await db.updateTable('listings').set({ service_title: 'Asked by many' }).where('id', '=', String(ids[2])).execute();
    await catchUpAll();
    const answers = await Promise.all(Array.from({ length: 5 }, () => read(app, url)));
    const sent = (state: string) => answers.filter((one) => one.state === state).length;
    expect([url, sent('miss'), sent('shared')]).toEqual([url, 1, 4]);
    expect(new Set(answers.map((one) => JSON.stringify(comparable(one)))).size).toBe(1);
    expect(comparable(answers[0] as (typeof answers)[0])).toEqual(await truth(url));
  }
});

test('only the owner gets their full listing, whatever is cached', async () => {
  const own = { authorization: `Bearer ${seller.token}` };
  const url = `/listing/${ids[1]}`;
  for (const headers of [{}, own, {}, own]) {
    const isOwn = 'authorization' in headers;
    expect('businessEmailAddress' in (await read(app, url, headers)).body).toBe(isOwn);
  }
});

test('a server that can’t read changes serves nothing from its cache', async () => {
  const url = '/listing/all?category=plumbing&region=waikato';
  await read(other, url);
  expect((await read(other, url)).state).toBe('hit');
  await eventsOfOther.stop();
  const { id } = await given.listing({ ...places[0], sellerId: seller._id });
  await expect.poll(async () => comparable(await read(other, url))).toEqual(await truth(url));
  expect((await read(other, url)).body.listings[0]._id === id || (await truth(url)).body.listings[0]._id !== id).toBe(true);
});

test('a seller sees their change in the next request, signed in or not', async () => {
  const mine = await given.member();
  for (let turn = 0; turn < 6; turn += 1) {
    const { id } = await given.listing({ ...places[1], sellerId: mine._id });
    const list = '/listing/all?category=plumbing&district=waipa&region=waikato';
    await read(app, `/listing/${id}`);
    await read(app, list);
    expect((await callers.as(mine).put(`/listing/${id}/deactivate`)).status).toBe(200);
    expect((await read(app, `/listing/${id}`)).status).toBe(404);
    expect((await read(app, list)).body.listings.map((one: { _id: string }) => one._id)).not.toContain(id);
  }
});

test('a reviewer sees their review in the next request, signed in or not', async () => {
  for (let turn = 0; turn < 6; turn += 1) {
    const { id } = await given.listing({ ...places[2], sellerId: seller._id });
    const reviewer = await given.member();
    expect((await read(app, `/listing/${id}`)).body.reviewCount).toBe(0);
    expect((await callers.as(reviewer).post('/review/create', { listingId: id, rating: 5, comment: 'Tidy work.' })).status).toBe(201);
    expect((await read(app, `/listing/${id}`)).body.reviewCount).toBe(1);
  }
});
