import { categories } from '@handwise/contract/categories';
import { regions } from '@handwise/contract/places';
import type { FindQuery } from '@handwise/contract/search';
import { testApp } from '@handwise/sandbox/test-app';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';
import { listingRow } from '@handwise/sandbox/testing/listing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test, vi } from 'vitest';
import { allLocalities } from '../../places/places.service.ts';
import { Freshness } from '../../../kit/kept/freshness.ts';
import { anyListing, changedBy } from '../../listings/listings.service.ts';
import { findCards } from '../orders/search.cards.ts';
import { SearchMemory, totalOf } from '../search.memory.ts';
import type { ListingFilter } from '../search.rules.ts';
import { findWords } from '../words/search.words.queries.ts';
import { findForEverybody } from '../understanding/search.everybody.ts';
import { searchAsMember } from '../understanding/search.members.ts';
import { connectionLimits } from '../../../kit/database/connection-limits.ts';
import { segmentRows } from './bits.ts';
import { Follower } from './follower.ts';
import { asked, askedWord } from './asking.ts';
import { countInPostings } from './counting.ts';
import { Postings } from './postings.ts';
import { Reading } from './reading/reading.ts';
import { SearchPostings } from './search.postings.ts';
import type { FromThread } from './messages.ts';

// What memory answers is held against what PostgreSQL answers, which other tests hold against plain readings.
const { given, db, parts } = await testApp({ SEARCH_POSTINGS_FROM: '0' });
const postings = parts.postings;
if (!postings) throw new Error('nothing answers from memory');
const isReady = () => vi.waitFor(() => expect(postings.isReady).toBe(true), { timeout: 20_000, interval: 5 });

const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 3 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

const seller = await given.user();
const { id } = await given.listing({ sellerId: seller._id, status: 'inactive' });
const { subscription_id: subscriptionId } = await db
  .selectFrom('listings')
  .select('subscription_id')
  .where('id', '=', id)
  .executeTakeFirstOrThrow();
const subscription = await db
  .updateTable('subscriptions')
  .set({ slots: 1_000 })
  .where('id', '=', subscriptionId)
  .returning(['id', 'user_id', 'ends_at'])
  .executeTakeFirstOrThrow();

const districts = regions.flatMap((region) => region.districts.map((district) => ({ ...district, region })));
const somewhere = [101, 102, 301, 306, 1701, 1702].flatMap((code) => districts.find((one) => one.code === code) ?? []);
const towns = somewhere.flatMap(({ code }) =>
  allLocalities()
    .filter(({ districtCode }) => districtCode === code)
    .slice(0, 3),
);
const titles = ['plumber', 'roof', 'roofing', 'tiles', 'local', 'renewal', 'repairs', 'residential', 'rapid', 'x'];
const some = () => ({
  title: `${pick(titles)} ${pick(titles)}`,
  business: pick(['Anderson Plumbing', 'Henderson & Sons', 'Tiling Wizards']),
  services: [pick(['Leaks', 'Roof tiles', 'Repairs']), pick(['Painting', 'Heat pumps'])],
  plan: pick(['basic', 'basic', 'premium', 'featured'] as const),
});
function newListing(index: number) {
  const category = pick(categories.slice(3, 8));
  const town = pick(towns);
  const base = pick([town, town, null]);
  const area = pick(['none', 'radius', 'districts'] as const);
  const country = districts.find(({ code }) => code === town.districtCode)?.region.country;
  const others = somewhere.filter(({ region }) => region.country === country);
  return {
    ...listingRow(subscription, {
      ...some(),
      status: pick(['active', 'active', 'active', 'active', 'inactive'] as const),
      district: town.districtCode,
      base: base?.code ?? null,
      radiusKm: base && area === 'radius' ? pick([5, 60, 140, 200]) : null,
      serviceDistricts: area === 'districts' ? [...new Set([town.districtCode, pick(others).code])] : null,
      category: category.code,
      subCategory: pick([null, ...category.subCategories])?.code ?? null,
    }),
    // Three segments of numbers, the last rows of one and the first of the next among them.
    listing_number: segmentRows - 60 + (index % 3 === 0 ? segmentRows : 0) + index,
    ...evidence(),
    business_number: country === 'NZ' ? '9429000000000' : '51000000000',
  };
}
function evidence() {
  const price = pick([null, 4_000, 9_900, 12_000, 30_000, 200_000]);
  return {
    price_from_minor: price,
    price_unit: price === null ? null : ('hour' as const),
    answers_within_day: pick([true, false]),
    verified: pick([true, false]),
    pictures: JSON.stringify(pick([[], [{ key: 'a', widths: [480], width: 480, height: 360, thumbhash: '', alt: '' }]])),
    rating_counts: pick([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 3],
      [1, 0, 2, 1, 0],
      [0, 1, 0, 4, 4],
    ]),
  };
}
const made = await db
  .insertInto('listings')
  .values(Array.from({ length: 240 }, (_, index) => newListing(index)))
  .returning('id')
  .execute();
