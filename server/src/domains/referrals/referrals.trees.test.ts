import { sql } from 'kysely';
import { beforeEach, expect, test } from 'vitest';
import { deviceHeader } from '@handwise/contract/call';
import { dayMs } from '@handwise/contract/dates';
import { testApp } from '@handwise/sandbox/testing/app';
import { runAudits } from '../../composition/audit.ts';
import { referralHooks } from '../../composition/hooks.ts';
import { decideDueReferrals } from './referrals.decide.ts';

const { db, given, callers, outbox, parts, sandbox } = await testApp();
const { as, confirm, from } = callers;
const { clock } = parts;

type User = Awaited<ReturnType<typeof given.user>>;

const visa = '4242424242424242';
const mastercard = '5555555555554444';
const amex = '378282246310005';

let year = 2030;
beforeEach(() => {
  year += 1;
  clock.set(new Date(`${year}-05-10T00:00:00Z`));
});
const later = (ms: number) => clock.set(new Date(clock.now().getTime() + ms));

let made = 0;
type SignUpOptions = { network?: string; domain?: string; device?: string; email?: string };
/** Registers a user with a code, by default from its own network, mail domain and browser. */
async function signUp(referralCode?: string, { network, domain, device, email }: SignUpOptions = {}): Promise<User & { device: string }> {
  made += 1;
  const name = `comer_${made}`;
  const own = `${name}@${domain ?? `comer${made}.example`}`;
  const form = { fullName: 'Tama Rua', username: name, email: email ?? own, password: 'pohutukawa-9', referralCode };
  const headers: Record<string, string> = device === undefined ? {} : { [deviceHeader]: device };
  const answer = await from(network ?? `198.${made >> 8}.${made & 255}.7`, headers).post('/auth/register', form);
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  await given.confirmed(answer.body.data);
  return { ...answer.body.data, device: answer.body.device };
}
/** Signs the same account in from another network and browser. */
const enter = (user: User, referralCode: string) => {
  made += 1;
  const caller = from(`198.${made >> 8}.${made & 255}.7`, { authorization: `Bearer ${user.token}` });
  return caller.post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode });
};
const administrator = async () => {
  const user = await given.user();
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user._id).execute();
  return user;
};
const publish = (user: User, plan: 'basic' | 'premium' | 'featured' = 'basic', more: Record<string, string> = {}) =>
  as(user).postForm('/listing/create', given.listingForm(plan, more));
const referralOf = (user: User) =>
  db.selectFrom('referrals').selectAll().where('referred_id', '=', user._id).orderBy('created_at', 'desc').executeTakeFirstOrThrow();
const statusOf = async (user: User): Promise<string> => (await referralOf(user)).status;
const holdReasonOf = async (user: User) => {
  const { status, held_because: because } = await referralOf(user);
  return status === 'held' ? because : status;
};
const ticketsOf = async (user: User) => (await as(user).get('/referral/dashboard')).body.drawEntries.total as number;
const paid = async (user: User, number: string, plan: 'basic' | 'premium' = 'basic') => {
  const { body } = await as(user).post('/plan-user/create-intent', { planId: given.planId(plan) });
  await sandbox.confirmAtProvider(body.clientSecret, number);
  expect((await confirm(user, body.paymentIntentId)).status).toBe(200);
  return body.paymentIntentId as string;
};
const swap = async (user: User, referred: User) =>
  as(user).post(`/referral/rewards/${(await referralOf(referred)).id}`, { rewardType: 'free_month' });
const emailsTo = async (user: User, subject: string) =>
  (await outbox.mails())
    .filter((mail) => mail.to === user.email && mail.subject === subject)
    .map(({ blocks }) => blocks.flatMap((block) => ('text' in block ? [block.text] : [])).join(' '));
const decide = async (referred: User, approve: boolean, by: User, reason = 'You run one script.') =>
  as(by).post(`/admin/referrals/${(await referralOf(referred)).id}/decide`, { approve, reason });
const runDue = () => decideDueReferrals({ context: parts.context, hooks: referralHooks });

