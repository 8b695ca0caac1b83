import { sql } from 'kysely';
import { afterEach, expect, test, vi } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { type Seller, cards, renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { planHooks } from '../../composition/hooks.ts';
import { createMailSources } from '../../composition/job-handlers.ts';
import { reconcilePayments, syncIntent } from '../payments/payments.service.ts';
import { expireListings, warnOfExpiry } from '../selling/selling.jobs.ts';
import { chargeRenewal, recordFailure } from './plans.renewals.ts';

const app = await testApp({}, null, { proxied: true });
const { db, given } = app;
const { as } = app.callers;
const { answerApp, aroundProvider, authenticateAtBank, provider, stripe } = app.sandbox;
const { mails, runJobs } = app.outbox;
const { clock, context, payments } = app.parts;
const {
  announce,
  announceTo,
  charge,
  expectBalancedBooks,
  find,
  following,
  listSubscriptions,
  money,
  newSubjects,
  seller,
  switchOff,
  switchOn,
  wait,
} = renewalFixtures(app);

afterEach(() => {
  aroundProvider();
  answerApp();
  clock.set(new Date());
});

test('emails the seller about a declined card, tries twice more, and then the plan ends', async () => {
  const one = await seller({ card: cards.declined });
  const { user } = one;
  await switchOn(one);
  const failed = 'The renewal of your Premium plan on Handwise was not charged';
  await announceTo(one);
  for (const [daysLeft, next] of [
    [3, 2],
    [2, 1],
    [1, null],
  ] as const) {
    wait(one, daysLeft);
    const mailed = await newSubjects(user, async () => {
      await charge();
      await charge();
      await announce();
      await warnOfExpiry(context);
    });
    expect(mailed).toEqual([failed]);
    const nextChargeAt = next && new Date(one.endsAt.getTime() - next * dayMs).toISOString();
    expect(await find(one)).toMatchObject({
      renewal: {
        state: 'failed',
        nextChargeAt,
        problem: 'Your card was declined. Nothing was charged. Your listing is kept. Try another card.',
      },
    });
  }
  const mail = (await mails()).findLast(({ to }) => to === user.email);
  expect(mail?.blocks).toContainEqual({ kind: 'button', label: 'Pay $25.00 NZD now', url: 'http://localhost:3000/mylistings/mylistings' });
  clock.set(new Date(one.endsAt.getTime() + 11 * 60_000));
  const ended = await newSubjects(user, async () => {
    await charge();
    await announce();
    await expireListings(context);
  });
  expect(ended).toEqual(['Your listing on Handwise has ended']);
  expect(await find(one)).toMatchObject({ renewal: null, isActive: false });
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  await expectBalancedBooks();
});

/** The last email to a seller, as text. */
const lastMail = async ({ user }: Seller) => JSON.stringify((await mails()).findLast(({ to }) => to === user.email));

const addCardUrl = 'http://localhost:3000/account/billing?redirect=/mylistings/mylistings';
const ownListingsUrl = 'http://localhost:3000/mylistings/mylistings';

/** That the last email offers a card, the payment and the way out. */
async function expectWaysOut({ user }: Seller, pay: string) {
  const mail = (await mails()).findLast(({ to }) => to === user.email);
  expect(mail?.blocks).toContainEqual({ kind: 'button', label: pay, url: ownListingsUrl });
  expect(mail?.blocks).toContainEqual({
    kind: 'links',
    rows: [
      { label: 'Add a card', url: addCardUrl, text: expect.any(String) },
      { label: 'Switch off renewal', url: ownListingsUrl, text: expect.any(String) },
    ],
  });
}

/** Every job, at each of the times when an attempt could be due. */
async function liveThrough(one: Seller, from: number) {
  for (const daysLeft of [6, 3, 2, 1, 0.5, 0].filter((days) => days <= from)) {
    wait(one, daysLeft);
    await announce();
    await charge();
    await warnOfExpiry(context);
  }
}

const declineFor = (error: { code: string; decline_code?: string; advice_code?: string }) =>
  answerApp(({ method, path }) =>
    method === 'POST' && path === '/v1/payment_intents'
      ? { status: 402, error: { type: 'card_error', message: 'Your card was declined.', ...error } }
      : undefined,
  );

test.each<{ name: string; error: Parameters<typeof declineFor>[0] }>([
  { name: 'a lost card', error: { code: 'card_declined', decline_code: 'lost_card' } },
  { name: 'a card that the bank lets expire', error: { code: 'expired_card' } },
  { name: 'advice not to try again', error: { code: 'card_declined', decline_code: 'generic_decline', advice_code: 'do_not_try_again' } },
])('retries nothing after a decline for good ($name), and sends one email that asks for a new card', async ({ error }) => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  declineFor(error);
  wait(one, 3);
  expect(await newSubjects(one.user, charge)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
  expect(await find(one)).toMatchObject({ renewal: { state: 'failed', nextChargeAt: null } });
  expect(await lastMail(one)).toMatch(/Nothing was charged\..* A new card is needed to renew\./);
  expect(await lastMail(one)).toContain('We don’t try again by ourselves');
  await expectWaysOut(one, 'Pay $25.00 NZD now');
  // A retry would now be paid.
  answerApp();
  expect(await newSubjects(one.user, () => liveThrough(one, 2))).toEqual([]);
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
});

test.each<{ name: string; error: Parameters<typeof declineFor>[0] }>([
  { name: 'no funds', error: { code: 'card_declined', decline_code: 'insufficient_funds' } },
  { name: 'a bank that is not available', error: { code: 'processing_error', advice_code: 'try_again_later' } },
])('tries again after a decline that may pass ($name)', async ({ error }) => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  declineFor(error);
  wait(one, 3);
  await charge();
  expect(await lastMail(one)).not.toContain('A new card is needed');
  await expectWaysOut(one, 'Pay $25.00 NZD now');
  answerApp();
  wait(one, 2);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

test('pays a failed renewal in one step with another card', async () => {
  const one = await seller({ card: cards.declined });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  // Declined again, this time in sight of the seller: no email.
  const again = await newSubjects(one.user, async () => {
    expect(await switchOn(one)).toMatchObject({ status: 402, body: { code: 'card_declined' } });
  });
  expect(again).toEqual([]);
  expect(await find(one)).toMatchObject({ renewal: { state: 'failed' } });
  const cardId = await given.card(one.user);
  expect(await switchOn(one, { cardId })).toMatchObject({
    status: 200,
    body: { status: 'done', amount: 2500, message: 'Your plan is renewed' },
  });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await following(one)).toMatchObject({ renewal: { cardId, state: 'on' } });
  wait(one, 2);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  await expectBalancedBooks();
});

test('lets the cardholder confirm a renewal that the bank asks about', async () => {
  const one = await seller({ card: cards.asks });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  expect(await newSubjects(one.user, charge)).toEqual(['Confirm the renewal of your Premium plan on Handwise']);
  expect(await find(one)).toMatchObject({ renewal: { state: 'needs_action' } });
  const { body } = await switchOn(one);
  expect(body).toMatchObject({ status: 'requires_action', message: 'Your bank asks you to confirm this payment.' });
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  // The job leaves the payment to its payer.
  await charge();
  await authenticateAtBank(body.clientSecret);
  expect(await as(one.user).post('/plan-user/confirm-payment', { paymentIntentId: body.paymentIntentId })).toMatchObject({
    body: { refunded: false },
  });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await find(one)).toMatchObject({ isRenewed: true });
  await expectBalancedBooks();
});

