import { closeWarnings } from './charges.ts';
import { rejection } from './errors.ts';
import type { Charge, Dispute } from './objects.ts';
import { moveRefund } from './refunds.ts';
import { newId, unixNow } from './store.ts';
import type { World } from './world.ts';

type Opening = { amount?: number; reason?: string; inquiry?: boolean };

/** Any dispute except an inquiry takes the money back immediately. */
export function openDispute(world: World, paid: Charge, { amount, reason = 'fraudulent', inquiry = false }: Opening = {}): Dispute {
  const dispute = disputeObject(paid, { amount: amount ?? paid.amount - paid.amount_refunded, reason, inquiry });
  world.store.save({ ...paid, disputed: true });
  world.store.save(dispute);
  closeWarnings(world, paid.id);
  world.emit('charge.dispute.created', dispute);
  return inquiry ? dispute : withdraw(world, dispute);
}

function withdraw(world: World, dispute: Dispute): Dispute {
  dispute.is_charge_refundable = false;
  world.store.save(dispute);
  world.emit('charge.dispute.funds_withdrawn', dispute);
  for (const refund of world.store.list('refund', { where: { charge: dispute.charge, status: 'pending' }, limit: 100 }).data) {
    moveRefund(world, refund.id, 'failed', 'charge_for_pending_refund_disputed');
  }
  return dispute;
}

/** An inquiry becomes a dispute that takes the money back. */
export function escalateInquiry(world: World, id: string): Dispute {
  const dispute = world.store.find('dispute', id);
  if (!isOpen(dispute) || !isInquiry(dispute)) throw rejection(`Only an open inquiry escalates: ${id} is ${dispute.status}.`);
  dispute.status = 'needs_response';
  if (dispute.payment_method_details?.card) dispute.payment_method_details.card.case_type = 'chargeback';
  changed(world, dispute);
  return withdraw(world, dispute);
}

export type Ending = 'won' | 'lost' | 'warning_closed';

/** The bank's decision. A dispute that is won returns the money. */
export function endDispute(world: World, id: string, ending: Ending): Dispute {
  const dispute = world.store.find('dispute', id);
  if (!isOpen(dispute)) throw rejection(`Dispute ${id} has ended already: it is ${dispute.status}.`);
  if (isInquiry(dispute) !== (ending === 'warning_closed'))
    throw rejection(`A dispute that is ${dispute.status} does not become ${ending}.`);
  dispute.status = ending;
  if (ending === 'won') dispute.is_charge_refundable = true;
  changed(world, dispute);
  world.emit('charge.dispute.closed', dispute);
  if (ending === 'won') world.emit('charge.dispute.funds_reinstated', dispute);
  return dispute;
}

function changed({ store, emit }: World, dispute: Dispute): Dispute {
  store.save(dispute);
  emit('charge.dispute.updated', dispute);
  return dispute;
}

const isOpen = ({ status }: Dispute) => status.endsWith('needs_response') || status.endsWith('under_review');
const isInquiry = ({ status }: Dispute) => status.startsWith('warning_');

const evidenceFields = [
  'access_activity_log',
  'billing_address',
  'cancellation_policy',
  'cancellation_policy_disclosure',
  'cancellation_rebuttal',
  'customer_communication',
  'customer_email_address',
  'customer_name',
  'customer_purchase_ip',
  'customer_signature',
  'duplicate_charge_documentation',
  'duplicate_charge_explanation',
  'duplicate_charge_id',
  'product_description',
  'receipt',
  'refund_policy',
  'refund_policy_disclosure',
  'refund_refusal_explanation',
  'service_date',
  'service_documentation',
  'shipping_address',
  'shipping_carrier',
  'shipping_date',
  'shipping_documentation',
  'shipping_tracking_number',
  'uncategorized_file',
  'uncategorized_text',
] as const;

const noEvidence = Object.fromEntries(evidenceFields.map((field) => [field, null])) as Record<(typeof evidenceFields)[number], null>;

const daysToAnswer = 9;

/** A new dispute with every field that Stripe sends. */
function disputeObject(paid: Charge, { amount, reason, inquiry }: Required<Opening>): Dispute {
  const code = reason === 'fraudulent' ? '10.4' : '13.1';
  const brand = paid.payment_method_details?.card?.brand ?? 'visa';
  return {
    id: newId('du'),
    object: 'dispute',
    amount,
    balance_transactions: [],
    charge: paid.id,
    created: unixNow(),
    currency: paid.currency,
    enhanced_eligibility_types: [],
    evidence: { ...noEvidence, enhanced_evidence: {} },
    evidence_details: {
      due_by: unixNow() + daysToAnswer * 24 * 3600,
      enhanced_eligibility: {},
      has_evidence: false,
      past_due: false,
      submission_count: 0,
      submission_method: 'not_submitted',
    },
    intended_submission_method: null,
    is_charge_refundable: inquiry,
    livemode: false,
    metadata: {},
    network_reason_code: code,
    payment_intent: paid.payment_intent,
    payment_method_details: {
      card: { brand, case_type: inquiry ? 'inquiry' : 'chargeback', network: brand, network_reason_code: code },
      type: 'card',
    },
    reason,
    status: inquiry ? 'warning_needs_response' : 'needs_response',
  };
}
