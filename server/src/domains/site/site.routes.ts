import { getConfig, getFacts, getHealth } from '@handwise/contract/site';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import type { Db } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { http } from '../../kit/http.ts';
import { Remembered } from '../../kit/remembered.ts';
import * as queries from './site.queries.ts';
import * as site from './site.service.ts';

export type SiteOptions = {
  db: Db;
  /** False until migrations and demo data are done. */
  isReady: () => boolean;
  stripe: { publishableKey: string } | null;
  sandbox: boolean;
  /** Address of the payment provider's API for the browser. Empty for Stripe itself, whose own script knows it. */
  paymentsApiBase: string;
};

export const siteRoutes: FastifyPluginAsyncZod<SiteOptions> = async (app, { db, isReady, stripe, sandbox, paymentsApiBase }) => {
  const figures = new Remembered<site.Figures>({ entries: 10, seconds: 60 });

  app.route({
    ...http(getHealth),
    handler: async () => {
      const answers =
        isReady() &&
        (await queries.ping(db).then(
          () => true,
          () => false,
        ));
      if (!answers) throw new AppError('unavailable', { retryAfterSeconds: 1 });
      return { status: 'ok' as const, version: process.env['npm_package_version'] ?? 'dev', uptimeSeconds: Math.round(process.uptime()) };
    },
  });

  app.route({
    ...http(getConfig),
    handler: async ({ market }) => ({
      market,
      payments: {
        mode: stripe ? ('stripe' as const) : ('sandbox' as const),
        publishableKey: stripe?.publishableKey ?? 'pk_test_sandbox',
        apiBase: paymentsApiBase,
      },
      sandbox,
    }),
  });

  app.route({
    ...http(getFacts),
    handler: async ({ query, market }) => {
      const country = query.country ?? market ?? undefined;
      return site.factsOf(await figures.get(country ?? 'all', () => site.readFigures(db, country)), query);
    },
  });
};
