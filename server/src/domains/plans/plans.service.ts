import { type CountryCode, markets } from '@handwise/contract/markets';
import { type FreeMonth, type HeldReferral, type Plan, planType as planTypes } from '@handwise/contract/plans/calls';
import { plans, subscriptionDays } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { findContact, lockUser } from '../accounts/accounts.service.ts';
import {
  type Fulfilment,
  type Payment,
  type PaymentStart,
  type Payments,
  findOpenPurchase,
  insertPayment,
  collectPayment,
  confirmOwnIntent,
  getPayable,
} from '../payments/payments.service.ts';
import { findHeldReferral, listFreeMonths } from '../referrals/referrals.service.ts';
import type { PlanHooks } from './plans.context.ts';
import { findFreeMonth, isFirstMonthFree } from './plans.free-months.ts';
import {
  type SubscriptionRow,
  findFreeSlot,
  findSubscriptionOfPayment,
  listOwnSubscriptionData,
  listSubscriptionRows,
  replaceSubscription,
  startSubscription,
  upsertPlan,
} from './plans.queries.ts';
import { renewalEndedByChangeEmail } from './plans.renewals.emails.ts';
import { findRenewal, listOwnRenewalData, listRenewals } from './plans.renewals.queries.ts';
import { endRenewals } from './plans.renewals.states.ts';
import { calculateChangePrice, calculateFreeChangePrice, periodEnd, planTooSmallReason, wholeDaysLeft } from './plans.rules.ts';
import { getPlan, isFree, startPaidSubscription, toFulfilment, toSubscription } from './plans.views.ts';
export type { PlanHooks } from './plans.context.ts';

export {
  type SubscriptionRow,
  freeMonthsAudit,
  countSoldPlans,
  endSubscriptions,
  findFreeSlot,
  getSubscription,
  findSubscriptionOfPayment,
  hasSubscribed,
  lockSubscription,
  listReturnedPaymentIds,
  giftSubscription,
  endReturnedSubscription,
  setSubscriptionDisputed,
} from './plans.queries.ts';
export { findFreeMonth, throwPaymentRequired, checkFreeMonthReady, startFreeMonth } from './plans.free-months.ts';
export { getPlan, isRunning, listPlans, startPaidSubscription, toFulfilment } from './plans.views.ts';
export { findRenewal, renewalsAudit } from './plans.renewals.queries.ts';
export { listLapsesToTell } from './plans.renewals.notices.ts';
export { fulfilRenewal } from './plans.renewals.ts';
export { endRenewals, endRenewalsOfUser, pendingStatuses as pendingRenewalStatuses, isRenewalPending } from './plans.renewals.states.ts';

/** Writes the plans into their table, with the price and slots of the site's settings. */
export async function syncPlans(tx: Tx): Promise<void> {
  for (const type of planTypes.options) {
    const { rank, priceMinor, slots, photos } = plans[type];
    await upsertPlan(tx, { plan_type: type, rank, price_minor: priceMinor, slots, photos });
  }
}

/** The user's own subscriptions, running ones first, and whether the next plan is free. */
export async function listSubscriptions({ db, clock }: Context, userId: string, timeZonesOf: PlanHooks['timeZonesOf']) {
  const now = clock.now();
  const rows = await listSubscriptionRows(db, userId, now);
  const ids = rows.map(({ id }) => id);
  const timeZones = await timeZonesOf(db, ids);
  const renewals = new Map((await listRenewals(db, ids)).map((row) => [row.subscription_id, row]));
  return {
    subscriptions: rows.map((row) => toSubscription(row, now, { timeZone: timeZones.get(row.id), renewal: renewals.get(row.id) })),
    freeFirstMonth: await isFirstMonthFree(db, userId, { businessNumber: undefined, now }),
    credits: await listFreeMonths(db, userId),
  };
}

