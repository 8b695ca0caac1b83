import { referralCodeMinLength } from '@handwise/contract/referrals/calls';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { lockUser } from '../accounts/accounts.service.ts';
export type { ReferralContext } from './referrals.context.ts';
export { listReferrals as listReferralsOf } from './referrals.dashboard-queries.ts';
export { countForAdmin } from './referrals.admin-queries.ts';

import { giveCode } from './referrals.enter.ts';
import * as queries from './referrals.queries.ts';

export type { ReferralAsks } from './referrals.asks.ts';
export { rewardsAudit } from './referrals.audit.ts';
export { referEarlier } from './referrals.backfill.ts';
export { convert, voidEarnings } from './referrals.convert.ts';
export { enterCode, welcome } from './referrals.enter.ts';
export { leaveReferrals, ownDataOf } from './referrals.leaving.ts';
export { approvePayer } from './referrals.decide.ts';
export {
  bookFirstMonth,
  claimCard,
  findUnusedCard,
  hasFreeFirstMonth,
  isBusinessClaimed,
  listCredits,
  noteBusinessNumber,
  swap,
  useCredit,
} from './referrals.rewards.ts';

/** For each network: enough for a family that types slowly, too few to guess codes with. */
const checkLimit = { max: 60, windowSeconds: 60 };

export async function checkCode({ db }: Context, code: string, network: string): Promise<boolean> {
  if (code.length < referralCodeMinLength) return false;
  await countAttempt(db, `referral-check-from:${network}`, checkLimit);
  return (await queries.findOwner(db, code.toUpperCase())) !== undefined;
}

/** Somebody's code; an account that has none gets one. */
export const generateCode = ({ db }: Context, userId: string): Promise<string> =>
  db.transaction().execute(async (tx) => {
    await lockUser(tx, userId);
    const { username, referral_code } = await queries.findCodes(tx, userId);
    return referral_code ?? giveCode(tx, { id: userId, username });
  });