const network = 'Several accounts that are connected by referrals signed up from one network within a day.';
const networkOfCodes = 'Several accounts used referral codes from one network within a day.';
const domain = 'Several accounts that are connected by referrals signed up with email addresses of one domain within 30 days.';
const device = 'An account that is connected by referrals has been used in the same browser.';
const card = 'An account that is connected by referrals has used the same card.';

test('holds the third account anywhere in a tree from one /24 or /64 within a day', async () => {
  for (const addresses of [
    ['203.0.113.9', '203.0.113.77', '203.0.113.200', '203.0.113.9'],
    ['2001:db8:1:2::1', '2001:db8:1:2:ffff::2', '2001:db8:1:2:3::', '2001:db8:1:2::1'],
  ]) {
    const [one, two, three, four] = addresses;
    const root = await signUp(undefined, { network: one ?? '' });
    const child = await signUp(root.referralCode, { network: two ?? '' });
    const grandchild = await signUp(child.referralCode, { network: three ?? '' });
    const sibling = await signUp(root.referralCode, { network: four ?? '' });
    expect([await holdReasonOf(child), await holdReasonOf(grandchild), await holdReasonOf(sibling)]).toEqual(['pending', network, network]);
    expect(await holdReasonOf(await signUp(grandchild.referralCode))).toBe('pending');
    const stranger = await signUp(undefined, { network: one ?? '' });
    expect(await holdReasonOf(await signUp(stranger.referralCode, { network: two ?? '' }))).toBe(networkOfCodes);
    later(dayMs + 1_000);
    expect(await holdReasonOf(await signUp(sibling.referralCode, { network: one ?? '' }))).toBe('pending');
  }
  const root = await signUp(undefined, { network: '203.0.112.9' });
  const child = await signUp(root.referralCode, { network: '203.0.113.9' });
  expect(await holdReasonOf(await signUp(child.referralCode, { network: '203.0.112.9' }))).toBe('pending');
});

test.each([
  { same: 'network', origin: { network: '203.0.112.9' }, after: dayMs + 1_000 },
  { same: 'mail domain', origin: { domain: 'long-ago.example' }, after: 30 * dayMs + 1_000 },
])('does not compare an account with later ones of its $same', async ({ origin, after }) => {
  const root = await signUp();
  const first = await signUp(root.referralCode, origin);
  later(after);
  for (const _ of [1, 2]) expect(await holdReasonOf(await signUp(root.referralCode, origin))).toBe('pending');
  const { body } = await from('198.51.100.8').post('/auth/login', { email: first.email, password: 'pohutukawa-9' });
  expect((await publish(body.data)).status).toBe(201);
  expect(await statusOf(first)).toBe('converted');
  expect(await holdReasonOf(await signUp(root.referralCode, origin))).toMatch(
    /signed up (from one network|with email addresses of one domain)/,
  );
});

test('holds the third account of a tree with one private mail domain or its subdomains within 30 days', async () => {
  const root = await signUp(undefined, { domain: 'catch-all.example' });
  const child = await signUp(root.referralCode, { domain: 'a.catch-all.example' });
  later(29 * dayMs);
  const grandchild = await signUp(child.referralCode, { domain: 'b.catch-all.example' });
  expect([await holdReasonOf(child), await holdReasonOf(grandchild)]).toEqual(['pending', domain]);
  later(30 * dayMs + 1_000);
  expect(await holdReasonOf(await signUp(child.referralCode, { domain: 'catch-all.example' }))).toBe('pending');
  const customer = await signUp(undefined, { domain: 'xtra.co.nz' });
  for (const code of [customer.referralCode, customer.referralCode, customer.referralCode])
    expect(await holdReasonOf(await signUp(code, { domain: 'xtra.co.nz' }))).toBe('pending');
});

