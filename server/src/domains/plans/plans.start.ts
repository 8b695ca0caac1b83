import type { CountryCode } from '@handwise/contract/markets';
import { plans } from '@handwise/contract/plans/table';
import type { PlanType } from '@handwise/contract/plans/calls';
import type { Tx } from '../../kit/database/database.ts';
import * as queries from './plans.queries.ts';
import type { SubscriptionRow } from './plans.queries.ts';
import { periodEnd } from './plans.rules.ts';

type Start = {
  userId: string;
  planId: string;
  planType: PlanType;
  country: CountryCode;
  source: 'payment' | 'plan_change' | 'free_first_month' | 'free_month';
  paymentId: string | null;
};

/** Writes a subscription that begins now. */
export async function start(tx: Tx, startsAt: Date, terms: Start): Promise<SubscriptionRow> {
  const { id } = await queries.insertSubscription(tx, {
    user_id: terms.userId,
    plan_id: terms.planId,
    country: terms.country,
    source: terms.source,
    payment_id: terms.paymentId,
    slots: plans[terms.planType].slots,
    starts_at: startsAt,
    ends_at: periodEnd(startsAt),
  });
  const row = await queries.findSubscription(tx, id);
  if (!row) throw new Error('a subscription that was just written is not there');
  return row;
}
