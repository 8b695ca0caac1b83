import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { atMost, machineLine } from '../text-fields.ts';

const text = machineLine('Give this parameter once, as text')
  .max(...atMost(120))
  .optional();

/** How many suggestions are made at most. */
export const maxSuggestions = 8;

const suggestion = z.object({
  kind: z.enum(['category', 'place', 'business', 'listing']),
  label: z.string(),
  detail: z.string().meta({ description: 'What tells it apart from others of the same name: the group, region or country; may be empty' }),
  query: z.string().meta({ description: 'The search it leads to, as the query string of /search', example: 'category=plumbing' }),
});
export type Suggestion = z.infer<typeof suggestion>;

export const suggestCall = {
  method: 'GET',
  url: '/search/suggest',
  summary: 'Suggest categories, businesses, listings and places as somebody types',
  access: 'public',
  query: z.strictObject({
    q: text.meta({ description: 'The first letters of what is needed. With `where`, each suggestion keeps the place', example: 'plum' }),
    where: text.meta({ description: 'Without `q`: the first letters of a place, to suggest places only', example: 'hami' }),
    country: countryCode.optional().meta({ description: 'The country whose towns come before those of the other' }),
  }),
  response: z.object({ suggestions: z.array(suggestion).max(maxSuggestions) }),
  errors: ['search_timed_out'],
} as const satisfies Call;
