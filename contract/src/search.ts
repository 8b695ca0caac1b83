import { z } from 'zod';
import type { Call } from './call.ts';
import { listingCard, listingPage, pageQuery, wholeNumber } from './listings.ts';
import { ratingChoices, usualKm } from './search-filters.ts';
import { atMost, line } from './text-fields.ts';

const text = (max: number) => line('Give this parameter once, as text').max(...atMost(max));

// What the column holds at most; no listing has a number near it.
const largestNumber = 2_147_483_647;

/** What a search can be narrowed by. Empty values count as not given. */
const listingSearch = z.strictObject({
  title: text(120).optional().meta({
    description:
      'Words from the title, business name, services or category, or the start of them; typing errors and missing macrons are forgiven',
  }),
  listingNumber: z.coerce
    .string({ error: 'Use a whole number' })
    .regex(/^\d+$/, 'Use a whole number')
    .transform((digits) => Math.min(Number(digits), largestNumber))
    .optional(),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({ description: 'Code or name', example: 'NZ' }),
  region: text(60).optional(),
  district: text(60).optional(),
  sort: z.enum(['best'], 'Use best, or leave it out').optional().meta({
    description: 'best: by rating and number of reviews, compared with the average of the group. Works for one group, without words',
  }),
  ...pageQuery,
});
export type ListingSearch = z.infer<typeof listingSearch>;

const flag = z.literal('1', 'Use 1, or leave it out').optional();
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `Use ${values.slice(0, -1).join(', ')} or ${values.at(-1)}, or leave it out`).optional();
const kilometres = 'Use a number of kilometres from 1 to 200';

/** What a search for everybody takes. Empty values count as not given; all parts together narrow what is found. */
export const findQuery = z.strictObject({
  q: text(120)
    .optional()
    .meta({ description: 'What is needed, in your own words: a trade, a place, a business or a sentence', example: 'plumber hamilton' }),
  where: text(120)
    .optional()
    .meta({ description: 'A place by name or postcode; typing errors and missing macrons are forgiven', example: 'Hamilton' }),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({ description: 'Code or name', example: 'NZ' }),
  region: text(60).optional(),
  district: text(60).optional(),
  town: text(60).optional().meta({
    description: 'As in the address of its page, with the postcode if its region has two places of that name. Needs `region`',
    example: 'cambridge',
  }),
  sort: oneOf(['recommended', 'rating', 'newest', 'nearest']),
  near: text(60)
    .optional()
    .meta({ description: 'The name of a place, or its latitude and longitude with two decimals', example: '-37.79,175.28' }),
  km: wholeNumber(kilometres)
    .refine((km) => km >= 1 && km <= 200, kilometres)
    .optional()
    .meta({ description: `How far away at most, with \`near\`: ${usualKm} by default` }),
  serves: flag.meta({ description: '1: only businesses that come to the place but are based elsewhere' }),
  minRating: oneOf(ratingChoices).meta({ description: 'The lowest average rating, as shown' }),
  verified: flag.meta({ description: '1: only businesses confirmed by a register' }),
  photos: flag.meta({ description: '1: only listings with photos' }),
  replied: flag.meta({ description: '1: only businesses that answer within a day' }),
  maxPrice: wholeNumber('Use whole dollars')
    .optional()
    .meta({ description: 'The highest “from” price, in whole dollars of the listing’s country' }),
  raw: flag.meta({ description: '1: search for the words exactly as typed' }),
  ...pageQuery,
});
export type FindQuery = z.infer<typeof findQuery>;

const pageOfSearch = z.string().meta({ description: 'The parameters of a search, to go after “/search?”' });

const understanding = z.object({
  category: z.string().nullable().meta({ description: 'A group or main category by name' }),
  subCategory: z.string().nullable(),
  place: z.string().nullable().meta({ description: 'The place as people write it', example: 'Hamilton, Waikato' }),
  area: z
    .object({ country: z.string(), region: z.string().nullable(), district: z.string().nullable(), town: z.string().nullable() })
    .nullable()
    .meta({ description: 'The same place, as search parameters' }),
  words: z.string().meta({ description: 'The words that are searched for, besides category and place' }),
  corrected: z.string().nullable().meta({ description: 'What was searched for instead, if a typing error was corrected' }),
  nearMe: z.boolean().meta({ description: 'The person asked for what is near them, so their position is needed' }),
  guess: z
    .object({ alternatives: z.array(z.object({ category: z.string(), subCategory: z.string().nullable(), query: pageOfSearch })) })
    .nullable()
    .meta({ description: 'Present if the category was guessed from a sentence' }),
});
export type Understanding = z.infer<typeof understanding>;

export const listListings = {
  method: 'GET',
  url: '/listing/all',
  summary: 'Search active listings',
  details:
    'Paid rank comes first, then how well the words fit, then the newest. Listings of one group can also be ordered by their reviews.',
  access: 'public',
  query: listingSearch,
  response: listingPage.extend({
    understood: understanding
      .optional()
      .meta({ description: 'Present if no listing has the words of `title`: how they were interpreted instead' }),
  }),
  errors: [],
} as const satisfies Call;

/** A card of a search. */
const foundCard = listingCard.extend({
  distanceKm: z.number().optional().meta({ description: 'From the place you asked for, in a search by distance' }),
  paidPlacement: z
    .literal(true)
    .optional()
    .meta({ description: 'It comes first because it is paid for, although this order does not go by plan' }),
  why: z
    .object({
      rank: z.enum(['featured', 'premium', 'basic']),
      words: z.array(z.enum(['title', 'business', 'services', 'category'])),
      distanceKm: z.number().optional(),
    })
    .optional()
    .meta({ description: 'Why it has this position' }),
});

const choices = <Value extends z.ZodType>(value: Value) => z.array(z.object({ value, total: z.int() }));

const findPage = listingPage.extend({
  understood: understanding,
  listings: z.array(foundCard),
  alternatives: z
    .array(z.object({ label: z.string(), total: z.int(), query: pageOfSearch }))
    .meta({ description: 'Other searches to try if this one finds little, each with its exact number of results' }),
  facets: z
    .object({ minRating: choices(z.string()), verified: z.int(), photos: z.int(), replied: z.int(), maxPrice: choices(z.int()) })
    .nullable()
    .meta({
      description: 'How many results each further choice would leave; null if that is not counted, as for distances and very common words',
    }),
});
export type FindPage = z.infer<typeof findPage>;

export const findListings = {
  method: 'GET',
  url: '/search',
  summary: 'Search listings in your own words',
  details: 'What is typed is interpreted as a category, a place and words, and the answer says how.',
  access: 'public',
  query: findQuery,
  response: findPage,
  errors: [],
} as const satisfies Call;
