import { z } from 'zod';
import { sessionUser } from '../accounts/calls.ts';
import type { Call } from '../call.ts';
import { listingStatus, pageQuery } from '../listings/calls.ts';
import { picture } from '../listings/picture.ts';
import { lookMinutes } from '../periods.ts';
import { removalReasons, type RemovalReason } from '../reviews/words.ts';
import { atMost, machineLine, requiredLines } from '../text-fields.ts';
import { pages } from './calls.ts';

// Search for administrators. Totals stop at `maxCounted` of `limits.ts`.

const q = machineLine()
  .max(...atMost(200))
  .optional();

const foundUser = z.object({
  _id: z.uuid(),
  fullName: z.string(),
  username: z.string(),
  email: z.string(),
  role: z.enum(['user', 'admin']),
  emailConfirmed: z.boolean(),
  createdAt: z.iso.datetime(),
  suspendedAt: z.iso.datetime().nullable(),
  deletedAt: z.iso.datetime().nullable(),
  listings: z.int(),
});
export type FoundUser = z.infer<typeof foundUser>;

const foundListing = z.object({
  _id: z.uuid(),
  listingNumber: z.int(),
  serviceTitle: z.string(),
  businessTitle: z.string(),
  status: listingStatus,
  createdAt: z.iso.datetime(),
  endsAt: z.iso.datetime(),
  seller: z.object({ _id: z.uuid(), name: z.string(), username: z.string() }),
});
export type FoundListing = z.infer<typeof foundListing>;

const foundReview = z.object({
  _id: z.uuid(),
  rating: z.int(),
  comment: z.string(),
  pictures: z.array(picture),
  answer: z.string().nullable(),
  createdAt: z.iso.datetime(),
  removedBecause: z.enum(Object.keys(removalReasons) as [RemovalReason]).nullable(),
  author: z.object({ _id: z.uuid(), name: z.string(), username: z.string() }),
  listing: z.object({ _id: z.uuid(), listingNumber: z.int(), serviceTitle: z.string() }),
});
export type FoundReview = z.infer<typeof foundReview>;

const foundPayment = z.object({
  _id: z.uuid(),
  intentId: z.string().nullable(),
  purpose: z.enum(['listing', 'plan_change', 'reactivation', 'renewal']),
  amountMinor: z.int(),
  currency: z.string(),
  status: z.enum(['open', 'succeeded', 'failed', 'canceled']),
  createdAt: z.iso.datetime(),
  receiptNumber: z.int().nullable(),
  refund: z
    .object({ status: z.enum(['pending', 'succeeded', 'failed', 'canceled']), reason: z.string(), amountMinor: z.int() })
    .nullable()
    .meta({ description: 'The newest ones' }),
  owedMinor: z.int().meta({ description: 'What should have been refunded and was not' }),
  isDisputed: z.boolean().meta({ description: 'Whether it is disputed at the bank' }),
  payer: z.object({ _id: z.uuid(), name: z.string(), username: z.string() }),
});
export type FoundPayment = z.infer<typeof foundPayment>;

export const searchUsersCall = {
  method: 'GET',
  url: '/admin/users',
  summary: 'Search accounts by email, name, username or id, newest first',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    q,
    status: z.enum(['all', 'suspended', 'administrators', 'unconfirmed', 'deleted'], 'Use a status of the list').optional(),
  }),
  response: z.object({ users: z.array(foundUser), ...pages }),
  errors: [],
} as const satisfies Call;

const userId = z.object({ id: z.uuid('Use the id of a user') });

export const getUserForAdminCall = {
  method: 'GET',
  url: '/admin/users/:id',
  summary: 'Get an account with its latest listings and payments',
  details: 'Also its sessions, and which staff have viewed the site as this user.',
  access: 'admin',
  params: userId,
  response: z.object({
    user: foundUser,
    listings: z.array(foundListing),
    payments: z.array(foundPayment),
    sessions: z.array(z.object({ browser: z.string(), createdAt: z.iso.datetime(), lastUsedAt: z.iso.datetime() })),
    looks: z.array(z.object({ by: z.string(), reason: z.string(), begunAt: z.iso.datetime() })),
  }),
  errors: ['user_not_found'],
} as const satisfies Call;

export const searchListingsCall = {
  method: 'GET',
  url: '/admin/listings',
  summary: 'Search listings, newest first',
  details: 'By number, id, words in the title or business name, or seller (@name or email).',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, q, status: z.enum(['all', ...listingStatus.options], 'Use a status of the list').optional() }),
  response: z.object({ listings: z.array(foundListing), ...pages }),
  errors: [],
} as const satisfies Call;

export const searchReviewsCall = {
  method: 'GET',
  url: '/admin/reviews',
  summary: 'Search reviews, newest first',
  details: 'By id, words in the review or its answer, author (@name or email), or listing (#number or id).',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    q,
    stars: z.enum(['1', '2', '3', '4', '5'], 'Use a number of stars from 1 to 5').transform(Number).optional(),
    status: z.enum(['all', 'published', 'answered', 'removed', 'withdrawn'], 'Use a status of the list').optional(),
  }),
  response: z.object({ reviews: z.array(foundReview), ...pages }),
  errors: [],
} as const satisfies Call;

export const searchPaymentsCall = {
  method: 'GET',
  url: '/admin/payments',
  summary: 'Search payments, newest first',
  details: 'By intent, id, tax invoice number, payer, or the provider’s id of a refund or dispute.',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    q,
    status: z
      .enum(['all', 'open', 'succeeded', 'failed', 'canceled', 'refunded', 'owed', 'disputed'], 'Use a status of the list')
      .optional(),
  }),
  response: z.object({ payments: z.array(foundPayment), ...pages }),
  errors: [],
} as const satisfies Call;

const maxLookReason = 500;

export const startLookCall = {
  method: 'POST',
  url: '/admin/users/:id/look',
  summary: `View the site as a user for ${lookMinutes} minutes, without being able to change anything`,
  details: 'The user sees this visit and its reason among their sessions.',
  access: 'admin',
  status: 201,
  params: userId,
  body: z.object({ reason: requiredLines('Say why: the user reads it', maxLookReason) }),
  response: z.object({ data: sessionUser, endsAt: z.iso.datetime() }),
  errors: ['user_not_found', 'own_matter'],
} as const satisfies Call;

export const endLooksCall = {
  method: 'DELETE',
  url: '/admin/looks',
  summary: 'Stop viewing the site as any user',
  access: 'admin',
  response: z.object({ message: z.string() }),
  errors: [],
} as const satisfies Call;
