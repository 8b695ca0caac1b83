import { z } from 'zod';
import type { Call } from './call.ts';
import { drawEntry, drawPeriod, entryId, voidReasons } from './tickets.ts';
import { requiredLine } from './text-fields.ts';

export const prizeDollars = 1_000;
/** @public The claim form offers them. */
export const prizeCurrencies = ['NZD', 'AUD'] as const;
export type PrizeCurrency = (typeof prizeCurrencies)[number];
/** A winner has so long to say where the prize goes; on these days after being told they are reminded. */
export const claimDays = 30;
export const reminderDays = [7, 25] as const;
/** Bank details are erased so long after the prize was paid. */
export const keptAfterPaymentDays = 90;

const time = z.iso.datetime();
const count = z.int().nonnegative();
const hex = (bytes: number) => z.string().regex(new RegExp(`^[\\da-f]{${bytes * 2}}$`));
const ofPeriod = z.object({ period: drawPeriod });
export const prizeCurrency = z.enum(prizeCurrencies, 'Use NZD or AUD');

const voided = z
  .object(Object.fromEntries(voidReasons.map((reason) => [reason, count])) as Record<(typeof voidReasons)[number], typeof count>)
  .meta({ description: 'How many entries take no part, by reason' });

const struckEntry = z.object({
  entryId,
  ticketIndex: count,
  reason: z.string().meta({ description: 'As it was published', example: 'Nobody claimed the prize within 30 days.' }),
  struckAt: time,
});

/** What everybody may know of a month’s draw; no personal data but the announced first name and initial. */
const publicDraw = z.object({
  period: drawPeriod,
  year: z.int(),
  month: z.int().min(1).max(12),
  status: z.enum(['open', 'waiting', 'completed']).meta({
    description: 'open: tickets are being issued; waiting: closed and published, the announced round is not out yet; completed: over',
  }),
  startsAt: time,
  closesAt: time.meta({ description: 'When it closes by the calendar' }),
  closedAt: time.nullable().meta({ description: 'When it was closed and published' }),
  root: hex(32).nullable().meta({ description: 'The Merkle root of the published entries; null before the closing' }),
  totalTickets: count,
  totalEntries: count,
  totalParticipants: count,
  prize: z.object({ amount: z.number(), currency: prizeCurrency.nullable().meta({ description: 'Known with the claim' }) }),
  round: z
    .object({
      number: z.int(),
      chain: z.enum(['quicknet', 'sandbox']).meta({ description: 'sandbox: NOT A REAL DRAW' }),
      announcedAt: time,
      expectedAt: time,
      secondsLeft: count.meta({ description: 'Until it is expected; 0 where it is due' }),
      late: z
        .boolean()
        .meta({ description: 'It is due, but the beacon has not answered with it. The draw waits; no other round is taken' }),
    })
    .nullable()
    .meta({ description: 'The announced round of the public randomness; null before the closing, and where there was nothing to draw' }),
  outcome: z.enum(['drawn', 'no_entries', 'not_awarded']).nullable().meta({
    description: 'Null before it is completed; not_awarded: nobody of the winner and the reserves claimed it or was allowed to win',
  }),
  winner: z
    .object({
      name: z.string().meta({ description: 'First name and initial; empty where the person has left', example: 'Mere K.' }),
      entryId,
      ticketIndex: count,
      tickets: count,
      place: count.meta({ description: '0: drawn first; else which reserve took the place' }),
      prize: z.enum(['pending', 'claimed', 'paid']),
    })
    .nullable(),
  struck: z.array(struckEntry),
});
export type PublicDraw = z.infer<typeof publicDraw>;

export const listDraws = {
  method: 'GET',
  url: '/draws',
  summary: 'All draws, past and current, the newest first',
  access: 'public',
  response: z.object({ draws: z.array(publicDraw) }),
  errors: [],
} as const satisfies Call;

export const showDraw = {
  method: 'GET',
  url: '/draws/:period',
  summary: 'One month’s draw, as the list has it',
  access: 'public',
  params: ofPeriod,
  response: z.object({ draw: publicDraw }),
  errors: ['draw_period_not_found'],
} as const satisfies Call;

const picked = z.object({ entryId, ticketIndex: count });

