import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { given, db, callers } = await testApp();
const { asVisitor, onHost } = callers;

const titles = async (path: string) => {
  const answer = await asVisitor.get(path);
  expect(answer.status).toBe(200);
  return answer.body.listings.map((listing: { serviceTitle: string }) => listing.serviceTitle);
};

test('orders listings by paid rank, then newest first', async () => {
  for (const [title, plan] of [
    ['Order basic old', 'basic'],
    ['Order premium', 'premium'],
    ['Order featured', 'featured'],
    ['Order basic new', 'basic'],
  ] as const) {
    await given.listing({ title, plan, district: 101 });
  }
  expect(await titles('/listing/all?district=Far North')).toEqual([
    'Order featured',
    'Order premium',
    'Order basic new',
    'Order basic old',
  ]);
});

test.each([
  ['the whole title', 'Hot water cylinder repairs Taupō'],
  ['a word', 'cylinder'],
  ['the beginning of a word', 'cylind'],
  ['the other number of a word', 'cylinders repair'],
  ['other case', 'CYLINDER'],
  ['a missing macron', 'taupo'],
  ['a macron', 'Taupō'],
  ['swapped letters', 'cyilnder'],
  ['a missing letter', 'cylnder'],
  ['a wrong letter', 'cylimder'],
  ['two words in any order', 'repairs cylinder'],
  ['one word right and one with a typo', 'cylinder repiars'],
])('finds a title by %s', async (_, text) => {
  const { n } = await db
    .selectFrom('listings')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('service_title', '=', 'Hot water cylinder repairs Taupō')
    .executeTakeFirstOrThrow();
  if (n === '0') await given.listing({ title: 'Hot water cylinder repairs Taupō' });
  expect(await titles(`/listing/all?title=${encodeURIComponent(text)}`)).toEqual(['Hot water cylinder repairs Taupō']);
});

