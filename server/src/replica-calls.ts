import type { Call } from '@handwise/contract/call';
import { findListing, getListing } from '@handwise/contract/listings/calls';
import { findListings, listListings } from '@handwise/contract/search/calls';
import { getTown, searchPlaces } from '@handwise/contract/search/places';
import { suggest } from '@handwise/contract/search/suggest';
import type { FastifyRequest } from 'fastify';

/**
 * Everything that a replica may answer. All else is the primary's: money, sessions, limits, administration, and whatever somebody does or reads as
 * themselves, because what follows from it is decided on what is true now.
 */
const calls: readonly Call[] = [listListings, findListings, searchPlaces, getTown, suggest, getListing, findListing];

const accessOf = new Map(calls.map((call) => [`${call.method} /api${call.url}`, call.access]));

/** Whether a request is one of these, made by nobody in particular. */
export function mayReadReplica({ method, routeOptions: { url = '' }, headers }: FastifyRequest): boolean {
  const access = accessOf.get(`${method} ${url}`);
  return access === 'public' || (access === 'optional' && headers.authorization === undefined) || (method === 'POST' && url === '/mcp');
}
