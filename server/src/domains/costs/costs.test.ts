import { expect, test } from 'vitest';
import type { PriceUnit } from '@handwise/contract/facts/prices';
import { testApp } from '@handwise/sandbox/testing/app';
import { testSite } from '@handwise/sandbox/testing/site';
import { times } from '@handwise/sandbox/testing/times';
import { computeCosts } from './costs.service.ts';

const { app, db, given, callers, parts } = await testApp({ SANDBOX: '0' }, await testSite());
const { asVisitor } = callers;
const { context, clock } = parts;
const seller = await given.user();
const plan = (await given.listing({ sellerId: seller._id, status: 'inactive' })).id;
const { subscription_id: subscriptionId } = await db
  .selectFrom('listings')
  .select('subscription_id')
  .where('id', '=', plan)
  .executeTakeFirstOrThrow();
await db.updateTable('subscriptions').set({ slots: 500 }).where('id', '=', subscriptionId).execute();

type Place = { subCategory: number; district: number; unit?: PriceUnit; status?: 'active' | 'inactive' };

/** Listings that ask these prices in cents; null names none. */
async function createPriced(minors: readonly (number | null)[], { subCategory, district, unit = 'hour', status = 'active' }: Place) {
  const category = Math.floor(subCategory / 100);
  const made = await times(minors.length, () => given.listing({ subscriptionId, category, subCategory, district, status }));
  for (const [index, { id }] of made.entries()) {
    const minor = minors[index] ?? null;
    await db
      .updateTable('listings')
      .set({ price_from_minor: minor, price_unit: minor === null ? null : unit })
      .where('id', '=', id)
      .execute();
  }
}
async function compute() {
  await computeCosts(context);
  await context.events.catchUp();
}
const get = async (path: string, market?: 'NZ' | 'AU') =>
  (await app.inject({ url: `/api${path}`, headers: { host: { NZ: 'handwise.co.nz', AU: 'handwise.com' }[market ?? 'NZ'] } })).json();

const hamilton = 306;
const dunedin = 1503;
const brisbane = 1901;
const [drains, emergency, fences, lawns] = [605, 603, 1003, 1101];

/** The share of a sample as textbooks interpolate it: between the neighbours of position (n - 1) × share. */
function quartile(sample: readonly number[], share: number) {
  const sorted = sample.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? 0;
  const above = sorted[Math.ceil(position)] ?? 0;
  return Math.floor(below + (above - below) * (position % 1) + 0.5);
}

test('computes median and quartiles for each unit, currency and region as a plain calculation does, the same at every run', async () => {
  let seed = 7;
  const next = () => (seed = (seed * 48_271) % 2_147_483_647);
  const samples: { minors: number[]; district: number; unit: PriceUnit; region: string; currency: string }[] = [];
  for (const unit of ['hour', 'job'] as const)
    for (const [district, region, currency] of [
      [hamilton, 'waikato', 'NZD'],
      [dunedin, 'otago', 'NZD'],
      [brisbane, 'queensland', 'AUD'],
    ] as const) {
      const minors = Array.from({ length: 8 + (next() % 5) }, () => 3_001 + (next() % 20_000));
      samples.push({ minors, district, unit, region, currency });
      await createPriced(minors, { subCategory: drains, district, unit });
    }
  clock.set(new Date('2027-02-01T15:11:00Z'));
  await compute();
  const expected = (minors: readonly number[], unit: PriceUnit, currency: string) => ({
    unit,
    currency,
    sample: minors.length,
    low: quartile(minors, 0.25),
    median: quartile(minors, 0.5),
    high: quartile(minors, 0.75),
  });
  const byUnit = (one: { unit: string }, other: { unit: string }) => (one.unit < other.unit ? -1 : 1);
  const of = (wanted: { currency?: string; region?: string }) =>
    (['hour', 'job'] as const).map((unit) => {
      const own = samples.filter(
        (one) => one.unit === unit && one.currency === (wanted.currency ?? one.currency) && one.region === (wanted.region ?? one.region),
      );
      return expected(
        own.flatMap(({ minors }) => minors),
        unit,
        own[0]?.currency ?? '',
      );
    });
  const { body } = await asVisitor.get('/costs/plumbing/drain-cleaning');
  expect(body.asOf).toMatch(/^2027-02-01T15:11:0/);
  const inCurrency = (currency: string) => body.prices.filter((one: { currency: string }) => one.currency === currency).toSorted(byUnit);
  expect([inCurrency('NZD'), inCurrency('AUD')]).toEqual([of({ currency: 'NZD' }), of({ currency: 'AUD' })]);
  expect(body.regions.map(({ slug }: { slug: string }) => slug).toSorted((a: string, b: string) => (a < b ? -1 : 1))).toEqual([
    'otago',
    'queensland',
    'waikato',
  ]);
  for (const { slug, prices } of body.regions) expect(prices.toSorted(byUnit)).toEqual(of({ region: slug }));
  expect((await get('/costs/plumbing/drain-cleaning?region=queensland')).prices.toSorted(byUnit)).toEqual(of({ region: 'queensland' }));
  expect((await get('/costs/plumbing/drain-cleaning', 'AU')).prices.toSorted(byUnit)).toEqual(of({ currency: 'AUD' }));
  expect((await get('/costs/plumbing/drain-cleaning?country=AU')).prices.toSorted(byUnit)).toEqual(of({ currency: 'AUD' }));

  const rows = async () => {
    const all = await db.selectFrom('asking_prices').selectAll().orderBy('price_unit').orderBy('region_code').orderBy('country').execute();
    return all.map((row) => ({ ...row, computed_at: null }));
  };
  const first = await rows();
  await compute();
  expect(await rows()).toEqual(first);
});