/**
 * The proof file of draw-v1, also the commitment: before the round is out signature, randomness, winner and reserves are missing.
 * In the order of the draw the picks are those of `struck`, then `winner`, then `reserves`.
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
    .meta({ description: 'Null where there were no entries: nothing was to be drawn' }),
  entries: z.array(z.object({ id: entryId, tickets: z.int().positive() })),
  winner: picked.nullable().optional().meta({ description: 'Null: nobody is left of those who were picked, or nobody took part' }),
  reserves: z.array(picked).optional(),
  struck: z.array(struckEntry),
});
export type DrawProof = z.infer<typeof drawProof>;

export const readDrawProof = {
  method: 'GET',
  url: '/draws/:period/proof',
  summary:
    'The proof file of a draw (draw-v1): from the closing on the commitment, without signature, randomness, winner and reserves; the whole proof once the announced round is out',
  access: 'public',
  params: ofPeriod,
  response: z.unknown(),
  mediaType: 'application/json',
  errors: ['draw_period_not_found', 'draw_still_open'],
} as const satisfies Call;

export const readDrawPack = {
  method: 'GET',
  url: '/draws/:period/pack',
  summary:
    'All papers of a closed draw for a regulator, as a zip: terms, entries, ticket log, proof, dates and audit rows, no personal data',
  access: 'public',
  params: ofPeriod,
  response: z.unknown(),
  mediaType: 'application/zip',
  errors: ['draw_period_not_found', 'draw_still_open'],
} as const satisfies Call;

export const listOwnEntries = {
  method: 'GET',
  url: '/draws/mine',
  summary: 'One’s own entries in every draw, with the path to the published root once the draw has closed',
  access: 'session',
  query: z.strictObject({ period: drawPeriod.optional() }),
  response: z.object({
    entries: z.array(
      drawEntry.extend({
        proof: z
          .object({
            index: count.meta({ description: 'Its place among the sorted entries' }),
            size: count.meta({ description: 'How many entries took part' }),
            firstTicket: count.meta({ description: 'The first of its ticket indices' }),
            path: z.array(hex(32)).meta({ description: 'From the leaf up to the root (RFC 6962)' }),
            root: hex(32),
          })
          .nullable()
          .meta({ description: 'Null before the closing, and where the entry is void' }),
      }),
    ),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** A draw that somebody won, as its winner sees it. */
export const wonDraw = z.object({
  _id: z.uuid(),
  drawDate: time,
  month: z.int().min(0).max(11).meta({ description: 'From 0, as in the dashboard' }),
  year: z.int(),
  prizeAmount: z.number(),
  status: z.literal('completed'),
  paymentStatus: z.enum(['pending', 'claimed', 'paid']),
  currency: prizeCurrency.meta({ description: 'Of the claim; before it the one that is taken unless the winner chooses' }),
  claimBy: time,
});
export type WonDraw = z.infer<typeof wonDraw>;

export const checkWinner = {
  method: 'GET',
  url: '/referral/check-winner',
  summary: 'Whether one has won: the oldest draw that is not claimed yet, else the newest that one won',
  access: 'session',
  response: z.object({ isWinner: z.boolean(), draw: wonDraw.nullable() }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** @public What the claim form says where one of its fields is empty. */
export const claimFieldMissing = 'Please fill in all fields';

export const paymentDetails = z.object({
  bankName: requiredLine(claimFieldMissing, 100).meta({ example: 'Kiwibank' }),
  accountHolder: requiredLine(claimFieldMissing, 100).meta({ example: 'Mere Kahu' }),
  accountNumber: requiredLine(claimFieldMissing, 40).meta({ example: '38-9000-0123456-00' }),
});
export type PaymentDetails = z.infer<typeof paymentDetails>;

export const submitPaymentDetails = {
  method: 'POST',
  url: '/referral/payment-details',
  summary: 'Say where the prize that one won is to be paid, once. Kept encrypted, and erased after the payment',
  access: 'session',
  recent: true,
  body: paymentDetails.extend({
    currency: prizeCurrency.optional().meta({ description: 'Of the bank account. Without it that of one’s last listing, else NZD' }),
  }),
  response: z.object({ message: z.string(), draw: wonDraw }),
  errors: ['not_authenticated', 'not_draw_winner', 'already_claimed', 'claim_too_late'],
} as const satisfies Call;
