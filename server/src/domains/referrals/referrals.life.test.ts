import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import type { ReferralDashboard } from '@handwise/contract/referrals/calls';
import { parseHead } from '@handwise/proof/checkpoint';
import { testApp } from '@handwise/sandbox/testing/app';
import { openEventStream } from '@handwise/sandbox/testing/event-stream';
import { untilLockWaits } from '@handwise/sandbox/testing/lock-waits';
import { times } from '@handwise/sandbox/testing/times';
import { runAudits } from '../../composition/audit.ts';
import { referralHooks } from '../../composition/hooks.ts';
import { freeMonthsAudit } from '../plans/plans.service.ts';
import { closePeriod, findRunningPeriod } from '../tickets/tickets.service.ts';
import { lastMonths, timeUntil } from './referrals.dashboard.ts';
import { findRewardTime } from './referrals.rewards.queries.ts';
import {
  backfillReferrals,
  deleteExpiredNotifications,
  getOwnReferralData,
  rewardsAudit,
  voidReferralEarnings,
} from './referrals.service.ts';

const { app, db, given, callers, outbox, parts } = await testApp();
const { as, from, onHost } = callers;
const { context, clock } = parts;
const origin = await app.listen({ port: 0, host: '127.0.0.1' });

type User = Awaited<ReturnType<typeof given.user>>;

// Each test has its own month, so that its draw holds only the tickets of that test.
let year = 2030;
beforeEach(() => {
  year += 1;
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
});

let made = 0;
/** Registers a user with a code, each from its own network and mail domain. */
async function register(referralCode?: string | null, more: object = {}): Promise<User> {
  made += 1;
  const name = `came_${made}`;
  const form = {
    fullName: 'Tama Rua',
    username: name,
    email: `${name}@came${made}.example`,
    password: 'pohutukawa-9',
    referralCode,
    ...more,
  };
  const answer = await from(`198.${made >> 8}.${made & 255}.7`).post('/auth/register', form);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data;
}
const publish = (user: User, more: Record<string, string> = {}) => as(user).postForm('/listing/create', given.listingForm('basic', more));
/** A referrer and a user who registered with their code and saved a card of their own. */
async function couple() {
  const referrer = await given.confirmed(await register());
  const referred = await given.confirmed(await register(referrer.referralCode));
  await given.ownCard(referred);
  return { referrer, referred };
}
async function converted() {
  const two = await couple();
  const { status, body } = await publish(two.referred, { serviceTitle: 'Gutters in a day' });
  if (status !== 201) throw new Error(JSON.stringify(body));
  const { id } = await rowOf(two.referred);
  return { ...two, id, listingId: body._id as string };
}
const rowOf = (referred: { _id: string }) =>
  db.selectFrom('referrals').selectAll().where('referred_id', '=', referred._id).executeTakeFirstOrThrow();
const dashboardOf = async (user: User): Promise<ReferralDashboard> => (await as(user).get('/referral/dashboard')).body;
const entriesOf = async (user: User) =>
  (await dashboardOf(user)).drawEntries.entries.map(({ source, tickets, status }) => [source, tickets, status]);
const swap = (user: User, id: string) => as(user).post(`/referral/rewards/${id}`, { rewardType: 'free_month' });
const creditsOf = async (user: User) => (await as(user).get('/plan-user/my-subscriptions')).body.data.credits as { id: string }[];
const booksOf = async (user: { _id: string }) =>
  (
    await db
      .selectFrom('reward_entries')
      .select(['reward', 'change', 'quantity', 'cause'])
      .where('user_id', '=', user._id)
      .orderBy('created_at')
      .orderBy('id')
      .execute()
  ).map(({ reward, change, quantity, cause }) => `${change} ${quantity} ${reward}: ${cause}`);
const emailsTo = async (user: User) => (await outbox.mails()).filter(({ to }) => to === user.email);
const close = async () => {
  const period = await findRunningPeriod(db, clock);
  if (!period) throw new Error('no month runs');
  await db.transaction().execute((tx) => closePeriod(tx, context, period));
};

