import type { FastifyRequest } from 'fastify';

// Positions are searched with two decimals. What a client sends beyond these is refused, and not written down either.
const withoutExactPosition = (url: string) =>
  url.replace(/([?&]near=)([^&#]*)/gi, (_, name: string, value: string) => name + value.replace(/((?:\.|%2e)\d\d)\d+/gi, '$1'));

/** What the log says of a request. */
export const loggedRequest = (request: Pick<FastifyRequest, 'method' | 'url' | 'host' | 'ip'>) => ({
  method: request.method,
  url: withoutExactPosition(request.url),
  host: request.host,
  remoteAddress: request.ip,
});