test('counts active listings with a price only, and shows nothing below eight of the same unit', async () => {
  const seven = [5_000, 6_000, 7_000, 8_000, 9_000, 10_000, 11_000];
  await createPriced([...seven, null], { subCategory: emergency, district: hamilton });
  await createPriced([99_900], { subCategory: emergency, district: hamilton, status: 'inactive' });
  await createPriced([99_900], { subCategory: emergency, district: hamilton, unit: 'day' });
  await createPriced([99_900], { subCategory: emergency, district: brisbane });
  await compute();
  const page = async () => (await app.inject('/costs/plumbing/emergency-plumbing')).statusCode;
  const map = async () => {
    await parts.buildDocuments();
    return (await app.inject('/sitemaps/pages.xml')).body.includes('/costs/plumbing/emergency-plumbing');
  };
  expect([await asVisitor.get('/costs/plumbing/emergency-plumbing'), await page(), await map()]).toMatchObject([
    { status: 404, body: { code: 'costs_not_found' } },
    404,
    false,
  ]);
  // The eighth is in another region, so the country has a sample and neither region has.
  await createPriced([12_000], { subCategory: emergency, district: dunedin });
  await compute();
  const { body } = await asVisitor.get('/costs/plumbing/emergency-plumbing');
  expect(body).toMatchObject({ prices: [{ unit: 'hour', sample: 8, low: 6_750, median: 8_500, high: 10_250 }], regions: [] });
  expect(await asVisitor.get('/costs/plumbing/emergency-plumbing?region=waikato')).toMatchObject({ status: 404 });
  expect([await page(), await map()]).toEqual([200, true]);
  // A sample that has become too small is gone at the next run.
  await db
    .updateTable('listings')
    .set({ status: 'inactive' })
    .where('sub_category_code', '=', emergency)
    .where('price_from_minor', '=', 12_000)
    .execute();
  await compute();
  expect([await page(), await map()]).toEqual([404, false]);
});

test.each([
  ['/costs/plumbing/astrology', 404],
  ['/costs/astrology/drain-cleaning', 404],
  ['/costs/roofing/drain-cleaning', 404],
  ['/costs/plumbing/drain-cleaning?region=queensland&country=NZ', 404],
  ['/costs/plumbing/drain-cleaning?region=atlantis', 400],
  ['/costs/plumbing/drain-cleaning?country=FJ', 400],
])('answers %s with %d', async (path, status) => {
  expect(await asVisitor.get(path)).toMatchObject({ status });
});

