import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { dayMs, formatDate } from '@handwise/contract/dates';
import type { PlanType } from '@handwise/contract/plans/calls';
import { setSite } from '@handwise/contract/site/site';
import { testApp } from '@handwise/sandbox/testing/app';
import { type Seller, renewalFixtures } from '@handwise/sandbox/testing/renewals';
import { times } from '@handwise/sandbox/testing/times';
import { expireListings, warnOfExpiry } from '../selling/selling.jobs.ts';

const app = await testApp({}, null, { proxied: true });
const { db, given } = app;
const { as, asVisitor } = app.callers;
const { answerApp, aroundProvider } = app.sandbox;
const { mails, runJobs } = app.outbox;
const { clock, context } = app.parts;
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
  subjects,
  switchOff,
  switchOn,
  wait,
} = renewalFixtures(app);

afterEach(() => {
  aroundProvider();
  answerApp();
  clock.set(new Date());
});

const listings = (user: Seller['user']) =>
  db
    .selectFrom('listings')
    .select(['status', 'subscription_id', 'subscription_ends_at'])
    .where('seller_id', '=', user._id)
    .orderBy('listing_number')
    .execute();

test('is off until it is switched on, and one call each switches it on and off, with an email', async () => {
  const one = await seller();
  const { user, endsAt, cardId } = one;
  expect(await find(one)).toMatchObject({ renewal: null, isRenewed: false, isReturned: false, isDisputed: false });
  const chargeAt = new Date(endsAt.getTime() - 3 * dayMs).toISOString();
  const renewal = { cardId, amount: 2500, currency: 'NZD', nextChargeAt: chargeAt, state: 'on', problem: null };
  const on = await newSubjects(user, async () => {
    const answer = await switchOn(one);
    expect(answer).toMatchObject({ status: 200, body: { status: 'done', amount: 2500, clientSecret: null, subscription: { renewal } } });
    // A repeated call, as after a lost answer.
    expect((await switchOn(one)).body).toMatchObject({ subscription: { renewal } });
  });
  expect(on).toEqual(['Renewal switched on: your Premium plan on Handwise']);
  expect(await find(one)).toMatchObject({ renewal });
  const off = await newSubjects(user, async () => {
    expect(await switchOff(one)).toMatchObject({
      status: 200,
      body: { message: 'Your plan no longer renews', subscription: { renewal: null } },
    });
    expect((await switchOff(one)).status).toBe(200);
  });
  expect(off).toEqual(['Renewal switched off: your Premium plan on Handwise']);
  await announceTo(one);
  wait(one, 3);
  await charge();
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  await expectBalancedBooks();
});

test('refuses someone else’s subscription or card, an unknown price, and visitors, and changes nothing', async () => {
  const one = await seller();
  const other = await seller();
  const notFound = { status: 404, body: { code: 'subscription_not_found' } };
  expect(await switchOn({ ...one, user: other.user, cardId: other.cardId })).toMatchObject(notFound);
  expect(await switchOff({ ...one, user: other.user })).toMatchObject(notFound);
  expect(await switchOn({ ...one, id: randomUUID() })).toMatchObject(notFound);
  expect(await switchOn(one, { cardId: other.cardId })).toMatchObject({ status: 404, body: { code: 'card_not_found' } });
  expect(await switchOn(one, { cardId: 'card' })).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
  expect(await switchOn(one, { amount: 100 })).toMatchObject({ status: 409, body: { code: 'price_changed' } });
  expect((await asVisitor.put(`/plan-user/${one.id}/renewal`, { cardId: one.cardId })).status).toBe(401);
  expect((await asVisitor.delete(`/plan-user/${one.id}/renewal`)).status).toBe(401);
  expect(await find(one)).toMatchObject({ renewal: null });
  await sql`update subscriptions set disputed_at = now() where id = ${one.id}`.execute(db);
  expect(await switchOn(one)).toMatchObject({ status: 409, body: { code: 'payment_disputed' } });
  expect(await find(one)).toMatchObject({ isDisputed: true });
  await sql`update subscriptions set disputed_at = null where id = ${one.id}`.execute(db);
  await sql`update listings set hidden_from = status, status = 'hidden' where subscription_id = ${one.id}`.execute(db);
  expect((await switchOn(one)).body.code).toBe('listing_hidden');
  await sql`update listings set status = hidden_from, hidden_from = null where subscription_id = ${one.id}`.execute(db);
  await sql`update cards set exp_year = 2020 where id = ${one.cardId}`.execute(db);
  const message = 'This card has expired. Please choose another one.';
  expect(await switchOn(one)).toMatchObject({ status: 402, body: { code: 'card_declined', message } });
  expect(await find(one)).toMatchObject({ renewal: null });
  clock.set(new Date(other.endsAt.getTime() + 1_000));
  expect(await switchOn(other)).toMatchObject({ status: 409, body: { code: 'renewal_not_possible' } });
});

