import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { type Listing, findListingCall, getListingCall } from '@handwise/contract/listings/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { http } from '../../kit/http.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { getListingCachePolicy } from './listings.cache-tags.ts';

/** `show` reads a listing in full, with data of other domains. */
type Options = { show: (id: string, viewer: Viewer | null) => Promise<Listing> };

export const listingRoutes: FastifyPluginAsyncZod<Options> = async (app, { show }) => {
  for (const call of [getListingCall, findListingCall]) {
    app.route({
      ...http(call),
      ...cached('visitors', (_: never, listing: Listing) => getListingCachePolicy(listing)),
      handler: ({ params, viewer }) => show(params.id, viewer),
    });
  }
};
