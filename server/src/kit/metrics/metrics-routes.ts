import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyPluginAsync } from 'fastify';
import { AppError } from '../errors.ts';
import type { Metrics } from './metrics.ts';

/** Answers 404 to clients without access. */
export const metricsRoutes: FastifyPluginAsync<{ metrics: Metrics; access: MetricsAccess }> = async (app, { metrics, access }) => {
  app.get('/metrics', { schema: { hide: true } }, async (request, reply) => {
    if (!canReadMetrics(request.raw, access)) throw new AppError('route_not_found');
    return reply
      .type(metrics.contentType)
      .header('cache-control', 'no-store')
      .send(await metrics.text());
  });
};

export type MetricsAccess = {
  /** The bearer token for reading the metrics. Null: only loopback connections may. */
  token: string | null;
  /** Whether requests come through a proxy: then a connection's address is not the client's. */
  isProxied: boolean;
};

const hash = (text: string) => createHash('sha256').update(text).digest();
const forwardedBy = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip'];

/**
 * Whether the request may read the metrics: by the token, or from the machine itself if there is none. Behind a proxy on the same machine every
 * connection is local, so requests with headers of a proxy or another host are rejected.
 */
export function canReadMetrics(request: IncomingMessage, { token, isProxied }: MetricsAccess): boolean {
  const { headers, socket } = request;
  if (token !== null) {
    const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
    return bearer !== undefined && timingSafeEqual(hash(bearer), hash(token));
  }
  if (isProxied || forwardedBy.some((name) => name in headers)) return false;
  const isHere = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?$/.test(headers.host ?? '');
  return isHere && /^(::1$|(::ffff:)?127\.)/.test(socket.remoteAddress ?? '');
}
