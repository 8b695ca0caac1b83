import type { Stripe } from 'stripe';
import { isId } from '@handwise/contract/ids';
import { site } from '@handwise/contract/site/site';
import { type Tx, isRefusedRow } from '../../kit/database/database.ts';
import { callProvider, getExpandableId } from '../../kit/integrations/stripe.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { lockAccount } from '../accounts/accounts.service.ts';
import type { Intent, Payments } from './payments.context.ts';
import { adoptCustomer } from './payments.customers.ts';
import { paymentRebuiltEmail, paymentReturnedEmail } from './payments.emails.ts';
import {
  type FoundRow,
  findFoundPayment,
  hasPaidAgain,
  insertFoundPayment,
  insertRebuiltPayment,
  lockFoundPayment,
  setFoundRefund,
} from './payments.found.queries.ts';
import { paymentFoundOperatorEmail } from './payments.operator-emails.ts';
import { type PaymentRow, findPayment, findPaymentByIntent } from './payments.queries.ts';
import { providerRetry } from './payments.rules.ts';
import { hasRefundFailed, isRefundPending, toRefundStatus } from './payments.states.ts';

/** Books an intent that has succeeded; with a reason to return the money it buys nothing. */
export type BookIntent = (tx: Tx, known: PaymentRow, intent: Intent, returnReason?: string) => Promise<PaymentRow | undefined>;

const purposes = ['listing', 'plan_change', 'reactivation', 'renewal'] as const;
const countries = { nzd: 'NZ', aud: 'AU' } as const;

/** The payment that an intent's metadata describes. Undefined when this site did not create it. */
async function parseIntentMetadata(deps: Payments, { id, metadata, amount, currency, created, livemode }: Intent) {
  const { paymentId = '', userId = '', planId = '', listingId = '', replacesId = '', renewsId = '', site } = metadata;
  if (site !== (await deps.site()) || ![paymentId, userId, planId].every(isId)) return undefined;
  const purpose = purposes.find((one) => one === metadata['purpose']);
  const country = Object.entries(countries).find(([of]) => of === currency)?.[1];
  if (!purpose || !country) return undefined;
  return {
    id: paymentId,
    user_id: userId,
    purpose,
    plan_id: planId,
    country,
    listing_id: listingId || null,
    replaces_id: replacesId || null,
    renews_id: renewsId || null,
    amount_minor: amount,
    currency: country === 'NZ' ? ('NZD' as const) : ('AUD' as const),
    intent_id: id,
    account: deps.account.current().id,
    livemode,
    created_at: new Date(created * 1000),
  };
}

type LostPayment = NonNullable<Awaited<ReturnType<typeof parseIntentMetadata>>>;

const foundReasons = {
  paidAgain: 'You have paid for the same again since then.',
  contradicted: 'The payment that it names was paid by another intent.',
  gone: 'Its account, plan or listing is not in the database.',
  rebuilt: 'The database had lost it, and nothing contradicts it.',
};

/**
 * Handles money for a payment that the database does not know, as after a restore from a backup: restores and books the payment if its
 * account, plan and listing still exist, else refunds it, exactly once. Undefined when it is not ours or is refunded.
 */
export async function recoverPayment(deps: Payments, intent: Intent, book: BookIntent): Promise<PaymentRow | undefined> {
  const { db } = deps.context;
  const named = await parseIntentMetadata(deps, intent);
  if (!named) return undefined;
  const known = await findPayment(db, named.id);
  // Another request has just stored the intent's id.
  if (known?.intent_id === intent.id) return known;
  if (known) {
    await returnPayment(deps, intent, named, foundReasons.contradicted);
    return undefined;
  }
  try {
    return await rebuildPayment(deps, intent, named, book);
  } catch (error) {
    if (!isRefusedRow(error, 'payments')) throw error;
    await returnPayment(deps, intent, named, foundReasons.gone);
    return undefined;
  }
}

const foundRow = ({ id, user_id, intent_id, currency }: LostPayment, intent: Intent) => ({
  payment_id: id,
  user_id,
  intent_id,
  currency,
  amount_minor: intent.amount_received,
});

async function rebuildPayment(deps: Payments, intent: Intent, named: LostPayment, book: BookIntent): Promise<PaymentRow | undefined> {
  const { db, jobs, appUrl } = deps.context;
  const customer = getExpandableId(intent.customer);
  const paid = await db.transaction().execute(async (tx) => {
    if (!(await insertFoundPayment(tx, { ...foundRow(named, intent), outcome: 'rebuilt', reason: foundReasons.rebuilt })))
      return 'found already';
    const rebuilt = await insertRebuiltPayment(tx, named);
    const payer = await lockAccount(tx, named.user_id);
    const because = (await hasPaidAgain(tx, named)) ? foundReasons.paidAgain : undefined;
    const booked = await book(tx, rebuilt, intent, because);
    await notifyOperator(deps, tx, intent, named, 'rebuilt', because ?? foundReasons.rebuilt);
    const { bought_minor: bought = 0 } = (await findPayment(tx, named.id)) ?? {};
    if (bought > 0)
      await jobs.send(tx, sendMail, paymentRebuiltEmail({ to: payer.email, name: payer.full_name, ...foundRow(named, intent), appUrl }));
    return booked;
  });
  // A concurrent request has booked or refunded it.
  if (paid === 'found already') return findPaymentByIntent(db, intent.id);
  logFoundPayment(deps, intent, named, 'rebuilt');
  if (customer) await adoptCustomer(deps, named.user_id, customer);
  return paid;
}

