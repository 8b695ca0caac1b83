import type { FastifyPluginAsync } from 'fastify';
import { AppError } from '../errors.ts';
import { type MetricsAccess, mayReadMetrics } from './metrics-access.ts';
import type { Metrics } from './metrics.ts';

/** For whoever may not read it, there is nothing at this address. */
export const metricsRoutes: FastifyPluginAsync<{ metrics: Metrics; access: MetricsAccess }> = async (app, { metrics, access }) => {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!mayReadMetrics(request.raw, access)) throw new AppError('route_not_found');
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
};