test('registering with a code gives both people a ticket and an email that ends with a log head', async () => {
  const { referrer, referred } = await couple();
  expect(await entriesOf(referred)).toEqual([['signup', 1, 'active']]);
  expect(await entriesOf(referrer)).toEqual([['referral', 1, 'active']]);
  expect(await booksOf(referred)).toEqual(['issue 1 draw_entries: signup']);
  expect(await booksOf(referrer)).toEqual(['issue 1 draw_entries: code_used']);
  expect((await dashboardOf(referred)).analytics.entriesBySource).toEqual({ signup: 1, listing: 0, referral: 0, other: 0 });
  expect((await dashboardOf(await register())).user.emailConfirmed).toBe(false);
  const [toReferrer] = await emailsTo(referrer);
  const toReferred = (await emailsTo(referred)).find(({ subject }) => subject === 'You have a ticket for the monthly draw');
  expect(toReferrer?.subject).toBe('Somebody signed up with your referral code');
  for (const mail of [toReferrer, toReferred]) {
    const foot = mail?.blocks.at(-1);
    if (foot?.kind !== 'fixed') throw new Error('the mail does not end with a head');
    expect(parseHead(`${foot.text}\n`)).toMatchObject({ size: 2, origin: `localhost:3000/draws/${year}-05` });
    expect(mail?.end?.oneClick).toContain('/api/mails/end?token=');
    expect(mail?.limit).toEqual({ kind: 'referral.tickets', perHour: 5 });
  }
  expect(await rowOf(referred)).toMatchObject({ status: 'pending', entered_at: 'registration', code: referrer.referralCode });
});

test('issues no ticket without a code or when the registration fails', async () => {
  const claimed = await register(undefined, { hasValidReferral: true });
  expect(await entriesOf(claimed)).toEqual([]);
  const referrer = await given.user();
  const taken = { username: claimed.username };
  await expect(register(referrer.referralCode, taken)).rejects.toThrow('username_taken');
  expect(await entriesOf(referrer)).toEqual([]);
  const unknown = await register('REF-XXX-0000', { hasValidReferral: true });
  expect(await entriesOf(unknown)).toEqual([]);
});

test('issues tickets but sends no email to an unsubscribed user', async () => {
  const referrer = await given.user();
  await as(referrer).put('/mails', { kind: 'referrals', on: false });
  await register(referrer.referralCode);
  expect(await emailsTo(referrer)).toEqual([]);
  expect(await entriesOf(referrer)).toEqual([['referral', 1, 'active']]);
  expect((await as(referrer).get('/referral/notifications')).body.notifications).toMatchObject([{ type: 'signup', tickets: 1 }]);
});

test('tells the code’s owner, whether or not the other person wants such emails', async () => {
  const [referrer, user] = [await given.user(), await given.user()];
  await as(user).put('/mails', { kind: 'referrals', on: false });
  await as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: referrer.referralCode });
  expect(await emailsTo(user)).toEqual([]);
  expect((await emailsTo(referrer)).map(({ subject }) => subject)).toEqual(['Somebody signed up with your referral code']);
});

test('a code entered at the payment step creates one permanent referral with a ticket for both', async () => {
  const [first, second, user] = [await given.user(), await given.user(), await given.user()];
  const enter = (code: string) => as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: code });
  expect((await enter(first.referralCode)).body).toMatchObject({
    amount: 0,
    free: { source: 'free_first_month', needs: 'confirmed_address' },
  });
  expect((await enter(second.referralCode)).body.code).toBe('referral_code_set');
  expect(await entriesOf(first)).toEqual([['referral', 1, 'active']]);
  expect(await entriesOf(second)).toEqual([]);
  expect(await entriesOf(user)).toEqual([['signup', 1, 'active']]);
  expect(await dashboardOf(first)).toMatchObject({ codeUsageCount: 0, referralStats: { referralsCount: 1 } });
  expect(await rowOf(user)).toMatchObject({ entered_at: 'payment_step', referrer_id: first._id });
});

test('rejects a code from an account that has had a listing', async () => {
  const [referrer, seller] = [await given.user(), await given.user()];
  await given.listing({ sellerId: seller._id });
  const answer = await as(seller).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: referrer.referralCode });
  expect(answer).toMatchObject({ status: 409, body: { code: 'free_month_used' } });
  expect(await entriesOf(referrer)).toEqual([]);
});

