import { bestScore } from '@handwise/contract/best-rating';
import { categories } from '@handwise/contract/categories';
import type { FindPage } from '@handwise/contract/search';
import { priceChoices, ratingChoices } from '@handwise/contract/search-filters';
import { testApp } from '@handwise/sandbox/test-app';
import { times } from '@handwise/sandbox/testing/times';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { localityBySlug } from '../../places/places.service.ts';
import { type Path, listOrdered } from './search.orders.queries.ts';
import type { ListingFilter } from '../search.rules.ts';

// Every order and filter is held against a plain reading of the same rows in memory.
const { given, db, callers } = await testApp();
const { asVisitor } = callers;

const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 11 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

const plumbing = categories.find(({ code }) => code === 6);
const places = [
  { district: 301, region: 'waikato', name: 'hamilton', country: 'NZ' },
  { district: 306, region: 'waikato', name: 'taupo', country: 'NZ' },
  { district: 1701, region: 'nsw', name: 'sydney', country: 'AU' },
] as const;
const town = localityBySlug(3, 'taupo');
const kinds = [
  { category: 5, sub: null },
  { category: 6, sub: null },
  { category: 6, sub: 601 },
  { category: 6, sub: 605 },
  { category: 2, sub: 201 },
  { category: 3, sub: 301 },
] as const;
const words = ['tap', 'roof', 'emergency'];
const means: Record<number, number> = { 5: 4.4, 6: 3.9 };

type Row = {
  number: number;
  place: (typeof places)[number];
  inTown: boolean;
  kind: (typeof kinds)[number];
  plan: 'basic' | 'premium' | 'featured';
  active: boolean;
  title: string;
  counts: number[];
  verified: boolean;
  photos: boolean;
  replied: boolean;
  cents: number | null;
};
await db
  .insertInto('category_means')
  .values(
    Object.entries(means).map(([code, mean]) => ({ category_code: Number(code), mean: Math.round(mean * 10), changed_at: new Date() })),
  )
  .execute();
const seller = await given.user();
const rows: Row[] = [];
for (let index = 0; index < 160; index += 1) {
  const row = {
    place: pick(places),
    inTown: pick([true, false]),
    kind: pick(kinds),
    plan: pick(['basic', 'basic', 'premium', 'featured'] as const),
    active: pick([true, true, true, true, false]),
    title: `${pick(words)} ${pick(words)}`,
    // 89 of 20 is 4.45 on average, which is shown as 4.5, and 88 of 20 is not.
    counts: pick([
      [0, 0, 0, 0, 0],
      [0, 0, 0, 0, 1],
      [0, 0, 0, 11, 9],
      [0, 0, 0, 12, 8],
      [1, 1, 1, 1, 1],
      [0, 0, 21, 19, 0],
      [2, 0, 0, 0, 0],
      [0, 0, 0, 1, 1],
      [0, 0, 1, 9, 0],
    ]),
    verified: pick([true, false, false]),
    photos: pick([true, false]),
    replied: pick([true, false, false]),
    cents: pick([null, null, 4999, 5000, 5001, 8000, 10_000, 12_050, 25_000, 100_001]),
  };
  const { listing_number } = await given.listing({
    title: row.title,
    district: row.place.district,
    category: row.kind.category,
    subCategory: row.kind.sub,
    plan: row.plan,
    status: row.active ? 'active' : 'inactive',
    sellerId: seller._id,
    base: row.inTown && row.place.district === town?.districtCode ? town.code : null,
  });
  rows.push({ ...row, number: listing_number });
}
for (const row of rows)
  await db
    .updateTable('listings')
    .set({
      rating_counts: row.counts,
      verified: row.verified,
      business_number: row.place.country === 'NZ' ? '9429000000017' : '51824753556',
      answers_within_day: row.replied,
      price_from_minor: row.cents,
      price_unit: row.cents === null ? null : 'hour',
      ...(row.photos && { pictures: JSON.stringify([{ key: 'a', widths: [480], width: 480, height: 360, thumbhash: '', alt: '' }]) }),
    })
    .where('listing_number', '=', row.number)
    .execute();

