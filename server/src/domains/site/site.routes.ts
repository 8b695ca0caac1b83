import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import { getConfigCall, getFactsCall, getHealthCall, getLiveCall, getTrustMetricsCall } from '@handwise/contract/site/calls';
import { sendContactMessageCall } from '@handwise/contract/site/contact';
import { recordVitalsCall } from '@handwise/contract/site/vitals';
import { cached } from '../../kit/cache/cached-routes.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { http } from '../../kit/http.ts';
import { version } from '../../kit/version.ts';
import { receiveContactMessage } from './site.contact.ts';
import * as site from './site.service.ts';
import { countTrustMetrics } from './site.trust.ts';
import { type RecordVital, toKindOfPage, toScreen } from './site.vitals.ts';

export type SiteOptions = {
  context: Context;
  /** False until migrations and demo data are done. */
  isReady: () => boolean;
  isDatabaseReachable: () => Promise<boolean>;
  /** `apiBase` is the address of the sandbox provider; null with Stripe, whose script knows its own. */
  stripe: { publishableKey: string; apiBase: string | null };
  sandbox: boolean;
  /** Whether email replies are relayed, which hides both addresses. */
  relayed: boolean;
  /** The identity providers that are set up. */
  signInWith: ProviderName[];
  /** The operator's street tiles for maps. */
  mapTiles: { url: string; attribution: string } | null;
  recordVital: RecordVital;
};

// Facts on pages are at most a minute old: a third each for the counts, the responses and the pages.
const factsMaxAgeSeconds = 20;
const trustSeconds = 300;

export const siteRoutes: FastifyPluginAsyncZod<SiteOptions> = async (app, options) => {
  const { context, isReady, isDatabaseReachable, stripe, sandbox, relayed, signInWith, mapTiles, recordVital } = options;
  const factCounts = new ResultCache<site.FactCounts>({ name: 'facts', seconds: factsMaxAgeSeconds });

  app.route({ ...http(getLiveCall), handler: async () => ({ status: 'ok' as const }) });

  app.route({
    ...http(getHealthCall),
    handler: async () => {
      const answers = isReady() && (await isDatabaseReachable());
      if (!answers) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { status: 'ok' as const, version, uptimeSeconds: Math.round(process.uptime()) };
    },
  });

  app.route({
    ...http(recordVitalsCall),
    config: { showsNothing: true },
    handler: async ({ body: { path, width, vitals } }) => {
      const view = { page: toKindOfPage(path), screen: toScreen(width) };
      for (const vital of vitals) recordVital(vital, view);
      return { received: true as const };
    },
  });

  app.route({
    ...http(getConfigCall),
    handler: async ({ market }) => ({
      market,
      site: site.describeOperator(),
      payments: {
        mode: stripe.apiBase ? ('sandbox' as const) : ('stripe' as const),
        publishableKey: stripe.publishableKey,
        apiBase: stripe.apiBase ?? '',
      },
      sandbox,
      map: mapTiles && { tilesUrl: mapTiles.url, attribution: mapTiles.attribution },
      signInWith,
      messages: { relayed },
    }),
  });

  app.route({
    ...http(sendContactMessageCall),
    handler: async ({ body, ip }) => {
      await receiveContactMessage(context, body, ip);
      return { message: 'Message sent' as const };
    },
  });

  app.route({
    ...http(getTrustMetricsCall),
    ...cached('everyone', () => ({ tags: [], maxAgeSeconds: trustSeconds })),
    handler: () => countTrustMetrics(context),
  });

  app.route({
    ...http(getFactsCall),
    ...cached('everyone', () => ({ tags: [], maxAgeSeconds: factsMaxAgeSeconds })),
    handler: async ({ query, market }) => {
      const country = query.country ?? market ?? undefined;
      return site.buildFacts(await factCounts.get(country ?? 'all', () => site.countFacts(context, country)), query);
    },
  });
};
