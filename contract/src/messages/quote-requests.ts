import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingStatus, pageQuery } from '../listings/calls.ts';
import { picture } from '../listings/picture.ts';
import { maxSharedPhotoBytes, maxSharedPhotos } from '../pictures.ts';
import { atMost, line, requiredLine, requiredLines } from '../text-fields.ts';
import { type JobTime, jobTimes } from './job-words.ts';
import { maxMessageLength, maxQuoteRequestReceivers } from './limits.ts';
import { maxOthersAsked } from './reply-time.ts';

export const quoteRequestPageSize = 10;

const jobTime = z.enum(Object.keys(jobTimes) as [JobTime, ...JobTime[]], 'Say when you would like it done');

const job = {
  job: z.string(),
  category: z.string(),
  subCategory: z.string().nullable(),
  place: z.string().meta({ example: 'Hamilton, Waikato' }),
  when: jobTime,
  date: z.iso.date().nullable().meta({ description: 'The day, if `when` is date' }),
  createdAt: z.iso.datetime(),
  closedAt: z.iso.datetime().nullable().meta({ description: 'When the customer said they need no more quotes' }),
};

/** A quote request as both sides of a conversation see it. */
export const quoteRequestJob = z.object({ _id: z.uuid(), ...job });
export type QuoteRequestJob = z.infer<typeof quoteRequestJob>;

const fields = z.object({
  job: requiredLines('Describe the job', maxMessageLength),
  category: requiredLine('Choose what kind of job it is', 60).meta({ description: 'A group by name or slug', example: 'Plumbing' }),
  subCategory: line('Give this once, as text').max(...atMost(60)),
  place: requiredLine('Say where the job is', 120).meta({ description: 'A place by name or postcode', example: 'Hamilton, Waikato' }),
  when: jobTime,
  date: z
    .union([z.literal(''), z.iso.date('Use a date, as in 2027-01-31')], 'Use a date, as in 2027-01-31')
    .meta({ description: 'The day, if `when` is date' }),
});

/** The form of the page, which checks required fields before sending. */
export const quoteRequestForm = fields.refine(({ when, date }) => when !== 'date' || date !== '', {
  path: ['date'],
  error: 'Choose the day',
});
export type QuoteRequestForm = z.infer<typeof quoteRequestForm>;

export const requestQuoteCall = {
  method: 'POST',
  url: '/quote-requests',
  summary: 'Ask the business of a listing for a quote',
  details: `It gets a message with the job, the place and the time. Send it for another listing under the same clientId to ask another business: the request keeps what was said first and goes to at most ${maxQuoteRequestReceivers} businesses.`,
  access: 'session',
  form: fields.extend({
    subCategory: fields.shape.subCategory.default(''),
    date: fields.shape.date.default(''),
    clientId: z.uuid('Use a UUID').meta({ description: 'Chosen by the caller for this request; each business gets it once' }),
    listingId: z.uuid('Use the id of a listing'),
  }),
  files: { pictures: { maxFiles: maxSharedPhotos, maxBytes: maxSharedPhotoBytes } },
  jsonToo: true,
  response: z.object({ requestId: z.uuid(), conversationId: z.uuid() }),
  errors: [
    'not_authenticated',
    'blocked',
    'blocked_by_you',
    'member_left',
    'address_not_confirmed',
    'own_listing_message',
    'listing_not_found',
    'listing_not_active',
    'quote_request_closed',
    'quote_request_full',
    'too_many_quote_requests',
    'unsupported_picture',
    'picture_too_large',
    'file_too_large',
    'too_many_files',
    'storage_full',
    'storage_unavailable',
  ],
} as const satisfies Call;

const receiver = z.object({
  conversationId: z.uuid(),
  listing: z.object({ _id: z.uuid(), serviceTitle: z.string(), status: listingStatus }),
  business: z.string(),
  answeredAt: z.iso.datetime().nullable().meta({ description: 'When the business first answered' }),
  unread: z.int().meta({ description: 'How many messages from the business you have not seen' }),
});

/** A quote request as its customer sees it. */
const quoteRequest = quoteRequestJob.extend({
  pictures: z.array(picture),
  receivers: z
    .array(receiver)
    .min(1)
    .max(maxQuoteRequestReceivers + maxOthersAsked),
});
export type QuoteRequest = z.infer<typeof quoteRequest>;

export const listQuoteRequestsCall = {
  method: 'GET',
  url: '/quote-requests',
  summary: 'List your quote requests and who has answered, newest first',
  access: 'session',
  query: z.strictObject(pageQuery),
  response: z.object({
    quoteRequests: z.array(quoteRequest),
    currentPage: z.int(),
    totalPages: z.int(),
    totalQuoteRequests: z.int(),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const closeQuoteRequestCall = {
  method: 'POST',
  url: '/quote-requests/:id/close',
  summary: 'Close your quote request',
  details: 'It goes to nobody else, and the businesses that have it see that it is closed.',
  access: 'session',
  params: z.object({ id: z.uuid('Use the id of a quote request') }),
  response: z.object({ closedAt: z.iso.datetime() }),
  errors: ['not_authenticated', 'quote_request_not_found'],
} as const satisfies Call;
