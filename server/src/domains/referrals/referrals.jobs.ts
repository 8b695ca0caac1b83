import type { Context } from '../../kit/context.ts';
import { giveDueRewards } from './referrals.convert.ts';
import { decideDueReferrals } from './referrals.decide.ts';
import type { ReferralPort, ReferralContext } from './referrals.deps.ts';
import { deleteOldOrigins, comparisonMs } from './referrals.facts.ts';
import { deleteExpiredNotifications } from './referrals.service.ts';

export async function deleteExpiredData(context: Context): Promise<void> {
  const before = (ms: number) => new Date(context.clock.now().getTime() - ms);
  await deleteOldOrigins(context.db, { network: before(comparisonMs.network), tree: before(comparisonMs.tree) });
  await deleteExpiredNotifications(context);
}

export function referralJobs(context: ReferralContext, port: ReferralPort): void {
  const { jobs } = context;
  jobs.every('referrals.decide-due-referrals', '11 * * * *', () => decideDueReferrals({ context, port }));
  jobs.every('referrals.give-rewards', '26 * * * *', () => giveDueRewards({ context, port }));
  jobs.every('referrals.delete-expired-data', '41 * * * *', () => deleteExpiredData(context));
}
