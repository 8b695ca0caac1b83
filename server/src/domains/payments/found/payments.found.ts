import { isId } from '@handwise/contract/ids';
import { isRefusedRow, type Tx } from '../../../kit/database/database.ts';
import { sendMail } from '../../../kit/mail/mail.ts';
import { lockAccount } from '../../accounts/accounts.service.ts';
import { adoptCustomer } from '../customers/payments.customers.ts';
import type { Intent, Parts } from '../payments.parts.ts';
import * as payments from '../payments.queries.ts';
import type { PaymentRow } from '../payments.queries.ts';
import { foundOperatorMail, rebuiltMail } from './payments.found.mails.ts';
import * as queries from './payments.found.queries.ts';
import { returnFound } from './payments.found.return.ts';

/** Books an intent that has succeeded, in the transaction; with a reason to give it back it buys nothing. */
export type Book = (tx: Tx, known: PaymentRow, intent: Intent, returnBecause?: string) => Promise<PaymentRow | undefined>;

const purposes = ['listing', 'plan_change', 'reactivation'] as const;
const countries = { nzd: 'NZ', aud: 'AU' } as const;

/** What an intent says of the payment that it was made for. Undefined where this site did not make it. */
async function namedBy(parts: Parts, { id, metadata, amount, currency, created, livemode }: Intent) {
  const { paymentId = '', userId = '', planId = '', listingId = '', replacesId = '', site } = metadata;
  if (site !== (await parts.site()) || ![paymentId, userId, planId].every(isId)) return undefined;
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
    amount_minor: amount,
    currency: country === 'NZ' ? ('NZD' as const) : ('AUD' as const),
    intent_id: id,
    account: parts.account.known().id,
    livemode,
    created_at: new Date(created * 1000),
  };
}

type Named = NonNullable<Awaited<ReturnType<typeof namedBy>>>;

const words = {
  paidAgain: 'You have paid for the same again since then.',
  contradicted: 'The payment that it names was paid by another intent.',
  gone: 'Its account, plan or listing is not in the database.',
  rebuilt: 'The database had lost it, and nothing contradicts it.',
};

/**
 * Money that has arrived for a payment that the database does not know, as after a restore from a backup. It is written again and booked
 * where its account, plan and listing are still there, else it goes back: one of both, once. Undefined where it was not ours, or goes back.
 */
export async function findAgain(parts: Parts, intent: Intent, book: Book): Promise<PaymentRow | undefined> {
  const { db } = parts.context;
  const named = await namedBy(parts, intent);
  if (!named) return undefined;
  const known = await payments.findPayment(db, named.id);
  // Another request has just written its intent down.
  if (known?.intent_id === intent.id) return known;
  if (known) {
    await giveBack(parts, intent, named, words.contradicted);
    return undefined;
  }
  try {
    return await rebuild(parts, intent, named, book);
  } catch (error) {
    if (!isRefusedRow(error, 'payments')) throw error;
    await giveBack(parts, intent, named, words.gone);
    return undefined;
  }
}

const rowOf = ({ id, user_id, intent_id, currency }: Named, intent: Intent) => ({
  payment_id: id,
  user_id,
  intent_id,
  currency,
  amount_minor: intent.amount_received,
});

async function rebuild(parts: Parts, intent: Intent, named: Named, book: Book): Promise<PaymentRow | undefined> {
  const { db, jobs, appUrl } = parts.context;
  const customer = typeof intent.customer === 'string' ? intent.customer : intent.customer?.id;
  const paid = await db.transaction().execute(async (tx) => {
    if (!(await queries.insertFound(tx, { ...rowOf(named, intent), outcome: 'rebuilt', reason: words.rebuilt }))) return 'found already';
    await queries.insertRebuilt(tx, named);
    const payer = await lockAccount(tx, named.user_id);
    const written = await payments.lockPayment(tx, named.id);
    if (!written) throw new Error(`payment ${named.id} was written and is not there`);
    const because = (await queries.hasPaidAgain(tx, named)) ? words.paidAgain : undefined;
    const booked = await book(tx, written, intent, because);
    await tellOperator(parts, tx, intent, named, 'rebuilt', because ?? words.rebuilt);
    const { bought_minor: bought = 0 } = (await payments.findPayment(tx, named.id)) ?? {};
    if (bought > 0) await jobs.send(tx, sendMail, rebuiltMail({ to: payer.email, name: payer.full_name, ...rowOf(named, intent), appUrl }));
    return booked;
  });
  // Whoever was quicker has booked it, or sent it back.
  if (paid === 'found already') return payments.findPaymentOfIntent(db, intent.id);
  logFound(parts, intent, named, 'rebuilt');
  if (customer) await adoptCustomer(parts, named.user_id, customer);
  return paid;
}

async function giveBack(parts: Parts, intent: Intent, named: Named, reason: string): Promise<void> {
  const { db, jobs } = parts.context;
  const isNew = await db.transaction().execute(async (tx) => {
    const row = { ...rowOf(named, intent), outcome: 'returned', reason, refund_status: 'pending' } as const;
    if (!(await queries.insertFound(tx, row))) return false;
    await jobs.send(tx, returnFound, { intentId: intent.id });
    await tellOperator(parts, tx, intent, named, 'returned', reason);
    return true;
  });
  if (isNew) logFound(parts, intent, named, 'returned');
}

function logFound({ context: { logger } }: Parts, intent: Intent, named: Named, outcome: 'rebuilt' | 'returned'): void {
  logger.error(
    { intentId: intent.id, payment: named.id, user: named.user_id, amount: intent.amount_received, currency: named.currency, outcome },
    outcome === 'rebuilt'
      ? 'a payment that the database does not know was found at the provider, and is written and booked again'
      : 'a payment that the database does not know was found at the provider, and goes back: it cannot be written again',
  );
}

const tellOperator = (
  { context: { jobs, appUrl }, operatorEmail }: Parts,
  tx: Tx,
  intent: Intent,
  named: Named,
  outcome: 'rebuilt' | 'returned',
  reason: string,
) => jobs.send(tx, sendMail, foundOperatorMail(operatorEmail, { ...rowOf(named, intent), outcome, reason, appUrl }));