test('the first live listing converts the referral once: five tickets, a live event and an email', async () => {
  const { referrer, referred } = await couple();
  const stream = await openEventStream(origin, referrer.token);
  await stream.untilCount('unread', 1);
  const first = await publish(referred, { serviceTitle: 'Gutters in a day' });
  expect(first.status).toBe(201);
  await stream.untilCount('referral', 1);
  stream.close();
  const published = stream.events.filter(({ event }) => event === 'referral').map(({ data }) => data);
  expect(published).toEqual([{ id: expect.any(String), type: 'listing', timestamp: expect.any(String), tickets: 5, prize: 1_000 }]);
  expect(await entriesOf(referrer)).toEqual([
    ['listing', 5, 'active'],
    ['referral', 1, 'active'],
  ]);
  expect((await emailsTo(referrer)).map(({ subject }) => subject)).toEqual([
    'Somebody signed up with your referral code',
    'Somebody you referred has a live listing',
  ]);
  const paymentId = await given.payment(referred, 'premium');
  expect((await as(referred).postForm('/listing/create', given.listingForm('premium', { paymentId }))).status).toBe(201);
  expect((await dashboardOf(referrer)).referralStats).toMatchObject({
    successfulConversions: 1,
    activeDrawTickets: 6,
    drawEntriesEarned: 6,
  });
  expect(await rowOf(referred)).toMatchObject({ listing_id: first.body._id });
});

test('converts nothing when publishing fails', async () => {
  const { referrer, referred } = await couple();
  await sql`create function refuse_leaf() returns trigger language plpgsql as $$ begin raise exception 'no log'; end $$`.execute(db);
  await sql`create trigger refuse_leaf before insert on ticket_log_leaves for each row execute function refuse_leaf()`.execute(db);
  expect((await publish(referred)).status).toBe(500);
  await sql`drop trigger refuse_leaf on ticket_log_leaves`.execute(db);
  await sql`drop function refuse_leaf`.execute(db);
  expect(await rowOf(referred)).toMatchObject({ status: 'pending', listing_id: null });
  expect(await booksOf(referrer)).toEqual(['issue 1 draw_entries: code_used']);
  expect((await publish(referred)).status).toBe(201);
  expect(await rowOf(referred)).toMatchObject({ status: 'converted' });
});

test('lists a user’s own notifications until they are seen and publishes that to other tabs', async () => {
  const { referrer } = await converted();
  const { notifications } = (await as(referrer).get('/referral/notifications')).body;
  expect(notifications).toMatchObject([
    { type: 'listing', tickets: 5, prize: 1_000 },
    { type: 'signup', tickets: 1, prize: 1_000 },
  ]);
  const [listing, signup] = notifications as [{ id: string }, { id: string }];
  const stranger = await given.user();
  expect((await as(stranger).post('/referral/notifications/seen', { ids: [listing.id] })).body).toEqual({ seen: 0 });
  const stream = await openEventStream(origin, referrer.token);
  await stream.untilCount('unread', 1);
  expect((await as(referrer).post('/referral/notifications/seen', { ids: [listing.id] })).body).toEqual({ seen: 1 });
  expect((await as(referrer).post('/referral/notifications/seen', { ids: [listing.id] })).body).toEqual({ seen: 0 });
  await stream.untilCount('referral-seen', 1);
  stream.close();
  expect(stream.events.filter(({ event }) => event === 'referral-seen').map(({ data }) => data)).toEqual([{ ids: [listing.id] }]);
  expect((await as(referrer).get('/referral/notifications')).body.notifications).toMatchObject([{ id: signup.id }]);
});

test('fifty parallel requests swap five tickets for a free month once', async () => {
  const { referrer, id } = await converted();
  const answers = await times(50, () => swap(referrer, id));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'reward_taken')).toHaveLength(49);
  expect(await entriesOf(referrer)).toEqual([
    ['listing', 5, 'void'],
    ['referral', 1, 'active'],
  ]);
  expect((await dashboardOf(referrer)).drawEntries.entries[0]).toMatchObject({ voidReason: 'swapped' });
  expect(await booksOf(referrer)).toEqual([
    'issue 1 draw_entries: code_used',
    'issue 5 draw_entries: listing',
    'void 5 draw_entries: swapped',
    'issue 1 free_month: swapped',
  ]);
  const credit = answers.find(({ status }) => status === 200)?.body.credit;
  expect(await creditsOf(referrer)).toEqual([{ id: credit.id, source: 'referral', createdAt: credit.createdAt }]);
  const mail = (await emailsTo(referrer)).at(-1);
  expect(mail).toMatchObject({
    subject: 'You have a free month',
    blocks: expect.arrayContaining([expect.objectContaining({ kind: 'fixed' })]),
  });
});

