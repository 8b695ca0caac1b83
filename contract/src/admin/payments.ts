import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { listingStatus, pageQuery } from '../listings/calls.ts';
import { refundStatus } from '../payments/refunds.ts';
import { eventRetentionDays } from '../periods.ts';
import { requiredLines } from '../text-fields.ts';
import { pages } from './calls.ts';

const person = z.object({ _id: z.uuid(), name: z.string(), username: z.string() });

const refund = z.object({
  _id: z.uuid(),
  amountMinor: z.int(),
  status: refundStatus,
  source: z.enum(['nothing_to_buy', 'administrator', 'transfer', 'provider', 'dispute']),
  reason: z.string(),
  failure: z.string().nullable().meta({ description: 'Why it did not arrive' }),
  providerId: z.string().nullable(),
  askedBy: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  refundedAt: z.iso.datetime().nullable(),
});
export type AdminRefund = z.infer<typeof refund>;

export const disputeStatus = z.enum([
  'warning_needs_response',
  'warning_under_review',
  'warning_closed',
  'needs_response',
  'under_review',
  'won',
  'lost',
  'prevented',
  'appeal_needs_response',
  'appeal_under_review',
]);
export type DisputeStatus = z.infer<typeof disputeStatus>;

const dispute = z.object({
  _id: z.uuid(),
  paymentId: z.uuid(),
  providerId: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  reason: z.string(),
  status: disputeStatus,
  dueBy: z.iso.datetime().nullable().meta({ description: 'The deadline for evidence, which is handed in on the provider’s own pages' }),
  openedAt: z.iso.datetime(),
});
const warning = z.object({
  _id: z.uuid(),
  paymentId: z.uuid(),
  providerId: z.string(),
  fraudType: z.string(),
  actionable: z.boolean().meta({ description: 'Whether a refund can still prevent a dispute' }),
  amountMinor: z.int(),
  currency: z.string(),
  warnedAt: z.iso.datetime(),
});

const bought = z.object({
  planName: z.string(),
  startsAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  isRunning: z.boolean(),
  isReplaced: z.boolean().meta({ description: 'A change of plan put another one in its place' }),
  isReturned: z
    .boolean()
    .meta({ description: 'It ended because nothing of its payment pays for it any more, also while a refund is pending' }),
  isDisputed: z.boolean().meta({ description: 'Its payment is disputed at the bank, so nothing new can be published under it' }),
  listings: z.array(z.object({ _id: z.uuid(), listingNumber: z.int(), serviceTitle: z.string(), status: listingStatus })),
});

/** A tax invoice, or the note that corrects it. */
const paper = { number: z.string(), issuedAt: z.iso.datetime(), totalMinor: z.int(), gstMinor: z.int() };

const paymentLedger = z.object({
  _id: z.uuid(),
  intentId: z.string().nullable(),
  purpose: z.enum(['listing', 'plan_change', 'reactivation', 'renewal']),
  planName: z.string(),
  country: countryCode,
  status: z.enum(['open', 'succeeded', 'failed', 'canceled']),
  currency: z.string(),
  amountMinor: z.int().meta({ description: 'The price' }),
  livemode: z.boolean().nullable().meta({ description: 'False where no card was charged, null where the provider was not asked yet' }),
  createdAt: z.iso.datetime(),
  succeededAt: z.iso.datetime().nullable(),
  capturedMinor: z.int().meta({ description: 'What was taken: bought + refunded + owed' }),
  boughtMinor: z.int().meta({ description: 'The part that pays for a subscription' }),
  refundedMinor: z.int().meta({ description: 'What was refunded, or is on its way' }),
  owedMinor: z.int().meta({ description: 'What should have been refunded and was not' }),
  payer: person,
  bought: bought.nullable().meta({ description: 'Null where it bought nothing, or where its plan was left to its owner as a gift' }),
  invoice: z.object(paper).nullable(),
  notes: z.array(z.object({ ...paper, refundId: z.uuid() })),
  refunds: z.array(refund.extend({ askedByName: z.string().nullable() })),
  disputes: z.array(dispute),
  warnings: z.array(warning),
  events: z
    .array(z.object({ id: z.string(), type: z.string(), createdAt: z.iso.datetime(), receivedAt: z.iso.datetime() }))
    .meta({ description: `What the provider has sent about it in the last ${eventRetentionDays} days, newest first` }),
});
export type PaymentLedger = z.infer<typeof paymentLedger>;

const paymentId = z.object({ id: z.uuid('Use the id of a payment') });

export const getPaymentForAdminCall = {
  method: 'GET',
  url: '/admin/payment/:id',
  summary: 'Get a payment and its ledger: what it bought, refunds, disputes and warnings',
  access: 'admin',
  params: paymentId,
  response: paymentLedger,
  errors: ['payment_not_found'],
} as const satisfies Call;

const maxRefundReason = 500;

const refundForm = z.object({
  amountMinor: z
    .int('Use a whole number of cents')
    .min(1, 'Use at least one cent')
    .max(100_000_000, 'Use at most a million dollars')
    .optional()
    .meta({ description: 'If left out: what is owed, or if nothing is, all that is left' }),
  reason: requiredLines('Say why: the payer reads it', maxRefundReason),
  keep: z.boolean('Say yes or no').optional().meta({ description: 'With a full refund: the payer keeps what they bought, as a gift' }),
  fraud: z
    .boolean('Say yes or no')
    .optional()
    .meta({ description: 'The payment was fraudulent, so anything others earned from it becomes void' }),
  transferred: z
    .boolean('Say yes or no')
    .optional()
    .meta({ description: 'The money went straight to a bank account, outside the provider: the refund is booked, not sent' }),
  requestId: z.uuid('Choose an id for this request').meta({
    description: 'Send the same request again and you get the same refund back; another one with its id is refused, with what was recorded',
  }),
});
export type RefundForm = z.output<typeof refundForm>;

export const refundPaymentCall = {
  method: 'POST',
  url: '/admin/payment/:id/refund',
  summary: 'Refund a payment in full or in part',
  details: 'A full refund ends what was bought; a partial one does not.',
  access: 'admin',
  recent: true,
  status: 201,
  params: paymentId,
  body: refundForm,
  response: z.object({ message: z.string(), refund }),
  errors: ['payment_not_found', 'own_matter', 'nothing_to_refund', 'refund_too_large', 'payment_disputed', 'already_decided'],
} as const satisfies Call;

export const listDisputesCall = {
  method: 'GET',
  url: '/admin/payment/disputes',
  summary: 'List disputes, newest first, and the latest fraud warnings',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, status: z.enum(['all', 'open'], 'Use all or open').optional() }),
  response: z.object({
    disputes: z.array(dispute.extend({ payer: person })),
    warnings: z.array(warning.extend({ payer: person })),
    ...pages,
  }),
  errors: [],
} as const satisfies Call;
