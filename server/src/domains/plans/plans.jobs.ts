import type { Context } from '../../kit/context.ts';
import type { Payments } from '../payments/payments.service.ts';
import { announceRenewals } from './plans.renewals.notices.ts';
import { type RenewalPort, chargeDueRenewals } from './plans.renewals.ts';

export { renewalMails } from './plans.renewals.notices.ts';

export function planJobs(context: Context, payments: Payments, port: RenewalPort) {
  const parts = { context, payments, port };
  context.jobs.every('plans.charge-renewals', '* * * * *', () => chargeDueRenewals(parts));
  context.jobs.every('plans.announce-renewals', '*/10 * * * *', () => announceRenewals(parts));
}
