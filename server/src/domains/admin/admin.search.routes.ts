import {
  endLooks,
  getUserForAdmin,
  searchListings,
  searchPayments,
  searchReviews,
  searchUsers,
  startLook,
} from '@handwise/contract/admin/search';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { fromOf } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { viewerOf } from '../../kit/identity/session-guard.ts';
import * as looks from './admin.looks.ts';
import * as search from './admin.search.ts';

/** What administrators look for, and at. */
export const adminSearchRoutes: FastifyPluginAsyncZod<{ context: Context }> = async (app, { context }) => {
  const { db } = context;

  app.route({ ...http(searchUsers), handler: ({ query }) => search.searchUsers(db, query) });

  app.route({ ...http(getUserForAdmin), handler: ({ params }) => search.getUser(context, params.id) });

  app.route({ ...http(searchListings), handler: ({ query }) => search.searchListings(db, query) });

  app.route({ ...http(searchReviews), handler: ({ query }) => search.searchReviews(db, query) });

  app.route({ ...http(searchPayments), handler: ({ query }) => search.searchPayments(db, query) });

  app.route({
    ...http(startLook),
    handler: async (request, reply) => {
      const by = { reason: request.body.reason, browser: fromOf(request).browser };
      return reply.code(201).send(await looks.look(context, viewerOf(request).id, request.params.id, by));
    },
  });

  app.route({
    ...http(endLooks),
    handler: async (request) => {
      await looks.endLooks(context, viewerOf(request).id);
      return { message: 'You are no longer viewing the site as somebody else.' };
    },
  });
};
