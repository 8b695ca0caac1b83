import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { suggestBasesCall, suggestTownsCall } from '@handwise/contract/listings/service-area';
import {
  changePlanCall,
  checkPhotosCall,
  clearAvailabilityCall,
  createListingCall,
  deactivateListingCall,
  getPlanPriceCall,
  listMyListingsCall,
  reactivateListingCall,
  setAvailabilityCall,
  updateListingCall,
} from '@handwise/contract/selling/calls';
import type { Context } from '../../kit/context.ts';
import { readCallForm } from '../../kit/files/multipart.ts';
import { http } from '../../kit/http.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { Payments, ReturnTo } from '../payments/payments.service.ts';
import * as availability from './selling.availability.ts';
import { listBases, listTowns } from './selling.content.ts';
import type { SellingHooks } from './selling.context.ts';
import { updateListing } from './selling.edit.ts';
import { listRefusedFiles } from './selling.photos.ts';
import { createListing } from './selling.publish.ts';
import * as renewal from './selling.renewal.ts';
import { getPlanPrice } from './selling.renewal.ts';
import * as service from './selling.service.ts';

type Options = { context: Context; payments: Payments; hooks: SellingHooks; returnTo: ReturnTo };

export const sellingRoutes: FastifyPluginAsyncZod<Options> = async (app, { context, payments, hooks, returnTo }) => {
  const publishing = { context, payments, hooks, underWay: new Map<string, Promise<string>>() };

  app.route({
    ...http(listMyListingsCall),
    handler: (request) => service.listMyListings(context.db, getViewer(request).id, request.query),
  });

  app.route({ ...http(suggestBasesCall), handler: ({ query }) => listBases(query.district, query.begins ?? '') });

  app.route({
    ...http(suggestTownsCall),
    handler: ({ query, market }) => ({ towns: listTowns(query.begins, market ?? query.country ?? null) }),
  });

  app.route({
    ...http(createListingCall),
    handler: async (request, reply) => {
      const viewer = getViewer(request);
      const listing = await readCallForm(request, createListingCall, (form, files) =>
        createListing(publishing, { viewer, market: request.market, form, files }),
      );
      return reply.code(201).send({ _id: listing._id, listing });
    },
  });

  app.route({
    ...http(checkPhotosCall),
    handler: async (request) => ({
      refused: await readCallForm(request, checkPhotosCall, (_, files) => listRefusedFiles(getViewer(request).id, files)),
    }),
  });

  app.route({
    ...http(updateListingCall),
    handler: async (request) => {
      const viewer = getViewer(request);
      const { id } = request.params;
      const listing = await readCallForm(request, updateListingCall, (form, files) =>
        updateListing(context, viewer, request.market, id, form, files),
      );
      return { listing };
    },
  });

  app.route({
    ...http(deactivateListingCall),
    handler: async (request) => {
      const listing = await service.deactivate(context, getViewer(request), request.params.id);
      return { message: 'Listing status updated successfully', listing };
    },
  });

  app.route({
    ...http(setAvailabilityCall),
    handler: async (request) => ({
      listing: await availability.setAvailability(context, getViewer(request), request.params.id, request.body),
    }),
  });

  app.route({
    ...http(clearAvailabilityCall),
    handler: async (request) => ({ listing: await availability.clearAvailability(context, getViewer(request), request.params.id) }),
  });

  app.route({
    ...http(changePlanCall),
    handler: (request) => {
      const { planId, ...way } = request.body;
      const by = { ...way, returnUrl: returnTo(request.headers.host, 'plan_change', request.params.id) };
      return renewal.changePlan(context, payments, getViewer(request), request.params.id, { planId, by });
    },
  });

  app.route({
    ...http(reactivateListingCall),
    handler: (request) => {
      const { planId, ...way } = request.body;
      const by = { ...way, returnUrl: returnTo(request.headers.host, 'reactivation', request.params.id) };
      return renewal.reactivate(context, payments, getViewer(request), request.params.id, { planId, by });
    },
  });

  app.route({
    ...http(getPlanPriceCall),
    handler: (request) => getPlanPrice(context, getViewer(request), request.query.listingId, request.query.planId),
  });
};
