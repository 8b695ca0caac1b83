import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { photo, photos } from '@handwise/sandbox/testing/photos';

const { app, given, db, callers, outbox } = await testApp();
const { as, asVisitor, onHost } = callers;
const { mails } = outbox;

const ids = (answer: { body: { listings: { _id: string }[] } }) => answer.body.listings.map((one) => one._id);

test('shows a paid listing in search at once', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'premium');
  const files = [
    { field: 'serviceImages', name: 'one.jpg', bytes: await photo() },
    { field: 'serviceImages', name: 'two.jpg', bytes: await photo(500, '#3a3') },
    { field: 'logo', name: 'logo.png', bytes: await photo(300) },
  ];
  const form = given.listingForm('premium', { paymentId, website: 'kingi.example' });
  const answer = await as(seller).postForm('/listing/create', form, files);
  expect(answer.status).toBe(201);
  const { listing } = answer.body;
  expect(listing).toMatchObject({
    status: 'active',
    plan: { planType: 'premium' },
    location: 'Taupō, Waikato, New Zealand',
    website: 'https://kingi.example',
    services: ['Leaks', 'Hot water'],
    mainCategory: 'trade',
    serviceCategory: 'Plumbing',
  });
  expect(listing.pictures).toHaveLength(2);
  for (const address of [listing.serviceImages[0], listing.logo, listing.pictures[0].avifSrcSet.split(' ')[0]]) {
    const file = await app.inject(address);
    expect([address, file.statusCode, file.headers['content-type']]).toEqual([address, 200, expect.stringMatching(/^image\/(webp|avif)/)]);
  }
  const found = await asVisitor.get(`/listing/all?listingNumber=${listing.listingNumber}`);
  expect(ids(found)).toEqual([answer.body._id]);
  const subjects = (await mails()).filter((mail) => mail.to === seller.email).map((mail) => mail.subject);
  expect(subjects).toEqual([expect.stringContaining('receipt INV-'), 'Your listing is live on Handwise']);
});

test('limits emails to an unconfirmed address, with fixed subjects and greetings', async () => {
  const seller = await given.user({ fullName: 'Win now at evil.example' });
  const paymentId = await given.payment(seller);
  await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId, serviceTitle: 'You have won at evil.example' }));
  const [receipt, live, ...others] = (await mails()).filter(({ to }) => to === seller.email);
  expect(others).toEqual([]);
  for (const mail of [receipt, live]) {
    expect(mail?.greeting).toBe('Kia ora');
    expect(`${mail?.subject} ${mail?.preview}`).not.toContain('evil.example');
  }
  expect(live?.limit).toEqual({ kind: 'listing.live', perHour: 3 });
  // Receipts are emailed with every payment.
  expect(receipt?.limit).toBeUndefined();
});

test('returns the same listing for a repeated or concurrent submission', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const form = given.listingForm('basic', { paymentId });
  const answers = await Promise.all(Array.from({ length: 20 }, async () => as(seller).postForm('/listing/create', form, await photos(1))));
  answers.push(await as(seller).postForm('/listing/create', form));
  expect(new Set(answers.map((answer) => `${answer.status} ${answer.body._id}`)).size).toBe(1);
  expect(answers[0]?.status).toBe(201);
  expect((await as(seller).get('/listing/mylistings')).body.totalListings).toBe(1);
});

test('rejects another user’s submission id without showing their listing', async () => {
  const { seller } = await given.published();
  const mine = await given.user();
  const form = given.listingForm('basic', { paymentId: await given.payment(seller) });
  await as(seller).postForm('/listing/create', form);
  const answer = await as(mine).postForm('/listing/create', { ...form, paymentId: await given.payment(mine) });
  expect(answer.status).toBe(409);
  expect(answer.body).toMatchObject({ code: 'submission_taken', errors: [] });
  expect((await as(mine).get('/listing/mylistings')).body.totalListings).toBe(0);
});

test('publishes one listing per payment; further ones use the subscription’s slots', async () => {
  const { seller, paymentId } = await given.published('premium');
  const again = await as(seller).postForm('/listing/create', given.listingForm('premium', { paymentId }));
  expect([again.status, again.body.code]).toEqual([409, 'payment_used']);
  const covered = await as(seller).postForm('/listing/create', given.listingForm('premium', { isUsingExistingSubscription: 'true' }));
  expect(covered.status).toBe(201);
  expect((await as(seller).get('/plan-user/my-subscriptions')).body.data.subscriptions[0]).toMatchObject({ slots: 5, slotsUsed: 2 });
});

