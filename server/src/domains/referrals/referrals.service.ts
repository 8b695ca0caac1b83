import { referralCodeMinLength } from '@handwise/contract/referrals';
import { countAttempt } from '../../kit/attempts.ts';
import type { Db, Reader, Tx } from '../../kit/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { type Contact, isReferralCode } from '../accounts/accounts.service.ts';
import * as queries from './referrals.queries.ts';
import { mailboxOf } from './referrals.rules.ts';

/** Enough for a family behind one address that types slowly, too few to guess codes with. */
const checkLimit = { max: 60, windowSeconds: 60 };

export async function checkCode(db: Db, code: string, networkAddress: string): Promise<boolean> {
  if (code.length < referralCodeMinLength) return false;
  await countAttempt(db, `referral-check-from:${networkAddress}`, checkLimit);
  return isReferralCode(db, code.toUpperCase());
}

/** Whether the code that a user came with counts for rewards: never where its owner has the same mailbox. */
export async function isFairlyReferred(db: Reader, user: Contact): Promise<boolean> {
  if (!user.referred_by_code) return false;
  const owner = await queries.findEmailOfCode(db, user.referred_by_code);
  return owner !== undefined && mailboxOf(owner) !== mailboxOf(user.email);
}

/**
 * Remembers a code for a user who came without one that counts. The first that counts stays. Throws `own_referral_code`, or `invalid_input`
 * for a code that nobody has.
 */
export async function enterReferralCode(tx: Tx, user: Contact, given: string): Promise<void> {
  const code = given.toUpperCase();
  const owner = (await isReferralCode(tx, code)) ? await queries.findEmailOfCode(tx, code) : undefined;
  if (!owner) throw invalidField('referralCode', 'Invalid referral code. Please try again.');
  if (mailboxOf(owner) === mailboxOf(user.email)) throw new AppError('own_referral_code');
  if (!(await isFairlyReferred(tx, user))) await queries.setReferredBy(tx, user.id, code);
}
