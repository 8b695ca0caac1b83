import type { Subscription } from '@handwise/contract/plans/calls';
import { getChargeTime, getNoticeTime } from '@handwise/contract/plans/renewal';
import type { RenewalOutcome } from '@handwise/contract/plans/renewal-calls';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { type ChargeResult, findCard, findOpenRenewal, cancelPayment } from '../payments/payments.service.ts';
import { type SubscriptionRow, getSubscription, lockOwnSubscription } from './plans.queries.ts';
import { describeOn, renewalOffEmail, renewalOnEmail } from './plans.renewals.emails.ts';
import { type RenewalRow, findRenewal, getRenewal, insertRenewal } from './plans.renewals.queries.ts';
import { hasRenewalFailed, isRenewalOn, isRenewalPending, isRenewed, moveRenewal } from './plans.renewals.states.ts';
import {
  type Parts,
  announcing,
  authenticationNeeded,
  chargeRenewal,
  describeFailure,
  describeRenewal,
  findObstacle,
  getPrice,
  getTimeZone,
  isCardExpired,
  isRenewable,
  recordFailure,
  send,
} from './plans.renewals.ts';
import { isRunning, toSubscription } from './plans.views.ts';

/** How long a charge at once is left to its seller, who may have to confirm it, before the job takes over. */
const sellerChargeMs = 3_600_000;

/** Throws `subscription_not_found`, also for another user's subscription. */
async function lockOwn(tx: Tx, userId: string, id: string): Promise<SubscriptionRow> {
  const row = await lockOwnSubscription(tx, userId, id);
  if (!row) throw new AppError('subscription_not_found');
  return row;
}

async function getOwn({ context, hooks }: Pick<Parts, 'context' | 'hooks'>, id: string): Promise<Subscription> {
  const { db, clock } = context;
  const row = await getSubscription(db, id);
  return toSubscription(row, clock.now(), { timeZone: await getTimeZone(db, hooks, row), renewal: await findRenewal(db, id) });
}

type Choice = { cardId: string; amount?: number | undefined; returnUrl: string };

/**
 * Switches a renewal on, with the price of today; charges at once if it is due. Throws `renewal_not_possible`, `price_changed`,
 * `card_not_found`, and what a charge throws.
 */