await parts.context.events.catchUp();

/** One of the ways in which listings change. */
async function change() {
  const those = [pick(made).id, pick(made).id];
  const update = db.updateTable('listings').where('id', 'in', those);
  await pick([
    () => update.set({ status: pick(['active', 'inactive']) }).execute(),
    () => update.set({ service_title: some().title }).execute(),
    () => update.set({ plan_rank: 2 }).where('plan_rank', '<>', 2).where('id', 'is', null).execute(),
    () => update.set(evidence()).execute(),
    () => update.set({ base_locality_code: null, service_radius_km: null }).execute(),
    () =>
      db
        .insertInto('listings')
        .values({ ...newListing(0), listing_number: 3 * segmentRows + Number(random?.next().value) })
        .execute(),
  ])();
  await parts.context.events.catchUp();
}

const place = fc.constantFrom<Partial<FindQuery>>(
  {},
  { country: 'NZ' },
  { country: 'AU' },
  ...somewhere.flatMap(({ slug, region }) => [{ region: region.slug }, { region: region.slug, district: slug }]),
  ...towns.slice(0, 4).flatMap((town) => {
    const region = regions.find(({ code }) => code === town.regionCode)?.slug;
    return [
      { region, town: town.slug },
      { region, town: town.slug, serves: '1' as const },
    ];
  }),
  ...somewhere.slice(0, 4).map(({ slug, region }) => ({ region: region.slug, district: slug, serves: '1' as const })),
  ...towns.flatMap(({ latitude, longitude }) => [5, 40, 200].map((km) => ({ near: `${latitude.toFixed(2)},${longitude.toFixed(2)}`, km }))),
);
const what = fc.constantFrom<Partial<FindQuery>>(
  {},
  {},
  { category: 'trade' },
  ...categories.slice(3, 8).map(({ name }) => ({ category: name })),
  {
    subCategory: 'Residential plumbing',
  },
);
const words = fc.constantFrom<Partial<FindQuery>>(
  {},
  {},
  ...[
    'r',
    're',
    'roof',
    'tiles roof',
    'local x',
    'painting',
    'anderson',
    'x',
    'plumbing',
    'repair residential',
    'hendersen',
    'zzyzx',
    'e a',
  ].map((q) => ({ q, raw: '1' as const })),
);
const filters = fc.constantFrom<Partial<FindQuery>>(
  {},
  {},
  { minRating: '4.5' },
  { verified: '1', replied: '1' },
  { maxPrice: 100 },
  { maxPrice: 99 },
  { maxPrice: 1_500, minRating: '3' },
  { photos: '1' },
);
const order = fc.constantFrom<Partial<FindQuery>>({}, {}, { sort: 'rating' }, { sort: 'newest' });

/** A memory that hears of what changes, as a server's does. */
function rememberingMemory() {
  const [freshness, ofListings] = [new Freshness(), new Freshness()];
  parts.context.events.on('listings', (ids) => {
    for (const one of [freshness, ofListings]) {
      if (ids === 'many') one.allChanged();
      else one.changed([anyListing, ...ids]);
    }
  });
  parts.context.events.on('lists', (changes) => (changes === 'many' ? freshness.allChanged() : freshness.changed(changedBy(changes))));
  return new SearchMemory(postings, freshness, ofListings);
}

