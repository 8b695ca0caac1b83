import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { currency } from './calls.ts';

/** The legal title of the document that corrects a tax invoice. */
export const adjustmentTitles = { NZ: 'Supply correction information (credit note)', AU: 'Adjustment note' } as const;

/** Corrects a tax invoice after a refund. Amounts are in cents; the total includes GST. */
const adjustmentNote = z.object({
  _id: z.uuid(),
  number: z.string().meta({ example: 'ADJ-1' }),
  issuedAt: z.iso.datetime(),
  receiptNumber: z.string().meta({ description: 'The number of the tax invoice it corrects', example: 'INV-100001' }),
  receiptIssuedAt: z.iso.datetime(),
  receiptTotalMinor: z.int(),
  description: z.string(),
  reason: z.string(),
  country: countryCode,
  timeZone: z.string(),
  currency,
  totalMinor: z.int().meta({ description: 'How much the price is reduced by' }),
  correctedMinor: z.int().optional().meta({ description: 'The price after this and all earlier notes; the first notes did not say it' }),
  gstMinor: z.int(),
  gstPercent: z.int(),
  supplier: z.object({ name: z.string(), address: z.string(), taxNumber: z.string() }),
  customer: z.object({ name: z.string(), email: z.string() }),
});
export type AdjustmentNote = z.infer<typeof adjustmentNote>;

export const refundStatus = z.enum(['pending', 'succeeded', 'failed', 'canceled']);

/** The user's own refund. */
const ownRefund = z.object({
  _id: z.uuid(),
  amountMinor: z.int(),
  currency,
  timeZone: z.string(),
  status: refundStatus.meta({ description: 'succeeded only once the provider says so' }),
  isOwed: z.boolean().meta({ description: 'It did not arrive, and nothing has replaced it yet' }),
  by: z
    .enum(['card', 'transfer', 'bank'])
    .meta({ description: 'card: to the card; transfer: to a bank account; bank: taken by the bank in a dispute' }),
  reason: z.string(),
  createdAt: z.iso.datetime(),
  refundedAt: z.iso.datetime().nullable(),
  endedPlan: z
    .boolean()
    .meta({ description: 'Its plan has ended because nothing of the payment pays for it any more, also while a refund is pending' }),
  payment: z.object({
    amountMinor: z.int(),
    paidAt: z.iso.datetime(),
    receipt: z.object({ _id: z.uuid(), number: z.string() }).nullable(),
  }),
  adjustment: z.object({ _id: z.uuid(), number: z.string() }).nullable(),
});
export type OwnRefund = z.infer<typeof ownRefund>;

export const listRefundsCall = {
  method: 'GET',
  url: '/refund/all',
  summary: 'List your refunds and how each stands, newest first',
  access: 'session',
  response: z.object({ data: z.array(ownRefund) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

const noteId = z.object({ id: z.uuid('Use the id of an adjustment note') });

export const getAdjustmentNotePdfCall = {
  method: 'GET',
  url: '/adjustment-note/:id/pdf',
  summary: 'Download one of your adjustment notes as a PDF',
  access: 'session',
  params: noteId,
  response: z.unknown(),
  mediaType: 'application/pdf',
  errors: ['not_authenticated', 'receipt_not_found'],
} as const satisfies Call;
