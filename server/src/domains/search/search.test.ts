import { testApp } from '@handwise/sandbox/test-app';
import { expect, test } from 'vitest';

const { asVisitor, onHost, given, db } = await testApp();

const titles = async (path: string) => {
  const answer = await asVisitor.get(path);
  expect(answer.status).toBe(200);
  return answer.body.listings.map((listing: { serviceTitle: string }) => listing.serviceTitle);
};

test('listings come by paid rank, then the newest first', async () => {
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
  ['a part of a word', 'ylind'],
  ['other case', 'CYLINDER'],
  ['a missing macron', 'taupo'],
  ['a macron', 'Taupō'],
  ['swapped letters', 'cyilnder'],
  ['a missing letter', 'cylnder'],
  ['a wrong letter', 'cylimder'],
  ['two words in any order', 'repairs cylinder'],
  ['one word right and one with a typo', 'cylinder repiars'],
])('a title is found by %s', async (_, text) => {
  const { n } = await db
    .selectFrom('listings')
    .select((eb) => eb.fn.countAll<string>().as('n'))
    .where('service_title', '=', 'Hot water cylinder repairs Taupō')
    .executeTakeFirstOrThrow();
  if (n === '0') await given.listing({ title: 'Hot water cylinder repairs Taupō' });
  expect(await titles(`/listing/all?title=${encodeURIComponent(text)}`)).toEqual(['Hot water cylinder repairs Taupō']);
});

test.each(['cylinder roofing', 'xylophone', '!!!', "' or 1=1 --", '%', '_', '\\', "cyl'); drop table listings; --"])(
  'nothing is found by %j, and that is an empty page',
  async (text) => {
    const answer = await asVisitor.get(`/listing/all?title=${encodeURIComponent(text)}`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ listings: [], currentPage: 1, totalPages: 0, totalListings: 0 });
  },
);

test('a listing is found by its number, within the other filters', async () => {
  const { listing_number } = await given.listing({ title: 'By number', district: 901, category: 7, subCategory: 701 });
  expect(await titles(`/listing/all?listingNumber=${listing_number}`)).toEqual(['By number']);
  expect(await titles(`/listing/all?listingNumber=${listing_number}&region=Wellington`)).toEqual(['By number']);
  expect(await titles(`/listing/all?listingNumber=${listing_number}&region=Otago`)).toEqual([]);
  expect(await titles('/listing/all?listingNumber=999999999')).toEqual([]);
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
])('?%s is refused and names %s', async (query, field) => {
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

test('a page beyond the end is empty and keeps the total', async () => {
  const answer = await asVisitor.get('/listing/all?page=9000');
  expect(answer.status).toBe(200);
  expect(answer.body.listings).toEqual([]);
  expect(answer.body.currentPage).toBe(9000);
  expect(answer.body.totalListings).toBeGreaterThan(0);
});

test('the host decides the market: another country is refused there, and left out', async () => {
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

test('a listing that becomes active, changes its title or its place is found as it is now', async () => {
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
