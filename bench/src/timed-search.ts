import { Agent, get } from 'node:http';
import { type Bar, median, percentile, printBars, printTable, timed } from './load.ts';
import type { Stage } from './stage.ts';

export type Search = Record<string, string>;
export type Group = { names: string[]; searches: readonly Search[] };

// One connection and a client that does little, so that the server is what is measured.
const agent = new Agent({ keepAlive: true, maxSockets: 1 });

const read = (url: string) =>
  new Promise<{ status: number; body: string }>((resolve, reject) => {
    const request = get(url, { agent }, (answer) => {
      const pieces: Buffer[] = [];
      answer.on('data', (piece: Buffer) => pieces.push(piece));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString() }));
      answer.on('error', reject);
    });
    request.on('error', reject);
  });

/** Milliseconds of one request without cached answers, up to its last byte, and the body. */
export async function timeRequest(stage: Stage, path: string): Promise<{ ms: number; body: string }> {
  await stage.dropCaches();
  const [ms, { status, body }] = await timed(() => read(stage.product + path));
  if (status !== 200) throw new Error(`${path} was answered with ${status} after ${ms.toFixed(0)} ms`);
  return { ms, body };
}

export const worst = (times: readonly number[]): number => percentile(times, 1);

/** Times one search. */
async function timeSearch(stage: Stage, search: Search) {
  const { ms, body } = await timeRequest(stage, `/api/search?${new URLSearchParams(search).toString()}`);
  const { totalPages = 0, totalListings } = JSON.parse(body) as { totalPages?: number; totalListings?: number | null };
  return { ms, totalPages, totalListings: totalListings ?? 0 };
}

/** Times the first, the middle and the last page of each search, one request at a time, and prints them by group against the bars of searches. */
export async function timeGroups(stage: Stage, title: string, head: string[], groups: readonly Group[]): Promise<void> {
  const rows = [];
  const all = { first: [] as number[], later: [] as number[] };
  for (const { names, searches } of groups) {
    const [first, later]: [number[], number[]] = [[], []];
    let mostFound = 0;
    for (const search of searches) {
      // The unmeasured first request loads from disk what the others find in memory.
      const { totalPages, totalListings } = await timeSearch(stage, search);
      mostFound = Math.max(mostFound, totalListings);
      first.push((await timeSearch(stage, search)).ms);
      for (const page of totalPages > 1 ? new Set([Math.ceil(totalPages / 2), totalPages]) : [])
        later.push((await timeSearch(stage, { ...search, page: String(page) })).ms);
    }
    all.first.push(...first);
    all.later.push(...later);
    rows.push([...names, searches.length, mostFound, ...figuresOf(first), ...figuresOf(later)]);
  }
  printTable(
    `${title} at ${stage.listings} listings, one request at a time, nothing cached, ms`,
    [...head, 'searches', 'most found', 'first page p50', 'worst', 'middle and last p50', 'worst'],
    rows,
  );
  printBars([...barsOf('first pages', all.first), ...barsOf('later pages', all.later)]);
}

const figuresOf = (times: readonly number[]) => (times.length === 0 ? ['–', '–'] : [median(times), worst(times)]);

const barsOf = (what: string, times: readonly number[]): Bar[] => [
  { what: `${what}, whole requests, p50 ms`, measured: median(times), atMost: 20 },
  { what: `${what}, whole requests, p99 ms`, measured: percentile(times, 0.99), atMost: 200 },
  { what: `${what}, whole requests, worst ms`, measured: worst(times), atMost: 500 },
];
