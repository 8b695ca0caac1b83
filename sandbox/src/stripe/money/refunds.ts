import { moveBalance } from './balance.ts';
import { invalid, refused } from '../calls/errors.ts';
import { metadata } from '../calls/fields.ts';
import { integer, oneOf, type Params, required, text } from '../calls/form.ts';
import type { Charge, Refund } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';
import { testCardOf } from '../cards/test-cards.ts';
import { dullWarnings } from './fraud-warnings.ts';
import type { World } from '../world.ts';

export const refundParams = 'amount charge metadata payment_intent reason';

/** All of the charge that is left unless an amount is given; never more than that. */
export function createRefund(world: World, params: Params): Refund {
  const { store, emit } = world;
  const paid = chargeOf(world, params);
  const amount = amountOf(world, paid, params);
  const { refunds } = testCardOf(store.find('payment_method', paid.payment_method ?? '').card);
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
    reason: oneOf(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']),
    receipt_number: null,
    source_transfer_reversal: null,
    status: refunds === 'pending' ? 'pending' : 'succeeded',
    transfer_reversal: null,
  };
  const { currency } = refund;
  refund.balance_transaction = moveBalance(world, { amount: -amount, currency, source: refund.id, type: 'refund', category: 'refund' }).id;
  store.save(refund);
  if (refunds) world.store.later(refund.id, world.processingMs);
  emit('refund.created', refund);
  emit('charge.refunded', countRefunded(world, refund, amount));
  return refund;
}

/** What was given back of the charge, the pending part included. */
function countRefunded(world: World, { charge }: Refund, change: number): Charge {
  const before = world.store.find('charge', charge ?? '');
  const amount_refunded = before.amount_refunded + change;
  const after = { ...before, amount_refunded, refunded: amount_refunded === before.amount };
  world.store.save(after);
  if (after.refunded) dullWarnings(world, after.id);
  return after;
}

function amountOf({ store }: World, paid: Charge, params: Params): number {
  if (store.list('dispute', { where: { charge: paid.id }, limit: 100 }).data.some((dispute) => !dispute.is_charge_refundable)) {
    throw refused(`Charge ${paid.id} has been charged back; cannot issue a refund.`, { code: 'charge_disputed' });
  }
  const left = paid.amount - paid.amount_refunded;
  if (left === 0) throw refused(`Charge ${paid.id} has already been refunded.`, { code: 'charge_already_refunded' });
  const amount = integer(params, 'amount') ?? left;
  if (amount < 1) throw invalid('Invalid positive integer', { param: 'amount', code: 'parameter_invalid_integer' });
  const dollars = (minor: number) => `$${(minor / 100).toFixed(2)}`;
  const against = amount > paid.amount ? `charge amount (${dollars(paid.amount)})` : `unrefunded amount on charge (${dollars(left)})`;
  if (amount > left) throw refused(`Refund amount (${dollars(amount)}) is greater than ${against}`, { param: 'amount' });
  return amount;
}

export function updateRefund(world: World, params: Params, id: string): Refund {
  const refund = world.store.find('refund', id);
  refund.metadata = metadata(params, refund.metadata);
  return changed(world, refund);
}

/** Over the API only those that wait for the payer can be canceled, which refunds to cards never do. */
export function cancelRefund(world: World, _params: Params, id: string): Refund {
  const refund = world.store.find('refund', id);
  if (refund.status !== 'requires_action') {
    throw refused(`Refund ${id} cannot be canceled because it has a status of ${refund.status}: only one that requires action can.`);
  }
  return moveRefund(world, id, 'canceled');
}

export const refundStatuses = ['pending', 'requires_action', 'succeeded', 'failed', 'canceled'] as const;
export type RefundStatus = (typeof refundStatuses)[number];

const moves: Record<string, RefundStatus[]> = {
  pending: ['requires_action', 'succeeded', 'failed', 'canceled'],
  requires_action: ['pending', 'succeeded', 'failed', 'canceled'],
  succeeded: ['failed'],
};

/** What becomes of a refund. One that fails or is canceled leaves its amount to be refunded again. */
export function moveRefund(world: World, id: string, status: RefundStatus, failureReason = 'expired_or_canceled_card'): Refund {
  const { pending_reason: _, ...before } = world.store.find('refund', id);
  if (!moves[before.status ?? '']?.includes(status)) throw refused(`A refund that is ${before.status} does not become ${status}.`);
  const refund: Refund = { ...before, status, ...(status === 'pending' && { pending_reason: 'processing' }) };
  world.store.done(id);
  if (status === 'failed' || status === 'canceled') {
    const { amount, currency } = refund;
    const back = moveBalance(world, { amount, currency, source: id, type: 'refund_failure', category: 'refund_failure' });
    refund.failure_balance_transaction = back.id;
    refund.failure_reason = status === 'failed' ? failureReason : 'merchant_request';
    countRefunded(world, refund, -amount);
  }
  changed(world, refund);
  if (status === 'failed') world.emit('refund.failed', refund);
  return refund;
}

/** How a refund ends that its card left open. */
export function settleRefund(world: World, id: string) {
  const refund = world.store.find('refund', id);
  const { refunds } = testCardOf(world.store.find('payment_method', refund.payment_method ?? '').card);
  moveRefund(world, id, refunds === 'failing' ? 'failed' : 'succeeded');
}

function changed({ store, emit }: World, refund: Refund): Refund {
  store.save(refund);
  emit('refund.updated', refund);
  emit('charge.refund.updated', refund);
  return refund;
}

function chargeOf({ store }: World, params: Params): Charge {
  const intentId = text(params, 'payment_intent');
  if (intentId === null) {
    const paid = store.named('charge', required(text(params, 'charge'), 'payment_intent'), 'charge');
    if (!paid.paid) throw refused(`Charge ${paid.id} was not paid: there is nothing to refund.`, { param: 'charge' });
    return paid;
  }
  const intent = store.named('payment_intent', intentId, 'payment_intent');
  if (intent.status !== 'succeeded' || intent.latest_charge === null) {
    throw refused(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, { param: 'payment_intent' });
  }
  return store.find('charge', intent.latest_charge);
}
