import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import type { Tx } from '../../kit/database/database.ts';
import { createReferralCode } from './referrals.enter.ts';

const { db, given, callers } = await testApp();
const { as, from } = callers;

let made = 0;
/** Registers a user, each from its own network and mail domain. */
const register = async (username: string, referralCode?: string, email?: string) => {
  made += 1;
  const own = `${username}@comer${made}.example`;
  const answer = await from(`198.18.${made}.7`).post('/auth/register', {
    fullName: 'Tama Rua',
    username,
    email: email ?? own,
    password: 'correct-horse',
    referralCode,
  });
  if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  return answer.body.data as { _id: string; token: string; referralCode: string };
};
const referrerCodeOf = async (user: { _id: string }) =>
  (await db.selectFrom('users').select('referred_by_code').where('id', '=', user._id).executeTakeFirstOrThrow()).referred_by_code;
const isFree = async (user: { token: string }) => (await as(user).get('/plan-user/my-subscriptions')).body.data.freeFirstMonth;
const enter = (user: { token: string }, referralCode: string) =>
  as(user).post('/plan-user/use-referral', { planId: given.planId('basic'), referralCode });
const check = async (code: string, address = '203.0.113.7') => from(address).get(`/referral/check/${encodeURIComponent(code)}`);

test('never assigns a code twice, even while its owner is suspended', async () => {
  const owner = await given.user();
  // All codes of four digits with these letters are taken, and none of five.
  await sql`insert into users (full_name, username, email, password_hash, referral_code, suspended_at)
    select 'Taken', 'taken_' || n, 'taken' || n || '@example.org', 'x', 'REF-QQQ-' || lpad(n::text, 4, '0'), now() from generate_series(0, 9999) as n`.execute(
    db,
  );
  const user = await register('qqq');
  expect(user.referralCode).toMatch(/^REF-QQQ-\d{5}$/);
  expect(owner.referralCode).not.toBe(user.referralCode);
});

test('parallel registrations with the same letters and random numbers get different codes', async () => {
  const [one, other] = [await given.user(), await given.user()];
  const code = (user: { _id: string }, tx: Tx) => createReferralCode(tx, { id: user._id, username: 'quinn' }, () => 7);
  await db.transaction().execute(async (first) => {
    expect(await code(one, first)).toBe('REF-QUI-0007');
    // The first transaction has not committed, and the second does not wait for it.
    expect(await db.transaction().execute((tx) => code(other, tx))).toBe('REF-QUI-00007');
  });
});

test('ignores the code of a suspended account', async () => {
  const owner = await given.user();
  await sql`update users set suspended_at = now() where id = ${owner._id}`.execute(db);
  expect((await check(owner.referralCode)).body).toEqual({ valid: false });
  expect(await referrerCodeOf(await register('late_one', owner.referralCode))).toBeNull();
  expect(await enter(await given.user(), owner.referralCode)).toMatchObject({ status: 400, body: { code: 'invalid_input' } });
});

test('accepts a code in any letter case at registration and at the payment step', async () => {
  const { referralCode } = await register('any_owner');
  expect(await referrerCodeOf(await register('any_case', referralCode.toLowerCase()))).toBe(referralCode);
  const user = await given.user();
  expect(await enter(user, referralCode.toLowerCase())).toMatchObject({ status: 200, body: { amount: 0 } });
  expect(await referrerCodeOf(user)).toBe(referralCode);
});

test('rejects a second code; entering the first one again is idempotent', async () => {
  const [first, second] = [await register('first_owner'), await register('second_owner')];
  const [user, other] = [await register('first_stays', first.referralCode), await given.user()];
  const refused = {
    status: 409,
    body: { code: 'referral_code_set', message: `Your first referral code, ${first.referralCode}, stays. A second one cannot be added.` },
  };
  expect(await enter(user, second.referralCode)).toMatchObject(refused);
  const planId = given.planId('basic');
  expect(await as(user).post('/plan-user/create-intent', { planId, referralCode: second.referralCode })).toMatchObject(refused);
  expect(await enter(user, first.referralCode.toLowerCase())).toMatchObject({
    status: 200,
    body: { success: true, message: 'Referral code applied successfully.', amount: 0 },
  });
  expect(await referrerCodeOf(user)).toBe(first.referralCode);
  expect([await isFree(user), await isFree(other)]).toEqual([true, false]);
});

test('rejects one’s own code', async () => {
  const user = await given.user();
  expect(await enter(user, user.referralCode)).toMatchObject({ status: 409, body: { code: 'own_referral_code' } });
  expect(await referrerCodeOf(user)).toBeNull();
});

test('does not store a rejected code', async () => {
  const owner = await given.user({ email: 'own@example.org' });
  const user = await register('own_again', undefined, 'own+2@example.org');
  expect(await enter(user, owner.referralCode)).toMatchObject({ body: { code: 'own_referral_code' } });
  expect(await enter(user, 'REF-XXX-0000')).toMatchObject({ body: { code: 'invalid_input' } });
  expect(await referrerCodeOf(user)).toBeNull();
});

test('limits code checks to sixty a minute per network, not counting codes that are too short', async () => {
  const { referralCode } = await given.user();
  const statuses = async (count: number, code: string, address: string) =>
    (await Promise.all(Array.from({ length: count }, () => check(code, address)))).map(({ status }) => status);
  expect(new Set(await statuses(70, 'REF', '203.0.113.1'))).toEqual(new Set([200]));
  expect((await check('REF', '203.0.113.1')).body).toEqual({ valid: false });
  expect((await statuses(60, referralCode, '203.0.113.1')).filter((status) => status !== 200)).toEqual([]);
  const refused = await check(referralCode, '203.0.113.1');
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(20);
  expect((await check(referralCode, '203.0.113.2')).body).toEqual({ valid: true });
});

test('limits entering codes to thirty per account in ten minutes', async () => {
  const [guesser, other] = [await given.user(), await given.user()];
  const answers = await Promise.all(Array.from({ length: 31 }, (_, index) => enter(guesser, `REF-XXX-${2000 + index}`)));
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1);
  const { referralCode } = await given.user();
  const refused = await enter(guesser, referralCode);
  expect(refused.status).toBe(429);
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(300);
  expect((await enter(other, referralCode)).status).toBe(200);
});
