import { markets } from '@handwise/contract/markets';
import { money } from '@handwise/contract/money';
import { getChargeTime, getRetryTime } from '@handwise/contract/plans/renewal';
import { plans } from '@handwise/contract/plans/table';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { type Contact, lockAccount } from '../accounts/accounts.service.ts';
import {
  type CardRow,
  type ChargeResult,
  type Fulfilment,
  type Payment,
  type PaymentStart,
  type Payments,
  findCard,
  findOpenRenewal,
  insertPayment,
  isAuthenticationRequired,
  isCardUseless,
  chargePayment,
  collectPayment,
} from '../payments/payments.service.ts';
import type { PlanHooks } from './plans.context.ts';
import { findFreeMonth, startFreeMonth } from './plans.free-months.ts';
import { type SubscriptionRow, getSubscription, lockSubscription } from './plans.queries.ts';
import * as emails from './plans.renewals.emails.ts';
import { type RenewalRow, getRenewal, insertRenewal, listDueRenewals, postponeRenewal } from './plans.renewals.queries.ts';
import { endRenewals, isAwaitingCardholder, isRenewalPending, isRenewed, moveRenewal } from './plans.renewals.states.ts';
import { getPlan, isRunning, startPaidSubscription, toFulfilment } from './plans.views.ts';

export type Parts = { context: Context; payments: Payments; hooks: PlanHooks };

const minuteMs = 60_000;

/** A charge that is due shortly before the end is not lost if its job runs shortly after it. */
export const graceMs = 10 * minuteMs;

/** After an attempt whose outcome is unknown, as when the provider is down. */
const retryMs = 10 * minuteMs;

export const isCardExpired = (card: Pick<CardRow, 'exp_month' | 'exp_year'>, at: Date) =>
  card.exp_year * 12 + card.exp_month < at.getUTCFullYear() * 12 + at.getUTCMonth() + 1;

export const getPrice = ({ plan_type: plan }: SubscriptionRow) => plans[plan].priceMinor;

/** Why nothing is charged, as the seller reads it. `nextAt`: null if only the seller can change that, so that nothing is retried. */
type Problem = { problem: string; nextAt?: null };

const needingCard = (what: string): Problem => ({ problem: `${what} A new card is needed to renew.`, nextAt: null });

export const cardRemoved = needingCard('The card you chose is no longer saved. Nothing was charged.');

/** A price higher than the agreed one needs a new yes. */
function findPriceProblem(old: SubscriptionRow, renewal: RenewalRow): Problem | undefined {
  const price = getPrice(old);
  if (price <= renewal.amount_minor) return undefined;
  const { currency } = markets[old.country];
  const [now, agreed] = [money(price, currency), money(renewal.amount_minor, currency)];
  const problem = `The ${plans[old.plan_type].name} plan now costs ${now}, and you agreed to ${agreed}. Nothing is charged until you agree to the new price.`;
  return { problem, nextAt: null };
}

/** Why nothing may be charged at that time; undefined if it may. */
export async function findProblem(
  tx: Tx,
  hooks: PlanHooks,
  { old, renewal, card, at }: { old: SubscriptionRow; renewal: RenewalRow; card: CardRow | undefined; at: Date },
): Promise<Problem | undefined> {
  const priceProblem = findPriceProblem(old, renewal);
  if (priceProblem) return priceProblem;
  if (!card) return cardRemoved;
  if (isCardExpired(card, at)) return needingCard('The card you chose has expired. Nothing was charged.');
  if (old.disputed_at) return { problem: 'Your bank is looking at the last payment for this plan. Nothing was charged.' };
  if (old.slots_used === 0) return { problem: 'No listing is left under this plan. Nothing was charged.' };
  // Tried again like others, because it may be open again.
  const obstacle = await findObstacle(tx, hooks, old);
  return obstacle && { problem: `${obstacle.message} Nothing was charged.` };
}

/**
 * Why no further period of a plan is sold: it takes one listing that is neither hidden nor of a closed trade or country, and the others go on
 * with it.
 */