test('offers a bank’s check that its cardholder left again on the page, and an hour later by email', async () => {
  const one = await seller({ card: cards.asks });
  wait(one, 0.9);
  expect(await newSubjects(one.user, () => switchOn(one))).toEqual(['Renewal switched on: your Premium plan on Handwise']);
  const inAnHour = new Date(clock.now().getTime() + 3_600_000);
  const problem = 'Your bank wants you to confirm this payment. Nothing was charged yet.';
  const { renewal } = await find(one);
  expect(renewal).toMatchObject({ state: 'needs_action', problem });
  expect(Math.abs(Date.parse(renewal.nextChargeAt) - inAnHour.getTime())).toBeLessThan(60_000);
  expect(await newSubjects(one.user, charge)).toEqual([]);
  expect((await switchOn(one)).body).toMatchObject({ status: 'requires_action' });
  clock.set(new Date(clock.now().getTime() + 3_700_000));
  expect(await newSubjects(one.user, charge)).toEqual(['Confirm the renewal of your Premium plan on Handwise']);
  const { body } = await switchOn(one);
  await authenticateAtBank(body.clientSecret);
  await as(one.user).post('/plan-user/confirm-payment', { paymentIntentId: body.paymentIntentId });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await find(one)).toMatchObject({ isRenewed: true });
  await expectBalancedBooks();
});

