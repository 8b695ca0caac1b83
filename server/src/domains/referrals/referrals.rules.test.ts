import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { deviceHeader } from '@handwise/contract/call';
import { testApp } from '@handwise/sandbox/testing/app';
import { times } from '@handwise/sandbox/testing/times';
import { referralHooks } from '../../composition/hooks.ts';
import type { Reader } from '../../kit/database/database.ts';
import { isDisposable, getPrivateDomain } from '../../kit/mail/mail-domains.ts';
import { normalizeMailbox } from '../../kit/mail/mailbox.ts';
import { decideDueReferrals } from './referrals.decide.ts';
import { deleteExpiredData } from './referrals.jobs.ts';
import { describeRule, evaluateRules, referralCodeNumber, referralCodePrefix } from './referrals.rules.ts';

const { db, given, callers, outbox, parts } = await testApp();
const { as, from } = callers;
const { clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

let year = 2028;
let admin: User;
beforeEach(async () => {
  year += 1;
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
  admin = await newAdmin();
});
const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));
const hour = 3_600_000;
const day = 24 * hour;

let made = 0;
type SignUpOptions = { email?: string; network?: string; device?: string; username?: string };
/** Registers a user with a code, by default from its own network, mail domain and browser. */
async function signUp(
  referralCode: string | undefined,
  { network, device, ...form }: SignUpOptions = {},
): Promise<User & { device: string }> {
  made += 1;
  const name = `comer_${made}`;
  const body = {
    fullName: 'Tama Rua',
    username: name,
    email: `${name}@comer${made}.example`,
    password: 'pohutukawa-9',
    referralCode,
    ...form,
  };
  const headers: Record<string, string> = device === undefined ? {} : { [deviceHeader]: device };
  const answer = await from(network ?? `198.${made >> 8}.${made & 255}.7`, headers).post('/auth/register', body);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return { ...answer.body.data, device: answer.body.device };
}
const member = async (email?: string) => given.confirmed(await signUp(undefined, email === undefined ? {} : { email }));
/** Enters a code at the payment step, each time from another network. */
const enter = (user: User, referralCode: string) => {
  made += 1;
  const caller = from(`198.${made >> 8}.${made & 255}.7`, { authorization: `Bearer ${user.token}` });
  return caller.post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode });
};
const publish = (user: User, plan: 'basic' | 'premium' | 'featured' = 'basic') =>
  as(user).postForm('/listing/create', given.listingForm(plan));
const rowOf = async (user: { _id: string }) =>
  db.selectFrom('referrals').selectAll().where('referred_id', '=', user._id).orderBy('created_at', 'desc').executeTakeFirst();
const statusOf = async (user: { _id: string }): Promise<string> => (await rowOf(user))?.status ?? 'none';
const rulesOf = async (user: { _id: string }) =>
  (await db.selectFrom('referral_findings').select(['rule', 'severity']).where('referred_id', '=', user._id).orderBy('rule').execute()).map(
    ({ rule, severity }) => `${severity}: ${rule}`,
  );
const ticketsOf = async (user: User) => (await as(user).get('/referral/dashboard')).body.drawEntries.total as number;
const freeListings = async () =>
  (await db.selectFrom('subscriptions').select('id').where('source', 'in', ['free_first_month', 'free_month']).execute()).length;
const newAdmin = async () => {
  const user = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
  return user;
};
const decide = (id: string | undefined, approve: boolean, by = admin) =>
  as(by).post(`/admin/referrals/${id}/decide`, { approve, reason: 'We have looked at it.' });
const listHeldReferrals = async () => (await as(admin).get('/admin/referrals?status=held&limit=100')).body;
const emailsTo = async (user: User, subject: string) =>
  (await outbox.mails()).filter((mail) => mail.to === user.email && mail.subject === subject);
/** Texts and URLs of the emails to a user with this subject. */
const textsTo = async (user: User, subject: string) =>
  (await emailsTo(user, subject)).map(({ blocks }) =>
    blocks.map((block) => (block.kind === 'button' ? block.url : 'text' in block ? block.text : '')),
  );
const objecting = ['If you think we are wrong, tell us why: an administrator will read it and answer.', 'http://localhost:3000/contact'];
/** A referral held because both people have used one browser. */
async function createHeldReferral() {
  const referrer = await signUp(undefined);
  await given.confirmed(referrer);
  const referred = await signUp(referrer.referralCode, { device: referrer.device });
  await given.confirmed(referred);
  return { referrer, referred, id: (await rowOf(referred))?.id ?? '' };
}

