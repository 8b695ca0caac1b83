import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { getCostsCall, listCostsCall } from '@handwise/contract/costs/calls';
import { cached } from '../../kit/cache/cached-routes.ts';
import { maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import type { Db } from '../../kit/database/database.ts';
import { http } from '../../kit/http.ts';
import { costsTag, getCostList, getServiceCosts } from './costs.service.ts';

const untilComputed = cached('everyone', () => ({ tags: [costsTag], maxAgeSeconds: maxCacheSeconds }));

export const costRoutes: FastifyPluginAsyncZod<{ db: Db }> = async (app, { db }) => {
  app.route({
    ...http(listCostsCall),
    ...untilComputed,
    handler: ({ query, market }) => getCostList(db, query.country ?? market ?? undefined),
  });

  app.route({
    ...http(getCostsCall),
    ...untilComputed,
    handler: ({ params, query, market }) =>
      // A region names its country, whatever the host's.
      getServiceCosts(db, {
        ...params,
        region: query.region,
        country: query.country ?? (query.region === undefined ? (market ?? undefined) : undefined),
      }),
  });
};
