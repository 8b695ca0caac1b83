import type { FastifyRequest } from 'fastify';
import { AppError } from './errors.ts';

/** Refuses a request with a second host, in a header or in its address: a proxy may have gone by the one and we by the other. */
export function refuseSecondHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host');
  if (hosts.length > 1 || !raw.url?.startsWith('/')) throw new AppError('malformed_request');
}

/**
 * Refuses what another site has a browser send. Sessions are no cookies, so another site cannot act for a user; this keeps it
 * true whatever comes later. Our own are the origin of this very request, with the scheme that a trusted proxy names, and `ownOrigin`.
 */
export function refuseCrossOrigin({ method, headers, protocol }: FastifyRequest, ownOrigin: string): void {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (headers['sec-fetch-site'] === 'cross-site') throw new AppError('cross_origin');
  const { origin } = headers;
  if (origin === undefined || origin === ownOrigin) return;
  if (origin !== URL.parse(`${protocol}://${headers.host}`)?.origin) throw new AppError('cross_origin');
}
