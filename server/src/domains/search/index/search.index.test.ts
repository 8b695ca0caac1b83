import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { categories } from '@handwise/contract/listings/categories';
import { kmBetween } from '@handwise/contract/places/distance';
import { regions } from '@handwise/contract/places/regions';
import { type FilterValues, priceChoices, ratingChoices } from '@handwise/contract/search/filters';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { openDatabase } from '@handwise/server/kit/database';
import { findOracleMatches, type OracleListing, listOracleMatches } from '../../../../test/search/search.oracle.ts';
import { listLocalities, findLocality, findMainTown, listPlacesByName } from '../../places/places.service.ts';
import { type Order, type Search, type SearchFilter, maxExactTotal } from './search.index.ts';
import { PostgresIndex } from './search.postgres.ts';
import { tokenize } from './search.terms.ts';
import { TimeBudget } from './search.time-budget.ts';
import { addToVocabulary } from './search.vocabulary.ts';

const { url } = await testDatabase();
const database = openDatabase({ url, connections: 4, isForSearches: true, statementMs: 20_000, onIdleError: () => {} });
const { db } = database;
const index = new PostgresIndex(db);
afterAll(() => database.close());

// Seeded, so that failures can be reproduced.
let seed = 7;
const random = () => {
  seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
  return seed / 2 ** 32;
};
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
const chance = (share: number) => random() < share;

const titleWords =
  'tiler tiling tiles bathroom bathrooms heat pump heatpump painter painting roofs roof after hours taupō o’brien 24/7 decks fence leaks gutters'.split(
    ' ',
  );
const descriptions = [
  'We tidy up afterwards.',
  'Call us for gutters and spouting.',
  'Honest work at a fair price.',
  'Emergency repairs of taps.',
];
const services = ['Repairs', 'Leaks', 'Hot water', 'Gib stopping', 'Retaining walls', 'Afterwork calls', 'Work after five'];
const businesses = ['Kingi & Daughters', 'Murray Plumbing', 'Anderson Bros', 'Henderson Ltd', 'A1 Handymen', 'Bright Sparks'];
// Those of the searched places among them, so that businesses from far away serve each.
const searchedDistricts = new Set([201, 301, 309, 908]);
const districts = regions
  .flatMap((region) => region.districts.map(({ code }) => code))
  .filter((code) => chance(0.4) || searchedDistricts.has(code));
const bases = Map.groupBy(
  listLocalities().filter(() => chance(0.2)),
  ({ districtCode }) => districtCode,
);

const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000);

function randomRow(subscription: { id: string; user_id: string; ends_at: Date }) {
  const district = pick(districts);
  const category = pick(categories);
  const base = chance(0.8) ? pick(bases.get(district) ?? [undefined]) : undefined;
  const title = Array.from({ length: 1 + Math.floor(random() * 4) }, () => pick(titleWords)).join(' ');
  const travels = random();
  const isNz = district < 1700;
  const verified = chance(0.3);
  return {
    ...listingRow(subscription, {
      title: `${title} ${pick(['', 'Ltd', 'in town'])}`.trim(),
      business: pick(businesses),
      services: [pick(services), pick(services)],
      district,
      category: category.code,
      subCategory: chance(0.8) ? (pick(category.subCategories)?.code ?? null) : null,
      plan: pick(['basic', 'basic', 'basic', 'premium', 'featured'] as const),
      status: pick(['active', 'active', 'active', 'active', 'active', 'inactive', 'expired'] as const),
      base: base?.code ?? null,
      radiusKm: base && travels < 0.4 ? 1 + Math.floor(random() * 200) : null,
      serviceDistricts: travels > 0.7 ? [...new Set([district, pick(districts)])] : null,
    }),
    service_description: `${pick(descriptions)} Ask for us at home, after work or afterwork.`,
    rating_counts: [0, 0, 0, 0, 0].map(() => (chance(0.5) ? Math.floor(random() * 4) : 0)),
    price_from_minor: chance(0.6) ? 100 * (20 + Math.floor(random() * 1_200)) : null,
    price_unit: null as string | null,
    minimum_charge_minor: pick([null, 0, 8_000]),
    ...pick(
      [
        {},
        { available_from: hoursFromNow(-48), available_until: hoursFromNow(48) },
        { available_from: hoursFromNow(48), available_until: hoursFromNow(96) },
        { available_from: hoursFromNow(-96), available_until: hoursFromNow(-48) },
        { booked_until: hoursFromNow(48) },
      ].map((columns) => ({ available_from: null, available_until: null, booked_until: null, ...columns })),
    ),
    verified,
    business_number: verified ? (isNz ? '9429000000000' : '51824753556') : null,
    pictures: JSON.stringify(chance(0.6) ? [{ key: 'x' }] : []),
    answers_within_day: chance(0.3),
    insured: title.length % 3 === 0,
    emergency_call_out: title.length % 5 < 2,
    ...(title.length % 2 === 0 && { licence_register: 'NZ', licence_number: '1234', licence_name: 'Mere Kingi' }),
    group_mean: 38 + Math.floor(random() * 6),
  };
}

