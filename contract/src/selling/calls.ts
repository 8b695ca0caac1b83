import { z } from 'zod';
import type { Call } from '../call.ts';
import { availabilityStates, maxBookedDays } from '../listings/availability.ts';
import { listing, listingId, listingPage, listingStatus, pageQuery } from '../listings/calls.ts';
import { actionStatus, currency, paymentMethodFields } from '../payments/calls.ts';
import { maxLogoBytes, maxPhotoBytes } from '../pictures.ts';
import { freeMonth, planId } from '../plans/calls.ts';
import { subscriptionDays } from '../plans/table.ts';
import { maxPhotos } from './form-rules.ts';
import { listingEdit, listingForm } from './forms.ts';

const fileErrors = [
  'unsupported_picture',
  'picture_too_large',
  'file_too_large',
  'too_many_files',
  'body_too_large',
  'storage_full',
  'storage_unavailable',
] as const;

const listingFiles = {
  serviceImages: { maxFiles: maxPhotos, maxBytes: maxPhotoBytes },
  logo: { maxFiles: 1, maxBytes: maxLogoBytes },
} as const;

export const createListingCall = {
  method: 'POST',
  url: '/listing/create',
  summary: 'Publish a listing under a plan that is paid for, covered by a subscription or free',
  access: 'session',
  status: 201,
  form: listingForm,
  files: listingFiles,
  response: z.object({ _id: z.uuid(), listing }),
  errors: [
    'not_authenticated',
    'plan_not_found',
    'payment_required',
    'payment_incomplete',
    'payment_processing',
    'payment_not_found',
    'payment_mismatch',
    'payment_used',
    'no_free_slot',
    'address_not_confirmed',
    'card_needed',
    'submission_taken',
    'payment_provider_unavailable',
    'payment_provider_refused',
    ...fileErrors,
  ],
} as const satisfies Call;

export const checkPhotosCall = {
  method: 'POST',
  url: '/listing/check-photos',
  summary: 'Check whether photos and a logo can be used, before anything is paid',
  details: 'Nothing is stored.',
  access: 'session',
  form: z.object({}),
  files: listingFiles,
  response: z.object({
    refused: z
      .array(z.object({ field: z.string().meta({ example: 'serviceImages[0]' }), message: z.string() }))
      .meta({ description: 'The files that cannot be used, by their fields; all others can' }),
  }),
  errors: ['not_authenticated', 'file_too_large', 'too_many_files', 'body_too_large', 'storage_full', 'storage_unavailable'],
} as const satisfies Call;

export const updateListingCall = {
  method: 'PUT',
  url: '/listing/:id',
  summary: 'Change your listing’s text, place, pictures and logo',
  details: 'Its plan stays the same.',
  access: 'session',
  params: listingId,
  form: listingEdit,
  files: listingFiles,
  response: z.object({ listing }),
  errors: ['not_authenticated', 'listing_not_found', ...fileErrors],
} as const satisfies Call;

export const deactivateListingCall = {
  method: 'PUT',
  url: '/listing/:id/deactivate',
  summary: 'Deactivate your listing',
  details: 'It leaves the search but keeps its slot.',
  access: 'session',
  params: listingId,
  response: z.object({ message: z.string(), listing }),
  errors: ['not_authenticated', 'listing_not_found', 'listing_not_active'],
} as const satisfies Call;

export const setAvailabilityCall = {
  method: 'PUT',
  url: '/listing/:id/availability',
  summary: 'Set when you have time',
  details: `The state this_week holds until Sunday, next_week becomes this_week on Monday, and booked_until ends with its day, at most ${maxBookedDays} days ahead; all in the time zone of the listing. It ends by itself, and one email reminds you.`,
  access: 'session',
  params: listingId,
  body: z.object({
    state: z.enum(availabilityStates, 'Use this_week, next_week or booked_until'),
    until: z.iso
      .date('Use a date, as in 2027-01-31')
      .nullish()
      .meta({ description: 'The last day that you are booked, for booked_until only' }),
  }),
  response: z.object({ listing }),
  errors: ['not_authenticated', 'listing_not_found', 'listing_not_active'],
} as const satisfies Call;

