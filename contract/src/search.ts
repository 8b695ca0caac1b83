import { z } from 'zod';
import type { Call } from './call.ts';
import { listingCard, listingPage, pageQuery, wholeNumber } from './listings.ts';
import { ratingChoices } from './search-filters.ts';
import { line } from './text-fields.ts';

const text = (max: number) => line('Give this parameter once, as text').max(max, `Use at most ${max} characters`);

/** What a search can be narrowed by. Empty values count as not given. */
const listingSearch = z.strictObject({
  title: text(120).optional().meta({
    description: 'Words of title, business name, services and category, or how they begin: a typo and missing macrons are forgiven',
  }),
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

const flag = z.literal('1', 'Use 1, or leave it out').optional();
const oneOf = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `Use ${values.slice(0, -1).join(', ')} or ${values.at(-1)}, or leave it out`).optional();
const kilometres = 'Use a number of kilometres from 1 to 200';

/** What a search for everybody takes. Empty values count as not given; all parts together narrow what is found. */
export const findQuery = z.strictObject({
  q: text(120)
    .optional()
    .meta({ description: 'What is needed, in one’s own words: a trade, a place, a business, or a sentence', example: 'plumber hamilton' }),
  where: text(120)
    .optional()
    .meta({ description: 'A place by name or postcode: macrons and typing errors are forgiven', example: 'Hamilton' }),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({ description: 'Code or name', example: 'NZ' }),
  region: text(60).optional(),
  district: text(60).optional(),
  town: text(60).optional().meta({
    description: 'As in the address of its page, with the postcode where its region has two of the name. Needs region',
    example: 'cambridge',
  }),
  sort: oneOf(['recommended', 'rating', 'newest', 'nearest']),
  near: text(60)
    .optional()
    .meta({ description: 'The name of a place, or latitude and longitude with two decimals', example: '-37.79,175.28' }),
  km: wholeNumber(kilometres)
    .refine((km) => km >= 1 && km <= 200, kilometres)
    .optional()
    .meta({ description: 'How far away at most, for near: 25 unless said' }),
  serves: flag.meta({ description: '1: only those based elsewhere who come to the place' }),
  minRating: oneOf(ratingChoices).meta({ description: 'The average, as it is shown' }),
  verified: flag.meta({ description: '1: only those whom a register confirms' }),
  photos: flag.meta({ description: '1: only those with photos' }),
  replied: flag.meta({ description: '1: only those who answer within a day' }),
  maxPrice: wholeNumber('Use whole dollars')
    .optional()
    .meta({ description: 'The price from which they work at most, in whole dollars of their country' }),
  raw: flag.meta({ description: '1: search the words as they are typed' }),
  ...pageQuery,
});
export type FindQuery = z.infer<typeof findQuery>;

const pageOfSearch = z.string().meta({ description: 'The parameters of a search, to follow “/search?”' });

const understanding = z.object({
  category: z.string().nullable().meta({ description: 'A group or main category, by name' }),
  subCategory: z.string().nullable(),
  place: z.string().nullable().meta({ description: 'As people write it', example: 'Hamilton, Waikato' }),
  area: z
    .object({ country: z.string(), region: z.string().nullable(), district: z.string().nullable(), town: z.string().nullable() })
    .nullable()
    .meta({ description: 'The same place as parameters of a search' }),
  words: z.string().meta({ description: 'What is searched by words, besides category and place' }),
  corrected: z.string().nullable().meta({ description: 'What was searched instead, where a typing error was put right' }),
  nearMe: z.boolean().meta({ description: 'Asked for near where they are, which only they can say' }),
  guess: z
    .object({ alternatives: z.array(z.object({ category: z.string(), subCategory: z.string().nullable(), query: pageOfSearch })) })
    .nullable()
    .meta({ description: 'There when the category was guessed from a sentence' }),
});
export type Understanding = z.infer<typeof understanding>;

export const listListings = {
  method: 'GET',
  url: '/listing/all',
  summary:
    'Search the active listings: paid rank first, then the worth of the fields that have the words, then the newest; those of one group also by their reviews',
  access: 'public',
  query: listingSearch,
  response: listingPage.extend({
    understood: understanding
      .optional()
      .meta({ description: 'There when no listing has the words of the title: how they were read instead' }),
  }),
  errors: [],
} as const satisfies Call;

/** A card of a search. */
const foundCard = listingCard.extend({
  distanceKm: z.number().optional().meta({ description: 'From the place asked for, when searched by distance' }),
  paidPlacement: z.literal(true).optional().meta({ description: 'Stands first because it is paid for, in an order that is not by plan' }),
  why: z
    .object({
      rank: z.enum(['featured', 'premium', 'basic']),
      words: z.array(z.enum(['title', 'business', 'services', 'category'])),
      distanceKm: z.number().optional(),
    })
    .optional()
    .meta({ description: 'Why it stands where it stands' }),
});

const choices = <Value extends z.ZodType>(value: Value) => z.array(z.object({ value, total: z.int() }));

const findPage = listingPage.extend({
  understood: understanding,
  listings: z.array(foundCard),
  alternatives: z
    .array(z.object({ label: z.string(), total: z.int(), query: pageOfSearch }))
    .meta({ description: 'Other searches that find something, where this one finds little, each with its exact number' }),
  facets: z
    .object({ minRating: choices(z.string()), verified: z.int(), photos: z.int(), replied: z.int(), maxPrice: choices(z.int()) })
    .nullable()
    .meta({
      description:
        'How many each further choice would leave; null where that is not counted: by distance, and for words of very many listings',
    }),
});
export type FindPage = z.infer<typeof findPage>;

export const findListings = {
  method: 'GET',
  url: '/search',
  summary: 'Search for everybody: what is typed is read as a category, a place and words, and the answer says how',
  access: 'public',
  query: findQuery,
  response: findPage,
  errors: [],
} as const satisfies Call;
