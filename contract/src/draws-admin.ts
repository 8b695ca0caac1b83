import { z } from 'zod';
import type { Call } from './call.ts';
import { paymentDetails, prizeCurrency } from './draws.ts';
import { requiredLine } from './text-fields.ts';
import { entryId } from './tickets.ts';

const drawReasonMaxLength = 300;

const time = z.iso.datetime();
const count = z.int().nonnegative();
const drawId = z.object({ id: z.uuid('Use the id of a draw') });
const reason = (missing: string) => requiredLine(missing, drawReasonMaxLength);
const optionalReason = requiredLine('Say why, or leave it out', drawReasonMaxLength).optional().meta({ description: 'For the audit log' });

/** A draw as administrators see it. Months count from 0, as in the dashboard. */
const adminDraw = z.object({
  _id: z.uuid(),
  drawDate: time.meta({ description: 'When it closed, or closes' }),
  month: z.int().min(0).max(11),
  year: z.int(),
  prizeAmount: z.number(),
  totalEntries: count.meta({ description: 'Tickets in it' }),
  totalParticipants: count.meta({ description: 'People in it' }),
  status: z.enum(['pending', 'waiting', 'completed']),
  waiting: z
    .object({
      round: z.int(),
      expectedAt: time,
      seconds: count.meta({ description: 'Until the round is expected; 0 where it is due' }),
      late: z.boolean().meta({ description: 'The round is due, but the beacon has not answered with it' }),
    })
    .nullable()
    .meta({ description: 'While status is waiting: "Waiting for public randomness, ready in about {seconds} seconds"' }),
  winner: z
    .object({
      userId: z
        .object({ _id: z.uuid(), fullName: z.string(), email: z.string() })
        .nullable()
        .meta({ description: 'Null where the person has left' }),
      entries: count.meta({ description: 'Tickets of the entry that won' }),
      entryId,
    })
    .nullable(),
  outcome: z.enum(['drawn', 'no_entries', 'not_awarded']).nullable(),
  paymentStatus: z.enum(['pending', 'claimed', 'paid', 'not_awarded']),
  currency: prizeCurrency.nullable(),
  claimBy: time.nullable().meta({ description: 'Until when the winner can claim; null where nobody is to' }),
  claimedAt: time.nullable(),
  paidAt: time.nullable(),
  reservesLeft: count,
  struck: z.array(z.object({ entryId, reason: z.string(), struckAt: time })),
});
export type AdminDraw = z.infer<typeof adminDraw>;

export const showDrawManagement = {
  method: 'GET',
  url: '/admin/draw-management',
  summary: 'The draw of this month and the past ones, with their winners and payments',
  access: 'admin',
  response: z.object({
    currentDraw: adminDraw.meta({ description: 'After an early run it stays, completed, until the month ends' }),
    pastDraws: z.array(adminDraw),
    totalEntries: count.meta({ description: 'Tickets in the current draw' }),
    totalParticipants: count,
    pendingPayments: count.meta({ description: 'Winners who are not paid yet' }),
  }),
  errors: [],
} as const satisfies Call;
export type DrawManagement = z.infer<typeof showDrawManagement.response>;

export const runDraw = {
  method: 'POST',
  url: '/admin/run-draw',
  summary:
    'Close this month’s draw now: its entries are published with a future round of public randomness, which decides it about half a minute later',
  access: 'admin',
  status: 202,
  body: z.object({ reason: optionalReason }),
  response: z.object({ round: z.int(), expectedAt: time, message: z.string() }),
  errors: ['no_entries_to_draw', 'draw_run_already', 'unavailable'],
} as const satisfies Call;

export const processPayment = {
  method: 'POST',
  url: '/admin/process-payment/:id',
  summary: 'Say that a claimed prize has been paid. The winner is told',
  access: 'admin',
  params: drawId,
  body: z.object({ reason: optionalReason }),
  response: z.object({ message: z.string(), draw: adminDraw }),
  errors: ['draw_not_found', 'prize_not_claimed', 'prize_paid_already'],
} as const satisfies Call;

export const strikeWinner = {
  method: 'POST',
  url: '/admin/draws/:id/strike',
  summary: 'Strike the winner of a draw, before payment only. The next reserve takes the place; entry and reason stay public',
  access: 'admin',
  params: drawId,
  body: z.object({
    reason: reason('Please say why: it is published').meta({ description: 'Published with the struck entry: no names, no personal data' }),
  }),
  response: z.object({ message: z.string(), draw: adminDraw }),
  errors: ['draw_not_found', 'nobody_to_strike', 'prize_paid_already'],
} as const satisfies Call;

export const lookAtPaymentDetails = {
  method: 'GET',
  url: '/admin/draws/:id/payment-details',
  summary: 'Where a claimed prize is to be paid, only until it is. Each look is recorded with the administrator and the reason',
  access: 'admin',
  params: drawId,
  query: z.strictObject({ reason: reason('Please say why: the look is recorded') }),
  response: paymentDetails.extend({
    currency: prizeCurrency,
    prizeAmount: z.number(),
    claimedAt: time,
  }),
  errors: ['draw_not_found', 'prize_not_claimed', 'prize_paid_already'],
} as const satisfies Call;