test('rejects swapping pending referrals, those of other users and tickets of closed draws', async () => {
  const { referrer, referred, id } = await converted();
  expect(await swap(referred, id)).toMatchObject({ status: 404, body: { code: 'referral_not_found' } });
  expect(await swap(referrer, '00000000-0000-7000-8000-000000000000')).toMatchObject({ status: 404 });
  const other = await couple();
  expect(await swap(other.referrer, (await rowOf(other.referred)).id)).toMatchObject({ status: 409, body: { code: 'reward_not_ready' } });
  expect((await as(referrer).post(`/referral/rewards/${id}`, { rewardType: 'draw_entries' })).status).toBe(400);
  await close();
  expect(await swap(referrer, id)).toMatchObject({ status: 409, body: { code: 'reward_too_late' } });
  expect((await dashboardOf(referrer)).referrals[0]).toMatchObject({ rewardType: 'draw_entries', swapUntil: null });
  expect(await creditsOf(referrer)).toEqual([]);
});

test('rejects a swap while the draw is being closed, and gives no free month', async () => {
  const { referrer, id } = await converted();
  const period = await findRunningPeriod(db, clock);
  if (!period) throw new Error('no month runs');
  const swapping = await db.transaction().execute(async (tx) => {
    await closePeriod(tx, context, period);
    const answer = swap(referrer, id);
    await untilLockWaits(db);
    return { answer };
  });
  expect(await swapping.answer).toMatchObject({ status: 409, body: { code: 'reward_too_late' } });
  expect(await creditsOf(referrer)).toEqual([]);
  expect(await booksOf(referrer)).toEqual(['issue 1 draw_entries: code_used', 'issue 5 draw_entries: listing']);
});

test('deletes notifications thirty days after they were seen', async () => {
  const { referrer } = await converted();
  const ids = async () =>
    (await db.selectFrom('referral_notifications').select('id').where('user_id', '=', referrer._id).execute()).map(({ id }) => id);
  const [seen, ...unseen] = await ids();
  await as(referrer).post('/referral/notifications/seen', { ids: [seen] });
  const wait = (days: number) => clock.set(new Date(clock.now().getTime() + days * dayMs));
  wait(29);
  await deleteExpiredNotifications(context);
  expect(new Set(await ids())).toEqual(new Set([seen, ...unseen]));
  wait(2);
  await deleteExpiredNotifications(context);
  expect(await ids()).toEqual(unseen);
});

test('rejects a swap after the closing time even before the draw is closed', async () => {
  const { referrer, id } = await converted();
  const { swapUntil } = (await dashboardOf(referrer)).referrals[0] ?? {};
  expect(swapUntil).toBe(`${year}-05-31T11:30:00.000Z`);
  clock.set(new Date(`${year}-05-31T11:30:01Z`));
  expect(await swap(referrer, id)).toMatchObject({ status: 409, body: { code: 'reward_too_late' } });
});

test('a free month pays for one of fifty parallel listings before any card is charged', async () => {
  const { referrer, id } = await converted();
  await swap(referrer, id);
  const started = await as(referrer).post('/plan-user/create-intent', { planId: given.planId('basic') });
  expect(started.body).toMatchObject({ amount: 0, clientSecret: null, paymentIntentId: null, free: { source: 'free_month', needs: null } });
  const answers = await times(50, () => publish(referrer));
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(answers.filter(({ body }) => body.code === 'payment_required')).toHaveLength(49);
  expect(await creditsOf(referrer)).toEqual([]);
  expect((await as(referrer).get('/plan-user/my-subscriptions')).body.data.subscriptions).toMatchObject([{ isFree: true, slotsUsed: 1 }]);
  expect((await booksOf(referrer)).at(-1)).toBe('use 1 free_month: subscription');
  expect((await as(referrer).post('/plan-user/create-intent', { planId: given.planId('featured') })).body).toMatchObject({
    amount: 3500,
    free: null,
  });
});

test('uses the older of two free months first', async () => {
  const { referrer, id } = await converted();
  await swap(referrer, id);
  clock.set(new Date(clock.now().getTime() + 60_000));
  const second = await given.confirmed(await register(referrer.referralCode));
  await given.ownCard(second);
  await publish(second);
  await swap(referrer, (await rowOf(second)).id);
  const [older, newer] = (await creditsOf(referrer)) as { id: string; createdAt: string }[];
  expect(Date.parse(newer?.createdAt ?? '') - Date.parse(older?.createdAt ?? '')).toBeGreaterThanOrEqual(60_000);
  expect((await publish(referrer)).status).toBe(201);
  expect(await creditsOf(referrer)).toEqual([newer]);
});