let all: OracleListing[] = [];
let subscription: { id: string; user_id: string; ends_at: Date };

const readAll = async () => (await db.selectFrom('listings').selectAll().execute()).map((row) => row as unknown as OracleListing);

beforeAll(async () => {
  await db.connection().execute(async (connection) => {
    // Disables the triggers for slots and counters.
    await sql`set session_replication_role = replica`.execute(connection);
    const plan = await connection.selectFrom('plans').select('id').where('plan_type', '=', 'featured').executeTakeFirstOrThrow();
    const user = randomUUID();
    await sql`insert into users (id, full_name, username, email, password_hash, referral_code)
      values (${user}, 'Mere Kingi', 'mere', 'mere@example.org', 'x', 'MEREKING')`.execute(connection);
    subscription = await connection
      .insertInto('subscriptions')
      .values({
        user_id: user,
        plan_id: plan.id,
        country: 'NZ',
        source: 'grant',
        slots: 10,
        starts_at: new Date(),
        ends_at: new Date(Date.now() + 1e9),
      })
      .returning(['id', 'user_id', 'ends_at'])
      .executeTakeFirstOrThrow();
    const rows = Array.from({ length: 2_000 }, () => randomRow(subscription)).map((row) => ({
      ...row,
      price_unit: row.price_from_minor === null ? null : ('hour' as const),
    }));
    for (let at = 0; at < rows.length; at += 200)
      await connection
        .insertInto('listings')
        .values(rows.slice(at, at + 200))
        .execute();
    await sql`select rebuild_vocabulary()`.execute(connection);
    await sql`analyze listings`.execute(connection);
    await sql`set session_replication_role = origin`.execute(connection);
  });
  all = await readAll();
});

const around = (name: string, km = 25): SearchFilter => {
  const place = listPlacesByName(name, 'NZ')[0] ?? listPlacesByName(name, 'AU')[0];
  if (place?.latitude === undefined || place.longitude === undefined) throw new Error(`no place ${name}`);
  return { near: { latitude: place.latitude, longitude: place.longitude, km } };
};
const search = (words: string, filter: SearchFilter = {}): Search => ({ words, filter });

/** The matches of the index and those of the oracle. */
async function searchBothWays(query: Search, order: Order, page = { skip: 0, take: 20 }) {
  const { matches: expected, paid } = findOracleMatches(all, query, order);
  const { numbers, total, isExact, paidCount } = await index.match(query, order, page);
  return {
    found: { numbers, total, isExact, paidCount },
    expected: {
      numbers: expected.slice(page.skip, page.skip + page.take).map((one) => one.listing_number),
      total: Math.min(expected.length, maxExactTotal),
      isExact: expected.length <= maxExactTotal,
      paidCount: Math.min(Math.max(0, paid - page.skip), page.take),
    },
  };
}