export async function fulfilPurchase(tx: Tx, payment: Payment, now: Date): Promise<Fulfilment> {
  return toFulfilment(await startPaidSubscription(tx, payment, now), markets[payment.country].timeZone);
}

/** Whether a subscription has this plan and is in its first day, so that restarting it gives nothing. */
export const hasJustStarted = (subscription: SubscriptionRow, plan: Plan, now: Date) =>
  subscription.plan_type === plan.planType && wholeDaysLeft(subscription.ends_at, now, subscription.paid_from) >= subscriptionDays - 1;

/** The price of a plan change now. Throws `plan_too_small`, and `payment_disputed` during a dispute. */
export function getChangePrice(subscription: SubscriptionRow, plan: Plan, now: Date): { amount: number; reason: string; endDate: Date } {
  if (subscription.disputed_at) throw new AppError('payment_disputed');
  if (hasJustStarted(subscription, plan, now)) {
    return { amount: 0, reason: `Your ${plan.name} plan has only just begun. Nothing to pay.`, endDate: subscription.ends_at };
  }
  const rejection = planTooSmallReason(plan.planType, subscription.slots_used);
  if (rejection) throw new AppError('plan_too_small', { message: rejection });
  const change = isFree(subscription)
    ? calculateFreeChangePrice(subscription.plan_type, plan.planType)
    : calculateChangePrice(
        subscription.plan_type,
        plan.planType,
        wholeDaysLeft(subscription.ends_at, now, subscription.paid_from),
        subscription.price_minor ?? undefined,
      );
  return { ...change, endDate: periodEnd(now) };
}

/**
 * Replaces a subscription, paid or free, and ends its renewal; the caller moves the listings. The user and the old subscription must be
 * locked. Returns a rejection when it is no longer possible; then nothing was changed.
 */
export async function replacePlan(
  tx: Tx,
  old: SubscriptionRow,
  by: { payment: Payment } | { plan: Plan },
  now: Date,
): Promise<{ subscription: SubscriptionRow; hasEndedRenewal: boolean } | { rejection: string }> {
  const plan = 'plan' in by ? by.plan : await getPlan(tx, by.payment.plan_id);
  if (old.replaced_by) return { rejection: 'The plan has just been changed by another request.' };
  const rejection = planTooSmallReason(plan.planType, old.slots_used);
  if (rejection) return { rejection };
  const subscription =
    'payment' in by
      ? await startPaidSubscription(tx, by.payment, now)
      : await startSubscription(tx, now, {
          userId: old.user_id,
          planId: plan._id,
          planType: plan.planType,
          country: old.country,
          source: 'plan_change',
          paymentId: null,
        });
  await replaceSubscription(tx, old.id, subscription.id, now);
  const ended = await endRenewals(tx, [old.id]);
  return { subscription, hasEndedRenewal: ended.length > 0 };
}

/** Emails the seller that the renewal of a plan has ended because they changed to another one. */
export async function emailRenewalEnded(
  { jobs, appUrl }: Context,
  tx: Tx,
  { old, next, timeZone }: { old: SubscriptionRow; next: SubscriptionRow; timeZone: string },
): Promise<void> {
  const { email, full_name: name } = await findContact(tx, old.user_id);
  const planNames = { planName: plans[old.plan_type].name, nextPlanName: plans[next.plan_type].name };
  await jobs.send(tx, sendMail, renewalEndedByChangeEmail({ to: email, name, appUrl, ...planNames, endsAt: next.ends_at, timeZone }));
}

export const endOfNewPeriod = periodEnd;

/** The country of a payment: as given, else the host's, else New Zealand. */
export const resolveCountry = (chosen: CountryCode | undefined, market: CountryCode | null) => chosen ?? market ?? 'NZ';

type Coverage = { by: 'slot'; subscription: SubscriptionRow } | { by: 'free_month'; free: FreeMonth } | { by: 'payment' };
type Wanted = { plan: Plan; country: CountryCode; businessNumber: string | undefined; now: Date };

