import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { type Seller, cards, renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { reconcilePayments } from '../payments/payments.service.ts';
import { getOwnPlanData } from './plans.service.ts';

const app = await testApp({}, null, { proxied: true });
const { db, given } = app;
const { answerApp, authenticateAtBank, provider, stripe } = app.sandbox;
const { clock, payments } = app.parts;
const { announceTo, charge, find, following, money, newSubjects, seller, switchOff, switchOn, wait } = renewalFixtures(app);

afterEach(() => {
  answerApp();
  clock.set(new Date());
});

const deleteListings = ({ id }: Seller) => sql`delete from listings where subscription_id = ${id}`.execute(db);

test('another card or a new price replaces the one that was agreed to', async () => {
  const one = await seller();
  await switchOn(one);
  await sql`update renewals set amount_minor = 2000 where subscription_id = ${one.id}`.execute(db);
  const cardId = await given.card(one.user);
  expect(await switchOn(one, { cardId, amount: 2500 })).toMatchObject({
    status: 200,
    body: { subscription: { renewal: { cardId, amount: 2500 } } },
  });
  await sql`update renewals set amount_minor = 2000 where subscription_id = ${one.id}`.execute(db);
  expect(await switchOn(one, { cardId, amount: 2500 })).toMatchObject({ body: { subscription: { renewal: { cardId, amount: 2500 } } } });
});

test('switched on again when its charge is due, leaves another day to change one’s mind', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 2.9);
  await switchOn(one);
  const { renewal } = await find(one);
  expect(Math.abs(Date.parse(renewal.nextChargeAt) - clock.now().getTime() - dayMs)).toBeLessThan(60_000);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
});

test('a plan without listings can be switched on, and is not charged', async () => {
  const one = await seller();
  await deleteListings(one);
  expect(await switchOn(one)).toMatchObject({ status: 200, body: { subscription: { slotsUsed: 0, renewal: { state: 'on' } } } });
  const late = await seller();
  await deleteListings(late);
  wait(late, 0.9);
  const message = 'No listing is left under this plan. Nothing was charged.';
  expect(await switchOn(late)).toMatchObject({ status: 402, body: { code: 'card_declined', message } });
  expect(await money(late.user)).toEqual({ taken: [], back: 0 });
});

test('a bank that is still deciding about a charge at once is waited for', async () => {
  const one = await seller({ card: cards.processes });
  wait(one, 0.9);
  expect((await switchOn(one)).body).toMatchObject({ status: 'processing', message: 'Your bank is still processing this payment.' });
  expect(await find(one)).toMatchObject({ renewal: { state: 'on', problem: null } });
  stripe.control.settle();
  await reconcilePayments(payments, true);
  expect(await following(one)).toMatchObject({ renewal: { state: 'on' } });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

/** A renewal whose payment waits for the cardholder. */
async function unconfirmed() {
  const one = await seller({ card: cards.asks });
  wait(one, 0.9);
  const { body } = await switchOn(one);
  expect(body).toMatchObject({ status: 'requires_action' });
  const { paymentIntentId, clientSecret } = body as { paymentIntentId: string; clientSecret: string };
  return { one, paymentIntentId, clientSecret };
}

test('a charge at once is left to its seller for an hour, then the job asks them to confirm it', async () => {
  const { one } = await unconfirmed();
  const begun = clock.now().getTime();
  const passed = async (minutes: number) => {
    clock.set(new Date(begun + minutes * 60_000));
    return newSubjects(one.user, charge);
  };
  expect(await passed(58)).toEqual([]);
  expect(await find(one)).toMatchObject({ renewal: { state: 'needs_action' } });
  expect(await passed(62)).toEqual(['Confirm the renewal of your Premium plan on Handwise']);
  expect(await passed(64)).toEqual([]);
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
});

test('switching off cancels a payment that waits for the cardholder', async () => {
  const { one, paymentIntentId } = await unconfirmed();
  expect((await switchOff(one)).status).toBe(200);
  expect(await provider.paymentIntents.retrieve(paymentIntentId)).toMatchObject({ status: 'canceled' });
});

test('switched off while the provider is down, the payment is cancelled later', async () => {
  const { one, paymentIntentId, clientSecret } = await unconfirmed();
  answerApp(() => ({ status: 503, error: { type: 'api_error', message: 'Service unavailable' } }));
  expect(await switchOff(one)).toMatchObject({ status: 200, body: { subscription: { renewal: null } } });
  answerApp();
  await authenticateAtBank(clientSecret);
  expect(await provider.paymentIntents.retrieve(paymentIntentId)).toMatchObject({ status: 'succeeded' });
  await reconcilePayments(payments, true);
  await app.outbox.runJobs();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 2500 });
  expect(await find(one)).toMatchObject({ isRenewed: false, renewal: null });
});

test('exports a user’s own subscriptions and renewals', async () => {
  const [one, other] = [await seller(), await seller()];
  await switchOn(one);
  await switchOn(other);
  const { lists } = getOwnPlanData(db, one.user._id);
  expect(await lists['subscriptions']?.()).toEqual([
    {
      id: one.id,
      planType: 'premium',
      country: 'NZ',
      source: 'grant',
      slots: 5,
      slotsUsed: 1,
      startDate: expect.any(Date),
      endDate: one.endsAt,
      paymentId: null,
    },
  ]);
  expect(await lists['renewals']?.()).toEqual([
    {
      subscriptionId: one.id,
      cardId: one.cardId,
      amountMinor: 2500,
      status: 'on',
      problem: null,
      agreedAt: expect.any(Date),
      nextChargeAt: new Date(one.endsAt.getTime() - 3 * dayMs),
    },
  ]);
});
