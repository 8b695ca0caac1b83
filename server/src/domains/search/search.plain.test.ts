import { type Category, type SubCategory, categories, mainCategoryNames } from '@handwise/contract/categories';
import type { ListingStatus } from '@handwise/contract/listings';
import { regions } from '@handwise/contract/places';
import type { PlanType } from '@handwise/contract/plans';
import { testApp } from '@handwise/sandbox/test-app';
import fc from 'fast-check';
import { expect, test } from 'vitest';

// Every answer of the search is held against a plain reading of the same rows in memory.
const { given, db, callers } = await testApp();
const { asVisitor } = callers;

const districts = regions.flatMap((region) => region.districts.map((district) => ({ ...district, region })));
const words = ['emergency', 'friendly', 'plumber', 'plumbing', 'roof', 'roofing', 'repairs', 'house', 'greenhouse', 'local'];
const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 7 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

const seller = await given.user();
const someDistricts = [101, 201, 306, 1403, 1701, 1702, 1801].map((code) => districts.find((one) => one.code === code));
type Row = {
  title: string;
  district: (typeof districts)[number];
  category: Category;
  sub: SubCategory | null;
  plan: PlanType;
  status: ListingStatus;
  number: number;
};
const rows: Row[] = [];
for (let index = 0; index < 260; index += 1) {
  const category = pick(categories);
  const row = {
    title: [pick(words), pick(words), pick(words)].join(' '),
    district: pick(someDistricts),
    category,
    sub: pick([null, ...category.subCategories]),
    plan: pick(['basic', 'basic', 'premium', 'featured'] as const),
    status: pick(['active', 'active', 'active', 'active', 'inactive', 'expired'] as const),
  };
  if (!row.district) throw new Error('no such district');
  const { listing_number } = await given.listing({
    title: row.title,
    district: row.district.code,
    category: category.code,
    subCategory: row.sub?.code ?? null,
    plan: row.plan,
    status: row.status,
    sellerId: seller._id,
  });
  rows.push({ ...row, district: row.district, number: listing_number });
}

type Search = {
  country?: string;
  region?: string;
  district?: string;
  category?: string;
  subCategory?: string;
  title?: string;
  page?: number;
  limit?: number;
};

// One or two letters count as the beginning of a word: they are a part of nearly every one.
const isPart = (part: string, word: string) => (part.length <= 2 ? word.startsWith(part) : word.includes(part));

function expected(search: Search) {
  const rank = { featured: 3, premium: 2, basic: 1 };
  return rows
    .filter((row) => row.status === 'active')
    .filter((row) => !search.country || row.district.region.country === search.country)
    .filter((row) => !search.region || row.district.region.name === search.region)
    .filter((row) => !search.district || row.district.name === search.district)
    .filter((row) => !search.category || row.category.name === search.category || row.category.mainCategory === search.category)
    .filter((row) => !search.subCategory || row.sub?.name === search.subCategory)
    .filter((row) => !search.title || search.title.split(' ').every((part) => row.title.split(' ').some((word) => isPart(part, word))))
    .toSorted((a, b) => rank[b.plan] - rank[a.plan] || b.number - a.number)
    .map((row) => row.number);
}

const query = (search: Search) =>
  new URLSearchParams(Object.fromEntries(Object.entries(search).map(([name, value]) => [name, String(value)]))).toString();

const place = fc.constantFrom(
  {},
  { country: 'NZ' },
  { country: 'AU' },
  ...someDistricts.flatMap((district) =>
    district
      ? [
          { region: district.region.name },
          { region: district.region.name, district: district.name },
          { country: district.region.country, region: district.region.name },
        ]
      : [],
  ),
);
const what = fc.constantFrom(
  {},
  ...Object.keys(mainCategoryNames).map((category) => ({ category })),
  ...categories.flatMap((category) => [
    { category: category.name },
    ...category.subCategories.map((sub) => ({ category: category.name, subCategory: sub.name })),
  ]),
  { subCategory: 'Home security' },
  { subCategory: 'Residential' },
  { category: 'trade', subCategory: 'Landscaping' },
);
const text = fc.constantFrom(
  {},
  {},
  ...words.map((title) => ({ title })),
  { title: 'plumb' },
  { title: 'house' },
  { title: 'roof local' },
  { title: 'oofin' },
  { title: 're' },
  { title: 'emergency plumber' },
);

test('any search gives the same listings, order and total as a plain reading, on every page', async () => {
  await fc.assert(
    fc.asyncProperty(place, what, text, fc.constantFrom(1, 3, 20, 100), async (where, category, words, limit) => {
      const search = { ...where, ...category, ...words };
      const numbers = expected(search);
      const pages = Math.ceil(numbers.length / limit);
      const shown = new Set([1, 2, Math.ceil(pages / 2), pages - 1, pages, pages + 1].filter((page) => page >= 1));
      for (const page of shown) {
        const { status, body } = await asVisitor.get(`/listing/all?${query({ ...search, page, limit })}`);
        expect(status).toBe(200);
        expect(body.listings.map((one: { listingNumber: number }) => one.listingNumber)).toEqual(
          numbers.slice((page - 1) * limit, page * limit),
        );
        expect(body).toMatchObject({ totalListings: numbers.length, totalPages: pages, currentPage: page });
      }
    }),
    { numRuns: 250, seed: 42 },
  );
});

test('the pages of a list together are the list: nothing twice, nothing left out', async () => {
  const seen: number[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await asVisitor.get(`/listing/all?page=${page}&limit=7`);
    if (body.listings.length === 0) break;
    seen.push(...body.listings.map((one: { listingNumber: number }) => one.listingNumber));
  }
  expect(seen).toEqual(expected({}));
});

test('the tables of counts and words are what counting anew gives', async () => {
  const read = async () => ({
    counts: await db
      .selectFrom('listing_counts')
      .selectAll()
      .where('listings', '<>', 0)
      .orderBy('district_code')
      .orderBy('category_code')
      .orderBy('sub_category_code')
      .execute(),
    cells: await db
      .selectFrom('search_word_counts')
      .selectAll()
      .where('listings', '<>', 0)
      .orderBy('word')
      .orderBy('region_code')
      .orderBy('category_code')
      .execute(),
    words: await db.selectFrom('search_words').selectAll().where('listings', '<>', 0).orderBy('word').execute(),
  });
  const kept = await read();
  await db.executeQuery((await import('kysely')).sql`select recount_listings()`.compile(db));
  expect(kept).toEqual(await read());
});
