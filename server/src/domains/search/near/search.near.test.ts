import { type Category, type SubCategory, categories, mainCategoryNames } from '@handwise/contract/categories';
import { kmBetween, type Point } from '@handwise/contract/localities';
import { districtOfCode, regionCodeOf, regionOfCode, regionOfDistrict } from '@handwise/contract/places';
import type { PlanType } from '@handwise/contract/plans';
import { testApp } from '@handwise/sandbox/test-app';
import { listingRow } from '@handwise/sandbox/testing/listing';
import { insertRows } from '@handwise/sandbox/testing/rows';
import fc from 'fast-check';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { allLocalities, type Locality, localityBySlug, mainTownOf } from '../../places/places.service.ts';

// Every answer is held against a plain reading: the way to each row, one by one.
const { given, callers, db, parts } = await testApp();
const { asVisitor } = callers;
const client = new pg.Client({ connectionString: parts.databaseUrl });
await client.connect();
afterAll(() => client.end());

const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 11 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

// Around Hamilton, Taupō and the Chathams beyond 180°; around Sydney, and on either side of the border at Albury and Wodonga.
const middles = [mainTownOf(301), mainTownOf(306), mainTownOf(1410), mainTownOf(1701), mainTownOf(1708)].flatMap((one) => one ?? []);
const towns = middles.flatMap((middle) =>
  allLocalities()
    .map((one) => ({ one, km: kmBetween(middle, one) }))
    .filter(({ km }) => km < 120)
    .toSorted((a, b) => a.km - b.km)
    .filter((_, index) => index % 9 === 0)
    .slice(0, 30)
    .map(({ one }) => one),
);

type Row = {
  number: number;
  rank: number;
  active: boolean;
  category: Category;
  sub: SubCategory | null;
  district: number;
  base: Locality | null;
  radius: number | null;
  districts: readonly number[] | null;
  price: number | null;
  title: string;
};
const seller = await given.user();
const under = await given.listing({ sellerId: seller._id, status: 'inactive' });
const { subscription_id: subscriptionId } = await db
  .selectFrom('listings')
  .select('subscription_id')
  .where('id', '=', under.id)
  .executeTakeFirstOrThrow();
await db.updateTable('subscriptions').set({ slots: 1_000 }).where('id', '=', subscriptionId).execute();
const subscription = await db
  .selectFrom('subscriptions')
  .select(['id', 'user_id', 'ends_at'])
  .where('id', '=', subscriptionId)
  .executeTakeFirstOrThrow();

const plans: Record<PlanType, number> = { featured: 3, premium: 2, basic: 1 };
// Half of them have each of the words, and each a number that is theirs alone.
const titleOf = (index: number) => `${index % 2 === 0 ? 'Zambo' : 'Quixel'} ${index % 3 === 0 ? 'varnik' : 'lumbor'} ${index}x`;

const wanted = Array.from({ length: 420 }, () => {
  const town = pick(towns);
  const base = pick([town, town, town, null]);
  const category = pick(categories.slice(3, 8));
  const plan = pick(['basic', 'basic', 'premium', 'featured'] as const);
  const area = pick(['none', 'radius', 'radius', 'districts'] as const);
  const others = [pick(towns).districtCode, pick(towns).districtCode].filter((code) => localCountry(code) === town.country);
  return {
    plan,
    status: pick(['active', 'active', 'active', 'active', 'inactive'] as const),
    category,
    sub: pick([null, ...category.subCategories]),
    district: town.districtCode,
    base,
    radius: base && area === 'radius' ? pick([1, 5, 20, 60, 140, 200]) : null,
    price: pick([null, 4_000, 9_900, 12_000, 30_000]),
    districts: area === 'districts' ? [...new Set([town.districtCode, ...others])] : null,
  };
});
function localCountry(district: number) {
  return regionOfDistrict(district)?.country;
}
await insertRows(
  client,
  'listings',
  wanted.map(({ category, sub, base, radius, price, ...one }, index) => ({
    ...listingRow(subscription, {
      ...one,
      title: titleOf(index),
      category: category.code,
      subCategory: sub?.code ?? null,
      base: base?.code ?? null,
      radiusKm: radius,
      serviceDistricts: one.districts,
    }),
    price_from_minor: price,
    price_unit: price === null ? null : 'hour',
  })),
);
await parts.context.events.catchUp();
const numbers = new Map(
  (await db.selectFrom('listings').select(['service_title', 'listing_number']).execute()).map((one) => [
    one.service_title,
    one.listing_number,
  ]),
);
const rows = wanted.map((one, index): Row => ({
  ...one,
  title: titleOf(index),
  number: numbers.get(titleOf(index)) ?? 0,
  rank: plans[one.plan],
  active: one.status === 'active',
}));

