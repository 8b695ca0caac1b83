import type { CountryCode } from '@handwise/contract/markets';
import { markets } from '@handwise/contract/markets';
import { featuresOf, plans, subscriptionDays } from '@handwise/contract/plans/table';
import { type FreeMonth, type Plan, type PlanType, type Subscription, planType as planTypes } from '@handwise/contract/plans/calls';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import {
  type Fulfilment,
  type Payment,
  type PaymentStart,
  type Payments,
  findOpenPurchase,
  insertPayment,
} from '../payments/payments.service.ts';
import { listCredits } from '../referrals/referrals.service.ts';
import { freeMonthOf, isFirstMonthFree } from './plans.free-months.ts';
import * as queries from './plans.queries.ts';
import type { SubscriptionRow } from './plans.queries.ts';
import { start } from './plans.start.ts';
import { changeQuote, changeQuoteFromFree, periodEnd, tooSmallFor, wholeDaysLeft } from './plans.rules.ts';

export type { SubscriptionRow };
export { freeMonthsBook } from './plans.audit.ts';
export { countSold } from './plans.figures.ts';
export { freeMonthOf, refuseUnpaid, refuseUnready, startFreeMonth } from './plans.free-months.ts';
export const { endSubscriptions, findFreeSlot, findSubscription, findSubscriptionOfPayment, hasSubscribed, lockSubscription } = queries;
export const { findReturned, giveSubscription, returnSubscription, setDisputed } = queries;

/** The time zones of subscriptions that cover listings: of the first listing's region each. Listings stand above plans. */
export type TimeZonesOf = (db: Reader, subscriptionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;

const asPlan = (id: string, planType: PlanType): Plan => {
  const { name, slots, photos, priceMinor, rank } = plans[planType];
  return {
    _id: id,
    planType,
    name,
    planPrice: priceMinor / 100,
    priceMinor,
    features: featuresOf(planType),
    rank,
    slots,
    photos,
    mostPopular: planType === 'premium',
  };
};

/** The plans with their ids, cheapest first. Prices and features stand in the contract; the table follows it. */
export async function listPlans(db: Reader): Promise<Plan[]> {
  const rows = await queries.listPlans(db);
  return rows.map((row) => asPlan(row.id, row.plan_type));
}

export async function syncPlans(tx: Tx): Promise<void> {
  for (const type of planTypes.options) {
    const { rank, priceMinor, slots, photos } = plans[type];
    await queries.upsertPlan(tx, { plan_type: type, rank, price_minor: priceMinor, slots, photos });
  }
}

/** Throws `plan_not_found`. */
export async function getPlan(db: Reader, id: string): Promise<Plan> {
  const plan = (await listPlans(db)).find((one) => one._id === id);
  if (!plan) throw new AppError('plan_not_found');
  return plan;
}

export const isRunning = (row: Pick<SubscriptionRow, 'ends_at' | 'replaced_by'>, now: Date) =>
  !row.replaced_by && row.ends_at.getTime() > now.getTime();

const isFree = ({ source }: Pick<SubscriptionRow, 'source'>) => source === 'free_first_month' || source === 'free_month';

/** A row as the API shows it. */
const asSubscription = (row: SubscriptionRow, now: Date, timeZone: string | undefined): Subscription => {
  const plan = asPlan(row.plan_id, row.plan_type);
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
  };
};

/** One's subscriptions, running ones first, and whether the next plan would be free. */
export async function listSubscriptions({ db, clock }: Context, userId: string, timeZonesOf: TimeZonesOf) {
  const now = clock.now();
  const rows = await queries.listSubscriptions(db, userId, now);
  const timeZones = await timeZonesOf(
    db,
    rows.map((row) => row.id),
  );
  return {
    subscriptions: rows.map((row) => asSubscription(row, now, timeZones.get(row.id))),
    freeFirstMonth: await isFirstMonthFree(db, userId, { businessNumber: undefined, now }),
    credits: await listCredits(db, userId),
  };
}

/** Gives a payment its subscription. The payer must be locked. */
export async function startPaid(tx: Tx, payment: Payment, now: Date): Promise<SubscriptionRow> {
  const { planType } = await getPlan(tx, payment.plan_id);
  const { user_id: userId, plan_id: planId, country, id: paymentId } = payment;
  return start(tx, now, { userId, planId, planType, country, source: 'payment', paymentId });
}

/** `timeZone` is that of the listing that is paid for, where there is one already. */
export const asFulfilment = (row: SubscriptionRow, timeZone: string): Fulfilment => ({
  subscription: { planName: plans[row.plan_type].name, startsAt: row.starts_at, endsAt: row.ends_at, timeZone },
});

/** What a payment for a new subscription buys. */
export async function fulfilPurchase(tx: Tx, payment: Payment, now: Date): Promise<Fulfilment> {
  return asFulfilment(await startPaid(tx, payment, now), markets[payment.country].timeZone);
}

/** Whether a subscription is of this plan and in its first day, so that beginning it anew would give nothing. */
export const hasJustBegun = (subscription: SubscriptionRow, plan: Plan, now: Date) =>
  subscription.plan_type === plan.planType && wholeDaysLeft(subscription.ends_at, now) >= subscriptionDays - 1;