test('holds an account that shares a browser with another of its tree but not with a stranger', async () => {
  const root = await signUp();
  const child = await signUp(root.referralCode);
  const grandchild = await signUp(child.referralCode, { device: root.device });
  const sibling = await signUp(root.referralCode, { device: child.device });
  expect([await holdReasonOf(grandchild), await holdReasonOf(sibling)]).toEqual([device, device]);
  expect(await holdReasonOf(await signUp(root.referralCode, { device: (await signUp()).device }))).toBe('pending');
});

test('holds an account with a live listing that shares a card within its tree, and gives no free month', async () => {
  const root = await signUp();
  await paid(root, amex);
  const child = await signUp(root.referralCode);
  await given.card(child, mastercard);
  for (const number of [amex, mastercard]) {
    const grandchild = await signUp(child.referralCode);
    await given.card(grandchild, number);
    expect(await publish(grandchild)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
    const paymentId = await paid(grandchild, number);
    expect((await publish(grandchild, 'basic', { paymentId })).status).toBe(201);
    expect(await holdReasonOf(grandchild)).toBe(card);
  }
  const stranger = await signUp();
  await given.card(stranger, visa);
  const other = await signUp(child.referralCode);
  await given.card(other, visa);
  expect((await publish(other)).status).toBe(201);
  expect(await statusOf(other)).toBe('converted');
});

test('refuses an account with the mailbox of another of its tree in any spelling', async () => {
  const root = await signUp(undefined, { email: `ana${year}.rua@gmail.com` });
  const child = await signUp(root.referralCode);
  const again = await signUp(child.referralCode, { email: `ana${year}rua+2@googlemail.com` });
  expect(await referralOf(again)).toMatchObject({
    status: 'refused',
    refused_because: 'An account that is connected by referrals has the same mailbox.',
  });
});

test('connects accounts by referrals of 90 days only', async () => {
  const [root, other] = [await signUp(), await signUp()];
  const [child, otherChild] = [await signUp(root.referralCode), await signUp(other.referralCode)];
  later(90 * dayMs - 60_000);
  expect(await holdReasonOf(await signUp(child.referralCode, { device: root.device }))).toBe(device);
  later(61_000);
  expect(await holdReasonOf(await signUp(otherChild.referralCode, { device: other.device }))).toBe('pending');
});

test('holds an account that enters its code at the payment step and connects two trees', async () => {
  const [left, right] = [await signUp(), await signUp()];
  const middle = await signUp(undefined, { device: left.device });
  expect((await enter(right, middle.referralCode)).status).toBe(200);
  const bridge = await enter(middle, left.referralCode);
  expect(bridge).toMatchObject({ status: 200, body: { amount: 1500, free: null } });
  expect(await holdReasonOf(middle)).toBe(device);
});

test('counts the network from which an account enters a code at the payment step', async () => {
  const [root, user] = [await signUp(), await signUp()];
  later(2 * dayMs);
  for (const _ of [1, 2]) await signUp(root.referralCode, { network: '203.0.119.9' });
  const caller = from('203.0.119.10', { authorization: `Bearer ${user.token}` });
  const answer = await caller.post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: root.referralCode });
  expect(answer.status).toBe(200);
  expect(await holdReasonOf(user)).toBe(network);
});

test('does not hold an account that enters a code in the browser in which it signed up', async () => {
  const [root, user] = [await signUp(), await signUp()];
  const caller = from('198.51.100.7', { authorization: `Bearer ${user.token}`, [deviceHeader]: user.device });
  const answer = await caller.post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode: root.referralCode });
  expect(answer.status).toBe(200);
  expect(await holdReasonOf(user)).toBe('pending');
});

test('lets parallel sign-ups from one network through once', async () => {
  const root = await signUp();
  const codes = [
    root.referralCode,
    ...(await Promise.all([signUp(root.referralCode), signUp(root.referralCode)])).map((one) => one.referralCode),
  ];
  const signedUp = await Promise.all(Array.from({ length: 12 }, (_, index) => signUp(codes[index % 3], { network: '203.0.115.9' })));
  const reasons = await Promise.all(signedUp.map(holdReasonOf));
  expect(reasons.filter((one) => one === 'pending')).toHaveLength(2);
  expect(reasons.filter((one) => one === network)).toHaveLength(10);
});

