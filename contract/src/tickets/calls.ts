import { z } from 'zod';
import { type VoidReason, voidReasons } from '@handwise/proof/void-reasons';
import type { Call } from '../call.ts';
import { requiredLines } from '../text-fields.ts';

/** The most tickets that an administrator can give at once. */
export const maxGivenTickets = 50;
export const givenReasonMaxLength = 500;

export const entrySources = ['signup', 'referral', 'listing', 'other'] as const;
export type EntrySource = (typeof entrySources)[number];

/** The dashboard, the proof and the log use the same void reasons. */
export { type VoidReason, voidReasons };

const time = z.iso.datetime();
const count = z.int().nonnegative();
/** Public and random; does not identify its owner. */
export const entryId = z
  .string()
  .regex(/^[\da-f]{32}$/, 'Use the 32 digits of the entry')
  .meta({ example: '00c18de1f9d3ab527e0af0e3a3b6d0f1' });
const hash = z.base64().meta({ description: 'SHA-256 in base64' });

/** A month's draw in URLs; months are 01 to 12. */
export const drawPeriod = z
  .string()
  .regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Use a year and a month, such as 2026-11')
  .meta({ example: '2026-11' });
const ofPeriod = z.object({ period: drawPeriod });

/** A draw entry as its owner sees it. */
export const drawEntry = z.object({
  id: entryId,
  source: z.enum(entrySources),
  createdAt: time,
  status: z.enum(['active', 'drawn', 'void']).meta({ description: 'drawn: it was in a draw that has finished' }),
  tickets: z.int().positive(),
  expiryDate: time.nullable().meta({ description: 'When its draw closes' }),
  voidReason: z.enum(voidReasons).nullable(),
  period: drawPeriod,
});
export type DrawEntry = z.infer<typeof drawEntry>;

const logErrors = ['draw_period_not_found'] as const;
const position = z.coerce.number('Use a whole number').int('Use a whole number').min(0, 'Use 0 or more');

/** The most leaves that one call returns. */
export const maxLeavesPerCall = 10_000;

export const readTicketLogCall = {
  method: 'GET',
  url: '/draws/:period/log',
  summary: 'List the leaves of a month’s ticket log between two positions, in order',
  details: `At most ${maxLeavesPerCall} a call.`,
  access: 'public',
  params: ofPeriod,
  query: z.strictObject({ from: position.optional(), to: position.optional() }),
  response: z.object({
    size: count.meta({ description: 'How many leaves the log has' }),
    leaves: z.array(z.string().meta({ example: '+ 00c18de1f9d3ab527e0af0e3a3b6d0f1 1 2026-11-21T09:30:00Z' })),
  }),
  errors: [...logErrors, 'beyond_the_log'],
} as const satisfies Call;

const readAsText = <Url extends `/${string}`>(url: Url, summary: string) =>
  ({
    method: 'GET',
    url,
    summary,
    access: 'public',
    params: ofPeriod,
    response: z.unknown(),
    mediaType: 'text/plain',
    errors: [...logErrors],
  }) as const satisfies Call;

export const readTicketLogTextCall = readAsText(
  '/draws/:period/log.txt',
  'Download the whole ticket log of a month as text, one leaf per line',
);
export const readCheckpointCall = readAsText(
  '/draws/:period/log/checkpoint',
  'Get the newest signed head of a month’s ticket log as a C2SP checkpoint',
);

export const proveInclusionCall = {
  method: 'GET',
  url: '/draws/:period/log/inclusion',
  summary: 'Get the proof (RFC 6962) that the ticket log holds the leaf that issued an entry',
  access: 'public',
  params: ofPeriod,
  query: z.strictObject({
    entry: entryId,
    size: position.optional().meta({ description: 'The size of the head to prove it for; the newest if left out' }),
  }),
  response: z.object({
    index: count,
    size: count,
    leaf: z.string().meta({ description: 'The leaf itself', example: '+ 00c18de1f9d3ab527e0af0e3a3b6d0f1 1 2026-11-21T09:30:00Z' }),
    path: z.array(hash),
  }),
  errors: [...logErrors, 'entry_not_found', 'beyond_the_log'],
} as const satisfies Call;

