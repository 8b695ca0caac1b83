import type { Tx } from '../../../kit/database/database.ts';
import { lockAccount } from '../../accounts/accounts.service.ts';
import { isPaid } from '../intents/payments.states.ts';
import type { Parts } from '../payments.parts.ts';
import { findPayment, lockPayment } from '../payments.queries.ts';
import { nextCheck } from '../payments.rules.ts';
import type { Books } from './payments.refunds.books.ts';
import { tell } from './payments.refunds.news.ts';
import * as queries from './payments.refunds.queries.ts';
import type { RefundRow } from './payments.refunds.queries.ts';
import { type Purse, takeFrom } from './payments.refunds.rules.ts';
import { hasFailed, isDone, isUnsent, moveTo, statusOf } from './payments.refunds.states.ts';

/**
 * The one way to change what went back of a payment: under the locks of its payer and its own, and ending what it bought where nothing pays
 * for that any more. Undefined where there is no such payment, or it was not paid.
 */
export const inBooks = <Result>(
  parts: Parts,
  paymentId: string,
  work: (tx: Tx, books: Books) => Promise<Result>,
): Promise<Result | undefined> =>
  parts.context.db.transaction().execute(async (tx) => {
    const known = await findPayment(tx, paymentId);
    if (!known) return undefined;
    const payer = await lockAccount(tx, known.user_id);
    const payment = await lockPayment(tx, paymentId);
    if (!payment || !isPaid(payment)) return undefined;
    const { bought_minor: bought, owed_minor: owed } = payment;
    const rows = await queries.listRefunds(tx, paymentId);
    const books: Books = { payment, payer, rows, bought, owed, news: [], because: '', isFraud: false };
    const result = await work(tx, books);
    await close(parts, tx, books);
    return result;
  });

async function close(parts: Parts, tx: Tx, books: Books): Promise<void> {
  const { payment, bought, owed, because } = books;
  if (bought !== payment.bought_minor || owed !== payment.owed_minor) await queries.setBooks(tx, payment.id, { bought, owed });
  if (payment.bought_minor > 0 && bought === 0) {
    await (because === null ? parts.onMoneyBack.kept(tx, payment) : parts.onMoneyBack.ended(tx, payment, because));
  }
  // After the listings, before the numbers of notes: so they are locked everywhere.
  if (books.isFraud) await parts.onMoneyBack.fraud(tx, payment);
  await tell(parts, tx, books);
}

const purseOf = ({ bought, owed, rows }: Books): Purse => ({
  bought,
  owed,
  unsent: rows.filter(isUnsent).map(({ id, amount_minor: amount }) => ({ id, amount })),
});

/** Takes an amount that went back by another way out of the books. False where there is not so much: then nothing was changed. */
async function take(tx: Tx, books: Books, amount: number): Promise<boolean> {
  const left = takeFrom(purseOf(books), amount);
  if (!left) return false;
  for (const { id, amount: waiting } of left.unsent) {
    const row = books.rows.find((one) => one.id === id);
    if (!row || row.amount_minor === waiting) continue;
    if (waiting > 0) await queries.setAmount(tx, id, waiting);
    else await moveTo(tx, row, 'canceled', { failure_reason: 'went_back_otherwise' });
  }
  books.rows = await queries.listRefunds(tx, books.payment.id);
  books.bought = left.bought;
  books.owed = left.owed;
  return true;
}

type NewRefund = Parameters<typeof queries.insertRefund>[1] & { amount_minor: number };

/** Writes a refund and takes its amount out of what is left. Undefined where there is not so much. */
export async function addRefund(tx: Tx, books: Books, refund: Omit<NewRefund, 'payment_id'>): Promise<RefundRow | undefined> {
  if (!(await take(tx, books, refund.amount_minor))) return undefined;
  const row = await queries.insertRefund(tx, { ...refund, payment_id: books.payment.id });
  books.rows.push(row);
  return row;
}

/** A refund as the provider has it. */
export type Made = {
  id: string;
  amount: number;
  status: string | null;
  created: number;
  failure_reason?: string;
  metadata: Record<string, string> | null;
};

/**
 * Brings the books in step with refunds of a payment as the provider has them, in any order and any number of times: ours first, then those
 * that somebody made in the provider's own pages.
 */
export async function bookMade(parts: Parts, tx: Tx, books: Books, made: readonly Made[]): Promise<void> {
  const unknown: Made[] = [];
  for (const one of made.toSorted((a, b) => a.created - b.created)) {
    const row =
      books.rows.find(({ provider_id }) => provider_id === one.id) ??
      books.rows.find((ours) => ours.id === one.metadata?.['refundId'] && isUnsent(ours));
    if (row) await follow(parts, tx, books, row, one);
    else unknown.push(one);
  }
  for (const one of unknown) await adopt(parts, tx, books, one);
}

/** One refund of ours goes where the provider has it. */
async function follow(parts: Parts, tx: Tx, books: Books, row: RefundRow, made: Made): Promise<void> {
  const now = parts.context.clock.now();
  const status = statusOf(made.status);
  if (row.provider_id === null) {
    await queries.setProviderRefund(tx, row.id, made.id, nextCheck(now, now));
    row.provider_id = made.id;
  }
  if (isDone(status) && (await moveTo(tx, row, status, { refunded_at: now }))) {
    Object.assign(row, { status, refunded_at: now });
    books.news.push({ refund: row, became: 'refunded' });
  }
  if (hasFailed(status)) await fail(tx, books, row, status, made.failure_reason ?? 'unknown');
}

/** What should have gone back and did not is owed. */
export async function fail(
  tx: Tx,
  books: Books,
  row: RefundRow,
  status: 'failed' | 'canceled',
  reason: string,
  isTold = true,
): Promise<void> {
  if (!(await moveTo(tx, row, status, { refunded_at: null, failure_reason: reason }))) return;
  Object.assign(row, { status, refunded_at: null, failure_reason: reason });
  books.owed += row.amount_minor;
  if (isTold) books.news.push({ refund: row, became: 'failed' });
}

const byHand = 'We have sent your money back.';

/** A refund that we did not ask for. Of one that failed nothing ever went back: the books do not need it. */
async function adopt(parts: Parts, tx: Tx, books: Books, made: Made): Promise<void> {
  const status = statusOf(made.status);
  if (hasFailed(status)) return;
  const waiting = books.rows.find((row) => isUnsent(row) && row.amount_minor === made.amount);
  // Somebody was quicker than we were.
  if (waiting && made.amount > books.bought + books.owed) return follow(parts, tx, books, waiting, made);
  const now = parts.context.clock.now();
  books.because = byHand;
  const row = await addRefund(tx, books, { amount_minor: made.amount, source: 'provider', reason: byHand });
  if (!row) {
    throw new Error(`refund ${made.id} is of ${made.amount}, more than is left of payment ${books.payment.id}`);
  }
  await queries.setProviderRefund(tx, row.id, made.id, nextCheck(now, now));
  row.provider_id = made.id;
  await follow(parts, tx, books, row, made);
}
