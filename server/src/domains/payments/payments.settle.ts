import { isId } from '@handwise/contract/ids';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isInvalidProviderRequest } from '../../kit/integrations/provider-error.ts';
import { callProvider, findAtProvider } from '../../kit/integrations/stripe.ts';
import { lockAccount } from '../accounts/accounts.service.ts';
import { saveCard } from './payments.cards.ts';
import type { Intent, Payments } from './payments.context.ts';
import { issueReceipt } from './payments.documents.ts';
import { recoverPayment } from './payments.found.ts';
import { claimIntent, expandCard, getIntent } from './payments.intents.ts';
import { refundCaptured } from './payments.ledger.ts';
import { isOfAccount } from './payments.provider-account.ts';
import { type PaymentRow, findPayment, findPaymentByIntent, lockPayment, setBoughtAmount, setPaymentIntent } from './payments.queries.ts';
import { isBookable, movePayment } from './payments.states.ts';

/**
 * Books the provider's state of an intent exactly once, whether the browser, a webhook or the reconciler reports it, in any order and
 * concurrently. Captured money becomes a subscription or a refund in the same transaction, even if the database has lost the payment.
 * Undefined when the intent is not ours.
 */
export async function settleIntent(deps: Payments, intent: Intent): Promise<PaymentRow | undefined> {
  const { db } = deps.context;
  const known = (await findPaymentByIntent(db, intent.id)) ?? (await findByMetadata(deps, intent));
  if (!known && intent.status === 'succeeded') return recoverPayment(deps, intent, (...paid) => bookPaymentIn(deps, ...paid));
  if (!known || !isBookable(known)) return known;
  if (intent.status === 'canceled') await movePayment(db, known, 'canceled');
  if (intent.status !== 'succeeded') return findPayment(db, known.id);
  return bookPayment(deps, known, intent);
}

const bookPayment = (deps: Payments, known: PaymentRow, intent: Intent) =>
  deps.context.db.transaction().execute((tx) => bookPaymentIn(deps, tx, known, intent));

async function bookPaymentIn(
  deps: Payments,
  tx: Tx,
  known: PaymentRow,
  intent: Intent,
  returnReason?: string,
): Promise<PaymentRow | undefined> {
  const user = await lockAccount(tx, known.user_id);
  const payment = await lockPayment(tx, known.id);
  const captured = intent.amount_received;
  const { payment_method: method } = intent;
  const taken = {
    succeeded_at: deps.context.clock.now(),
    captured_minor: captured,
    card_fingerprint: typeof method === 'object' ? (method?.card?.fingerprint ?? null) : null,
  };
  if (!payment || !(await movePayment(tx, payment, 'succeeded', taken))) return payment;
  const isWhole = captured === payment.amount_minor && intent.currency.toUpperCase() === payment.currency;
  const fulfilment = user.suspended_at
    ? { refund: 'The account is suspended.' }
    : user.deleted_at
      ? { refund: 'The account is deleted.' }
      : returnReason
        ? { refund: returnReason }
        : isWhole
          ? await deps.onPaid(tx, payment)
          : { refund: 'The amount received differs from the price.' };
  if ('refund' in fulfilment) {
    await refundCaptured(deps, tx, payment.id, captured, fulfilment.refund);
  } else {
    await setBoughtAmount(tx, payment.id, captured);
    await issueReceipt(deps, tx, payment, user, intent, fulfilment.subscription);
  }
  if (intent.setup_future_usage) await saveCard(tx, payment.user_id, intent.payment_method);
  return { ...payment, status: 'succeeded', captured_minor: captured };
}

// After a crash between creating an intent and storing its id, only the metadata links them.
async function findByMetadata({ context: { db }, account }: Payments, intent: Intent): Promise<PaymentRow | undefined> {
  const { paymentId: id = '' } = intent.metadata;
  if (!isId(id)) return undefined;
  const payment = await findPayment(db, id);
  if (!payment || payment.intent_id) return undefined;
  await setPaymentIntent(db, payment.id, intent.id, account.current());
  return { ...payment, intent_id: intent.id };
}

/**
 * Syncs and books the user's own payment. Throws `payment_not_found`, `payment_processing`, or `payment_incomplete` when nothing was paid.
 */
export async function confirmOwnIntent(deps: Payments, userId: string, intentId: string): Promise<PaymentRow> {
  const known = await findPaymentByIntent(deps.context.db, intentId);
  if (!known || known.user_id !== userId) throw new AppError('payment_not_found');
  if (!isBookable(known)) return known;
  const intent = await getIntent(deps, intentId);
  const payment = await settleIntent(deps, intent);
  if (payment && !isBookable(payment)) return payment;
  throw unpaidError(intent);
}

function unpaidError(intent: Intent): AppError {
  if (intent.status === 'processing') return new AppError('payment_processing');
  const status = intent.status.replaceAll('_', ' ');
  return new AppError('payment_incomplete', { message: `Payment status: ${status}. Please try again or contact support.` });
}

/** Settles the provider's current state, because the event may be outdated. */
export async function syncIntent(deps: Payments, intentId: string): Promise<void> {
  const intent = await findAtProvider(deps.stripe.paymentIntents.retrieve(intentId, expandCard));
  if (intent) await settleIntent(deps, intent);
}

/** Cancels an open payment, or books it when it was paid meanwhile. Throws `payment_processing` while the bank decides. */
export async function cancelPayment(deps: Payments, payment: PaymentRow, status: 'failed' | 'canceled' = 'canceled'): Promise<void> {
  const open = await claimIntent(deps, payment);
  if (open) {
    const intent = await callProvider(deps.stripe.paymentIntents.cancel(open.id)).catch((error: unknown) => {
      if (isInvalidProviderRequest(error)) return getIntent(deps, open.id);
      throw error;
    });
    if (intent.status === 'succeeded') {
      await settleIntent(deps, intent);
      return;
    }
    if (intent.status !== 'canceled') throw new AppError('payment_processing');
  } else logOtherAccount(deps, payment);
  await movePayment(deps.context.db, payment, status);
}

/** A payment of another account may have been paid there, which these keys cannot see. */
function logOtherAccount({ account, context: { logger } }: Payments, payment: PaymentRow): void {
  if (isOfAccount(payment, account.current())) return;
  const { id, intent_id: intentId, account: madeIn, livemode } = payment;
  logger.error(
    { payment: id, intentId, account: madeIn, livemode },
    'gave up a payment that was started with another account or mode of the payment provider: check there whether it was paid',
  );
}
