import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { runAudits } from '../../composition/audit.ts';
import { referralHooks } from '../../composition/hooks.ts';
import { findRunningPeriod } from '../tickets/tickets.service.ts';
import { giveDueRewards } from './referrals.convert.ts';
import { decideDueReferrals } from './referrals.decide.ts';

const { db, given, callers, outbox, parts, sandbox } = await testApp();
const { as, confirm, from } = callers;
const { clock } = parts;
const deps = { context: parts.context, hooks: referralHooks };

type User = Awaited<ReturnType<typeof given.user>>;

const visa = '4242424242424242';
const mastercard = '5555555555554444';

let year = 2030;
beforeEach(() => {
  year += 1;
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
});
const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));

let made = 0;
type Origin = { network?: string; domain?: string };
/** Registers a user with a code, by default from its own network, mail domain and browser. */
async function signUp(referralCode?: string, { network, domain }: Origin = {}): Promise<User> {
  made += 1;
  const username = `pair_${made}`;
  const email = `${username}@${domain ?? `pair${made}.example`}`;
  const form = { fullName: 'Tama Rua', username, email, password: 'pohutukawa-9', referralCode };
  const { status, body } = await from(network ?? `198.${made >> 8}.${made & 255}.7`).post('/auth/register', form);
  if (status !== 201) throw new Error(JSON.stringify(body));
  return given.confirmed(body.data);
}
/** Two new accounts, the second with the code of the first. */
async function pair(origin: Origin = {}) {
  const referrer = await signUp(undefined, origin);
  return { referrer, referred: await signUp(referrer.referralCode, origin) };
}
const publish = (user: User, plan: 'basic' | 'premium' = 'basic', more: Record<string, string> = {}) =>
  as(user).postForm('/listing/create', given.listingForm(plan, more));
async function published(user: User) {
  const { status, body } = await publish(user);
  if (status !== 201) throw new Error(JSON.stringify(body));
}
/** A pair whose second account has a listing on a free month and no card. */
async function waiting() {
  const two = await pair();
  await published(two.referred);
  expect(await referralOf(two.referred)).toMatchObject({ status: 'converted', awaits_card: true });
  return two;
}
const createIntent = (user: User) => as(user).post('/plan-user/create-intent', { planId: given.planId('basic') });
async function paid(user: User, number: string) {
  const { body } = await createIntent(user);
  await sandbox.confirmAtProvider(body.clientSecret, number);
  expect((await confirm(user, body.paymentIntentId)).status).toBe(200);
  return body.paymentIntentId as string;
}
const referralOf = (user: User) =>
  db.selectFrom('referrals').selectAll().where('referred_id', '=', user._id).orderBy('created_at', 'desc').executeTakeFirstOrThrow();
const holdReasonOf = async (user: User) => {
  const { status, held_because: because } = await referralOf(user);
  return status === 'held' ? because : status;
};
const dashboardOf = async (user: User) => (await as(user).get('/referral/dashboard')).body;
const ticketsOf = async (user: User) => (await dashboardOf(user)).drawEntries.total as number;
const swap = async (user: User, referred: User) =>
  as(user).post(`/referral/rewards/${(await referralOf(referred)).id}`, { rewardType: 'free_month' });
const emailsTo = async (user: User, subject: string) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && mail.subject === subject);
const countConversionTickets = async (users: readonly User[]) =>
  (
    await db
      .selectFrom('reward_entries')
      .select('id')
      .where('cause', '=', 'listing')
      .where(
        'user_id',
        'in',
        users.map(({ _id }) => _id),
      )
      .execute()
  ).length;
/** Whether an account has a reward or a free month. */
const hasSomething = async ({ _id }: User) =>
  (await db.selectFrom('reward_entries').select('id').where('user_id', '=', _id).limit(1).executeTakeFirst()) !== undefined ||
  (await db.selectFrom('subscriptions').select('id').where('user_id', '=', _id).limit(1).executeTakeFirst()) !== undefined;

const network = 'Several accounts used referral codes from one network within a day.';
const block = 'Many accounts used referral codes from one range of networks within a day.';
const domain = 'Several accounts used referral codes with email addresses of one domain within 30 days.';

