import type { LoaderFunctionArgs } from 'react-router';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { paths } from '@handwise/contract/paths';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';

// The real pages, but for two whose loaders tests give.
const site = await testSite();
const build = await site.loadBuild();
type Loader = (args: LoaderFunctionArgs) => Promise<unknown>;
const loaders: Record<string, Loader> = {};
const replaceLoader = (id: string, make: (own: Loader) => Loader) => {
  const route = build.routes[id];
  if (!route) throw new Error(`there is no ${id}`);
  const own = route.module.loader as Loader;
  build.routes[id] = { ...route, module: { ...route.module, loader: make(own) } };
};
for (const page of ['terms', 'how-to-stop']) replaceLoader(`pages/site/${page}`, () => async (args) => loaders[page]?.(args) ?? null);
// The root's loader runs once for each page that is rendered.
let rendered = 0;
replaceLoader('root', (own) => (args) => {
  rendered += 1;
  return own(args);
});

const { app, besides, db, given, parts } = await testApp({}, site, { alwaysLatest: false });
const forgetful = await besides({ site });
afterAll(() => forgetful.close());
const { events } = parts.context;

const ids: string[] = [];
// More than one page of a list.
for (let made = 0; made < 22; made += 1) ids.push((await given.listing({ district: 306, category: 6 })).id);
for (const category of [6, 7]) ids.push((await given.listing({ district: 1402, category })).id);
const [last = '', first = ''] = [ids[0], ids[21]];
const change = async (id: string, values: object) => {
  await db.updateTable('listings').set(values).where('id', '=', id).execute();
  await events.catchUp();
};

async function open(url: string) {
  const before = rendered;
  const { statusCode, headers, body } = await app.inject({ url });
  return {
    status: statusCode,
    state: headers['x-cache'],
    missed: headers['x-cache-missed'],
    etag: headers['etag'],
    body,
    rendered: rendered - before,
  };
}

/** Freezes both clocks at this many seconds after 23:46 in Auckland until the test ends. */
function clocks() {
  const { now } = performance;
  const { now: date } = Date;
  onTestFinished(() => {
    performance.now = now;
    Date.now = date;
  });
  const [at, day] = [Math.ceil(now.call(performance)), Date.UTC(2026, 10, 22, 10, 46)];
  return {
    set(seconds: number) {
      performance.now = () => at + seconds * 1_000;
      Date.now = () => day + seconds * 1_000;
    },
  };
}

test('rerenders a page only when a change affects it', async () => {
  clocks().set(0);
  const url = '/services/plumbing/waikato';
  const made = await open(url);
  expect([made.state, made.missed, made.rendered]).toEqual(['miss', 'unknown', 1]);
  // A listing on the second page has a new price, which might have changed the order.
  expect(made.body).not.toContain(last);
  await change(last, { price_from_minor: 9_900, price_unit: 'hour' });
  expect(await open(url)).toEqual({ ...made, state: 'same', missed: undefined, rendered: 0 });
  expect(await open(url)).toEqual({ ...made, state: 'hit', missed: undefined, rendered: 0 });
  await change(first, { service_title: 'Taps of today' });
  const rebuilt = await open(url);
  expect([rebuilt.state, rebuilt.missed, rebuilt.rendered, rebuilt.body.includes('Taps of today')]).toEqual(['miss', 'changed', 1, true]);
  // The same changes invalidate revalidated pages and rendered ones.
  await change(last, { price_from_minor: 9_800 });
  expect((await open(url)).state).toBe('same');
  await change(first, { service_title: 'Taps of tomorrow' });
  expect((await open(url)).body).toContain('Taps of tomorrow');
});

test('revalidates a page with expired facts, and rerenders it when a new day begins', async () => {
  const { set } = clocks();
  const url = '/services/roofing';
  set(0);
  expect((await open(url)).missed).toBe('unknown');
  set(19);
  expect((await open(url)).state).toBe('hit');
  set(21);
  expect((await open(url)).state).toBe('same');
  set(14 * 60 - 1);
  expect((await open(url)).state).toBe('same');
  set(14 * 60);
  const rebuilt = await open(url);
  expect([rebuilt.state, rebuilt.missed, rebuilt.rendered]).toEqual(['miss', 'aged', 1]);
  // The next day begins in Sydney, two hours later.
  set(29 * 60);
  expect((await open(url)).state).toBe('same');
  set(134 * 60 - 1);
  expect((await open(url)).state).toBe('same');
  set(134 * 60);
  expect((await open(url)).state).toBe('miss');
});