const pointOf = ({ base, district }: Row): Point => {
  const point = base ?? mainTownOf(district);
  if (!point) throw new Error('a district without a town');
  return point;
};
const shown = (km: number) => (km < 9.95 ? Math.round(km * 10) / 10 : Math.round(km));

type What = { category?: string; subCategory?: string; q?: string; raw?: 1; maxPrice?: number; photos?: 1; sort?: 'newest' };
const isWhat = ({ category, sub, price, title }: Row, what: What) =>
  (!what.q || what.q.split(' ').every((word) => title.toLowerCase().split(' ').includes(word))) &&
  (what.maxPrice === undefined || (price !== null && price <= what.maxPrice * 100)) &&
  // Nobody here has any.
  !what.photos &&
  (!what.category || category.name === what.category || category.mainCategory === what.category) &&
  (!what.subCategory || sub?.name === what.subCategory);

type Where = { country?: string; region?: string; district?: string };
const isWhere = ({ district }: Row, where: Where) => {
  const region = regionOfDistrict(district);
  return (
    (!where.country || region?.country === where.country) &&
    (!where.region || region?.name === where.region) &&
    (!where.district || districtOfCode(district)?.name === where.district)
  );
};

// In an order that is not by plan, the first four featured stand before all others.
function newestFirst(found: readonly { row: Row; km: number }[]) {
  const newest = found.toSorted((a, b) => b.row.number - a.row.number);
  const paid = newest.filter(({ row }) => row.rank === plans.featured).slice(0, 4);
  return [...paid, ...newest.filter((one) => !paid.includes(one))];
}

const inOrder = (found: readonly { row: Row; km: number }[], sort?: 'newest') =>
  (sort ? newestFirst(found) : nearestFirst(found)).map(({ row, km }) => ({
    number: row.number,
    distanceKm: row.base ? shown(km) : undefined,
  }));

const nearestFirst = (found: readonly { row: Row; km: number }[]) =>
  found.toSorted((a, b) => shown(a.km) - shown(b.km) || b.row.rank - a.row.rank || b.row.number - a.row.number);

const near = (point: Point, km: number, where: Where, what: What) =>
  inOrder(
    rows
      .filter((row) => row.active && isWhere(row, where) && isWhat(row, what))
      .map((row) => ({ row, km: kmBetween(point, pointOf(row)) }))
      .filter((one) => one.km <= km || (one.row.radius !== null && one.km <= one.row.radius)),
    what.sort,
  );

type Target = { points: readonly Point[]; districts: readonly number[]; isThere: (row: Row) => boolean };
const serving = ({ points, districts, isThere }: Target, what: What) =>
  inOrder(
    rows
      .filter((row) => row.active && isWhat(row, what) && !isThere(row))
      .map((row) => ({ row, km: Math.min(...points.map((point) => kmBetween(point, pointOf(row)))) }))
      .filter(
        ({ row, km }) =>
          (row.radius !== null && km <= row.radius) || (row.districts ?? []).some((district) => districts.includes(district)),
      ),
    what.sort,
  );

const query = (search: object) =>
  new URLSearchParams(Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))).toString();

type Card = { listingNumber: number; distanceKm?: number };
/** Some pages of an answer, and what they should be. */
async function bothWays(search: object, expected: readonly { number: number; distanceKm: number | undefined }[], limit: number) {
  const totalPages = Math.ceil(expected.length / limit);
  const some = [...new Set([1, 2, Math.ceil(totalPages / 2), totalPages - 1, totalPages, totalPages + 1])].filter((page) => page >= 1);
  const answers = await Promise.all(
    some.map(async (page) => {
      const { status, body } = await asVisitor.get(`/search?${query({ ...search, page, limit })}`);
      const { listings = [], totalListings, ...at } = body;
      const cards = listings.map(({ listingNumber: number, distanceKm }: Card) => ({ number, distanceKm }));
      return { search, status, page: at.currentPage, totalPages: at.totalPages, totalListings, cards };
    }),
  );
  const wanted = some.map((page) => ({
    search,
    status: 200,
    page,
    totalPages,
    totalListings: expected.length,
    cards: expected.slice((page - 1) * limit, page * limit),
  }));
  return [answers, wanted] as const;
}

