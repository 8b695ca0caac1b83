import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { type PriceUnit, priceUnits } from '../facts/prices.ts';
import { atMost, machineLine } from '../text-fields.ts';
import { findQuery } from './calls.ts';

const text = machineLine('Give this parameter once, as text').max(...atMost(60));

const name = { name: z.string(), region: z.string().meta({ description: 'Slug', example: 'waikato' }) };
const position = { latitude: z.number(), longitude: z.number() };

const placeTotal = z.object({
  name: z.string(),
  country: countryCode,
  region: z.string().meta({ description: 'Slug', example: 'waikato' }),
  district: z.string().nullable().meta({ description: 'Slug; null if the place is a region', example: 'hamilton' }),
  town: z.string().nullable().meta({ description: 'Slug; null unless the place is a town', example: 'cambridge' }),
  ...position,
  total: z.int(),
  query: z.string().meta({ description: 'The same search limited to this place: the parameters to go after “/search?”' }),
});

export const searchPlacesCall = {
  method: 'GET',
  url: '/search/places',
  summary: 'Count the listings of a search by place',
  details: 'By region; within a region by district, and within a district by town.',
  access: 'public',
  query: findQuery.extend({
    pins: z.literal('none').optional().meta({ description: '`none`: only the places, which are found sooner than the pins' }),
  }),
  response: z.object({
    places: z.array(placeTotal).meta({
      description: 'Only places with listings. Empty for a search by distance',
    }),
    isWhole: z.boolean().meta({ description: 'True if these are the regions of whole countries' }),
    pins: z
      .array(
        z.object({
          name: z.string().meta({ description: 'The town, suburb or district' }),
          ...position,
          total: z.int(),
          listings: z
            .array(
              z.object({
                _id: z.uuid(),
                businessTitle: z.string(),
                serviceTitle: z.string(),
                averageRating: z.number().nullable().meta({ description: 'Null without reviews' }),
                priceFrom: z.int().nullable().meta({ description: 'In cents' }),
                priceUnit: z.enum(Object.keys(priceUnits) as [PriceUnit, ...PriceUnit[]]).nullable(),
              }),
            )
            .meta({ description: 'The first of them, in the order of the search' }),
        }),
      )
      .meta({ description: 'Where the first 1,000 results are, in their order; empty with `pins=none`' }),
    isComplete: z.boolean().meta({ description: 'True if the pins show all results' }),
  }),
  errors: ['search_timed_out'],
} as const satisfies Call;
export type PlacesQuery = z.infer<typeof searchPlacesCall.query>;
export type MapPin = z.infer<typeof searchPlacesCall.response>['pins'][number];
export type PlaceTotals = z.infer<typeof searchPlacesCall.response>;

export const getTownCall = {
  method: 'GET',
  url: '/search/town',
  summary: 'Get a town, suburb or district with the number of listings there and nearby',
  access: 'public',
  query: z.strictObject({
    region: text.meta({ description: 'Slug', example: 'waikato' }),
    town: text.meta({
      description: 'As in the address of its page, with the postcode if its region has two places of that name',
      example: 'cambridge',
    }),
    category: text.optional().meta({ description: 'Slug of a group, to count only its listings', example: 'plumbing' }),
  }),
  response: z.object({
    ...name,
    slug: z.string(),
    isDistrict: z.boolean().meta({ description: 'True if it stands for a whole district' }),
    near: z.string().nullable().meta({ description: 'What a search takes as `near` to find the same listings; null for a district' }),
    district: z.object({ name: z.string(), slug: z.string(), total: z.int() }),
    total: z.int().meta({
      description:
        'How many listings a search near it finds, 1,000 at most: those based within 25 km and those that travel there; for a district, how many are in it',
    }),
    ...position,
    nearby: z
      .array(
        z.object({
          ...name,
          slug: z.string().nullable().meta({ description: 'Null for a district that makes up its whole region' }),
          total: z.int().meta({ description: 'How many listings are based there' }),
          distanceKm: z.number(),
        }),
      )
      .meta({ description: 'The nearest places with listings, nearest first' }),
  }),
  errors: ['search_timed_out'],
} as const satisfies Call;
export type Town = z.infer<typeof getTownCall.response>;