test('a free month pays for a reactivation but never for a change of plan', async () => {
  const { referrer, id } = await converted();
  const { id: listingId } = await given.listing({ sellerId: referrer._id, status: 'expired' });
  const { id: activeId } = await given.listing({ sellerId: referrer._id, plan: 'basic' });
  await swap(referrer, id);
  const price = async (of: string, plan: 'basic' | 'featured') =>
    (await as(referrer).get(`/plan-user/quote?planId=${given.planId(plan)}&listingId=${of}`)).body;
  expect(await price(activeId, 'featured')).toMatchObject({ amount: expect.any(Number), free: null });
  expect((await price(activeId, 'featured')).amount).toBeGreaterThan(0);
  expect(await price(listingId, 'featured')).toMatchObject({ amount: 0, free: { source: 'free_month', needs: 'saved_card' } });
  expect(await price(listingId, 'basic')).toMatchObject({
    amount: 0,
    free: { source: 'free_month', needs: null },
    reason: 'Your free month pays for 30 days of Basic. Nothing to pay.',
  });
  const reactivate = (plan: 'basic' | 'featured') => as(referrer).put(`/listing/${listingId}/reactivate`, { planId: given.planId(plan) });
  expect(await reactivate('featured')).toMatchObject({ status: 402, body: { code: 'card_needed' } });
  const answers = await times(10, () => reactivate('basic'));
  expect(answers.filter(({ status, body }) => status === 200 && body.amount === 0)).toHaveLength(1);
  expect(await creditsOf(referrer)).toEqual([]);
  const subscription = await db.selectFrom('listings').select('subscription_id').where('id', '=', listingId).executeTakeFirstOrThrow();
  expect(await db.selectFrom('subscriptions').select('source').where('id', '=', subscription.subscription_id).executeTakeFirst()).toEqual({
    source: 'free_month',
  });
});

test('uses the free first month before a credit; both need a confirmed address', async () => {
  const { referrer: middle, id } = await converted();
  await swap(middle, id);
  const top = await register();
  const enter = await as(middle).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: top.referralCode });
  expect(enter.body).toMatchObject({ amount: 0, free: { source: 'free_first_month', needs: null } });
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', middle._id).execute();
  expect(await publish(middle)).toMatchObject({ status: 403, body: { code: 'address_not_confirmed' } });
  await given.confirmed(middle);
  expect((await publish(middle)).status).toBe(201);
  expect(await creditsOf(middle)).toHaveLength(1);
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', middle._id).execute();
  const started = await as(middle).post('/plan-user/create-intent', { planId: given.planId('basic') });
  expect(started.body).toMatchObject({ amount: 0, free: { source: 'free_month', needs: 'confirmed_address' } });
});

test('the dashboard counts held referrals as pending and includes drawn and void tickets in the tickets earned', async () => {
  clock.set(new Date(`${year}-04-20T00:00:00Z`));
  const { referrer, id } = await converted();
  await swap(referrer, id);
  const colleague = (n: number) => register(referrer.referralCode, { email: `colleague${n}@office${year}.example` });
  await colleague(1);
  await close();
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
  await colleague(2);
  const held = await colleague(3);
  expect(await rowOf(held)).toMatchObject({ status: 'held' });
  const second = await given.confirmed(await register(referrer.referralCode));
  await given.ownCard(second);
  await publish(second);
  const shown = await dashboardOf(referrer);
  const { rows: counted } = await sql<{ total: number; converted: number; issued: number; active: number }>`
    select (select count(*)::int from referrals where referrer_id = ${referrer._id}) as total,
      (select count(*)::int from referrals where referrer_id = ${referrer._id} and status = 'converted') as converted,
      sum(tickets)::int as issued, (sum(tickets) filter (where voided_at is null and closed_at is null))::int as active
    from draw_entries join draw_periods on draw_periods.id = period_id where user_id = ${referrer._id}`.execute(db);
  expect(counted).toEqual([{ total: 5, converted: 2, issued: 14, active: 7 }]);
  expect(shown).toMatchObject({
    referralCode: referrer.referralCode,
    referralLink: `http://localhost:3000/auth/register?ref=${referrer.referralCode}`,
    codeUsageCount: 5,
    user: { fullName: 'Tama Rua', username: referrer.username, email: referrer.email, emailConfirmed: true },
    referralStats: {
      referralsCount: 5,
      successfulConversions: 2,
      activeDrawTickets: 7,
      pendingReferrals: 3,
      drawEntriesEarned: 14,
      conversionRate: 40,
    },
    drawEntries: { total: 7 },
    currentDraw: { drawDate: `${year}-05-31T11:30:00.000Z`, month: 4, year, daysUntilDraw: 21, hoursUntilDraw: 11 },
    winnerStatus: { isWinner: false, winningDraw: null },
    analytics: { rewardTypes: { free_month: 1, draw_entries: 1 }, entriesBySource: { signup: 0, listing: 10, referral: 4, other: 0 } },
    ownReferral: null,
  });
  expect(shown.analytics.referralsByMonth).toHaveLength(12);
  expect(shown.analytics.referralsByMonth.slice(-2)).toEqual([
    { month: `${year}-04`, referrals: 2, converted: 1 },
    { month: `${year}-05`, referrals: 3, converted: 1 },
  ]);
  expect(
    shown.referrals.map(({ status, heldBecause, rewardType, listing, swapUntil }) => [
      heldBecause === null ? status : 'held',
      rewardType,
      listing?.title,
      swapUntil !== null,
    ]),
  ).toEqual([
    ['converted', 'draw_entries', 'Friendly local plumber', true],
    ['held', null, undefined, false],
    ['pending', null, undefined, false],
    ['pending', null, undefined, false],
    ['converted', 'free_month', 'Gutters in a day', false],
  ]);
  expect(shown.referrals[0]?.referredUser).toMatchObject({ name: 'Tama Rua', username: second.username, email: second.email });
  expect((await dashboardOf(second)).ownReferral).toEqual({
    status: 'converted',
    heldBecause: null,
    heldUntil: null,
    heldOutcome: null,
    refusedBecause: null,
  });
});