export async function findObstacle(
  db: Reader,
  hooks: PlanHooks,
  { id, slots_used: listings }: Pick<SubscriptionRow, 'id' | 'slots_used'>,
): Promise<{ code: 'listing_hidden' | 'renewal_not_possible'; message: string } | undefined> {
  const unhidden = await hooks.listListings(db, id);
  if (listings === 0 || unhidden.some(({ isOpen }) => isOpen)) return undefined;
  return unhidden.length === 0
    ? { code: 'listing_hidden', message: 'Moderators have hidden the listings under this plan.' }
    : { code: 'renewal_not_possible', message: 'We take no more listings of this trade or in this country.' };
}

/** Whether it can be renewed: it runs, or has just ended. */
export const isRenewable = (old: SubscriptionRow, now: Date) =>
  old.followed_by === null && isRunning(old, new Date(now.getTime() - graceMs));

type Next = { cardId: string; amount: number; now: Date };

/** Moves everything to the next subscription, which is renewed in turn. Its seller must be locked. Returns when that is charged. */
async function continueWith(
  tx: Tx,
  hooks: PlanHooks,
  { old, renewal, next }: { old: SubscriptionRow; renewal: RenewalRow; next: SubscriptionRow },
  { cardId, amount, now }: Next,
): Promise<Date> {
  await hooks.moveListings(tx, old, next);
  if (!(await moveRenewal(tx, renewal, 'renewed'))) throw new AppError('payment_processing');
  const chargeAt = getChargeTime(next.ends_at, now, false) ?? now;
  await insertRenewal(tx, {
    subscription_id: next.id,
    user_id: next.user_id,
    card_id: cardId,
    amount_minor: amount,
    status: 'on',
    agreed_at: renewal.agreed_at,
    charge_at: chargeAt,
  });
  return chargeAt;
}

// A renewal that is paid late gives a whole period, too.
const getStart = (old: SubscriptionRow, now: Date) => (old.ends_at > now ? old.ends_at : now);

/** Writes the subscription that a renewal's payment bought. The payer must be locked. */
export async function fulfilRenewal(tx: Tx, hooks: PlanHooks, payment: Payment, now: Date): Promise<Fulfilment> {
  const old = payment.renews_id ? await lockSubscription(tx, payment.renews_id) : undefined;
  if (!old || old.followed_by !== null) return { refund: 'The plan was already renewed.' };
  const renewal = await getRenewal(tx, old.id);
  if (!isRenewalPending(renewal)) return { refund: 'The renewal of the plan is switched off.' };
  if (old.ends_at <= now && old.slots_used === 0) return { refund: 'The plan has ended, and no listing is left under it.' };
  const next = await startPaidSubscription(tx, payment, getStart(old, now));
  const cardId = payment.card_id ?? renewal.card_id;
  const nextChargeAt = await continueWith(tx, hooks, { old, renewal, next }, { cardId, amount: payment.amount_minor, now });
  const timeZone = await getTimeZone(tx, hooks, next);
  const fulfilment = toFulfilment(next, timeZone);
  return 'refund' in fulfilment ? fulfilment : { subscription: { ...fulfilment.subscription, nextChargeAt } };
}

export const getTimeZone = async (db: Reader, hooks: PlanHooks, { id, country }: SubscriptionRow) =>
  (await hooks.timeZonesOf(db, [id])).get(id) ?? markets[country].timeZone;

/** What the emails about a renewal say. */
export async function describeRenewal(
  tx: Tx,
  { context, hooks }: Pick<Parts, 'context' | 'hooks'>,
  owner: Contact,
  of: SubscriptionRow,
  renewal: RenewalRow,
) {
  const card = await findCard(tx, renewal.user_id, renewal.card_id);
  const now = context.clock.now();
  const free = await findFreeMonth(tx, owner.id, { planType: of.plan_type, businessNumber: undefined, now });
  return {
    to: owner.email,
    name: owner.full_name,
    appUrl: context.appUrl,
    planName: plans[of.plan_type].name,
    // Of today, because a lower one is charged and a higher one needs a new yes.
    price: money(getPrice(of), markets[of.country].currency),
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    chargeAt: renewal.charge_at,
    endsAt: of.ends_at,
    isPaidAtOnce: getChargeTime(of.ends_at, now, true) === null,
    timeZone: await getTimeZone(tx, hooks, of),
    free,
    canRenew: (await findObstacle(tx, hooks, of)) === undefined,
  };
}

