import { AppError } from '../../../kit/errors.ts';
import { isMissingAtProvider } from '../../../kit/outside/provider-error.ts';
import { lockAccount } from '../../accounts/accounts.service.ts';
import type { Tx } from '../../../kit/database/database.ts';
import { keepCard } from '../cards/payments.cards.ts';
import { findAgain } from '../found/payments.found.ts';
import { retrieveIntent } from './payments.known-intents.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as queries from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { issueReceipt } from '../receipts/payments.receipts.ts';
import { returnAll } from '../refunds/payments.refunds.begin.ts';
import { isBookable, moveTo } from './payments.states.ts';

/**
 * Books what the provider says of an intent, once, whoever brings the news: the browser's confirmation, a webhook or the
 * reconciler, in any order and at the same time. Money that has arrived becomes a subscription or a refund in the same
 * transaction, also where the database has lost what it was for. Undefined where the intent is not one of ours.
 */
export async function settle(parts: Parts, intent: Intent): Promise<PaymentRow | undefined> {
  const { db } = parts.context;
  const known = (await queries.findPaymentOfIntent(db, intent.id)) ?? (await findByMetadata(parts, intent));
  if (!known && intent.status === 'succeeded') return findAgain(parts, intent, (...paid) => bookIn(parts, ...paid));
  if (!known || !isBookable(known)) return known;
  if (intent.status === 'canceled') await moveTo(db, known, 'canceled');
  if (intent.status !== 'succeeded') return queries.findPayment(db, known.id);
  return book(parts, known, intent);
}

const book = (parts: Parts, known: PaymentRow, intent: Intent) =>
  parts.context.db.transaction().execute((tx) => bookIn(parts, tx, known, intent));

async function bookIn(parts: Parts, tx: Tx, known: PaymentRow, intent: Intent, returnBecause?: string): Promise<PaymentRow | undefined> {
  const user = await lockAccount(tx, known.user_id);
  const payment = await queries.lockPayment(tx, known.id);
  const captured = intent.amount_received;
  const { payment_method: method } = intent;
  const taken = {
    succeeded_at: parts.context.clock.now(),
    captured_minor: captured,
    card_fingerprint: typeof method === 'object' ? (method?.card?.fingerprint ?? null) : null,
  };
  if (!payment || !(await moveTo(tx, payment, 'succeeded', taken))) return payment;
  const isWhole = captured === payment.amount_minor && intent.currency.toUpperCase() === payment.currency;
  const fulfilment = user.suspended_at
    ? { refund: 'The account is suspended.' }
    : user.deleted_at
      ? { refund: 'The account is deleted.' }
      : returnBecause
        ? { refund: returnBecause }
        : isWhole
          ? await parts.onPaid(tx, payment)
          : { refund: 'Another amount than the price arrived.' };
  if ('refund' in fulfilment) {
    await returnAll(parts, tx, payment.id, captured, fulfilment.refund);
  } else {
    await queries.setBought(tx, payment.id, captured);
    await issueReceipt(parts, tx, payment, user, intent, fulfilment.subscription);
  }
  if (intent.setup_future_usage) await keepCard(tx, payment.user_id, intent.payment_method);
  return { ...payment, status: 'succeeded', captured_minor: captured };
}

// A crash between making the intent and writing its id down leaves the way back in the intent itself.
async function findByMetadata({ context: { db }, account }: Parts, intent: Intent): Promise<PaymentRow | undefined> {
  const id = intent.metadata['paymentId'];
  if (!id || !/^[\da-f-]{36}$/.test(id)) return undefined;
  const payment = await queries.findPayment(db, id);
  if (!payment || payment.intent_id) return undefined;
  await queries.setIntent(db, payment.id, intent.id, account.known());
  return { ...payment, intent_id: intent.id };
}

/**
 * Asks the provider about one's own payment and books it. Throws `payment_not_found`, `payment_processing` or
 * `payment_incomplete` where nothing was paid.
 */
export async function confirm(parts: Parts, userId: string, intentId: string): Promise<PaymentRow> {
  const known = await queries.findPaymentOfIntent(parts.context.db, intentId);
  if (!known || known.user_id !== userId) throw new AppError('payment_not_found');
  if (!isBookable(known)) return known;
  const intent = await retrieveIntent(parts, intentId);
  const payment = await settle(parts, intent);
  if (payment && !isBookable(payment)) return payment;
  throw notPaid(intent);
}

/** Why an intent counts as not paid, as the answer to the payer. */
function notPaid(intent: Intent): AppError {
  if (intent.status === 'processing') return new AppError('payment_processing');
  const status = intent.status.replaceAll('_', ' ');
  return new AppError('payment_incomplete', { message: `Payment status: ${status}. Please try again or contact support.` });
}

/** A webhook spoke of an intent. What it said may be old by now, so the provider is asked how things stand. */
export async function hearOfIntent(parts: Parts, intentId: string): Promise<void> {
  try {
    await settle(parts, await retrieveIntent(parts, intentId));
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
  }
}