async function returnPayment(deps: Payments, intent: Intent, named: LostPayment, reason: string): Promise<void> {
  const { db, jobs } = deps.context;
  const isNew = await db.transaction().execute(async (tx) => {
    const row = { ...foundRow(named, intent), outcome: 'returned', reason, refund_status: 'pending' } as const;
    if (!(await insertFoundPayment(tx, row))) return false;
    await jobs.send(tx, refundFoundPaymentJob, { intentId: intent.id });
    await notifyOperator(deps, tx, intent, named, 'returned', reason);
    return true;
  });
  if (isNew) logFoundPayment(deps, intent, named, 'returned');
}

function logFoundPayment({ context: { logger } }: Payments, intent: Intent, named: LostPayment, outcome: 'rebuilt' | 'returned'): void {
  logger.error(
    { intentId: intent.id, payment: named.id, user: named.user_id, amount: intent.amount_received, currency: named.currency, outcome },
    outcome === 'rebuilt'
      ? 'found a payment at the provider that the database had lost; it is restored and booked'
      : 'found a payment at the provider that the database had lost; it cannot be restored, so it is refunded',
  );
}

const notifyOperator = (
  { context: { jobs, appUrl } }: Payments,
  tx: Tx,
  intent: Intent,
  named: LostPayment,
  outcome: 'rebuilt' | 'returned',
  reason: string,
) => jobs.send(tx, sendMail, paymentFoundOperatorEmail(site.supportEmail, { ...foundRow(named, intent), outcome, reason, appUrl }));

export const refundFoundPaymentJob = defineJob<{ intentId: string }>('payments.refund-found-payment', providerRetry);

const isRefundActive = ({ status }: Stripe.Refund) => !hasRefundFailed(toRefundStatus(status));

/** Refunds a found payment, less what was refunded before; idempotent. */
export async function refundFoundPayment(deps: Payments, intentId: string): Promise<void> {
  const row = await findFoundPayment(deps.context.db, intentId);
  if (!row?.refund_status || !isRefundPending(row.refund_status)) return;
  const made = await callProvider(deps.stripe.refunds.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: 1_000 }));
  const ours = made.find(({ id }) => id === row.refund_id);
  const back = made.filter(isRefundActive).reduce((sum, { amount }) => sum + amount, 0);
  const last = ours ?? made.find(isRefundActive);
  const refund = ours ?? (last && back >= row.amount_minor ? last : await createFoundRefund(deps, row, row.amount_minor - back));
  await saveFoundRefund(deps, row, refund);
}

// An earlier restore or a person in the provider's dashboard may have refunded part of it.
const createFoundRefund = ({ stripe }: Payments, { intent_id: intent }: FoundRow, amount: number) =>
  callProvider(
    stripe.refunds.create(
      { payment_intent: intent, amount, metadata: { foundIntent: intent } },
      { idempotencyKey: `found-${intent}-${amount}` },
    ),
  );

async function saveFoundRefund(deps: Payments, row: FoundRow, refund: Stripe.Refund): Promise<void> {
  const { db, jobs, appUrl, logger } = deps.context;
  const status = toRefundStatus(refund.status);
  const payer = row.refund_id === null ? await findProviderPayer(deps, row.intent_id) : undefined;
  await db.transaction().execute(async (tx) => {
    // Locked, because the job and the scan of the provider may save the same refund at once, and the payer gets one email.
    const current = await lockFoundPayment(tx, row.intent_id);
    await setFoundRefund(tx, row.intent_id, { refund_id: refund.id, refund_status: status });
    if (payer && current.refund_id === null) await jobs.send(tx, sendMail, paymentReturnedEmail({ ...payer, ...row, appUrl }));
  });
  if (hasRefundFailed(status)) {
    logger.error({ intentId: row.intent_id, refund: refund.id, status }, 'the refund of a found payment failed: send the money by hand');
  }
}

/** Undefined when the customer is deleted at the provider as well. */
async function findProviderPayer({ stripe }: Payments, intentId: string): Promise<{ to: string; name: string } | undefined> {
  const customerId = getExpandableId((await callProvider(stripe.paymentIntents.retrieve(intentId))).customer);
  if (!customerId) return undefined;
  const customer = await callProvider(stripe.customers.retrieve(customerId));
  return customer.deleted || !customer.email ? undefined : { to: customer.email, name: customer.name ?? '' };
}