type Search = Partial<Record<string, string>>;
const scoreOf = ({ counts, kind }: Row) => bestScore(counts, means[kind.category] ?? 4);
const averageOf = ({ counts }: Row) => {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  return reviews === 0 ? 0 : counts.reduce((sum, count, index) => sum + count * (index + 1), 0) / reviews;
};
const rank = { featured: 3, premium: 2, basic: 1 };
const orders = {
  recommended: (a: Row, b: Row) => rank[b.plan] - rank[a.plan] || b.number - a.number,
  newest: (a: Row, b: Row) => b.number - a.number,
  rating: (a: Row, b: Row) => scoreOf(b) - scoreOf(a) || orders.recommended(a, b),
};

const matchesOf = (search: Search) =>
  rows
    .filter(({ active }) => active)
    .filter(({ place }) => !search['country'] || place.country === search['country'])
    .filter(({ place }) => !search['region'] || place.region === search['region'])
    .filter(({ place }) => !search['district'] || place.name === search['district'])
    .filter(({ place, inTown }) => !search['town'] || (inTown && place.district === town?.districtCode))
    .filter(({ kind }) => {
      const group = categories.find(({ code }) => code === kind.category);
      return !search['category'] || [group?.slug, group?.mainCategory].includes(search['category']);
    })
    .filter(({ kind }) => {
      const sub = categories.flatMap((one) => one.subCategories).find(({ code }) => code === kind.sub);
      return !search['subCategory'] || sub?.slug === search['subCategory'];
    })
    .filter(({ title }) => !search['q'] || title.split(' ').includes(search['q']))
    .filter((row) => !search['minRating'] || Number(averageOf(row).toFixed(1)) >= Number(search['minRating']))
    .filter(({ verified }) => !search['verified'] || verified)
    .filter(({ photos }) => !search['photos'] || photos)
    .filter(({ replied }) => !search['replied'] || replied)
    .filter(({ cents }) => !search['maxPrice'] || (cents !== null && cents <= Number(search['maxPrice']) * 100));

/** The whole list as it is to be read page by page, and how many stand first because it is paid for. */
function expected(search: Search) {
  const order = (search['sort'] ?? 'recommended') as keyof typeof orders;
  const list = matchesOf(search).toSorted(orders[order]);
  // Four are what the policy of reviews promises at most.
  const paid = order === 'recommended' ? [] : list.filter(({ plan }) => plan === 'featured').slice(0, 4);
  return { numbers: [...paid, ...list.filter((row) => !paid.includes(row))].map(({ number }) => number), paid: paid.length };
}

const find = async (search: Search): Promise<FindPage> => {
  const { status, body } = await asVisitor.get(`/search?${new URLSearchParams(search as Record<string, string>).toString()}`);
  expect([search, status]).toEqual([search, 200]);
  return body;
};
const numbersOf = (page: FindPage) => page.listings.map(({ listingNumber }) => listingNumber);

const maybe = <T>(...values: T[]) => fc.constantFrom({}, {}, ...values);
const where = fc.constantFrom<Search>(
  {},
  { country: 'NZ' },
  { region: 'waikato' },
  { region: 'waikato', district: 'taupo' },
  { region: 'waikato', town: 'taupo' },
  { region: 'nsw', district: 'sydney' },
);
const what = fc.constantFrom<Search>(
  {},
  { category: 'trade' },
  { category: plumbing?.slug ?? '' },
  { category: 'plumbing', subCategory: 'drain-cleaning' },
  { subCategory: 'home-security' },
);
const asked = fc
  .tuple(
    maybe<Search>(...ratingChoices.map((minRating) => ({ minRating }))),
    maybe<Search>({ verified: '1' }),
    maybe<Search>({ photos: '1' }),
    maybe<Search>({ replied: '1' }),
    maybe<Search>(
      { maxPrice: '50' },
      { maxPrice: '49' },
      { maxPrice: '80' },
      { maxPrice: '121' },
      { maxPrice: '120' },
      { maxPrice: '1000' },
      { maxPrice: '1001' },
      { maxPrice: '0' },
    ),
  )
  .map((parts): Search => Object.assign({}, ...parts));