test.each([
  ['Mere.Kingi+shop@GoogleMail.com', 'merekingi@gmail.com'],
  ['merekingi-2@gmail.com', 'merekingi@gmail.com'],
  ['mere+1@hotmail.com', 'mere@outlook.com'],
  ['mere@live.co.nz', 'mere@outlook.com'],
  ['mere@msn.com', 'mere@outlook.com'],
  ['mere-2@outlook.com', 'mere-2@outlook.com'],
  ['mere-shop@yahoo.co.nz', 'mere@yahoo.co.nz'],
  ['mere-shop@ymail.com', 'mere@ymail.com'],
  ['mere+x@me.com', 'mere@icloud.com'],
  ['me.re-k_i+x@pm.me', 'mereki@proton.me'],
  ['anything@mere.fastmail.com', 'mere@fastmail.com'],
  ['mere+x@fastmail.com', 'mere@fastmail.com'],
  ['mere.kingi+x@example.org', 'mere.kingi@example.org'],
  ['mere-kingi@example.org', 'mere-kingi@example.org'],
  ['mere@outlook.example.org', 'mere@outlook.example.org'],
  ['MERE@EXAMPLE.ORG', 'mere@example.org'],
])('%s is the mailbox %s', (email, mailbox) => {
  expect(normalizeMailbox(email)).toBe(mailbox);
});

test('recognises disposable mail domains and their subdomains', () => {
  expect(['x@mailinator.com', 'x@A.Mailinator.com', 'x@yopmail.com'].map(isDisposable)).toEqual([true, true, true]);
  expect(['x@gmail.com', 'x@example.org', 'mailinator.com@example.org', 'x@com', 'x'].map(isDisposable)).toEqual(Array(5).fill(false));
});

test.each([
  ['mere@gmail.com', undefined],
  ['mere@xtra.co.nz', undefined],
  ['mere@slingshot.co.nz', undefined],
  ['mere@internode.on.net', undefined],
  ['mere@mail.fastmail.com', undefined],
  ['Mere@Kingi.co.nz', 'kingi.co.nz'],
  ['mere@a1.kingi.co.nz', 'kingi.co.nz'],
  ['mere@example.org', 'example.org'],
])('%s has the private mail domain %s', (email, domain) => {
  expect(getPrivateDomain(email)).toBe(domain);
});

const clean = {
  isOwnCode: false,
  isSameMailbox: false,
  isDisposable: false,
  isMailboxUsed: false,
  ring: 0,
  sharesMailbox: false,
  sharesCard: false,
  sharesDevice: false,
  fromNetwork: 0,
  fromDomain: 0,
  codesFromNetwork: 0,
  codesFromBlock: 0,
  codesFromDomain: 0,
  withinHour: 0,
  hasPaidAlone: false,
};
const everywhere = ['registration', 'payment_step', 'conversion'];
const entering = ['registration', 'payment_step'];
test.each([
  ['own_code', 'reject', { isOwnCode: true }, entering],
  ['same_mailbox', 'reject', { isSameMailbox: true }, everywhere],
  ['mailbox_used', 'reject', { isMailboxUsed: true }, entering],
  ['mailbox_of_tree', 'reject', { sharesMailbox: true }, everywhere],
  ['disposable_address', 'reject', { isDisposable: true }, everywhere],
  ['mutual_codes', 'reject', { ring: 2 }, entering],
  ['ring', 'reject', { ring: 3 }, entering],
  ['same_card', 'hold', { sharesCard: true }, everywhere],
  ['same_device', 'hold', { sharesDevice: true }, everywhere],
  ['many_from_network', 'hold', { fromNetwork: 2 }, everywhere],
  ['many_from_domain', 'hold', { fromDomain: 2 }, everywhere],
  ['fast_sign_ups', 'hold', { withinHour: 10 }, entering],
  ['second_from_network', 'watch', { fromNetwork: 1 }, entering],
])('the rule %s finds %s only at its steps', (rule, severity, facts, scopes) => {
  for (const scope of ['registration', 'payment_step', 'conversion'] as const) {
    const result = evaluateRules(scope, { ...clean, ...facts });
    expect([scope, result.severity, result.findings]).toEqual(
      scopes.includes(scope) ? [scope, severity, [{ rule, severity }]] : [scope, null, []],
    );
    expect(result.because !== '').toBe(scopes.includes(scope) && severity !== 'watch');
  }
});

