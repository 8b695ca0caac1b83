import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingId } from '../listings/calls.ts';
import { declineSentences } from '../quotes/words.ts';
import { analyticsDays, defaultAnalyticsDays } from './words.ts';

const metrics = z.object({
  views: z.int().meta({ description: 'How often the page was viewed, counting each visitor once in half an hour' }),
  visitors: z.int().meta({ description: 'How many people viewed it, counting each once a day' }),
  saves: z.int().meta({ description: 'How many saved it that day and still have it saved' }),
  messages: z.int().meta({ description: 'How many messages customers sent about it' }),
  numbersShown: z.int().meta({ description: 'How many people asked for its phone number, counting each once a day' }),
});
export type ListingMetrics = z.infer<typeof metrics>;

export const recordViewCall = {
  method: 'POST',
  url: '/listing/:id/view',
  summary: 'Count a view of a listing’s page',
  details: 'Views by its owner, staff or robots do not count, nor do views of a listing that is not active. The answer is always the same.',
  access: 'optional',
  params: listingId,
  response: z.object({ received: z.literal(true) }),
  errors: [],
} as const satisfies Call;

export const showBusinessPhoneCall = {
  method: 'POST',
  url: '/listing/:id/phone',
  summary: 'Get the phone number of a listing’s business',
  details: 'Counted for the seller like a view. At most 40 an hour for a network, and 400 for an IPv6 /48.',
  access: 'optional',
  params: listingId,
  response: z.object({
    number: z.string().meta({ description: 'In E.164', example: '+6421345678' }),
    text: z.string().meta({ description: 'The number as people read it', example: '+64 21 345 678' }),
  }),
  errors: ['listing_not_found', 'listing_gone', 'no_business_phone'],
} as const satisfies Call;

const day = z.iso.date().meta({ description: 'In the time zone of the listing’s region', example: '2026-11-22' });

export const getListingAnalyticsCall = {
  method: 'GET',
  url: '/listing/:id/figures',
  summary: 'Get your listing’s views, visitors, saves, messages and shown phone numbers, day by day up to today',
  access: 'session',
  params: listingId,
  query: z.strictObject({
    days: z
      .enum(analyticsDays.map(String) as ['7', '30', '90'], `Use ${analyticsDays.slice(0, -1).join(', ')} or ${analyticsDays.at(-1)}`)
      .transform(Number)
      .optional(),
  }),
  response: z.object({
    timeZone: z.string().meta({ description: 'The time zone of the listing’s region', example: 'Australia/Perth' }),
    days: z.array(metrics.extend({ day })),
    total: metrics,
    before: metrics.meta({ description: 'The same number of days before that' }),
    quotes: z
      .object({
        sent: z.int(),
        accepted: z.int(),
        declined: z.int(),
        expired: z.int(),
        reasons: z
          .array(z.object({ reason: z.enum(Object.keys(declineSentences) as [keyof typeof declineSentences]), quotes: z.int() }))
          .meta({ description: 'Why customers declined, most often first' }),
      })
      .meta({ description: 'What has become of the quotes that were sent in these days' }),
  }),
  errors: ['not_authenticated', 'listing_not_found'],
} as const satisfies Call;
export type ListingAnalytics = z.infer<typeof getListingAnalyticsCall.response>;

export const listOwnAnalyticsCall = {
  method: 'GET',
  url: '/listing/mylistings/figures',
  summary: `Get the totals of each of your listings for the last ${defaultAnalyticsDays} days`,
  access: 'session',
  response: z.object({ listings: z.array(metrics.extend({ listingId: z.uuid() })) }),
  errors: ['not_authenticated'],
} as const satisfies Call;