const what = fc.constantFrom<What>(
  {},
  {},
  ...Object.keys(mainCategoryNames).map((category) => ({ category })),
  ...categories
    .slice(3, 8)
    .flatMap((category) => [
      { category: category.name },
      ...category.subCategories.slice(0, 2).map((sub) => ({ category: category.name, subCategory: sub.name })),
    ]),
  { subCategory: 'Home security' },
);
// What is asked of the rows themselves, within reach.
const asked = fc.constantFrom<What>(
  {},
  {},
  { q: 'zambo', raw: 1 },
  { q: 'quixel varnik', raw: 1 },
  { maxPrice: 100 },
  { maxPrice: 99 },
  { maxPrice: 110, q: 'lumbor', raw: 1 },
  { photos: 1 },
  { sort: 'newest' },
  { sort: 'newest', q: 'zambo', raw: 1 },
  { sort: 'newest', maxPrice: 100 },
);
const where = fc.constantFrom<Where>(
  {},
  {},
  {},
  { country: 'NZ' },
  { country: 'AU' },
  ...[301, 1708].flatMap((code) => {
    const region = regionOfDistrict(code)?.name ?? '';
    return [{ region }, { region, district: districtOfCode(code)?.name ?? '' }];
  }),
);
const limit = fc.constantFrom(1, 3, 20, 100);
const cents = (number: number) => Math.round(number * 100) / 100;
const point = fc.oneof(
  fc.constantFrom(...towns).map(({ latitude, longitude }) => ({ latitude: cents(latitude), longitude: cents(longitude) })),
  fc
    .tuple(fc.constantFrom(...middles), fc.integer({ min: -90, max: 90 }), fc.integer({ min: -90, max: 90 }))
    .map(([middle, north, east]) => ({ latitude: cents(middle.latitude + north / 100), longitude: cents(middle.longitude + east / 100) })),
  // The other side of 180°, with the Chathams in reach.
  fc.constantFrom({ latitude: -43.9, longitude: 179.4 }, { latitude: -43.9, longitude: -177.2 }, { latitude: 0, longitude: 0 }),
);

test('any search near a point gives the same listings, order, distances and total as a plain reading, on every page', async () => {
  await fc.assert(
    fc.asyncProperty(point, fc.constantFrom(1, 5, 25, 60, 200), where, what, asked, limit, async (at, km, around, group, more, most) => {
      const services = { ...group, ...more };
      const search = { near: `${at.latitude},${at.longitude}`, km, ...around, ...services };
      const [answers, wanted] = await bothWays(search, near(at, km, around, services), most);
      expect(answers).toEqual(wanted);
    }),
    { numRuns: 80, seed: 42 },
  );
});

test('any search for those who come to a town, a district or a region gives the same as a plain reading, on every page', async () => {
  const targets = [...new Set(towns)].filter((_, index) => index % 8 === 0);
  const regionNames = [3, 14, 17, 18].map((code) => regionOfCode(code));
  const target = fc.oneof(
    fc.constantFrom(...targets).map((town) => ({
      search: { region: regionOfCode(town.regionCode)?.slug, town: town.slug },
      points: [town],
      districts: [town.districtCode],
      isThere: (row: Row) => row.base?.code === town.code,
    })),
    fc.constantFrom(...targets).map(({ districtCode }) => ({
      search: { district: districtOfCode(districtCode)?.name },
      points: [mainTownOf(districtCode)].flatMap((town) => town ?? []),
      districts: [districtCode],
      isThere: (row: Row) => row.district === districtCode,
    })),
    fc.constantFrom(...regionNames.flatMap((region) => region ?? [])).map((region) => ({
      search: { region: region.slug },
      points: region.districts.flatMap(({ code }) => mainTownOf(code) ?? []),
      districts: region.districts.map(({ code }) => code),
      isThere: (row: Row) => regionCodeOf(row.district) === region.code,
    })),
  );
  await fc.assert(
    fc.asyncProperty(target, what, asked, limit, async ({ search, ...place }, group, more, most) => {
      const services = { ...group, ...more };
      const [answers, wanted] = await bothWays({ ...search, ...services, serves: 1 }, serving(place, services), most);
      expect(answers).toEqual(wanted);
    }),
    { numRuns: 60, seed: 42 },
  );
});

test('a town has those who are based there, in the order of every list', async () => {
  const slugs = towns.filter((_, index) => index % 5 === 0);
  for (const town of slugs) {
    const found = rows
      .filter((row) => row.active && row.base?.code === town.code)
      .toSorted((a, b) => b.rank - a.rank || b.number - a.number);
    const [answers, wanted] = await bothWays(
      { region: regionOfCode(town.regionCode)?.slug, town: town.slug },
      found.map(({ number }) => ({ number, distanceKm: undefined })),
      20,
    );
    expect(answers).toEqual(wanted);
  }
  expect(rows.filter(({ base }) => slugs.some((town) => town.code === base?.code)).length).toBeGreaterThan(20);
});