const words: [string, Search][] = [
  ['everything', search('')],
  ['a common word', search('tiling')],
  ['a plural', search('bathrooms')],
  ['a word with a stem of its own', search('tiles')],
  ['two words', search('bathroom tiler')],
  ['the beginning of a word', search('bath')],
  ['a beginning before another word', search('bath til')],
  ['a word without its macron', search('taupo')],
  ['a name with an apostrophe', search('O’Brien')],
  ['a name without its apostrophe', search('obrien')],
  ['a number with a stroke', search('24/7')],
  ['a stop word', search('after hours')],
  ['two letters', search('ro')],
  ['a word of a business name', search('anderson')],
  ['a word of the services', search('leaks')],
  ['a word of the description', search('gutters')],
  ['the name of a category', search('plumbing')],
  ['a category and a word', search('plumbing tiler')],
  ['a word that no listing has', search('zygomorphic')],
];
const filters: [string, SearchFilter][] = [
  ['a country', { place: { level: 'country', country: 'AU' } }],
  ['a region', { place: { level: 'region', code: 3 } }],
  ['a district', { place: { level: 'district', code: 301 } }],
  ['a main category', { category: { level: 'main', main: 'trade' } }],
  ['a group', { category: { level: 'group', code: 6 } }],
  ['two sub-categories', { category: { level: 'sub', codes: [601, 501] } }],
  ['a group in a region', { category: { level: 'group', code: 6 }, place: { level: 'region', code: 2 } }],
  ['a suburb', around('Ponsonby')],
  ['a suburb, five kilometres', around('Ponsonby', 5)],
  ['a town, two hundred kilometres', around('Cambridge', 200)],
  ['a group around a suburb', { ...around('Karori'), category: { level: 'group', code: 6 } }],
  ['a point within a region', { ...around('Hamilton', 100), place: { level: 'region', code: 3 } }],
  ['a rating', { values: { minRating: '4' } }],
  ['a price', { values: { maxPrice: 150 } }],
  ['a price between those offered', { values: { maxPrice: 333 } }],
  ['verified', { values: { verified: true } }],
  ['a licence', { values: { licensed: true } }],
  ['insurance', { values: { insured: true } }],
  ['after hours', { values: { emergencyCallOut: true } }],
  ['after hours and insured', { values: { emergencyCallOut: true, insured: true } }],
  ['no minimum charge', { values: { noMinimumCharge: true } }],
  ['available this week', { values: { available: true } }],
  ['photos and quick answers', { values: { photos: true, replied: true } }],
  ['all filters', { values: { minRating: '3', maxPrice: 1000, verified: true, photos: true, replied: true } }],
];
const orders = ['recommended', 'rating', 'newest', 'price'] as const;

const heatPump = { subCodes: [], names: [['heat', 'pump'], ['heatpump']], people: [], isRanked: true } as const;
const works: [string, Search][] = [
  ['of a category, by name', { ...search('', { category: { level: 'group', code: 5 } }), work: { ...heatPump, doneBy: 'category' } }],
  [
    'of a category, by sub-category',
    { ...search('', { category: { level: 'group', code: 6 } }), work: { ...heatPump, subCodes: [605], doneBy: 'category' } },
  ],
  ['that must be mentioned', { ...search('', { category: { level: 'main', main: 'trade' } }), work: { ...heatPump, doneBy: 'mentions' } }],
  [
    'around a suburb',
    {
      ...search('', { ...around('Ponsonby', 100), category: { level: 'main', main: 'trade' } }),
      work: { ...heatPump, doneBy: 'mentions' },
    },
  ],
];

