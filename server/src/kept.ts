import type { FastifyRequest } from 'fastify';
import { anyDraw } from './domains/draws/draws.service.ts';
import { anyListing, changedBy } from './domains/listings/listings.service.ts';
import type { Events } from './kit/events/events.ts';
import { Freshness } from './kit/kept/freshness.ts';
import { openHearing } from './kit/kept/hearing.ts';
import { KeptAnswers } from './kit/kept/kept-answers.ts';

type Keeping = {
  events: Events;
  /** What kept answers may hold together. */
  bytes: number;
  isInternal: (request: FastifyRequest) => boolean;
  hearsFirst: boolean;
};

/** The answers that the server caches, and which of them each published change invalidates. */
export function openKept({ events, bytes, isInternal, hearsFirst }: Keeping) {
  const freshness = new Freshness();
  const answers = new KeptAnswers(bytes, freshness);
  events.on('listings', (ids) => {
    if (ids === 'many') freshness.allChanged();
    else freshness.changed([anyListing, ...ids]);
  });
  events.on('lists', (changes) => {
    if (changes === 'many') freshness.allChanged();
    else freshness.changed(changedBy(changes));
  });
  // A few times a month.
  events.on('draws', () => freshness.changed([anyDraw]));
  return { answers, hearing: openHearing({ events, freshness }, isInternal, hearsFirst) };
}