test('announces the charge, charges once, and the next subscription has the listings without a gap', async () => {
  const one = await seller();
  const { user, id, endsAt, cardId } = one;
  await given.listing({ subscriptionId: id, plan: 'premium', status: 'inactive' });
  await switchOn(one);
  wait(one, 6.5);
  expect(await newSubjects(user, announce)).toEqual([]);
  wait(one, 6);
  const announced = await newSubjects(user, async () => {
    await announce();
    await announce();
    // The email of 7 days before the end would say that nothing renews.
    await warnOfExpiry(context);
  });
  expect(announced).toEqual([expect.stringMatching(/^Your Premium plan renews on \w+ \d+, 20\d\d for \$25\.00 NZD$/)]);
  const notice = (await mails()).findLast(({ to }) => to === user.email);
  expect(JSON.stringify(notice?.blocks)).toMatch(/\$25\.00 NZD, GST included.*Visa ending in 4242.*Charged on/);
  wait(one, 3.1);
  await charge();
  expect(await money(user)).toEqual({ taken: [], back: 0 });
  wait(one, 3);
  const charged = await newSubjects(user, async () => {
    await times(3, charge);
    await charge();
    wait(one, 0.9);
    await warnOfExpiry(context);
    await announce();
  });
  expect(charged).toEqual(['Your plan is renewed: Handwise receipt INV-…']);
  expect(await money(user)).toEqual({ taken: [2500], back: 0 });
  const next = await following(one);
  const ends = new Date(endsAt.getTime() + 30 * dayMs);
  expect(next).toMatchObject({
    startDate: endsAt.toISOString(),
    endDate: ends.toISOString(),
    slots: 5,
    slotsUsed: 2,
    isActive: true,
    renewal: { cardId, amount: 2500, state: 'on', nextChargeAt: new Date(ends.getTime() - 3 * dayMs).toISOString() },
  });
  expect(await find(one)).toMatchObject({ isRenewed: true, slotsUsed: 0, renewal: null });
  expect((await listings(user)).map(({ status, subscription_ends_at: at }) => [status, at])).toEqual([
    ['active', ends],
    ['inactive', ends],
  ]);
  clock.set(new Date(endsAt.getTime() + 60_000));
  expect(await newSubjects(user, () => expireListings(context))).toEqual([]);
  expect((await listings(user)).map(({ status }) => status)).toEqual(['active', 'inactive']);
  expect(await switchOff(one)).toMatchObject({ status: 409, body: { code: 'renewal_not_possible' } });
  expect((await switchOff({ user, id: next._id })).status).toBe(200);
  const receipts = (await as(user).get('/receipt/all')).body.data;
  expect(receipts).toMatchObject([
    {
      description: 'Premium plan, renewal, 30 days',
      totalMinor: 2500,
      periodStartsAt: endsAt.toISOString(),
      periodEndsAt: ends.toISOString(),
    },
  ]);
  await expectBalancedBooks();
});

test('gives the slots of a renewed subscription once', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  const publish = () => as(one.user).postForm('/listing/create', given.listingForm('premium', { submissionId: randomUUID() }));
  const answers: number[] = [];
  for (let count = 0; count < 5; count += 1) answers.push((await publish()).status);
  expect(answers).toEqual([201, 201, 201, 201, 402]);
  expect((await following(one)).slotsUsed).toBe(5);
  await expectBalancedBooks();
});

test.each([
  // [days left when it is switched on, days left when it is charged]
  [3.5, 2.5],
  [2, 1],
  [1.2, 0.2],
])('switched on with %d days left, charges with %d left, a day later', async (on, charged) => {
  const one = await seller();
  wait(one, on);
  expect(await newSubjects(one.user, () => switchOn(one))).toEqual(['Renewal switched on: your Premium plan on Handwise']);
  const confirmed = JSON.stringify((await mails()).findLast(({ to }) => to === one.user.email));
  expect(confirmed).toContain(
    `"Charged on","value":"${formatDate(new Date(one.endsAt.getTime() - charged * dayMs + 1_000), 'Pacific/Auckland')}"`,
  );
  wait(one, charged + 0.01);
  await charge();
  await announce();
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  wait(one, charged - 0.01);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await subjects(one.user)).not.toContainEqual(expect.stringContaining('renews on'));
});

