import { z } from 'zod';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { actionStatus, currency, paymentMethodFields, paymentMethodErrors } from '../payments/calls.ts';
import { machineLine, referralCodeText } from '../text-fields.ts';

export const planType = z.enum(['basic', 'premium', 'featured']);
export type PlanType = z.infer<typeof planType>;

const plan = z.object({
  _id: z.uuid(),
  planType,
  name: z.string(),
  planPrice: z.number().meta({ description: 'In dollars of the listing’s currency, GST included', example: 25 }),
  priceMinor: z.int().meta({ description: 'The same price in cents', example: 2500 }),
  features: z.array(z.string()),
  rank: z.int(),
  slots: z.int(),
  photos: z.int(),
  mostPopular: z.boolean(),
});
export type Plan = z.infer<typeof plan>;

export const listPlansCall = {
  method: 'GET',
  url: '/plan/all',
  summary: 'List the plans that a listing can be published under, cheapest first',
  access: 'public',
  response: z.array(plan),
  errors: [],
} as const satisfies Call;

export const planId = z.uuid('Plan selection is required');
export const countryOfPlan = countryCode
  .optional()
  .meta({ description: 'The country of the listing, which decides the currency. If left out: the host’s country, or else NZ' });

export const businessNumberOfPlan = machineLine()
  .max(40)
  .nullish()
  .meta({ description: 'The listing’s NZBN or ABN, if it has one: each business has one free first month' });

const renewal = z.object({
  cardId: z.uuid().meta({ description: 'The saved card that is charged; it may have been removed since' }),
  amount: z.int().meta({ description: 'The price that was agreed to, in cents, GST included' }),
  currency,
  nextChargeAt: z.iso.datetime().nullable().meta({ description: 'The next attempt; null if none is left' }),
  state: z
    .enum(['on', 'failed', 'needs_action'])
    .meta({ description: '`needs_action`: the bank wants its cardholder to confirm the payment' }),
  problem: z.string().nullable().meta({ description: 'Why the last attempt charged nothing; null if the state is `on`' }),
});
export type Renewal = z.infer<typeof renewal>;

/** What a payment or a free month bought: one plan for 30 days, for a number of listings in one country. */
export const subscription = z.object({
  _id: z.uuid(),
  planId: plan,
  plan,
  country: countryCode,
  timeZone: z.string().meta({
    description: 'The time zone it ends by: that of its first listing’s region, or else the country’s largest city',
    example: 'Australia/Perth',
  }),
  startDate: z.iso.datetime(),
  endDate: z.iso.datetime(),
  slots: z.int(),
  slotsUsed: z.int().meta({ description: 'How many listings it covers, including inactive ones' }),
  isActive: z.boolean(),
  isFree: z.boolean().meta({ description: 'It is a free month that was not paid for' }),
  isReplaced: z.boolean().meta({ description: 'It ended because a change of plan put another one in its place' }),
  isReturned: z
    .boolean()
    .meta({ description: 'It ended because nothing of its payment pays for it any more, also while a refund is pending' }),
  isDisputed: z.boolean().meta({ description: 'Its payment is disputed at the bank, so nothing new can be published under it' }),
  isRenewed: z.boolean().meta({ description: 'The next period is paid: another subscription begins when it ends, and has its listings' }),
  renewal: renewal.nullable().meta({ description: 'Null if it ends without being renewed, or is renewed already' }),
});
export type Subscription = z.infer<typeof subscription>;

/**
 * Which free month applies and what it still needs: always a confirmed address; on premium and featured a saved card without another
 * account's free month. Nothing is charged.
 */
export const freeMonth = z.object({
  source: z
    .enum(['free_first_month', 'free_month'])
    .meta({ description: 'The free first month that comes with a referral code, or a credit' }),
  needs: z.enum(['confirmed_address', 'saved_card', 'other_card']).nullable().meta({ description: 'Null if it can be used now' }),
});
export type FreeMonth = z.infer<typeof freeMonth>;

