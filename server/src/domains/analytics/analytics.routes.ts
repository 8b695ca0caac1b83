import { getListingAnalytics, listOwnAnalytics, recordView } from '@handwise/contract/analytics/calls';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { isbot } from 'isbot';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { getNetwork } from '../../kit/network.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import type { ViewCollector } from './analytics.collector.ts';
import * as analytics from './analytics.service.ts';

/** More than a person views, so that made-up user agents gain nothing. */
const viewsPerMinute = 120;

export const analyticsRoutes: FastifyPluginAsyncZod<{ context: Context; views: ViewCollector }> = async (app, { context, views }) => {
  app.route({
    ...http(recordView),
    config: { rateLimit: { max: viewsPerMinute, timeWindow: 60_000 } },
    handler: async ({ params, viewer, ip, headers }) => {
      const browser = headers['user-agent']?.slice(0, 300);
      if (browser && !isbot(browser) && viewer?.role !== 'admin') {
        views.add({
          listingId: params.id.toLowerCase(),
          viewerId: viewer?.id ?? null,
          network: getNetwork(ip),
          browser,
          at: context.clock.now(),
        });
      }
      return { received: true as const };
    },
  });

  app.route({
    ...http(getListingAnalytics),
    handler: (request) => analytics.getListingAnalytics(context, getViewer(request).id, request.params.id, request.query.days),
  });

  app.route({
    ...http(listOwnAnalytics),
    handler: (request) => analytics.listOwnAnalytics(context, getViewer(request).id),
  });
};