test('any search is answered from memory as PostgreSQL answers it, on every page and whatever has changed since', async () => {
  await isReady();
  const remembering = rememberingMemory();
  await fc.assert(
    fc.asyncProperty(
      place,
      what,
      words,
      filters,
      order,
      fc.constantFrom(3, 20),
      fc.boolean(),
      async (...[where, category, text, asks, sort, limit, changes]) => {
        if (changes) await change();
        const search = { ...where, ...category, ...text, ...asks, ...sort, limit } as FindQuery;
        const plain = await findForEverybody(db, new SearchMemory(null), search, null);
        for (const page of new Set([1, Math.ceil(plain.totalPages / 2), plain.totalPages, plain.totalPages + 1].filter((one) => one > 0))) {
          const asks = { ...search, page };
          const expected = await findForEverybody(db, new SearchMemory(null), asks, null);
          expect(await findForEverybody(db, new SearchMemory(postings), asks, null)).toEqual(expected);
          expect(await findForEverybody(db, remembering, asks, null)).toEqual(expected);
        }
      },
    ),
    { numRuns: 50, seed: 42 },
  );
  expect(postings.isReady).toBe(true);
});

test('a card is made once for all who find it, and anew where its listing has changed, or nobody can say whether it has', async () => {
  await isReady();
  const memory = rememberingMemory();
  const cards = async (search: FindQuery) => (await findForEverybody(db, memory, search, null)).listings;
  const [first, other, ...rest] = await cards({ limit: 6, sort: 'newest' });
  if (!first || !other) throw new Error('too few are found');
  // The lists in a card are the same ones, not equal ones, where it was not made anew.
  const again = await cards({ limit: 20, sort: 'newest', page: 1 });
  const areSame = (one: typeof first, now: typeof again) => now.some((card) => card._id === one._id && card.services === one.services);
  expect([first, other, ...rest].map((card) => areSame(card, again))).toEqual(Array(6).fill(true));
  await db.updateTable('listings').set({ service_title: 'Quite another title' }).where('id', '=', first._id).execute();
  await parts.context.events.catchUp();
  const now = await cards({ limit: 6, sort: 'newest' });
  expect(now.find(({ _id }) => _id === first._id)?.serviceTitle).toBe('Quite another title');
  expect([areSame(first, now), areSame(other, now)]).toEqual([false, true]);
  parts.context.events.emit('lists', 'many');
  expect(areSame(other, await cards({ limit: 6, sort: 'newest' }))).toBe(true);
  parts.context.events.emit('listings', 'many');
  await isReady();
  expect(areSame(other, await cards({ limit: 6, sort: 'newest' }))).toBe(false);
});

test('who names a district from further away than anybody comes is found there from then on, though it was asked for before', async () => {
  await isReady();
  const memory = rememberingMemory();
  const [here] = somewhere;
  const from = regions.find(({ slug }) => slug === 'southland')?.districts[0];
  if (!here || !from) throw new Error('no such places');
  const coming = async (memory: SearchMemory) => {
    const search = { region: here.region.slug, district: here.slug, serves: '1', limit: 100 } as const;
    return (await findForEverybody(db, memory, search, null)).listings.map(({ listingNumber }) => listingNumber);
  };
  const before = await coming(memory);
  expect(before.length).toBeGreaterThan(0);
  const { listing_number: number } = await db
    .insertInto('listings')
    .values(listingRow(subscription, { district: from.code, serviceDistricts: [from.code, here.code] }))
    .returning('listing_number')
    .executeTakeFirstOrThrow();
  await parts.context.events.catchUp();
  const now = await coming(memory);
  expect(now).toEqual(await coming(new SearchMemory(null)));
  expect(new Set(now)).toEqual(new Set([...before, number]));
  // Its number is a new segment's, of which later tests know nothing.
  await db.deleteFrom('listings').where('listing_number', '=', number).execute();
  await parts.context.events.catchUp();
  expect(await coming(memory)).toEqual(before);
});

