import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingId } from '../listings/calls.ts';

/** The lengths in days in which figures can be had. */
export const figureDays = [7, 30, 90] as const;
/** The length that cards and mails speak of, unless they say another one. */
export const usualFigureDays = 30;

const figures = z.object({
  views: z.int().meta({ description: 'How often the page was viewed, counting each visitor once in half an hour' }),
  visitors: z.int().meta({ description: 'How many people viewed it, counting each once a day' }),
  saves: z.int().meta({ description: 'How many saved it that day and still have it saved' }),
  messages: z.int().meta({ description: 'How many messages customers sent about it' }),
});
export type Figures = z.infer<typeof figures>;

export const recordView = {
  method: 'POST',
  url: '/listing/:id/view',
  summary: 'Count a view of a listing’s page',
  details: 'Views by its owner, staff or robots do not count, nor do views of a listing that is not active. The answer is always the same.',
  access: 'optional',
  params: listingId,
  response: z.object({ received: z.literal(true) }),
  errors: [],
} as const satisfies Call;

const day = z.iso.date().meta({ description: 'In the time zone of the listing’s region', example: '2026-11-22' });

export const getListingFigures = {
  method: 'GET',
  url: '/listing/:id/figures',
  summary: 'Get your listing’s views, visitors, saves and messages, day by day up to today',
  access: 'session',
  params: listingId,
  query: z.strictObject({
    days: z
      .enum(figureDays.map(String) as ['7', '30', '90'], `Use ${figureDays.slice(0, -1).join(', ')} or ${figureDays.at(-1)}`)
      .transform(Number)
      .optional(),
  }),
  response: z.object({
    timeZone: z.string().meta({ description: 'The time zone of the listing’s region', example: 'Australia/Perth' }),
    days: z.array(figures.extend({ day })),
    total: figures,
    before: figures.meta({ description: 'The same number of days before that' }),
  }),
  errors: ['not_authenticated', 'listing_not_found'],
} as const satisfies Call;
export type ListingFigures = z.infer<typeof getListingFigures.response>;

export const listOwnFigures = {
  method: 'GET',
  url: '/listing/mylistings/figures',
  summary: `Get the totals of each of your listings for the last ${usualFigureDays} days`,
  access: 'session',
  response: z.object({ listings: z.array(figures.extend({ listingId: z.uuid() })) }),
  errors: ['not_authenticated'],
} as const satisfies Call;