test('the link uses a market’s own host and no other Host header', async () => {
  const user = await given.user();
  const linkAt = async (host: string) => (await onHost(host, user).get('/referral/dashboard')).body.referralLink;
  expect(await linkAt('nz.localhost:3000')).toBe(`http://nz.localhost:3000/auth/register?ref=${user.referralCode}`);
  expect(await linkAt('evil.example')).toBe(`http://localhost:3000/auth/register?ref=${user.referralCode}`);
});

test('creates a code for an account without one, once', async () => {
  const user = await given.user();
  expect((await as(user).post('/referral/generate-code')).body).toEqual({ code: user.referralCode });
  await db.updateTable('users').set({ referral_code: null }).where('id', '=', user._id).execute();
  const codes = await times(5, () => as(user).post('/referral/generate-code'));
  expect(new Set(codes.map(({ body }) => body.code)).size).toBe(1);
  expect(codes[0]?.body.code).toMatch(/^REF-USE-\d{4,}$/);
});

test('backfills earlier referrals once, with tickets of the current month and notifications but no emails', async () => {
  const owner = await given.confirmed(await given.user());
  const [pending, sold, itself] = [await given.user(), await given.user(), await given.user()];
  const { id: listingId } = await given.listing({ sellerId: sold._id });
  const setReferrer = (user: User, code: string) =>
    db.updateTable('users').set({ referred_by_code: code }).where('id', '=', user._id).execute();
  await setReferrer(pending, owner.referralCode);
  await setReferrer(sold, owner.referralCode);
  await given.ownCard(sold);
  await setReferrer(itself, itself.referralCode);
  const before = (await outbox.mails()).length;
  const made = await times(3, () => backfillReferrals({ context, hooks: referralHooks }, 1));
  expect(made.reduce((sum, count) => sum + count, 0)).toBe(2);
  expect(await backfillReferrals({ context, hooks: referralHooks })).toBe(0);
  expect(await rowOf(pending)).toMatchObject({ status: 'pending', referrer_id: owner._id, entered_at: 'registration' });
  expect(await rowOf(sold)).toMatchObject({ status: 'converted', listing_id: listingId });
  expect(await entriesOf(owner)).toEqual(
    expect.arrayContaining([
      ['listing', 5, 'active'],
      ['referral', 1, 'active'],
      ['referral', 1, 'active'],
    ]),
  );
  expect((await dashboardOf(owner)).drawEntries.entries.map(({ period }) => period)).toEqual(Array.from({ length: 3 }, () => `${year}-05`));
  expect((await outbox.mails()).length).toBe(before);
  const { notifications } = (await as(owner).get('/referral/notifications')).body;
  expect(notifications.map(({ type }: { type: string }) => type).toSorted()).toEqual(['listing', 'signup', 'signup']);
  expect(await db.selectFrom('users').select('referred_by_code').where('id', '=', itself._id).executeTakeFirst()).toEqual({
    referred_by_code: null,
  });
});

