import { z } from 'zod';
import type { Call } from '../call.ts';
import { atMost, machineLine, requiredLine } from '../text-fields.ts';
import { drawEntry, drawPeriod, entryId, voidReasons } from '../tickets/calls.ts';
import { type Home, homes } from './permits.ts';
import { claimDays, prizeCurrencies } from './prize.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative();
const hex = (bytes: number) => z.string().regex(new RegExp(`^[\\da-f]{${bytes * 2}}$`));
const ofPeriod = z.object({ period: drawPeriod });
export const prizeCurrency = z.enum(prizeCurrencies, 'Use NZD or AUD');

const voided = z
  .object(Object.fromEntries(voidReasons.map((reason) => [reason, count])) as Record<(typeof voidReasons)[number], typeof count>)
  .meta({ description: 'How many entries were left out, by reason' });

export const struckEntry = z.object({
  entryId,
  ticketIndex: count,
  reason: z.string().meta({ description: 'The reason as published', example: `Nobody claimed the prize within ${claimDays} days.` }),
  struckAt: time,
  samePerson: z
    .array(entryId)
    .meta({ description: 'Later picks that belong to the same person: they are passed over and are not among the reserves' }),
});

/** Contains no personal data except the winner’s first name and initial. */
const publicDraw = z.object({
  period: drawPeriod,
  year: z.int(),
  month: z.int().min(1).max(12),
  status: z.enum(['open', 'waiting', 'completed']).meta({
    description:
      'open: tickets are still being issued; waiting: closed and published, but the announced round is not out yet; completed: finished',
  }),
  startsAt: time,
  closesAt: time.meta({ description: 'When it is scheduled to close' }),
  closedAt: time.nullable().meta({ description: 'When it was actually closed and published' }),
  root: hex(32).nullable().meta({ description: 'The Merkle root of the published entries; null until the draw closes' }),
  totalTickets: count,
  totalEntries: count.meta({ description: 'How many tickets are in it, as in the dashboard: the same as totalTickets' }),
  entryCount: count.meta({ description: 'How many entries these tickets are in' }),
  totalParticipants: count.meta({ description: 'How many people are in it' }),
  prize: z.object({ amount: z.number(), currency: prizeCurrency.nullable().meta({ description: 'Known once the prize is claimed' }) }),
  round: z
    .object({
      number: z.int(),
      chain: z.enum(['quicknet', 'sandbox']).meta({ description: 'sandbox: NOT A REAL DRAW' }),
      announcedAt: time,
      expectedAt: time,
      secondsLeft: count.meta({ description: 'Seconds until it is expected; 0 once it is due' }),
      late: z.boolean().meta({ description: 'It is due, but the beacon has not published it yet. The draw waits and uses no other round' }),
    })
    .nullable()
    .meta({ description: 'The announced round of public randomness; null until the draw closes, or if there was nothing to draw' }),
  outcome: z.enum(['drawn', 'no_entries', 'not_awarded']).nullable().meta({
    description: 'Null until it is completed; not_awarded: neither the winner nor any reserve claimed it or was allowed to win',
  }),
  winner: z
    .object({
      name: z.string().meta({ description: 'First name and initial; empty if the person has left', example: 'Mere K.' }),
      entryId,
      ticketIndex: count,
      tickets: count,
      place: count.meta({ description: '0 if drawn first; otherwise the number of the reserve who took the place' }),
      prize: z.enum(['pending', 'claimed', 'paid']),
    })
    .nullable(),
  struck: z.array(struckEntry),
});
export type PublicDraw = z.infer<typeof publicDraw>;

export const listDrawsCall = {
  method: 'GET',
  url: '/draws',
  summary: 'List all draws, past and current, newest first',
  access: 'public',
  response: z.object({ draws: z.array(publicDraw) }),
  errors: [],
} as const satisfies Call;

export const showDrawCall = {
  method: 'GET',
  url: '/draws/:period',
  summary: 'Get one month’s draw, as it appears in the list',
  access: 'public',
  params: ofPeriod,
  response: z.object({ draw: publicDraw }),
  errors: ['draw_period_not_found'],
} as const satisfies Call;

const picked = z.object({ entryId, ticketIndex: count });

/**
 * The proof file of draw-v1, also the commitment: before the round is out signature, randomness, winner and reserves are missing.
 * In the order of the draw the picks without those in `samePerson` are `struck`, then `winner`, then `reserves`.
 */
const drawProof = z.object({
  algorithm: z.literal('draw-v1'),
  year: z.int(),
  month: z.int().min(1).max(12),
  closedAt: time,
  root: hex(32),
  totalTickets: count,
  voided,
  log: z.object({ origin: z.string(), size: count, root: z.base64(), checkpoint: z.string(), publicKey: hex(32) }),
  beacon: z
    .object({
      chainHash: hex(32),
      publicKey: z.string(),
      genesisTime: z.int(),
      period: z.int(),
      scheme: z.string(),
      round: z.int(),
      announcedAt: time,
      signature: z.string().optional(),
      randomness: hex(32).optional(),
    })
    .nullable()
    .meta({ description: 'Null if there were no entries, so nothing to draw' }),
  entries: z.array(z.object({ id: entryId, tickets: z.int().positive() })),
  winner: picked.nullable().optional().meta({ description: 'Null if nobody who was picked is left, or nobody took part' }),
  reserves: z.array(picked).optional(),
  struck: z.array(struckEntry),
});
export type DrawProof = z.infer<typeof drawProof>;

