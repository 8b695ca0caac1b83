import type { Env } from './env.ts';
import { timeZonesOf } from './domains/listings/listings.service.ts';
import type { Checkout } from './domains/payments/payments.service.ts';
import { fulfilPurchase } from './domains/plans/plans.service.ts';
import { fulfilPlanChange, fulfilReactivation } from './domains/selling/selling.service.ts';
import type { Db } from './kit/database.ts';
import type { Jobs } from './kit/jobs.ts';
import { type StripeSettings, openStripe } from './kit/stripe.ts';

const fulfilments = { listing: fulfilPurchase, plan_change: fulfilPlanChange, reactivation: fulfilReactivation };

/** What taking payments needs, with what each kind of payment buys: here the domains meet that do not know each other. */
export const openCheckout = (parts: { env: Env; db: Db; jobs: Jobs; stripe: StripeSettings }): Checkout => ({
  db: parts.db,
  jobs: parts.jobs,
  stripe: openStripe(parts.stripe),
  appUrl: parts.env.appUrl,
  invoice: parts.env.invoice,
  fulfil: (tx, payment) => fulfilments[payment.purpose](tx, payment),
  timeZonesOf,
});
