import { sendContactMessage } from '@handwise/contract/site/contact';
import { getConfig, getFacts, getHealth, getLive } from '@handwise/contract/site/calls';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Context } from '../../kit/context.ts';
import { isReached } from '../../kit/database/reached.ts';
import { AppError } from '../../kit/errors.ts';
import { http } from '../../kit/http.ts';
import { cached } from '../../kit/cache/cached-routes.ts';
import { ResultCache } from '../../kit/cache/result-cache.ts';
import { receiveMessage } from './site.contact.ts';
import * as site from './site.service.ts';

export type SiteOptions = {
  context: Context;
  /** False until migrations and demo data are done. */
  isReady: () => boolean;
  /** The payment provider for the browser: the address of its stand-in, or null for Stripe, whose own script knows it. */
  stripe: { publishableKey: string; apiBase: string | null };
  sandbox: boolean;
  /** Where messages of the contact form go. */
  supportEmail: string;
  /** Whether messages are answered by mail, so that nobody sees the other's address. */
  relayed: boolean;
  /** The operator's street tiles for maps. */
  mapTiles: { url: string; attribution: string } | null;
};

// Figures are at most a minute old: a third of it for the figures, a third for the answers that show them, a third for the pages that show these.
const figureSeconds = 20;

export const siteRoutes: FastifyPluginAsyncZod<SiteOptions> = async (app, options) => {
  const { context, isReady, stripe, sandbox, supportEmail, relayed, mapTiles } = options;
  const figures = new ResultCache<site.Figures>({ name: 'figures', seconds: figureSeconds });

  app.route({ ...http(getLive), handler: async () => ({ status: 'ok' as const }) });

  app.route({
    ...http(getHealth),
    handler: async () => {
      const answers = isReady() && (await isReached(context.db));
      if (!answers) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { status: 'ok' as const, version: process.env['npm_package_version'] ?? 'dev', uptimeSeconds: Math.round(process.uptime()) };
    },
  });

  app.route({
    ...http(getConfig),
    handler: async ({ market }) => ({
      market,
      payments: {
        mode: stripe.apiBase ? ('sandbox' as const) : ('stripe' as const),
        publishableKey: stripe.publishableKey,
        apiBase: stripe.apiBase ?? '',
      },
      sandbox,
      map: mapTiles && { tilesUrl: mapTiles.url, attribution: mapTiles.attribution },
      messages: { relayed },
    }),
  });

  app.route({
    ...http(sendContactMessage),
    handler: async ({ body, ip }) => {
      await receiveMessage(context, supportEmail, body, ip);
      return { message: 'Message sent' as const };
    },
  });

  app.route({
    ...http(getFacts),
    ...cached('everyone', () => ({ tags: [], maxAgeSeconds: figureSeconds })),
    handler: async ({ query, market }) => {
      const country = query.country ?? market ?? undefined;
      return site.factsOf(await figures.get(country ?? 'all', () => site.readFigures(context, country)), query);
    },
  });
};
