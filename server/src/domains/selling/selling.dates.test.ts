import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';

const { db, given, callers, outbox } = await testApp();
const { as } = callers;
const { mails } = outbox;

type User = Awaited<ReturnType<typeof given.user>>;

// 22:00 on the 15th in Perth: the 16th in Sydney.
const end = new Date('2032-01-15T14:00:00Z');
const perth = 2101;

async function sellerIn(district: number, status: 'active' | 'expired' = 'active') {
  const user = await given.user();
  const { id } = await given.listing({ sellerId: user._id, plan: 'premium', district, status });
  if (status === 'active') {
    await sql`update subscriptions set starts_at = ${end}::timestamptz - interval '30 days', ends_at = ${end} where user_id = ${user._id}`.execute(
      db,
    );
    await sql`update listings set subscription_ends_at = ${end} where id = ${id}`.execute(db);
  }
  return { user, id };
}
const change = async (user: User, id: string, how: 'plan' | 'reactivate') =>
  as(user).put(`/listing/${id}/${how}`, { planId: given.planId('featured'), paymentId: await given.card(user) });
const receiptOf = async (user: User) => (await as(user).get('/receipt/all')).body.data[0];

test('returns the listing’s time zone', async () => {
  for (const [district, timeZone] of [
    [perth, 'Australia/Perth'],
    [2001, 'Australia/Adelaide'],
    [2301, 'Australia/Darwin'],
    [1901, 'Australia/Brisbane'],
    [1410, 'Pacific/Auckland'],
  ] as const) {
    const { user, id } = await sellerIn(district);
    expect((await as(user).get(`/listing/${id}`)).body.timeZone).toBe(timeZone);
    expect((await as(user).get('/listing/mylistings')).body.listings[0].timeZone).toBe(timeZone);
  }
});

test('formats the price of a plan in the listing’s time zone', async () => {
  const { user, id } = await sellerIn(perth);
  const price = async () => (await as(user).get(`/plan-user/quote?planId=${given.planId('featured')}&listingId=${id}`)).body;
  expect(await price()).toMatchObject({ timeZone: 'Australia/Perth' });
  await as(user).put(`/listing/${id}/deactivate`);
  expect(await price()).toMatchObject({
    timeZone: 'Australia/Perth',
    reason: 'Your Premium plan runs until Jan 15, 2032 and covers this listing. Nothing to pay.',
  });
  const ended = await sellerIn(perth, 'expired');
  const answer = await as(ended.user).get(`/plan-user/quote?planId=${given.planId('basic')}&listingId=${ended.id}`);
  expect(answer.body).toMatchObject({ amount: 1500, timeZone: 'Australia/Perth' });
});

test('uses the time zone of a subscription’s first listing, else of the country’s largest city', async () => {
  const { user } = await sellerIn(perth);
  const form = given.listingForm('premium', { location: 'Sydney, New South Wales, Australia' });
  expect((await as(user).postForm('/listing/create', form)).status).toBe(201);
  const zones = async (of: User) =>
    (await as(of).get('/plan-user/my-subscriptions')).body.data.subscriptions.map((one: { timeZone: string }) => one.timeZone);
  expect(await zones(user)).toEqual(['Australia/Perth']);
  const other = await given.user();
  const confirmed = await as(other).post('/plan-user/confirm-payment', { paymentIntentId: await given.payment(other, 'basic', 'AU') });
  expect(confirmed.body.subscription.timeZone).toBe('Australia/Sydney');
  expect(await zones(other)).toEqual(['Australia/Sydney']);
});

test('uses the listing’s time zone on receipts for changes and reactivations', async () => {
  const changed = await sellerIn(perth);
  expect((await change(changed.user, changed.id, 'plan')).body.status).toBe('done');
  const reactivated = await sellerIn(perth, 'expired');
  expect((await change(reactivated.user, reactivated.id, 'reactivate')).body.status).toBe('done');
  for (const { user } of [changed, reactivated]) {
    expect(await receiptOf(user)).toMatchObject({ country: 'AU', timeZone: 'Australia/Perth' });
  }
});

test('uses the largest city’s time zone for receipts without one', async () => {
  const user = await given.user();
  await as(user).post('/plan-user/confirm-payment', { paymentIntentId: await given.payment(user, 'basic', 'AU') });
  await sql`update receipts set details = details - 'timeZone' where user_id = ${user._id}`.execute(db);
  expect(await receiptOf(user)).toMatchObject({ timeZone: 'Australia/Sydney' });
});

test('formats the new listing’s end in its own region', async () => {
  const { user } = await sellerIn(1701);
  for (const location of ['Perth, Western Australia, Australia', 'Sydney, New South Wales, Australia']) {
    expect((await as(user).postForm('/listing/create', given.listingForm('premium', { location }))).status).toBe(201);
  }
  const facts = (await mails())
    .filter((mail) => mail.to === user.email)
    .flatMap(({ blocks }) => blocks.flatMap((block) => (block.kind === 'facts' ? block.rows : [])));
  expect(facts.filter(({ label }) => label === 'Runs until').map(({ value }) => value)).toEqual(['Jan 15, 2032', 'Jan 16, 2032']);
});