export const readDrawProofCall = {
  method: 'GET',
  url: '/draws/:period/proof',
  summary: 'Download the proof file of a draw (draw-v1)',
  details:
    'From closing it holds the commitment: no signature, randomness, winner or reserves yet. Once the announced round is out it is the full proof.',
  access: 'public',
  params: ofPeriod,
  response: z.unknown(),
  mediaType: 'application/json',
  errors: ['draw_period_not_found', 'draw_still_open'],
} as const satisfies Call;

export const readDrawPackCall = {
  method: 'GET',
  url: '/draws/:period/pack',
  summary: 'Download all papers of a closed draw for a regulator',
  details: 'A zip with the terms, entries, ticket log, proof, dates and audit rows, and no personal data.',
  access: 'public',
  params: ofPeriod,
  response: z.unknown(),
  mediaType: 'application/zip',
  errors: ['draw_period_not_found', 'draw_still_open'],
} as const satisfies Call;

export const listOwnEntriesCall = {
  method: 'GET',
  url: '/draws/mine',
  summary: 'List your entries in every draw, with the path to the published root once the draw has closed',
  access: 'session',
  query: z.strictObject({ period: drawPeriod.optional() }),
  response: z.object({
    entries: z.array(
      drawEntry.extend({
        proof: z
          .object({
            index: count.meta({ description: 'Its position among the sorted entries' }),
            size: count.meta({ description: 'How many entries took part' }),
            firstTicket: count.meta({ description: 'The first of its ticket indices' }),
            path: z.array(hex(32)).meta({ description: 'From the leaf up to the root (RFC 6962)' }),
            root: hex(32),
          })
          .nullable()
          .meta({ description: 'Null until the draw closes, and if the entry is void' }),
      }),
    ),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** A draw as its winner sees it. */
export const wonDraw = z.object({
  _id: z.uuid(),
  drawDate: time,
  month: z.int().min(0).max(11).meta({ description: 'Counted from 0, as in the dashboard' }),
  year: z.int(),
  prizeAmount: z.number(),
  status: z.literal('completed'),
  paymentStatus: z.enum(['pending', 'claimed', 'paid']),
  currency: prizeCurrency.meta({ description: 'The currency of the claim; before that, the one used unless the winner chooses another' }),
  claimBy: time,
  leftOut: z.array(z.string().meta({ example: 'SA' })).meta({
    description: 'To people who live there the draw was not open. Unless it is empty, the claim has to say where the winner lives',
  }),
});
export type WonDraw = z.infer<typeof wonDraw>;

export const checkWinnerCall = {
  method: 'GET',
  url: '/referral/check-winner',
  summary: 'Check whether you have won a draw',
  details: 'Gives your oldest unclaimed win, or if there is none, your latest.',
  access: 'session',
  response: z.object({ isWinner: z.boolean(), draw: wonDraw.nullable() }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** @public The claim form’s error for an empty field. */
export const claimFieldMissing = 'Please fill in all fields';

const paymentDetails = z.object({
  bankName: requiredLine(claimFieldMissing, 100).meta({ example: 'Kiwibank' }),
  accountHolder: requiredLine(claimFieldMissing, 100).meta({ example: 'Mere Kahu' }),
  accountNumber: machineLine(claimFieldMissing)
    .min(1, claimFieldMissing)
    .max(...atMost(40))
    .meta({ example: '38-9000-0123458-00' }),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

const livesIn = z
  .enum(Object.keys(homes) as [Home, ...Home[]], 'Choose where you live')
  .optional()
  .meta({ description: 'Where the winner lives; required if the draw left places out' });
/** What is stored of a claim, encrypted. */
export const claimDetails = paymentDetails.extend({ livesIn });
export type ClaimDetails = z.infer<typeof claimDetails>;

export const submitPaymentDetailsCall = {
  method: 'POST',
  url: '/referral/payment-details',
  summary: 'Give the bank details for a prize you won',
  details:
    'This can be done once. They are kept encrypted, and erased after the payment. The account number is checked as banks in New Zealand (NZD) or Australia (AUD) write it.',
  access: 'session',
  recent: true,
  body: paymentDetails.extend({
    currency: prizeCurrency
      .optional()
      .meta({ description: 'The bank account’s currency. If left out: that of your last listing, or else NZD' }),
    livesIn,
  }),
  response: z.object({ message: z.string(), draw: wonDraw }),
  errors: ['not_authenticated', 'not_draw_winner', 'already_claimed', 'claim_too_late'],
} as const satisfies Call;