test('a hold within a tree lapses after 60 days and rewards already granted stay', async () => {
  const root = await signUp();
  const child = await signUp(root.referralCode);
  await given.card(root, visa);
  await given.card(child, visa);
  const paymentId = await paid(child, visa);
  expect((await publish(child, 'basic', { paymentId })).status).toBe(201);
  expect(await referralOf(child)).toMatchObject({ status: 'held', held_lapses: true });
  // In a later month: the draw of the sign-up tickets has closed.
  later(60 * dayMs - 60_000);
  await runDue();
  expect(await statusOf(child)).toBe('held');
  later(61_000);
  await Promise.all([runDue(), runDue()]);
  expect(await referralOf(child)).toMatchObject({
    status: 'refused',
    refused_because: `Nobody decided within 60 days. ${card}`,
    approved: false,
    decided_by: null,
  });
  for (const [user, subject] of [
    [root, 'One of your referrals'],
    [child, 'Your sign-up with a referral code'],
  ] as const) {
    const [text, ...others] = await emailsTo(user, `${subject} does not count`);
    expect(text).toContain(`We had to check it, and nobody decided within 60 days. It was held for this reason: ${card}`);
    expect(text).toContain('If you think we are wrong, tell us why');
    expect(others).toEqual([]);
  }
  const voided = await db
    .selectFrom('reward_entries')
    .select('id')
    .where('user_id', 'in', [root._id, child._id])
    .where('change', '=', 'void')
    .execute();
  expect(voided).toEqual([]);
});

test('approves a hold within a tree only when the account pays with a card that no other account of the tree uses', async () => {
  const root = await signUp();
  await given.card(root, visa);
  const child = await signUp(root.referralCode, { device: root.device });
  const other = await signUp(root.referralCode, { device: root.device });
  await paid(child, visa);
  expect([await holdReasonOf(child), await ticketsOf(root)]).toEqual([device, 0]);
  await paid(other, mastercard);
  expect(await referralOf(other)).toMatchObject({ status: 'pending', approved: true, decided_by: null });
  expect([await ticketsOf(root), await ticketsOf(other)]).toEqual([1, 1]);
  expect(await emailsTo(root, 'Your referral counts')).toEqual([
    'One of your referrals, which we had to check, counts. Its rewards have been issued. The reason: The new account has paid with a card that no connected account uses.',
  ]);
  // The month it paid for while the referral was held comes back as a credit.
  expect((await as(other).get('/plan-user/my-subscriptions')).body.data.credits).toMatchObject([{ source: 'first_month' }]);
});

/** Saves a card with a fingerprint of this test only. */
async function saveCard(user: User, name: string) {
  const id = await given.card(user);
  await db
    .updateTable('cards')
    .set({ fingerprint: `${name} of ${year}` })
    .where('id', '=', id)
    .execute();
}

test('does not hold an account whose own payment has resolved the signals', async () => {
  const root = await signUp();
  const child = await signUp(root.referralCode);
  // An account outside the tree has used the saved card for its free month, so this one pays with another card.
  const stranger = await signUp((await signUp()).referralCode);
  await saveCard(stranger, 'visa');
  expect((await publish(stranger)).status).toBe(201);
  await saveCard(child, 'visa');
  const paymentId = await paid(child, mastercard);
  await sql`insert into devices (token_hash, user_id) select token_hash, ${root._id} from devices where user_id = ${child._id}`.execute(db);
  expect((await publish(child, 'basic', { paymentId })).status).toBe(201);
  expect(await statusOf(child)).toBe('converted');
});

/** A user with free months from two referrals. */
async function withCredits() {
  const user = await signUp();
  for (let index = 0; index < 2; index += 1) {
    const friend = await signUp(user.referralCode);
    await given.ownCard(friend);
    expect((await publish(friend)).status).toBe(201);
    expect((await swap(user, friend)).status).toBe(200);
  }
  return user;
}

