import type { FastifyRequest } from 'fastify';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Whether other sites may post to this route, which then must not act for anybody. */
    takesCrossOrigin?: boolean;
  }
}
import { AppError } from './errors.ts';

/** Rejects a request with two hosts, in headers or in its URL: a proxy may have used one and we would use the other. */
export function rejectSecondHost({ raw }: FastifyRequest): void {
  const hosts = raw.rawHeaders.filter((header, index) => index % 2 === 0 && header.toLowerCase() === 'host');
  if (hosts.length > 1 || !raw.url?.startsWith('/')) throw new AppError('malformed_request');
}

/**
 * Rejects cross-site writes. Sessions are no cookies, so another site can't act for a user; the call that restores one by a cookie needs this. Same-origin is the
 * origin of the request itself, with the scheme that a trusted proxy names, and `ownOrigin`.
 */
export function rejectCrossOrigin({ method, headers, protocol, routeOptions }: FastifyRequest, ownOrigin: string): void {
  if (routeOptions.config.takesCrossOrigin) return;
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return;
  if (headers['sec-fetch-site'] === 'cross-site') throw new AppError('cross_origin');
  const { origin } = headers;
  if (origin === undefined || origin === ownOrigin) return;
  if (origin !== URL.parse(`${protocol}://${headers.host}`)?.origin) throw new AppError('cross_origin');
}

/** Reserved names and loopback addresses, which others cannot reach. */
export const isReservedHost = (host: string) =>
  /(^|\.)(localhost|example|test|invalid|local)$|(^|\.)example\.(com|net|org)$|^127\.|^0\.0\.0\.0$|^\[::1?\]$/i.test(host);

/** The relying party of a passkey: its host, and the origin of its responses. */
export type RelyingParty = { id: string; origin: string };

/** The requested host if it is one of ours, else the main one, so that no passkey is created for an unknown host. */
export function getRelyingParty(host: string | undefined, sites: { appUrl: string; hosts: Iterable<string> }): RelyingParty {
  const main = new URL(sites.appUrl);
  const hostname = URL.parse(`${main.protocol}//${host ?? ''}`)?.hostname ?? '';
  const own = [...sites.hosts].includes(hostname) ? hostname : main.hostname;
  return { id: own, origin: `${main.protocol}//${own}${main.port && `:${main.port}`}` };
}