test('the most severe finding decides and gives the reason; all findings are returned', () => {
  const result = evaluateRules('registration', { ...clean, ring: 2, sharesCard: true, fromNetwork: 1 });
  expect(result).toEqual({
    severity: 'reject',
    findings: [
      { rule: 'mutual_codes', severity: 'reject' },
      { rule: 'same_card', severity: 'hold' },
      { rule: 'second_from_network', severity: 'watch' },
    ],
    because: 'The two accounts used each other’s codes.',
    lapses: false,
  });
  expect(evaluateRules('registration', { ...clean, sharesCard: true, sharesDevice: true }).because).toBe(
    'An account that is connected by referrals has used the same card. An account that is connected by referrals has been used in the same browser.',
  );
  expect(evaluateRules('registration', { ...clean, fromNetwork: 0, fromDomain: 1, withinHour: 9 }).severity).toBeNull();
});

test.each([
  ['same_card', { sharesCard: true }, true],
  ['same_device', { sharesDevice: true }, true],
  ['many_from_network', { fromNetwork: 2 }, true],
  ['many_from_domain', { fromDomain: 2 }, true],
  ['fast_sign_ups', { withinHour: 10 }, false],
])('a hold by %s either lapses and is resolved by an own payment, or is approved by time', (_, facts, lapses) => {
  expect(evaluateRules('registration', { ...clean, ...facts })).toMatchObject({ severity: 'hold', lapses });
  expect(evaluateRules('registration', { ...clean, ...facts, hasPaidAlone: true }).severity).toBe(lapses ? null : 'hold');
  expect(evaluateRules('registration', { ...clean, ...facts, withinHour: 10 })).toMatchObject({ lapses });
});

test('three scripted sign-ups without confirmed addresses publish nothing for free', async () => {
  const before = await freeListings();
  const referrer = await member();
  const users = await times(3, () => signUp(referrer.referralCode, { network: '203.0.113.9' }));
  for (const user of users) {
    for (const answer of await times(10, () => publish(user, 'featured'))) expect([402, 403]).toContain(answer.status);
  }
  expect(await freeListings()).toBe(before);
  expect((await Promise.all(users.map(statusOf))).toSorted()).toEqual(['held', 'pending', 'pending']);
});

