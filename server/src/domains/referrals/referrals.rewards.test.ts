import { expect, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import type { Tx } from '../../kit/database/database.ts';
import { createAbuseKeys, getBusinessNumberKey, getMailboxKey, saveOrigin } from './referrals.facts.ts';
import {
  claimBusinessNumber,
  claimCard,
  grantFreeFirstMonth,
  hasFreeFirstMonth,
  isBusinessNumberClaimed,
  recordFreeFirstMonth,
  spendFreeMonth,
} from './referrals.rewards.ts';

const { db, given } = await testApp();
const now = new Date();
const inTransaction = <T>(work: (tx: Tx) => Promise<T>) => db.transaction().execute(work);

const isFree = (userId: string, businessNumber?: string) => hasFreeFirstMonth(db, userId, { cardSharers: [], businessNumber, now });
const grant = (userId: string, businessNumber?: string) => inTransaction((tx) => grantFreeFirstMonth(tx, userId, businessNumber, now));
/** Records the free first month of an account on a subscription of its own. */
async function use(userId: string, businessNumber?: string) {
  await given.listing({ sellerId: userId });
  const { id } = await db.selectFrom('subscriptions').select('id').where('user_id', '=', userId).executeTakeFirstOrThrow();
  await inTransaction((tx) => recordFreeFirstMonth(tx, userId, { subscriptionId: id, businessNumber }, now));
}
const newUser = async () => (await given.user())._id;
const claimsOf = async (userId: string) =>
  (await db.selectFrom('free_month_claims').select('kind').where('user_id', '=', userId).execute()).map(({ kind }) => kind);

test('the first month is free with a grant only', async () => {
  const user = await newUser();
  expect(await isFree(user)).toBe(false);
  await grant(user);
  expect(await isFree(user)).toBe(true);
  await use(user);
  expect(await isFree(user)).toBe(false);
});

test('an invited business has one free first month, in whichever account', async () => {
  const number = '9429000000031';
  const [one, other, third] = [await newUser(), await newUser(), await newUser()];
  for (const user of [one, other]) await grant(user, number);
  await grant(third);
  for (const user of [one, other]) expect(await isFree(user)).toBe(true);
  await use(one);
  expect(await claimsOf(one)).toEqual(['business_number']);
  expect(await isFree(other)).toBe(false);
  await expect(use(other)).rejects.toMatchObject({ code: 'payment_required' });
  expect([await isFree(third), await isFree(third, number)]).toEqual([true, false]);
  await expect(use(third, number)).rejects.toMatchObject({ code: 'payment_required' });
  expect([await isBusinessNumberClaimed(db, one, number), await isBusinessNumberClaimed(db, third, number)]).toEqual([false, true]);
});

test('a business number is claimed by accounts that have had a free first month only', async () => {
  const [one, other] = [await newUser(), await newUser()];
  await grant(one);
  await use(one);
  for (const user of [one, other]) await inTransaction((tx) => claimBusinessNumber(tx, user, '9429000000048', now));
  expect([await claimsOf(one), await claimsOf(other)]).toEqual([['business_number'], []]);
});

test('a card pays for the free month of one account', async () => {
  const [one, other] = [await newUser(), await newUser()];
  await inTransaction((tx) => claimCard(tx, one, 'a-card', now));
  await inTransaction((tx) => claimCard(tx, one, 'a-card', now));
  await expect(inTransaction((tx) => claimCard(tx, other, 'a-card', now))).rejects.toMatchObject({ code: 'payment_required' });
});

test('spends no free month that is not there', async () => {
  const user = await newUser();
  await given.listing({ sellerId: user });
  const { id } = await db.selectFrom('subscriptions').select('id').where('user_id', '=', user).executeTakeFirstOrThrow();
  await expect(inTransaction((tx) => spendFreeMonth(tx, user, id, now))).rejects.toThrow('no unused free month to spend');
});

test('signs many mailboxes and business numbers as it signs one', async () => {
  const keys = await createAbuseKeys(db);
  expect(keys.ofMailbox('Ta.Ma+x@gmail.com')).toBe(await getMailboxKey(db, 'tama@gmail.com'));
  expect(keys.ofBusinessNumber('9429000000017')).toBe(await getBusinessNumberKey(db, '9429000000017'));
  expect(keys.ofBusinessNumber('9429000000024')).not.toBe(keys.ofBusinessNumber('9429000000017'));
});

test('stores no network of an account whose network is not known', async () => {
  const user = await newUser();
  await inTransaction((tx) =>
    saveOrigin(tx, { id: user, email: 'x@unknown-network.example' }, { network: 'unknown', device: undefined }, now, true),
  );
  expect(
    await db.selectFrom('referral_origins').select(['network_key', 'domain_key']).where('user_id', '=', user).executeTakeFirst(),
  ).toEqual({
    network_key: null,
    domain_key: expect.any(String),
  });
});
