import { type Listing, findListing, getListing } from '@handwise/contract/listings/calls';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { http } from '../../kit/http.ts';
import { maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import { cached } from '../../kit/cache/cached-routes.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';

/** `show` reads a listing in full, with data of other domains. */
type Options = { show: (id: string, viewer: Viewer | null) => Promise<Listing> };

export const listingRoutes: FastifyPluginAsyncZod<Options> = async (app, { show }) => {
  for (const call of [getListing, findListing]) {
    app.route({
      ...http(call),
      ...cached('visitors', (_: never, { _id }: Listing) => ({ tags: [_id], maxAgeSeconds: maxCacheSeconds })),
      handler: ({ params, viewer }) => show(params.id, viewer),
    });
  }
};