test('publishes a confirmed address live to every device', async () => {
  const user = await given.user();
  const stream = await openEventStream(origin, user.token);
  await stream.untilCount('unread', 1);
  const { token } = await outbox.mailed(user.email, /confirm/i);
  expect((await callers.asVisitor.post('/auth/verify-email', { token })).status).toBe(200);
  await stream.untilCount('address-confirmed', 1);
  stream.close();
});

test('account deletion deletes notifications and ends open referrals; the other person keeps their ticket', async () => {
  const { referrer, referred } = await couple();
  const third = await register(referred.referralCode);
  const leave = (user: User, currentPassword: string) => as(user).delete('/auth/account', { currentPassword });
  expect((await leave(referred, 'pohutukawa-9')).status).toBe(200);
  expect(await rowOf(referred)).toMatchObject({ status: 'refused', refused_because: 'They have left.' });
  expect(await db.selectFrom('referral_notifications').select('id').where('user_id', '=', referred._id).execute()).toEqual([]);
  expect(await entriesOf(referrer)).toEqual([['referral', 1, 'active']]);
  expect((await dashboardOf(referrer)).referrals[0]?.referredUser).toMatchObject({ name: 'Former member', username: '', email: '' });
  // The code's owner is deleted: the free month stays and no tickets are issued.
  await given.confirmed(third);
  expect((await publish(third)).status).toBe(201);
  expect(await rowOf(third)).toMatchObject({ status: 'converted' });
  expect(await booksOf(referred)).toEqual(['issue 1 draw_entries: signup', 'issue 1 draw_entries: code_used']);
});

test('voids the tickets of a conversion that a fraudulent payment led to, not of one before it', async () => {
  const { referrer, referred } = await converted();
  const voidEarnings = (user: User, paidAt: Date) => db.transaction().execute((tx) => voidReferralEarnings(context, tx, user._id, paidAt));
  const at = await findRewardTime(db, (await rowOf(referred)).id);
  if (!at) throw new Error('the tickets have not been issued');
  await voidEarnings(await given.user(), at);
  await voidEarnings(referred, new Date(at.getTime() + 1));
  const earned = [
    ['listing', 5, 'active'],
    ['referral', 1, 'active'],
  ];
  expect(await entriesOf(referrer)).toEqual(earned);
  await voidEarnings(referred, at);
  expect(await entriesOf(referrer)).toEqual(earned.map(([source, tickets]) => [source, tickets, 'void']));
  const pending = await couple();
  await voidEarnings(pending.referred, new Date(0));
  expect(await entriesOf(pending.referrer)).toEqual([['referral', 1, 'active']]);
});

test('voids the tickets of this month’s draw although that of the sign-up was in the last one', async () => {
  const { referrer, referred } = await couple();
  clock.set(new Date(`${year}-06-05T00:00:00Z`));
  expect((await publish(referred)).status).toBe(201);
  await db.transaction().execute((tx) => voidReferralEarnings(context, tx, referred._id, new Date(0)));
  expect(await entriesOf(referrer)).toMatchObject([
    ['listing', 5, 'void'],
    ['referral', 1, expect.not.stringMatching('void')],
  ]);
});

test('exports a user’s own referrals, rewards and notifications', async () => {
  const { referrer, referred, id } = await converted();
  const stranger = await couple();
  const data = getOwnReferralData(db, referrer._id).lists;
  const read = async (list: string) => (await data[list]?.()) ?? [];
  expect(await read('referrals')).toMatchObject([{ id, code: referrer.referralCode, status: 'converted', enteredAt: 'registration' }]);
  expect(await read('rewards')).toMatchObject([
    { referralId: id, reward: 'draw_entries', change: 'issue', quantity: 1, cause: 'code_used', subscriptionId: null },
    { referralId: id, reward: 'draw_entries', change: 'issue', quantity: 5, cause: 'listing', ofId: null },
  ]);
  expect(await read('referral-findings')).toEqual([]);
  expect((await read('referral-notifications')) as object[]).toMatchObject([
    { type: 'signup', tickets: 1, seenAt: null },
    { type: 'listing', tickets: 5, seenAt: null },
  ]);
  const ofReferred = getOwnReferralData(db, referred._id).lists;
  expect(await ofReferred['referrals']?.()).toMatchObject([{ id, heldBecause: null, heldUntil: null, refusedBecause: null }]);
  await db
    .insertInto('referral_findings')
    .values({
      referral_id: (await rowOf(stranger.referred)).id,
      referrer_id: stranger.referrer._id,
      referred_id: stranger.referred._id,
      rule: 'network',
      severity: 'watch',
      created_at: clock.now(),
    })
    .execute();
  expect(await getOwnReferralData(db, stranger.referred._id).lists['referral-findings']?.()).toMatchObject([
    { rule: 'network', severity: 'watch', referralId: expect.any(String) },
  ]);
});

