import fc from 'fast-check';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import { kmBetween } from '@handwise/contract/places/distance';
import { findRegionByDistrict } from '@handwise/contract/places/regions';
import { priceChoices, ratingChoices } from '@handwise/contract/search/filters';
import { testApp } from '@handwise/sandbox/testing/app';
import { insertRows } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { times } from '@handwise/sandbox/testing/times';
import { listLocalities, findMainTown } from '../places/places.service.ts';
import { matchAlerts } from './alerts.jobs.ts';

// Compares alert matches with search results over the same random listings.
const { given, callers, db, parts } = await testApp();
const { as, asVisitor } = callers;
const client = new pg.Client({ connectionString: parts.databaseUrl });
await client.connect();
afterAll(() => client.end());

const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 5 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

// Around Hamilton and Taupō, and around Sydney.
const towns = [findMainTown(301), findMainTown(306), findMainTown(1701)]
  .flatMap((one) => one ?? [])
  .flatMap((middle) =>
    listLocalities()
      .map((one) => ({ one, km: kmBetween(middle, one) }))
      .filter(({ km }) => km < 120)
      .toSorted((a, b) => a.km - b.km)
      .filter((_, index) => index % 12 === 0)
      .slice(0, 15)
      .map(({ one }) => one),
  );
const words = ['emergency', 'plumber', 'plumbing', 'roof', 'roofing', 'tiles', 'tiler', 'heatpump', 'pump', 'heat', 'local', 'zambo'];
const groups = [2, 3, 5, 6, 7].flatMap((code) => categories.find((one) => one.code === code) ?? []);

const seller = await given.user();
const { subscription_id: subscriptionId } = await db
  .selectFrom('listings')
  .select('subscription_id')
  .where('id', '=', (await given.listing({ sellerId: seller._id, status: 'inactive' })).id)
  .executeTakeFirstOrThrow();
const subscription = await db
  .updateTable('subscriptions')
  .set({ slots: 1_000 })
  .where('id', '=', subscriptionId)
  .returning(['id', 'user_id', 'ends_at'])
  .executeTakeFirstOrThrow();
const cover = { key: 'a', widths: [480], width: 480, height: 360, thumbhash: '', alt: '' };

const wanted = Array.from({ length: 300 }, () => {
  const town = pick(towns);
  const base = pick([town, town, null]);
  const area = pick(['none', 'radius', 'radius', 'districts'] as const);
  const category = pick(groups);
  const country = findRegionByDistrict(town.districtCode)?.country;
  const price = pick([null, 4_999, 5_000, 8_000, 12_050, 25_000, 100_001]);
  const others = [pick(towns), pick(towns)].filter((one) => one.country === town.country).map((one) => one.districtCode);
  const row = listingRow(subscription, {
    title: [pick(words), pick(words), pick(words)].join(' '),
    business: pick(['Anderson Plumbing', 'Henderson & Sons', 'Tiling Wizards', 'Pump & Heat']),
    services: [pick(['Repairs', 'Heat pumps', 'Roof tiles', 'Leaks', 'Drains'])],
    district: town.districtCode,
    category: category.code,
    subCategory: pick([null, ...category.subCategories])?.code ?? null,
    plan: pick(['basic', 'premium', 'featured'] as const),
    status: pick(['active', 'active', 'active', 'active', 'inactive'] as const),
    base: base?.code ?? null,
    radiusKm: base && area === 'radius' ? pick([1, 5, 20, 60, 140, 200]) : null,
    serviceDistricts: area === 'districts' ? [...new Set([town.districtCode, ...others])] : null,
  });
  return {
    ...row,
    pictures: pick([true, false]) ? [cover] : [],
    rating_counts: pick([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 1],
      [0, 0, 0, 12, 8],
      [1, 1, 1, 1, 1],
      [0, 0, 1, 9, 0],
    ]),
    answers_within_day: pick([true, false]),
    business_number: country === 'NZ' ? '9429000000017' : '51824753556',
    verified: pick([true, false]),
    price_from_minor: price,
    price_unit: price === null ? null : 'hour',
  };
});
const ids = await insertRows(client, 'listings', wanted);
await sql`select rebuild_vocabulary()`.execute(db);
await parts.context.events.catchUp();