test('switched on with less than a day left, charges at once', async () => {
  const one = await seller();
  wait(one, 0.9);
  const mailed = await newSubjects(one.user, async () => {
    const answers = await times(4, () => switchOn(one, { amount: 2500 }));
    for (const { status, body } of answers)
      expect(status === 200 ? body.status : body.code).toMatch(/^(done|renewal_not_possible|payment_processing)$/);
    expect(answers.some(({ body }) => body.message === 'Your plan is renewed')).toBe(true);
  });
  expect(mailed).toEqual(['Renewal switched on: your Premium plan on Handwise', 'Your plan is renewed: Handwise receipt INV-…']);
  const mail = (await mails()).find(({ to, subject }) => to === one.user.email && subject.startsWith('Renewal switched on'));
  expect(JSON.stringify(mail?.blocks)).toContain('Less than 24 hours of it were left, so it is charged at once');
  expect(JSON.stringify(mail?.blocks)).toContain(`"Charged on","value":"${formatDate(clock.now(), 'Pacific/Auckland')}"`);
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  expect(await find(one)).toMatchObject({ isRenewed: true });
  await expectBalancedBooks();
});

test('charges what was due shortly before the end also shortly after it, and nothing later', async () => {
  const [one, late] = [await seller(), await seller()];
  await switchOn(one);
  await switchOn(late);
  await announceTo(late);
  clock.set(new Date(one.endsAt.getTime() + 5 * 60_000));
  await sql`update renewals set charge_at = charge_at + interval '1 year' where subscription_id = ${late.id}`.execute(db);
  await expireListings(context);
  await announce();
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
  // A renewal that is paid late gives a whole period.
  expect(Date.parse((await following(one)).startDate)).toBeGreaterThan(one.endsAt.getTime());
  expect((await listings(one.user)).map(({ status }) => status)).toEqual(['active']);
  await sql`update renewals set charge_at = ${clock.now()} where subscription_id = ${late.id}`.execute(db);
  clock.set(new Date(late.endsAt.getTime() + 20 * 60_000));
  await charge();
  await announce();
  expect(await money(late.user)).toEqual({ taken: [], back: 0 });
  expect(await find(late)).toMatchObject({ renewal: null });
  await expectBalancedBooks();
});

test('charges a higher price only after the seller has agreed to it', async () => {
  const one = await seller();
  await switchOn(one);
  await sql`update renewals set amount_minor = 2000 where subscription_id = ${one.id}`.execute(db);
  await announceTo(one);
  wait(one, 3);
  await charge();
  expect(await switchOn(one, { amount: 2500 })).toMatchObject({ status: 200, body: { message: 'Your plan is renewed' } });
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

test('a price raised in the settings after the seller agreed is not charged', async () => {
  const one = await seller();
  await switchOn(one);
  setSite({ premiumPrice: '31.00' });
  onTestFinished(() => setSite({ premiumPrice: '25.00' }));
  await announceTo(one);
  wait(one, 3);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  const notice = (await mails()).findLast(({ to }) => to === one.user.email);
  expect(JSON.stringify(notice)).toContain('$31.00');
  expect(await switchOn(one, { amount: 3100 })).toMatchObject({ status: 200, body: { message: 'Your plan is renewed' } });
  expect(await money(one.user)).toEqual({ taken: [3100], back: 0 });
});

test('announces and charges today’s price if it is lower than the agreed one', async () => {
  const one = await seller();
  await switchOn(one);
  await sql`update renewals set amount_minor = 3000 where subscription_id = ${one.id}`.execute(db);
  wait(one, 6);
  await announce();
  const notice = (await mails()).findLast(({ to }) => to === one.user.email);
  expect(JSON.stringify(notice)).toContain('$25.00');
  expect(JSON.stringify(notice)).not.toContain('$30.00');
  wait(one, 3);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 0 });
});

test('names the day of the charge by the clocks of the listing', async () => {
  const perth = 2101;
  const one = await seller({ district: perth });
  // Half past ten in the evening in Perth and the next day in Sydney.
  const endsAt = new Date(Math.floor(one.endsAt.getTime() / dayMs) * dayMs + 14.5 * 3_600_000);
  await sql`with ended as (update subscriptions set ends_at = ${endsAt} where id = ${one.id} returning id)
    update listings set subscription_ends_at = ${endsAt} from ended where subscription_id = ended.id`.execute(db);
  const day = formatDate(new Date(endsAt.getTime() - 3 * dayMs), 'Australia/Perth');
  expect(await switchOn(one)).toMatchObject({ body: { message: `Renewal switched on. The next charge is on ${day}.` } });
  const mail = (await mails()).findLast(({ to }) => to === one.user.email);
  expect(JSON.stringify(mail?.blocks)).toContain(day);
});

