import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

/** Times in ms. */
export type Load = { perSecond: number; p50: number; p99: number; failed: number; requests: number };

type Options = {
  address: string;
  paths: readonly string[];
  connections: number;
  seconds: number;
  /** Requests per second of all connections together; as many as possible if it is missing. */
  rate?: number;
  headersOf?: (index: number) => Record<string, string>;
};

/** Loads one server with the given paths in turn, each connection starting at another path. */
export async function load({ address, paths, connections, seconds, rate, headersOf }: Options): Promise<Load> {
  const requests = paths.map((path, index) => ({ path, ...(headersOf && { headers: headersOf(index) }) }));
  let clients = 0;
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    requests,
    ...(rate && { overallRate: rate }),
    setupClient: (client) => {
      const from = Math.floor((requests.length * clients++) / connections) % requests.length;
      client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
    },
  });
  const { requests: sent, latency, non2xx, errors, timeouts } = result;
  return { perSecond: sent.average, p50: latency.p50, p99: latency.p99, failed: non2xx + errors + timeouts, requests: sent.total };
}

/** Heads of a table of loads. */
export const loadHead = ['requests/s', 'p50 ms', 'p99 ms', 'failed', 'requests'];

/** Requests per second of two servers, which are loaded alternately, so that a noisy moment affects both: medians of three rounds. */
export async function compareLoads(first: Options, second: Options): Promise<[number, number]> {
  const sides = [first, second].map((options) => ({ options, rates: [] as number[] }));
  // The first round warms up.
  for (let round = 0; round <= 3; round += 1) {
    for (const { options, rates } of sides) {
      const { perSecond, failed } = await load(options);
      if (failed > 0) throw new Error(`${failed} requests to ${options.address} failed`);
      if (round > 0) rates.push(perSecond);
    }
  }
  return sides.map(({ rates }) => median(rates)) as [number, number];
}

/** Milliseconds that some work takes, and its result. */
export async function timed<T>(work: () => T | Promise<T>): Promise<[number, T]> {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}

/** Repeats some work until the function that it returns is called, which waits for the last turn. */
export function repeat(work: (turn: number) => Promise<unknown>): () => Promise<void> {
  const stopping = new AbortController();
  const working = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) await work(turn);
  })();
  return () => {
    stopping.abort();
    return working;
  };
}

export const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;
export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** Resident memory of a process in MB of 1,048,576 bytes. */
export const getMemory = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_024;

/** A measured value and its limit; without a limit it is only printed. */
type Bar = { what: string; measured: number; atMost?: number; atLeast?: number };

export function printBars(bars: readonly Bar[]): void {
  const rows = bars.map(({ what, measured, atMost = Infinity, atLeast = -Infinity }) => {
    const bar = atMost < Infinity ? `<= ${atMost}` : atLeast > -Infinity ? `>= ${atLeast}` : '';
    const passes = measured <= atMost && measured >= atLeast ? 'yes' : 'no';
    return [what, bar, measured, bar && passes];
  });
  printTable('Against the bars', ['what', 'bar', 'measured', 'holds'], rows);
}

export function printTable(title: string, head: string[], rows: (string | number)[][]): void {
  const text = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)));
  const widths = head.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  const padded = (cell: string, column: number) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0));
  console.log(`\n${title}`);
  for (const row of text) console.log(`| ${row.map(padded).join(' | ')} |`);
}

const format = (number: number) => (Number.isInteger(number) ? String(number) : number.toFixed(number >= 100 ? 0 : number >= 10 ? 1 : 2));