describe('finds the same matches as the oracle', () => {
  test.each(works)('a work %s', async (_, query) => {
    for (const order of orders) {
      const { found, expected } = await searchBothWays(query, order);
      expect(found).toEqual(expected);
    }
  });

  test.each(words)('%s', async (_, query) => {
    for (const order of orders) {
      const { found, expected } = await searchBothWays(query, order);
      expect(found).toEqual(expected);
    }
  });

  test.each(filters)('%s', async (_, filter) => {
    for (const order of orders) {
      const { found, expected } = await searchBothWays(search('', filter), order);
      expect(found).toEqual(expected);
    }
  });

  test.each(filters)('a word with %s', async (_, filter) => {
    for (const order of orders) {
      const { found, expected } = await searchBothWays(search('tiler', filter), order);
      expect(found).toEqual(expected);
    }
  });

  test.each(filters.filter(([, filter]) => filter.near))('%s, the nearest first', async (_, filter) => {
    for (const text of ['', 'bathroom']) {
      const { found, expected } = await searchBothWays(search(text, filter), 'nearest');
      expect(found).toEqual(expected);
    }
  });

  test('a radius is exact to the kilometre', async () => {
    const { near } = around('Ponsonby');
    if (!near) throw new Error('no such place');
    const distances = all.flatMap(({ base_locality_code: code }) => {
      const base = code === null ? undefined : findLocality(code);
      return base ? [kmBetween(near, base)] : [];
    });
    for (const km of distances.filter((one) => one > 2 && one < 190).slice(0, 5)) {
      const { found, expected } = await searchBothWays(search('', { near: { ...near, km: Math.floor(km) } }), 'nearest', {
        skip: 0,
        take: 100,
      });
      expect(found).toEqual(expected);
    }
  });

  test.each([
    [0, 1],
    [0, 100],
    [2, 3],
    [20, 20],
    [980, 20],
    [1_400, 100],
    [5_000, 20],
  ])('the page from %d on with %d listings', async (skip, take) => {
    for (const order of orders) {
      const { found, expected } = await searchBothWays(search(''), order, { skip, take });
      expect(found).toEqual(expected);
    }
    for (const near of [search('', around('Ponsonby', 100)), search('tiler', around('Ponsonby', 100))]) {
      const { found, expected } = await searchBothWays(near, 'nearest', { skip, take });
      expect(found).toEqual(expected);
    }
    // All have the last ones, but only some in title, business or services, or as their category.
    for (const text of ['tiler', 'leaks', 'after', 'home', 'us home', 'ask us']) {
      for (const order of ['recommended', 'newest'] as const) {
        const { found, expected } = await searchBothWays(search(text), order, { skip, take });
        expect(found, `${text}, ${order}`).toEqual(expected);
      }
    }
  });

  test.each([
    ['a listing’s number', () => ({ filter: { listingNumber: all[50]?.listing_number ?? 0 }, words: '' })],
    ['only these listings', () => ({ filter: {}, words: 'tiler', onlyIds: all.slice(0, 300).map(({ id }) => id) })],
    ['none of these listings', () => ({ filter: {}, words: '', onlyIds: [] })],
  ])('%s', async (_, createQuery) => {
    const { found, expected } = await searchBothWays(createQuery(), 'recommended');
    expect(found).toEqual(expected);
  });

  test.each([999, 1_000, 1_001])('a total of %d', async (total) => {
    const onlyIds = all
      .filter(({ status }) => status === 'active')
      .slice(0, total)
      .map(({ id }) => id);
    const found = await index.match({ filter: {}, words: '', onlyIds }, 'newest', { skip: 0, take: 1 });
    expect([found.total, found.isExact]).toEqual([Math.min(total, 1_000), total <= 1_000]);
    expect(await index.count({ filter: {}, words: '', onlyIds })).toEqual({
      total: Math.min(total, 1_000),
      isExact: total <= 1_000,
    });
  });
});

test.each([
  ...words.map(([name, query]) => [name, query] as const),
  ...filters.map(([name, filter]) => [name, search('', filter)] as const),
])('counts %s', async (_, query) => {
  const total = listOracleMatches(all, query, 'recommended').length;
  expect(await index.count(query)).toEqual({ total: Math.min(total, maxExactTotal), isExact: total <= maxExactTotal });
});

const countOf = (query: Search, values: FilterValues) =>
  listOracleMatches(all, { ...query, filter: { ...query.filter, values: { ...query.filter.values, ...values } } }, 'newest').length;

