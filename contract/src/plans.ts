import { z } from 'zod';
import type { Call } from './call.ts';
import { countryCode } from './markets.ts';
import { currency } from './payments.ts';
import { line } from './text-fields.ts';

export const planType = z.enum(['basic', 'premium', 'featured']);
export type PlanType = z.infer<typeof planType>;

const plan = z.object({
  _id: z.uuid(),
  planType,
  name: z.string(),
  planPrice: z.number().meta({ description: 'Dollars of the listing’s own currency, GST included', example: 25 }),
  priceMinor: z.int().meta({ description: 'The same in cents', example: 2500 }),
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

export const planId = z.uuid('Plan selection is required');
export const countryOfPlan = countryCode
  .optional()
  .meta({ description: 'The country of the listing, which decides the currency. Without it the host’s, else NZ' });

/** What a payment or a free month bought: one plan for 30 days, for so many listings of one country. */
const subscription = z.object({
  _id: z.uuid(),
  planId: plan,
  plan,
  country: countryCode,
  timeZone: z.string().meta({
    description: 'By whose clocks it ends: its first listing’s region, else the country’s largest city',
    example: 'Australia/Perth',
  }),
  startDate: z.iso.datetime(),
  endDate: z.iso.datetime(),
  slots: z.int(),
  slotsUsed: z.int().meta({ description: 'Listings that it covers, also those that are switched off' }),
  isActive: z.boolean(),
  isFree: z.boolean().meta({ description: 'A free month, not bought' }),
  isReturned: z.boolean().meta({ description: 'It ended because its whole payment went back' }),
  isDisputed: z.boolean().meta({ description: 'A bank decides about its payment: nothing new can be published under it' }),
});
export type Subscription = z.infer<typeof subscription>;

/**
 * What takes a free month, and what is still missing for it on a plan: a confirmed address always, a saved card on premium and
 * featured. Nothing is charged.
 */
export const freeMonth = z.object({
  source: z.enum(['free_first_month', 'free_month']).meta({ description: 'The first month after a referral code, or a credit' }),
  needs: z.enum(['confirmed_address', 'saved_card']).nullable().meta({ description: 'Null where it can be taken now' }),
});
export type FreeMonth = z.infer<typeof freeMonth>;

/** A free month that one has and has not used: it pays for a new subscription or a reactivation on any plan, in either country. */
const credit = z.object({
  id: z.uuid(),
  source: z.enum(['referral', 'first_month']).meta({
    description: 'Tickets of a referral that were swapped; or the first month that was kept back while one’s own referral was looked at',
  }),
  createdAt: z.iso.datetime(),
});

export const listSubscriptions = {
  method: 'GET',
  url: '/plan-user/my-subscriptions',
  summary: 'One’s subscriptions, running ones first, and whether the first month would be free, and the free months that one has',
  access: 'session',
  response: z.object({
    data: z.object({
      subscriptions: z.array(subscription),
      freeFirstMonth: z.boolean().meta({ description: 'A referral code was given and no plan was ever taken: the next one costs nothing' }),
      credits: z.array(credit),
    }),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** What is to be paid, in cents. Nothing to pay: amount 0, and neither secret nor id. */
export const payable = z.object({
  clientSecret: z.string().nullable(),
  paymentIntentId: z.string().nullable(),
  amount: z.int(),
  currency,
  free: freeMonth.nullable().meta({ description: 'The free month that makes the amount 0; null where the amount is to be paid' }),
});

/** What may keep it from being said. */
export const payableErrors = [
  'not_authenticated',
  'plan_not_found',
  'already_covered',
  'payment_processing',
  'free_month_used',
  'own_referral_code',
  'referral_refused',
  'payment_provider_unavailable',
  'payment_provider_refused',
  'payment_email_refused',
] as const;

export const createIntent = {
  method: 'POST',
  url: '/plan-user/create-intent',
  summary: 'Begin to pay for a plan. Asked again, the same open intent is handed out, so that nobody pays twice',
  access: 'session',
  status: 201,
  body: z.object({ planId, referralCode: line().max(64).nullish(), country: countryOfPlan }),
  response: payable,
  errors: payableErrors,
} as const satisfies Call;

export const confirmPayment = {
  method: 'POST',
  url: '/plan-user/confirm-payment',
  summary: 'Ask the provider about one’s payment and turn it into what it pays for, once',
  access: 'session',
  body: z.object({
    paymentIntentId: z.string({ error: 'Use the id of a payment intent' }).regex(/^pi_\w{1,200}$/, 'Use the id of a payment intent'),
  }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    paymentIntentId: z.string(),
    subscription: subscription.nullable().meta({ description: 'Null where the payment was refunded because nothing was left to buy' }),
    refunded: z.boolean(),
  }),
  errors: [
    'not_authenticated',
    'payment_not_found',
    'payment_incomplete',
    'payment_processing',
    'payment_provider_unavailable',
    'payment_provider_refused',
  ],
} as const satisfies Call;