/** What a change of a subscription's plan would cost now. Throws `plan_too_small`, and `payment_disputed` while a bank decides about its payment. */
export function quoteChange(subscription: SubscriptionRow, plan: Plan, now: Date): { amount: number; reason: string; endDate: Date } {
  if (subscription.disputed_at) throw new AppError('payment_disputed');
  if (hasJustBegun(subscription, plan, now)) {
    return { amount: 0, reason: `Your ${plan.name} plan has only just begun. Nothing to pay.`, endDate: subscription.ends_at };
  }
  const refusal = tooSmallFor(plan.planType, subscription.slots_used);
  if (refusal) throw new AppError('plan_too_small', { message: refusal });
  const change = isFree(subscription)
    ? changeQuoteFromFree(subscription.plan_type, plan.planType)
    : changeQuote(subscription.plan_type, plan.planType, wholeDaysLeft(subscription.ends_at, now));
  return { ...change, endDate: periodEnd(now) };
}

/**
 * Puts a new subscription in the place of one, paid or at no cost; the caller moves the listings. The user and the old
 * subscription must be locked. A reason where it is not possible any more: then nothing was changed.
 */
export async function replace(
  tx: Tx,
  old: SubscriptionRow,
  by: { payment: Payment } | { plan: Plan },
  now: Date,
): Promise<{ subscription: SubscriptionRow } | { refusal: string }> {
  const plan = 'plan' in by ? by.plan : await getPlan(tx, by.payment.plan_id);
  if (old.replaced_by) return { refusal: 'The plan has just been changed by another request.' };
  const refusal = tooSmallFor(plan.planType, old.slots_used);
  if (refusal) return { refusal };
  const subscription =
    'payment' in by
      ? await startPaid(tx, by.payment, now)
      : await start(tx, now, {
          userId: old.user_id,
          planId: plan._id,
          planType: plan.planType,
          country: old.country,
          source: 'plan_change',
          paymentId: null,
        });
  await queries.replaceSubscription(tx, old.id, subscription.id, now);
  return { subscription };
}

export const endOfNewPeriod = periodEnd;

/** The country of what is to be paid for: as given, else the host's, else New Zealand. */
export const countryOf = (given: CountryCode | undefined, market: CountryCode | null) => given ?? market ?? 'NZ';

type Coverage = { by: 'slot'; subscription: SubscriptionRow } | { by: 'free_month'; free: FreeMonth } | { by: 'payment' };
type Wanted = { plan: Plan; country: CountryCode; businessNumber: string | undefined; now: Date };

/**
 * What a new listing under a plan would be covered by now: a free slot of a subscription of this plan or a higher one, a free month, or a
 * payment that is still owed. The user must be locked.
 */
export async function findCoverage(tx: Tx, userId: string, { plan, country, businessNumber, now }: Wanted): Promise<Coverage> {
  const subscription = await queries.findFreeSlot(tx, userId, now, country, plan.rank);
  if (subscription) return { by: 'slot', subscription };
  const free = await freeMonthOf(tx, userId, { planType: plan.planType, businessNumber, now });
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
 * Begins to pay for a plan. A user has one open payment at a time: asked again for the same plan the same intent comes back,
 * and for another one the first is given up. Amount 0 where a month is free, with what it still needs. Throws `already_covered` where a
 * free slot covers a listing of this plan, `payment_processing`, `plan_not_found`, `payment_provider_unavailable`.
 */
export async function createIntent(
  context: Context,
  payments: Payments,
  userId: string,
  { planId, country, businessNumber }: Terms,
): Promise<IntentAnswer> {
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
        // Begun before the code was entered: it must not be paid in another tab now.
        if (open) return { blocking: open };
        return { answer: { clientSecret: null, paymentIntentId: null, amount: 0, currency, free: coverage.free } };
      }
      return { open: open ?? (await insertPayment(tx, terms)) };
    });
  return payments.collect(terms, begin, async (payment) => {
    const payable = await payments.getPayable(payment);
    return payable && { ...payable, amount, currency, free: null };
  });
}

/** Books one's own payment after the browser has confirmed it. */
export async function confirmPayment(
  { db, clock }: Context,
  payments: Payments,
  userId: string,
  intentId: string,
  timeZonesOf: TimeZonesOf,
) {
  const payment = await payments.confirm(userId, intentId);
  const bought = await queries.findSubscriptionOfPayment(db, payment.id);
  const row = bought?.returned_at === null ? bought : undefined;
  const timeZones = await timeZonesOf(db, row ? [row.id] : []);
  return {
    success: true as const,
    message: row ? 'Your payment was received.' : 'This payment could not be used and is going back to your card.',
    paymentIntentId: intentId,
    subscription: row ? asSubscription(row, clock.now(), timeZones.get(row.id)) : null,
    refunded: row === undefined,
  };
}

/** What is kept of somebody's plans. */
export const ownDataOf = (db: Reader, userId: string): OwnData => ({
  lists: { subscriptions: () => queries.listOwnData(db, userId) },
  pictures: [],
});