test.each([
  ['a group', search('', { category: { level: 'group', code: 6 } })],
  ['a word with a price', search('painter', { values: { maxPrice: 250 } })],
  ['a suburb with a rating', search('', { ...around('Ponsonby'), values: { minRating: '4.5', photos: true } })],
  ['a suburb with a flag', search('', { ...around('Ponsonby'), values: { verified: true } })],
])('counts the matches of each filter choice for %s', async (_, query) => {
  const { all: matched } = await index.match(query, 'recommended', { skip: 0, take: 1 });
  expect(await index.countFacets(query, matched)).toEqual(await index.countFacets(query));
  expect(await index.countFacets(query)).toEqual({
    minRating: ratingChoices.map((value) => ({ value, total: countOf(query, { minRating: value }) })),
    maxPrice: priceChoices.map((value) => ({ value, total: countOf(query, { maxPrice: value }) })),
    verified: countOf(query, { verified: true }),
    licensed: countOf(query, { licensed: true }),
    insured: countOf(query, { insured: true }),
    photos: countOf(query, { photos: true }),
    replied: countOf(query, { replied: true }),
    noMinimumCharge: countOf(query, { noMinimumCharge: true }),
    available: countOf(query, { available: true }),
    emergencyCallOut: countOf(query, { emergencyCallOut: true }),
  });
});

test('counts the matches of each filter choice without a business that is found by its name', async () => {
  const query = search('tiler', around('Ponsonby'));
  const matched = await index.match({ ...query, named: { names: ['murray plumbing'], filter: {} } }, 'recommended', { skip: 0, take: 1 });
  expect(matched.total).toBeGreaterThan((await index.match(query, 'recommended', { skip: 0, take: 1 })).total ?? 0);
  expect(await index.countFacets(query, matched.all)).toEqual(await index.countFacets(query));
});

test('has no facets for more than a thousand matches', async () => {
  expect(await index.countFacets(search(''))).toBeNull();
});

test('counts all matches of each locality, beyond a thousand too', async () => {
  for (const query of [
    search(''),
    search('', { place: { level: 'region', code: 2 } }),
    search('', { category: { level: 'main', main: 'trade' } }),
  ]) {
    const expected = Map.groupBy(listOracleMatches(all, query, 'newest'), (one) => one.base_locality_code ?? -one.district_code);
    const found = await index.countByLocality(query);
    expect(new Map(found.map(({ localityCode, total }) => [localityCode, total]))).toEqual(
      new Map([...expected].map(([code, { length }]) => [code, length])),
    );
  }
});

test('lists at most a thousand matches with their places', async () => {
  const query = search('', { place: { level: 'region', code: 2 } });
  const { listings, isComplete } = await index.countByPlace(query);
  const expected = listOracleMatches(all, query, 'recommended');
  expect(isComplete).toBe(true);
  expect(listings.map(({ id, localityCode }) => [id, localityCode])).toEqual(
    expected.map((one) => [one.id, one.base_locality_code ?? -one.district_code]),
  );
  const everything = await index.countByPlace(search(''));
  expect([everything.listings.length, everything.isComplete]).toEqual([1_000, false]);
});

test('a quoted phrase matches consecutive words only', async () => {
  const { numbers, total } = await index.match(search('"heat pump"'), 'newest', { skip: 0, take: 1_000 });
  const isPhrase = ({ status, service_title }: OracleListing) => status === 'active' && /\bheat pumps?\b/.test(service_title);
  expect(new Set(numbers)).toEqual(new Set(all.filter(isPhrase).map((one) => one.listing_number)));
  expect(total).toBeLessThan((await index.match(search('heat pump'), 'newest', { skip: 0, take: 1 })).total ?? 0);
});

test('a compound word and its parts find each other', async () => {
  const together = (one: OracleListing) => one.status === 'active' && /\bheatpump\b/.test(one.service_title);
  const apart = (one: OracleListing) => one.status === 'active' && /\bheat pump\b/.test(one.service_title);
  const expected = new Set(all.filter((one) => together(one) || apart(one)).map((one) => one.listing_number));
  const { numbers } = await index.match(search('heatpump'), 'newest', { skip: 0, take: 1_000 });
  expect(new Set(numbers)).toEqual(expected);
  const both = await index.match(search('heat pump'), 'newest', { skip: 0, take: 1_000 });
  for (const one of all.filter(together)) expect(both.numbers).toContain(one.listing_number);
});

