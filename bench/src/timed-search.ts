import { Agent, get } from 'node:http';
import { type Bar, percentile } from './load.ts';
import type { Stage } from './stage.ts';

export type Search = Record<string, string>;

// One connection that stays, and a client that does little: what is measured is the server.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const read = (url: string) =>
  new Promise<{ status: number; body: Buffer; timing: string }>((resolve, reject) => {
    const request = get(url, { agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces), timing: String(answer.headers['server-timing']) }),
      );
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
  const { status, body, timing } = await read(stage.product + path);
  const taken = performance.now() - begun;
  if (status !== 200) throw new Error(`${path} answered ${status} after ${taken.toFixed(0)} ms`);
  return { taken, body, timing };
}

/** Milliseconds of a search: from the first byte asked to the last one had, and of that what the server searched, as it says itself. */
export type Taken = { whole: number; search: number };

export const wholeOf = (taken: readonly Taken[]): number[] => taken.map(({ whole }) => whole);

/** Half of them, and the worst: of whole requests. */
export const figuresOf = (taken: readonly Taken[]): number[] => [percentile(wholeOf(taken), 0.5), percentile(wholeOf(taken), 1)];

/** The bars of any search, of whole requests: of all first pages and of those further in. */
export const barsOf = (first: readonly Taken[], deep: readonly Taken[]): Bar[] =>
  [['first pages', first] as const, ['pages further in', deep] as const].flatMap(([what, taken]) => [
    { what: `${what}, whole requests, p50 ms`, measured: percentile(wholeOf(taken), 0.5), atMost: 20 },
    { what: `${what}, whole requests, p99 ms`, measured: percentile(wholeOf(taken), 0.99), atMost: 200 },
    { what: `${what}, whole requests, worst ms`, measured: percentile(wholeOf(taken), 1), atMost: 500 },
  ]);

/** The same for a request that is answered without looking for anything: what HTTP alone takes, of which a search is the rest. */
export const timedNothing = async (stage: Stage) => (await timedRequest(stage, '/api/live')).taken;

/** The same for a search, with how much was found. Throws where the server does not say how long it searched. */
export async function timedSearch(stage: Stage, search: Search) {
  const { taken: whole, body, timing } = await timedRequest(stage, `/api/search?${new URLSearchParams(search).toString()}`);
  const [, milliseconds] = /^search;dur=([\d.]+)$/.exec(timing) ?? [];
  if (milliseconds === undefined) throw new Error(`nobody searched for ${JSON.stringify(search)}: ${timing}`);
  const { totalPages = 0, totalListings = 0 } = JSON.parse(body.toString()) as { totalPages?: number; totalListings?: number | null };
  return { taken: { whole, search: Number(milliseconds) } satisfies Taken, totalPages, totalListings: totalListings ?? 0 };
}