test.each([
  ['nothing was paid', {}, 402, 'payment_required'],
  ['the subscription is claimed and not there', { isUsingExistingSubscription: 'true' }, 409, 'no_free_slot'],
  ['a referral is claimed without a code', { hasValidReferral: 'true' }, 402, 'payment_required'],
  ['the payment is nobody’s', { paymentId: 'pi_unknown' }, 404, 'payment_not_found'],
])('publishes nothing when %s', async (_, overrides, status, code) => {
  const seller = await given.user();
  const answer = await as(seller).postForm('/listing/create', given.listingForm('basic', overrides), await photos(1));
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect((await as(seller).get('/listing/mylistings')).body.totalListings).toBe(0);
});

test('publishes nothing with a payment for another plan, country or user', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'basic', 'NZ');
  const attempts = [
    as(seller).postForm('/listing/create', given.listingForm('featured', { paymentId })),
    as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId, location: 'Perth, Western Australia, Australia' })),
    as(await given.user()).postForm('/listing/create', given.listingForm('basic', { paymentId })),
  ];
  expect((await Promise.all(attempts)).map((answer) => answer.body.code)).toEqual([
    'payment_mismatch',
    'payment_mismatch',
    'payment_not_found',
  ]);
  expect((await as(seller).get('/listing/mylistings')).body.totalListings).toBe(0);
  const right = await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId }));
  expect(right.status).toBe(201);
});

// Valid in both countries.
test.each([
  ['NZ', 'Taupō, Waikato, New Zealand', '+64 27 876 5432'],
  ['AU', 'Perth, Western Australia, Australia', '+61 2 7876 5432'],
] as const)('reads a phone number as one of the listing’s country: %s', async (country, location, expected) => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'basic', country);
  const form = given.listingForm('basic', { paymentId, location, businessPhone: '02 7876 5432' });
  const { body } = await as(seller).postForm('/listing/create', form);
  expect((await as(seller).get(`/listing/${body._id}`)).body.businessPhone).toBe(expected);
});

test.each([
  ['Perth, Western Australia, Australia', '9123 4567', { status: 201, businessPhone: '+61 8 9123 4567' }],
  ['Sydney, New South Wales, Australia', '0412\u2011345\u200b678', { status: 201, businessPhone: '+61 412 345 678' }],
  [
    'Perth, Western Australia, Australia',
    '3123 4567',
    { status: 400, errors: [{ field: 'businessPhone', message: 'Add the area code, such as 08' }] },
  ],
] as const)('completes a local number in %s or asks for its area code: %s', async (location, businessPhone, expected) => {
  const seller = await given.user();
  const paymentId = await given.payment(seller, 'basic', 'AU');
  const { status, body } = await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId, location, businessPhone }));
  const shown =
    status === 201 ? { businessPhone: (await as(seller).get(`/listing/${body._id}`)).body.businessPhone } : { errors: body.errors };
  expect({ status, ...shown }).toEqual(expected);
});

test('an edit keeps, changes and removes the phone number', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const { body } = await as(seller).postForm('/listing/create', given.listingForm('basic', { paymentId, businessPhone: '0800 123 456' }));
  const phone = async () => (await as(seller).get(`/listing/${body._id}`)).body.businessPhone;
  expect(await phone()).toBe('+64 800 123 456');
  const edit = (changes: Record<string, string>) => as(seller).putForm(`/listing/${body._id}`, given.listingForm('basic', changes));
  await edit({});
  expect(await phone()).toBe('+64 800 123 456');
  expect(await edit({ businessPhone: '12' })).toMatchObject({ status: 400 });
  await edit({ businessPhone: '021 345 678' });
  expect(await phone()).toBe('+64 21 345 678');
  await edit({ businessPhone: '' });
  expect(await phone()).toBe('');
});

