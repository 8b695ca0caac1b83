import type { CountryCode } from '@handwise/contract/markets';
import type { FreeMonth, Plan, PlanType } from '@handwise/contract/plans/calls';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isConfirmed } from '../accounts/accounts.service.ts';
import { listCardFingerprints, listCardSharers } from '../payments/payments.service.ts';
import {
  bookFirstMonth,
  claimCard,
  findUnusedCard,
  hasFreeFirstMonth,
  isBusinessClaimed,
  listCredits,
  useCredit,
} from '../referrals/referrals.service.ts';
import * as queries from './plans.queries.ts';
import type { SubscriptionRow } from './plans.queries.ts';
import { start } from './plans.start.ts';

/** A free month, with the card that it is booked on where the plan asks for one. */
type Free = FreeMonth & { fingerprint?: string };

/** What a free month is for, and when. The number is that of the listing's business, as far as it is known. */
type Wanted = { planType: PlanType; businessNumber: string | undefined; now: Date };

/** Whether the first plan that the account ever takes costs nothing. */
export async function isFirstMonthFree(db: Reader, userId: string, { businessNumber, now }: Omit<Wanted, 'planType'>): Promise<boolean> {
  if (await queries.hasSubscribed(db, userId)) return false;
  const cardSharers = (await listCardSharers(db, userId)).flatMap(({ others }) => others);
  return hasFreeFirstMonth(db, userId, { cardSharers, businessNumber, now });
}

/**
 * The free month that pays for a plan now, before any card: the first month after a code, else the oldest credit. Null where there is none.
 * On premium and featured it needs a saved card that has not paid for a free month of another account. Whoever has saved cards has a first
 * month only with such a one, on any plan.
 */
export async function freeMonthOf(db: Reader, userId: string, wanted: Wanted): Promise<Free | null> {
  return (await firstMonthOf(db, userId, wanted)) ?? (await creditOf(db, userId, wanted.planType));
}

const asksForCard = (planType: PlanType) => planType !== 'basic';

/** The cards that somebody has saved, and the first of them with which no other account has had a free month. */
async function cardsOf(db: Reader, userId: string) {
  const cards = await listCardFingerprints(db, userId);
  const known = cards.flatMap((card) => card.fingerprint ?? []);
  return { count: cards.length, unused: await findUnusedCard(db, userId, known) };
}

async function firstMonthOf(db: Reader, userId: string, { planType, ...wanted }: Wanted): Promise<Free | null> {
  if (!(await isFirstMonthFree(db, userId, wanted))) return null;
  const source = 'free_first_month';
  const unconfirmed = (await isConfirmed(db, userId)) ? null : ('confirmed_address' as const);
  const { count, unused } = await cardsOf(db, userId);
  if (count === 0) return { source, needs: unconfirmed ?? (asksForCard(planType) ? 'saved_card' : null) };
  return unused === undefined ? null : { source, needs: unconfirmed, fingerprint: unused };
}

async function creditOf(db: Reader, userId: string, planType: PlanType): Promise<Free | null> {
  if ((await listCredits(db, userId)).length === 0) return null;
  const source = 'free_month';
  if (!(await isConfirmed(db, userId))) return { source, needs: 'confirmed_address' };
  if (!asksForCard(planType)) return { source, needs: null };
  const { count, unused } = await cardsOf(db, userId);
  if (unused !== undefined) return { source, needs: null, fingerprint: unused };
  return { source, needs: count === 0 ? 'saved_card' : 'other_card' };
}

/** Throws `address_not_confirmed`, `card_needed` or `other_card_needed` where something is missing for the free month. */
export function refuseUnready({ needs }: Pick<FreeMonth, 'needs'>): void {
  if (needs === 'confirmed_address') throw new AppError('address_not_confirmed');
  if (needs === 'saved_card') throw new AppError('card_needed');
  if (needs === 'other_card') throw new AppError('other_card_needed');
}

/** No free month pays for a plan. Throws `payment_required`, with the reason where the business has had its free first month. */
export async function refuseUnpaid(db: Reader, userId: string, wanted: Wanted): Promise<never> {
  const { businessNumber } = wanted;
  const isOfBusiness = businessNumber !== undefined && (await isBusinessClaimed(db, userId, businessNumber));
  if (isOfBusiness && (await isFirstMonthFree(db, userId, { ...wanted, businessNumber: undefined }))) {
    throw new AppError('payment_required', {
      message: 'A business with this number has had its free first month, so this plan has to be paid for. Your details are kept.',
    });
  }
  throw new AppError('payment_required');
}

type Starting = { plan: Plan; country: CountryCode; businessNumber: string | undefined; now: Date };

/** Takes the free month that pays for a plan, once. The user must be locked. Throws `payment_required` where there is none. */
export async function startFreeMonth(tx: Tx, userId: string, { plan, country, businessNumber, now }: Starting): Promise<SubscriptionRow> {
  const wanted = { planType: plan.planType, businessNumber, now };
  const free = (await freeMonthOf(tx, userId, wanted)) ?? (await refuseUnpaid(tx, userId, wanted));
  refuseUnready(free);
  const { source, fingerprint } = free;
  const subscription = await start(tx, now, { userId, planId: plan._id, planType: plan.planType, country, source, paymentId: null });
  if (fingerprint !== undefined) await claimCard(tx, userId, fingerprint, now);
  if (source === 'free_first_month') await bookFirstMonth(tx, userId, { subscriptionId: subscription.id, businessNumber }, now);
  else await useCredit(tx, userId, subscription.id, now);
  return subscription;
}
