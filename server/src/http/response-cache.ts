import type { FastifyRequest } from 'fastify';
import { costsTag } from '../domains/costs/costs.service.ts';
import { drawsTag } from '../domains/draws/draws.service.ts';
import { anyListingTag, listChangedTags } from '../domains/listings/listings.service.ts';
import { openCallKeys } from '../kit/cache/cached-routes.ts';
import { openReadBarrier } from '../kit/cache/read-barrier.ts';
import { ResponseCache } from '../kit/cache/response-cache.ts';
import { TagVersions } from '../kit/cache/tag-versions.ts';
import type { Events } from '../kit/events/events.ts';

type Options = { events: Events; bytes: number; isInternal: (request: FastifyRequest) => boolean; alwaysLatest: boolean };

/** The response cache of the server, and which tags each published change invalidates. */
export function openResponseCache({ events, bytes, isInternal, alwaysLatest }: Options) {
  const tagVersions = new TagVersions();
  const cache = new ResponseCache(bytes, tagVersions);
  events.on('listings', (ids) => {
    if (ids === 'many') tagVersions.invalidateAll();
    else tagVersions.invalidate([anyListingTag, ...ids]);
  });
  events.on('lists', (changes) => {
    if (changes === 'many') tagVersions.invalidateAll();
    else tagVersions.invalidate(listChangedTags(changes));
  });
  // Every page names the site.
  events.on('site', (change) => {
    // Lost messages are read again, and then announced if they changed anything.
    if (change !== 'many') cache.clear();
  });
  events.on('draws', () => tagVersions.invalidate([drawsTag]));
  events.on('costs', (changed) => {
    // Missed changes leave responses for when the database is away, unlike a known one.
    if (changed === 'many') tagVersions.invalidateAll();
    else tagVersions.invalidate([costsTag]);
  });
  return { cache, keys: openCallKeys(), barrier: openReadBarrier({ events, tagVersions }, isInternal, alwaysLatest) };
}
