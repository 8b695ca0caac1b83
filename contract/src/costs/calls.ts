import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { type PriceUnit, priceUnits } from '../facts/prices.ts';
import { regions } from '../places/regions.ts';
import { atMost, line } from '../text-fields.ts';
import { minSample } from './words.ts';

const name = z.object({ name: z.string(), slug: z.string() });

const price = z.object({
  unit: z.enum(Object.keys(priceUnits) as [PriceUnit, ...PriceUnit[]]),
  currency: z.enum(['NZD', 'AUD']),
  sample: z.int().meta({ description: `How many active listings name a price in this unit: ${minSample} at least` }),
  median: z.int().meta({ description: 'In cents, GST included' }),
  low: z.int().meta({ description: 'The lower quartile: a quarter of the listings ask less' }),
  high: z.int().meta({ description: 'The upper quartile: a quarter of the listings ask more' }),
});
export type AskingPrice = z.infer<typeof price>;

const prices = z.array(price).meta({ description: 'By currency and unit, the largest sample first' });
const asOf = z.iso.datetime().meta({ description: 'When the prices were computed' });
const country = countryCode.optional().meta({ description: 'The country of the host by default; both where the host has none' });

export const listCostsCall = {
  method: 'GET',
  url: '/costs',
  summary: 'List the services whose asking prices are known',
  details: `Prices are what active listings ask, not what people paid. A service is listed if at least ${minSample} listings of a country name a price in the same unit; computed once a day.`,
  access: 'public',
  query: z.strictObject({ country }),
  response: z.object({
    services: z.array(z.object({ category: name, subCategory: name, prices })),
    asOf: asOf.nullable().meta({ description: 'When the prices were computed; null if there are none' }),
  }),
  errors: [],
} as const satisfies Call;
export type ServiceCosts = z.infer<typeof listCostsCall.response>['services'][number];

export const getCostsCall = {
  method: 'GET',
  url: '/costs/:category/:subCategory',
  summary: 'Get what a service costs: median and quartiles of asking prices',
  details: `Prices are what active listings ask, not what people paid. Samples below ${minSample} are left out; computed once a day.`,
  access: 'public',
  params: z.object({ category: line().max(...atMost(60)), subCategory: line().max(...atMost(60)) }),
  query: z.strictObject({
    country,
    region: z
      .string({ error: 'Give this parameter once, as text' })
      .refine((slug) => regions.some((one) => one.slug === slug), 'There is no such name here')
      .optional()
      .meta({ description: 'Slug of a region, for its prices instead of the country’s', example: 'otago' }),
  }),
  response: z.object({
    category: name,
    subCategory: name,
    prices,
    regions: z
      .array(name.extend({ country: countryCode, prices }))
      .meta({ description: `The regions that have at least ${minSample} prices in the same unit; empty if one was asked for` }),
    asOf,
  }),
  errors: ['costs_not_found'],
} as const satisfies Call;
export type Costs = z.infer<typeof getCostsCall.response>;