export const clearAvailabilityCall = {
  method: 'DELETE',
  url: '/listing/:id/availability',
  summary: 'Remove when you have time',
  access: 'session',
  params: listingId,
  response: z.object({ listing }),
  errors: ['not_authenticated', 'listing_not_found'],
} as const satisfies Call;

/**
 * The result of calls that may charge a card. `requires_action`: the cardholder confirms `clientSecret` with the provider, then `/plan-
 * user/confirm-payment` finishes it. `processing`: the bank has not decided yet; it continues by itself.
 */
const chargeOutcome = z.object({
  status: actionStatus,
  message: z.string(),
  amount: z.int().meta({ description: 'What was or will be charged, in cents' }),
  listing,
  clientSecret: z.string().nullable(),
  paymentIntentId: z.string().nullable(),
});
export type ChargeOutcome = z.infer<typeof chargeOutcome>;

const chargeErrors = [
  'not_authenticated',
  'listing_not_found',
  'plan_not_found',
  'card_not_found',
  'card_declined',
  'payment_incomplete',
  'payment_processing',
  'payment_provider_unavailable',
  'payment_provider_refused',
  'payment_email_refused',
] as const;

/** Instead of a saved card. */
const anotherCard = {
  ...paymentMethodFields,
  saveCard: z.boolean().optional().meta({ description: 'Keep that card for the next time that one pays' }),
} as const;

export const getPlanPriceCall = {
  method: 'GET',
  url: '/plan-user/quote',
  summary: 'Get what a change of plan or a reactivation would cost now',
  access: 'session',
  query: z.strictObject({ planId, listingId: z.uuid('Use the id of a listing') }),
  response: z.object({
    amount: z.int().meta({ description: 'In cents, GST included' }),
    currency,
    reason: z.string().meta({ example: 'Featured $35.00 less $12.50 for 15 unused days of Premium.' }),
    endDate: z.iso.datetime().meta({ description: 'When the new or current period would end' }),
    timeZone: z.string().meta({ description: 'The time zone of the listing’s region', example: 'Australia/Perth' }),
    free: freeMonth.nullable().meta({ description: 'The free month that makes the amount 0; always null for a change of plan' }),
    renewal: z.object({ cardId: z.uuid(), amount: z.int(), currency }).nullable().meta({
      description: 'The renewal that the change ends, at the price that it would have under the new plan; null if none is switched on',
    }),
  }),
  errors: ['not_authenticated', 'plan_not_found', 'listing_not_found', 'plan_too_small'],
} as const satisfies Call;

export const changePlanCall = {
  method: 'PUT',
  url: '/listing/:id/plan',
  summary: 'Change the plan of the subscription that covers your listing',
  details: `A new period of ${subscriptionDays} days begins.`,
  access: 'session',
  params: listingId,
  body: z.object({
    planId: z.uuid('Please select a plan and payment method'),
    paymentId: z
      .uuid('Please select a plan and payment method')
      .nullish()
      .meta({ description: 'The id of a saved card; not needed if the price is 0' }),
    ...anotherCard,
  }),
  response: chargeOutcome,
  errors: [...chargeErrors, 'listing_not_active', 'plan_too_small'],
} as const satisfies Call;

export const reactivateListingCall = {
  method: 'PUT',
  url: '/listing/:id/reactivate',
  summary: 'Reactivate an inactive or expired listing',
  details: 'Free if a subscription or a free month covers it; otherwise it takes a plan and a saved card.',
  access: 'session',
  params: listingId,
  body: z.object({
    planId: z.uuid('Please select a plan and payment method').nullish(),
    paymentId: z
      .uuid('Please select a plan and payment method')
      .nullish()
      .meta({ description: 'The id of a saved card; not needed if it is free' }),
    ...anotherCard,
  }),
  response: chargeOutcome,
  errors: [...chargeErrors, 'listing_already_active', 'listing_hidden', 'address_not_confirmed', 'card_needed'],
} as const satisfies Call;

export const myListingsPageSize = 12;

export const listMyListingsCall = {
  method: 'GET',
  url: '/listing/mylistings',
  summary: 'List your listings, active ones first and expired ones last',
  details: 'Listings of the same status come newest first.',
  access: 'session',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(['all', ...listingStatus.options], 'Use all, active, inactive, expired or hidden').optional(),
  }),
  response: listingPage,
  errors: ['not_authenticated'],
} as const satisfies Call;
