import type { Context } from '../../kit/context.ts';
import type { ReferralHooks, ReferralContext } from './referrals.context.ts';
import { giveDueRewards } from './referrals.convert.ts';
import { decideDueReferrals } from './referrals.decide.ts';
import { deleteOldOrigins, comparisonMs } from './referrals.facts.ts';
import { deleteExpiredNotifications } from './referrals.service.ts';

export async function deleteExpiredData(context: Context): Promise<void> {
  const before = (ms: number) => new Date(context.clock.now().getTime() - ms);
  await deleteOldOrigins(context.db, { network: before(comparisonMs.network), tree: before(comparisonMs.tree) });
  await deleteExpiredNotifications(context);
}

export function referralJobs(context: ReferralContext, hooks: ReferralHooks): void {
  const { jobs } = context;
  jobs.every('referrals.decide-due-referrals', '11 * * * *', () => decideDueReferrals({ context, hooks }));
  jobs.every('referrals.give-rewards', '26 * * * *', () => giveDueRewards({ context, hooks }));
  jobs.every('referrals.delete-expired-data', '41 * * * *', () => deleteExpiredData(context));
}