test('a free month on premium needs a card without another account’s free month, even in parallel', async () => {
  const [one, other] = [await withCredits(), await withCredits()];
  await saveCard(one, 'visa');
  await saveCard(other, 'visa');
  const answers = await Promise.all([publish(one, 'premium'), publish(other, 'premium')]);
  expect(answers.map(({ status, body }) => (status === 201 ? 'free' : String(body.code))).toSorted()).toEqual([
    'free',
    expect.stringMatching(/^(other_card_needed|payment_required)$/),
  ]);
  const [winner, loser] = answers[0]?.status === 201 ? [one, other] : [other, one];
  expect((await as(loser).post('/plan-user/create-intent', { planId: given.planId('featured') })).body).toMatchObject({
    amount: 0,
    free: { source: 'free_month', needs: 'other_card' },
  });
  expect(await publish(loser, 'featured')).toMatchObject({ status: 402, body: { code: 'other_card_needed' } });
  // The same account may reuse its card, and the other needs only a second card.
  expect((await publish(winner, 'featured')).status).toBe(201);
  await saveCard(loser, 'another');
  expect((await publish(loser, 'featured')).status).toBe(201);
});

test('uses the second card for the free first month when the first has one of another account', async () => {
  const [one, two] = [await signUp((await signUp()).referralCode), await signUp((await signUp()).referralCode)];
  await saveCard(one, 'visa');
  expect((await publish(one, 'premium')).status).toBe(201);
  await saveCard(two, 'visa');
  expect(await publish(two, 'premium')).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  await saveCard(two, 'another');
  expect((await publish(two, 'premium')).status).toBe(201);
});

const nzbn = ['9429000000017', '9429000000024'] as const;

test('gives each business number one free first month and says so before publishing', async () => {
  const businessNumber = nzbn[0];
  const [one, two] = [await signUp((await signUp()).referralCode), await signUp((await signUp()).referralCode)];
  expect((await publish(one, 'basic', { businessNumber })).status).toBe(201);
  const createIntent = async (body: object) =>
    (await as(two).post('/plan-user/create-intent', { planId: given.planId('basic'), ...body })).body;
  expect(await createIntent({})).toMatchObject({ amount: 0, free: { source: 'free_first_month' } });
  expect(await createIntent({ businessNumber: `${businessNumber.slice(0, 4)} ${businessNumber.slice(4)}` })).toMatchObject({
    amount: 1500,
    free: null,
  });
  expect(await publish(two, 'basic', { businessNumber })).toMatchObject({
    status: 402,
    body: { code: 'payment_required', message: expect.stringContaining('A business with this number has had its free first month') },
  });
  expect((await publish(two)).status).toBe(201);
});

test('counts a business number that an account with a free first month adds later', async () => {
  const businessNumber = nzbn[1];
  const [one, two] = [await signUp((await signUp()).referralCode), await signUp((await signUp()).referralCode)];
  const { body } = await publish(one);
  const edited = await as(one).putForm(`/listing/${body._id}`, { ...given.listingForm('basic'), businessNumber });
  expect(edited.status).toBe(200);
  expect(await publish(two, 'basic', { businessNumber })).toMatchObject({ status: 402, body: { code: 'payment_required' } });
});

