import type { Charge, Dispute } from '../state/objects.ts';
import { newId, unixNow } from '../state/store.ts';

/** The evidence that is words or a file. */
export const evidenceFields = [
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

/** How long there is to answer. */
const days = 9;

type Opening = { amount: number; reason: string; inquiry: boolean };

/** One with every field of Stripe's. No money has moved yet. */
export function newDispute(paid: Charge, { amount, reason, inquiry }: Opening): Dispute {
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
      due_by: unixNow() + days * 24 * 3600,
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
