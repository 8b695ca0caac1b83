import { referralCodeMinLength } from '@handwise/contract/referrals';
import { countAttempt } from '../../kit/attempts.ts';
import type { Db } from '../../kit/database.ts';
import { isReferralCode } from '../accounts/accounts.service.ts';

/** Enough for a family behind one address that types slowly, too few to guess codes with. */
export const checkLimit = { max: 60, windowSeconds: 60 };

export async function checkCode(db: Db, code: string, networkAddress: string): Promise<boolean> {
  if (code.length < referralCodeMinLength) return false;
  await countAttempt(db, `referral-check-from:${networkAddress}`, checkLimit);
  return isReferralCode(db, code.toUpperCase());
}
