import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { atMost, line, lines, requiredLine } from '../text-fields.ts';
import {
  type DeclineReason,
  declineReasons,
  maxDeclineLength,
  maxLineLength,
  maxNotesLength,
  maxQuantityMilli,
  maxQuoteLines,
  maxUnitMinor,
  type QuoteKind,
  quoteKinds,
  type QuoteStatus,
  quoteStatuses,
} from './words.ts';

/** Conversations per request of the newest quotes. */
const maxConversations = 50;

const state = z
  .enum(Object.keys(quoteStatuses) as [QuoteStatus, ...QuoteStatus[]])
  .meta({ description: 'sent and seen are open; one whose time is over is expired at once' });
const kind = z
  .enum(Object.keys(quoteKinds) as [QuoteKind, ...QuoteKind[]], 'Choose a quote or an estimate')
  .meta({ description: 'A quote is a fixed price; an estimate may change' });
const reason = z.enum(Object.keys(declineReasons) as [DeclineReason, ...DeclineReason[]], 'Say why');

const quoteLine = z.object({
  description: requiredLine('Describe what this line is for', maxLineLength),
  quantityMilli: z
    .int('Use a quantity with at most three decimals')
    .min(1, 'Use a quantity above 0')
    .max(maxQuantityMilli, 'Use a quantity below 100,000')
    .meta({ description: 'In thousandths: 1500 is 1.5' }),
  unitMinor: z
    .int('Use a price in dollars and cents')
    .min(0, 'Use a price of at least $0')
    .max(maxUnitMinor, 'Use a price of at most $1,000,000')
    .meta({ description: 'The price of one, in cents' }),
});

const shared = {
  kind,
  gstIncluded: z.boolean('Say whether GST is included').meta({ description: 'false: the business is not registered for GST' }),
  validUntil: z.iso.date('Choose the last day that the quote is valid'),
};

/** What the law may ask for from a value on. General information, not advice. */
const buildingRule = z.object({
  fromMinor: z.int().meta({ description: 'The value from which it applies, in cents' }),
  contract: z.string(),
  deposit: z.string().nullable().meta({ description: 'The largest deposit; null if it is not known' }),
  insurance: z.string().nullable().meta({ description: 'Null if it is not known' }),
  regulator: z.string(),
  url: z.string().meta({ description: 'Where the regulator says more' }),
});
export type ShownBuildingRule = z.infer<typeof buildingRule>;

/** A quote as both sides of a conversation see it. */
const quote = z.object({
  _id: z.uuid(),
  conversationId: z.uuid(),
  number: z.string().meta({ example: 'Q-1001' }),
  messageNumber: z.int().meta({ description: 'The message of the conversation that carries it' }),
  role: z.enum(['buyer', 'seller']).meta({ description: 'Your role in the conversation' }),
  state,
  ...shared,
  business: z.string(),
  customer: z.string(),
  currency: z.enum(['NZD', 'AUD']),
  gstPercent: z.int(),
  lines: z.array(quoteLine.extend({ amountMinor: z.int().meta({ description: 'Quantity × unit price, rounded half up' }) })),
  totalMinor: z.int(),
  gstMinor: z.int().meta({ description: 'The GST within the total; 0 if the business is not registered' }),
  notes: z.string(),
  startsOn: z.iso.date().nullable().meta({ description: 'The day on which the work starts, if it is agreed' }),
  sentAt: z.iso.datetime(),
  seenAt: z.iso.datetime().nullable(),
  closedAt: z.iso.datetime().nullable().meta({ description: 'When it was accepted or ended' }),
  decline: z.object({ reason: z.enum([...reason.options, 'left']), note: z.string() }).nullable(),
  buildingRule: buildingRule.nullable().meta({ description: 'What the law may ask for at this total; general information, not advice' }),
});
export type Quote = z.infer<typeof quote>;

/** The quote of a conversation that a list shows: the open one, else the accepted one, else the newest. */
const quoteSummary = quote
  .pick({ _id: true, conversationId: true, role: true, state: true, kind: true, gstIncluded: true, validUntil: true })
  .extend({
    totalMinor: z.int(),
    currency: z.enum(['NZD', 'AUD']),
  });
export type QuoteSummary = z.infer<typeof quoteSummary>;

const conversationId = z.uuid('Use the id of a conversation');
const quoteId = z.object({ id: z.uuid('Use the id of a quote') });
const writeErrors = ['not_authenticated', 'blocked', 'blocked_by_you', 'member_left'] as const;

