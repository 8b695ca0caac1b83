import { randomInt } from 'node:crypto';
import type { CountryCode } from '@handwise/contract/markets';
import type { payable } from '@handwise/contract/plans';
import { referralCodeMinLength } from '@handwise/contract/referrals';
import type { z } from 'zod';
import { countAttempt } from '../../kit/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { mailboxOf } from '../../kit/mailbox.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import * as queries from './referrals.queries.ts';
import { referralCodeNumber, referralCodePrefix } from './referrals.rules.ts';

/** For each network: enough for a family that types slowly, too few to guess codes with. */
const checkLimit = { max: 60, windowSeconds: 60 };

export async function checkCode({ db }: Context, code: string, network: string): Promise<boolean> {
  if (code.length < referralCodeMinLength) return false;
  await countAttempt(db, `referral-check-from:${network}`, checkLimit);
  return queries.isReferralCode(db, code.toUpperCase());
}

/** Gives a new account its own code, and remembers the one that it came with where that is a valid one. */
export async function welcome(tx: Tx, user: { id: string; username: string }, given: string | null | undefined): Promise<void> {
  const prefix = referralCodePrefix(user.username);
  let number = referralCodeNumber(0, randomInt);
  for (let attempt = 1; await queries.isCodeTaken(tx, prefix + number); attempt += 1) number = referralCodeNumber(attempt, randomInt);
  const code = given?.toUpperCase();
  const isValid = code !== undefined && code !== '' && (await queries.isReferralCode(tx, code));
  await queries.setCodes(tx, user.id, { referral_code: prefix + number, referred_by_code: isValid ? code : null });
}

/** Whether the code that a user came with counts for rewards: never where its owner has the same mailbox. */
export async function isFairlyReferred(db: Reader, userId: string): Promise<boolean> {
  const referral = await queries.findReferral(db, userId);
  return referral !== undefined && mailboxOf(referral.referrer_email) !== mailboxOf(referral.email);
}

/** Few enough that codes cannot be guessed. */
const enterLimit = { max: 30, windowSeconds: 600 };

/** Whether an account has had its first plan, which alone a code makes free. */
export type HasHadPlan = (tx: Tx, userId: string) => Promise<boolean>;

/** The payment step, which a code is entered at. Plans stand above referrals, so they are asked by this. */
export type PaymentStep = {
  hasHadPlan: HasHadPlan;
  /** Throws `plan_not_found`. */
  checkPlan: (planId: string) => Promise<unknown>;
  /** Begins to pay, or says that nothing is to be paid. */
  begin: (
    userId: string,
    terms: { planId: string; country: CountryCode | undefined },
    market: CountryCode | null,
  ) => Promise<z.output<typeof payable>>;
};

/**
 * Enters a code at the payment step, for a user who came without one that counts. The first that counts stays. Throws
 * `free_month_used`, `own_referral_code`, or `invalid_input` for a code that nobody has.
 */
export async function enterCode({ db }: Context, userId: string, given: string, hasHadPlan: HasHadPlan): Promise<void> {
  await countAttempt(db, `referral-code-by:${userId}`, enterLimit);
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (await hasHadPlan(tx, userId)) throw new AppError('free_month_used');
    const code = given.toUpperCase();
    const owner = (await queries.isReferralCode(tx, code)) ? await queries.findEmailOfCode(tx, code) : undefined;
    if (!owner) throw invalidField('referralCode', 'Invalid referral code. Please try again.');
    if (mailboxOf(owner) === mailboxOf(user.email)) throw new AppError('own_referral_code');
    if (!(await isFairlyReferred(tx, userId))) await queries.setCodes(tx, userId, { referred_by_code: code });
  });
}
