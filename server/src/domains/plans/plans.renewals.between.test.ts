import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { isCardExpired } from './plans.renewals.ts';

// What happens between the notice, the charge and the end of a plan.

const app = await testApp({}, null, { proxied: true });
const { db, given } = app;
const { as } = app.callers;
const { runJobs } = app.outbox;
const { clock } = app.parts;
const { announce, announceTo, charge, expectBalancedBooks, following, money, newSubjects, seller, switchOn, wait } = renewalFixtures(app);

afterEach(() => clock.set(new Date()));

test.each([
  [{ exp_month: 3, exp_year: 2027 }, '2027-03-31T12:00:00Z', false],
  [{ exp_month: 3, exp_year: 2027 }, '2027-04-01T12:00:00Z', true],
  [{ exp_month: 12, exp_year: 2027 }, '2027-12-31T12:00:00Z', false],
  [{ exp_month: 12, exp_year: 2027 }, '2028-01-01T12:00:00Z', true],
])('a card counts to the end of its last month: %j at %s', (card, at, isExpired) =>
  expect(isCardExpired(card, new Date(at))).toBe(isExpired),
);

test('says at the time of the notice that the card expires before the charge', async () => {
  const one = await seller();
  const from = new Date(one.endsAt.getTime() + 20 * dayMs);
  const nextMonth = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1, 1));
  // Charged on the 2nd, announced three days before that.
  const endsAt = new Date(nextMonth.getTime() + 4 * dayMs);
  await sql`with ended as (update subscriptions set ends_at = ${endsAt} where id = ${one.id} returning id)
    update listings set subscription_ends_at = ${endsAt} from ended where subscription_id = ended.id`.execute(db);
  const expiry = new Date(nextMonth.getTime() - dayMs);
  await sql`update cards set exp_month = ${expiry.getUTCMonth() + 1}, exp_year = ${expiry.getUTCFullYear()} where id = ${one.cardId}`.execute(
    db,
  );
  await switchOn(one);
  wait({ endsAt }, 6);
  expect(await newSubjects(one.user, announce)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
  const renewals = await db.selectFrom('renewals').select(['status', 'problem']).where('subscription_id', '=', one.id).execute();
  expect(renewals).toEqual([
    { status: 'failed', problem: 'The card you chose has expired. Nothing was charged. A new card is needed to renew.' },
  ]);
});

async function refund(paymentId: string | null) {
  const admin = await given.administrator();
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  const refunded = await as(admin).post(`/admin/payment/${paymentId}/refund`, { reason: 'As agreed.', requestId: randomUUID() });
  expect(refunded.status).toBe(201);
  await runJobs();
}

test('a refund of the renewal ends the listings once the period that was paid before is over', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('renews_id', '=', one.id).executeTakeFirstOrThrow();
  wait(one, 0);
  expect(await newSubjects(one.user, () => refund(paymentId))).toContain(
    'Your Premium plan on Handwise has ended and its payment is being refunded',
  );
  const listings = await db.selectFrom('listings').select('status').where('seller_id', '=', one.user._id).execute();
  expect(listings).toEqual([{ status: 'expired' }]);
  await expectBalancedBooks();
});

test('a refund of a plan that was renewed also ends the renewal of the period after it', async () => {
  const one = await seller({ paid: true });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  const next = await following(one);
  expect(next.renewal).toMatchObject({ state: 'on' });
  const { payment_id: paymentId } = await db
    .selectFrom('subscriptions')
    .select('payment_id')
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  await refund(paymentId);
  expect(await following(one)).toMatchObject({ isReturned: false, renewal: null });
  const endsAt = new Date(next.endDate);
  await announceTo({ endsAt });
  wait({ endsAt }, 3);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500, 2500], back: 2500 });
  await expectBalancedBooks();
});

test('takes nothing off the price of another plan for a free period before the renewal', async () => {
  const one = await seller();
  await sql`update subscriptions set source = 'free_first_month' where id = ${one.id}`.execute(db);
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  wait(one, 2.5);
  const { id: listingId } = await db.selectFrom('listings').select('id').where('seller_id', '=', one.user._id).executeTakeFirstOrThrow();
  const { body } = await as(one.user).get(`/plan-user/quote?planId=${given.planId('featured')}&listingId=${listingId}`);
  expect(body).toMatchObject({ amount: 1000, reason: 'Featured $35.00 less $25.00 for 30 unused days of Premium.' });
});