test.each(['cylinder roofing', 'xylophone', '!!!', "' or 1=1 --", '%', '_', '\\', "cyl'); drop table listings; --"])(
  '%j finds an empty page',
  async (text) => {
    const answer = await asVisitor.get(`/listing/all?title=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ listings: [], currentPage: 1, totalPages: 0, totalListings: 0, totalIsExact: true });
  },
);

test('finds a listing by its number if the other filters match', async () => {
  const { listing_number } = await given.listing({ title: 'By number', district: 901, category: 7, subCategory: 701 });
  expect(await titles(`/listing/all?listingNumber=${listing_number}`)).toEqual(['By number']);
  expect(await titles(`/listing/all?listingNumber=${listing_number}&region=Wellington`)).toEqual(['By number']);
  expect(await titles(`/listing/all?listingNumber=${listing_number}&region=Otago`)).toEqual([]);
  for (const unknown of ['0', '999999999', '2147483648', '99999999999', '9'.repeat(400)])
    expect(await titles(`/listing/all?listingNumber=${unknown}`)).toEqual([]);
});

test.each([
  ['page=0', 'page'],
  ['page=-1', 'page'],
  ['page=1.5', 'page'],
  ['page=abc', 'page'],
  ['limit=0', 'limit'],
  ['limit=101', 'limit'],
  ['listingNumber=12a', 'listingNumber'],
  ['category=Wizardry', 'category'],
  ['category=Roofing&subCategory=Gas%20fitting', 'subCategory'],
  ['country=Fiji', 'country'],
  ['region=Nowhere', 'region'],
  ['district=Nowhere', 'district'],
  ['sort=price', 'sort'],
  ['page=1&page=2', 'page'],
  ['title=a&title=b', 'title'],
  [`title=${'x'.repeat(121)}`, 'title'],
  ['__proto__=1', '__proto__'],
])('rejects ?%s with an error for %s', async (query, field) => {
  const answer = await asVisitor.get(`/listing/all?${query}`);
  expect(answer.status).toBe(400);
  expect(answer.body.code).toBe('invalid_input');
  expect(answer.body.errors.map((error: { field: string }) => error.field)).toContain(field);
  expect(answer.body.message).not.toBe('');
});

test('empty parameters count as not given', async () => {
  const plain = await asVisitor.get('/listing/all');
  const empty = await asVisitor.get('/listing/all?title=&category=&page=&listingNumber=&country=');
  expect(empty.body).toEqual(plain.body);
});

test('a page beyond the end is empty with the total, and page 51 is rejected', async () => {
  const answer = await asVisitor.get('/listing/all?page=50');
  expect(answer.status).toBe(200);
  expect(answer.body.listings).toEqual([]);
  expect(answer.body).toMatchObject({ currentPage: 50, totalIsExact: true });
  expect(answer.body.totalListings).toBeGreaterThan(0);
  for (const path of ['/listing/all', '/search']) {
    const { status, body } = await asVisitor.get(`${path}?page=51`);
    const message = 'A search has 50 pages at most: narrow it down instead';
    expect([status, body.errors]).toEqual([400, [{ field: 'page', message }]]);
  }
});

test('the host sets the market: listings of other countries are left out, and asking for them is rejected', async () => {
  await given.listing({ title: 'Sydney windows', district: 1701, category: 9 });
  await given.listing({ title: 'Dunedin windows', district: 1503, category: 9 });
  const found = async (host: string) =>
    (await onHost(host).get('/listing/all?category=window-glazing')).body.listings.map((one: { serviceTitle: string }) => one.serviceTitle);
  expect(await found('nz.localhost:3000')).toEqual(['Dunedin windows']);
  expect(await found('www.handwise.com')).toEqual(['Sydney windows']);
  expect((await found('localhost')).toSorted()).toEqual(['Dunedin windows', 'Sydney windows']);
  expect((await onHost('handwise.co.nz').get('/listing/all?country=AU')).body.errors[0].field).toBe('country');
  expect((await onHost('handwise.co.nz').get('/config')).body.market).toBe('NZ');
});

test('searches follow a change of status, title or place', async () => {
  const { id } = await given.listing({ title: 'Quokka fencing', status: 'inactive', district: 2101, category: 10 });
  const total = async () => (await asVisitor.get('/listing/all?district=Perth')).body.totalListings;
  const before = await total();
  await db.updateTable('listings').set({ status: 'active' }).where('id', '=', id).execute();
  await expect.poll(total).toBe(before + 1);
  await expect.poll(() => titles('/listing/all?title=quokka')).toEqual(['Quokka fencing']);
  await db.updateTable('listings').set({ service_title: 'Wobbegong fencing', district_code: 2103 }).where('id', '=', id).execute();
  await expect.poll(total).toBe(before);
  await expect.poll(() => titles('/listing/all?title=quokka')).toEqual([]);
  expect(await titles('/listing/all?title=wobbegong&district=Bunbury')).toEqual(['Wobbegong fencing']);
  await db.deleteFrom('listings').where('id', '=', id).execute();
  await expect.poll(() => titles('/listing/all?title=wobbegong')).toEqual([]);
});

test('a prefix finds many words, and each searched word must match', async () => {
  const letters = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26)));
  const seller = await given.user();
  await sql`insert into subscriptions (user_id, plan_id, country, source, slots, starts_at, ends_at)
    values (${seller._id}, ${given.planId('featured')}, 'NZ', 'grant', 100, now(), now() + interval '20 days')`.execute(db);
  await sql`insert into listings (seller_id, subscription_id, subscription_ends_at, plan_rank, country, region_code, district_code, main_category,
      category_code, service_title, service_description, services, business_title, business_email, business_info)
    select user_id, subscriptions.id, ends_at, 3, 'NZ', 3, 306, 'trade', 6, title, 'We come.', '{Leaks}', 'Kingi', 'office@kingi.example', 'A family business.'
    from subscriptions, unnest(${[...letters.map((two) => `zebra${two} quagga${two}`), 'zebraaa stripes', 'quaggaaa stripes']}::text[]) as title
    where user_id = ${seller._id}`.execute(db);
  const total = async (text: string) => (await asVisitor.get(`/listing/all?title=${text}`)).body.totalListings;
  await expect.poll(() => total('zebra')).toBe(41);
  expect(await total('zebra quagga')).toBe(40);
  expect(await total('zebra stripes')).toBe(1);
  expect(await total('zebra quagga stripes')).toBe(0);
  expect((await asVisitor.get('/listing/all?title=zebra&region=waikato')).body.totalListings).toBe(41);
  expect((await asVisitor.get('/listing/all?title=zebra&region=otago')).body.totalListings).toBe(0);
});

test('a word that only ended listings have is corrected', async () => {
  const { id } = await given.listing({ title: 'Rangehod cleaning' });
  await given.listing({ title: 'Rangehood cleaning' });
  expect(await titles('/listing/all?title=rangehod')).toEqual(['Rangehod cleaning']);
  await db.updateTable('listings').set({ status: 'inactive' }).where('id', '=', id).execute();
  await expect.poll(() => titles('/listing/all?title=rangehod')).toEqual(['Rangehood cleaning']);
});

test('three letters match as a prefix, fewer as whole words only, and none inside a word', async () => {
  await given.listing({ title: 'Xylotherapy' });
  for (const text of ['xyl', 'xylo', 'xylotherapy']) expect(await titles(`/listing/all?title=${text}`)).toEqual(['Xylotherapy']);
  for (const text of ['x', 'xy', 'yl', 'ylo', 'therapy']) expect(await titles(`/listing/all?title=${text}`)).toEqual([]);
});

test('a name does not match names with another first letter', async () => {
  await given.listing({ title: 'Kitchens', business: 'Henderson Joinery' });
  await given.listing({ title: 'Wardrobes', business: 'Sanderson Joinery' });
  // Also the name of a suburb.
  expect(await titles('/search?q=anderson&raw=1')).toEqual([]);
  expect(await titles('/search?q=henderson&raw=1')).toEqual(['Kitchens']);
});

test('a word is found in a region as soon as a listing there has it', async () => {
  await given.listing({ title: 'Kererū roosts', district: 1403 });
  const total = async () => (await asVisitor.get('/listing/all?title=kereru&region=otago')).body.totalListings;
  expect(await total()).toBe(0);
  await given.listing({ title: 'Kererū roosts', district: 1503 });
  expect(await total()).toBe(1);
});

test('each card names the fields that have the words', async () => {
  await given.listing({ title: 'Skylight domes', business: 'Domes & Sons', services: ['Flashings'], category: 7, subCategory: 701 });
  await given.listing({ title: 'Attics', business: 'Kingi', services: ['Domes', 'Skylights'], category: 4, subCategory: 401 });
  const { body } = await asVisitor.get('/search?q=skylight dome&raw=1');
  expect(
    body.listings.map(({ serviceTitle, why }: { serviceTitle: string; why: { words: string[] } }) => [serviceTitle, why.words]),
  ).toEqual([
    ['Attics', ['services']],
    ['Skylight domes', ['title', 'business']],
  ]);
  const { body: roofers } = await asVisitor.get('/search?q=roofer domes&raw=1');
  expect(roofers.listings[0].why.words).toEqual(['title', 'business', 'category']);
  expect((await asVisitor.get('/search?limit=1')).body.listings[0].why.words).toEqual([]);
});

test('matches that name the words come before those that mention them, whatever was paid', async () => {
  const inWellington = { district: 901, category: 8, subCategory: 801 };
  await given.listing({ ...inWellington, title: 'Rooms done', services: ['Limewash'] });
  await given.listing({ ...inWellington, title: 'Limewash for villas' });
  await given.listing({ ...inWellington, title: 'Walls done', business: 'Limewash & Co' });
  await given.listing({ ...inWellington, title: 'Fences done', services: ['Limewash'], plan: 'premium' });
  await given.listing({ ...inWellington, title: 'Limewash and stain', services: ['Limewash'] });
  const { id } = await given.listing({ ...inWellington, title: 'Whitewash', plan: 'featured' });
  await db.updateTable('listings').set({ service_description: 'Limewash as well.' }).where('id', '=', id).execute();
  // Title, business and services name them; within a level paid rank comes first, then the newest.
  expect(await titles('/listing/all?title=limewash')).toEqual([
    'Fences done',
    'Limewash and stain',
    'Walls done',
    'Limewash for villas',
    'Rooms done',
    'Whitewash',
  ]);
});

test('"tiler" and "tiling" match each other but not "tiles"', async () => {
  for (const title of ['Bathroom tiling', 'Tilers of Tairua', 'Roof tiles']) await given.listing({ title });
  for (const text of ['tiler', 'tilers', 'tiling']) {
    expect(await titles(`/listing/all?title=${text}`)).toEqual(['Tilers of Tairua', 'Bathroom tiling']);
  }
  expect(await titles('/listing/all?title=tile')).toEqual(['Roof tiles', 'Tilers of Tairua', 'Bathroom tiling']);
});

test('cached searches are not mixed up', async () => {
  await given.listing({ title: 'Wallaby kennels' });
  await given.listing({ title: 'Platypus ponds' });
  for (const [text, title] of [
    ['wallaby', 'Wallaby kennels'],
    ['platypus', 'Platypus ponds'],
    ['wallaby', 'Wallaby kennels'],
  ]) {
    expect(await titles(`/listing/all?title=${text}`)).toEqual([title]);
  }
});

test('a sub-category of two groups finds the listings of both, in one order, by words and by number', async () => {
  const made: { title: string; number: number }[] = [];
  // More than one page.
  for (let index = 0; index < 104; index += 1) {
    const [category, subCategory] = index % 2 === 0 ? [2, 202] : [5, 503];
    const title = `Toaster ${index}`;
    const { listing_number } = await given.listing({ title, category, subCategory });
    made.push({ title, number: listing_number });
  }
  await given.listing({ title: 'Toaster of neither', category: 5, subCategory: 501 });
  const newest = made.map(({ title }) => title).toReversed();
  for (const words of ['', '&title=toaster']) {
    const within = `/listing/all?subCategory=Appliance repairs&limit=26${words}`;
    const pages = [];
    for (const page of [1, 2, 3, 4]) {
      const { body } = await asVisitor.get(`${within}&page=${page}`);
      expect([words, page, body.totalListings]).toEqual([words, page, 104]);
      pages.push(...body.listings.map((one: { serviceTitle: string }) => one.serviceTitle));
    }
    expect([words, pages]).toEqual([words, newest]);
  }
  for (const { title, number } of made.slice(0, 2)) {
    expect(await titles(`/listing/all?subCategory=Appliance repairs&listingNumber=${number}`)).toEqual([title]);
  }
});

test('a text without letters finds nothing in a place with listings', async () => {
  await given.listing({ title: 'Kennels in Gore', district: 1601 });
  const { region } = (await asVisitor.get('/listing/all?title=kennels gore')).body.listings[0];
  expect((await asVisitor.get(`/listing/all?region=${region}`)).body.totalListings).toBeGreaterThan(0);
  expect((await asVisitor.get(`/listing/all?region=${region}&title=!!!`)).body).toMatchObject({ listings: [], totalListings: 0 });
});

test('a page beyond the end has the total even if it is the first request', async () => {
  await given.listing({ title: 'Numbat burrows dug' });
  expect((await asVisitor.get('/listing/all?title=numbat burrows&page=7')).body).toMatchObject({ listings: [], totalListings: 1 });
});

test('a listing with several words of one prefix is counted and shown once', async () => {
  // Each title has two of the forty words with the prefix.
  const letters = Array.from({ length: 40 }, (_, index) => String.fromCharCode(97 + Math.floor(index / 26), 97 + (index % 26)));
  const { seller_id, subscription_id } = await db
    .updateTable('subscriptions')
    .set({ slots: 100 })
    .where('id', '=', (await firstListing()).subscription_id)
    .returning(['user_id as seller_id', 'id as subscription_id'])
    .executeTakeFirstOrThrow();
  for (let index = 0; index < letters.length; index += 2) {
    const title = `wombat${letters[index]} wombat${letters[index + 1]} dingo`;
    await given.listing({ title, sellerId: seller_id, subscriptionId: subscription_id });
  }
  const { body } = await asVisitor.get('/listing/all?title=wombat dingo&limit=100');
  const found = body.listings.map((one: { serviceTitle: string }) => one.serviceTitle);
  expect([body.totalListings, new Set(found).size, found.length]).toEqual([20, 20, 20]);
});

async function firstListing() {
  const { id } = await given.listing({ title: 'A first one', plan: 'featured' });
  return db.selectFrom('listings').select('subscription_id').where('id', '=', id).executeTakeFirstOrThrow();
}

test('Server-Timing reports the time of a search, except for cached answers', async () => {
  await given.listing({ title: 'Timed search', district: 102 });
  const { headers } = await asVisitor.get('/search?q=Timed search');
  expect(headers).toMatchObject({ 'server-timing': expect.stringMatching(/^search;dur=\d+\.\d$/), 'x-cache': 'miss' });
  const again = await asVisitor.get('/search?q=Timed search');
  expect([again.headers['server-timing'], again.headers['x-cache']]).toEqual([undefined, 'hit']);
});