test('uses a free month before the card', async () => {
  const one = await seller();
  await given.confirmed(one.user);
  const form = { fullName: 'Tama Rua', username: 'renewal_friend', email: 'renewal-friend@example.org', password: 'correct-horse' };
  await asVisitor.post('/auth/register', { ...form, referralCode: one.user.referralCode });
  await sql`insert into reward_entries (user_id, referral_id, reward, change, cause, quantity, created_at)
    select ${one.user._id}, id, 'free_month', 'issue', 'swapped', 1, now() from referrals where referrer_id = ${one.user._id}`.execute(db);
  await switchOn(one);
  wait(one, 6);
  expect(await newSubjects(one.user, announce)).toEqual([expect.stringMatching(/^Your Premium plan renews on .* with your free month$/)]);
  wait(one, 3);
  expect(await newSubjects(one.user, charge)).toEqual(['Your Premium plan on Handwise is renewed with your free month']);
  expect(await money(one.user)).toEqual({ taken: [], back: 0 });
  expect(await following(one)).toMatchObject({
    isFree: true,
    slotsUsed: 1,
    startDate: one.endsAt.toISOString(),
    renewal: { amount: 2500, state: 'on' },
  });
  await expectBalancedBooks();
});

test('charges no suspended and no deleted account, and ends their renewals', async () => {
  const admin = await given.administrator();
  const [suspended, byHand, unannounced, left] = [await seller(), await seller(), await seller(), await seller()];
  for (const one of [suspended, byHand, unannounced, left]) await switchOn(one);
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  const decided = await as(admin).post('/admin/decisions', {
    kind: 'user',
    id: suspended.user._id,
    decision: 'suspend_account',
    reason: 'Spam.',
  });
  await as(left.user).post('/auth/confirm-identity', { password: 'correct-horse' });
  const deletion = await as(left.user).delete('/auth/account', { currentPassword: 'correct-horse' });
  expect([decided.status, deletion.status]).toEqual([201, 200]);
  const statusOf = async (one: Seller) =>
    (await db.selectFrom('renewals').select('status').where('subscription_id', '=', one.id).executeTakeFirstOrThrow()).status;
  expect([await statusOf(suspended), await statusOf(byHand), await statusOf(left)]).toEqual(['ended', 'on', 'ended']);
  await sql`update users set suspended_at = now() where id = ${unannounced.user._id}`.execute(db);
  wait(unannounced, 6);
  expect(await newSubjects(unannounced.user, announce)).toEqual([]);
  expect(await statusOf(unannounced)).toBe('ended');
  await sql`update users set suspended_at = now() where id = ${byHand.user._id}`.execute(db);
  wait(byHand, 3);
  await charge();
  expect(await statusOf(byHand)).toBe('ended');
  for (const { user } of [suspended, byHand, left]) expect((await money(user)).taken).toEqual([]);
  await expectBalancedBooks();
});

const refund = async (paymentId: string) => {
  const admin = await given.administrator();
  await as(admin).post('/auth/confirm-identity', { password: 'correct-horse' });
  const answer = await as(admin).post(`/admin/payment/${paymentId}/refund`, { reason: 'As agreed.', requestId: randomUUID() });
  expect(answer.status).toBe(201);
  await runJobs();
};

test('a refund of the plan ends its renewal', async () => {
  const one = await seller({ paid: true });
  await switchOn(one);
  const { payment_id: paymentId } = await db
    .selectFrom('subscriptions')
    .select('payment_id')
    .where('id', '=', one.id)
    .executeTakeFirstOrThrow();
  await refund(paymentId ?? '');
  expect(await find(one)).toMatchObject({ isReturned: true, renewal: null });
  await announceTo(one);
  wait(one, 3);
  await charge();
  expect(await money(one.user)).toEqual({ taken: [2500], back: 2500 });
  await expectBalancedBooks();
});