const find = async (search: object) => {
  const { status, body } = await asVisitor.get(`/search?${query(search)}`);
  expect([search, status]).toEqual([search, 200]);
  return body;
};

test('near takes a place by its name, 25 km unless another distance is said, and the nearest first either way', async () => {
  const taupo = mainTownOf(306);
  if (!taupo) throw new Error('no Taupō');
  const expected = near(taupo, 25, {}, {});
  expect(expected.length).toBeGreaterThan(0);
  for (const search of [{ near: 'Taupō' }, { near: 'taupo, waikato', km: 25, sort: 'nearest' }]) {
    const [answers, wanted] = await bothWays(search, expected, 20);
    expect(answers).toEqual(wanted);
  }
  expect((await find({ near: 'taupo', km: 26 })).totalListings).toBe(near(taupo, 26, {}, {}).length);
});

test('near a city that gives its region its name is near the city; a region by itself is near nothing', async () => {
  for (const city of ['Auckland', 'Wellington', 'Gisborne']) expect((await asVisitor.get(`/search?near=${city}`)).status).toBe(200);
  const { status, body } = await asVisitor.get('/search?near=Waikato');
  expect([status, body.errors]).toEqual([400, [{ field: 'near', message: 'Name a town, a suburb or a district' }]]);
});

test('a town that is asked for is understood, with its region', async () => {
  const { understood } = await find({ region: 'waikato', town: 'cambridge' });
  expect(understood).toMatchObject({
    place: 'Cambridge, Waikato',
    area: { country: 'NZ', region: 'waikato', district: 'waipa', town: 'cambridge' },
  });
});

test('how many each filter would leave within reach is said where it is asked for or few are found, and is what the filter leaves', async () => {
  const search = { near: 'Hamilton', km: 60 };
  const { facets, totalListings } = await find(search);
  const left = facets.maxPrice.map(({ value }: { value: number }) => [
    value,
    near(mainTownOf(301) ?? pointOf(rows[0] as Row), 60, {}, { maxPrice: value }).length,
  ]);
  expect(facets.maxPrice.map(({ value, total }: { value: number; total: number }) => [value, total])).toEqual(left);
  expect([facets.photos, totalListings > 0]).toEqual([0, true]);
  expect((await find({ ...search, maxPrice: 100 })).facets.photos).toBe(0);
});

test('the best rated within reach come first where that is asked for', async () => {
  const best = rows.find((row) => row.active && row.rank === plans.basic && row.base && near(pointOf(row), 1, {}, {}).length > 1);
  if (!best) throw new Error('nobody to rate');
  const { id } = await db.selectFrom('listings').select('id').where('listing_number', '=', best.number).executeTakeFirstOrThrow();
  for (let turn = 0; turn < 3; turn += 1) await given.review(id, 5);
  await parts.context.events.catchUp();
  const { latitude, longitude } = pointOf(best);
  const { listings } = await find({ near: `${cents(latitude)},${cents(longitude)}`, km: 5, sort: 'rating' });
  const isPaid = (card: { paidPlacement?: true }) => card.paidPlacement === true;
  expect(listings.find((card: { paidPlacement?: true }) => !isPaid(card))?.listingNumber).toBe(best.number);
});

test('where no distance is said 25 km count, and a sub-category of two groups is counted in both', async () => {
  // Further from all others than anybody comes; so far from the middle of Darwin.
  const [inside, outside] = [localityBySlug(23, 'freds-pass'), localityBySlug(23, 'bees-creek')];
  const darwin = mainTownOf(2301);
  if (!inside || !outside || !darwin) throw new Error('no Darwin');
  expect([inside, outside].map((town) => Math.round(kmBetween(darwin, town) * 10) / 10)).toEqual([24.7, 26.7]);
  const first = await given.listing({ district: 2302, base: inside.code, category: 2, subCategory: 201 });
  const second = await given.listing({ district: 2302, base: outside.code, category: 3, subCategory: 301 });
  const found = async (search: object) => (await find(search)).listings.map((one: { _id: string }) => one._id);
  expect(await found({ near: 'Darwin' })).toEqual([first.id]);
  expect(await found({ near: 'Darwin', km: 30, subCategory: 'Home security' })).toEqual([first.id, second.id]);
});
