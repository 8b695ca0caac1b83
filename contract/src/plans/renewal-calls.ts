import { z } from 'zod';
import type { Call } from '../call.ts';
import { actionStatus } from '../payments/calls.ts';
import { subscription } from './calls.ts';
import { renewalDays, renewalHours } from './renewal.ts';

const subscriptionId = z.object({ id: z.uuid('Use the id of a subscription') });

export const switchRenewalOnCall = {
  method: 'PUT',
  url: '/plan-user/:id/renewal',
  summary: 'Renew a subscription every 30 days with a saved card, or change that card',
  details: `The card is charged ${renewalDays.charge} days before the end, at the earliest after ${renewalHours} hours; with less time left, or after a failed attempt, at once. A free month is used before the card.`,
  access: 'session',
  params: subscriptionId,
  body: z.object({
    cardId: z.uuid('Please choose a saved card'),
    amount: z.int('Use an amount in cents').optional().meta({ description: 'The price that was shown, in cents; another one is refused' }),
  }),
  response: z.object({
    status: actionStatus,
    message: z.string(),
    amount: z.int().meta({ description: 'What was or will be charged by this call, in cents' }),
    clientSecret: z.string().nullable(),
    paymentIntentId: z.string().nullable(),
    subscription,
  }),
  errors: [
    'not_authenticated',
    'subscription_not_found',
    'renewal_not_possible',
    'price_changed',
    'listing_hidden',
    'payment_disputed',
    'card_not_found',
    'card_declined',
    'payment_incomplete',
    'payment_processing',
    'payment_provider_unavailable',
    'payment_provider_refused',
    'payment_email_refused',
  ],
} as const satisfies Call;
export type RenewalOutcome = z.infer<typeof switchRenewalOnCall.response>;

export const switchRenewalOffCall = {
  method: 'DELETE',
  url: '/plan-user/:id/renewal',
  summary: 'Stop renewing a subscription',
  details: 'It runs to its end, and nothing more is charged.',
  access: 'session',
  params: subscriptionId,
  response: z.object({ message: z.string(), subscription }),
  errors: ['not_authenticated', 'subscription_not_found', 'renewal_not_possible'],
} as const satisfies Call;