const textOf = (body: string) =>
  (/<main[\s\S]*<\/main>/.exec(body.replaceAll('<!-- -->', ''))?.[0] ?? '')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ');

test('the page of a service says median, middle half, sample, date and what moves the price, and carries them as JSON-LD', async () => {
  await createPriced([5_000, 5_500, 6_000, 6_500, 7_000, 7_500, 8_000, 8_500], { subCategory: lawns, district: hamilton, unit: 'visit' });
  clock.set(new Date('2027-02-02T15:11:00Z'));
  await compute();
  const { body, statusCode } = await app.inject('/costs/landscape-lawn-maintenance/lawn-maintenance');
  const text = textOf(body);
  expect(statusCode).toBe(200);
  for (const words of [
    'Lawn maintenance: what it costs in New Zealand',
    'These are asking prices, not what people paid.',
    'Worked out on Feb 3, 2027.',
    '$68 NZD per visit',
    'Usually $59 to $76 per visit (NZD), typically $68 (8 listings).',
    'By region, NZD per visit',
    'Waikato $68 $59 to $76 8',
    'What moves the price',
    'The size and slope of the section',
    'Fewer than eight listings are not shown.',
  ])
    expect(text).toContain(words);
  expect(body).not.toContain('noindex');
  expect(body).toMatch(/<link rel="canonical" href="[^"]*\/costs\/landscape-lawn-maintenance\/lawn-maintenance"/);
  const data = [...body.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(
    ([, json]) => JSON.parse(json ?? '')['@graph'],
  );
  expect(data.find((one) => one['@type'] === 'Dataset')).toMatchObject({
    description: expect.stringContaining('not what people paid'),
    dateModified: expect.stringMatching(/^2027-02-02T15:11:0/),
    variableMeasured: [
      {
        unitText: 'NZD per visit',
        measurementTechnique: expect.stringContaining('8 active listings'),
        value: { currency: 'NZD', percentile25: 58.75, median: 67.5, percentile75: 76.25 },
      },
    ],
  });
});

test('the list, the category page, the landing page and llms.txt link to services with a sample, and to no others', async () => {
  await createPriced([60_000, null], { subCategory: fences, district: hamilton, unit: 'day' });
  await compute();
  const linked = async (path: string, headers: Record<string, string> = {}) => {
    const { body } = await app.inject({ url: path, headers });
    return [...new Set([...body.matchAll(/href="(\/costs\/[^"]+)"/g)].map(([, address = '']) => address))].toSorted((a, b) =>
      a < b ? -1 : 1,
    );
  };
  const own = ['/costs/landscape-lawn-maintenance/lawn-maintenance', '/costs/plumbing/drain-cleaning'];
  expect(await linked('/costs')).toEqual(own);
  expect(await linked('/')).toEqual(own);
  expect(await linked('/services/plumbing')).toEqual(own.slice(1));
  expect(await linked('/services/plumbing/otago')).toEqual(own.slice(1));
  expect(await linked('/services/concrete-driveways')).toEqual([]);
  // The Australian site has the one with Australian prices.
  expect(await linked('/costs', { host: 'handwise.com' })).toEqual(own.slice(1));
  expect((await app.inject({ url: own[0] ?? '', headers: { host: 'handwise.com' } })).statusCode).toBe(404);
  await parts.buildDocuments();
  expect((await app.inject('/llms.txt')).body).toContain('[What it costs](http://localhost:3000/costs)');
  expect((await app.inject('/services/plumbing')).body).toMatch(/Drain cleaning, \$[\d,]+ to \$[\d,]+ NZD per (hour|job)/);
});

test('without any sample the list says so, is not indexed, and is linked from nowhere', async () => {
  await db.updateTable('listings').set({ status: 'inactive' }).where('subscription_id', '=', subscriptionId).execute();
  await compute();
  const { body, statusCode } = await app.inject('/costs');
  expect([statusCode, body.includes('noindex'), textOf(body).includes('No prices yet')]).toEqual([200, true, true]);
  await parts.buildDocuments();
  for (const path of ['/', '/services/plumbing', '/sitemaps/pages.xml', '/llms.txt'])
    expect((await app.inject(path)).body).not.toMatch(/\/costs[</")]/);
});
