import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingCard, listingPage, pageQuery, wholeNumber } from '../listings/calls.ts';
import { cleanMachineText } from '../machine-text.ts';
import { atMost, machineLine } from '../text-fields.ts';
import { maxPages, ratingChoices, defaultRadiusKm } from './filters.ts';
import { sectionKeys } from './sections.ts';

const text = (max: number) => machineLine('Give this parameter once, as text').max(...atMost(max));

// The largest value of the column, far above any listing's number.
export const maxListingNumber = 2_147_483_647;

const searchPage = {
  ...pageQuery,
  page: wholeNumber('Use a page number from 1')
    .refine((page) => page >= 1, 'Use a page number from 1')
    .refine((page) => page <= maxPages, `A search has ${maxPages} pages at most: narrow it down instead`)
    .optional(),
};

/** Empty values count as not given. */
const listingSearch = z.strictObject({
  title: text(120).optional().meta({
    description:
      'Words from the title, business name, services or category, or the start of them; typing errors and missing macrons are forgiven',
  }),
  listingNumber: z.coerce
    .string({ error: 'Use a whole number' })
    .overwrite((text) => cleanMachineText(text).replace(/^#/, ''))
    .regex(/^\d+$/, 'Use a whole number')
    .transform((digits) => Math.min(Number(digits), maxListingNumber))
    .optional(),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({ description: 'Code or name', example: 'NZ' }),
  region: text(60).optional(),
  district: text(60).optional(),
  sort: z.enum(['best', 'rating', 'newest'], 'Use best, rating or newest, or leave it out').optional().meta({
    description: 'rating, or best: by rating and number of reviews, compared with the average of the group',
  }),
  ...searchPage,
});
export type ListingSearch = z.infer<typeof listingSearch>;

const flag = z.literal('1', 'Use 1, or leave it out').optional();
const optionalEnum = <const Values extends readonly string[]>(values: Values) =>
  z.enum(values, `Use ${values.slice(0, -1).join(', ')} or ${values.at(-1)}, or leave it out`).optional();
const radiusError = 'Use a number of kilometres from 1 to 200';

/** The parameters of the public search, which must all match. Empty values count as not given. */
export const findQuery = z.strictObject({
  q: text(120)
    .optional()
    .meta({ description: 'What is needed, in your own words: a trade, a place, a business or a sentence', example: 'plumber hamilton' }),
  where: text(120)
    .optional()
    .meta({ description: 'A place by name or postcode; typing errors and missing macrons are forgiven', example: 'Hamilton' }),
  category: text(60).optional().meta({ description: 'A main category (domestic, trade, other) or a group', example: 'Plumbing' }),
  subCategory: text(60).optional(),
  country: text(60).optional().meta({
    description:
      'Code or name. Of two places of one name that is typed, the one in this country is meant; any other place that is typed replaces it',
    example: 'NZ',
  }),
  region: text(60).optional(),
  district: text(60).optional(),
  sort: optionalEnum(['recommended', 'rating', 'newest', 'nearest', 'price']).meta({
    description: 'price: by the “from” price, lowest first, whatever it is per; businesses without one come last',
  }),
  near: text(60)
    .optional()
    .meta({ description: 'The name of a place, or its latitude and longitude with two decimals', example: '-37.79,175.28' }),
  km: wholeNumber(radiusError)
    .refine((km) => km >= 1 && km <= 200, radiusError)
    .optional()
    .meta({ description: `How far away at most, with \`near\` or where a town or suburb is named: ${defaultRadiusKm} by default` }),
  minRating: optionalEnum(ratingChoices).meta({ description: 'The lowest average rating, as shown' }),
  verified: flag.meta({ description: '1: only businesses confirmed by a register' }),
  licensed: flag.meta({ description: '1: only businesses that state a licence' }),
  insured: flag.meta({ description: '1: only businesses that say they have public liability insurance' }),
  photos: flag.meta({ description: '1: only listings with photos' }),
  replied: flag.meta({ description: '1: only businesses that answer within a day' }),
  maxPrice: wholeNumber('Use whole dollars')
    .optional()
    .meta({ description: 'The highest “from” price, in whole dollars of the listing’s country' }),
  noMinimumCharge: flag.meta({ description: '1: only businesses that say they have no minimum charge' }),
  available: flag.meta({ description: '1: only businesses that say they have time this week' }),
  emergencyCallOut: flag.meta({ description: '1: only businesses that come out after hours' }),
  raw: flag.meta({ description: '1: search for the words exactly as typed' }),
  ...searchPage,
});
export type FindQuery = z.infer<typeof findQuery>;

const queryString = z.string().meta({ description: 'The parameters of a search, to go after “/search?”' });

const understanding = z.object({
  category: z.string().nullable().meta({ description: 'A group or main category by name' }),
  subCategory: z.string().nullable(),
  place: z.string().nullable().meta({ description: 'The place as people write it', example: 'Hamilton, Waikato' }),
  area: z
    .object({ country: z.string(), region: z.string().nullable(), district: z.string().nullable(), town: z.string().nullable() })
    .nullable()
    .meta({ description: 'The same place by its parts; of a town or suburb also the district around it' }),
  placeCountries: z.array(z.string()).meta({
    description: 'The countries that have a place of the name that was typed; `country` says which is meant',
    example: ['NZ', 'AU'],
  }),
  near: z
    .object({ label: z.string(), latitude: z.number(), longitude: z.number(), km: z.number() })
    .nullable()
    .meta({ description: 'The point that is searched around, and how far: a town or suburb, or a position. `label` is what `near` takes' }),
  words: z.string().meta({ description: 'The words that are searched for, besides category and place' }),
  wishes: z
    .array(
      z.object({
        text: z.string().meta({ description: 'As it was typed', example: 'under $60 an hour' }),
        filter: z.string().nullable().meta({
          description:
            'The parameter that it became, or with `isOffer` the one to offer; null where listings say nothing of the kind, or where it left few',
          example: 'maxPrice=60',
        }),
        isOffer: z.boolean().meta({ description: 'It changes nothing by itself' }),
        isFirst: z.boolean().meta({
          description: 'Businesses that fulfil it come first: emergency call-outs within a level, or the few that pass its filter',
        }),
      }),
    )
    .meta({ description: 'What the text says about time, price, urgency or quality; it is not searched for' }),
  nobody: z
    .string()
    .nullable()
    .meta({ description: 'A sentence where nobody in the country does the work', example: 'No chimney sweeps in New Zealand yet' }),
  corrected: z.string().nullable().meta({ description: 'What was searched for instead, if a typing error was corrected' }),
  widened: z
    .array(z.string())
    .meta({ description: 'What was left out because it found nothing, in words', example: ['without “unicorn”'] }),
  nearMe: z.boolean().meta({ description: 'The person asked for what is near them, so their position is needed' }),
  guess: z
    .object({ alternatives: z.array(z.object({ category: z.string(), subCategory: z.string().nullable(), query: queryString })) })
    .nullable()
    .meta({ description: 'Present if the category was guessed from a sentence' }),
});
export type Understanding = z.infer<typeof understanding>;

const countedPage = listingPage.extend({
  totalPages: z.int().nullable().meta({ description: 'At most 50; null where the search took too long to count the matches' }),
  totalListings: z
    .int()
    .nullable()
    .meta({ description: 'Exact up to 1,000; 1,000 where more match; null where the search took too long to count them' }),
  totalIsExact: z.boolean(),
});

const notice = z.string().nullable().meta({
  description:
    'A sentence for the reader where the search took too long, so that the answer is not all of it: the first matches, by plan, then the newest, or matches without their numbers beside filters and alternatives. Asking again may give all of it',
});

const memberPage = countedPage.extend({
  notice: notice.optional(),
  understood: understanding
    .optional()
    .meta({ description: 'Present if no listing has the words of `title`: how they were interpreted instead' }),
});
export type MemberPage = z.infer<typeof memberPage>;

export const listListingsCall = {
  method: 'GET',
  url: '/listing/all',
  summary: 'Search active listings',
  details:
    'Paid rank comes first, then the newest; where at most 1,000 match, those with the words in their title come first within a rank. A search that takes the database longer than two seconds answers with the first matches by plan, then the newest, without a total: `totalListings` and `totalPages` are null, and `notice` says so. If it has found none by then, it answers `search_timed_out`; that says nothing about how many match.',
  access: 'public',
  query: listingSearch,
  response: memberPage,
  errors: ['search_timed_out'],
} as const satisfies Call;

/** A card of a search. */
const searchCard = listingCard.extend({
  section: z.enum(sectionKeys).meta({ description: 'The section of the list that it is in' }),
  distanceKm: z.number().optional().meta({ description: 'From the place you asked for to where it is based' }),
  paidPlacement: z
    .literal(true)
    .optional()
    .meta({ description: 'It comes first because it is paid for, although this order does not go by plan' }),
  why: z
    .object({
      rank: z.enum(['featured', 'premium', 'basic']),
      words: z.array(z.enum(['title', 'business', 'services', 'description', 'category'])),
      level: z.enum(['names', 'mentions', 'category']).optional().meta({
        description: 'Whether it names what you asked for in title, services or sub-category, only mentions it, or is of the same category',
      }),
      distanceKm: z.number().optional(),
    })
    .optional()
    .meta({ description: 'Why it has this position' }),
});

const choiceCounts = <Value extends z.ZodType>(value: Value) => z.array(z.object({ value, total: z.int() }));

const findPage = countedPage.extend({
  understood: understanding,
  sections: z.array(z.object({ key: z.enum(sectionKeys), heading: z.string().nullable(), count: z.int().nullable() })).meta({
    description:
      'The list by section: `match` is the work in the place, and `totalListings` its number; where it has fewer than five, `further` is the same work further away, nearest first, and `related` other work of the same group in the place, five at most each',
  }),
  listings: z.array(searchCard),
  alternatives: z
    .array(
      z.object({
        label: z.string(),
        total: z.int(),
        query: queryString,
        isNamesake: z.literal(true).optional().meta({ description: 'It is in another place of the name that was typed' }),
      }),
    )
    .nullable()
    .meta({
      description:
        'Other searches to try if this one finds little, or other places of the same name, each with its number of results, where 1,000 stands for 1,000 and more; null if the search took too long to look for them',
    }),
  facets: z
    .object({
      minRating: choiceCounts(z.string()),
      maxPrice: choiceCounts(z.int()),
      verified: z.int(),
      licensed: z.int(),
      insured: z.int(),
      photos: z.int(),
      replied: z.int(),
      noMinimumCharge: z.int(),
      available: z.int(),
      emergencyCallOut: z.int(),
    })
    .nullable()
    .meta({
      description:
        'How many results each choice of a filter would leave; null if more than 1,000 match without it, or if the search took too long to count them',
    }),
  notice,
});
export type FindPage = z.infer<typeof findPage>;

export const findListingsCall = {
  method: 'GET',
  url: '/search',
  summary: 'Search listings in your own words',
  details:
    'What is typed is interpreted as a category, a place and words, and the answer says how. A search that takes the database longer than two seconds answers with the first matches by plan, then the newest, without a total: `totalListings` and `totalPages` are null, and `notice` says so. If it has found none by then, it answers `search_timed_out`; that says nothing about how many match.',
  access: 'public',
  query: findQuery,
  response: findPage,
  errors: ['search_timed_out'],
} as const satisfies Call;
