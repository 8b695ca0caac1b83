import { afterEach, expect, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { tellOfLicences } from './selling.licences.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, asVisitor } = callers;
const { clock, context } = parts;
afterEach(async () => {
  clock.set(new Date());
  await db.updateTable('listings').set({ status: 'inactive' }).where('status', '=', 'active').execute();
  await db.deleteFrom('licence_notices').execute();
});

/** A listing from before licences were asked for. */
async function fromBefore(options: object = {}) {
  const seller = await given.user();
  const { id } = await given.listing({ sellerId: seller._id, ...options });
  await db.updateTable('listings').set({ licence_exemption: null }).where('id', '=', id).execute();
  // Its plan does not end meanwhile.
  const ends = new Date(clock.now().getTime() + 365 * dayMs);
  await db.updateTable('subscriptions').set({ ends_at: ends }).where('user_id', '=', seller._id).execute();
  await db.updateTable('listings').set({ subscription_ends_at: ends }).where('id', '=', id).execute();
  return { seller, id };
}
const subjects = async ({ email }: { email: string }) =>
  (await outbox.mails()).filter(({ to, subject }) => to === email && /licence/.test(subject)).map(({ subject }) => subject);
const statusOf = async (id: string) =>
  (await db.selectFrom('listings').select('status').where('id', '=', id).executeTakeFirstOrThrow()).status;
async function after(days: number, start: Date) {
  clock.set(new Date(start.getTime() + days * dayMs + 60_000));
  await tellOfLicences(context);
}

test('a listing from before has 30 days: its seller is told, reminded a week before, and told when it is paused, once each', async () => {
  const { seller, id } = await fromBefore();
  const start = clock.now();
  await tellOfLicences(context);
  await tellOfLicences(context);
  expect(await subjects(seller)).toEqual([expect.stringMatching(/^Name your licence on .+ by \w+ \d+, \d{4}$/)]);
  await after(22, start);
  expect(await subjects(seller)).toHaveLength(1);
  await after(23, start);
  await after(24, start);
  expect(await subjects(seller)).toEqual([expect.anything(), expect.stringMatching(/^A week left/)]);
  await after(29, start);
  expect(await statusOf(id)).toBe('active');
  await after(30, start);
  await after(31, start);
  expect(await statusOf(id)).toBe('inactive');
  expect((await asVisitor.get(`/listing/${id}`)).status).not.toBe(200);
  expect(await subjects(seller)).toEqual([
    expect.anything(),
    expect.anything(),
    expect.stringMatching(/^Paused until you name your licence/),
  ]);
});

test('an answer ends the notice, and a later lack has its own 30 days', async () => {
  const { seller, id } = await fromBefore();
  const start = clock.now();
  await tellOfLicences(context);
  await db.updateTable('listings').set({ licence_exemption: 'Only drains' }).where('id', '=', id).execute();
  await after(40, start);
  expect([await statusOf(id), (await subjects(seller)).length]).toEqual(['active', 1]);
  await db.updateTable('listings').set({ licence_exemption: null }).where('id', '=', id).execute();
  await after(41, start);
  expect([await statusOf(id), (await subjects(seller)).length]).toEqual(['active', 2]);
  await after(70, start);
  expect(await statusOf(id)).toBe('active');
  await after(72, start);
  expect(await statusOf(id)).toBe('inactive');
});

test('a licence without its class is asked for the class; complete ones and work without a licence are left alone', async () => {
  const half = await fromBefore();
  const licence = { licence_register: 'pgdb', licence_number: '1', licence_name: 'Mere Kingi' };
  await db.updateTable('listings').set(licence).where('id', '=', half.id).execute();
  const whole = await fromBefore();
  await db
    .updateTable('listings')
    .set({ ...licence, licence_class: 'Plumber' })
    .where('id', '=', whole.id)
    .execute();
  const cleaner = await fromBefore({ category: 1, subCategory: 101 });
  const paused = await fromBefore({ status: 'inactive' });
  await tellOfLicences(context);
  expect([
    await subjects(half.seller),
    await subjects(whole.seller),
    await subjects(cleaner.seller),
    await subjects(paused.seller),
  ]).toMatchObject([{ length: 1 }, { length: 0 }, { length: 0 }, { length: 0 }]);
});

/** A builder in Sydney who said to stay below the limit, and an administrator's correction of the law about that work. */
async function belowLimit() {
  const builder = await fromBefore({ category: 4, subCategory: 402, district: 1701 });
  await db.updateTable('listings').set({ licence_below_limit: true, licence_limit_minor: 500_000 }).where('id', '=', builder.id).execute();
  const correct = (change: { required: 'yes' | 'above-threshold' | 'unsure'; threshold_minor: number | null }) =>
    db
      .updateTable('licence_requirements')
      .set({ ...change, confirmed: true })
      .where('country', '=', 'AU')
      .where('region_code', '=', 17)
      .where('sub_category_code', '=', 402)
      .execute();
  return { ...builder, correct };
}

test.each([
  ['a plain yes', { required: 'yes', threshold_minor: null }, /Name yours, or say which exemption applies, by/],
  ['a lower limit', { required: 'above-threshold', threshold_minor: 100_000 }, /or that you only take work below the limit, by/],
] as const)('a listing that answered “below the limit” has 30 days when the law is corrected to %s', async (_, change, words) => {
  const { seller, id, correct } = await belowLimit();
  await correct({ required: 'above-threshold', threshold_minor: 500_000 });
  const start = clock.now();
  await tellOfLicences(context);
  expect(await subjects(seller)).toEqual([]);
  await correct(change);
  await tellOfLicences(context);
  expect(await subjects(seller)).toEqual([expect.stringMatching(/^Name your licence/)]);
  const mail = (await outbox.mails()).find(({ to }) => to === seller.email);
  expect(JSON.stringify(mail?.blocks)).toMatch(words);
  await after(29, start);
  expect(await statusOf(id)).toBe('active');
  await after(31, start);
  expect(await statusOf(id)).toBe('inactive');
});

const answerOf = (id: string) =>
  db
    .selectFrom('listings')
    .select(['licence_exemption', 'licence_below_limit', 'licence_limit_minor'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

/** The form of an edit with exactly these answers. */
function formWith(texts: Record<string, string>) {
  const {
    submissionId: _,
    servicePlan: __,
    ...form
  } = given.listingForm('basic', {
    location: 'Sydney, New South Wales, Australia',
    serviceCategory: 'Building & Construction',
    serviceSubCategory: 'Residential',
    businessPhone: '0412 345 678',
  });
  return { ...Object.fromEntries(Object.entries(form).filter(([name]) => !name.startsWith('licence'))), ...texts };
}
const blank = { licenceAnswer: '', licenceExemption: '', licenceRegister: '', licenceNumber: '', licenceName: '', licenceClass: '' };

test.each([
  ['has no field of the licence', {}],
  ['has them all empty', blank],
  ['names an exemption without its words', { ...blank, licenceAnswer: 'exempt' }],
])('an edit that %s leaves limit and notice as they were', async (_, texts) => {
  const { seller, id, correct } = await belowLimit();
  const start = clock.now();
  await correct({ required: 'above-threshold', threshold_minor: 100_000 });
  await tellOfLicences(context);
  expect(await as(seller).putForm(`/listing/${id}`, formWith(texts))).toMatchObject({ status: 200 });
  expect(await answerOf(id)).toEqual({ licence_exemption: null, licence_below_limit: true, licence_limit_minor: 500_000 });
  await after(31, start);
  expect(await statusOf(id)).toBe('inactive');
});

test('an edit that says it stays below the limit accepts that of today, and ends the notice', async () => {
  const { seller, id, correct } = await belowLimit();
  const start = clock.now();
  await correct({ required: 'above-threshold', threshold_minor: 100_000 });
  await tellOfLicences(context);
  const form = formWith({ ...blank, licenceAnswer: 'below-limit' });
  expect(await as(seller).putForm(`/listing/${id}`, form)).toMatchObject({ status: 200 });
  expect(await answerOf(id)).toMatchObject({ licence_below_limit: true, licence_limit_minor: 100_000 });
  await after(31, start);
  expect(await statusOf(id)).toBe('active');
});

test('an edit while nobody is sure what the law asks leaves what was said about this work', async () => {
  const { seller, id, correct } = await belowLimit();
  await correct({ required: 'unsure', threshold_minor: null });
  expect(await as(seller).putForm(`/listing/${id}`, formWith({ ...blank, licenceAnswer: 'below-limit' }))).toMatchObject({ status: 200 });
  expect(await answerOf(id)).toEqual({ licence_exemption: null, licence_below_limit: true, licence_limit_minor: 500_000 });
  const exempt = { ...blank, licenceAnswer: 'exempt', licenceExemption: 'Only sheds' };
  expect(await as(seller).putForm(`/listing/${id}`, formWith(exempt))).toMatchObject({ status: 200 });
  expect(await as(seller).putForm(`/listing/${id}`, formWith({}))).toMatchObject({ status: 200 });
  expect(await answerOf(id)).toEqual({ licence_exemption: 'Only sheds', licence_below_limit: false, licence_limit_minor: null });
});

test('more listings within the limit than a batch has are left alone', async () => {
  const builders = await Promise.all([1, 2, 3].map(() => belowLimit()));
  await builders[0]?.correct({ required: 'above-threshold', threshold_minor: 500_000 });
  await tellOfLicences(context, 2);
  for (const { seller } of builders) expect(await subjects(seller)).toEqual([]);
});

test('several servers at once, and one that dies in between, tell each seller once', async () => {
  const sellers = await Promise.all([1, 2, 3, 4, 5].map(() => fromBefore()));
  const failing = {
    ...context,
    jobs: { ...context.jobs, sendAll: () => Promise.reject(new Error('killed')) },
  } as unknown as typeof context;
  await expect(tellOfLicences(failing)).rejects.toThrow('killed');
  await Promise.all([tellOfLicences(context, 2), tellOfLicences(context, 2), tellOfLicences(context, 2)]);
  for (const { seller } of sellers) expect(await subjects(seller)).toHaveLength(1);
});

test('its seller answers, and reactivates at no cost', async () => {
  const { seller, id } = await fromBefore();
  const start = clock.now();
  await tellOfLicences(context);
  await after(30, start);
  clock.set(start);
  const { submissionId: _, servicePlan: __, ...form } = given.listingForm('basic');
  expect((await as(seller).putForm(`/listing/${id}`, form)).status).toBe(200);
  expect(await as(seller).put(`/listing/${id}/reactivate`)).toMatchObject({ status: 200, body: { amount: 0 } });
  // Nothing is left of the first time: when the law asks again, its seller has 30 days again.
  await tellOfLicences(context);
  expect(await db.selectFrom('licence_notices').select('listing_id').where('listing_id', '=', id).execute()).toEqual([]);
});