test('waits for a bank that is still deciding', async () => {
  const one = await seller({ card: cards.processes });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  wait(one, 2.9);
  await charge();
  const inTenMinutes = clock.now().getTime() + 10 * 60_000;
  const waiting = await find(one);
  expect(waiting).toMatchObject({ renewal: { state: 'on' }, isRenewed: false });
  expect(Math.abs(Date.parse(waiting.renewal.nextChargeAt) - inTenMinutes)).toBeLessThan(60_000);
  stripe.control.settle();
  await reconcilePayments(payments, true);
  expect(await find(one)).toMatchObject({ isRenewed: true });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  await expectBalancedBooks();
});

test('records no problem while a bank is still deciding', async () => {
  const one = await seller({ card: cards.processes });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  await sql`update subscriptions set disputed_at = now() where id = ${one.id}`.execute(db);
  wait(one, 2.9);
  await charge();
  expect(await find(one)).toMatchObject({ renewal: { state: 'on', problem: null }, isRenewed: false });
  stripe.control.settle();
  await reconcilePayments(payments, true);
  expect(await find(one)).toMatchObject({ isRenewed: true });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

const deleteListings = ({ id }: Seller) => sql`delete from listings where subscription_id = ${id}`.execute(db);

const problems: { name: string; prepare: (one: Seller) => Promise<unknown>; problem: RegExp }[] = [
  {
    name: 'a removed card',
    prepare: ({ user, cardId }) => as(user).delete(`/credit/${cardId}`),
    problem: /^The card you chose is no longer saved\./,
  },
  {
    name: 'an expired card',
    prepare: ({ cardId }) => sql`update cards set exp_year = 2020 where id = ${cardId}`.execute(db),
    problem: /^The card you chose has expired\./,
  },
  {
    name: 'a higher price',
    prepare: ({ id }) => sql`update renewals set amount_minor = 2000 where subscription_id = ${id}`.execute(db),
    problem: /^The Premium plan now costs \$25\.00 NZD, and you agreed to \$20\.00 NZD\./,
  },
  {
    name: 'hidden listings',
    prepare: ({ id }) => sql`update listings set hidden_from = status, status = 'hidden' where subscription_id = ${id}`.execute(db),
    problem: /^Moderators have hidden the listings under this plan\./,
  },
  {
    name: 'a plan without listings',
    prepare: (one) => deleteListings(one),
    problem: /^No listing is left under this plan\./,
  },
  {
    name: 'a disputed payment',
    prepare: ({ id }) => sql`update subscriptions set disputed_at = now() where id = ${id}`.execute(db),
    problem: /^Your bank is looking at the last payment for this plan\./,
  },
];

test.each<{ name: string; prepare: (one: Seller) => Promise<unknown>; reason: string }>([
  { name: 'it was switched off', prepare: switchOff, reason: 'The renewal of the plan is switched off.' },
  {
    name: 'the plan ended without a listing',
    prepare: async (one) => {
      await deleteListings(one);
      wait(one, 0);
    },
    reason: 'The plan has ended, and no listing is left under it.',
  },
])('refunds a renewal that the bank approved after $name', async ({ prepare, reason }) => {
  const one = await seller({ card: cards.processes });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  await prepare(one);
  stripe.control.settle();
  await reconcilePayments(payments, true);
  await runJobs();
  const { taken, back } = await money(one.user);
  expect([taken, back]).toEqual([[2500], 2500]);
  expect(await listSubscriptions(one.user)).toHaveLength(1);
  expect(JSON.stringify((await mails()).filter(({ to }) => to === one.user.email))).toContain(reason);
  await expectBalancedBooks();
});

test('renews a running plan whose listings were deleted while the bank decided', async () => {
  const one = await seller({ card: cards.processes });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  await deleteListings(one);
  stripe.control.settle();
  await reconcilePayments(payments, true);
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await following(one)).toMatchObject({ slotsUsed: 0, startDate: one.endsAt.toISOString() });
});

const isFinal = ({ name }: { name: string }) => ['a removed card', 'an expired card', 'a higher price'].includes(name);

test.each(problems.filter(isFinal))('charges and retries nothing after $name, and says so once', async ({ prepare, problem }) => {
  const one = await seller();
  await switchOn(one);
  await prepare(one);
  wait(one, 6);
  expect(await newSubjects(one.user, announce)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
  expect(await find(one)).toMatchObject({ renewal: { state: 'failed', nextChargeAt: null, problem: expect.stringMatching(problem) } });
  const mail = await lastMail(one);
  expect(mail).not.toContain('We try again');
  expect(mail).toContain('We don’t try again by ourselves');
  await expectWaysOut(one, 'Renew for $25.00 NZD');
  expect(await newSubjects(one.user, () => liveThrough(one, 6))).toEqual([]);
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  await expectBalancedBooks();
});

test('says at the charge that the card has expired since the notice, and tries no further', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  await sql`update cards set exp_year = 2020 where id = ${one.cardId}`.execute(db);
  wait(one, 3);
  expect(await newSubjects(one.user, charge)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
  expect(await lastMail(one)).toContain('The card you chose has expired. Nothing was charged. A new card is needed to renew.');
  await expectWaysOut(one, 'Pay $25.00 NZD now');
  expect(await newSubjects(one.user, () => liveThrough(one, 2))).toEqual([]);
  const cardId = await given.card(one.user);
  wait(one, 0.5);
  expect(await switchOn(one, { cardId })).toMatchObject({ status: 200, body: { message: 'Your plan is renewed' } });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

test('every email after a rise of the price names the new price, and none the old one as what is paid', async () => {
  const [before, after] = [await seller(), await seller()];
  for (const one of [before, after]) await switchOn(one);
  const rise = ({ id }: Seller) => sql`update renewals set amount_minor = 2000 where subscription_id = ${id}`.execute(db);
  await rise(before);
  wait(before, 6);
  await announce();
  const mail = (await mails()).findLast(({ to }) => to === before.user.email);
  expect(mail?.blocks).toContainEqual(
    expect.objectContaining({ rows: expect.arrayContaining([{ label: 'Amount', value: '$25.00 NZD, GST included' }]) }),
  );
  // A notice that waits for the mail server while the price rises.
  await sql`update renewals set noticed_at = null, amount_minor = 2000 where subscription_id = ${after.id}`.execute(db);
  const waiting = JSON.stringify(await createMailSources(context).renewal.compose(after.id));
  expect(waiting).toMatch(/now costs \$25\.00 NZD, and you agreed to \$20\.00 NZD.*Renew for \$25\.00 NZD/);
  expect(waiting).not.toContain('We try again');
  clock.set(new Date(before.endsAt.getTime() + dayMs));
  await rise(after);
  const ended = await newSubjects(after.user, announce);
  expect(ended).toEqual(['Your Premium plan on Handwise has ended and was not renewed']);
  expect(await lastMail(after)).toContain('Renew for $25.00 NZD');
});

test.each([
  { name: 'on', card: cards.pays, daysLeft: 3.1 },
  { name: 'failed', card: cards.declined, daysLeft: 3 },
  { name: 'needs_action', card: cards.asks, daysLeft: 3 },
])(
  'one call switches a renewal off that is $name, also while its plan is disputed, and an email confirms it',
  async ({ name, card, daysLeft }) => {
    const one = await seller({ card });
    await switchOn(one);
    await announceTo(one);
    wait(one, daysLeft);
    await charge();
    expect(await find(one)).toMatchObject({ renewal: { state: name } });
    await sql`update subscriptions set disputed_at = now() where id = ${one.id}`.execute(db);
    const mailed = await newSubjects(one.user, async () => expect((await switchOff(one)).status).toBe(200));
    expect(mailed).toEqual(['Renewal switched off: your Premium plan on Handwise']);
    expect(await find(one)).toMatchObject({ renewal: null });
    await liveThrough(one, 2);
    expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  },
);

test.each(problems.filter((one) => !isFinal(one)))(
  'charges nothing and emails the seller about $name, before and at the charge',
  async ({ prepare, problem }) => {
    const one = await seller();
    await switchOn(one);
    await prepare(one);
    const failed = ['The renewal of your Premium plan on Handwise was not charged'];
    wait(one, 6);
    expect(await newSubjects(one.user, announce)).toEqual(failed);
    expect(await find(one)).toMatchObject({ renewal: { state: 'failed', problem: expect.stringMatching(problem) } });
    wait(one, 3);
    expect(await newSubjects(one.user, charge)).toEqual(failed);
    expect(await money(one.user)).toEqual({ taken: [], back: 0 });
    await expectBalancedBooks();
  },
);

test('emails the seller about a removed card within minutes', async () => {
  const one = await seller();
  await switchOn(one);
  await as(one.user).delete(`/credit/${one.cardId}`);
  expect(await newSubjects(one.user, announce)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
  expect(await newSubjects(one.user, announce)).toEqual([]);
  const cardId = await given.card(one.user);
  expect(await switchOn(one, { cardId })).toMatchObject({ status: 200, body: { subscription: { renewal: { state: 'on', cardId } } } });
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
});

test('does not record a failure of a card or charge that has been replaced meanwhile', async () => {
  const one = await seller();
  await switchOn(one);
  const seen = await db.selectFrom('renewals').selectAll().where('subscription_id', '=', one.id).executeTakeFirstOrThrow();
  const record = () => recordFailure({ context, hooks: planHooks }, seen, { problem: 'Your bank refused this card.' });
  await sql`update renewals set charge_at = charge_at + interval '1 hour' where subscription_id = ${one.id}`.execute(db);
  expect(await newSubjects(one.user, record)).toEqual([]);
  await sql`update renewals set charge_at = ${seen.charge_at} where subscription_id = ${one.id}`.execute(db);
  const cardId = await given.card(one.user);
  await switchOn(one, { cardId });
  expect(await newSubjects(one.user, record)).toEqual([]);
  expect(await find(one)).toMatchObject({ renewal: { state: 'on', cardId, problem: null } });
  await switchOn(one);
  expect(await newSubjects(one.user, record)).toEqual(['The renewal of your Premium plan on Handwise was not charged']);
});

test('an attempt that began before a change charges nothing', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  const seen = await db.selectFrom('renewals').selectAll().where('subscription_id', '=', one.id).executeTakeFirstOrThrow();
  const attempt = () => chargeRenewal({ context, payments, hooks: planHooks }, seen, null);
  const otherCard = await given.card(one.user);
  for (const change of [
    sql`card_id = ${otherCard}`,
    sql`amount_minor = 2400`,
    sql`charge_at = charge_at + interval '1 day'`,
    sql`charge_at = null, status = 'failed', problem = 'Your bank refused this card.'`,
  ]) {
    await sql`update renewals set ${change} where subscription_id = ${one.id}`.execute(db);
    expect(await attempt()).toEqual({ over: 'ended' });
    const { status, problem, card_id: cardId, amount_minor: amount, charge_at: chargeAt } = seen;
    await sql`update renewals set status = ${status}, problem = ${problem}, card_id = ${cardId}, amount_minor = ${amount}, charge_at = ${chargeAt}
      where subscription_id = ${one.id}`.execute(db);
  }
  await sql`update renewals set status = 'off', charge_at = null where subscription_id = ${one.id}`.execute(db);
  expect(await attempt()).toEqual({ over: 'ended' });
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  await switchOn(one);
  wait(one, 1.9);
  await charge();
  expect(await attempt()).toEqual({ over: 'renewed' });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

test('switched off while it is charged, the money goes back', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  let off: Promise<unknown> | undefined;
  aroundProvider(async ({ method, path }, phase) => {
    if (phase === 'before' && method === 'POST' && path === '/v1/payment_intents' && !off) {
      off = switchOff(one);
      await vi.waitUntil(async () => (await find(one)).renewal === null, { timeout: 90_000 });
    }
  });
  await charge();
  await off;
  aroundProvider();
  await reconcilePayments(payments, true);
  await runJobs();
  const { taken, back } = await money(one.user);
  expect(taken.reduce((sum, amount) => sum + amount, 0)).toBe(back);
  expect(await find(one)).toMatchObject({ isRenewed: false, renewal: null });
  expect(await listSubscriptions(one.user)).toHaveLength(1);
  await expectBalancedBooks();
});

test('a lost answer of the provider is one charge', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  stripe.faults.add({ does: 'lose-answer', method: 'POST', path: '/v1/payment_intents', times: 1 });
  await charge().catch(() => {});
  await charge();
  wait(one, 2.98);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await find(one)).toMatchObject({ isRenewed: true });
  await expectBalancedBooks();
});

test('with the provider down for a day, charges once when it is back', async () => {
  const [one, other] = [await seller(), await seller()];
  await switchOn(one);
  await switchOn(other);
  await announceTo(other);
  answerApp(() => ({ status: 503, error: { type: 'api_error', message: 'Service unavailable' } }));
  const mailed = await newSubjects(one.user, async () => {
    for (const daysLeft of [3, 2.9, 2.5, 2.1, 2]) {
      wait(one, daysLeft);
      await charge().catch(() => {});
      await reconcilePayments(payments).catch(() => {});
    }
  });
  expect(mailed).toEqual([]);
  expect(await find(one)).toMatchObject({ renewal: { state: 'on', problem: null } });
  answerApp();
  wait(one, 1.9);
  await charge();
  for (const { user } of [one, other]) expect(await money(user)).toEqual({ taken: [2500], back: 0 });
  expect(await find(one)).toMatchObject({ isRenewed: true });
  await expectBalancedBooks();
});

/** Five sellers whose renewals, and no others, are due. */
async function fiveDue() {
  const sellers = await times(5, () => seller());
  for (const one of sellers) await switchOn(one);
  await sql`update renewals set charge_at = charge_at + interval '1 year'
    where charge_at is not null and subscription_id <> all(${sellers.map(({ id }) => id)}::uuid[])`.execute(db);
  const last = sellers.at(-1);
  if (!last) throw new Error('there are five');
  await announceTo(last);
  wait(last, 3);
  return sellers;
}

test('goes on to the last renewal when failures are not in a row', async () => {
  await fiveDue();
  const customers: string[] = [];
  answerApp(({ method, path, body }) => {
    if (method !== 'POST' || path !== '/v1/payment_intents') return undefined;
    const customer = String(body.get('customer'));
    if (!customers.includes(customer)) customers.push(customer);
    return customers.indexOf(customer) === 2
      ? undefined
      : { status: 401, error: { type: 'invalid_request_error', message: 'Invalid API key' } };
  });
  await expect(charge()).rejects.toThrow('4 renewals could not be charged');
});

test('refused by the provider, tries three renewals and leaves the others to the next run', async () => {
  const sellers = await fiveDue();
  answerApp(() => ({ status: 401, error: { type: 'invalid_request_error', message: 'Invalid API key' } }));
  await expect(charge()).rejects.toThrow('3 renewals could not be charged');
  answerApp();
  const countPaid = async () =>
    (await Promise.all(sellers.map(({ user }) => money(user)))).filter(({ taken }) => taken.length === 1).length;
  await charge();
  expect(await countPaid()).toBe(2);
  clock.set(new Date(clock.now().getTime() + 11 * 60_000));
  await charge();
  expect(await countPaid()).toBe(5);
  await expectBalancedBooks();
});

test('a second payment for the same renewal goes back', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  // As if a restored database had charged again.
  const { plan_id: planId } = await db.selectFrom('subscriptions').select('plan_id').where('id', '=', one.id).executeTakeFirstOrThrow();
  const { id: paymentId } = await db
    .insertInto('payments')
    .values({
      user_id: one.user._id,
      purpose: 'renewal',
      plan_id: planId,
      country: 'NZ',
      renews_id: one.id,
      amount_minor: 2500,
      currency: 'NZD',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { customer_id: customer } = await db
    .selectFrom('payment_customers')
    .select('customer_id')
    .where('user_id', '=', one.user._id)
    .executeTakeFirstOrThrow();
  const { id: intentId } = await provider.paymentIntents.create({
    amount: 2500,
    currency: 'nzd',
    customer,
    payment_method: 'pm_card_visa',
    confirm: true,
    return_url: 'http://localhost:3000/',
    metadata: { paymentId },
  });
  await syncIntent(payments, intentId);
  await runJobs();
  expect(await money(one.user)).toEqual({ taken: [2500, 2500], back: 2500 });
  expect(await listSubscriptions(one.user)).toHaveLength(2);
  expect(JSON.stringify((await mails()).filter(({ to }) => to === one.user.email))).toContain('The plan was already renewed.');
  await expectBalancedBooks();
});

test('the audit names a renewal that was paid and has no subscription after it', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  await sql`update subscriptions set follows_id = null where follows_id = ${one.id}`.execute(db);
  const { faults } = (await runAudits(db)).find(({ name }) => name === 'renewals') ?? { faults: [] };
  expect(faults.map(({ fault }) => fault).toSorted()).toEqual([
    expect.stringMatching(/^the payment renews subscription .* and the subscription that it bought follows none$/),
    'the renewal is renewed, and the subscription has none that follows it',
  ]);
  await sql`update subscriptions set follows_id = ${one.id} where user_id = ${one.user._id} and id <> ${one.id}`.execute(db);
});