export const proveConsistencyCall = {
  method: 'GET',
  url: '/draws/:period/log/consistency',
  summary: 'Get the proof (RFC 6962) that the ticket log of one size is the start of the log of another size',
  access: 'public',
  params: ofPeriod,
  query: z.strictObject({ from: position, to: position }),
  response: z.object({ path: z.array(hash) }),
  errors: [...logErrors, 'beyond_the_log'],
} as const satisfies Call;

const amount = z.object({ amountMinor: z.int(), currency: z.enum(['NZD', 'AUD']) });

/** A state's or country's requirements for promotions, as read on a day; null if none was found. */
const promotionRule = z.object({
  place: z.string().meta({ example: 'NSW' }),
  permitAbove: amount.nullable().meta({ description: 'A permit is needed if the prize is worth more than this; null if none is needed' }),
  permitCountsTogether: z.boolean().meta({ description: 'Whether all prizes of one promotion count together' }),
  beforeStart: z.string().nullable(),
  winnerToldWithin: z.string().nullable(),
  publishedWithin: z.string().nullable(),
  scrutineerFrom: amount.nullable(),
  recordsKept: z.string().nullable(),
  notes: z.string().nullable(),
  source: z.string().nullable(),
  readOn: z.iso.date(),
});
export type PromotionRule = z.infer<typeof promotionRule>;

/** The terms of one month's draw: stored when its period is created, and never changed. */
export const drawTerms = z.object({
  version: z.string().meta({ example: 'terms-v1' }),
  period: drawPeriod,
  startsAt: time,
  closesAt: time,
  timeZone: z.string(),
  prize: z.object({
    title: z.string(),
    amountMinor: z.int(),
    currencies: z.array(z.enum(['NZD', 'AUD'])),
    paid: z.string().meta({ description: 'How it is paid, in a sentence' }),
  }),
  tickets: z.array(z.string()).meta({ description: 'The ways to get tickets, a sentence each' }),
  whoMayEnter: z.array(z.string()),
  permits: z
    .array(z.object({ place: z.string().meta({ example: 'NSW' }), number: z.string() }))
    .optional()
    .meta({ description: 'Missing in terms from before December 2026, like `leftOut`' }),
  leftOut: z
    .array(z.string().meta({ example: 'SA' }))
    .optional()
    .meta({ description: 'Where people live to whom the draw is not open, because it needs a permit there and has none' }),
  howDrawn: z.array(z.string()),
  winner: z.array(z.string()).meta({ description: 'What the winner is told, what they have to do and by when' }),
  log: z.object({
    origin: z.string(),
    publicKey: z.string().meta({ description: 'The 32 bytes of the Ed25519 key that signs the heads, in hex' }),
  }),
  rules: z.array(promotionRule),
  notice: z.string(),
});
export type DrawTerms = z.infer<typeof drawTerms>;

/** A promotion rule that the prize or the set-up of a draw did not meet when its period began: for administrators. */
export const unmetRule = z.object({ place: z.string().meta({ example: 'NSW' }), what: z.string() });
export type UnmetRule = z.infer<typeof unmetRule>;

export const readDrawTermsCall = {
  method: 'GET',
  url: '/draws/:period/terms',
  summary: 'Get the terms of a month’s draw, fixed when its period began',
  details: 'The period `current` stands for this month.',
  access: 'public',
  params: z.object({ period: z.union([drawPeriod, z.literal('current')], 'Use a year and a month, such as 2026-11') }),
  response: drawTerms,
  errors: [...logErrors],
} as const satisfies Call;

export const giveEntryCall = {
  method: 'POST',
  url: '/admin/entries',
  summary: 'Give somebody tickets for this month’s draw',
  details: 'They are told, and the audit log records who gave the tickets and why.',
  access: 'admin',
  status: 201,
  body: z.object({
    userId: z.uuid('Use the id of an account'),
    tickets: z.int('Use a whole number').min(1, 'Give at least one ticket').max(maxGivenTickets, `Give at most ${maxGivenTickets} tickets`),
    reason: requiredLines('Please say why: the person reads it', givenReasonMaxLength),
  }),
  response: z.object({ message: z.string(), entry: drawEntry }),
  errors: ['user_not_found', 'takes_no_part'],
} as const satisfies Call;
