import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingId, pageQuery } from '../listings/calls.ts';
import { maxSharedPhotoBytes, maxSharedPhotos } from '../pictures.ts';
import { machineLine, requiredLines } from '../text-fields.ts';
import { removalReason, review, reviewStub } from './shown.ts';
import { maxReviewsPerDay, reviewEditWeeks, type ReviewOrder, reviewOrders } from './words.ts';

export const maxReviewComment = 250;
export const maxReviewAnswer = 1_000;

const rating = z
  .number({ error: ({ input }) => (input === undefined ? 'Rating must be at least 1' : 'Rating must be a whole number') })
  .min(1, { error: 'Rating must be at least 1', abort: true })
  .max(5, { error: 'Rating cannot exceed 5', abort: true })
  .int('Rating must be a whole number');
// Reads 'comment cannot exceed 250 characters'.
const comment = requiredLines('comment is required', maxReviewComment, `comment cannot exceed ${maxReviewComment} characters`);

export const reviewForm = z.object({ comment, rating });
export type ReviewForm = z.infer<typeof reviewForm>;

// A form has its numbers as text.
const asNumber = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value);
const sentReview = reviewForm.extend({ rating: z.preprocess(asNumber, rating) });

const files = { pictures: { maxFiles: maxSharedPhotos, maxBytes: maxSharedPhotoBytes } } as const;
const fileErrors = [
  'unsupported_picture',
  'picture_too_large',
  'file_too_large',
  'too_many_files',
  'storage_full',
  'storage_unavailable',
] as const;

const reviewId = z.object({ id: z.uuid('Use the id of a review') });

export const createReviewCall = {
  method: 'POST',
  url: '/review/create',
  summary: 'Review a listing',
  details: `Once per listing, with a confirmed email address, at most ${maxReviewsPerDay} times a day, with up to ${maxSharedPhotos} photos. Without photos you can also send JSON.`,
  access: 'session',
  status: 201,
  form: sentReview.extend({ listingId: z.uuid('Use the id of a listing') }),
  files,
  jsonToo: true,
  response: z.object({ message: z.string(), _id: z.uuid() }),
  errors: [
    'not_authenticated',
    'address_not_confirmed',
    'own_listing',
    'listing_not_found',
    'listing_gone',
    'already_reviewed',
    'too_many_reviews',
    ...fileErrors,
  ],
} as const satisfies Call;

export const updateReviewCall = {
  method: 'PUT',
  url: '/review/:id',
  summary: `Change your review within ${reviewEditWeeks} weeks`,
  details:
    'Earlier versions are kept for moderators. If you had withdrawn it, it is shown again. Photos stay unless keptPictures leaves them out; new ones come last. Without photos you can also send JSON.',
  access: 'session',
  params: reviewId,
  form: sentReview.extend({
    keptPictures: z
      .string()
      .max(4_000)
      .transform((text, context) => {
        try {
          return z.array(machineLine().max(400)).max(maxSharedPhotos).parse(JSON.parse(text));
        } catch {
          context.addIssue('Use a JSON list of picture addresses');
          return z.NEVER;
        }
      })
      .optional()
      .meta({ example: '["/files/a/b-800.webp"]', description: 'The photos that stay, by their `src`' }),
  }),
  files,
  jsonToo: true,
  response: z.object({ message: z.string() }),
  errors: ['not_authenticated', 'review_not_found', 'review_removed', 'review_too_old', ...fileErrors],
} as const satisfies Call;

export const withdrawReviewCall = {
  method: 'DELETE',
  url: '/review/:id',
  summary: 'Withdraw your review',
  details: 'A note in its place says so.',
  access: 'session',
  params: reviewId,
  response: z.object({ message: z.string() }),
  errors: ['not_authenticated', 'review_not_found'],
} as const satisfies Call;

export const answerReviewCall = {
  method: 'POST',
  url: '/review/:id/answer',
  summary: 'Answer a review of your listing',
  details: 'This can be done once.',
  access: 'session',
  params: reviewId,
  body: z.object({
    comment: requiredLines('An answer is required', maxReviewAnswer, `An answer cannot exceed ${maxReviewAnswer} characters`),
  }),
  response: z.object({ message: z.string() }),
  errors: ['not_authenticated', 'review_not_found', 'already_answered'],
} as const satisfies Call;

export const listReviewsCall = {
  method: 'GET',
  url: '/listing/:id/reviews',
  summary: 'List the reviews of a listing, page by page, with notes in place of removed ones',
  access: 'public',
  params: listingId,
  query: z.strictObject({
    ...pageQuery,
    sort: z.enum(Object.keys(reviewOrders) as [ReviewOrder, ...ReviewOrder[]], 'Use newest, highest or lowest').optional(),
    stars: z.enum(['1', '2', '3', '4', '5'], 'Use a number from 1 to 5').transform(Number).optional(),
  }),
  response: z.object({
    reviews: z.array(review),
    removed: z.array(reviewStub).meta({ description: 'Only with the first page, last removed first' }),
    currentPage: z.int(),
    totalPages: z.int(),
    totalReviews: z.int(),
  }),
  errors: ['listing_not_found', 'listing_gone'],
} as const satisfies Call;

export const getOwnReviewCall = {
  method: 'GET',
  url: '/listing/:id/reviews/mine',
  summary: 'Get your review of a listing, if there is one, and what you can do with it',
  access: 'session',
  params: listingId,
  response: z.object({
    review: review.extend({ removedBecause: removalReason.nullable(), editableUntil: z.iso.datetime() }).nullable(),
    addressConfirmed: z.boolean(),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

/** What is signed of a listing's reviews. */
export const reviewsContent = z.object({
  listing: z.object({ _id: z.uuid(), business: z.string(), title: z.string(), address: z.url() }),
  at: z.iso.datetime().meta({ description: 'When the file was made' }),
  rating: z.object({ average: z.number().meta({ description: 'To one decimal' }), reviews: z.int() }),
  reviews: z.array(review).meta({ description: 'All published ones, oldest first' }),
  removed: z.array(reviewStub).meta({ description: 'What is left of removed ones' }),
});

export const getReviewsFileCall = {
  method: 'GET',
  url: '/listing/:id/reviews.json',
  summary: 'Get all reviews of a listing as a signed file that anyone can check offline',
  details: 'Signed with the key of the draw’s log; `npm run reviews:verify -- <file>` finds what was changed, left out or moved.',
  access: 'public',
  params: listingId,
  response: z.object({
    format: z.literal('handwise-reviews-v1'),
    ...reviewsContent.shape,
    checkpoint: z.string().meta({ description: 'A signed head (C2SP tlog-checkpoint) over the parts above' }),
    publicKey: z.string().meta({ description: 'In hexadecimal; the terms of the draws have it too' }),
  }),
  errors: ['listing_not_found', 'listing_gone'],
} as const satisfies Call;

export const getReviewLedgerCall = {
  method: 'GET',
  url: '/reviews/ledger',
  summary: 'List what became of all reviews, month by month, newest first',
  access: 'public',
  response: z.object({
    months: z.array(
      z.object({
        month: z.string().meta({ description: 'The month they were written in', example: '2026-11' }),
        received: z.int(),
        published: z.int(),
        removed: z.partialRecord(removalReason, z.int()).meta({ description: 'How many of them have been removed since, by reason' }),
      }),
    ),
  }),
  errors: [],
} as const satisfies Call;