test('of more than a thousand matches, those that name the words apart or together come first', async () => {
  const concreteWork = 1002;
  const names = ({ service_title: title, business_title: business, services, sub_category_code: sub }: OracleListing) => {
    const found = tokenize([title, business, ...services].join(' '));
    return found.includes('afterwork') || (found.includes('after') && (found.includes('work') || sub === concreteWork));
  };
  const best = all.filter((one) => one.status === 'active' && names(one)).map((one) => one.listing_number);
  const { numbers, total } = await index.match(search('after work'), 'newest', { skip: 0, take: 1_000 });
  expect([total, best.length > 100, best.length < 1_000]).toEqual([1_000, true, true]);
  const [paid, others] = [numbers.slice(0, 3), numbers.slice(3, best.length)];
  expect(new Set([...paid, ...others])).toEqual(new Set(best));
  expect(others).toEqual(others.toSorted((one, other) => other - one));
});

// All have the first, a few the second.
test.each(['after', 'anderson'])('where there is nothing within 100 km, the nearest of the country with “%s” are listed', async (text) => {
  const desert = { latitude: -23.5, longitude: 126.5 };
  const kmOf = ({ base_locality_code: base, district_code: district }: OracleListing) => {
    const place = base === null ? findMainTown(district) : findLocality(base);
    return place ? kmBetween(desert, place) : Infinity;
  };
  const matches = listOracleMatches(all, search(text, { place: { level: 'country', country: 'AU' } }), 'recommended');
  const found = await index.listFurther(search(text, { near: { ...desert, km: 25 } }), [], 10);
  const kms = found.flatMap((number) => matches.filter((one) => one.listing_number === number).map(kmOf));
  // The database's coordinates are rounded.
  const nearest = matches.map(kmOf).toSorted((one, other) => one - other);
  expect(new Set(found).size).toBe(10);
  expect(kms.map(Math.round)).toEqual(nearest.slice(0, 10).map(Math.round));
});

test.each([
  ['painetr', 'painter'],
  ['bathrom', 'bathroom'],
  ['guters', 'gutters'],
])('%s is corrected to %s', async (typed, meant) => {
  const page = { skip: 0, take: 50 };
  expect((await index.match(search(typed), 'newest', page)).numbers).toEqual((await index.match(search(meant), 'newest', page)).numbers);
});