test.each<[string, number, (index: number) => Origin]>([
  ['network', 2, (index) => ({ network: `203.0.113.${index}` })],
  ['mail domain', 2, (index) => ({ domain: `p${index}.pairs.example` })],
  ['IPv6 /64', 2, (index) => ({ network: `2001:db8:7:1::${index}` })],
  ['IPv6 /48 with a /64 and a mail domain each', 9, (index) => ({ network: `2001:db8:8:${index}::1` })],
])('of 25 scripted pairs from one %s at most %i get anything, and none gets the tickets of a conversion', async (_, most, originOf) => {
  const pairs = [];
  for (let index = 1; index <= 25; index += 1) pairs.push(await pair(originOf(index)));
  let winners = 0;
  for (const { referrer, referred } of pairs) {
    await publish(referred);
    if ((await hasSomething(referrer)) || (await hasSomething(referred))) winners += 1;
  }
  expect(winners).toBe(most);
  for (const { referred } of pairs.slice(-3)) {
    await given.card(referred, visa);
    expect(await publish(referred, 'premium')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  }
  expect(await countConversionTickets(pairs.map(({ referrer }) => referrer))).toBe(0);
});

test('25 scripted pairs from different networks without a card get no tickets of a conversion', async () => {
  const referrers = [];
  for (let index = 0; index < 25; index += 1) referrers.push((await waiting()).referrer);
  expect(await countConversionTickets(referrers)).toBe(0);
  await giveDueRewards(deps);
  expect(await countConversionTickets(referrers)).toBe(0);
});

test.each([
  ['network', { network: '203.0.114.9' }, network, dayMs],
  ['mail domain', { domain: 'firm.example' }, domain, 30 * dayMs],
] as const)('holds the third and each later account with a code from one %s, whoever’s code it is', async (_, origin, because, span) => {
  // Accounts without a code do not count.
  for (let index = 0; index < 3; index += 1) await signUp(undefined, origin);
  const codes = [];
  for (let index = 0; index < 6; index += 1) codes.push((await signUp()).referralCode);
  const reasons = [];
  for (const code of codes.slice(0, 4)) reasons.push(await holdReasonOf(await signUp(code, origin)));
  expect(reasons).toEqual(['pending', 'pending', because, because]);
  later(span - 60_000);
  expect(await holdReasonOf(await signUp(codes[4], origin))).toBe(because);
  later(span + 1_000);
  expect(await holdReasonOf(await signUp(codes[5], origin))).toBe('pending');
});

test('holds the tenth account with a code from one IPv6 /48 within a day', async () => {
  const reasons = [];
  for (let index = 1; index <= 10; index += 1)
    reasons.push(await holdReasonOf(await signUp((await signUp()).referralCode, { network: `2001:db8:9:${index}::1` })));
  expect(reasons).toEqual([...Array.from({ length: 9 }, () => 'pending'), block]);
  expect(await holdReasonOf(await signUp((await signUp()).referralCode, { network: '2001:db8:a:1::1' }))).toBe('pending');
});

test('counts codes entered at the payment step', async () => {
  const at = { network: '203.0.115.9' };
  for (let index = 0; index < 2; index += 1) await signUp((await signUp()).referralCode, at);
  const user = await signUp();
  const { referralCode } = await signUp();
  const caller = from(at.network, { authorization: `Bearer ${user.token}` });
  const { body } = await caller.post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode });
  const held = { heldBecause: network, heldUntil: (await referralOf(user)).held_until?.toISOString(), heldOutcome: 'lapses' };
  expect(body).toMatchObject({
    success: true,
    message: 'Your code has been added. It is being checked, so this plan is not free yet.',
    amount: 1500,
    free: null,
    heldReferral: held,
  });
  expect((await createIntent(user)).body).toMatchObject({ amount: 1500, heldReferral: held });
});

test('says that a code is added but the plan is not free if the business has had its free month', async () => {
  const businessNumber = '9429000000017';
  const { referred } = await pair();
  expect((await publish(referred, 'basic', { businessNumber })).status).toBe(201);
  const user = await signUp();
  const { referralCode } = await signUp();
  const { body } = await as(user).post('/plan-user/use-referral', {
    planId: given.planId('basic'),
    referralCode,
    country: 'NZ',
    businessNumber,
  });
  expect(body).toMatchObject({
    message: 'Your code has been added, but this plan is not free: your mailbox, browser, card or business has had its free first month.',
    amount: 1500,
    free: null,
    heldReferral: null,
  });
});

test('lets two parallel registrations from one network through, not more', async () => {
  const codes = [];
  for (let index = 0; index < 10; index += 1) codes.push((await signUp()).referralCode);
  const users = await Promise.all(codes.map((code) => signUp(code, { network: '203.0.116.9' })));
  const reasons = await Promise.all(users.map(holdReasonOf));
  expect([reasons.filter((one) => one === 'pending').length, reasons.filter((one) => one === network).length]).toEqual([2, 8]);
});

/** The last of three accounts with codes of strangers, from one network of its own. */
async function heldPair() {
  const origin = { network: `203.1.${made & 255}.9` };
  for (let index = 0; index < 2; index += 1) await signUp((await signUp()).referralCode, origin);
  const referrer = await signUp();
  const referred = await signUp(referrer.referralCode, origin);
  expect(await holdReasonOf(referred)).toBe(network);
  return { referrer, referred };
}

