import type { Context } from '../../kit/context.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import type { ReferralContext } from './referrals.context.ts';
import { approveDue } from './referrals.decide.ts';
import { comparedMs } from './referrals.facts.ts';
import { deleteOldNotifications } from './referrals.notifications.ts';
import { forgetNetworks } from './referrals.queries.ts';

/** Forgets from where codes were entered, and notifications that were seen long ago. */
export async function forgetOld(context: Context): Promise<void> {
  await forgetNetworks(context.db, new Date(context.clock.now().getTime() - comparedMs));
  await deleteOldNotifications(context);
}

export function referralJobs(context: ReferralContext, asks: ReferralAsks): void {
  const { jobs } = context;
  jobs.every('referrals.approve-due', '11 * * * *', () => approveDue({ context, asks }));
  jobs.every('referrals.forget', '41 * * * *', () => forgetOld(context));
}
