import { getTestCard } from './cards.ts';
import { closeWarnings } from './charges.ts';
import { invalidRequest, rejection } from './errors.ts';
import type { Charge, Refund } from './objects.ts';
import { integer, metadata, parseChoice, type Params, required, text } from './params.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

export const refundParams = 'amount charge metadata payment_intent reason';

/** Refunds the rest of the charge unless an amount is passed, and never more. */
export function createRefund(world: World, params: Params): Refund {
  const { store, emit } = world;
  const paid = getCharge(world, params);
  const amount = getAmount(world, paid, params);
  const { refunds } = getTestCard(store.find('payment_method', paid.payment_method ?? '').card);
  const refund: Refund = {
    id: newId('re'),
    object: 'refund',
    amount,
    balance_transaction: null,
    charge: paid.id,
    created: unixNow(),
    currency: paid.currency,
    customer: paid.customer,
    customer_account: null,
    destination_details: {
      type: 'card',
      card: { type: 'refund', reference_status: 'pending', reference_type: 'acquirer_reference_number' },
    },
    metadata: metadata(params),
    payment_intent: paid.payment_intent,
    payment_method: paid.payment_method,
    ...(refunds === 'pending' && { pending_reason: 'processing' }),
    reason: parseChoice(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']),
    receipt_number: null,
    source_transfer_reversal: null,
    status: refunds === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  store.save(refund);
  if (refunds) world.store.schedule(refund.id, world.processingMs);
  emit('refund.created', refund);
  emit('charge.refunded', countRefunded(world, refund, amount));
  return refund;
}

/** Changes the refunded amount of the charge, which includes pending refunds. */
function countRefunded(world: World, { charge }: Refund, change: number): Charge {
  const before = world.store.find('charge', charge ?? '');
  const amount_refunded = before.amount_refunded + change;
  const after = { ...before, amount_refunded, refunded: amount_refunded === before.amount };
  world.store.save(after);
  if (after.refunded) closeWarnings(world, after.id);
  return after;
}

function getAmount({ store }: World, paid: Charge, params: Params): number {
  if (store.list('dispute', { where: { charge: paid.id }, limit: 100 }).data.some((dispute) => !dispute.is_charge_refundable)) {
    throw rejection(`Charge ${paid.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  }
  const left = paid.amount - paid.amount_refunded;
  if (left === 0) throw rejection(`Charge ${paid.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = integer(params, 'amount') ?? left;
  if (amount < 1) throw invalidRequest('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;
  const against = amount > paid.amount ? `charge amount (${dollars(paid.amount)})` : `unrefunded amount on charge (${dollars(left)})`;
  if (amount > left) throw rejection(`Refund amount (${dollars(amount)}) is greater than ${against}`, { param: 'amount' });
  return amount;
}

export type RefundStatus = 'pending' | 'requires_action' | 'succeeded' | 'failed' | 'canceled';

const moves: Record<string, RefundStatus[]> = {
  pending: ['requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['pending', 'succeeded', 'failed', 'canceled'],
  succeeded: ['failed'],
};

/** Changes the status of a refund. The amount of a failed or canceled one can be refunded again. */
export function moveRefund(world: World, id: string, status: RefundStatus, failureReason = 'expired_or_canceled_card'): Refund {
  const { pending_reason: _, ...before } = world.store.find('refund', id);
  if (!moves[before.status ?? '']?.includes(status)) throw rejection(`A refund that is ${before.status} does not become ${status}.`);
  const refund: Refund = { ...before, status, ...(status === 'pending' && { pending_reason: 'processing' }) };
  world.store.unschedule(id);
  if (status === 'failed' || status === 'canceled') {
    refund.failure_reason = status === 'failed' ? failureReason : 'merchant_request';
    countRefunded(world, refund, -refund.amount);
  }
  changed(world, refund);
  if (status === 'failed') world.emit('refund.failed', refund);
  return refund;
}

/** Ends a pending refund as its test card says. */
export function settleRefund(world: World, id: string) {
  const refund = world.store.find('refund', id);
  const { refunds } = getTestCard(world.store.find('payment_method', refund.payment_method ?? '').card);
  moveRefund(world, id, refunds === 'failing' ? 'failed' : 'succeeded');
}

function changed({ store, emit }: World, refund: Refund): Refund {
  store.save(refund);
  emit('refund.updated', refund);
  emit('charge.refund.updated', refund);
  return refund;
}

function getCharge({ store }: World, params: Params): Charge {
  const intentId = text(params, 'payment_intent');
  if (intentId === null) {
    const paid = store.findParam('charge', required(text(params, 'charge'), 'payment_intent'), 'charge');
    if (!paid.paid) throw rejection(`Charge ${paid.id} was not paid: there is nothing to refund.`, { param: 'charge' });
    return paid;
  }
  const intent = store.findParam('payment_intent', intentId, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    throw rejection(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, { param: 'payment_intent' });
  }
  return store.find('charge', intent.latest_charge);
}
