import {
  changePlan,
  createListing,
  deactivateListing,
  findListing,
  getListing,
  listListings,
  listMyListings,
  reactivateListing,
  updateListing,
} from '@handwise/contract/listings';
import { getQuote } from '@handwise/contract/plans';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { readCallForm } from '../../kit/multipart.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import * as publishing from './listings.create.ts';
import * as renewal from './listings.renewal.ts';
import * as listings from './listings.service.ts';

type Options = { memory: listings.SearchMemory; selling: publishing.Selling };

export const listingRoutes: FastifyPluginAsyncZod<Options> = async (app, { memory, selling }) => {
  const { db } = selling.checkout;

  app.route({
    ...http(listListings),
    handler: ({ query, market }) => listings.searchListings(db, memory, query, market),
  });

  app.route({
    ...http(listMyListings),
    handler: (request) => listings.listMyListings(db, viewerOf(request).id, request.query),
  });

  for (const call of [getListing, findListing]) {
    app.route({
      ...http(call),
      handler: ({ params, viewer }) => listings.getListing(db, params.id, viewer),
    });
  }

  app.route({
    ...http(createListing),
    handler: async (request, reply) => {
      const viewer = viewerOf(request);
      const listing = await readCallForm(request, createListing, (form, files) =>
        publishing.createListing(selling, viewer, request.market, form, files),
      );
      return reply.code(201).send({ _id: listing._id, listing });
    },
  });

  app.route({
    ...http(updateListing),
    handler: async (request) => {
      const viewer = viewerOf(request);
      const { id } = request.params;
      const listing = await readCallForm(request, updateListing, (form, files) =>
        publishing.updateListing(selling, viewer, request.market, id, form, files),
      );
      return { listing };
    },
  });

  app.route({
    ...http(deactivateListing),
    handler: async (request) => {
      const listing = await renewal.deactivate(selling, viewerOf(request), request.params.id);
      return { message: 'Listing status updated successfully', listing };
    },
  });

  app.route({
    ...http(changePlan),
    handler: (request) => {
      const { planId, paymentId } = request.body;
      return renewal.changePlan(selling, viewerOf(request), request.params.id, { planId, cardId: paymentId });
    },
  });

  app.route({
    ...http(reactivateListing),
    handler: (request) => {
      const { planId, paymentId } = request.body;
      return renewal.reactivate(selling, viewerOf(request), request.params.id, { planId, cardId: paymentId });
    },
  });

  app.route({
    ...http(getQuote),
    handler: (request) => renewal.quote(db, viewerOf(request), request.query.listingId, request.query.planId),
  });
};
