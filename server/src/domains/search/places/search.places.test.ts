import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { findLocalityBySlug } from '../../places/places.service.ts';

const { given, callers, db } = await testApp();
const { asVisitor } = callers;

await given.listing({ title: 'Taps mended by Aroha', district: 301, category: 6, subCategory: 601 });
await given.listing({ title: 'Drains by Aroha', district: 309, category: 6, subCategory: 602 });
await given.listing({ title: 'Roofs of the Waipā', district: 309, category: 7 });
await given.listing({ title: 'Pipes by Tane', district: 201, category: 6, subCategory: 601 });
await given.listing({ title: 'Pipes by Kiri', district: 1410, category: 6, subCategory: 601 });
await given.listing({ title: 'Taps by Jack', district: 1901, category: 6, subCategory: 601 });
const quick = await given.listing({ title: 'Gas by Hine', district: 1402, category: 5 });
await db.updateTable('listings').set({ answers_within_day: true }).where('id', '=', quick.id).execute();
await given.listing({ title: 'Gas by Rua', district: 1503, category: 5 });
await given.listing({ title: 'Old taps', district: 306, category: 6, status: 'inactive' });

type Place = { name: string; total: number; query: string; latitude: number; longitude: number };
const placesOf = async (query: string) => {
  const { status, body } = await asVisitor.get(`/search/places?${query}`);
  expect([query, status]).toEqual([query, 200]);
  return body as { places: Place[]; isWhole: boolean; pins: { name: string; total: number; listings: object[] }[]; isComplete: boolean };
};
const totalsOf = ({ places }: { places: Place[] }) => Object.fromEntries(places.map(({ name, total }) => [name, total]));

test.each([
  ['', { Auckland: 1, Waikato: 3, Canterbury: 2, Otago: 1, Queensland: 1 }],
  ['category=electrical-gas', { Canterbury: 1, Otago: 1 }],
  ['category=electrical-gas&replied=1', { Canterbury: 1 }],
  ['region=canterbury&replied=1', { Christchurch: 1 }],
  ['category=plumbing', { Auckland: 1, Waikato: 2, Canterbury: 1, Queensland: 1 }],
  ['category=plumbing&country=AU', { Queensland: 1 }],
  ['category=trade', { Auckland: 1, Waikato: 3, Canterbury: 2, Otago: 1, Queensland: 1 }],
  ['subCategory=Residential%20plumbing&country=NZ', { Auckland: 1, Waikato: 1, Canterbury: 1 }],
  ['category=plumbing&region=waikato', { Hamilton: 1, Waipā: 1 }],
  ['region=waikato&district=waipa', { Waipā: 2 }],
  ['where=Waikato', { Hamilton: 1, Waipā: 2 }],
  ['q=aroha', { Waikato: 2 }],
  ['q=aroha&region=waikato', { Hamilton: 1, Waipā: 1 }],
  ['q=aroha&region=otago', {}],
])('the places of ?%s have the totals of their searches', async (query, totals) => {
  const found = await placesOf(query);
  expect(totalsOf(found)).toEqual(totals);
  // Without pins they are counted in another way.
  expect(await placesOf(`${query}&pins=none`)).toEqual({ ...found, pins: [], isComplete: false });
  for (const place of found.places) {
    const there = await asVisitor.get(`/search?${place.query}`);
    expect([place.query, there.body.totalListings]).toEqual([place.query, place.total]);
  }
});

test('isWhole is true for the regions of a country and false for the districts of a region', async () => {
  expect((await placesOf('category=plumbing')).isWhole).toBe(true);
  expect((await placesOf('region=waikato')).isWhole).toBe(false);
});

test('a region is placed in the centre of its towns, without the Chatham Islands', async () => {
  const canterbury = (await placesOf('country=NZ')).places.find((place) => place.name === 'Canterbury');
  expect(canterbury?.longitude).toBeGreaterThan(170);
  expect(canterbury?.longitude).toBeLessThan(174);
  const hamilton = (await placesOf('region=waikato')).places.find((place) => place.name === 'Hamilton');
  expect([hamilton?.latitude, hamilton?.longitude]).toEqual([-37.787, 175.279]);
});