test('what was found is told again until a listing changes, each page its own', async () => {
  await isReady();
  const freshness = new Freshness();
  const memory = new SearchMemory(postings, freshness);
  const numbers = async (page: number, from = memory) =>
    (await findForEverybody(db, from, { limit: 7, page }, null)).listings.map(({ listingNumber }) => listingNumber);
  const [first, second] = [await numbers(1), await numbers(2)];
  expect(first.filter((number) => second.includes(number))).toEqual([]);
  expect([await numbers(1), await numbers(2)]).toEqual([first, second]);
  await db
    .updateTable('listings')
    .set({ status: 'inactive' })
    .where('listing_number', 'in', [...first.slice(0, 2), ...second.slice(0, 2)])
    .execute();
  await parts.context.events.catchUp();
  freshness.changed([anyListing]);
  expect([await numbers(1), await numbers(2)]).toEqual([
    await numbers(1, new SearchMemory(null)),
    await numbers(2, new SearchMemory(null)),
  ]);
});

test('the words of the listings are known as they are now, whether it is told which have changed or that nobody can say which', async () => {
  await isReady();
  const first = { order: 'newest', byWorth: false, skip: 0, take: 1, choicesUpTo: -1 } as const;
  const known = async (typed: string) =>
    (await postings.find(asked({ meanings: [askedWord(typed)], filter: {}, rings: null }, first)))?.forms[0] ?? [];
  const expected = async (typed: string) => (await findWords(db, [typed])).get(typed)?.forms ?? [];
  const words = ['roof', 'roofing', 'tile', 'work', 'local'];
  const areKnown = async () => {
    await parts.context.events.catchUp();
    for (const word of words) expect([word, await known(word)]).toEqual([word, await expected(word)]);
  };
  await areKnown();
  expect(await known('rooftop')).toEqual([]);
  const rename = (title: string) =>
    db.updateTable('listings').set({ service_title: title, status: 'active' }).where('id', '=', id).execute();
  await rename('Rooftop rooftiles worklocals');
  await areKnown();
  expect(await known('rooft')).toEqual(['rooftile', 'rooftop']);
  await rename('Something else');
  await areKnown();
  expect(await known('rooftop')).toEqual([]);
  await sql`update search_words set listings = 1000 where word = 'roofing'`.execute(db);
  await sql`select tell('words', '"many"')`.execute(db);
  await areKnown();
  await sql`select recount_listings()`.execute(db);
  await areKnown();
});

test('a member is answered from memory as by PostgreSQL', async () => {
  await isReady();
  for (const title of ['roof', 're', 'plumbing repairs', 'nobody has this', 'hendersen'])
    for (const page of [1, 2, 9]) {
      const search = { title, page, limit: 7 };
      expect(await searchAsMember(db, new SearchMemory(postings), search, 'NZ')).toEqual(
        await searchAsMember(db, new SearchMemory(null), search, 'NZ'),
      );
    }
});

test('a segment of which many rows have changed is read anew, with what changes meanwhile', async () => {
  const told: unknown[] = [];
  const follower = new Follower(parts.databaseUrl, (message) => told.push(message), { renewFrom: 3 });
  const search = asked(
    { meanings: [], filter: {}, rings: null },
    { order: 'newest', byWorth: false, skip: 0, take: 1_000, choicesUpTo: -1 },
  );
  const expected = async () => {
    const rows = await db
      .selectFrom('listings')
      .select('listing_number')
      .where('status', '=', 'active')
      .orderBy('listing_number', 'desc')
      .execute();
    return rows.map((row) => row.listing_number).toSorted((one, other) => other - one);
  };
  const found = async () => {
    const page = await follower.find(search);
    return page?.numbers.toSorted((one, other) => other - one);
  };
  expect(await follower.find(search)).toBeNull();
  follower.readAll(1);
  await vi.waitFor(() => expect(told).toMatchObject([{ kind: 'ready', generation: 1 }]), { timeout: 20_000, interval: 5 });
  const change = async (those: string[], status: 'active' | 'inactive') => {
    await db.updateTable('listings').set({ status }).where('id', 'in', those).execute();
    follower.changed(those);
    expect(await found()).toEqual(await expected());
  };
  for (let round = 0; round < 12; round += 1) await change([pick(made).id, pick(made).id], pick(['active', 'inactive']));
  await change(
    made.slice(0, 3).map(({ id }) => id),
    'active',
  );
  await vi.waitFor(() => expect(follower.renewed).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });
  expect(await found()).toEqual(await expected());
  await follower.close();
});