type Search = Record<string, string>;
const maybe = (...values: Search[]) => fc.constantFrom<Search>(...Array.from({ length: 8 }, () => ({})), ...values);
const place = fc.constantFrom<Search>(
  {},
  { country: 'NZ' },
  { country: 'Australia' },
  { region: 'waikato' },
  { region: 'waikato', district: 'taupo' },
  { where: 'Hamilton' },
  { where: 'Taupo' },
  { where: 'Sydney' },
  { near: 'Hamilton', km: '5' },
  { near: 'Taupō', km: '60' },
  { near: 'Sydney' },
  { near: 'Hamilton', km: '100', region: 'waikato' },
  { near: 'Taupō', km: '100', region: 'waikato', district: 'taupo' },
  { near: 'Cambridge', country: 'NZ', km: '100' },
  { where: 'Cambridge' },
);
const what = fc.constantFrom<Search>(
  {},
  {},
  { category: 'trade' },
  { category: 'domestic' },
  ...groups.map(({ slug }) => ({ category: slug })),
  ...groups.flatMap(({ slug, subCategories }) => subCategories.slice(0, 2).map((sub) => ({ category: slug, subCategory: sub.slug }))),
  { subCategory: 'home-security' },
);
const text = fc.constantFrom<Search>(
  {},
  {},
  ...[...words, 'plumb', 'emergency plumber', 'tiling', 'anderson', 'pumps', 'tiles roof', 'r', 'zambos', 'zanbo', 'xqzv'].map((q) => ({
    q,
    raw: '1',
  })),
  ...['plumber', 'roofer', 'sparky', 'emergency plumber', 'tiler roof'].map((q) => ({ q })),
);
const facts = fc
  .tuple(
    maybe(...ratingChoices.map((minRating) => ({ minRating }))),
    maybe({ verified: '1' }),
    maybe({ photos: '1' }),
    maybe({ replied: '1' }),
    maybe(...priceChoices.slice(0, 3).map((maxPrice) => ({ maxPrice: String(maxPrice) })), { maxPrice: '80' }, { maxPrice: '0' }),
  )
  .map((all): Search => Object.assign({}, ...all));
const searches = fc.sample(
  fc
    .tuple(place, what, text, facts)
    .map(([where, kind, q, facts]) => ({ ...where, ...kind, ...q, ...facts }))
    // Too broad a search is rejected.
    .filter((search) =>
      Object.keys(search).some((name) => !['country', 'verified', 'photos', 'replied', 'minRating', 'maxPrice'].includes(name)),
    ),
  { numRuns: 70, seed: 9 },
);

/** The listing numbers of all search results. */
async function findAll(search: Search): Promise<number[]> {
  const found: number[] = [];
  for (let page = 1, pages = 1; page <= pages; page += 1) {
    const query = new URLSearchParams({ ...search, page: String(page), limit: '100' });
    const { status, body } = await asVisitor.get(`/search?${query.toString()}`);
    expect([search, status]).toEqual([search, 200]);
    pages = body.totalPages;
    const matches = body.listings.filter((one: { section: string }) => one.section === 'match');
    found.push(...matches.map((one: { listingNumber: number }) => one.listingNumber));
  }
  return found.toSorted((one, other) => one - other);
}

test('an alert matches the same new listings as its search and as the search linked in its email', async () => {
  const users = await times(Math.ceil(searches.length / 10), () => given.member());
  const saved: { search: Search; id: string; query: string }[] = [];
  for (const [index, search] of searches.entries()) {
    const user = users[Math.floor(index / 10)];
    if (!user) throw new Error('no user');
    const { status, body } = await as(user).post('/alerts', { ...search, frequency: 'daily' });
    expect([search, status, body.message]).toEqual([search, 200, undefined]);
    saved.push({ search, id: body._id, query: body.query });
  }
  await db
    .insertInto('new_listings')
    .values(ids.map((id) => ({ listing_id: id, live_at: new Date(Date.now() + 60_000) })))
    .execute();
  await matchAlerts(parts.context);

  const { rows } = await sql<{ alert_id: string; numbers: number[] }>`
    select alert_id, array_agg(listing_number order by listing_number) as numbers
    from alert_finds join listings on listings.id = listing_id group by alert_id`.execute(db);
  const found = new Map(rows.map((row) => [row.alert_id, row.numbers]));
  let some = 0;
  for (const { search, id, query } of saved) {
    const expected = await findAll(search);
    if (expected.length > 0) some += 1;
    expect([search, found.get(id) ?? []]).toEqual([search, expected]);
    expect([search, query, await findAll(Object.fromEntries(new URLSearchParams(query)))]).toEqual([search, query, expected]);
  }
  expect(some).toBeGreaterThan(20);
  const waiting = await db.selectFrom('new_listings').select('listing_id').execute();
  expect(waiting).toHaveLength(wanted.filter(({ status }) => status !== 'active').length);
});