/** Before an email has announced the charge, any email about the renewal does, so it is composed when it goes out. */
export const announcing = ({ subscription_id: key }: RenewalRow, mail: Mail): Mail => ({ ...mail, source: { name: 'renewal', key } });

export const send = ({ jobs }: Context, tx: Tx, mail: Mail) => jobs.send(tx, sendMail, mail);

/** `over`: there is nothing left to charge. */
type Outcome = { charged: ChargeResult | null } | Problem | { over: 'renewed' | 'ended' };

/** Charges a renewal; idempotent. `returnUrl` is null when the job charges it without the seller. */
export async function chargeRenewal(parts: Parts, renewal: RenewalRow, returnUrl: string | null): Promise<Outcome> {
  const { context, payments, hooks } = parts;
  const { db, clock } = context;
  const id = renewal.subscription_id;
  const subscription = await getSubscription(db, id);
  const card = await findCard(db, renewal.user_id, renewal.card_id);
  const terms = {
    user_id: renewal.user_id,
    purpose: 'renewal',
    plan_id: subscription.plan_id,
    country: subscription.country,
    listing_id: null,
    replaces_id: null,
    renews_id: id,
    off_session: returnUrl === null,
    card_id: renewal.card_id,
    amount_minor: Math.min(getPrice(subscription), renewal.amount_minor),
    currency: markets[subscription.country].currency,
  } as const;
  const begin = () =>
    db.transaction().execute(async (tx): Promise<PaymentStart<Outcome>> => {
      const now = clock.now();
      const owner = await lockAccount(tx, renewal.user_id);
      const old = await lockSubscription(tx, id);
      const current = await getRenewal(tx, id);
      if (!isRenewalPending(current)) return { answer: { over: isRenewed(current) ? 'renewed' : 'ended' } };
      if (owner.suspended_at || owner.deleted_at) await endRenewals(tx, [id]);
      // `announceRenewals` closes it and says so.
      if (owner.suspended_at || owner.deleted_at || !isRenewable(old, now)) return { answer: { over: 'ended' } };
      const isChanged = current.card_id !== renewal.card_id || current.amount_minor !== renewal.amount_minor;
      const isLater = returnUrl === null && (!current.charge_at || current.charge_at > now || !current.noticed_at);
      if (isChanged || isLater) return { answer: { over: 'ended' } };
      const open = await findOpenRenewal(tx, id);
      const problem = await findProblem(tx, hooks, { old, renewal: current, card, at: now });
      const free = await findFreeMonth(tx, owner.id, { planType: old.plan_type, businessNumber: undefined, now });
      if (problem !== undefined || free?.needs === null) {
        // Another attempt may have charged the card, so its payment goes first.
        if (open) return { blocking: open };
        if (problem !== undefined) return { answer: problem };
        await renewForFree(tx, parts, owner, { old, renewal: current });
        return { answer: { charged: null } };
      }
      return { open: open ?? (await insertPayment(tx, terms)) };
    });
  return collectPayment(payments, terms, begin, async (payment) => {
    if (!card) throw new AppError('card_not_found');
    const charged = await chargePayment(payments, payment, card, returnUrl);
    return charged && { charged };
  });
}

async function renewForFree(
  tx: Tx,
  { context, hooks }: Parts,
  owner: Contact,
  { old, renewal }: { old: SubscriptionRow; renewal: RenewalRow },
) {
  const now = context.clock.now();
  const next = await startFreeMonth(tx, owner.id, {
    plan: await getPlan(tx, old.plan_id),
    country: old.country,
    businessNumber: undefined,
    now,
    renews: { id: old.id, startsAt: getStart(old, now) },
  });
  await continueWith(tx, hooks, { old, renewal, next }, { cardId: renewal.card_id, amount: renewal.amount_minor, now });
  const following = await getRenewal(tx, next.id);
  await send(context, tx, emails.renewedForFreeEmail(await describeRenewal(tx, { context, hooks }, owner, next, following)));
}

