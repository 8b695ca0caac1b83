import { z } from 'zod';
import type { Call } from './call.ts';
import { listingPage, pageQuery, wholeNumber } from './listings.ts';
import { line } from './text-fields.ts';

const text = (max: number) => line('Give this parameter once, as text').max(max, `Use at most ${max} characters`);

/** What a search can be narrowed by. Empty values count as not given. */
const listingSearch = z.strictObject({
  title: text(120).optional().meta({ description: 'Words of the title: parts of words, a typo, missing macrons are forgiven' }),
  listingNumber: wholeNumber('Use a whole number').optional(),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({ description: 'Code or name', example: 'NZ' }),
  region: text(60).optional(),
  district: text(60).optional(),
  sort: z
    .enum(['best'], 'Use best, or leave it out')
    .optional()
    .meta({ description: 'best: by rating and number of reviews against the average of the group. For one group, without words' }),
  ...pageQuery,
});
export type ListingSearch = z.infer<typeof listingSearch>;

export const listListings = {
  method: 'GET',
  url: '/listing/all',
  summary: 'Search the active listings: paid rank first, then the newest; those of one group also by their reviews',
  access: 'public',
  query: listingSearch,
  response: listingPage,
  errors: [],
} as const satisfies Call;