export async function switchRenewalOn(parts: Parts, userId: string, id: string, choice: Choice): Promise<RenewalOutcome> {
  const { context, hooks } = parts;
  const { db, clock } = context;
  const { agreed, chargeAt, amount, timeZone } = await db.transaction().execute(async (tx) => {
    const owner = await lockUser(tx, userId);
    const old = await lockOwn(tx, userId, id);
    const now = clock.now();
    if (!isRunning(old, now) || !isRenewable(old, now)) throw new AppError('renewal_not_possible');
    if (old.disputed_at) throw new AppError('payment_disputed');
    const obstacle = await findObstacle(tx, hooks, old);
    if (obstacle) throw new AppError(obstacle.code, { message: `${obstacle.message} Nothing was changed.` });
    const price = getPrice(old);
    if (choice.amount !== undefined && choice.amount !== price) throw new AppError('price_changed');
    const card = await findCard(tx, userId, choice.cardId);
    if (!card) throw new AppError('card_not_found');
    if (isCardExpired(card, now)) throw new AppError('card_declined', { message: 'This card has expired. Please choose another one.' });
    const before = await findRenewal(tx, id);
    const answer = { amount: price, timeZone: await getTimeZone(tx, hooks, old) };
    const isSame = before && isRenewalOn(before) && before.card_id === card.id && before.amount_minor === price;
    if (isSame && before.charge_at && before.charge_at > now) return { ...answer, agreed: before, chargeAt: before.charge_at };
    const chargeAt = getChargeTime(old.ends_at, now, before !== undefined && hasRenewalFailed(before));
    // This email says all that the later one would.
    const isNotice = chargeAt !== null && now >= getNoticeTime(old.ends_at);
    const row = {
      card_id: card.id,
      amount_minor: price,
      agreed_at: now,
      charge_at: chargeAt ?? new Date(now.getTime() + sellerChargeMs),
      // Charged in front of its seller.
      noticed_at: chargeAt === null ? now : null,
      notice_queued_at: isNotice ? now : null,
    };
    if (!before) await insertRenewal(tx, { ...row, subscription_id: id, user_id: userId, status: 'on' });
    else if (!(await moveRenewal(tx, before, 'on', row))) throw new AppError('renewal_not_possible');
    const agreed = await getRenewal(tx, id);
    const facts = await describeRenewal(tx, parts, owner, old, { ...agreed, charge_at: chargeAt ?? now });
    if (chargeAt) {
      const mail = renewalOnEmail(facts);
      await send(context, tx, isNotice ? announcing(agreed, mail) : mail);
      // Whoever pays a failed one gets the receipt alone.
    } else if (!before || !hasRenewalFailed(before)) await send(context, tx, renewalOnEmail(facts, { isAtOnce: true }));
    return { ...answer, agreed, chargeAt };
  });
  const nothing = { status: 'done', amount, clientSecret: null, paymentIntentId: null } as const;
  if (chargeAt) {
    const message = describeOn(chargeAt, timeZone);
    return { ...nothing, message, subscription: await getOwn(parts, id) };
  }
  const outcome = await chargeNow(parts, agreed, choice.returnUrl);
  const messages = {
    done: 'Your plan is renewed',
    requires_action: 'Your bank asks you to confirm this payment.',
    processing: 'Your bank is still processing this payment.',
  };
  return { ...nothing, ...outcome, message: messages[outcome?.status ?? 'done'], subscription: await getOwn(parts, id) };
}

/** Charges while the seller is there. A failure is shown to them, so no email is sent. */
async function chargeNow(parts: Parts, agreed: RenewalRow, returnUrl: string): Promise<ChargeResult | null> {
  try {
    const outcome = await chargeRenewal(parts, agreed, returnUrl);
    if ('problem' in outcome) throw new AppError('card_declined', { message: outcome.problem });
    if ('over' in outcome) {
      if (outcome.over === 'renewed') return null;
      throw new AppError('renewal_not_possible');
    }
    // So that My Listings offers to pay again if the bank's check is not finished.
    if (outcome.charged?.status === 'requires_action') {
      await recordFailure(parts, agreed, { ...authenticationNeeded, nextAt: agreed.charge_at, isSilent: true });
    }
    return outcome.charged;
  } catch (error) {
    const failure = describeFailure(error);
    if (failure) await recordFailure(parts, agreed, { ...failure, isSilent: true });
    throw error;
  }
}

/**
 * Switches a renewal off. Money of a charge that runs at this moment goes back. Throws `renewal_not_possible` when the next period is paid
 * already.
 */
export async function switchRenewalOff(parts: Parts, userId: string, id: string): Promise<{ message: string; subscription: Subscription }> {
  const { context, payments } = parts;
  const { db, logger } = context;
  const open = await db.transaction().execute(async (tx) => {
    const owner = await lockUser(tx, userId);
    const old = await lockOwn(tx, userId, id);
    const renewal = await findRenewal(tx, id);
    if (renewal && isRenewed(renewal)) throw new AppError('renewal_not_possible');
    if (!renewal || !isRenewalPending(renewal)) return undefined;
    const facts = await describeRenewal(tx, parts, owner, old, renewal);
    await moveRenewal(tx, renewal, 'off');
    await send(context, tx, renewalOffEmail(facts));
    return findOpenRenewal(tx, id);
  });
  // What the provider does not answer now, the reconciler cancels.
  if (open) await cancelPayment(payments, open).catch((error: unknown) => logger.warn(error, `the payment ${open.id} is cancelled later`));
  return { message: 'Your plan no longer renews', subscription: await getOwn(parts, id) };
}
