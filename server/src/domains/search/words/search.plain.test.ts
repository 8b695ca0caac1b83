import { type Category, type SubCategory, categories, mainCategoryNames } from '@handwise/contract/categories';
import type { ListingStatus } from '@handwise/contract/listings';
import { regions } from '@handwise/contract/places';
import type { PlanType } from '@handwise/contract/plans';
import { testApp } from '@handwise/sandbox/test-app';
import { listingRow } from '@handwise/sandbox/testing/listing';
import fc from 'fast-check';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { wordsOf } from '../search.rules.ts';
import { formOf } from './search.word-forms.ts';

// Every answer of the search is held against a plain reading of the same rows in memory.
const { given, db, callers } = await testApp();
const { asVisitor } = callers;

const districts = regions.flatMap((region) => region.districts.map((district) => ({ ...district, region })));
const words = [
  'emergency',
  'friendly',
  'plumber',
  'plumbing',
  'roof',
  'roofing',
  'tiles',
  'tiler',
  'house',
  'greenhouse',
  'local',
  'pump',
  ...[...'abcdefghij'].map((letter) => `quo${letter}`),
];
const businesses = ['Anderson Plumbing', 'Henderson & Sons', 'Tiling Wizards', 'The Green House', 'Pump & Heat', 'Kōwhai Homes'];
const services = [
  'Repairs',
  'Heatpump',
  'Heat pumps',
  'Roof tiles',
  'Leaks',
  'Window cleaning',
  'Housekeeping',
  'Painting',
  'Local calls',
  'Local advice',
];
const random = fc.sample(fc.infiniteStream(fc.nat({ max: 1_000_000 })), { numRuns: 1, seed: 7 })[0];
const pick = <T>(items: readonly T[]): T => items[Number(random?.next().value) % items.length] as T;

const seller = await given.user();
const someDistricts = [101, 201, 306, 1403, 1701, 1702, 1801].map((code) => districts.find((one) => one.code === code));
type Row = {
  title: string;
  business: string;
  services: string[];
  district: (typeof districts)[number];
  category: Category;
  sub: SubCategory | null;
  plan: PlanType;
  status: ListingStatus;
  number: number;
};
const subscribed = new Map<string, { id: string; user_id: string; ends_at: Date }>();
async function subscriptionOf(plan: PlanType, country: 'NZ' | 'AU') {
  const key = `${plan} ${country}`;
  const made =
    subscribed.get(key) ??
    (await db
      .insertInto('subscriptions')
      .values({
        user_id: seller._id,
        plan_id: given.planId(plan),
        country,
        source: 'grant',
        slots: 1_000,
        starts_at: new Date(),
        ends_at: new Date(Date.now() + 20 * 86_400_000),
      })
      .returning(['id', 'user_id', 'ends_at'])
      .executeTakeFirstOrThrow());
  subscribed.set(key, made);
  return made;
}
const wanted: Omit<Row, 'number'>[] = [];
const made = [];
for (let index = 0; index < 900; index += 1) {
  const category = pick([...categories, ...categories.slice(5, 7), ...categories.slice(5, 7), ...categories.slice(5, 7)]);
  const district = pick(someDistricts);
  if (!district) throw new Error('no such district');
  const row = {
    title: [pick(words), pick(words), pick(words)].join(' '),
    business: pick(businesses),
    services: [pick(services), pick(services)],
    district,
    category,
    sub: pick([null, ...category.subCategories]),
    plan: pick(['basic', 'basic', 'premium', 'featured'] as const),
    status: pick(['active', 'active', 'active', 'active', 'inactive', 'expired'] as const),
  };
  wanted.push(row);
  made.push(
    listingRow(await subscriptionOf(row.plan, district.region.country), {
      ...row,
      district: district.code,
      category: category.code,
      subCategory: row.sub?.code ?? null,
    }),
  );
}
const numbers = await db.insertInto('listings').values(made).returning('listing_number').execute();
const rows: Row[] = wanted.map((row, index) => ({ ...row, number: numbers[index]?.listing_number ?? 0 }));
await given.listing({ title: 'Nothing else', status: 'inactive' });

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

const active = rows.filter((row) => row.status === 'active');
const textsOf = ({ title, business, services: offered }: Row) => [title, business, offered.join(' ')];
const counts = new Map<string, number>();
for (const row of active) for (const word of new Set(wordsOf(textsOf(row).join(' ')))) counts.set(word, (counts.get(word) ?? 0) + 1);

/** Whether a word is two that people write apart more often. */
function isCompound(part: string, word: string) {
  const at = word.indexOf(part);
  const own = counts.get(word) ?? 0;
  const ofPart = [...counts].reduce((sum, [one, count]) => (formOf(one) === formOf(part) ? sum + count : sum), 0);
  return (
    part.length > 3 && at >= 3 && formOf(word.slice(at)) === formOf(part) && (counts.get(word.slice(0, at)) ?? 0) > own && ofPart > own
  );
}

