import { type CountryCode, markets } from '@handwise/contract/markets';
import type { Plan, PlanType, Subscription } from '@handwise/contract/plans/calls';
import { listFeatures, plans } from '@handwise/contract/plans/table';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Fulfilment, Payment } from '../payments/payments.service.ts';
import { type SubscriptionRow, listPlanRows, startSubscription } from './plans.queries.ts';
import type { RenewalRow } from './plans.renewals.queries.ts';
import { isRenewalPending } from './plans.renewals.states.ts';

const toPlan = (id: string, planType: PlanType): Plan => {
  const { name, slots, photos, priceMinor, rank } = plans[planType];
  return {
    _id: id,
    planType,
    name,
    planPrice: priceMinor / 100,
    priceMinor,
    features: listFeatures(planType),
    rank,
    slots,
    photos,
    mostPopular: planType === 'premium',
  };
};

/** Cheapest first. Prices and features are defined in the contract; the table follows it. */
export async function listPlans(db: Reader): Promise<Plan[]> {
  const rows = await listPlanRows(db);
  return rows.map((row) => toPlan(row.id, row.plan_type));
}

/** Throws `plan_not_found`. */
export async function getPlan(db: Reader, id: string): Promise<Plan> {
  const plan = (await listPlans(db)).find((one) => one._id === id);
  if (!plan) throw new AppError('plan_not_found');
  return plan;
}

// One that was replaced or returned before it began ends later than now.
export const isRunning = (row: Pick<SubscriptionRow, 'ends_at' | 'replaced_by' | 'returned_at'>, now: Date) =>
  !row.replaced_by && !row.returned_at && row.ends_at.getTime() > now.getTime();

export const isFree = ({ source }: Pick<SubscriptionRow, 'source'>) => source === 'free_first_month' || source === 'free_month';

const toRenewal = ({ card_id: cardId, amount_minor: amount, charge_at: chargeAt, problem, ...row }: RenewalRow, country: CountryCode) =>
  isRenewalPending(row)
    ? { cardId, amount, currency: markets[country].currency, nextChargeAt: chargeAt?.toISOString() ?? null, state: row.status, problem }
    : null;

export const toSubscription = (
  row: SubscriptionRow,
  now: Date,
  { timeZone, renewal }: { timeZone: string | undefined; renewal: RenewalRow | undefined },
): Subscription => {
  const plan = toPlan(row.plan_id, row.plan_type);
  return {
    _id: row.id,
    planId: plan,
    plan,
    country: row.country,
    timeZone: timeZone ?? markets[row.country].timeZone,
    startDate: row.starts_at.toISOString(),
    endDate: row.ends_at.toISOString(),
    slots: row.slots,
    slotsUsed: row.slots_used,
    isActive: isRunning(row, now),
    isFree: isFree(row),
    isReplaced: row.replaced_by !== null,
    isReturned: row.returned_at !== null,
    isDisputed: row.disputed_at !== null,
    isRenewed: row.followed_by !== null,
    renewal: renewal ? toRenewal(renewal, row.country) : null,
  };
};

/** `timeZone`: that of the listing that is paid for, if it exists already. */
export const toFulfilment = (row: SubscriptionRow, timeZone: string): Fulfilment => ({
  subscription: { planName: plans[row.plan_type].name, startsAt: row.starts_at, endsAt: row.ends_at, timeZone },
});

/** Starts the subscription that a payment bought; the payer must be locked. */
export async function startPaidSubscription(tx: Tx, payment: Payment, startsAt: Date): Promise<SubscriptionRow> {
  const { planType } = await getPlan(tx, payment.plan_id);
  const { user_id: userId, plan_id: planId, country, id: paymentId, renews_id: followsId } = payment;
  return startSubscription(tx, startsAt, {
    userId,
    planId,
    planType,
    country,
    source: 'payment',
    paymentId,
    // A change of plan costs the difference only.
    ...(payment.purpose !== 'plan_change' && { priceMinor: payment.amount_minor }),
    ...(followsId !== null && { followsId }),
  });
}
