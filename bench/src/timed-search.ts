import { Agent, get } from 'node:http';
import { type Bar, percentile } from './load.ts';
import type { Stage } from './stage.ts';

export type Search = Record<string, string>;

// One connection that stays, and a client that does little: what is measured is the server.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const read = (url: string) =>
  new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const request = get(url, { agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces) }));
      answer.on('error', reject);
    });
    request.on('error', reject);
  });

/**
 * Asks the product when all that a change can change has been dropped, as if every list had changed; cards of listings that stayed as they were are
 * kept. How many milliseconds passed until the last byte of the answer was there, and the answer. Throws where there is none.
 */
export async function timedRequest(stage: Stage, path: string) {
  await stage.forget();
  const begun = performance.now();
  const { status, body } = await read(stage.product + path);
  const taken = performance.now() - begun;
  if (status !== 200) throw new Error(`${path} answered ${status} after ${taken.toFixed(0)} ms`);
  return { taken, body };
}

/** The bars of any search: of all first pages, and of those further in. */
export const barsOf = (first: readonly number[], deep: readonly number[]): Bar[] => [
  { what: 'first pages, p50 ms', measured: percentile(first, 0.5), atMost: 5 },
  { what: 'first pages, p99 ms', measured: percentile(first, 0.99), atMost: 30 },
  { what: 'first pages, worst ms', measured: percentile(first, 1), atMost: 100 },
  { what: 'pages further in, p99 ms', measured: percentile(deep, 0.99), atMost: 30 },
  { what: 'pages further in, worst ms', measured: percentile(deep, 1), atMost: 100 },
];

/** The same for a request that is answered without looking for anything: what HTTP alone takes, of which a search is the rest. */
export const timedNothing = async (stage: Stage) => (await timedRequest(stage, '/api/live')).taken;

/** The same for a search, with how much was found. */
export async function timedSearch(stage: Stage, search: Search) {
  const { taken, body } = await timedRequest(stage, `/api/search?${new URLSearchParams(search).toString()}`);
  const { totalPages = 0, totalListings = 0 } = JSON.parse(body.toString()) as { totalPages?: number; totalListings?: number };
  return { taken, totalPages, totalListings };
}
