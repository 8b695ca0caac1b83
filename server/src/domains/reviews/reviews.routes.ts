import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import {
  answerReviewCall,
  createReviewCall,
  getOwnReviewCall,
  getReviewLedgerCall,
  getReviewsFileCall,
  listReviewsCall,
  updateReviewCall,
  withdrawReviewCall,
} from '@handwise/contract/reviews/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { anyListingTag } from '../listings/listings.service.ts';
import type { ReviewHooks, ReviewContext } from './reviews.context.ts';
import { getReviewsFile } from './reviews.file.ts';
import * as reviews from './reviews.service.ts';

const ledgerSeconds = 60;

export const reviewRoutes: FastifyPluginAsyncZod<{ context: ReviewContext; hooks: ReviewHooks }> = async (app, { context, hooks }) => {
  const { db, events } = context;
  // Cached because it counts all reviews.
  const ledger = new ResultCache<Awaited<ReturnType<typeof reviews.getReviewLedger>>>({ name: 'ledger', seconds: ledgerSeconds });
  events.on('listings', () => ledger.clear());

  app.route({
    ...http(createReviewCall),
    handler: (request, reply) =>
      readCallForm(request, createReviewCall, async ({ listingId, ...form }, files) => {
        const _id = await reviews.createReview(context, getViewer(request).id, listingId, form, files, hooks.onReviewed);
        reply.code(201);
        return { message: 'Review submitted successfully', _id };
      }),
  });

  app.route({
    ...http(updateReviewCall),
    handler: (request) =>
      readCallForm(request, updateReviewCall, async (form, files) => {
        await reviews.updateReview(context, getViewer(request).id, request.params.id, form, files);
        return { message: 'Review updated' };
      }),
  });

  app.route({
    ...http(withdrawReviewCall),
    handler: async (request) => {
      await reviews.withdrawReview(context, getViewer(request).id, request.params.id);
      return { message: 'Your review has been withdrawn' };
    },
  });

  app.route({
    ...http(answerReviewCall),
    handler: async (request) => {
      await reviews.answerReview(context, getViewer(request).id, request.params.id, request.body.comment);
      return { message: 'Your answer has been published' };
    },
  });

  app.route({
    ...http(listReviewsCall),
    ...cached('everyone', ({ params }: FastifyRequest<{ Params: { id: string } }>) => ({
      tags: [params.id],
      maxAgeSeconds: maxCacheSeconds,
    })),
    handler: ({ params, query }) => reviews.listReviews(db, params.id, query),
  });

  app.route({
    ...http(getReviewsFileCall),
    ...cached('everyone', ({ params }: FastifyRequest<{ Params: { id: string } }>) => ({
      tags: [params.id],
      maxAgeSeconds: maxCacheSeconds,
    })),
    handler: ({ params }) => getReviewsFile(context, params.id),
  });

  app.route({
    ...http(getOwnReviewCall),
    handler: (request) => reviews.getOwnReview(db, getViewer(request).id, request.params.id),
  });

  app.route({
    ...http(getReviewLedgerCall),
    ...cached('none', () => ({ tags: [anyListingTag], maxAgeSeconds: ledgerSeconds })),
    handler: () => ledger.get('all', () => reviews.getReviewLedger(db)),
  });
};
