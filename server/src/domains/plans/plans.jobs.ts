import type { Context } from '../../kit/context.ts';
import type { Payments } from '../payments/payments.service.ts';
import type { PlanHooks } from './plans.context.ts';
import { announceRenewals } from './plans.renewals.notices.ts';
import { chargeDueRenewals } from './plans.renewals.ts';

export { renewalMails } from './plans.renewals.notices.ts';

export function planJobs(context: Context, payments: Payments, hooks: PlanHooks) {
  const parts = { context, payments, hooks };
  context.jobs.every('plans.charge-renewals', '* * * * *', () => chargeDueRenewals(parts));
  context.jobs.every('plans.announce-renewals', '*/10 * * * *', () => announceRenewals(parts));
}
