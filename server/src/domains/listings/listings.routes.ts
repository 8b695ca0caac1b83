import { findListing, getListing, listListings } from '@handwise/contract/listings';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database.ts';
import { http } from '../../kit/http.ts';
import * as listings from './listings.service.ts';

export const listingRoutes: FastifyPluginAsyncZod<{ db: Db; memory: listings.SearchMemory }> = async (app, { db, memory }) => {
  app.route({
    ...http(listListings),
    handler: ({ query, market }) => listings.searchListings(db, memory, query, market),
  });

  for (const call of [getListing, findListing]) {
    app.route({
      ...http(call),
      handler: ({ params, viewer }) => listings.getListing(db, params.id, viewer),
    });
  }
};