test('what suggestions begin with is read once, so that nobody who types waits for a disk', async () => {
  const scans = async () => {
    const { rows } = await sql<{ scans: number }>`select idx_scan::int as scans from pg_stat_user_indexes
      where indexrelname in ('listings_business_names', 'listings_title_names') order by indexrelname`.execute(db);
    return rows.map((row) => row.scans);
  };
  const before = await scans();
  const reading = await Reading.open(parts.databaseUrl, new Postings(), () => {});
  await reading.warmNames();
  await reading.close();
  // The database tells of its own figures a little later.
  await vi.waitFor(async () => expect((await scans()).map((now, index) => now > (before[index] ?? now))).toEqual([true, true]), {
    timeout: 20_000,
    interval: 20,
  });
});

test('with few listings nothing is told from memory, and nobody waits for ever for a thread that has ended', async () => {
  const search = asked({ meanings: [], filter: {}, rings: null }, { order: 'newest', byWorth: false, skip: 0, take: 1, choicesUpTo: -1 });
  const logger = { info() {}, warn() {} };
  const few = new SearchPostings({ db, url: parts.databaseUrl, from: 1_000_000, logger });
  await few.start();
  expect([few.isReady, await few.find(search)]).toEqual([false, null]);
  await few.close();
  const ending = new SearchPostings({ db, url: parts.databaseUrl, from: 1, logger });
  await ending.start();
  await vi.waitFor(() => expect(ending.isReady).toBe(true), { timeout: 20_000, interval: 5 });
  const answers = Promise.all(Array.from({ length: 50 }, () => ending.find(search)));
  await ending.close();
  // Some may have been answered before.
  expect(await answers).toHaveLength(50);
});

test('while everything is read anew nothing is told from memory, and afterwards what is true then', async () => {
  const search = asked({ meanings: [], filter: {}, rings: null }, { order: 'newest', byWorth: false, skip: 0, take: 1, choicesUpTo: -1 });
  const active = async () => {
    const { count } = await db
      .selectFrom('listings')
      .where('status', '=', 'active')
      .select(({ fn }) => fn.countAll().as('count'))
      .executeTakeFirstOrThrow();
    return Number(count);
  };
  const end = async () => {
    const one = await db.selectFrom('listings').select('id').where('status', '=', 'active').limit(1).executeTakeFirstOrThrow();
    await db.deleteFrom('listings').where('id', '=', one.id).execute();
    return one.id;
  };
  // What is deleted is told by the triggers too, a little later, and then everything is read once more.
  const isTrueAgain = () =>
    vi.waitFor(async () => expect((await postings.find(search))?.total).toBe(await active()), { timeout: 20_000, interval: 5 });
  await parts.context.events.catchUp();
  await isReady();
  expect((await postings.find(search))?.total).toBe(await active());
  await end();
  postings.changed('many');
  expect(await postings.find(search)).toBeNull();
  await isTrueAgain();
  // One that is gone for good is known to nobody by its number: then everything is read anew too.
  postings.changed([await end()]);
  expect(await postings.find(search)).toBeNull();
  await isTrueAgain();
});

test('what stands for nothing is looked up once, however many ways to find more are tried', async () => {
  await isReady();
  let asks = 0;
  const counting = {
    isReady: true,
    find(search: Parameters<typeof postings.find>[0]) {
      asks += 1;
      return postings.find(search);
    },
  } as unknown as SearchPostings;
  const memory = new SearchMemory(counting);
  const filters: ListingFilter[] = [{}, { place: { level: 'country', country: 'NZ' } }, { place: { level: 'country', country: 'AU' } }];
  for (const filter of filters) expect(await countInPostings(db, memory, filter, 'zzyzx e')).toBe(0);
  expect(asks).toBe(1);
  // A mistyped word is asked for as what it means, and for nothing else from then on.
  for (const filter of filters) await countInPostings(db, memory, filter, 'hendersen');
  expect(asks).toBe(5);
});