export const authenticationNeeded = {
  status: 'needs_action',
  problem: 'Your bank wants you to confirm this payment. Nothing was charged yet.',
} as const;

/** What the seller reads about a failed attempt. Undefined when it is not known whether there was one, so that it is repeated. */
export function describeFailure(error: unknown): (Problem & { status: 'failed' | 'needs_action' }) | undefined {
  if (isAuthenticationRequired(error)) return authenticationNeeded;
  if (!(error instanceof AppError) || !['card_declined', 'card_not_found', 'payment_email_refused'].includes(error.code)) return undefined;
  return { status: 'failed', ...(isCardUseless(error) ? needingCard(error.message) : { problem: error.message }) };
}

type Failure = { status?: 'failed' | 'needs_action'; problem: string; nextAt?: Date | null; isSilent?: boolean };

/** Records a failed attempt once and emails its seller. Nothing if it was recorded or the renewal changed meanwhile. */
export async function recordFailure(parts: Pick<Parts, 'context' | 'hooks'>, seen: RenewalRow, failure: Failure): Promise<void> {
  const { context } = parts;
  const { status = 'failed', problem, isSilent = false } = failure;
  await context.db.transaction().execute(async (tx) => {
    const owner = await lockAccount(tx, seen.user_id);
    const renewal = await getRenewal(tx, seen.subscription_id);
    const old = await getSubscription(tx, seen.subscription_id);
    const isSame = renewal.charge_at?.getTime() === seen.charge_at?.getTime() && renewal.card_id === seen.card_id;
    if (!isRenewalPending(renewal) || !isSame) return;
    const chargeAt = failure.nextAt === undefined ? getRetryTime(old.ends_at, context.clock.now()) : failure.nextAt;
    await moveRenewal(tx, renewal, status, { problem, charge_at: chargeAt });
    if (isSilent || owner.suspended_at || owner.deleted_at) return;
    const facts = await describeRenewal(tx, parts, owner, old, { ...renewal, charge_at: chargeAt });
    const mail = emails.renewalFailedEmail(facts, { problem, needsAction: isAwaitingCardholder(status) });
    await send(context, tx, renewal.noticed_at ? mail : announcing(renewal, mail));
  });
}

/** Charges one renewal that is due; a failure is recorded. Throws when the outcome is unknown; then it is repeated later. */
async function chargeDue(parts: Parts, renewal: RenewalRow): Promise<void> {
  const { db, clock } = parts.context;
  const postpone = () => postponeRenewal(db, renewal.subscription_id, clock.now(), new Date(clock.now().getTime() + retryMs));
  try {
    const outcome = await chargeRenewal(parts, renewal, null);
    if ('problem' in outcome) return await recordFailure(parts, renewal, outcome);
    if ('over' in outcome || !outcome.charged || outcome.charged.status === 'done') return;
    await postpone();
  } catch (error) {
    const failure = describeFailure(error);
    if (failure) return recordFailure(parts, renewal, failure);
    await postpone();
    if (!(error instanceof AppError) || !['payment_processing', 'payment_incomplete'].includes(error.code)) throw error;
  }
}

/** After this many failures in a row the fault is the provider's or our keys', so the other renewals wait for the next run. */
const maxConsecutiveFailures = 3;

export async function chargeDueRenewals(parts: Parts, most = 200): Promise<void> {
  const { db, clock } = parts.context;
  const now = clock.now();
  const failures: unknown[] = [];
  let consecutive = 0;
  for (const renewal of await listDueRenewals(db, now, new Date(now.getTime() - graceMs), most)) {
    try {
      await chargeDue(parts, renewal);
      consecutive = 0;
    } catch (error) {
      failures.push(error);
      consecutive += 1;
      if (consecutive === maxConsecutiveFailures) break;
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} renewals could not be charged`);
}
