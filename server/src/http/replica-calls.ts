import type { FastifyRequest } from 'fastify';
import type { Call } from '@handwise/contract/call';
import { findListingCall, getListingCall } from '@handwise/contract/listings/calls';
import { findListingsCall, listListingsCall } from '@handwise/contract/search/calls';
import { getTownCall, searchPlacesCall } from '@handwise/contract/search/places';
import { suggestCall } from '@handwise/contract/search/suggest';
import { mayHaveWritten } from '../kit/cache/write-cookie.ts';

/**
 * Anonymous reads that a replica may answer. Everything else needs current data: payments, sessions, limits, administration, and all requests of
 * signed-in users.
 */
const calls: readonly Call[] = [
  listListingsCall,
  findListingsCall,
  searchPlacesCall,
  getTownCall,
  suggestCall,
  getListingCall,
  findListingCall,
];

const paths: ReadonlySet<string> = new Set([...calls.map((call) => `${call.method} /api${call.url}`), 'POST /mcp']);

/** Whether a replica may answer the request. */
export const canReadReplica = ({ method, routeOptions: { url = '' }, headers }: FastifyRequest): boolean =>
  paths.has(`${method} ${url}`) && !mayHaveWritten({ headers });
