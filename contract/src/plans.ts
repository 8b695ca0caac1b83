import { z } from 'zod';
import type { Call } from './call.ts';

export const planType = z.enum(['basic', 'premium', 'featured']);
export type PlanType = z.infer<typeof planType>;

export const subscriptionDays = 30;

/**
 * The plans, cheapest first. `priceMinor` is in cents of the listing's own currency, GST included; `slots` is how many
 * listings one subscription covers; `rank` decides the order in search, the highest first.
 */
export const plans = {
  basic: {
    name: 'Basic',
    rank: 1,
    priceMinor: 1500,
    slots: 1,
    photos: 5,
    features: ['Basic search visibility', 'Up to 5 photos', '1 listing'],
  },
  premium: {
    name: 'Premium',
    rank: 2,
    priceMinor: 2500,
    slots: 5,
    photos: 10,
    features: ['Higher ranking in search', 'Up to 10 photos', 'Up to 5 listings', 'Highlighted listing'],
  },
  featured: {
    name: 'Featured',
    rank: 3,
    priceMinor: 3500,
    slots: 10,
    photos: 15,
    features: ['Top placement in search', 'Up to 15 photos', 'Up to 10 listings', 'Featured on the homepage'],
  },
} as const satisfies Record<
  PlanType,
  { name: string; rank: number; priceMinor: number; slots: number; photos: number; features: readonly string[] }
>;

export const plan = z.object({
  _id: z.uuid(),
  planType,
  name: z.string(),
  planPrice: z.number().meta({ description: 'Dollars of the listing’s own currency, GST included', example: 25 }),
  features: z.array(z.string()),
  rank: z.int(),
  slots: z.int(),
  photos: z.int(),
  mostPopular: z.boolean(),
});
export type Plan = z.infer<typeof plan>;

export const listPlans = {
  method: 'GET',
  url: '/plan/all',
  summary: 'The plans that a listing can be published under, cheapest first',
  access: 'public',
  response: z.array(plan),
  errors: [],
} as const satisfies Call;