const order = fc.constantFrom<Search>({}, { sort: 'recommended' }, { sort: 'rating' }, { sort: 'newest' });
const text = fc.constantFrom<Search>({}, {}, {}, { q: 'tap', raw: '1' }, { q: 'roof', raw: '1' });

test('any order and filter gives the listings of a plain reading: every match once over all pages, paid places first and said so', async () => {
  await fc.assert(
    fc.asyncProperty(where, what, asked, order, text, fc.constantFrom(1, 3, 7, 100), async (place, kind, filters, sort, q, limit) => {
      // Words in a town are another test's.
      const search = { ...place, ...kind, ...filters, ...sort, ...(place['town'] ? {} : q) };
      const { numbers, paid } = expected(search);
      const pages = Math.ceil(numbers.length / limit);
      const shown = limit === 1 ? [1, 2, 5, pages - 1, pages, pages + 1] : times(pages + 1, (index) => Promise.resolve(index + 1));
      for (const page of new Set((await shown).filter((one) => one >= 1))) {
        const found = await find({ ...search, page: String(page), limit: String(limit) });
        expect([search, page, numbersOf(found)]).toEqual([search, page, numbers.slice((page - 1) * limit, page * limit)]);
        expect(found).toMatchObject({ totalListings: numbers.length, totalPages: pages, currentPage: page });
        const first = found.listings.map(({ paidPlacement }) => paidPlacement === true);
        expect(first).toEqual(found.listings.map((_, index) => (page - 1) * limit + index < paid));
      }
    }),
    { numRuns: 120, seed: 7 },
  );
});

test('each choice says how many it would leave, all others as they are', async () => {
  await fc.assert(
    fc.asyncProperty(where, what, asked, text, async (place, kind, filters, q) => {
      const search = { ...place, ...kind, ...filters, ...(place['town'] ? {} : q) };
      const { facets, totalListings } = await find(search);
      if ('q' in search && totalListings === 0) return;
      const left = (more: Search) => matchesOf({ ...search, ...more }).length;
      expect([search, facets]).toEqual([
        search,
        {
          minRating: ratingChoices.map((value) => ({ value, total: left({ minRating: value }) })),
          verified: left({ verified: '1' }),
          photos: left({ photos: '1' }),
          replied: left({ replied: '1' }),
          maxPrice: priceChoices.map((value) => ({ value, total: left({ maxPrice: String(value) }) })),
        },
      ]);
    }),
    { numRuns: 60, seed: 3 },
  );
});

test('each card says by which plan it stands there', async () => {
  const { listings } = await find({ limit: '100' });
  const planOf = new Map(rows.map(({ number, plan }) => [number, plan]));
  expect(listings.map(({ why }) => why?.rank)).toEqual(listings.map(({ listingNumber }) => planOf.get(listingNumber)));
});

const cellsNow = async () =>
  (
    await sql`
      select 0 as region_code, district_code, category_code, sub_category_code, evidence_cell, listings from listing_district_cells where listings <> 0
      union all select region_code, 0, category_code, 0, evidence_cell, listings from listing_cells where listings <> 0
      order by 1, 2, 3, 4, 5`.execute(db)
  ).rows;

test('the counts of filters are what counting anew gives', async () => {
  const kept = await cellsNow();
  expect(kept.length).toBeGreaterThan(100);
  await sql`select recount_cells()`.execute(db);
  expect(kept).toEqual(await cellsNow());
});

// Every way to an ordered list, whichever is the cheapest one for its size.
const ways: Path[] = [
  { way: 'visit', by: 'list' },
  { way: 'visit', by: 'cells' },
  { way: 'walk', by: 'list' },
  { way: 'walk', by: 'scores', of: 'all' },
  { way: 'walk', by: 'scores', of: 'region' },
  { way: 'walk', by: 'scores', of: 'group' },
];
const listFilters: ListingFilter[] = [
  {},
  { place: { level: 'country', country: 'NZ' } },
  { place: { level: 'district', code: 306 }, category: { level: 'group', code: 6 } },
  { place: { level: 'region', code: 3 }, category: { level: 'sub', codes: [201, 301] } },
  { category: { level: 'main', main: 'trade' }, evidence: { photos: true } },
  { category: { level: 'group', code: 6 }, evidence: { minRating: '3.5', maxPrice: 121 } },
  { place: { level: 'country', country: 'AU' }, category: { level: 'sub', codes: [601] }, evidence: { verified: true, maxPrice: 100 } },
];

