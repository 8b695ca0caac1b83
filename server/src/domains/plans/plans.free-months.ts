import type { CountryCode } from '@handwise/contract/markets';
import type { FreeMonth, Plan, PlanType } from '@handwise/contract/plans/calls';
import { freeMonthNeedsCard } from '@handwise/contract/plans/table';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isConfirmed } from '../accounts/accounts.service.ts';
import { listCardFingerprints, listCardSharers } from '../payments/payments.service.ts';
import {
  recordFreeFirstMonth,
  claimCard,
  findUnusedCard,
  hasFreeFirstMonth,
  isBusinessNumberClaimed,
  listFreeMonths,
  spendFreeMonth,
} from '../referrals/referrals.service.ts';
import { type SubscriptionRow, hasSubscribed, startSubscription } from './plans.queries.ts';

/** `fingerprint`: the card that the free month is recorded on, if the plan requires one. */
type Free = FreeMonth & { fingerprint?: string };

/** `businessNumber` is that of the listing's business, if known. */
type Wanted = { planType: PlanType; businessNumber: string | undefined; now: Date };

/** Whether the account's first plan is free. */
export async function isFirstMonthFree(db: Reader, userId: string, { businessNumber, now }: Omit<Wanted, 'planType'>): Promise<boolean> {
  if (await hasSubscribed(db, userId)) return false;
  const cardSharers = (await listCardSharers(db, userId)).flatMap(({ others }) => others);
  return hasFreeFirstMonth(db, userId, { cardSharers, businessNumber, now });
}

/**
 * The free month that pays before any card: the first month after a referral code, else the oldest credit; null if there is none. Premium
 * and featured need a saved card without another account's free month; a user with saved cards needs such a card for the first month on any
 * plan.
 */
export async function findFreeMonth(db: Reader, userId: string, wanted: Wanted): Promise<Free | null> {
  return (await findFirstMonth(db, userId, wanted)) ?? (await findCreditMonth(db, userId, wanted.planType));
}

/** The number of saved cards, and the first one without another account's free month. */
async function findUsableCards(db: Reader, userId: string) {
  const cards = await listCardFingerprints(db, userId);
  const known = cards.flatMap((card) => card.fingerprint ?? []);
  return { count: cards.length, unused: await findUnusedCard(db, userId, known) };
}

async function findFirstMonth(db: Reader, userId: string, { planType, ...wanted }: Wanted): Promise<Free | null> {
  if (!(await isFirstMonthFree(db, userId, wanted))) return null;
  const source = 'free_first_month';
  const unconfirmed = (await isConfirmed(db, userId)) ? null : ('confirmed_address' as const);
  const { count, unused } = await findUsableCards(db, userId);
  if (count === 0) return { source, needs: unconfirmed ?? (freeMonthNeedsCard(planType) ? 'saved_card' : null) };
  return unused === undefined ? null : { source, needs: unconfirmed, fingerprint: unused };
}

async function findCreditMonth(db: Reader, userId: string, planType: PlanType): Promise<Free | null> {
  if ((await listFreeMonths(db, userId)).length === 0) return null;
  const source = 'free_month';
  if (!(await isConfirmed(db, userId))) return { source, needs: 'confirmed_address' };
  if (!freeMonthNeedsCard(planType)) return { source, needs: null };
  const { count, unused } = await findUsableCards(db, userId);
  if (unused !== undefined) return { source, needs: null, fingerprint: unused };
  return { source, needs: count === 0 ? 'saved_card' : 'other_card' };
}

/** Throws `address_not_confirmed`, `card_needed` or `other_card_needed` when the free month needs something. */
export function checkFreeMonthReady({ needs }: Pick<FreeMonth, 'needs'>): void {
  if (needs === 'confirmed_address') throw new AppError('address_not_confirmed');
  if (needs === 'saved_card') throw new AppError('card_needed');
  if (needs === 'other_card') throw new AppError('other_card_needed');
}

/** Throws `payment_required`, with the reason if the business has had its free first month. */
export async function throwPaymentRequired(db: Reader, userId: string, wanted: Wanted): Promise<never> {
  const { businessNumber } = wanted;
  const isOfBusiness = businessNumber !== undefined && (await isBusinessNumberClaimed(db, userId, businessNumber));
  if (isOfBusiness && (await isFirstMonthFree(db, userId, { ...wanted, businessNumber: undefined }))) {
    throw new AppError('payment_required', {
      message: 'A business with this number has had its free first month, so this plan has to be paid for. Your details are kept.',
    });
  }
  throw new AppError('payment_required');
}

/** `renews`: the subscription that it continues from `startsAt` on. */
type FreeMonthTerms = {
  plan: Plan;
  country: CountryCode;
  businessNumber: string | undefined;
  now: Date;
  renews?: { id: string; startsAt: Date };
};

/** Uses the free month that pays for a plan, once; the user must be locked. Throws `payment_required` when there is none. */
export async function startFreeMonth(
  tx: Tx,
  userId: string,
  { plan, country, businessNumber, now, renews }: FreeMonthTerms,
): Promise<SubscriptionRow> {
  const wanted = { planType: plan.planType, businessNumber, now };
  const free = (await findFreeMonth(tx, userId, wanted)) ?? (await throwPaymentRequired(tx, userId, wanted));
  checkFreeMonthReady(free);
  const { source, fingerprint } = free;
  const subscription = await startSubscription(tx, renews?.startsAt ?? now, {
    userId,
    planId: plan._id,
    planType: plan.planType,
    country,
    source,
    paymentId: null,
    ...(renews && { followsId: renews.id }),
  });
  if (fingerprint !== undefined) await claimCard(tx, userId, fingerprint, now);
  if (source === 'free_first_month') await recordFreeFirstMonth(tx, userId, { subscriptionId: subscription.id, businessNumber }, now);
  else await spendFreeMonth(tx, userId, subscription.id, now);
  return subscription;
}