test('time never approves such a hold; it lapses after 60 days, and both people read why and how to object', async () => {
  const { referrer, referred } = await heldPair();
  later(60 * dayMs - 60_000);
  await decideDueReferrals(deps);
  expect(await holdReasonOf(referred)).toBe(network);
  later(61_000);
  await decideDueReferrals(deps);
  expect(await referralOf(referred)).toMatchObject({ status: 'refused', refused_because: `Nobody decided within 60 days. ${network}` });
  for (const [user, one] of [
    [referrer, 'One of your referrals'],
    [referred, 'Your sign-up with a referral code'],
  ] as const) {
    const [mail, ...others] = await emailsTo(user, `${one} does not count`);
    const blocks = JSON.stringify(mail?.blocks);
    expect(blocks).toContain(network);
    expect(blocks).toContain('/contact');
    expect(others).toEqual([]);
    expect(await hasSomething(user)).toBe(false);
  }
});

test('an administrator approves such a hold, and the tickets are issued then', async () => {
  const { referrer, referred } = await heldPair();
  const admin = await given.administrator();
  const { body } = await as(admin).get('/admin/referrals?status=held&limit=50');
  const { id } = await referralOf(referred);
  expect(body.referrals.find((one: { _id: string }) => one._id === id)).toMatchObject({
    heldBecause: network,
    heldOutcome: 'lapses',
    speaksAgainst: [{ rule: 'codes_from_network', severity: 'hold', text: network }],
    mayDecide: true,
  });
  later(25 * dayMs);
  expect((await as(admin).post(`/admin/referrals/${id}/decide`, { approve: true, reason: 'You share an office.' })).status).toBe(200);
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([1, 1]);
});

test('paying ends such a hold only with a card that no one else in the tree uses', async () => {
  const [one, other] = [await heldPair(), await heldPair()];
  await given.card(one.referrer, visa);
  await paid(one.referred, visa);
  expect(await holdReasonOf(one.referred)).toBe(network);
  await paid(other.referred, mastercard);
  expect([await holdReasonOf(other.referred), await ticketsOf(other.referrer)]).toEqual(['pending', 1]);
  await published(other.referred);
  expect([await referralOf(other.referred), await ticketsOf(other.referrer)]).toMatchObject([
    { status: 'converted', awaits_card: false },
    6,
  ]);
});

test('a conversion on a free month shows what is missing, and its tickets are issued in the month in which a card is saved', async () => {
  const { referrer, referred } = await waiting();
  const [row] = (await dashboardOf(referrer)).referrals;
  expect(row).toMatchObject({
    status: 'converted',
    heldBecause: 'no_card',
    heldUntil: null,
    heldOutcome: null,
    rewardType: null,
    swapUntil: null,
  });
  expect((await dashboardOf(referred)).ownReferral).toMatchObject({ status: 'converted', heldBecause: 'no_card' });
  expect([await ticketsOf(referrer), (await swap(referrer, referred)).body.code]).toEqual([1, 'reward_not_ready']);
  expect(await emailsTo(referrer, 'Somebody you referred has a live listing')).toEqual([]);
  later(25 * dayMs);
  await given.ownCard(referred);
  await giveDueRewards(deps);
  const period = await findRunningPeriod(db, clock);
  const { drawEntries, referrals } = await dashboardOf(referrer);
  expect(drawEntries.entries.find(({ source }: { source: string }) => source === 'listing')).toMatchObject({
    tickets: 5,
    status: 'active',
    expiryDate: period?.closesAt.toISOString(),
  });
  expect(referrals[0]).toMatchObject({
    status: 'converted',
    heldBecause: null,
    rewardType: 'draw_entries',
    swapUntil: period?.closesAt.toISOString(),
  });
  expect((await dashboardOf(referred)).ownReferral.heldBecause).toBe(null);
  expect(await emailsTo(referrer, 'Somebody you referred has a live listing')).toHaveLength(1);
  expect((await swap(referrer, referred)).status).toBe(200);
  await giveDueRewards(deps);
  expect(await countConversionTickets([referrer])).toBe(1);
});

test('saving a card of one’s own gives the reward at once, once, however often it is reported', async () => {
  const { referrer, referred } = await waiting();
  const { body } = await as(referred).post('/credit/setup-intent');
  await sandbox.confirmAtProvider(body.clientSecret, '378282246310005');
  const answers = await Promise.all(Array.from({ length: 5 }, () => as(referred).post('/credit', { setupIntentId: body.setupIntentId })));
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
  expect([await ticketsOf(referrer), await countConversionTickets([referrer])]).toEqual([6, 1]);
});

