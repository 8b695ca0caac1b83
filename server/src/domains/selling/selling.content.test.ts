import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo, photos } from '@handwise/sandbox/testing/photos';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';

const { app, db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { mails } = outbox;
const { context } = parts;
const { store } = context;

type Files = Awaited<ReturnType<typeof photos>>;
const logo = async (color = '#3a3') => ({ field: 'logo', name: 'logo.png', bytes: await photo(300, color) });

async function published(
  overrides: Record<string, string | readonly string[]> = {},
  files: Files = [],
  plan: 'basic' | 'premium' = 'basic',
) {
  const { seller, listing } = await given.published(plan, files, overrides);
  const edit = (changes: Record<string, string | readonly string[]> = {}, added: Files = []) => {
    const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic', changes);
    return as(seller).putForm(`/listing/${listing._id}`, form, added);
  };
  const getListing = async () => (await as(seller).get(`/listing/${listing._id}`)).body;
  return { seller, listing, edit, getListing };
}

const isServed = async (address: string) => (await app.inject(address)).statusCode === 200;

test('stores the form’s content, each service once', async () => {
  const { listing } = await published({
    serviceSubCategory: 'Emergency plumbing',
    'services[]': ['Leaks', 'leaks', 'Hot water', 'LEAKS'],
    location: 'Taupō › Waikato › New Zealand',
    website: 'kingi.example',
    defaultLogoColor: '#3B82F6',
  });
  expect(listing).toMatchObject({
    serviceTitle: 'Friendly local plumber',
    serviceDescription: 'We come when we say we will and leave the place tidy.',
    serviceCategory: 'Plumbing',
    serviceSubCategory: 'Emergency plumbing',
    mainCategory: 'trade',
    location: 'Taupō, Waikato, New Zealand',
    businessTitle: 'Kingi & Daughters',
    businessEmailAddress: 'office@kingi.example',
    businessInfo: 'A family business that has looked after homes in the area for twenty years.',
    website: 'https://kingi.example',
    logoColor: '#3B82F6',
    logo: '',
  });
  expect(listing.services).toHaveLength(2);
  expect(listing.services.map((one: string) => one.toLowerCase())).toEqual(['leaks', 'hot water']);
});

test.each([
  ['serviceSubCategory', 'Sorcery', 'There is no such sub-category here'],
  ['serviceSubCategory', 'Gas fitting', 'There is no such sub-category here'],
  ['location', 'Taupō, Waikato, Australia', 'Choose a district or city, a region and a country that belong together'],
])('rejects %s “%s”: %s', async (field, value, message) => {
  const seller = await given.user();
  const form = given.listingForm('basic', { paymentId: await given.payment(seller), [field]: value });
  const answer = await as(seller).postForm('/listing/create', form);
  expect([answer.status, answer.body.errors]).toEqual([400, [{ field, message }]]);
});

test('describes photos by title and number', async () => {
  const altsOf = (listing: { pictures: { alt: string }[] }) => listing.pictures.map(({ alt }) => alt);
  expect(altsOf((await published({}, await photos(1))).listing)).toEqual(['Friendly local plumber']);
  expect(altsOf((await published({}, await photos(2))).listing)).toEqual([
    'Friendly local plumber, photo 1',
    'Friendly local plumber, photo 2',
  ]);
});

test('keeps logo, colour and website that an edit omits', async () => {
  const { listing, edit, getListing } = await published({ website: 'kingi.example', defaultLogoColor: '#3B82F6' }, [await logo()]);
  expect(listing.logo).toMatch(/^\/files\//);
  expect((await edit({ serviceTitle: 'Hot water experts' })).status).toBe(200);
  const now = await getListing();
  expect(now).toMatchObject({
    serviceTitle: 'Hot water experts',
    logo: listing.logo,
    logoColor: '#3B82F6',
    website: 'https://kingi.example',
  });
  await deleteOrphanedFiles(db, store, 0);
  expect(await isServed(now.logo)).toBe(true);
});

test('replaces the old logo and deletes its file', async () => {
  const { listing, edit, getListing } = await published({}, [await logo()]);
  expect((await edit({}, [await logo('#a33')])).status).toBe(200);
  const now = await getListing();
  expect(now.logo).not.toBe(listing.logo);
  await deleteOrphanedFiles(db, store, 0);
  expect([await isServed(listing.logo), await isServed(now.logo)]).toEqual([false, true]);
});

test('deletes the logo when the letter avatar is chosen', async () => {
  const { listing, edit, getListing } = await published({}, [await logo()]);
  expect((await edit({ usingDefaultLogo: 'true' })).status).toBe(200);
  expect((await getListing()).logo).toBe('');
  await deleteOrphanedFiles(db, store, 0);
  expect(await isServed(listing.logo)).toBe(false);
});

test('changes nothing and leaves no files when an edit is rejected', async () => {
  const { listing, edit, getListing } = await published({}, [...(await photos(2)), await logo()]);
  const broken = { field: 'serviceImages', name: 'note.jpg', bytes: Buffer.from('no picture') };
  expect((await edit({ serviceTitle: 'Changed' }, [...(await photos(1)), broken])).status).toBe(400);
  expect((await edit({ serviceTitle: 'Changed', location: 'Perth, Western Australia, Australia' }, await photos(1))).status).toBe(400);
  expect(await getListing()).toMatchObject({
    serviceTitle: listing.serviceTitle,
    serviceImages: listing.serviceImages,
    logo: listing.logo,
  });
  expect(await db.selectFrom('files').select('key').where('state', '<>', 'attached').execute()).toEqual([]);
});

test('accepts each picture once and appends unordered new ones', async () => {
  const { listing, edit, getListing } = await published({}, await photos(2));
  const [first, second] = listing.serviceImages;
  expect((await edit({ serviceImageOrder: JSON.stringify([first, first, second]) })).body.errors).toEqual([
    { field: 'serviceImageOrder', message: 'One of these pictures could not be found. Please reload the page and try again.' },
  ]);
  expect((await edit({ serviceImageOrder: JSON.stringify([second, first]) }, await photos(1))).status).toBe(200);
  const { serviceImages } = await getListing();
  expect(serviceImages.slice(0, 2)).toEqual([second, first]);
  expect(serviceImages).toHaveLength(3);
});

test('accepts more photos under a larger plan, and keeps photos that a smaller one hides', async () => {
  const { seller, listing, edit, getListing } = await published({}, await photos(6), 'premium');
  expect((await edit({}, await photos(4))).body.listing.pictures).toHaveLength(10);
  expect((await edit({}, await photos(1))).body.errors[0].message).toBe('Your plan has up to 10 photos; you chose 11.');
  expect((await as(seller).put(`/listing/${listing._id}/plan`, { planId: given.planId('basic') })).body).toMatchObject({ amount: 0 });
  expect((await edit({ serviceTitle: 'Hot water experts' })).status).toBe(200);
  const now = await getListing();
  expect([now.serviceTitle, now.pictures.length, now.hiddenPictures.length]).toEqual(['Hot water experts', 5, 5]);
});

test('records the time of an edit', async () => {
  const { listing, edit } = await published();
  const updatedAt = async () =>
    (await db.selectFrom('listings').select('updated_at').where('id', '=', listing._id).executeTakeFirstOrThrow()).updated_at.getTime();
  const before = await updatedAt();
  await edit();
  expect(await updatedAt()).toBeGreaterThan(before);
});

test('rejects one of two sellers with the same submission id', async () => {
  const [mine, theirs] = [await given.user(), await given.user()];
  const form = given.listingForm();
  const answers = await Promise.all(
    [mine, theirs].map(async (seller) =>
      as(seller).postForm('/listing/create', { ...form, paymentId: await given.payment(seller) }, await photos(1)),
    ),
  );
  expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([201, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({ code: 'submission_taken' });
});

test('emails the new listing’s link, plan and end', async () => {
  const { seller, listing } = await published();
  const mail = (await mails()).find(({ to, subject }) => to === seller.email && subject.includes('is live'));
  expect(mail?.blocks).toContainEqual({ kind: 'button', label: 'See your listing', url: `http://localhost:3000/listing/${listing._id}` });
  expect(mail?.blocks).toContainEqual({
    kind: 'facts',
    rows: [
      { label: 'Listing', value: 'Friendly local plumber' },
      { label: 'Number', value: `#${listing.listingNumber}` },
      { label: 'Plan', value: 'Basic' },
      { label: 'Runs until', value: expect.any(String) },
    ],
  });
});

test('lists twelve own listings per page', async () => {
  const seller = await given.user();
  for (let count = 0; count < 13; count += 1) await given.listing({ sellerId: seller._id });
  const { body } = await as(seller).get('/listing/mylistings');
  expect([body.listings.length, body.totalPages, body.totalListings]).toEqual([12, 2, 13]);
});

// Own changes invalidate the search cache at once.
test('includes the seller’s own changes in the next search', async () => {
  const seller = await given.user();
  const total = async () => (await asVisitor.get('/listing/all?district=far-north')).body.totalListings;
  const place = { location: 'Far North, Northland, New Zealand' };
  expect(await total()).toBe(0);
  const paymentId = await given.payment(seller, 'premium');
  const { body } = await as(seller).postForm('/listing/create', given.listingForm('premium', { ...place, paymentId }));
  expect(await total()).toBe(1);
  await as(seller).put(`/listing/${body._id}/deactivate`);
  expect(await total()).toBe(0);
  await as(seller).put(`/listing/${body._id}/reactivate`, {});
  expect(await total()).toBe(1);
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('premium');
  await as(seller).putForm(`/listing/${body._id}`, form);
  expect(await total()).toBe(0);
});

test('rejects before photos are processed', async () => {
  const broken = [{ field: 'serviceImages', name: 'note.jpg', bytes: Buffer.from('no picture') }];
  const seller = await given.user();
  const publish = async (overrides: Record<string, string>) =>
    (await as(seller).postForm('/listing/create', given.listingForm('basic', overrides), broken)).body.code;
  expect(await publish({})).toBe('payment_required');
  const paymentId = await given.payment(seller);
  expect(await publish({ paymentId })).toBe('unsupported_picture');
  // Its only slot is taken without it, so it is not used and has no room.
  expect((await as(seller).postForm('/listing/create', given.listingForm())).status).toBe(201);
  expect(await publish({ paymentId })).toBe('no_free_slot');
  const used = await given.payment(seller);
  expect((await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId: used }))).status).toBe(201);
  expect(await publish({ paymentId: used })).toBe('payment_used');

  const { edit } = await published({}, await photos(5));
  expect((await edit({}, broken)).body.errors[0].message).toBe('Your plan has up to 5 photos; you chose 6.');
});

test('includes a reactivated listing in the next search', async () => {
  const seller = await given.user();
  const total = async () => (await asVisitor.get('/listing/all?district=whangarei')).body.totalListings;
  const { id } = await given.listing({ sellerId: seller._id, district: 103, status: 'expired' });
  expect(await total()).toBe(0);
  const cardId = await given.card(seller);
  const answer = await as(seller).put(`/listing/${id}/reactivate`, { planId: given.planId('basic'), paymentId: cardId });
  expect(answer.body).toMatchObject({ status: 'done', amount: 1500 });
  expect(await total()).toBe(1);
});
