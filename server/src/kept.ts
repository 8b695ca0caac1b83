import type { FastifyRequest } from 'fastify';
import { anyDraw } from './domains/draws/draws.service.ts';
import { anyListing, changedBy } from './domains/listings/listings.service.ts';
import { SearchMemory, type SearchPostings } from './domains/search/search.service.ts';
import type { Events } from './kit/events/events.ts';
import { Freshness } from './kit/kept/freshness.ts';
import { openHearing } from './kit/kept/hearing.ts';
import { KeptAnswers } from './kit/kept/kept-answers.ts';

type Keeping = {
  events: Events;
  /** Answers searches from memory. Without, PostgreSQL answers all of them. */
  postings: SearchPostings | null;
  /** What kept answers may hold together. */
  bytes: number;
  isInternal: (request: FastifyRequest) => boolean;
  hearsFirst: boolean;
};

/** What the server keeps in memory, answers and what searches read, and which of it each change that it is told of makes old. */
export function openKept({ events, postings, bytes, isInternal, hearsFirst }: Keeping) {
  const freshness = new Freshness();
  // What shows one listing and no list.
  const ofListings = new Freshness();
  const memory = new SearchMemory(postings, freshness, ofListings);
  const answers = new KeptAnswers(bytes, freshness);
  const allChanged = () => {
    freshness.allChanged();
    ofListings.allChanged();
  };
  events.on('listings', (ids) => {
    memory.changed(ids);
    if (ids === 'many') allChanged();
    else {
      freshness.changed([anyListing, ...ids]);
      ofListings.changed(ids);
    }
  });
  events.on('words', (words) => memory.wordsChanged(words));
  events.on('lists', (changes) => {
    if (changes === 'many') freshness.allChanged();
    else freshness.changed(changedBy(changes));
  });
  // A few times a month.
  events.on('draws', () => freshness.changed([anyDraw]));
  return { memory, answers, hearing: openHearing({ events, freshness: { allChanged } }, isInternal, hearsFirst) };
}