test('caches a page without changing content as long as its texts', async () => {
  const { set } = clocks();
  set(8 * 60);
  expect((await open('/contact')).missed).toBe('unknown');
  set(14 * 60 - 1);
  expect((await open('/contact')).state).toBe('hit');
  set(14 * 60);
  expect((await open('/contact')).missed).toBe('aged');
});

test('renders concurrent requests of one page once', async () => {
  const { set } = clocks();
  for (const quarter of [0, 15 * 60]) {
    set(quarter);
    const gate = Promise.withResolvers<null>();
    const started = Promise.withResolvers<void>();
    loaders['terms'] = () => {
      started.resolve();
      return gate.promise;
    };
    const before = rendered;
    const one = open('/terms');
    await started.promise;
    const others = [open('/terms'), open('/terms')];
    // Long enough that the requests wait for each other only.
    await open('/privacy');
    await open('/services');
    const elsewhere = rendered;
    gate.resolve(null);
    const pages = await Promise.all([one, ...others]);
    expect(pages.map(({ status, state }) => [status, state])).toEqual([
      [200, 'miss'],
      [200, 'shared'],
      [200, 'shared'],
    ]);
    expect([rendered, elsewhere - before]).toEqual([elsewhere, 3]);
    expect((await open('/terms')).state).toBe('hit');
  }
});

test('revalidates a page’s data whether or not the data is cached itself', async () => {
  const { set } = clocks();
  set(0);
  const { id, seller_id } = await given.listing();
  expect((await open(`/listing/${id}`)).body).not.toContain('Answers within');
  const created_at = new Date(parts.context.clock.now().getTime() - 86_400_000);
  const answered_at = new Date(created_at.getTime() + 90 * 60_000);
  for (let turn = 0; turn < 3; turn += 1) {
    const { _id: buyer_id } = await given.user();
    await db.insertInto('conversations').values({ listing_id: id, buyer_id, seller_id, created_at, answered_at }).execute();
  }
  set(120);
  expect((await open(`/listing/${id}`)).body).toContain('Answers within about 2 hours');
});

test('caches the data of a page under one address, whatever parameters, spelling and routes are asked for', async () => {
  const first = await open('/services/plumbing.data');
  expect([first.status, first.state, first.rendered]).toEqual([200, 'miss', 1]);
  for (const url of [
    '/services/plumbing.data',
    '/services/plumbing.data?x=1&y',
    '/Services/plumbing.data?z',
    '/services/%70lumbing.data',
  ]) {
    const { status, state, etag, rendered } = await open(url);
    expect([url, status, state, etag, rendered]).toEqual([url, 200, 'hit', first.etag, 0]);
  }
  // The HTML and another page have addresses of their own.
  expect((await open('/services/plumbing')).body).toContain('<html');
  expect((await open('/services/plumbing.data?page=2')).state).toBe('miss');
  // The router asks for the data of some routes.
  const id = 'pages/search/services-category';
  const some = await open(`/services/plumbing.data?_routes=${id}`);
  expect([some.state, some.rendered, some.body.length < first.body.length]).toEqual(['miss', 0, true]);
  expect(await open(`/services/plumbing.data?x=2&_routes=no,${id},no`)).toMatchObject({ state: 'hit', body: some.body });
  expect((await open('/services/plumbing.data?_routes=no')).body).not.toContain(id);
  expect((await open('/services/plumbing.data?_routes=neither')).state).toBe('hit');
  const home = await open('/_.data');
  expect([home.status, home.state, (await open('/_.data?x=1')).state]).toEqual([200, 'miss', 'hit']);
  expect((await open('/search.data?q=anything')).state).toBe('miss');
  expect((await open('/search.data?q=anything')).state).toBe('miss');
});

test('a request after a change does not get a rendering that started before it', async () => {
  clocks().set(0);
  const gate = Promise.withResolvers<null>();
  const started = Promise.withResolvers<void>();
  const titles: string[] = [];
  loaders['how-to-stop'] = async ({ context }) => {
    const { serviceTitle } = await context.get(build.entry.module.serverContext).call('GET /listing/:id', { params: { id: first } });
    titles.push(serviceTitle);
    started.resolve();
    await gate.promise;
    return null;
  };
  await change(first, { service_title: 'Before' });
  const early = open(paths.howToStop);
  await started.promise;
  await change(first, { service_title: 'After' });
  const late = open(paths.howToStop);
  gate.resolve(null);
  expect([(await early).state, (await late).state, titles]).toEqual(['miss', 'miss', ['Before', 'After']]);
});

