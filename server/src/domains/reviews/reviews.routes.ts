import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  answerReview,
  createReview,
  getOwnReview,
  getReviewLedger,
  getReviewsFile,
  listReviews,
  updateReview,
  withdrawReview,
} from '@handwise/contract/reviews/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { anyListingTag } from '../listings/listings.service.ts';
import { getReviewsFile as signReviewsFile, type ReviewContext } from './reviews.file.ts';
import * as reviews from './reviews.service.ts';

const ledgerSeconds = 60;

export const reviewRoutes: FastifyPluginAsyncZod<{ context: ReviewContext; onReviewed: reviews.OnReviewed }> = async (
  app,
  { context, onReviewed },
) => {
  const { db, events } = context;
  // Cached because it counts all reviews.
  const ledger = new ResultCache<Awaited<ReturnType<typeof reviews.getReviewLedger>>>({ name: 'ledger', seconds: ledgerSeconds });
  events.on('listings', () => ledger.clear());

  app.route({
    ...http(createReview),
    handler: (request, reply) =>
      readCallForm(request, createReview, async ({ listingId, ...form }, files) => {
        const _id = await reviews.createReview(context, getViewer(request).id, listingId, form, files, onReviewed);
        reply.code(201);
        return { message: 'Review submitted successfully', _id };
      }),
  });

  app.route({
    ...http(updateReview),
    handler: (request) =>
      readCallForm(request, updateReview, async (form, files) => {
        await reviews.updateReview(context, getViewer(request).id, request.params.id, form, files);
        return { message: 'Review updated' };
      }),
  });

  app.route({
    ...http(withdrawReview),
    handler: async (request) => {
      await reviews.withdrawReview(context, getViewer(request).id, request.params.id);
      return { message: 'Your review has been withdrawn' };
    },
  });

  app.route({
    ...http(answerReview),
    handler: async (request) => {
      await reviews.answerReview(context, getViewer(request).id, request.params.id, request.body.comment);
      return { message: 'Your answer has been published' };
    },
  });

  app.route({
    ...http(listReviews),
    ...cached('everyone', ({ params }: FastifyRequest<{ Params: { id: string } }>) => ({
      tags: [params.id],
      maxAgeSeconds: maxCacheSeconds,
    })),
    handler: ({ params, query }) => reviews.listReviews(db, params.id, query),
  });

  app.route({
    ...http(getReviewsFile),
    ...cached('everyone', ({ params }: FastifyRequest<{ Params: { id: string } }>) => ({
      tags: [params.id],
      maxAgeSeconds: maxCacheSeconds,
    })),
    handler: ({ params }) => signReviewsFile(context, params.id),
  });

  app.route({
    ...http(getOwnReview),
    handler: (request) => reviews.getOwnReview(db, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(getReviewLedger),
    ...cached('none', () => ({ tags: [anyListingTag], maxAgeSeconds: ledgerSeconds })),
    handler: () => ledger.get('all', () => reviews.getReviewLedger(db)),
  });
};
