import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photos } from '@handwise/sandbox/testing/photos';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';

const { app, given, db, callers, parts } = await testApp();
const { as, asVisitor } = callers;
const { context } = parts;
const { store } = context;

const ids = (answer: { body: { listings: { _id: string }[] } }) => answer.body.listings.map((one) => one._id);

const edit = (overrides: Record<string, string | readonly string[]> = {}) => {
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', { serviceTitle: 'Hot water experts', ...overrides });
  return form;
};

test('edits texts, place and picture order, visible in search at once', async () => {
  const { seller, listing } = await given.published('basic', await photos(3));
  const [first, second, third] = listing.serviceImages;
  const form = edit({
    location: 'Hamilton, Waikato, New Zealand',
    serviceImageOrder: JSON.stringify([third, 'new:0', first]),
    usingDefaultLogo: 'true',
    defaultLogoColor: '#3B82F6',
  });
  const answer = await as(seller).putForm(`/listing/${listing._id}`, form, await photos(1));
  expect(answer.status).toBe(200);
  const { serviceImages } = answer.body.listing;
  expect([serviceImages[0], serviceImages[2]]).toEqual([third, first]);
  expect(serviceImages).toHaveLength(3);
  expect(serviceImages).not.toContain(second);
  expect(answer.body.listing).toMatchObject({ serviceTitle: 'Hot water experts', district: 'Hamilton', logoColor: '#3B82F6' });
  expect(ids(await asVisitor.get('/listing/all?title=hot+water+experts&district=hamilton'))).toContain(listing._id);
  // The picture that went is deleted by the sweep, those that stayed are not.
  await deleteOrphanedFiles(db, store, 0);
  expect((await app.inject(second)).statusCode).toBe(404);
  for (const address of serviceImages) expect((await app.inject(address)).statusCode).toBe(200);
});

test('appends new pictures when an edit has no order', async () => {
  const { seller, listing } = await given.published('basic', await photos(2));
  const { body } = await as(seller).putForm(`/listing/${listing._id}`, edit(), await photos(1));
  expect(body.listing.serviceImages.slice(0, 2)).toEqual(listing.serviceImages);
  expect(body.listing.serviceImages).toHaveLength(3);
  const tooMany = await as(seller).putForm(`/listing/${listing._id}`, edit(), await photos(3));
  expect(tooMany.body.errors[0].message).toBe('Your plan has up to 5 photos; you chose 6.');
});

test('adds the last allowed photo once for concurrent edits', async () => {
  const { seller, listing } = await given.published('basic', await photos(4));
  const added = await photos(1);
  const edits = Array.from({ length: 10 }, () => as(seller).putForm(`/listing/${listing._id}`, edit(), added));
  const statuses = (await Promise.all(edits)).map((answer) => answer.status);
  expect(statuses.toSorted((one, other) => one - other)).toEqual([200, ...Array.from({ length: 9 }, () => 400)]);
  const shown = (await as(seller).get(`/listing/${listing._id}`)).body;
  expect([shown.pictures.length, shown.hiddenPictures.length]).toEqual([5, 0]);
  const left = await db.selectFrom('files').select('key').where('state', '<>', 'attached').execute();
  expect(left).toEqual([]);
});

test('rejects edits by other users and visitors, to another country, or with foreign pictures', async () => {
  const { seller, listing } = await given.published('basic', await photos(1));
  const { listing: foreign } = await given.published('basic', await photos(1));
  const url = `/listing/${listing._id}`;
  const refused = [
    [await as(await given.user()).putForm(url, edit()), 404],
    [await asVisitor.putForm(url, edit()), 401],
    [await as(seller).putForm(url, edit({ location: 'Perth, Western Australia, Australia' })), 400],
    [await as(seller).putForm(url, edit({ serviceImageOrder: JSON.stringify(foreign.serviceImages) })), 400],
    [await as(seller).putForm(url, edit({ serviceImageOrder: 'nonsense' })), 400],
    [await as(seller).putForm(url, edit({ serviceTitle: '' })), 400],
  ] as const;
  expect(refused.map(([answer]) => answer.status)).toEqual(refused.map(([, status]) => status));
  expect((await asVisitor.get(url)).body).toMatchObject({
    serviceTitle: listing.serviceTitle,
    serviceImages: listing.serviceImages,
    location: listing.location,
  });
});

test('hides pictures beyond the plan from the public only', async () => {
  const { seller, listing } = await given.published('premium', await photos(7));
  const basic = await as(seller).put(`/listing/${listing._id}/plan`, { planId: given.planId('basic') });
  expect(basic.body).toMatchObject({ status: 'done', amount: 0 });
  expect((await asVisitor.get(`/listing/${listing._id}`)).body.serviceImages).toHaveLength(5);
  expect((await as(seller).get(`/listing/${listing._id}`)).body.hiddenPictures).toHaveLength(2);
});
