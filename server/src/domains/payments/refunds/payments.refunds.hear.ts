import { atProvider } from '../../../kit/outside/stripe.ts';
import { settle } from '../intents/payments.settle.ts';
import { retrieveIntent } from '../intents/payments.known-intents.ts';
import type { Parts } from '../payments.parts.ts';
import { nextCheck } from '../payments.rules.ts';
import { bookMade, inBooks } from './payments.refunds.booking.ts';
import * as queries from './payments.refunds.queries.ts';
import { isUnderWay } from './payments.refunds.states.ts';

const idOf = (one: string | { id: string } | null | undefined) => (typeof one === 'string' ? one : one?.id);

/** Brings the books of an intent's payment in step with all its refunds. What is not ours is left alone; what was not booked yet, is first. */
export async function hearOfRefundsOf(parts: Parts, intentId: string): Promise<void> {
  const payment = await settle(parts, await retrieveIntent(parts, intentId));
  if (!payment) return;
  const made = await atProvider(parts.stripe.refunds.list({ payment_intent: intentId, limit: 100 }).autoPagingToArray({ limit: 10_000 }));
  await inBooks(parts, payment.id, (tx, books) => bookMade(parts, tx, books, made));
}

export async function hearOfRefund(parts: Parts, refundId: string): Promise<void> {
  const intentId = idOf((await atProvider(parts.stripe.refunds.retrieve(refundId))).payment_intent);
  if (intentId) await hearOfRefundsOf(parts, intentId);
}

export async function hearOfCharge(parts: Parts, chargeId: string): Promise<void> {
  const intentId = idOf((await atProvider(parts.stripe.charges.retrieve(chargeId))).payment_intent);
  if (intentId) await hearOfRefundsOf(parts, intentId);
}

/** Asks about refunds that are under way: banks take days, and a webhook can be lost. */
export async function reconcileRefunds(parts: Parts, atOnce: boolean): Promise<void> {
  const { db, clock } = parts.context;
  const failures: unknown[] = [];
  for (const refund of await queries.listDue(db, atOnce ? null : clock.now(), 200)) {
    await queries.setNextCheck(db, refund.id, nextCheck(refund.created_at, clock.now()));
    try {
      if (refund.provider_id !== null) await hearOfRefund(parts, refund.provider_id);
      // What was booked as done is asked about once.
      if (!isUnderWay(refund.status)) await queries.setNextCheck(db, refund.id, null);
    } catch (error) {
      // One refund that cannot be booked does not keep the others from it.
      failures.push(error);
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} refunds could not be reconciled`);
}
