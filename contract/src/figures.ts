import { z } from 'zod';
import type { Call } from './call.ts';
import { listingId } from './listings.ts';

/** The lengths in days in which figures can be had. */
export const figureDays = [7, 30, 90] as const;
/** The length that cards and mails speak of, unless they say another one. */
export const usualFigureDays = 30;

const figures = z.object({
  views: z.int().meta({ description: 'How often the page was looked at; by one visitor once in half an hour' }),
  visitors: z.int().meta({ description: 'How many looked at it, each counted once a day' }),
  saves: z.int().meta({ description: 'How many saved it then and have it still' }),
  messages: z.int().meta({ description: 'What customers wrote about it' }),
});
export type Figures = z.infer<typeof figures>;

export const recordView = {
  method: 'POST',
  url: '/listing/:id/view',
  summary:
    'Say that a listing’s page is being looked at. Views by its owner, the staff and robots do not count, nor does a listing that is not active; the answer is the same',
  access: 'optional',
  params: listingId,
  response: z.object({ received: z.literal(true) }),
  errors: [],
} as const satisfies Call;

const day = z.iso.date().meta({ description: 'By the clocks of the listing’s region', example: '2026-11-22' });

export const getListingFigures = {
  method: 'GET',
  url: '/listing/:id/figures',
  summary: 'How one’s own listing does: views, visitors, saves and messages of each of the last days, with today',
  access: 'session',
  params: listingId,
  query: z.strictObject({
    days: z
      .enum(figureDays.map(String) as ['7', '30', '90'], 'Use 7, 30 or 90')
      .transform(Number)
      .optional(),
  }),
  response: z.object({
    timeZone: z.string().meta({ description: 'Of the listing’s region', example: 'Australia/Perth' }),
    days: z.array(figures.extend({ day })),
    total: figures,
    before: figures.meta({ description: 'As many days before them' }),
  }),
  errors: ['not_authenticated', 'listing_not_found'],
} as const satisfies Call;
export type ListingFigures = z.infer<typeof getListingFigures.response>;

export const listOwnFigures = {
  method: 'GET',
  url: '/listing/mylistings/figures',
  summary: 'What all of one’s own listings came to in the last 30 days',
  access: 'session',
  response: z.object({ listings: z.array(figures.extend({ listingId: z.uuid() })) }),
  errors: ['not_authenticated'],
} as const satisfies Call;
