import type { FastifyRequest } from 'fastify';
import { drawsTag } from './domains/draws/draws.service.ts';
import { anyListingTag, listChangedTags } from './domains/listings/listings.service.ts';
import { openReadBarrier } from './kit/cache/read-barrier.ts';
import { ResponseCache } from './kit/cache/response-cache.ts';
import { TagVersions } from './kit/cache/tag-versions.ts';
import type { Events } from './kit/events/events.ts';

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
  events.on('draws', () => tagVersions.invalidate([drawsTag]));
  return { cache, barrier: openReadBarrier({ events, tagVersions }, isInternal, alwaysLatest) };
}