/**
 * How a new listing would be covered now: by a free slot of this plan or a higher one, a free month, or a payment. The user must be locked.
 */
export async function findCoverage(tx: Tx, userId: string, { plan, country, businessNumber, now }: Wanted): Promise<Coverage> {
  const subscription = await findFreeSlot(tx, userId, now, country, plan.rank);
  if (subscription) return { by: 'slot', subscription };
  const free = await findFreeMonth(tx, userId, { planType: plan.planType, businessNumber, now });
  return free ? { by: 'free_month', free: { source: free.source, needs: free.needs } } : { by: 'payment' };
}

type Terms = { planId: string; country: CountryCode; businessNumber: string | undefined };
type IntentAnswer = {
  clientSecret: string | null;
  paymentIntentId: string | null;
  amount: number;
  currency: 'NZD' | 'AUD';
  free: FreeMonth | null;
};

/**
 * Starts or continues the user's only open payment: the same plan returns the same intent, another plan cancels the first. Amount 0 with a
 * free month, and what it still needs; with what a held referral waits for. Throws `already_covered` when a free slot covers a listing of this plan, `payment_processing`,
 * `plan_not_found`, `payment_provider_unavailable`.
 */
export async function createPlanIntent(
  context: Context,
  payments: Payments,
  userId: string,
  { planId, country, businessNumber }: Terms,
): Promise<IntentAnswer & { heldReferral: HeldReferral | null }> {
  const { db, clock } = context;
  const plan = await getPlan(db, planId);
  const { currency } = markets[country];
  const amount = plans[plan.planType].priceMinor;
  const terms = {
    user_id: userId,
    purpose: 'listing',
    plan_id: plan._id,
    country,
    listing_id: null,
    replaces_id: null,
    card_id: null,
    amount_minor: amount,
    currency,
  } as const;
  const begin = () =>
    db.transaction().execute(async (tx): Promise<PaymentStart<IntentAnswer>> => {
      await lockUser(tx, userId);
      const coverage = await findCoverage(tx, userId, { plan, country, businessNumber, now: clock.now() });
      if (coverage.by === 'slot') throw new AppError('already_covered');
      const open = await findOpenPurchase(tx, userId);
      if (coverage.by === 'free_month') {
        // Started before the code was entered; another tab must not pay it now.
        if (open) return { blocking: open };
        return { answer: { clientSecret: null, paymentIntentId: null, amount: 0, currency, free: coverage.free } };
      }
      return { open: open ?? (await insertPayment(tx, terms)) };
    });
  const answer = await collectPayment(payments, terms, begin, async (payment) => {
    const payable = await getPayable(payments, payment);
    return payable && { ...payable, amount, currency, free: null };
  });
  return { ...answer, heldReferral: await findHeldReferral(db, userId) };
}

/** Books the user's own payment after the browser has confirmed it. */
export async function confirmPlanPayment(
  { db, clock }: Context,
  payments: Payments,
  userId: string,
  intentId: string,
  timeZonesOf: PlanHooks['timeZonesOf'],
) {
  const payment = await confirmOwnIntent(payments, userId, intentId);
  const bought = await findSubscriptionOfPayment(db, payment.id);
  const row = bought?.returned_at === null ? bought : undefined;
  const timeZones = await timeZonesOf(db, row ? [row.id] : []);
  return {
    success: true as const,
    message: row ? 'Your payment was received.' : 'This payment could not be used and is going back to your card.',
    paymentIntentId: intentId,
    subscription: row
      ? toSubscription(row, clock.now(), { timeZone: timeZones.get(row.id), renewal: await findRenewal(db, row.id) })
      : null,
    refunded: row === undefined,
  };
}

/** The user's own plan data. */
export const getOwnPlanData = (db: Reader, userId: string): OwnData => ({
  lists: {
    subscriptions: () => listOwnSubscriptionData(db, userId),
    renewals: () => listOwnRenewalData(db, userId),
  },
});