const rewardFaults = async (book = 'rewards') => (await runAudits(db)).find(({ name }) => name === book);
/** The audit's faults after rows were changed without triggers and constraints. */
const faultsAfter = async (statement: string): Promise<string[]> => {
  const faults: string[] = [];
  await db
    .transaction()
    .execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx);
      await sql.raw(statement).execute(tx);
      for (const book of [rewardsAudit, freeMonthsAudit]) faults.push(...(await book.faults.execute(tx)).rows.map(({ fault }) => fault));
      throw new Error('undo');
    })
    .catch((error: Error) => {
      if (error.message !== 'undo') throw error;
    });
  return faults;
};

test('the audit passes and names every reward row changed by hand', async () => {
  const { referrer, id } = await converted();
  const intact = await converted();
  await swap(referrer, id);
  expect((await publish(referrer)).status).toBe(201);
  expect(await rewardFaults()).toMatchObject({
    wrong: 0,
    counts: expect.stringMatching(/^\d+ issued = \d+ open \+ [1-9]\d* used \+ [1-9]\d* void$/),
  });
  expect(await rewardFaults('free months')).toMatchObject({ wrong: 0, counts: expect.stringMatching(/^[1-9]\d* used$/) });
  const ofIntact = `referral_id = '${intact.id}' and cause = 'listing'`;
  const ofUse = `change = 'use' and user_id = '${referrer._id}'`;
  const cases: [string, RegExp][] = [
    [`update reward_entries set quantity = 4 where ${ofIntact}`, /^the reward is 4 tickets of .+, the entry 5 of /],
    [`update reward_entries set user_id = '${referrer._id}' where ${ofIntact}`, /^the reward is 5 tickets/],
    [`update reward_entries set entry_id = repeat('f', 32) where ${ofIntact}`, /^the tickets of the reward are not in the draw$/],
    [
      `update draw_entries set voided_at = now(), void_reason = 'swapped' where user_id = '${intact.referrer._id}' and tickets = 5`,
      /^the entry is void because of swapped, the reward because of nothing$/,
    ],
    [
      `delete from reward_entries where change = 'void' and user_id = '${referrer._id}'`,
      /^the entry is void because of swapped, the reward because of nothing$/,
    ],
    [
      `update draw_entries set voided_at = null, void_reason = null where user_id = '${referrer._id}' and tickets = 5`,
      /^the entry is void because of nothing, the reward because of swapped$/,
    ],
    [`delete from reward_entries where ${ofUse}`, /^nobody had the free month of the subscription$/],
    [
      `update subscriptions set source = 'grant' where id = (select subscription_id from reward_entries where ${ofUse})`,
      /^the free month was used for a missing subscription/,
    ],
    [`update reward_entries set of_id = uuidv7() where ${ofUse}`, /^what was issued as nothing is booked as use 1$/],
    [
      `update reward_entries set quantity = 2 where change = 'void' and user_id = '${referrer._id}'`,
      /^what was issued as 5 is booked as void 2$/,
    ],
  ];
  for (const [statement, fault] of cases)
    expect([statement, await faultsAfter(statement)]).toEqual([statement, [expect.stringMatching(fault)]]);
  expect((await rewardFaults())?.wrong).toBe(0);
});

test('counts whole days and hours until the draw and months in its time zone', () => {
  const end = new Date('2026-11-30T10:30:00Z');
  expect(timeUntil(end, new Date('2026-11-28T09:29:59Z'))).toEqual({ daysUntilDraw: 2, hoursUntilDraw: 1 });
  expect(timeUntil(end, end)).toEqual({ daysUntilDraw: 0, hoursUntilDraw: 0 });
  expect(timeUntil(end, new Date('2026-12-01T00:00:00Z'))).toEqual({ daysUntilDraw: 0, hoursUntilDraw: 0 });
  // It is past midnight in Auckland.
  expect(lastMonths(new Date('2026-10-31T11:30:00Z')).at(-1)).toBe('2026-11');
  expect(lastMonths(new Date('2026-02-10T00:00:00Z'))).toEqual([
    '2025-03',
    '2025-04',
    '2025-05',
    '2025-06',
    '2025-07',
    '2025-08',
    '2025-09',
    '2025-10',
    '2025-11',
    '2025-12',
    '2026-01',
    '2026-02',
  ]);
});