test('an administrator’s decision voids a referral’s rewards, with the reason in the audit log and email', async () => {
  const admin = await administrator();
  const root = await signUp();
  const [first, second] = [await signUp(root.referralCode), await signUp(root.referralCode)];
  for (const friend of [first, second]) {
    await given.ownCard(friend);
    expect((await publish(friend)).status).toBe(201);
  }
  expect((await swap(root, first)).status).toBe(200);
  expect([await ticketsOf(root), await ticketsOf(first)]).toEqual([7, 1]);
  expect((await decide(first, true, admin)).body.code).toBe('already_decided');
  expect((await decide(first, false, admin)).body).toEqual({ message: 'The referral does not count.', status: 'refused' });
  expect((await decide(second, false, admin)).body.status).toBe('refused');
  expect([await ticketsOf(root), await ticketsOf(first)]).toEqual([0, 0]);
  expect((await as(root).get('/plan-user/my-subscriptions')).body.data.credits).toEqual([]);
  const [ofFirst, ofSecond] = await emailsTo(root, 'One of your referrals does not count');
  expect(ofFirst).toMatch(
    /The administrator’s reason: You run one script\. 1 ticket from it takes no part in the draw any more\. The free month from it can no longer be used\./,
  );
  expect(ofSecond).toMatch(/6 tickets from it take no part in the draw any more\./);
  const entries = await db
    .selectFrom('audit_log')
    .select(['actor_id', 'what', 'after'])
    .where('subject_id', '=', (await referralOf(first)).id)
    .execute();
  expect(entries).toMatchObject([
    { actor_id: admin._id, after: { status: 'refused', approved: false, decision_reason: 'You run one script.', decided_by: admin._id } },
  ]);
  expect((await decide(first, false, admin)).body.code).toBe('already_decided');
});

test('an administrator’s decision about a referral whose referrer has left voids the other person’s ticket', async () => {
  const admin = await administrator();
  const root = await signUp();
  const friend = await signUp(root.referralCode);
  expect((await publish(friend)).status).toBe(201);
  expect((await as(root).delete('/auth/account', { currentPassword: 'pohutukawa-9' })).status).toBe(200);
  const before = (await outbox.mails()).length;
  expect((await decide(friend, false, admin)).body.status).toBe('refused');
  expect(await ticketsOf(friend)).toBe(0);
  expect((await outbox.mails()).slice(before).map(({ to }) => to)).toEqual([friend.email]);
});

const free = async (source: 'free_first_month' | 'free_month') =>
  (await db.selectFrom('subscriptions').select('id').where('source', '=', source).execute()).length;

test('a chain of 31 scripted sign-ups from one network and one catch-all domain earns one free month and two tickets', async () => {
  const before = [await free('free_first_month'), await free('free_month')];
  const coming = { network: '203.0.114.9', domain: `script${year}.example` };
  const users = [await signUp(undefined, coming)];
  for (let index = 0; index < 30; index += 1) users.push(await signUp(users.at(-1)?.referralCode, coming));
  expect((await Promise.all(users.slice(1).map(statusOf))).filter((one) => one !== 'held')).toEqual(['pending']);
  for (const user of users.slice(1)) await publish(user);
  // The remaining one is held once its listing goes live.
  expect(new Set(await Promise.all(users.slice(1).map(statusOf)))).toEqual(new Set(['held']));
  const swaps = await Promise.all(users.slice(1).map((user, index) => swap(users[index] ?? user, user)));
  expect(new Set(swaps.map(({ body }) => body.code))).toEqual(new Set(['reward_not_ready']));
  for (const user of users) {
    await given.card(user, visa);
    await publish(user, 'featured');
  }
  expect([(await free('free_first_month')) - (before[0] ?? 0), (await free('free_month')) - (before[1] ?? 0)]).toEqual([1, 0]);
  let tickets = 0;
  for (const user of users) tickets += await ticketsOf(user);
  expect(tickets).toBe(2);
});

test('a card saved in 15 accounts of a tree gives one free month at most, if taken before the others save it', async () => {
  const before = await free('free_first_month');
  const root = await signUp();
  const users: User[] = [];
  for (let index = 0; index < 15; index += 1) users.push(await signUp((users.at(-1) ?? root).referralCode));
  const [early, ...others] = users as [User, ...User[]];
  await saveCard(early, 'visa');
  expect((await publish(early, 'featured')).status).toBe(201);
  for (const user of others) await saveCard(user, 'visa');
  for (const user of others) {
    for (const plan of ['featured', 'basic'] as const)
      expect(await publish(user, plan)).toMatchObject({ status: 402, body: { code: 'payment_required' } });
  }
  expect((await free('free_first_month')) - before).toBe(1);
});

test('the audit passes after all of these tests', async () => {
  expect((await runAudits(db)).flatMap(({ faults }) => faults.map(({ fault }) => fault))).toEqual([]);
});