test('does not build a page from stale answers', async () => {
  const { set } = clocks();
  set(0);
  const query = 'category=roofing&region=canterbury';
  const roofer = ids.at(-1) ?? '';
  await app.inject(`/api/search?${query}`);
  await change(roofer, { service_title: 'Roofs of today' });
  expect((await app.inject(`/api/search?${query}`)).headers['x-cache']).toBe('hit');
  expect((await open(`/search?${query}`)).body).toContain('Roofs of today');
});

test('after any change a cached page equals an uncached rendering', async () => {
  // Statistics of the site may be a minute old; a minute later, with a frozen clock, both show the same.
  clocks().set(5 * 3_600);
  const pages = [
    '/',
    '/services/plumbing',
    '/services/plumbing?page=2',
    '/services/plumbing/waikato',
    '/services/roofing/canterbury',
    `/listing/${first}`,
    `/listing/${ids.at(-1)}`,
  ];
  const roofer = ids.at(-1) ?? '';
  const changes: [string, () => Promise<unknown>][] = [
    ['a text', () => change(first, { service_description: 'Said anew' })],
    ['a title', () => change(roofer, { service_title: 'Gutters of Canterbury' })],
    ['a price', () => change(last, { price_from_minor: 4_000, price_unit: 'hour' })],
    ['a plan', () => change(last, { plan_rank: 3 })],
    ['an end', () => change(first, { status: 'inactive' })],
    ['a beginning', () => change(first, { status: 'active' })],
    ['a review', () => given.review(roofer, 4)],
    ['a place', () => change(last, { region_code: 14, district_code: 1402 })],
    ['services', () => change(last, { category_code: 7, sub_category_code: null })],
  ];
  const states = new Set<unknown>();
  for (const [name, make] of changes) {
    for (const url of pages) await open(url);
    await make();
    await events.catchUp();
    const shown = (html: string) => html.replace(/<script[\s\S]*?<\/script>/g, '').replace(/<[^>]*>/g, ' ');
    for (const url of pages) {
      const { body, status, state } = await open(url);
      const truth = await forgetful.inject({ url });
      expect([name, url, status, shown(body)]).toEqual([name, url, truth.statusCode, shown(truth.body)]);
      states.add(state);
    }
  }
  expect([...states]).toEqual(expect.arrayContaining(['hit', 'same', 'miss']));
});

test('does not cache a page with an answer that has no cache tags', async () => {
  clocks().set(6 * 3_600);
  loaders['how-to-stop'] = async (args) => {
    const { call } = args.context.get(build.entry.module.serverContext);
    await call('GET /config', {});
    return null;
  };
  await open(paths.howToStop);
  expect(await open(paths.howToStop)).toMatchObject({ status: 200, state: 'miss', rendered: 1 });
  delete loaders['how-to-stop'];
});

test('the draw rules change to the next month within a minute after closing', async () => {
  const { set } = clocks();
  set(7 * 3_600);
  parts.clock.set(new Date('2031-06-30T11:29:50Z'));
  const monthShown = async () => /prize draw of (\w+ \d+)/.exec((await open(paths.drawRules)).body)?.[1];
  expect(await monthShown()).toBe('June 2031');
  parts.clock.set(new Date('2031-06-30T11:30:50Z'));
  set(7 * 3_600 + 60);
  expect(await monthShown()).toBe('July 2031');
});

test('rerenders the review ledger after a new review', async () => {
  clocks().set(8 * 3_600);
  await open(paths.reviewsPolicy);
  expect((await open(paths.reviewsPolicy)).state).toBe('hit');
  await given.review(ids[3] ?? '', 5);
  await events.catchUp();
  expect(await open(paths.reviewsPolicy)).toMatchObject({ state: 'miss', rendered: 1 });
});

test('caches every page of the sitemap, because all its calls have cache tags', async () => {
  clocks().set(9 * 3_600);
  await parts.buildDocuments();
  for (const map of ['pages', 'listings-1', 'towns-plumbing']) {
    const { body } = await app.inject(`/sitemaps/${map}.xml`);
    const addresses = [...body.matchAll(/<loc>http:\/\/localhost:3000([^<]*)/g)].map(([, address]) => address || '/');
    expect([map, addresses.length > 0]).toEqual([map, true]);
    for (const address of addresses) {
      await open(address);
      expect([address, (await open(address)).state]).toEqual([address, 'hit']);
    }
  }
});