export const sendQuoteCall = {
  method: 'POST',
  url: '/quotes',
  summary: 'Send the customer of a conversation a quote',
  details: 'Only the business of the conversation can. It replaces the open quote of the conversation; an accepted one stays.',
  access: 'session',
  status: 201,
  body: z.object({
    conversationId,
    clientId: z
      .uuid('Use a UUID')
      .meta({ description: 'Chosen by the caller for this quote; sending it again under the same id sends it once' }),
    ...shared,
    lines: z
      .array(quoteLine)
      .min(1, 'Add at least one line')
      .max(...atMost(maxQuoteLines, 'lines')),
    notes: lines('Use text for the notes')
      .max(...atMost(maxNotesLength))
      .default(''),
    startsOn: z
      .union([z.literal(''), z.iso.date()], 'Choose the day on which you start, or leave it empty')
      .default('')
      .meta({ description: 'The day on which the work starts, if you know it' }),
  }),
  response: quote,
  errors: [...writeErrors, 'conversation_not_found', 'not_the_business'],
} as const satisfies Call;
export type SendQuoteForm = z.output<(typeof sendQuoteCall)['body']>;

export const listQuotesCall = {
  method: 'GET',
  url: '/quotes',
  summary: 'List the quotes of your conversation, newest first',
  details: 'The last hundred.',
  access: 'session',
  query: z.strictObject({ conversationId }),
  response: z.object({
    country: countryCode.meta({ description: 'Of the listing: it decides the currency and the GST of a new quote' }),
    quotes: z.array(quote),
    buildingRules: z
      .array(buildingRule)
      .meta({ description: 'For a new quote, from the lowest value up: the last one that its total reaches applies' }),
  }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

export const listQuoteSummariesCall = {
  method: 'GET',
  url: '/quotes/summaries',
  summary: `List where quotes stand in up to ${maxConversations} of your conversations`,
  details: 'The open quote of each, else the accepted one, else the newest. Conversations without one, and those of others, are left out.',
  access: 'session',
  query: z.strictObject({
    conversationIds: z
      .string({ error: 'Use the ids of conversations, with commas' })
      .transform((text) => text.split(','))
      .pipe(
        z
          .array(z.uuid('Use the ids of conversations, with commas'))
          .min(1)
          .max(...atMost(maxConversations, 'conversations')),
      ),
  }),
  response: z.object({ quotes: z.array(quoteSummary) }),
  errors: ['not_authenticated'],
} as const satisfies Call;

const oneQuote = { access: 'session', params: quoteId, response: quote } as const;

export const getQuoteCall = {
  ...oneQuote,
  method: 'GET',
  url: '/quotes/:id',
  summary: 'Get a quote of yours',
  errors: ['not_authenticated', 'quote_not_found'],
} as const satisfies Call;

export const markQuoteSeenCall = {
  ...oneQuote,
  method: 'POST',
  url: '/quotes/:id/seen',
  summary: 'Mark a quote to you as seen',
  errors: ['not_authenticated', 'quote_not_found'],
} as const satisfies Call;

export const acceptQuoteCall = {
  ...oneQuote,
  method: 'POST',
  url: '/quotes/:id/accept',
  summary: 'Accept a quote to you',
  details: 'Final. The contract is between you and the business; nothing is paid. Accepting it again changes nothing.',
  errors: [...writeErrors, 'quote_not_found', 'quote_not_open'],
} as const satisfies Call;

export const declineQuoteCall = {
  ...oneQuote,
  method: 'POST',
  url: '/quotes/:id/decline',
  summary: 'Decline a quote to you, with a reason',
  body: z.object({
    reason,
    note: line('Use text for the note')
      .max(...atMost(maxDeclineLength))
      .default(''),
  }),
  errors: [...writeErrors, 'quote_not_found', 'quote_not_open'],
} as const satisfies Call;

export const withdrawQuoteCall = {
  ...oneQuote,
  method: 'POST',
  url: '/quotes/:id/withdraw',
  summary: 'Withdraw a quote of yours that is still open',
  errors: ['not_authenticated', 'quote_not_found', 'quote_not_open'],
} as const satisfies Call;

export const getQuotePdfCall = {
  method: 'GET',
  url: '/quotes/:id/pdf',
  summary: 'Download a quote of your conversation as a PDF',
  access: 'session',
  params: quoteId,
  response: z.unknown(),
  mediaType: 'application/pdf',
  errors: ['not_authenticated', 'quote_not_found'],
} as const satisfies Call;