/** An unused free month: pays for a new subscription or a reactivation on any plan in either country. */
const credit = z.object({
  id: z.uuid(),
  source: z.enum(['referral', 'first_month']).meta({
    description: 'Tickets of a referral that were swapped, or the first month that was held back while your own referral was checked',
  }),
  createdAt: z.iso.datetime(),
});

export const listSubscriptionsCall = {
  method: 'GET',
  url: '/plan-user/my-subscriptions',
  summary: 'List your subscriptions, active ones first, and your free months',
  access: 'session',
  response: z.object({
    data: z.object({
      subscriptions: z.array(subscription),
      freeFirstMonth: z.boolean().meta({ description: 'A referral code was entered and no plan was ever used, so the next one is free' }),
      credits: z.array(credit),
    }),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** The amount due in cents; 0 has neither secret nor id. */
const heldReferral = z.object({
  heldBecause: z.string(),
  heldUntil: z.iso.datetime(),
  heldOutcome: z.enum(['counts', 'lapses']).meta({ description: 'What happens if nobody has decided by then' }),
});
export type HeldReferral = z.infer<typeof heldReferral>;

export const payable = z.object({
  clientSecret: z.string().nullable(),
  paymentIntentId: z.string().nullable(),
  amount: z.int(),
  currency,
  free: freeMonth.nullable().meta({ description: 'The free month that makes the amount 0; null if the amount has to be paid' }),
  heldReferral: heldReferral
    .nullable()
    .meta({ description: 'Why your referral code does not make the plan free yet; null if it is not held' }),
});

export const payableErrors = [
  'not_authenticated',
  'plan_not_found',
  'already_covered',
  'payment_processing',
  'free_month_used',
  'own_referral_code',
  'referral_refused',
  'referral_code_set',
  'payment_provider_unavailable',
  'payment_provider_refused',
  'payment_email_refused',
] as const;

export const createIntentCall = {
  method: 'POST',
  url: '/plan-user/create-intent',
  summary: 'Start paying for a plan',
  details: 'Ask again and you get the same open intent, so nobody pays twice.',
  access: 'session',
  status: 201,
  body: z.object({
    planId,
    referralCode: referralCodeText().max(64).nullish(),
    country: countryOfPlan,
    businessNumber: businessNumberOfPlan,
  }),
  response: payable,
  errors: payableErrors,
} as const satisfies Call;

const paymentIntentId = z.string({ error: 'Use the id of a payment intent' }).regex(/^pi_\w{1,200}$/, 'Use the id of a payment intent');

export const payIntentCall = {
  method: 'POST',
  url: '/plan-user/pay',
  summary: 'Finish a payment that was started, with the card or wallet the form collected',
  access: 'session',
  body: z.object({
    paymentIntentId,
    ...paymentMethodFields,
    paymentId: z.uuid('Use the id of a saved card').nullish().meta({ description: 'Instead of them: id of a saved card' }),
    saveCard: z.boolean().optional().meta({ description: 'Keep the card for the next time that one pays' }),
  }),
  response: z.object({ status: actionStatus, clientSecret: z.string().nullable(), paymentIntentId: z.string() }),
  errors: ['not_authenticated', 'payment_not_found', ...paymentMethodErrors, 'payment_email_refused'],
} as const satisfies Call;

export const confirmPaymentCall = {
  method: 'POST',
  url: '/plan-user/confirm-payment',
  summary: 'Confirm your payment with the provider and start what it pays for',
  details: 'However often it is called, this happens once.',
  access: 'session',
  body: z.object({ paymentIntentId }),
  response: z.object({
    success: z.literal(true),
    message: z.string(),
    paymentIntentId: z.string(),
    subscription: subscription.nullable().meta({ description: 'Null if the payment was refunded because there was nothing left to buy' }),
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
