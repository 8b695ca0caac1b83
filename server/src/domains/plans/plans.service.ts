import type { CountryCode } from '@handwise/contract/markets';
import { markets } from '@handwise/contract/markets';
import { type Plan, type PlanType, type Subscription, plans, subscriptionDays } from '@handwise/contract/plans';
import { countAttempt } from '../../kit/attempts.ts';
import type { Db, Reader, Tx } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { type Contact, findContact, lockUser } from '../accounts/accounts.service.ts';
import type { Checkout, Fulfilment, Payment } from '../payments/payments.service.ts';
import * as payments from '../payments/payments.service.ts';
import { enterReferralCode, isFairlyReferred } from '../referrals/referrals.service.ts';
import * as queries from './plans.queries.ts';
import type { SubscriptionRow } from './plans.queries.ts';
import { changeQuote, periodEnd, tooSmallFor, wholeDaysLeft } from './plans.rules.ts';

export type { SubscriptionRow };
export const { findFreeSlot, findSubscription, findSubscriptionOfPayment, lockSubscription } = queries;

const asPlan = (id: string, planType: PlanType): Plan => {
  const { name, features, slots, photos, priceMinor, rank } = plans[planType];
  return {
    _id: id,
    planType,
    name,
    planPrice: priceMinor / 100,
    features: [...features],
    rank,
    slots,
    photos,
    mostPopular: planType === 'premium',
  };
};

/** The plans with their ids, cheapest first. Prices and features stand in the contract; the table follows it. */
export async function listPlans(db: Reader): Promise<Plan[]> {
  const rows = await queries.listPlans(db);
  return rows.map((row) => asPlan(row.id, row.plan_type as PlanType));
}

export async function syncPlans(tx: Tx): Promise<void> {
  for (const [planType, { rank, priceMinor, slots, photos }] of Object.entries(plans)) {
    await queries.upsertPlan(tx, { plan_type: planType, rank, price_minor: priceMinor, slots, photos });
  }
}

/** Throws `plan_not_found`. */
export async function getPlan(db: Reader, id: string): Promise<Plan> {
  const plan = (await listPlans(db)).find((one) => one._id === id);
  if (!plan) throw new AppError('plan_not_found');
  return plan;
}

const asSubscription = (row: SubscriptionRow, timeZone?: string): Subscription => {
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
    isActive: row.ends_at.getTime() > Date.now(),
    isFree: row.source === 'free_first_month' || row.source === 'free_month',
  };
};

export async function listSubscriptions({ db, timeZonesOf }: Checkout, userId: string) {
  const rows = await queries.listSubscriptions(db, userId);
  const timeZones = await timeZonesOf(
    db,
    rows.map((row) => row.id),
  );
  const user = await findContact(db, userId);
  return { subscriptions: rows.map((row) => asSubscription(row, timeZones.get(row.id))), freeFirstMonth: await isFirstMonthFree(db, user) };
}

/** Whether the next plan costs nothing: the first that the account ever takes, after a referral code. */
export async function isFirstMonthFree(db: Reader, user: Contact): Promise<boolean> {
  return !(await queries.hasSubscribed(db, user.id)) && (await isFairlyReferred(db, user));
}

/** Takes the free first month. The user must be locked and `isFirstMonthFree` hold. */
export async function startFreeMonth(tx: Tx, userId: string, plan: Plan, country: CountryCode): Promise<SubscriptionRow> {
  return start(tx, { userId, planId: plan._id, planType: plan.planType, country, source: 'free_first_month', paymentId: null });
}