test('how many are found is told without reading a card, and as PostgreSQL counts them', async () => {
  // What the tests before have changed is told and read. One of the listings is gone for good, so it may be everything.
  await parts.context.events.catchUp();
  const all = asked({ meanings: [], filter: {}, rings: null }, { order: 'recommended', skip: 0, take: 1, choicesUpTo: -1, byWorth: false });
  await vi.waitFor(async () => expect(await postings.find(all)).not.toBeNull(), { timeout: 20_000, interval: 5 });
  let cards = 0;
  const watched = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      cards += result.rows.filter((row) => 'service_title' in row).length;
      return result;
    },
  });
  const memory = new SearchMemory(postings);
  const page = { skip: 0, take: 1 };
  for (const { code, latitude, longitude, districtCode } of towns.slice(0, 4)) {
    const inTown: ListingFilter = { place: { level: 'town', code } };
    const others: ListingFilter[] = [
      { near: { latitude, longitude, km: 5 } },
      { near: { latitude, longitude, km: 5 }, place: { level: 'country', country: 'AU' } },
      { near: { latitude, longitude, km: 5 }, place: { level: 'country', country: 'NZ' } },
      { near: { latitude, longitude, km: 40 }, place: { level: 'country', country: 'NZ' } },
      { place: { level: 'district', code: districtCode }, serves: true },
      { place: { level: 'district', code: districtCode } },
    ];
    for (const filter of [inTown, ...others])
      for (const words of filter === inTown ? ['roof'] : ['', 'roof', 'roof tiles'])
        expect(await countInPostings(watched, memory, filter, words)).toBe(
          (await findCards(db, new SearchMemory(null), words ? { title: words } : {}, filter, 'recommended', page)).total,
        );
    expect(await countInPostings(watched, memory, inTown, '')).toBe(await totalOf(db, new SearchMemory(null), inTown));
  }
  const { alternatives } = await findForEverybody(watched, memory, { q: 'zzyzxq', raw: '1' }, null);
  expect(alternatives.map(({ total }) => total > 0)).toEqual([true]);
  expect(cards).toBe(0);
  await findForEverybody(watched, memory, { q: 'roof', raw: '1' }, null);
  expect(cards).toBeGreaterThan(0);
});

test.each([
  ['by the signs of life that are missing', { followMs: 1_000, heartbeatMs: 50 }, 'nothing'],
  ['by what has changed, which is read before anybody asks', { followMs: 1_000, heartbeatMs: 600_000 }, 'a change'],
  [
    'by a search that must know what has changed, which is then asked of PostgreSQL',
    { followMs: 1_000, heartbeatMs: 600_000 },
    'a change and a search',
  ],
] as const)(
  'a connection that the network has frozen is found out %s, and everything is read again by another one',
  async (_, limits, then) => {
    const network = await startFreezingProxy(parts.databaseUrl);
    const told: FromThread[] = [];
    const follower = new Follower(network.url, (message) => told.push(message), { limits: { ...connectionLimits, ...limits } });
    const search = asked(
      { meanings: [], filter: {}, rings: null },
      { order: 'newest', byWorth: false, skip: 0, take: 1_000, choicesUpTo: -1 },
    );
    const isReadAs = (generation: number) =>
      vi.waitFor(() => expect(told.at(-1)).toMatchObject({ kind: 'ready', generation }), { timeout: 20_000, interval: 5 });
    follower.readAll(1);
    await isReadAs(1);
    network.freeze();
    if (then !== 'nothing') follower.changed([pick(made).id]);
    expect(then === 'a change and a search' ? await follower.find(search) : null).toBeNull();
    await vi.waitFor(() => expect(told.at(-1)).toMatchObject({ kind: 'failed', stale: true }), { timeout: 20_000, interval: 5 });
    follower.readAll(2);
    await isReadAs(2);
    expect((await follower.find(search))?.total).toBeGreaterThan(0);
    await follower.close();
    await network.close();
  },
);
