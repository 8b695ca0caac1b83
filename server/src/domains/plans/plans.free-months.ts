import type { CountryCode } from '@handwise/contract/markets';
import type { FreeMonth, Plan, PlanType } from '@handwise/contract/plans';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isConfirmed } from '../accounts/accounts.service.ts';
import { haveSharedCard, listSavedCards } from '../payments/payments.service.ts';
import {
  bookFirstMonth,
  findReferrerOf,
  findUnusedCard,
  hasFreeFirstMonth,
  listCredits,
  useCredit,
} from '../referrals/referrals.service.ts';
import * as queries from './plans.queries.ts';
import type { SubscriptionRow } from './plans.queries.ts';
import { start } from './plans.start.ts';

/** A free month, with the card that it is booked on where the plan asks for one. */
type Free = FreeMonth & { fingerprint?: string };

/** Whether the first plan that the account ever takes costs nothing. */
export async function isFirstMonthFree(db: Reader, userId: string): Promise<boolean> {
  if ((await queries.hasSubscribed(db, userId)) || !(await hasFreeFirstMonth(db, userId))) return false;
  const referrer = await findReferrerOf(db, userId);
  return referrer !== undefined && !(await haveSharedCard(db, userId, referrer));
}

/**
 * The free month that pays for a plan now, before any card: the first month after a code, else the oldest credit. Null where there is none.
 * On premium and featured it needs a saved card. Whoever keeps cards has a first month only with one with which nobody has had theirs.
 */
export async function freeMonthOf(db: Reader, userId: string, planType: PlanType): Promise<Free | null> {
  return (await firstMonthOf(db, userId, planType)) ?? (await creditOf(db, userId, planType));
}

const asksForCard = (planType: PlanType) => planType !== 'basic';

async function firstMonthOf(db: Reader, userId: string, planType: PlanType): Promise<Free | null> {
  if (!(await isFirstMonthFree(db, userId))) return null;
  const source = 'free_first_month';
  const unconfirmed = (await isConfirmed(db, userId)) ? null : ('confirmed_address' as const);
  const cards = await listSavedCards(db, userId);
  if (cards.length === 0) return { source, needs: unconfirmed ?? (asksForCard(planType) ? 'saved_card' : null) };
  const known = cards.flatMap((card) => card.fingerprint ?? []);
  const fingerprint = await findUnusedCard(db, known);
  return fingerprint === undefined ? null : { source, needs: unconfirmed, fingerprint };
}

async function creditOf(db: Reader, userId: string, planType: PlanType): Promise<Free | null> {
  if ((await listCredits(db, userId)).length === 0) return null;
  const source = 'free_month';
  if (!(await isConfirmed(db, userId))) return { source, needs: 'confirmed_address' };
  const lacksCard = asksForCard(planType) && (await listSavedCards(db, userId)).length === 0;
  return { source, needs: lacksCard ? 'saved_card' : null };
}

/** Throws `address_not_confirmed` or `card_needed` where something is missing for the free month. */
export function refuseUnready({ needs }: Pick<FreeMonth, 'needs'>): void {
  if (needs === 'confirmed_address') throw new AppError('address_not_confirmed');
  if (needs === 'saved_card') throw new AppError('card_needed');
}

/** Takes the free month that pays for a plan, once. The user must be locked. Throws `payment_required` where there is none. */
export async function startFreeMonth(tx: Tx, userId: string, plan: Plan, country: CountryCode, now: Date): Promise<SubscriptionRow> {
  const free = await freeMonthOf(tx, userId, plan.planType);
  if (!free) throw new AppError('payment_required');
  refuseUnready(free);
  const { source, fingerprint } = free;
  const subscription = await start(tx, now, { userId, planId: plan._id, planType: plan.planType, country, source, paymentId: null });
  if (source === 'free_first_month') await bookFirstMonth(tx, userId, { subscriptionId: subscription.id, fingerprint }, now);
  else await useCredit(tx, userId, subscription.id, now);
  return subscription;
}