test('a refund of the renewal leaves the listings to the end of the period that was paid before', async () => {
  const one = await seller();
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  const { id: paymentId } = await db.selectFrom('payments').select('id').where('renews_id', '=', one.id).executeTakeFirstOrThrow();
  const mailed = await newSubjects(one.user, () => refund(paymentId));
  expect(mailed).toContain('The renewal of your Premium plan on Handwise has ended and its payment is being refunded');
  expect(await listings(one.user)).toMatchObject([{ status: 'active', subscription_id: one.id, subscription_ends_at: one.endsAt }]);
  expect(await find(one)).toMatchObject({ isRenewed: false, renewal: null, slotsUsed: 1 });
  expect(await following(one)).toMatchObject({ isReturned: true, isActive: false, renewal: null });
  const publish = () => as(one.user).postForm('/listing/create', given.listingForm('premium', { submissionId: randomUUID() }));
  const answers: number[] = [];
  for (let count = 0; count < 5; count += 1) answers.push((await publish()).status);
  expect(answers).toEqual([201, 201, 201, 201, 402]);
  expect(await switchOn(one)).toMatchObject({ status: 409, body: { code: 'renewal_not_possible' } });
  clock.set(new Date(one.endsAt.getTime() + 60_000));
  await charge();
  await expireListings(context);
  expect(await money(one.user)).toEqual({ taken: [2500], back: 2500 });
  expect(new Set((await listings(one.user)).map(({ status }) => status))).toEqual(new Set(['expired']));
  await expectBalancedBooks();
});

test('a change of plan ends the renewal, and says what a new one would cost', async () => {
  const one = await seller();
  const { user } = one;
  await switchOn(one);
  const { id: listingId } = await db.selectFrom('listings').select('id').where('seller_id', '=', user._id).executeTakeFirstOrThrow();
  const price = async () => (await as(user).get(`/plan-user/quote?planId=${given.planId('featured')}&listingId=${listingId}`)).body;
  expect(await price()).toMatchObject({ renewal: { cardId: one.cardId, amount: 3500, currency: 'NZD' } });
  const change = () => as(user).put(`/listing/${listingId}/plan`, { planId: given.planId('featured'), paymentId: one.cardId });
  expect((await newSubjects(user, change)).toSorted()).toEqual([
    'The renewal of your Premium plan on Handwise has ended',
    'Your Handwise receipt INV-…',
  ]);
  const mail = (await mails()).find(({ subject, to }) => to === user.email && subject.startsWith('The renewal'));
  const { endDate, timeZone } = await following(one);
  expect(JSON.stringify(mail?.blocks)).toContain(
    `Your Featured plan runs until ${formatDate(endDate, timeZone)} and ends then, unless you switch its renewal on.`,
  );
  expect(await find(one)).toMatchObject({ isReplaced: true, renewal: null });
  expect(await following(one)).toMatchObject({ plan: { planType: 'featured' }, renewal: null });
  await announceTo(one);
  wait(one, 3);
  await charge();
  expect((await money(user)).taken).toHaveLength(1);
  expect((await price()).renewal).toBe(null);
  await expectBalancedBooks();
});

test('a change to a cheaper plan that costs nothing also says that the renewal has ended, and only if there was one', async () => {
  const one = await seller();
  const changeTo = async (plan: PlanType) => {
    const { id } = await db.selectFrom('listings').select('id').where('seller_id', '=', one.user._id).executeTakeFirstOrThrow();
    return newSubjects(one.user, () => as(one.user).put(`/listing/${id}/plan`, { planId: given.planId(plan) }));
  };
  await switchOn(one);
  expect(await changeTo('basic')).toEqual(['The renewal of your Premium plan on Handwise has ended']);
  const other = await seller();
  const { id } = await db.selectFrom('listings').select('id').where('seller_id', '=', other.user._id).executeTakeFirstOrThrow();
  const put = () => as(other.user).put(`/listing/${id}/plan`, { planId: given.planId('basic') });
  expect(await newSubjects(other.user, put)).toEqual([]);
});

test('a change of plan after the renewal takes both paid periods off the price', async () => {
  const one = await seller({ paid: true });
  await switchOn(one);
  await announceTo(one);
  wait(one, 3);
  await charge();
  const { id: listingId } = await db.selectFrom('listings').select('id').where('seller_id', '=', one.user._id).executeTakeFirstOrThrow();
  wait(one, 2.5);
  const { body } = await as(one.user).get(`/plan-user/quote?planId=${given.planId('featured')}&listingId=${listingId}`);
  expect(body).toMatchObject({ amount: 833, reason: 'Featured $35.00 less $26.67 for 32 unused days of Premium.' });
  await as(one.user).put(`/listing/${listingId}/plan`, { planId: given.planId('featured'), paymentId: one.cardId });
  expect((await listSubscriptions(one.user)).map(({ plan, isActive, isReplaced }) => [plan.planType, isActive, isReplaced])).toEqual(
    expect.arrayContaining([
      ['featured', true, false],
      ['premium', false, true],
      ['premium', true, false],
    ]),
  );
  expect((await money(one.user)).taken.toSorted((a, b) => a - b)).toEqual([833, 2500, 2500]);
  await expectBalancedBooks();
});
