import type { Context } from '../../kit/context.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { decideDue } from './referrals.decide.ts';
import { deleteOldOrigins } from './referrals.fact-queries.ts';
import { comparedMs } from './referrals.facts.ts';
import { deleteOldNotifications } from './referrals.notifications.ts';

/** Deletes where accounts came from, and notifications that were seen long ago. */
export async function forgetOld(context: Context): Promise<void> {
  const before = (ms: number) => new Date(context.clock.now().getTime() - ms);
  await deleteOldOrigins(context.db, { network: before(comparedMs.network), tree: before(comparedMs.tree) });
  await deleteOldNotifications(context);
}

export function referralJobs(context: ReferralContext, asks: ReferralAsks): void {
  const { jobs } = context;
  jobs.every('referrals.approve-due', '11 * * * *', () => decideDue({ context, asks }));
  jobs.every('referrals.forget', '41 * * * *', () => forgetOld(context));
}