test.each([
  ['nothing=1', 'nothing'],
  ['region=narnia', 'region'],
  ['where=Narnia', 'where'],
])('rejects places of ?%s as the search does', async (query, field) => {
  const { status, body } = await asVisitor.get(`/search/places?${query}`);
  expect([status, body.errors.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
});

const townOf = (query: string) => asVisitor.get(`/search/town?${query}`);

test('a town has its district, its total and the nearest places with listings', async () => {
  const { body } = await townOf('region=waikato&town=cambridge&category=plumbing');
  expect(body).toMatchObject({ name: 'Cambridge', slug: 'cambridge', region: 'waikato', isDistrict: false });
  expect(body.district).toEqual({ name: 'Waipā', slug: 'waipa', total: 1 });
  const near = body.nearby.map(({ name, total, distanceKm }: { name: string; total: number; distanceKm: number }) => [
    name,
    total,
    distanceKm,
  ]);
  expect(near).toEqual([
    ['Hamilton', 1, 20],
    ['Auckland', 1, 132],
    ['Chatham Islands', 1, expect.any(Number)],
  ]);
});

test('a district is found like a town and takes precedence over a town of its name', async () => {
  const { body } = await townOf('region=waikato&town=hamilton');
  expect(body).toMatchObject({ name: 'Hamilton', isDistrict: true, total: 1, district: { slug: 'hamilton' } });
  const { body: ofRoofs } = await townOf('region=waikato&town=waipa&category=roofing');
  expect(ofRoofs).toMatchObject({ name: 'Waipā', isDistrict: true, total: 1 });
});

test.each([
  ['region=waikato&town=narnia', 'town'],
  ['region=otago&town=cambridge', 'town'],
  ['region=auckland&town=auckland', 'town'],
  ['region=new-south-wales&town=kingswood', 'town'],
  ['region=narnia&town=cambridge', 'region'],
  ['region=waikato&town=cambridge&category=magic', 'category'],
])('rejects the town ?%s with an error for %s', async (query, field) => {
  const { status, body } = await townOf(query);
  expect([status, body.errors.map((one: { field: string }) => one.field)]).toEqual([400, [field]]);
});

test('listings count for the town of their base: on the map, on its page and nearby', async () => {
  const cambridge = findLocalityBySlug(3, 'cambridge')?.code ?? null;
  const leamington = findLocalityBySlug(3, 'leamington')?.code ?? null;
  await given.listing({ title: 'Paint by Ana', district: 309, category: 8, base: cambridge });
  await given.listing({ title: 'Paint by Bo', district: 309, category: 8, base: cambridge });
  await given.listing({ title: 'Paint by Cy', district: 309, category: 8, base: leamington });
  await given.listing({ title: 'Paint by Di', district: 309, category: 8 });
  await given.listing({ title: 'Paint by Ed', district: 201, category: 8, base: findLocalityBySlug(2, 'ponsonby')?.code ?? null });
  const ofDistrict = await placesOf('category=painting&region=waikato&district=waipa');
  expect(totalsOf(ofDistrict)).toEqual({ Cambridge: 2, Leamington: 1, Waipā: 1 });
  // A region with one district shows its towns.
  expect(totalsOf(await placesOf('category=painting&region=auckland'))).toEqual({ Ponsonby: 1 });
  expect(ofDistrict.places[0]?.query).toBe('category=painting&near=Cambridge%2C+Waikato');
  const { body } = await townOf('region=waikato&town=cambridge&category=painting');
  expect(body).toMatchObject({ near: 'Cambridge, Waikato', isDistrict: false, district: { total: 4 } });
  // The page and its search have the same total.
  const around = await asVisitor.get(`/search?category=painting&near=${encodeURIComponent(body.near)}`);
  expect(body.total).toBe(around.body.totalListings);
  expect(body.nearby[0]).toEqual({ name: 'Leamington', region: 'waikato', slug: 'leamington', total: 1, distanceKm: 3 });
  const { body: ofWaipa } = await townOf('region=waikato&town=waipa&category=painting');
  expect(ofWaipa.nearby.map(({ name }: Place) => name)).toEqual(['Cambridge', 'Leamington', 'Auckland']);
});

test('pins have the places of the listings and their first listings, in the order of the search', async () => {
  const { pins, isComplete } = await placesOf('category=electrical-gas');
  expect([pins.map(({ name, total }) => [name, total]), isComplete]).toEqual([
    [
      ['Dunedin', 1],
      ['Christchurch', 1],
    ],
    true,
  ]);
  const known = { _id: quick.id, businessTitle: 'Kingi & Daughters', serviceTitle: 'Gas by Hine' };
  expect(pins[1]?.listings).toEqual([{ ...known, averageRating: null, priceFrom: null, priceUnit: null }]);
});

test('a pin has the price and the average rating of its listings', async () => {
  const { id } = await given.listing({ category: 8, district: 301, title: 'Painting by Ana' });
  await db
    .updateTable('listings')
    .set({ price_from_minor: 9_500, price_unit: 'hour', rating_counts: [0, 0, 1, 0, 2] })
    .where('id', '=', id)
    .execute();
  const { pins } = await placesOf('category=painting&district=hamilton&region=waikato');
  const pin = pins.flatMap(({ listings }) => listings as { _id: string }[]).find((one) => one._id === id);
  expect(pin).toMatchObject({ averageRating: 4.3, priceFrom: 9_500, priceUnit: 'hour' });
});

test('a new listing is counted at once', async () => {
  const before = (await placesOf('category=roofing')).places;
  await given.listing({ title: 'Roofs of Otago', district: 1503, category: 7 });
  expect(totalsOf(await placesOf('category=roofing'))).toEqual({ ...totalsOf({ places: before }), Otago: 1 });
});
