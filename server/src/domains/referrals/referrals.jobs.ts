import type { Context } from '../../kit/context.ts';
import type { ReferralAsks } from './referrals.asks.ts';
import { approveDue } from './referrals.decide.ts';
import { comparedMs } from './referrals.facts.ts';
import { deleteOldNotifications } from './referrals.notifications.ts';
import { forgetNetworks } from './referrals.queries.ts';

export function referralJobs(context: Context, asks: ReferralAsks): void {
  const { db, jobs, clock } = context;
  jobs.every('referrals.approve-due', '11 * * * *', () => approveDue({ context, asks }));
  jobs.every('referrals.forget', '41 * * * *', async () => {
    await forgetNetworks(db, new Date(clock.now().getTime() - comparedMs));
    await deleteOldNotifications(context);
  });
}