/** The forms that a searched word stands for, by reading every word of every listing. */
const formsOf = (part: string) =>
  new Set(
    [...counts.keys()].filter((word) => word.startsWith(part) || formOf(word) === formOf(part) || isCompound(part, word)).map(formOf),
  );

/** The first of a row's fields, from 1 on, that has the word; undefined where none has. */
function fieldOf(row: Row, part: string, forms: ReadonlySet<string>) {
  const names = wordsOf(`${row.category.name} ${row.sub?.name ?? ''}`);
  const has = [
    ...textsOf(row).map((text) => wordsOf(text).some((word) => forms.has(formOf(word)))),
    names.some((word) => word.startsWith(part) || formOf(word) === formOf(part)),
  ];
  return has.includes(true) ? has.indexOf(true) + 1 : undefined;
}

function expected(search: Search) {
  const rank = { featured: 3, premium: 2, basic: 1 };
  const searched = (search.title?.split(' ') ?? []).map((part) => ({ part, forms: formsOf(part) }));
  return active
    .filter((row) => !search.country || row.district.region.country === search.country)
    .filter((row) => !search.region || row.district.region.name === search.region)
    .filter((row) => !search.district || row.district.name === search.district)
    .filter((row) => !search.category || row.category.name === search.category || row.category.mainCategory === search.category)
    .filter((row) => !search.subCategory || row.sub?.name === search.subCategory)
    .map((row) => ({ ...row, fields: searched.map(({ part, forms }) => fieldOf(row, part, forms) ?? 9) }))
    .map((row) => ({ ...row, worth: Math.max(0, ...row.fields) }))
    .filter(({ worth }) => worth < 9)
    .toSorted((a, b) => rank[b.plan] - rank[a.plan] || a.worth - b.worth || b.number - a.number)
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
  ...[
    ...words,
    'plumb',
    'hou',
    'roof local',
    're',
    'r',
    'emergency plumber',
    'tiling',
    'heat',
    'quo',
    'quoc',
    'pumps',
    'tiles roof',
    'window',
  ].map((title) => ({ title })),
  ...['anderson', 'andersons', 'sons', 'house green', 'repair', 'residential', 'roof tile pump', 'painters', 'home', 'heatpump'].map(
    (title) => ({ title }),
  ),
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
        // Words that no listing has are read as what they mean, which is another list (search.everybody.test.ts).
        if (numbers.length === 0 && body.understood) continue;
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

test.each(['local', 'pump', 'plumb'])('so are the pages of %s, which many have, by rank and by where they have it', async (title) => {
  const numbers = expected({ title });
  // So many that they are read rank by rank and field by field.
  expect(numbers.length).toBeGreaterThan(200);
  for (const limit of [7, 100]) {
    const pages = Array.from({ length: Math.ceil(numbers.length / limit) }, (_, index) => index + 1);
    const seen = await Promise.all(
      pages.map(async (page) => (await asVisitor.get(`/listing/all?${query({ title, page, limit })}`)).body.listings),
    );
    expect(seen.flat().map((one: { listingNumber: number }) => one.listingNumber)).toEqual(numbers);
  }
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
      .where(sql<boolean>`(in_title, in_business, in_services) <> (0, 0, 0)`)
      .orderBy('form')
      .orderBy('category_code')
      .orderBy('sub_category_code')
      .orderBy('region_code')
      .orderBy('plan_rank')
      .execute(),
    words: await db.selectFrom('search_words').selectAll().where('listings', '<>', 0).orderBy('word').execute(),
  });
  const kept = await read();
  await sql`select recount_listings()`.execute(db);
  expect(kept).toEqual(await read());
});

test('what is asked of listings beside a word that many have is asked of each, on every page', async () => {
  const cheap = new Set(expected({}).filter((number) => number % 3 !== 0));
  await db
    .updateTable('listings')
    .set({ price_from_minor: 5_000, price_unit: 'hour' })
    .where('listing_number', 'in', [...cheap])
    .execute();
  const numbers = expected({ title: 'local' }).filter((number) => cheap.has(number));
  expect(numbers.length).toBeGreaterThan(100);
  const seen: number[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await asVisitor.get(`/search?q=local&raw=1&maxPrice=60&page=${page}`);
    if (body.listings.length === 0) break;
    expect(body.totalListings).toBe(numbers.length);
    seen.push(...body.listings.map((one: { listingNumber: number }) => one.listingNumber));
  }
  expect(seen).toEqual(numbers);
});
