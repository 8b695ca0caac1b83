import type { FastifyRequest } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { isbot } from 'isbot';
import { getListingAnalyticsCall, listOwnAnalyticsCall, recordViewCall, showBusinessPhoneCall } from '@handwise/contract/analytics/calls';
import { formatPhoneNumber } from '@handwise/contract/phone';
import type { Context } from '../../kit/context.ts';
import { http } from '../../kit/http.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { getViewer } from '../../kit/identity/session-guard.ts';
import { findSite, getNetwork } from '../../kit/network.ts';
import { getBusinessPhone } from '../listings/listings.service.ts';
import type { PageView, ViewCollector } from './analytics.collector.ts';
import * as analytics from './analytics.service.ts';

/** More than a person views, so that made-up user agents gain nothing. */
const viewsPerMinute = 120;
/** More than a household calls, fewer than a collector of numbers wants. */
const numbersPerHour = 40;
/** An IPv6 /48 has 65,536 networks. One may be a campus or an office, so it gets ten times as many. */
const numbersPerSite = 400;
const hourSeconds = 3_600;

type ViewRequest = Pick<FastifyRequest, 'viewer' | 'ip' | 'headers'> & { params: { id: string } };

export const analyticsRoutes: FastifyPluginAsyncZod<{ context: Context; views: ViewCollector }> = async (app, { context, views }) => {
  /** The view of a request; null for robots, staff and requests without a user agent, which are not counted. */
  const findCountedView = ({ params, viewer, ip, headers }: ViewRequest): PageView | null => {
    const browser = headers['user-agent']?.slice(0, 300);
    if (!browser || isbot(browser) || viewer?.role === 'admin') return null;
    const at = context.clock.now();
    return { listingId: params.id.toLowerCase(), viewerId: viewer?.id ?? null, network: getNetwork(ip), browser, at };
  };

  /** Throws `too_many_requests`. In the database, so that several servers and a restart give nobody more. `network` is null on the own machine. */
  const countShownNumber = async (network: string | null): Promise<void> => {
    if (network === null) return;
    const site = findSite(network);
    await countAttempt(context.db, `numbers-from:${network}`, { max: numbersPerHour, windowSeconds: hourSeconds });
    if (site) await countAttempt(context.db, `numbers-from:${site}`, { max: numbersPerSite, windowSeconds: hourSeconds });
  };

  app.route({
    ...http(recordViewCall),
    config: { showsNothing: true, rateLimit: { max: viewsPerMinute, timeWindow: 60_000 } },
    handler: async (request) => {
      const view = findCountedView(request);
      if (view) views.add(view);
      return { received: true as const };
    },
  });

  app.route({
    ...http(showBusinessPhoneCall),
    config: { showsNothing: true },
    handler: async (request) => {
      await countShownNumber(request.network);
      const number = await getBusinessPhone(context.db, request.params.id);
      const view = findCountedView(request);
      if (view) await views.addNumberShown(view);
      return { number, text: formatPhoneNumber(number) };
    },
  });

  app.route({
    ...http(getListingAnalyticsCall),
    handler: (request) => analytics.getListingAnalytics(context, getViewer(request).id, request.params.id, request.query.days),
  });

  app.route({
    ...http(listOwnAnalyticsCall),
    handler: (request) => analytics.listOwnAnalytics(context, getViewer(request).id),
  });
};