const keyOf = { recommended: 'sort_key', newest: 'listing_number', rating: 'rating_key' } as const;

test('whichever way a list is read, from its start or its end, with or without some, it is the same', async () => {
  for (const filter of listFilters)
    for (const by of ['recommended', 'newest', 'rating'] as const)
      for (const direction of ['desc', 'asc'] as const) {
        const read = async (path: Path, part: { without?: string[]; rank?: number }) => {
          const found = await listOrdered(db, filter, by, path, { direction, reach: 9, without: [], ...part }, { skip: 1, take: 8 });
          return found.map(({ listing_number }) => listing_number);
        };
        const readAll = async (path: Path) => {
          const plain = await read(path, {});
          const { rows: keys } = await sql<{ key: string }>`
            select ${sql.ref(keyOf[by])}::text as key from listings where listing_number = any(${plain.slice(1, 4)}::int[])`.execute(db);
          const without = await read(path, { without: keys.map(({ key }) => key) });
          return { plain, without, featured: by === 'recommended' ? [] : await read(path, { rank: 3 }) };
        };
        const [first, ...others] = ways;
        const wanted = await readAll(first as Path);
        for (const path of others) {
          // Scores are walked in their own order only.
          if (path.way === 'walk' && (path.by === 'scores') !== (by === 'rating')) continue;
          expect([filter, by, direction, path, await readAll(path)]).toEqual([filter, by, direction, path, wanted]);
        }
      }
});

test('after fifty publications, edits, reviews and ends at once the counts of filters are exact', async () => {
  const some = await db.selectFrom('listings').select(['id', 'status']).orderBy('listing_number').limit(40).execute();
  const authors = await times(4, () => given.user());
  const edits = [
    { price_from_minor: 9900, price_unit: 'visit' },
    { category_code: 7, main_category: 'trade', sub_category_code: null },
    { answers_within_day: true },
    { service_title: 'Another roof' },
  ] as const;
  await Promise.all([
    ...Array.from({ length: 10 }, (_, index) => given.listing({ category: index % 2 ? 6 : 5, district: 306 })),
    ...some.slice(0, 20).map(({ id }, index) =>
      db
        .updateTable('listings')
        .set(edits[index % 4] ?? {})
        .where('id', '=', id)
        .execute(),
    ),
    ...some.slice(10, 20).map(({ id }, index) =>
      db
        .insertInto('reviews')
        .values({ listing_id: id, author_id: authors[index % 4]?._id ?? '', rating: 5, comment: 'Good.' })
        .execute(),
    ),
    ...some.slice(20, 30).map(({ id, status }) =>
      db
        .updateTable('listings')
        .set({ status: status === 'active' ? 'expired' : 'active' })
        .where('id', '=', id)
        .execute(),
    ),
  ]);
  const kept = await cellsNow();
  await sql`select recount_cells()`.execute(db);
  expect(kept).toEqual(await cellsNow());
});

test('what was counted by filters and words, and what stands in paid places, is known anew once a listing changes', async () => {
  const asked = async () => {
    const [list, byWords] = [
      await find({ category: 'window-glazing', sort: 'newest' }),
      await find({ q: 'panes', sort: 'newest', raw: '1' }),
    ];
    return [list, byWords].map((found) => [
      numbersOf(found),
      found.listings.filter((one) => one.paidPlacement).length,
      found.facets?.maxPrice[0]?.total,
    ]);
  };
  const first = await given.listing({ category: 9, plan: 'featured', title: 'Panes by Hana' });
  expect(await asked()).toEqual([
    [[first.listing_number], 1, 0],
    [[first.listing_number], 1, 0],
  ]);
  await db.updateTable('listings').set({ price_from_minor: 4000, price_unit: 'job' }).where('id', '=', first.id).execute();
  const second = await given.listing({ category: 9, plan: 'featured', title: 'Panes by Rua' });
  const numbers = [second.listing_number, first.listing_number];
  expect(await asked()).toEqual([
    [numbers, 2, 1],
    [numbers, 2, 1],
  ]);
});