test('a card that another account uses gives no reward until that account has left', async () => {
  const { referrer, referred } = await waiting();
  const sharer = await signUp();
  for (const user of [sharer, referred]) await given.card(user, '4000000000007726');
  await giveDueRewards(deps);
  expect(await ticketsOf(referrer)).toBe(1);
  expect((await as(sharer).delete('/auth/account', { currentPassword: 'pohutukawa-9' })).status).toBe(200);
  await giveDueRewards(deps);
  expect(await ticketsOf(referrer)).toBe(6);
});

test('a card gives one reward, also after its first holder has left', async () => {
  const [one, other] = [await waiting(), await waiting()];
  await given.card(one.referred, '4000000000005423');
  expect(await ticketsOf(one.referrer)).toBe(6);
  expect((await as(one.referred).delete('/auth/account', { currentPassword: 'pohutukawa-9' })).status).toBe(200);
  await given.card(other.referred, '4000000000005423');
  await giveDueRewards(deps);
  expect(await ticketsOf(other.referrer)).toBe(1);
  await given.card(other.referred, '4000000000005126');
  expect(await ticketsOf(other.referrer)).toBe(6);
});

test('two accounts that save one card at the same time earn one reward at most', async () => {
  const two = [await waiting(), await waiting()];
  await Promise.all(two.map(({ referred }) => given.card(referred, '4000000000001976')));
  await giveDueRewards(deps);
  expect(await countConversionTickets(two.map(({ referrer }) => referrer))).toBeLessThanOrEqual(1);
});

test('a payment gives the waiting reward, and a later refund takes nothing back', async () => {
  const { referrer, referred } = await waiting();
  const intentId = await paid(referred, mastercard);
  expect(await ticketsOf(referrer)).toBe(6);
  const admin = await given.administrator();
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  const refunded = await as(admin).post(`/admin/payment/${id}/refund`, { reason: 'They asked for it.', requestId: randomUUID() });
  expect([refunded.status, await ticketsOf(referrer)]).toEqual([201, 6]);
});

test('a payment that has gone back gives no waiting reward', async () => {
  const referrer = await signUp();
  const referred = await signUp(referrer.referralCode);
  // Their only card has had the free month of another account, so they pay.
  const stranger = (await pair()).referred;
  await given.card(stranger, '4000000000002685');
  expect((await publish(stranger, 'premium')).status).toBe(201);
  await given.card(referred, '4000000000002685');
  const intentId = await paid(referred, mastercard);
  const admin = await given.administrator();
  const { id } = await db.selectFrom('payments').select('id').where('intent_id', '=', intentId).executeTakeFirstOrThrow();
  const form = { reason: 'They asked for it.', requestId: randomUUID(), keep: true };
  expect((await as(admin).post(`/admin/payment/${id}/refund`, form)).status).toBe(201);
  await published(referred);
  expect(await referralOf(referred)).toMatchObject({ status: 'converted', awaits_card: true });
  await giveDueRewards(deps);
  expect(await ticketsOf(referrer)).toBe(1);
});

test('a suspended account gives no reward until it is back', async () => {
  const { referrer, referred } = await waiting();
  await given.ownCard(referred);
  const setSuspended = (at: Date | null) => db.updateTable('users').set({ suspended_at: at }).where('id', '=', referred._id).execute();
  await setSuspended(clock.now());
  await giveDueRewards(deps);
  expect(await ticketsOf(referrer)).toBe(1);
  await setSuspended(null);
  await giveDueRewards(deps);
  expect(await ticketsOf(referrer)).toBe(6);
});

test('a waiting reward ends if the referred person leaves or an administrator refuses it', async () => {
  const [left, refused] = [await waiting(), await waiting()];
  expect((await as(left.referred).delete('/auth/account', { currentPassword: 'pohutukawa-9' })).status).toBe(200);
  expect(await referralOf(left.referred)).toMatchObject({ status: 'refused', refused_because: 'They have left.', awaits_card: false });
  expect(await ticketsOf(left.referrer)).toBe(1);
  const admin = await given.administrator();
  const { id } = await referralOf(refused.referred);
  expect((await as(admin).get('/admin/referrals?status=converted&limit=50')).body.referrals).toContainEqual(
    expect.objectContaining({ _id: id, heldBecause: 'no_card' }),
  );
  expect((await as(admin).post(`/admin/referrals/${id}/decide`, { approve: false, reason: 'One script.' })).body.status).toBe('refused');
  await given.ownCard(refused.referred);
  await giveDueRewards(deps);
  expect(await ticketsOf(refused.referrer)).toBe(0);
});

test('the audit finds a conversion without its tickets, and passes after all of these tests', async () => {
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault }) => fault))).toEqual([]);
  await waiting();
  await sql`update referrals set awaits_card = false`.execute(db);
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault }) => fault))).toContain(
    'it has converted, and its tickets have not been issued',
  );
});