test.each([
  ['serviceTitle', '', 'Listing title is required'],
  ['servicePlan', '', 'Plan selection is required'],
  ['businessTitle', ' ', 'Business name is required'],
  ['businessEmailAddress', 'office', 'Invalid email address'],
  ['businessInfo', 'Too short', 'Description should be at least 50 characters'],
  ['serviceDescription', 'Too short', 'Description must be at least 20 characters'],
  ['serviceCategory', 'Astrology', 'There is no such category'],
  ['location', 'Taupō, Otago, New Zealand', 'Choose a district or city, a region and a country that belong together'],
  ['services', '', 'At least one service is required'],
  ['website', 'javascript:alert(1)', 'Invalid URL format'],
  ['website', 'https://', 'Invalid URL format'],
  ['businessPhone', '+1 212 555 0100', 'Phone number must be exactly 10 digits'],
  ['businessPhone', '345 6789', 'Add the area code, such as 09'],
  ['defaultLogoColor', 'red', 'Choose one of the ten colours'],
])('rejects %s “%s” with its reason and stores nothing', async (field, value, message) => {
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const { 'services[]': services, ...rest } = given.listingForm('basic', { paymentId });
  const form = field === 'services' ? { ...rest, services: '' } : { ...rest, services, [field]: value };
  const answer = await as(seller).postForm('/listing/create', form, await photos(1));
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toContainEqual({ field, message });
  expect((await as(seller).get('/listing/mylistings')).body.totalListings).toBe(0);
  expect(await db.selectFrom('payments').select('status').where('user_id', '=', seller._id).execute()).toEqual([{ status: 'open' }]);
  expect(await db.selectFrom('files').select('key').where('state', '<>', 'attached').execute()).toEqual([]);
});

test('ignores roles, states and dates from the client', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const forged = {
    paymentId,
    status: 'inactive',
    role: 'admin',
    subscriptionEndDate: '2099-01-01',
    planRank: '9',
    sellerId: 'x',
  };
  const { body } = await as(seller).postForm('/listing/create', given.listingForm('basic', forged));
  expect(body.listing).toMatchObject({ status: 'active', sellerId: seller._id, plan: { planType: 'basic' } });
  expect(new Date(body.listing.subscriptionEndDate).getFullYear()).toBeLessThan(2099);
  const { role } = await db.selectFrom('users').select('role').where('id', '=', seller._id).executeTakeFirstOrThrow();
  expect(role).toBe('user');
});

test('applies the photo limit of the covering plan', async () => {
  const seller = await given.user();
  await callers.confirm(seller, await given.payment(seller, 'premium'));
  const publish = async (count: number) => as(seller).postForm('/listing/create', given.listingForm('basic'), await photos(count));
  const refused = await publish(11);
  expect([refused.status, refused.body.errors[0].message]).toEqual([400, 'Your plan has up to 10 photos; you chose 11.']);
  const { status, body } = await publish(6);
  expect([status, body.listing.plan.planType, body.listing.pictures.length]).toEqual([201, 'premium', 6]);
});

test('enforces the photo limit and leaves no files', async () => {
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const form = given.listingForm('basic', { paymentId });
  const answer = await as(seller).postForm('/listing/create', form, await photos(6));
  expect(answer.status).toBe(400);
  expect(answer.body.errors[0].message).toBe('Your plan has up to 5 photos; you chose 6.');
  const broken = [...(await photos(2)), { field: 'serviceImages', name: 'virus.jpg', bytes: Buffer.from('<svg onload="alert(1)"/>') }];
  const refused = await as(seller).postForm('/listing/create', form, broken);
  expect([refused.status, refused.body.errors[0].field]).toEqual([400, 'serviceImages[2]']);
  const left = await db.selectFrom('files').select('key').where('state', '<>', 'attached').execute();
  expect(left).toEqual([]);
  const right = await as(seller).postForm('/listing/create', form, await photos(5));
  expect(right.body.listing.pictures).toHaveLength(5);
});

test('rejects visitors and listings of another country', async () => {
  expect((await asVisitor.postForm('/listing/create', given.listingForm())).status).toBe(401);
  const seller = await given.user();
  const paymentId = await given.payment(seller);
  const form = given.listingForm('basic', { paymentId });
  const abroad = await onHost('au.localhost', seller).postForm('/listing/create', form);
  expect(abroad.body.errors[0]).toEqual({ field: 'location', message: 'This site shows Australia only' });
  expect((await as(seller).get('/listing/mylistings')).body.totalListings).toBe(0);
});
