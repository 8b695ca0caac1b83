import type { FastifyRequest } from 'fastify';
import { NetworkWork } from './network-work.ts';
import type { RefusalLimits } from './refusals.ts';
import { type TurnLimits, Turns } from './turns.ts';

/** What one server does at the same time, how much may wait for it, and how much of it one network may have. */
export type Bounds = {
  /** Calls of the API, whatever they do. */
  calls: TurnLimits;
  pages: TurnLimits;
  searches: TurnLimits;
  documents: TurnLimits;
  networkWork: { milliseconds: number; windowMs: number };
  readers: ReaderLimits;
  refusals: RefusalLimits;
};

export type ReaderLimits = {
  /** A connection that takes nothing of its answer for so long is ended. */
  stalledMs: number;
  /** So many requests may be sent over one connection before the first of them is answered. */
  pipelined: number;
  /** Where so many connections of one network were cut for that within this time, all of its connections are, until the time is over. */
  cuts: number;
  refusedMs: number;
};

export const usualBounds: Bounds = {
  // More of one network than a browser has open, and fewer than there are connections to the database.
  calls: { running: 400, waiting: 4_000, ofOne: { running: 8, waiting: 200 } },
  // Rendering is work of the one thread that also answers with what is kept: more at once makes nobody faster, and whoever goes on and on has a third.
  pages: { running: 4, waiting: 400, ofOne: { running: 2, waiting: 60, rest: { from: 1_000, times: 2 } } },
  // As many as the searches' connections to the database.
  searches: { running: 10, waiting: 1_000, ofOne: { running: 5, waiting: 100 } },
  // One at a time in a thread of its own, each a few hundredths of a second.
  documents: { running: 1, waiting: 100, ofOne: { running: 1, waiting: 40 } },
  // A third of a core for as long as somebody likes: more than any household, school or office makes a server work.
  networkWork: { milliseconds: 20_000, windowMs: 60_000 },
  // More than a page that asks for too much is refused, and less than somebody asks for who does not stop.
  refusals: { atOnce: 30, windowMs: 60_000, heldMs: 1_000, held: 2_000 },
  readers: { stalledMs: 30_000, pipelined: 4, cuts: 10, refusedMs: 10_000 },
};

/** Whose a request is, null where nobody is counted, and whether what it takes is charged: a page is, and not once more what it asks for. */
export type OnBehalf = (request: FastifyRequest) => { by: string | null; isCharged: boolean };

export type WorkTurns = Record<'calls' | 'pages' | 'searches' | 'documents', Turns>;

export function openTurns({ calls, pages, searches, documents, networkWork }: Bounds): WorkTurns {
  const charges = new NetworkWork(networkWork);
  return {
    // Much of a call is waiting, for the provider too: that is no work of ours.
    calls: new Turns(calls),
    pages: new Turns(pages, charges),
    searches: new Turns(searches, charges),
    documents: new Turns(documents, charges),
  };
}