test('three confirmed accounts with one card get one free premium or featured month', async () => {
  const before = await freeListings();
  const referrer = await member();
  const { referralCode } = referrer;
  const users = [await signUp(referralCode), await signUp(referralCode), await signUp(referralCode)] as const;
  const first = async (user: User) => (await as(user).post('/plan-user/create-intent', { planId: given.planId('featured') })).body;
  for (const user of users) await given.confirmed(user);
  const [one, ...others] = users;
  expect(await first(one)).toMatchObject({ amount: 0, free: { needs: 'saved_card' } });
  expect(await publish(one, 'featured')).toMatchObject({ status: 402, body: { code: 'card_needed' } });
  await given.card(one);
  expect((await publish(one, 'featured')).status).toBe(201);
  for (const user of others) {
    await given.card(user);
    expect(await first(user)).toMatchObject({ amount: 3500, free: null });
    for (const plan of ['featured', 'basic'] as const)
      expect(await publish(user, plan)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  }
  expect(await freeListings()).toBe(before + 1);
});

test('a card of the code’s owner gives no free month', async () => {
  const referrer = await member();
  await given.card(referrer);
  const user = await given.confirmed(await signUp(referrer.referralCode));
  await given.card(user);
  expect(await publish(user, 'premium')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
});

test('refers one mailbox once in every spelling', async () => {
  const [one, other] = [await member(), await member()];
  const first = await signUp(one.referralCode, { email: 'hemi.walker@gmail.com' });
  const again = await signUp(other.referralCode, { email: 'hemiwalker-2@googlemail.com' });
  expect([await statusOf(first), await statusOf(again)]).toEqual(['pending', 'refused']);
  expect(await rulesOf(again)).toEqual(['reject: mailbox_used']);
  expect([await ticketsOf(one), await ticketsOf(other), await ticketsOf(again)]).toEqual([1, 0, 0]);
  const answers = await times(4, (index) => signUp((index % 2 ? one : other).referralCode, { email: `hana+${index}@outlook.com` }));
  expect((await Promise.all(answers.map(statusOf))).toSorted()).toEqual(['pending', 'refused', 'refused', 'refused']);
});

test.each([
  ['mere.kingi@gmail.com', 'merekingi-2@gmail.com'],
  ['mere.a@hotmail.com', 'mere.a+2@live.com'],
  ['rewi@yahoo.co.nz', 'rewi-shop@yahoo.co.nz'],
])('%s cannot refer itself as %s: no ticket, no free month, and the reason is shown', async (email, second) => {
  const referrer = await member(email);
  const user = await given.confirmed(await signUp(referrer.referralCode, { email: second }));
  expect(await rowOf(user)).toMatchObject({ status: 'refused', refused_because: 'Both accounts have the same mailbox.' });
  expect(await rulesOf(user)).toContain('reject: same_mailbox');
  expect([await ticketsOf(referrer), await ticketsOf(user)]).toEqual([0, 0]);
  expect(await publish(user)).toMatchObject({ status: 402 });
  expect((await as(user).get('/referral/dashboard')).body.ownReferral).toMatchObject({
    status: 'refused',
    refusedBecause: 'Both accounts have the same mailbox.',
  });
});

test('gives no rewards to a disposable address', async () => {
  const referrer = await member();
  const user = await signUp(referrer.referralCode, { email: 'somebody@mailinator.com' });
  expect([await statusOf(user), await ticketsOf(referrer)]).toEqual(['refused', 0]);
  const late = await given.user({ email: 'late@yopmail.com' });
  expect(await enter(late, referrer.referralCode)).toMatchObject({ status: 409, body: { code: 'referral_refused' } });
  expect(await rulesOf(late)).toEqual(['reject: disposable_address']);
  expect(await statusOf(late)).toBe('none');
});

test('rejects mutual codes, even in parallel, and codes that close a ring', async () => {
  const [one, other] = [await member(), await member()];
  const answers = await Promise.all([enter(one, other.referralCode), enter(other, one.referralCode)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(answers.find(({ status }) => status === 409)?.body).toMatchObject({
    code: 'referral_refused',
    message: 'The two accounts used each other’s codes.',
  });
  const [a, b, c] = [await member(), await member(), await member()];
  expect((await enter(a, b.referralCode)).status).toBe(200);
  expect((await enter(b, c.referralCode)).status).toBe(200);
  expect(await enter(c, a.referralCode)).toMatchObject({
    status: 409,
    body: { message: 'The codes of several accounts form a circle.' },
  });
  expect(await rulesOf(c)).toEqual(['reject: ring']);
  expect(await statusOf(c)).toBe('none');
});

test('holds sign-ups with a code after ten within an hour', async () => {
  const referrer = await member();
  for (let index = 0; index < 10; index += 1) expect(await statusOf(await signUp(referrer.referralCode))).toBe('pending');
  later(hour - 60_000);
  const fast = await signUp(referrer.referralCode);
  expect([await statusOf(fast), await rulesOf(fast)]).toEqual(['held', ['hold: fast_sign_ups']]);
  later(61_000);
  expect(await statusOf(await signUp(referrer.referralCode))).toBe('pending');
});

test('a hold gives no ticket or free month and both people read why, until when and how to object', async () => {
  const { referrer, referred } = await createHeldReferral();
  const heldBecause = 'An account that is connected by referrals has been used in the same browser.';
  const heldUntil = new Date(Date.UTC(year, 6, 9)).toISOString().slice(0, 10);
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([0, 0]);
  expect(await publish(referred)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  const [shown] = (await as(referrer).get('/referral/dashboard')).body.referrals;
  expect(shown).toMatchObject({
    status: 'pending',
    heldBecause,
    heldUntil: expect.stringContaining(heldUntil),
    heldOutcome: 'lapses',
    rewardType: null,
  });
  expect((await as(referred).get('/referral/dashboard')).body.ownReferral).toMatchObject({ status: 'pending', heldBecause });
  const until = `If nobody has decided by Jul 9, ${year}, it lapses and earns nothing.`;
  expect(await textsTo(referrer, 'One of your referrals is being checked')).toEqual([
    [
      `One of your referrals is being checked. Its rewards wait for an administrator. The reason: ${heldBecause}`,
      `It counts at once if the new account pays for a plan with a card that no connected account uses. ${until}`,
      ...objecting,
    ],
  ]);
  expect(await textsTo(referred, 'Your sign-up with a referral code is being checked')).toEqual([
    [
      `Your sign-up with a referral code is being checked. Its ticket and your free first month wait for an administrator. The reason: ${heldBecause}`,
      `It counts at once if you pay for a plan with a card that no connected account uses. ${until}`,
      ...objecting,
    ],
  ]);
  expect((await as(referrer).get('/referral/notifications')).body.notifications).toEqual([]);
});

test('approval issues the tickets in the month of the decision and counts what happened meanwhile', async () => {
  const { referrer, referred, id } = await createHeldReferral();
  await given.card(referrer);
  const paymentId = await given.payment(referred);
  expect((await as(referred).postForm('/listing/create', given.listingForm('basic', { paymentId }))).status).toBe(201);
  expect(await rowOf(referred)).toMatchObject({ status: 'held', listing_id: expect.any(String) });
  clock.set(new Date(`${year}-06-02T00:00:00Z`));
  const shown = (await listHeldReferrals()).referrals.find((one: { _id: string }) => one._id === id);
  expect(shown).toMatchObject({
    _id: id,
    status: 'held',
    referrer: { _id: referrer._id, email: referrer.email, emailConfirmed: true },
    referred: { _id: referred._id },
    listing: { title: 'Friendly local plumber' },
    speaksFor: expect.arrayContaining(['Both have confirmed their email address.', 'The new account has published a listing.']),
    speaksAgainst: [
      { rule: 'same_device', severity: 'hold', text: 'An account that is connected by referrals has been used in the same browser.' },
    ],
    heldOutcome: 'lapses',
    decision: null,
    mayDecide: true,
  });
  const answers = await times(5, () => decide(id, true));
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  expect(answers.find(({ status }) => status === 200)?.body).toEqual({ message: 'The referral counts.', status: 'converted' });
  const { drawEntries } = (await as(referrer).get('/referral/dashboard')).body;
  expect(drawEntries.entries.map(({ source, period }: { source: string; period: string }) => [source, period])).toEqual([
    ['listing', `${year}-06`],
    ['referral', `${year}-06`],
  ]);
  expect(await ticketsOf(referred)).toBe(1);
  const rest = ['The administrator’s reason: We have looked at it.', 'http://localhost:3000/referral'];
  expect(await textsTo(referrer, 'Your referral counts')).toEqual([
    ['One of your referrals, which we had to check, counts. Its rewards have been issued.', ...rest],
  ]);
  expect(await textsTo(referred, 'Your sign-up with a referral code counts')).toEqual([
    ['Your sign-up with a referral code, which we had to check, counts. Its rewards have been issued.', ...rest],
  ]);
  // They paid for their first plan while the referral was held.
  expect((await as(referred).get('/plan-user/my-subscriptions')).body.data).toMatchObject({
    credits: [{ source: 'first_month' }],
    freeFirstMonth: false,
  });
  expect((await as(admin).get('/admin/referrals?status=converted')).body.referrals[0]).toMatchObject({
    _id: id,
    decision: { approved: true, reason: 'We have looked at it.', decidedBy: 'Mere Kingi' },
  });
});

test('approval gives no second free first month to an account whose referral was held after its first', async () => {
  const { referralCode } = await member();
  const network = '198.51.100.7';
  const referred = await given.confirmed(await signUp(referralCode, { network }));
  for (const _ of [1, 2]) await signUp(referralCode, { network });
  expect((await publish(referred)).status).toBe(201);
  expect(await statusOf(referred)).toBe('held');
  expect((await decide((await rowOf(referred))?.id, true)).status).toBe(200);
  expect((await as(referred).get('/plan-user/my-subscriptions')).body.data).toMatchObject({ credits: [], freeFirstMonth: false });
});

test('refusing a held referral gives no rewards and both read the reason', async () => {
  const { referrer, referred, id } = await createHeldReferral();
  expect((await decide(id, false)).body).toEqual({ message: 'The referral does not count.', status: 'refused' });
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([0, 0]);
  const rest = ['The administrator’s reason: We have looked at it.', ...objecting];
  expect(await textsTo(referrer, 'One of your referrals does not count')).toEqual([
    ['One of your referrals does not count and earns no rewards.', ...rest],
  ]);
  expect(await textsTo(referred, 'Your sign-up with a referral code does not count')).toEqual([
    ['Your sign-up with a referral code does not count and earns no rewards.', ...rest],
  ]);
  expect((await publish(referred)).status).toBe(402);
  expect((await as(referrer).get('/referral/dashboard')).body.referrals[0]).toMatchObject({
    status: 'refused',
    refusedBecause: 'We have looked at it.',
    heldBecause: null,
  });
  const friend = await member();
  expect((await enter(referred, friend.referralCode)).status).toBe(200);
});

test('holds a referral whose people share a card; refusing it voids the sign-up tickets', async () => {
  const referrer = await member();
  const referred = await given.confirmed(await signUp(referrer.referralCode));
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([1, 1]);
  await given.card(referrer);
  await given.card(referred);
  const paymentId = await given.payment(referred);
  expect((await as(referred).postForm('/listing/create', given.listingForm('basic', { paymentId }))).status).toBe(201);
  expect([await statusOf(referred), await rulesOf(referred), await ticketsOf(referrer)]).toEqual(['held', ['hold: same_card'], 1]);
  expect(await emailsTo(referrer, 'One of your referrals is being checked')).toHaveLength(1);
  await decide((await rowOf(referred))?.id, false);
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([0, 0]);
  const { entries } = (await as(referrer).get('/referral/dashboard')).body.drawEntries;
  expect(entries).toMatchObject([{ status: 'void', voidReason: 'fraud' }]);
});

test('does not hold an approved referral again when its listing goes live', async () => {
  const { referrer, referred, id } = await createHeldReferral();
  expect((await decide(id, true)).body.status).toBe('pending');
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([1, 1]);
  // Their first month is still unused.
  expect((await as(referred).get('/plan-user/my-subscriptions')).body.data).toMatchObject({ credits: [], freeFirstMonth: true });
  await given.ownCard(referred);
  expect((await publish(referred)).status).toBe(201);
  expect([await statusOf(referred), await ticketsOf(referrer)]).toEqual(['converted', 6]);
});

test('refuses an account that has changed to the referrer’s mailbox before its listing goes live', async () => {
  const referrer = await member('aroha.one@gmail.com');
  const referred = await given.confirmed(await signUp(referrer.referralCode));
  await db.updateTable('users').set({ email: 'arohaone+2@gmail.com' }).where('id', '=', referred._id).execute();
  expect((await publish(referred)).status).toBe(201);
  // Rewards from before the finding stay until an administrator voids them.
  expect([await statusOf(referred), await ticketsOf(referrer), await ticketsOf(referred)]).toEqual(['refused', 1, 1]);
  const because = expect.arrayContaining([expect.stringContaining('Both accounts have the same mailbox.')]);
  expect(await textsTo(referrer, 'One of your referrals does not count')).toEqual([because]);
  const renamed = { ...referred, email: 'arohaone+2@gmail.com' };
  expect(await textsTo(renamed, 'Your sign-up with a referral code does not count')).toEqual([because]);
  const { id } = (await rowOf(referred)) ?? {};
  expect((await decide(id, true)).body.code).toBe('already_decided');
  expect((await decide(id, false)).body.status).toBe('refused');
  expect([await ticketsOf(referrer), await ticketsOf(referred)]).toEqual([0, 0]);
  expect(await rowOf(referred)).toMatchObject({
    refused_because: 'Both accounts have the same mailbox.',
    approved: false,
    decision_reason: 'We have looked at it.',
  });
  expect((await decide(id, false)).body.code).toBe('already_decided');
});

test('approves a hold for many sign-ups after fourteen days without a decision', async () => {
  const referrer = await member();
  for (let index = 0; index < 10; index += 1) await signUp(referrer.referralCode);
  const { id } = (await rowOf(await signUp(referrer.referralCode))) ?? { id: '' };
  later(14 * day - 1_000);
  const run = () => decideDueReferrals({ context: parts.context, hooks: referralHooks });
  await run();
  expect((await db.selectFrom('referrals').select('status').where('id', '=', id).executeTakeFirst())?.status).toBe('held');
  later(2_000);
  await Promise.all([run(), run()]);
  admin = await newAdmin();
  expect(await db.selectFrom('referrals').select(['status', 'decided_by', 'approved']).where('id', '=', id).executeTakeFirst()).toEqual({
    status: 'pending',
    decided_by: null,
    approved: true,
  });
  expect(await textsTo(referrer, 'Your referral counts')).toEqual([
    [expect.any(String), 'The reason: Nobody decided in time.', 'http://localhost:3000/referral'],
  ]);
  expect(await decide(id, false)).toMatchObject({ status: 409, body: { code: 'already_decided' } });
});

test('a due referral that cannot be decided does not stop the others', async () => {
  const [broken, intact] = [await createHeldReferral(), await createHeldReferral()];
  const reviewed = await createHeldReferral();
  await db.updateTable('referrals').set({ held_lapses: false }).where('id', 'in', [broken.id, intact.id]).execute();
  later(61 * day);
  await decide(reviewed.id, true, await newAdmin());
  const hooks = {
    ...referralHooks,
    hasHadPlan: (reader: Reader, userId: string) =>
      userId === broken.referred._id ? Promise.reject(new Error('broken')) : referralHooks.hasHadPlan(reader, userId),
  };
  await decideDueReferrals({ context: parts.context, hooks });
  expect([await statusOf(broken.referred), await statusOf(intact.referred), await statusOf(reviewed.referred)]).toEqual([
    'held',
    'pending',
    'pending',
  ]);
  await decideDueReferrals({ context: parts.context, hooks: referralHooks });
  expect(await statusOf(broken.referred)).toBe('pending');
});

test('only uninvolved administrators decide; the queue counts held, refused and wrongly held referrals', async () => {
  const before = (await listHeldReferrals()).counts;
  const { referred, id } = await createHeldReferral();
  const wrong = await createHeldReferral();
  const refused = await createHeldReferral();
  expect((await decide(id, true, referred)).status).toBe(403);
  const involved = await createHeldReferral();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', involved.referrer._id).execute();
  expect(await decide(involved.id, true, involved.referrer)).toMatchObject({ status: 403, body: { code: 'own_matter' } });
  // Nor does the one who was referred.
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', involved.referred._id).execute();
  expect(await decide(involved.id, true, involved.referred)).toMatchObject({ status: 403, body: { code: 'own_matter' } });
  const { referrals } = (await as(involved.referrer).get('/admin/referrals?status=held&limit=100')).body;
  expect(referrals.find((one: { _id: string }) => one._id === involved.id).mayDecide).toBe(false);
  expect(await decide('00000000-0000-7000-8000-000000000000', true)).toMatchObject({ status: 404, body: { code: 'referral_not_found' } });
  await decide(wrong.id, true);
  await decide((await createHeldReferral()).id, true);
  await decide(refused.id, false);
  const { counts, referrals: held } = await listHeldReferrals();
  expect((await as(admin).get('/admin/overview')).body).toMatchObject({
    heldReferrals: counts.held,
    refusedReferrals: counts.refused,
    wronglyHeldReferrals: counts.wronglyHeld,
  });
  expect(counts).toEqual({
    held: before.held + 2,
    everHeld: before.everHeld + 5,
    refused: before.refused + 1,
    wronglyHeld: before.wronglyHeld + 2,
  });
  expect(held.map((one: { _id: string }) => one._id).slice(-2)).toEqual([id, involved.id]);
  expect((await as(referred).get('/admin/referrals')).status).toBe(403);
});

test('shows an administrator both people and what speaks for and against a referral', async () => {
  const { referrer, referred, id } = await createHeldReferral();
  const find = async (query = 'status=held') =>
    (await as(await newAdmin()).get(`/admin/referrals?limit=100&${query}`)).body.referrals.find((one: { _id: string }) => one._id === id);
  const toPerson = ({ _id, fullName, username, email }: User) => ({
    _id,
    fullName,
    username,
    email,
    createdAt: expect.any(String),
    emailConfirmed: true,
  });
  await db.updateTable('users').set({ created_at: clock.now() }).where('id', '=', referrer._id).execute();
  const held = await find();
  expect(held).toEqual({
    _id: id,
    code: referrer.referralCode,
    status: 'held',
    createdAt: expect.any(String),
    heldBecause: 'An account that is connected by referrals has been used in the same browser.',
    heldUntil: new Date(Date.parse(held.createdAt) + 60 * day).toISOString(),
    heldOutcome: 'lapses',
    referrer: toPerson(referrer),
    referred: toPerson(referred),
    listing: null,
    speaksFor: ['Both have confirmed their email address.', 'They have no card in common.'],
    speaksAgainst: [
      {
        rule: 'same_device',
        severity: 'hold',
        text: 'An account that is connected by referrals has been used in the same browser.',
        createdAt: held.createdAt,
      },
    ],
    decision: null,
    mayDecide: true,
  });
  for (const user of [referrer, referred]) await given.card(user, '378282246310005');
  await db.updateTable('users').set({ email_confirmed_at: null }).where('id', '=', referrer._id).execute();
  expect((await find()).speaksFor).toEqual([]);
  later(7 * day + 1_000);
  expect((await find()).speaksFor).toEqual(['The account with the code is older than a week.']);
  const admin = await newAdmin();
  expect((await decide(id, true, admin)).status).toBe(200);
  expect(await find('')).toMatchObject({
    status: 'pending',
    decision: { approved: true, reason: expect.any(String), decidedBy: admin.fullName, decidedAt: expect.any(String) },
    mayDecide: false,
  });
  const { body } = await publish(referred);
  expect(await find('status=converted')).toMatchObject({
    listing: { _id: body._id, title: 'Friendly local plumber' },
    speaksFor: expect.arrayContaining(['The new account has published a listing.']),
  });
});

test('pages through the referrals of a state', async () => {
  for (const _ of [1, 2, 3]) await createHeldReferral();
  const get = async (query: string) => (await as(admin).get(`/admin/referrals?${query}`)).body;
  const all = await get('status=held&limit=100');
  expect(all).toMatchObject({ currentPage: 1, totalPages: 1, total: all.referrals.length });
  const second = await get('status=held&limit=2&page=2');
  expect(second).toMatchObject({ currentPage: 2, total: all.total, totalPages: Math.ceil(all.total / 2) });
  expect(second.referrals.map(({ _id }: { _id: string }) => _id)).toEqual(all.referrals.slice(2, 4).map(({ _id }: { _id: string }) => _id));
  const { count } = await db
    .selectFrom('referrals')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .executeTakeFirstOrThrow();
  expect((await get('limit=1')).total).toBe(Number(count));
});

test('a free month has no value in a later change of plan', async () => {
  const referrer = await member();
  const user = await given.confirmed(await signUp(referrer.referralCode));
  const { body } = await publish(user);
  await sql`update subscriptions set starts_at = starts_at - interval '1 day', ends_at = ends_at - interval '1 day' where user_id = ${user._id}`.execute(
    db,
  );
  const price = async (plan: 'premium' | 'featured') =>
    (await as(user).get(`/plan-user/quote?planId=${given.planId(plan)}&listingId=${body._id}`)).body;
  expect(await price('featured')).toMatchObject({
    amount: 3500,
    reason: 'Featured $35.00. A free month of Basic takes nothing off it.',
    free: null,
  });
  const changed = await as(user).put(`/listing/${body._id}/plan`, { planId: given.planId('featured'), paymentId: await given.card(user) });
  expect(changed.body).toMatchObject({ status: 'done', amount: 3500 });
});

test('gives one free first month to two parallel accounts of one mailbox', async () => {
  const before = await freeListings();
  const [one, other] = [await member(), await member()];
  const first = await given.confirmed(await signUp(one.referralCode, { email: 'tui.one@gmail.com' }));
  const second = await given.confirmed(await signUp(other.referralCode));
  await db.updateTable('users').set({ email: 'tuione+2@gmail.com' }).where('id', '=', second._id).execute();
  const answers = await Promise.all([publish(first), publish(second)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 402]);
  expect(await freeListings()).toBe(before + 1);
});

test('shows the full price to an account that takes over a mailbox with a used free month', async () => {
  const [one, other] = [await member(), await member()];
  const first = await given.confirmed(await signUp(one.referralCode, { email: 'kea.one@gmail.com' }));
  const second = await given.confirmed(await signUp(other.referralCode));
  const createIntent = async () => (await as(second).post('/plan-user/create-intent', { planId: given.planId('basic') })).body;
  expect((await publish(first)).status).toBe(201);
  expect(await createIntent()).toMatchObject({ amount: 0, free: { source: 'free_first_month' } });
  await db.updateTable('users').set({ email: 'keaone+2@gmail.com' }).where('id', '=', second._id).execute();
  expect(await createIntent()).toMatchObject({ amount: 1500, free: null });
});

test('gives one free first month per browser', async () => {
  const [one, other] = [await member(), await member()];
  const first = await signUp(one.referralCode);
  await given.confirmed(first);
  expect((await publish(first)).status).toBe(201);
  const second = await given.confirmed(await signUp(other.referralCode, { device: first.device }));
  expect(await statusOf(second)).toBe('pending');
  expect(await publish(second)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
});

test('deletes the network of an origin after a day and the whole origin after 90', async () => {
  const user = await signUp(undefined);
  const originOf = () =>
    db.selectFrom('referral_origins').select(['network_key', 'domain_key']).where('user_id', '=', user._id).executeTakeFirst();
  await deleteExpiredData(parts.context);
  expect(await originOf()).toEqual({ network_key: expect.any(String), domain_key: expect.any(String) });
  later(day + 1_000);
  await deleteExpiredData(parts.context);
  expect(await originOf()).toEqual({ network_key: null, domain_key: expect.any(String) });
  later(89 * day + 1_000);
  await deleteExpiredData(parts.context);
  expect(await originOf()).toBeUndefined();
});

test.each([
  ['tane_p', 'REF-TAN-'],
  ['T4n3', 'REF-TNX-'],
  ['7_7', 'REF-XXX-'],
  ['Māia', 'REF-MIA-'],
  ['zoe', 'REF-ZOE-'],
])('the code of %s starts with %s', (username, prefix) => {
  expect(referralCodePrefix(username)).toBe(prefix);
});

test('the number of a code has four digits plus one per collision', () => {
  expect([0, 1, 2].map((attempt) => referralCodeNumber(attempt, (bound) => bound - 1))).toEqual(['9999', '99999', '999999']);
  expect([0, 1].map((attempt) => referralCodeNumber(attempt, () => 7))).toEqual(['0007', '00007']);
});

test('a rule that no longer exists is described by its name', () => {
  expect(describeRule('own_code')).toMatch(/^[A-Z].*\.$/);
  expect(describeRule('deleted_rule')).toBe('deleted_rule');
});
