import { z } from 'zod';
import type { Call } from './call.ts';
import { countryCode } from './markets.ts';
import { findQuery } from './search.ts';
import { line } from './text-fields.ts';

const text = line('Give this parameter once, as text').max(60, 'Use at most 60 characters');

const name = { name: z.string(), region: z.string().meta({ description: 'Slug', example: 'waikato' }) };
const position = { latitude: z.number(), longitude: z.number() };

const foundPlace = z.object({
  name: z.string(),
  country: countryCode,
  region: z.string().meta({ description: 'Slug', example: 'waikato' }),
  district: z.string().nullable().meta({ description: 'Slug, where the place is no region', example: 'hamilton' }),
  town: z.string().nullable().meta({ description: 'Slug, where the place is a town', example: 'cambridge' }),
  ...position,
  total: z.int(),
  query: z.string().meta({ description: 'The same search there only: the parameters to follow “/search?”' }),
});

export const searchPlaces = {
  method: 'GET',
  url: '/search/places',
  summary: 'Where the listings of a search are: its regions, or those of a region by district, those of a district by town',
  access: 'public',
  query: findQuery,
  response: z.object({
    places: z.array(foundPlace).meta({
      description: 'Only where there are listings. None for searches by distance, which have their places in the order of their listings',
    }),
    isWhole: z.boolean().meta({ description: 'The regions of whole countries' }),
  }),
  errors: [],
} as const satisfies Call;
export type FoundPlaces = z.infer<typeof searchPlaces.response>;

export const getTown = {
  method: 'GET',
  url: '/search/town',
  summary: 'A town, suburb or district of a region, with the number of its listings and those of the places around it',
  access: 'public',
  query: z.strictObject({
    region: text.meta({ description: 'Slug', example: 'waikato' }),
    town: text.meta({
      description: 'As in the address of its page, with the postcode where its region has two of the name',
      example: 'cambridge',
    }),
    category: text.optional().meta({ description: 'Slug of a group: only its listings are counted', example: 'plumbing' }),
  }),
  response: z.object({
    ...name,
    slug: z.string(),
    isDistrict: z.boolean().meta({ description: 'It stands for a whole district' }),
    district: z.object({ name: z.string(), slug: z.string(), total: z.int() }),
    total: z.int().meta({ description: 'Listings that are based there' }),
    ...position,
    nearby: z
      .array(
        z.object({
          ...name,
          slug: z.string().nullable().meta({ description: 'Null for a district that is its whole region' }),
          total: z.int(),
          distanceKm: z.number(),
        }),
      )
      .meta({ description: 'The nearest places with listings, the nearest first' }),
  }),
  errors: [],
} as const satisfies Call;
export type Town = z.infer<typeof getTown.response>;