async function start(
  tx: Tx,
  terms: {
    userId: string;
    planId: string;
    planType: PlanType;
    country: CountryCode;
    source: 'payment' | 'plan_change' | 'free_first_month';
    paymentId: string | null;
  },
): Promise<SubscriptionRow> {
  const startsAt = new Date();
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

/** Gives a payment its subscription. The payer must be locked. */
export async function startPaid(tx: Tx, payment: Payment): Promise<SubscriptionRow> {
  const { planType } = await getPlan(tx, payment.plan_id);
  const { user_id: userId, plan_id: planId, country, id: paymentId } = payment;
  return start(tx, { userId, planId, planType, country, source: 'payment', paymentId });
}

/** `timeZone` is that of the listing that is paid for, where there is one already. */
export const asFulfilment = (row: SubscriptionRow, timeZone: string): Fulfilment => ({
  subscription: { planName: plans[row.plan_type].name, startsAt: row.starts_at, endsAt: row.ends_at, timeZone },
});

/** What a payment for a new subscription buys. */
export async function fulfilPurchase(tx: Tx, payment: Payment): Promise<Fulfilment> {
  return asFulfilment(await startPaid(tx, payment), markets[payment.country].timeZone);
}

/** Whether a subscription is of this plan and in its first day, so that beginning it anew would give nothing. */
export const hasJustBegun = (subscription: SubscriptionRow, plan: Plan) =>
  subscription.plan_type === plan.planType && wholeDaysLeft(subscription.ends_at, new Date()) >= subscriptionDays - 1;

/** What a change of a subscription's plan would cost now. Throws `plan_too_small`. */
export function quoteChange(subscription: SubscriptionRow, plan: Plan): { amount: number; reason: string; endDate: Date } {
  const now = new Date();
  if (hasJustBegun(subscription, plan)) {
    return { amount: 0, reason: `Your ${plan.name} plan has only just begun. Nothing to pay.`, endDate: subscription.ends_at };
  }
  const refusal = tooSmallFor(plan.planType, subscription.slots_used);
  if (refusal) throw new AppError('plan_too_small', { message: refusal });
  const daysLeft = wholeDaysLeft(subscription.ends_at, now);
  return { ...changeQuote(subscription.plan_type, plan.planType, daysLeft), endDate: periodEnd(now) };
}

/**
 * Puts a new subscription in the place of one, paid or at no cost; the caller moves the listings. The user and the old
 * subscription must be locked. A reason where it is not possible any more: then nothing was changed.
 */
export async function replace(
  tx: Tx,
  old: SubscriptionRow,
  by: { payment: Payment } | { plan: Plan },
): Promise<{ subscription: SubscriptionRow } | { refusal: string }> {
  const plan = 'plan' in by ? by.plan : await getPlan(tx, by.payment.plan_id);
  if (old.replaced_by) return { refusal: 'The plan was changed by another request meanwhile.' };
  const refusal = tooSmallFor(plan.planType, old.slots_used);
  if (refusal) return { refusal };
  const subscription =
    'payment' in by
      ? await startPaid(tx, by.payment)
      : await start(tx, {
          userId: old.user_id,
          planId: plan._id,
          planType: plan.planType,
          country: old.country,
          source: 'plan_change',
          paymentId: null,
        });
  await queries.replaceSubscription(tx, old.id, subscription.id);
  return { subscription };
}

export const endOfNewPeriod = () => periodEnd(new Date());

export type Terms = { planId: string; country: CountryCode };
type IntentAnswer = { clientSecret: string | null; paymentIntentId: string | null; amount: number; currency: 'NZD' | 'AUD' };

/**
 * Begins to pay for a plan. A user has one open payment at a time: asked again for the same plan the same intent comes back,
 * and for another one the first is given up. Amount 0 where the first month is free. Throws `already_covered` where a
 * subscription has a free slot, `payment_processing`, `plan_not_found`, `payment_provider_unavailable`.
 */
export async function createIntent(checkout: Checkout, userId: string, { planId, country }: Terms): Promise<IntentAnswer> {
  const plan = await getPlan(checkout.db, planId);
  const { currency } = markets[country];
  const amount = plans[plan.planType].priceMinor;
  const isSame = (open: Payment) => open.plan_id === plan._id && open.country === country && open.amount_minor === amount;
  // Each turn ends, or closes a payment that stood in the way: a second one is rare, a third one means that requests race.
  for (let turn = 0; turn < 4; turn += 1) {
    const found = await checkout.db.transaction().execute(async (tx) => {
      const user = await lockUser(tx, userId);
      if (await queries.findFreeSlot(tx, userId, country)) throw new AppError('already_covered');
      if (await isFirstMonthFree(tx, user)) return 'free';
      const open = await payments.findOpenPurchase(tx, userId);
      if (open) return open;
      const terms = { user_id: userId, plan_id: plan._id, country, amount_minor: amount, currency };
      return payments.insertPayment(tx, { ...terms, purpose: 'listing', listing_id: null, replaces_id: null, card_id: null });
    });
    if (found === 'free') {
      const open = await payments.findOpenPurchase(checkout.db, userId);
      if (!open) return { clientSecret: null, paymentIntentId: null, amount: 0, currency };
      // Begun before the code was entered: it must not be paid in another tab now.
      await payments.giveUp(checkout, open, 'canceled');
      continue;
    }
    if (!isSame(found)) {
      await payments.giveUp(checkout, found, 'canceled');
      continue;
    }
    const intent = await payments.openIntentOf(checkout, found);
    if (!intent) continue;
    if (intent.status === 'processing') throw new AppError('payment_processing');
    if (intent.status === 'succeeded' || intent.status === 'canceled') {
      await payments.settle(checkout, intent);
      continue;
    }
    return { clientSecret: intent.client_secret, paymentIntentId: intent.id, amount, currency };
  }
  throw new AppError('payment_processing');
}

/** Few enough that codes cannot be guessed. */
const codeLimit = { max: 30, windowSeconds: 600 };

/** Enters a referral code before the first plan. Throws `free_month_used`, `own_referral_code`, or `invalid_input` for an unknown one. */
export async function enterCode(db: Db, userId: string, code: string): Promise<void> {
  await countAttempt(db, `referral-code-by:${userId}`, codeLimit);
  await db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, userId);
    if (await queries.hasSubscribed(tx, userId)) throw new AppError('free_month_used');
    await enterReferralCode(tx, user, code);
  });
}

/** Books one's own payment after the browser has confirmed it. */
export async function confirmPayment(checkout: Checkout, userId: string, intentId: string) {
  const payment = await payments.confirm(checkout, userId, intentId);
  const row = await queries.findSubscriptionOfPayment(checkout.db, payment.id);
  const timeZones = await checkout.timeZonesOf(checkout.db, row ? [row.id] : []);
  return {
    success: true as const,
    message: row ? 'Your payment was received.' : 'This payment could not be used and goes back to your card.',
    paymentIntentId: intentId,
    subscription: row ? asSubscription(row, timeZones.get(row.id)) : null,
    refunded: row === undefined,
  };
}
