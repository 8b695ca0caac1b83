import { z } from 'zod';
import type { Call } from '../call.ts';
import { requiredLine } from '../text-fields.ts';
import { entryId, unmetRule } from '../tickets/calls.ts';
import { claimDetails, prizeCurrency, struckEntry } from './calls.ts';

const drawReasonMaxLength = 300;

const time = z.iso.datetime();
const count = z.int().nonnegative();
const drawId = z.object({ id: z.uuid('Use the id of a draw') });
const reason = (missing: string) => requiredLine(missing, drawReasonMaxLength);
const optionalReason = requiredLine('Say why, or leave it out', drawReasonMaxLength).optional().meta({ description: 'For the audit log' });

/** Months count from 0, as in the dashboard. */
const adminDraw = z.object({
  _id: z.uuid(),
  drawDate: time.meta({ description: 'When it closed or will close' }),
  month: z.int().min(0).max(11),
  year: z.int(),
  prizeAmount: z.number(),
  totalEntries: count.meta({ description: 'How many tickets are in it' }),
  entryCount: count.meta({ description: 'How many entries these tickets are in' }),
  totalParticipants: count.meta({ description: 'How many people are in it' }),
  status: z.enum(['pending', 'waiting', 'completed']),
  waiting: z
    .object({
      round: z.int(),
      expectedAt: time,
      seconds: count.meta({ description: 'Seconds until the round is expected; 0 once it is due' }),
      late: z.boolean().meta({ description: 'The round is due, but the beacon has not published it yet' }),
    })
    .nullable()
    .meta({ description: 'While status is waiting: "Waiting for public randomness, ready in about {seconds} seconds"' }),
  winner: z
    .object({
      userId: z
        .object({ _id: z.uuid(), fullName: z.string(), email: z.string() })
        .nullable()
        .meta({ description: 'Null if the person has left' }),
      entries: count.meta({ description: 'How many tickets the winning entry had' }),
      entryId,
    })
    .nullable(),
  outcome: z.enum(['drawn', 'no_entries', 'not_awarded']).nullable(),
  paymentStatus: z.enum(['pending', 'claimed', 'paid', 'not_awarded']),
  currency: prizeCurrency.nullable(),
  claimBy: time.nullable().meta({ description: 'The winner’s deadline to claim; null if there is nothing to claim' }),
  claimedAt: time.nullable(),
  paidAt: time.nullable(),
  reservesLeft: count,
  struck: z.array(struckEntry),
});
export type AdminDraw = z.infer<typeof adminDraw>;

export const showDrawManagementCall = {
  method: 'GET',
  url: '/admin/draw-management',
  summary: 'List this month’s draw and the past ones, with their winners and payments',
  access: 'admin',
  response: z.object({
    currentDraw: adminDraw.meta({ description: 'If it was run early, it stays here as completed until the month ends' }),
    pastDraws: z.array(adminDraw),
    totalEntries: count.meta({ description: 'How many tickets are in the current draw' }),
    entryCount: count.meta({ description: 'How many entries these tickets are in' }),
    totalParticipants: count,
    pendingPayments: count.meta({ description: 'How many winners have not been paid yet' }),
    unmetRules: z.array(unmetRule).meta({ description: 'Which promotion rules the current draw did not meet when its month began' }),
  }),
  errors: [],
} as const satisfies Call;
export type DrawManagement = z.infer<typeof showDrawManagementCall.response>;

export const runDrawCall = {
  method: 'POST',
  url: '/admin/run-draw',
  summary: 'Close this month’s draw now',
  details: 'Its entries are published together with a future round of public randomness, which decides the draw about half a minute later.',
  access: 'admin',
  status: 202,
  body: z.object({ reason: optionalReason }),
  response: z.object({ round: z.int(), expectedAt: time, message: z.string() }),
  errors: ['no_entries_to_draw', 'draw_run_already', 'unavailable'],
} as const satisfies Call;

export const processPaymentCall = {
  method: 'POST',
  url: '/admin/process-payment/:id',
  summary: 'Mark a claimed prize as paid',
  details: 'The winner is told.',
  access: 'admin',
  params: drawId,
  body: z.object({ reason: optionalReason }),
  response: z.object({ message: z.string(), draw: adminDraw }),
  errors: ['draw_not_found', 'prize_not_claimed', 'prize_paid_already'],
} as const satisfies Call;

export const strikeWinnerCall = {
  method: 'POST',
  url: '/admin/draws/:id/strike',
  summary: 'Strike the winner of a draw',
  details: 'Only before the prize is paid. The next reserve takes their place; the entry and the reason stay public.',
  access: 'admin',
  params: drawId,
  body: z.object({
    reason: reason('Please say why: it is published').meta({
      description: 'Published with the struck entry, so no names or personal data',
    }),
  }),
  response: z.object({ message: z.string(), draw: adminDraw }),
  errors: ['draw_not_found', 'nobody_to_strike', 'prize_paid_already'],
} as const satisfies Call;

export const lookAtPaymentDetailsCall = {
  method: 'GET',
  url: '/admin/draws/:id/payment-details',
  summary: 'Get the bank details for a claimed prize',
  details: 'Only until the prize is paid. Every viewing is recorded with the administrator and the reason.',
  access: 'admin',
  params: drawId,
  query: z.strictObject({ reason: reason('Please say why: this is recorded') }),
  response: claimDetails.extend({
    currency: prizeCurrency,
    prizeAmount: z.number(),
    claimedAt: time,
  }),
  errors: ['draw_not_found', 'prize_not_claimed', 'prize_paid_already'],
} as const satisfies Call;