describe('what changes is found by the next search', () => {
  const insert = (title: string) =>
    db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      const row = await tx
        .insertInto('listings')
        .values({ ...listingRow(subscription, { title, district: 301 }), pictures: '[]' } as never)
        .returning(['id', 'listing_number'])
        .executeTakeFirstOrThrow();
      await addToVocabulary(tx, row.id);
      return row;
    });
  const numbersOf = async (text: string) => (await index.match(search(text), 'newest', { skip: 0, take: 20 })).numbers;

  test('a new listing by a new word and its typing error', async () => {
    const { listing_number: number } = await insert('Quokkarium builders');
    expect(await numbersOf('quokkarium')).toEqual([number]);
    expect(await numbersOf('quokarium')).toEqual([number]);
    expect(await numbersOf('quokkar')).toEqual([number]);
  });

  test('an edit, an end and a deletion', async () => {
    const { id, listing_number: number } = await insert('Velodrome polishing');
    await sql`update listings set service_title = 'Carousel polishing' where id = ${id}`.execute(db);
    await db.transaction().execute((tx) => addToVocabulary(tx, id));
    expect([await numbersOf('velodrome'), await numbersOf('carousel')]).toEqual([[], [number]]);
    await sql`update listings set status = 'inactive' where id = ${id}`.execute(db);
    expect(await numbersOf('carousel')).toEqual([]);
  });

  test('an edit of place, price and rating', async () => {
    const { id, listing_number: number } = await insert('Gazebo makers');
    const has = async (filter: SearchFilter) =>
      (await index.match(search('gazebo', filter), 'newest', { skip: 0, take: 20 })).numbers.includes(number);
    const karori = around('Karori', 5);
    const cheap: SearchFilter = { values: { maxPrice: 50 } };
    const good: SearchFilter = { values: { minRating: '4.5' } };
    expect([await has(karori), await has(cheap), await has(good)]).toEqual([false, false, false]);
    const base = listPlacesByName('Karori', 'NZ')[0]?.localityCode ?? 0;
    const at = findLocality(base);
    await sql`update listings set district_code = ${at?.districtCode}, region_code = ${at?.regionCode}, base_locality_code = ${base},
      price_from_minor = 4000, price_unit = 'hour', rating_counts = '{0,0,0,0,3}' where id = ${id}`.execute(db);
    expect([await has(karori), await has(cheap), await has(good)]).toEqual([true, true, true]);
  });

  test('a service radius larger by a kilometre', async () => {
    const { id, listing_number: number } = await insert('Wanderlust movers');
    const { near } = around('Ponsonby');
    const base = findLocality(listPlacesByName('Hamilton', 'NZ')[0]?.localityCode ?? findMainTown(301)?.code ?? 0);
    if (!near || !base) throw new Error('no such place');
    const km = kmBetween(near, base);
    expect(km % 1).toBeGreaterThan(0.01);
    const isFoundTravelling = async (radius: number) => {
      await sql`update listings set district_code = ${base.districtCode}, region_code = ${base.regionCode}, base_locality_code = ${base.code},
        service_radius_km = ${radius} where id = ${id}`.execute(db);
      return (await index.match(search('wanderlust', { near }), 'newest', { skip: 0, take: 1 })).numbers.includes(number);
    };
    expect([await isFoundTravelling(Math.floor(km)), await isFoundTravelling(Math.ceil(km))]).toEqual([false, true]);
  });

  test('rebuilding the vocabulary removes words without active listings', async () => {
    const { id } = await insert('Xylophone tuning');
    await sql`update listings set status = 'inactive' where id = ${id}`.execute(db);
    await sql`select rebuild_vocabulary()`.execute(db);
    expect((await sql`select from search_vocabulary where word = 'xylophone'`.execute(db)).rows).toEqual([]);
    expect((await sql`select from search_vocabulary where word = 'bathroom'`.execute(db)).rows).toHaveLength(1);
  });
});

test('lists the names with a prefix, highest plan first', async () => {
  const names = await index.listNames('business', 'a', ['NZ', 'AU'], 8);
  expect(names.map(({ label }) => label).toSorted()).toEqual(['A1 Handymen', 'Anderson Bros']);
  expect(await index.listNames('listing', 'zzz', ['NZ'], 8)).toEqual([]);
});

test('answers with the first matches and no total when a search takes too long, and with nothing else', async () => {
  const late = new PostgresIndex(db, 60_000, new TimeBudget(0));
  const query = search('tiler', around('Ponsonby', 200));
  const found = await late.match(query, 'rating', { skip: 0, take: 20 });
  const inPlace = listOracleMatches(all, query, 'recommended').toSorted(
    (one, other) => other.plan_rank - one.plan_rank || other.listing_number - one.listing_number,
  );
  expect(found).toMatchObject({ total: null, isExact: false, paidCount: 0 });
  expect(found.numbers).toHaveLength(20);
  expect(inPlace.map((one) => one.listing_number)).toEqual(expect.arrayContaining(found.numbers));
  const timeout = { code: 'search_timed_out' };
  await expect(late.match(search('xylophone', {}), 'rating', { skip: 0, take: 20 })).rejects.toMatchObject(timeout);
  await expect(late.count(query)).rejects.toMatchObject(timeout);
  await expect(late.countFacets(query)).rejects.toMatchObject(timeout);
  await expect(late.countByPlace(query)).rejects.toMatchObject(timeout);
  await expect(late.listNames('business', 'a', ['NZ'], 8)).rejects.toMatchObject(timeout);
  await expect(late.listKnownWords(['tiler'])).rejects.toMatchObject(timeout);
});
