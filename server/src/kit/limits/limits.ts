import type { FastifyRequest } from 'fastify';
import { FairQueue, type QueueLimits } from './fair-queue.ts';
import type { TarpitLimits } from './tarpit.ts';
import type { BodyLimits } from './unfinished-bodies.ts';

/** What one server does at the same time, how much may wait for it, and how much of it one network may have. */
export type Limits = {
  /** Calls of the API. */
  calls: QueueLimits;
  /** Pages to render. */
  pages: QueueLimits;
  searches: QueueLimits;
  /** PDFs to draw. */
  documents: QueueLimits;
  clients: ClientLimits;
  bodies: BodyLimits;
  rejections: TarpitLimits;
};

export type ClientLimits = {
  /** A connection that reads nothing of its response for this long is closed. */
  stalledMs: number;
  /** Requests that may be sent over a connection before the first of them is answered. */
  pipelined: number;
  /** After this many closed connections of a network within `refusedMs`, all its connections are closed until that time is over. */
  cuts: number;
  refusedMs: number;
};

export const defaultLimits: Limits = {
  // More per network than a browser opens, and fewer than there are database connections.
  calls: { running: 100, waiting: 1_000, perClient: { running: 8, waiting: 200 } },
  // Rendering runs on the main thread: one page renders while the other waits for the database, and each more would keep others waiting for a turn of the
  // event loop. As many may wait as are rendered in the longest wait on a quiet machine: when hundreds come at once, how long they take is only known from
  // before.
  pages: { running: 2, waiting: 100, perClient: { running: 1, waiting: 40 } },
  // Half of a search's time is the main thread's. Fewer than the database connections for searches, because pages search too.
  searches: { running: 4, waiting: 100, perClient: { running: 2, waiting: 40 } },
  // Drawn in one worker thread, some 30 ms each.
  documents: { running: 1, waiting: 100, perClient: { running: 1, waiting: 40 } },
  clients: { stalledMs: 30_000, pipelined: 4, cuts: 10, refusedMs: 10_000 },
  bodies: { completeMs: 10_000, uploads: { bytes: 240_000, periodMs: 30_000, atOnce: 3 } },
  // More than a browser gets from one page, and fewer than a client that doesn't stop.
  rejections: { free: 30, windowMs: 60_000, delayMs: 1_000, maxDelayed: 2_000 },
};

/** The client that a request counts for: its network, or null if it isn't limited. A page's own calls count for the page's client. */
export type ClientOf = (request: FastifyRequest) => string | null;

export type RequestQueues = Record<'calls' | 'pages' | 'searches' | 'documents', FairQueue>;

/** `longestWaitMs` holds for each queue but that of documents, whose worker takes seconds to start. */
export const openQueues = ({ calls, pages, searches, documents }: Limits, longestWaitMs: number): RequestQueues => ({
  calls: new FairQueue({ ...calls, longestWaitMs }),
  pages: new FairQueue({ ...pages, longestWaitMs }),
  searches: new FairQueue({ ...searches, longestWaitMs }),
  documents: new FairQueue(documents),
});
