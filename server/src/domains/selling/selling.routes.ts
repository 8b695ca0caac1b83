import {
  changePlan,
  createListing,
  deactivateListing,
  getQuote,
  listMyListings,
  reactivateListing,
  updateListing,
} from '@handwise/contract/selling';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { readCallForm } from '../../kit/multipart.ts';
import { viewerOf } from '../../kit/session-guard.ts';
import type { Selling } from './selling.context.ts';
import * as editing from './selling.edit.ts';
import * as publishing from './selling.publish.ts';
import { quote } from './selling.quote.ts';
import * as renewal from './selling.renew.ts';
import * as service from './selling.service.ts';

export const sellingRoutes: FastifyPluginAsyncZod<{ selling: Selling }> = async (app, { selling }) => {
  const { db } = selling.checkout;

  app.route({
    ...http(listMyListings),
    handler: (request) => service.listMyListings(db, viewerOf(request).id, request.query),
  });

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
        editing.updateListing(selling, viewer, request.market, id, form, files),
      );
      return { listing };
    },
  });

  app.route({
    ...http(deactivateListing),
    handler: async (request) => {
      const listing = await service.deactivate(selling, viewerOf(request), request.params.id);
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
    handler: (request) => quote(db, viewerOf(request), request.query.listingId, request.query.planId),
  });
};
