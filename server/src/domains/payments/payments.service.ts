import { markets } from '@handwise/contract/markets';
import type { Card, Receipt } from '@handwise/contract/payments';
import { Stripe } from 'stripe';
import type { Db, Reader, Tx } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { type Jobs, defineJob } from '../../kit/jobs.ts';
import { sendMail } from '../../kit/mail.ts';
import { atProvider, isMissingAtProvider } from '../../kit/stripe.ts';
import { type Contact, findContact, lockUser } from '../accounts/accounts.service.ts';
import { receiptMail, refundMail } from './payments.mails.ts';
import * as queries from './payments.queries.ts';
import type { PaymentRow } from './payments.queries.ts';
import { abandonedAfterHours, gstWithin, nextCheck } from './payments.rules.ts';

type Bought = { planName: string; startsAt: Date; endsAt: Date; timeZone: string };
/** What money has bought: a subscription, or nothing, and then it goes back for the reason that the payer reads. */
export type Fulfilment = { subscription: Bought } | { refund: string };

/** What taking payments needs. */
export type Checkout = {
  db: Db;
  stripe: Stripe;
  jobs: Jobs;
  appUrl: string;
  /** Who issues the receipts. */
  invoice: { name: string; address: string; taxNumbers: { NZ: string; AU: string } };
  /** Turns a payment that has succeeded into what it is for, in the transaction that books it. Set where the domains meet. */
  fulfil: (tx: Tx, payment: PaymentRow) => Promise<Fulfilment>;
  /** The time zones of subscriptions that cover listings: of the first listing's region each. Set there as well. */
  timeZonesOf: (db: Reader, subscriptionIds: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

export type Payment = PaymentRow;
type Intent = Stripe.PaymentIntent;

export const { findCard, findOpenChange, findOpenPurchase, insertPayment, isRefunded } = queries;

const forDays = { retryLimit: 60, retryDelaySeconds: 30, retryDelayMaxSeconds: 3_600 };
export const refundPayment = defineJob<{ refundId: string }>('payments.refund-payment', forDays);
export const detachCard = defineJob<{ paymentMethodId: string }>('payments.detach-card', forDays);

const withCard = { expand: ['payment_method'] };

const retrieveIntent = (checkout: Checkout, intentId: string) => atProvider(checkout.stripe.paymentIntents.retrieve(intentId, withCard));

async function customerOf({ db, stripe }: Checkout, userId: string): Promise<string> {
  const known = await queries.findCustomer(db, userId);
  if (known) return known;
  const user = await findContact(db, userId);
  const { id } = await atProvider(stripe.customers.create({ email: user.email, name: user.full_name, metadata: { userId } }));
  await queries.insertCustomer(db, userId, id);
  return (await queries.findCustomer(db, userId)) ?? id;
}

const intentTerms = (payment: PaymentRow, customer: string) => ({
  amount: payment.amount_minor,
  currency: payment.currency.toLowerCase(),
  customer,
  allowed_payment_method_types: ['card'],
  metadata: { paymentId: payment.id, userId: payment.user_id, purpose: payment.purpose },
});

// The key is the payment's own id: asked again after a crash or in parallel, the provider gives the intent that it made.
const onceFor = (payment: PaymentRow) => ({ idempotencyKey: `payment-${payment.id}` });

/**
 * The intent that the browser is to pay: made at the provider on the first call, the same one afterwards. Undefined where
 * the provider does not know it any more: the payment is then given up.
 */
export async function openIntentOf(checkout: Checkout, payment: PaymentRow): Promise<Intent | undefined> {
  try {
    return await intentOf(checkout, payment);
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
    await giveUp(checkout, payment, 'canceled');
    return undefined;
  }
}

async function intentOf(checkout: Checkout, payment: PaymentRow): Promise<Intent> {
  if (payment.intent_id) return retrieveIntent(checkout, payment.intent_id);
  const customer = await customerOf(checkout, payment.user_id);
  const intent = await atProvider(checkout.stripe.paymentIntents.create(intentTerms(payment, customer), onceFor(payment)));
  await queries.setIntent(checkout.db, payment.id, intent.id);
  return intent;
}

/**
 * Charges a saved card, once for each payment. Throws `card_declined` with the issuer's words; the payment has then failed.
 * Throws `payment_processing` where another request works on the payment or has given it up.
 */
export async function chargeCard(checkout: Checkout, payment: PaymentRow, card: queries.CardRow): Promise<Intent> {
  try {
    if (payment.intent_id) return await retrieveIntent(checkout, payment.intent_id);
    const customer = await customerOf(checkout, payment.user_id);
    const charge = { ...intentTerms(payment, customer), payment_method: card.payment_method_id, confirm: true, ...withCard };
    const intent = await atProvider(checkout.stripe.paymentIntents.create(charge, onceFor(payment)));
    await queries.setIntent(checkout.db, payment.id, intent.id);
    return intent;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeIdempotencyError) throw new AppError('payment_processing');
    const refused = error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError;
    if (!refused) throw error;
    if (error.payment_intent) {
      await queries.setIntent(checkout.db, payment.id, error.payment_intent.id);
      await giveUp(checkout, { ...payment, intent_id: error.payment_intent.id }, 'failed');
    } else {
      // The call itself was refused: it left no intent that could still be paid.
      await queries.closePayment(checkout.db, payment.id, 'failed');
    }
    const said = error instanceof Stripe.errors.StripeCardError ? { message: error.message } : {};
    throw new AppError('card_declined', said);
  }
}

/**
 * Ends an open payment that nobody is to pay any more. Where it was paid meanwhile, it is booked instead. Throws
 * `payment_processing` while the bank decides.
 */
export async function giveUp(checkout: Checkout, payment: PaymentRow, status: 'failed' | 'canceled'): Promise<void> {
  const open = await takeIntent(checkout, payment);
  if (open) {
    const intent = await atProvider(checkout.stripe.paymentIntents.cancel(open.id)).catch((error: unknown) => {
      if (error instanceof Stripe.errors.StripeInvalidRequestError) return retrieveIntent(checkout, open.id);
      throw error;
    });
    if (intent.status === 'succeeded') {
      await settle(checkout, intent);
      return;
    }
    if (intent.status !== 'canceled') throw new AppError('payment_processing');
  }
  await queries.closePayment(checkout.db, payment.id, status);
}

/** The intent of a payment at the provider, also where its id was never written down. Undefined where there is none. */
async function findIntentOf(checkout: Checkout, payment: PaymentRow): Promise<Intent | undefined> {
  if (!payment.intent_id) return findLostIntent(checkout, payment);
  return retrieveIntent(checkout, payment.intent_id).catch((error: unknown) => {
    if (isMissingAtProvider(error)) return undefined;
    throw error;
  });
}

// A payment without an intent may have a request on its way that is about to charge a card for it. So the intent is made
// here: it takes the payment's key at the provider, and that request then comes too late instead of charging what was given up.
async function takeIntent(checkout: Checkout, payment: PaymentRow): Promise<Intent | undefined> {
  const known = await findIntentOf(checkout, payment);
  if (known || payment.intent_id) return known;
  try {
    return await intentOf(checkout, payment);
  } catch (error) {
    // Refused as it is, with the same customer, the charge would be as well.
    if (error instanceof Stripe.errors.StripeInvalidRequestError) return undefined;
    if (!(error instanceof Stripe.errors.StripeIdempotencyError)) throw error;
    const charged = await findLostIntent(checkout, payment);
    if (!charged) throw new AppError('payment_processing');
    return charged;
  }
}

/**
 * Books what the provider says of an intent, once, whoever brings the news: the browser's confirmation, a webhook or the
 * reconciler, in any order and at the same time. Money that has arrived becomes a subscription or a refund in the same
 * transaction. Undefined where the intent is not one of ours.
 */
export async function settle(checkout: Checkout, intent: Intent): Promise<PaymentRow | undefined> {
  const { db } = checkout;
  const known = (await queries.findPaymentOfIntent(db, intent.id)) ?? (await findByMetadata(db, intent));
  if (!known || known.status === 'succeeded') return known;
  if (intent.status === 'canceled') await queries.closePayment(db, known.id, 'canceled');
  if (intent.status !== 'succeeded') return queries.findPayment(db, known.id);

  return db.transaction().execute(async (tx) => {
    const user = await lockUser(tx, known.user_id);
    const payment = await queries.lockPayment(tx, known.id);
    if (!payment || payment.status === 'succeeded') return payment;
    const isWhole = intent.amount_received === payment.amount_minor && intent.currency.toUpperCase() === payment.currency;
    const fulfilment = user.suspended_at
      ? { refund: 'The account is suspended.' }
      : isWhole
        ? await checkout.fulfil(tx, payment)
        : { refund: 'Another amount than the price arrived.' };
    await queries.setSucceeded(tx, payment.id);
    if ('refund' in fulfilment) {
      const refund = await queries.insertRefund(tx, payment.id, fulfilment.refund);
      await checkout.jobs.send(tx, refundPayment, { refundId: refund.id });
    } else {
      await issueReceipt(checkout, tx, payment, user, intent, fulfilment.subscription);
    }
    if (intent.setup_future_usage) await keepCard(tx, payment.user_id, intent.payment_method);
    return { ...payment, status: 'succeeded' as const };
  });
}

// A crash between making the intent and writing its id down leaves the way back in the intent itself.
async function findByMetadata(db: Db, intent: Intent): Promise<PaymentRow | undefined> {
  const id = intent.metadata['paymentId'];
  if (!id || !/^[\da-f-]{36}$/.test(id)) return undefined;
  const payment = await queries.findPayment(db, id);
  if (!payment || payment.intent_id) return undefined;
  await queries.setIntent(db, payment.id, intent.id);
  return { ...payment, intent_id: intent.id };
}

type ReceiptDetails = Omit<Receipt, '_id' | 'number' | 'issuedAt' | 'refundedAt'>;

async function issueReceipt(checkout: Checkout, tx: Tx, payment: PaymentRow, user: Contact, intent: Intent, bought: Bought) {
  const { invoice, jobs, appUrl } = checkout;
  const card = typeof intent.payment_method === 'object' ? intent.payment_method?.card : undefined;
  const purpose = { listing: 'plan', plan_change: 'plan, change of plan', reactivation: 'plan, reactivation' }[payment.purpose];
  const details: ReceiptDetails = {
    description: `${bought.planName} ${purpose}, 30 days`,
    country: payment.country,
    timeZone: bought.timeZone,
    currency: payment.currency,
    totalMinor: payment.amount_minor,
    gstMinor: gstWithin(payment.amount_minor, payment.country),
    gstPercent: markets[payment.country].gstPercent,
    supplier: { name: invoice.name, address: invoice.address, taxNumber: invoice.taxNumbers[payment.country] },
    customer: { name: user.full_name, email: user.email },
    card: card ? { brand: card.brand, last4: card.last4 } : null,
    periodStartsAt: bought.startsAt.toISOString(),
    periodEndsAt: bought.endsAt.toISOString(),
  };
  const row = await queries.insertReceipt(tx, { user_id: payment.user_id, payment_id: payment.id, details: JSON.stringify(details) });
  await jobs.send(tx, sendMail, receiptMail(asReceipt({ ...row, details, refunded_at: null }), appUrl));
}

function asReceipt(row: Pick<queries.ReceiptRow, 'id' | 'number' | 'issued_at' | 'details' | 'refunded_at'>): Receipt {
  const details = row.details as unknown as Omit<ReceiptDetails, 'timeZone'> & { timeZone?: string };
  return {
    ...details,
    // The first receipts did not say theirs.
    timeZone: details.timeZone ?? markets[details.country].timeZone,
    _id: row.id,
    number: `HW-${row.number}`,
    issuedAt: row.issued_at.toISOString(),
    refundedAt: row.refunded_at?.toISOString() ?? null,
  };
}

/**
 * Asks the provider about one's own payment and books it. Throws `payment_not_found`, `payment_processing` or
 * `payment_incomplete` where nothing was paid.
 */
export async function confirm(checkout: Checkout, userId: string, intentId: string): Promise<PaymentRow> {
  const known = await queries.findPaymentOfIntent(checkout.db, intentId);
  if (!known || known.user_id !== userId) throw new AppError('payment_not_found');
  if (known.status === 'succeeded') return known;
  const intent = await retrieveIntent(checkout, intentId);
  const payment = await settle(checkout, intent);
  if (payment?.status === 'succeeded') return payment;
  throw notPaid(intent);
}

/** Why an intent counts as not paid, as the answer to the payer. */
function notPaid(intent: Intent): AppError {
  if (intent.status === 'processing') return new AppError('payment_processing');
  const status = intent.status.replaceAll('_', ' ');
  return new AppError('payment_incomplete', { message: `Payment status: ${status}. Please try again or contact support.` });
}

/**
 * Asks the provider about payments that were left open: the browser was closed, a webhook was lost, a server died. What
 * nobody has paid for a day is given up.
 */
export async function reconcile(checkout: Checkout, atOnce = false): Promise<void> {
  const most = 200;
  const failures: unknown[] = [];
  for (const payment of await queries.listOpenPayments(checkout.db, most, atOnce)) {
    await queries.setNextCheck(checkout.db, payment.id, nextCheck(payment.created_at, new Date()));
    try {
      await reconcilePayment(checkout, payment);
    } catch (error) {
      if (error instanceof AppError && error.code === 'payment_provider_unavailable') throw error;
      // One payment that cannot be booked does not keep the others from it.
      if (!(error instanceof AppError)) failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} open payments could not be reconciled`);
}

async function reconcilePayment(checkout: Checkout, payment: PaymentRow): Promise<void> {
  const intent = await findIntentOf(checkout, payment);
  // Nobody ever got its secret, so nobody can pay it.
  if (!intent) return giveUp(checkout, payment, 'canceled');
  const settled = await settle(checkout, intent);
  const age = Date.now() - payment.created_at.getTime();
  const isAbandoned = age > abandonedAfterHours * 3_600_000 && intent.status !== 'processing';
  if (settled?.status === 'open' && isAbandoned) await giveUp(checkout, settled, 'canceled');
}

// The provider may have charged a card in the moment in which this server died: the intent then knows its payment.
async function findLostIntent({ db, stripe }: Checkout, payment: PaymentRow): Promise<Intent | undefined> {
  const customer = await queries.findCustomer(db, payment.user_id);
  if (!customer) return undefined;
  const { data } = await atProvider(stripe.paymentIntents.list({ customer, limit: 100, expand: ['data.payment_method'] }));
  return data.find((intent) => intent.metadata['paymentId'] === payment.id);
}

/** Sends money back, once: the refund's id is the key at the provider. */
export async function refund(checkout: Checkout, refundId: string): Promise<void> {
  const { db, stripe, jobs, appUrl } = checkout;
  const row = await queries.findRefund(db, refundId);
  if (!row?.intent_id || row.status === 'succeeded') return;
  const made = await makeRefund(stripe, row.id, row.intent_id);
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await queries.setRefunded(tx, row.id, made.id);
    if (numUpdatedRows === 0n) return;
    const user = await findContact(tx, row.user_id);
    const { amount_minor: amountMinor, currency, reason } = row;
    await jobs.send(tx, sendMail, refundMail({ to: user.email, name: user.full_name, amountMinor, currency, reason, appUrl }));
  });
}

async function makeRefund(stripe: Stripe, id: string, intentId: string): Promise<Stripe.Refund> {
  try {
    return await atProvider(stripe.refunds.create({ payment_intent: intentId }, { idempotencyKey: `refund-${id}` }));
  } catch (error) {
    const isDone = error instanceof Stripe.errors.StripeInvalidRequestError && error.code === 'charge_already_refunded';
    // By hand, in the provider's own pages.
    const [made] = isDone ? (await atProvider(stripe.refunds.list({ payment_intent: intentId, limit: 1 }))).data : [];
    if (!made) throw error;
    return made;
  }
}

const asCard = (row: queries.CardRow): Card => ({
  _id: row.id,
  fullName: row.full_name,
  cardNumber: `•••• •••• •••• ${row.last4}`,
  cardBrand: row.brand,
  cardLast4: row.last4,
  expMonth: row.exp_month,
  expYear: row.exp_year,
});

async function keepCard(db: Db | Tx, userId: string, method: string | Stripe.PaymentMethod | null): Promise<queries.CardRow | undefined> {
  if (!method || typeof method === 'string' || !method.card) return undefined;
  return queries.upsertCard(db, {
    user_id: userId,
    payment_method_id: method.id,
    full_name: method.billing_details.name ?? '',
    brand: method.card.brand,
    last4: method.card.last4,
    exp_month: method.card.exp_month,
    exp_year: method.card.exp_year,
  });
}

export const listCards = async (db: Db, userId: string): Promise<Card[]> => (await queries.listCards(db, userId)).map(asCard);

export async function createSetupIntent(checkout: Checkout, userId: string) {
  const customer = await customerOf(checkout, userId);
  const intent = await atProvider(
    checkout.stripe.setupIntents.create({ customer, usage: 'off_session', allowed_payment_method_types: ['card'], metadata: { userId } }),
  );
  if (!intent.client_secret) throw new Error('the provider gave a setup intent without a secret');
  return { clientSecret: intent.client_secret, setupIntentId: intent.id };
}

/** Keeps the card of a confirmed setup intent of one's own. */
export async function addCard(checkout: Checkout, userId: string, setupIntentId: string): Promise<Card> {
  const customer = await queries.findCustomer(checkout.db, userId);
  const intent = await atProvider(checkout.stripe.setupIntents.retrieve(setupIntentId, withCard)).catch((error: unknown) => {
    if (isMissingAtProvider(error)) throw new AppError('payment_not_found');
    throw error;
  });
  if (!customer || intent.customer !== customer) throw new AppError('payment_not_found');
  const row = intent.status === 'succeeded' ? await keepCard(checkout.db, userId, intent.payment_method) : undefined;
  if (!row) throw new AppError('payment_incomplete');
  return asCard(row);
}

export async function deleteCard(tx: Tx, jobs: Jobs, userId: string, id: string): Promise<void> {
  const removed = await queries.removeCard(tx, userId, id);
  if (!removed) throw new AppError('card_not_found');
  await jobs.send(tx, detachCard, { paymentMethodId: removed.payment_method_id });
}

/** Forgets a removed card at the provider as well. */
export async function detach({ stripe }: Checkout, paymentMethodId: string): Promise<void> {
  try {
    await atProvider(stripe.paymentMethods.detach(paymentMethodId));
  } catch (error) {
    // It is not there any more, or belongs to nobody: that is what was wanted.
    if (!(error instanceof Stripe.errors.StripeInvalidRequestError)) throw error;
  }
}

export const listReceipts = async (db: Db, userId: string): Promise<Receipt[]> => (await queries.listReceipts(db, userId)).map(asReceipt);

export async function getReceipt(db: Db, userId: string, id: string): Promise<Receipt> {
  const row = await queries.findReceipt(db, userId, id);
  if (!row) throw new AppError('receipt_not_found');
  return asReceipt(row);
}

/** A webhook spoke of an intent. What it said may be old by now, so the provider is asked how things stand. */
export async function hearOfIntent(checkout: Checkout, intentId: string): Promise<void> {
  try {
    await settle(checkout, await retrieveIntent(checkout, intentId));
  } catch (error) {
    if (!isMissingAtProvider(error)) throw error;
  }
}
