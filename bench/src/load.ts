import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export type Load = { perSecond: number; p50: number; p99: number; failed: number; requests: number };

type Options = {
  address: string;
  paths: readonly string[];
  connections: number;
  seconds: number;
  /** Starts each connection at another path, so that they do not all request the same one at the same time. */
  spread?: boolean;
  /** Requests per second of all connections together; as many as possible if it is missing. */
  rate?: number;
  headersOf?: (index: number) => Record<string, string>;
  onResponse?: (path: string, headers: Readonly<Record<string, unknown>>) => void;
};

/** Loads one server with the given paths in turn. Times are in ms. */
export async function load({ address, paths, connections, seconds, spread, rate, headersOf, onResponse }: Options): Promise<Load> {
  const requests = paths.map((path, index) => ({
    path,
    ...(headersOf && { headers: headersOf(index) }),
    ...(onResponse && { onResponse: (_: number, __: string, ___: object, headers?: object) => onResponse(path, { ...headers }) }),
  }));
  let clients = 0;
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    requests,
    ...(rate && { overallRate: rate }),
    ...(spread && {
      setupClient: (client: autocannon.Client) => {
        const from = Math.floor((requests.length * clients++) / connections) % requests.length;
        client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
      },
    }),
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
    requests: result.requests.total,
  };
}

/** Loads two servers alternately, so that a noisy moment affects both, and returns the medians of the rounds. */
export async function compareLoads(first: Options, second: Options, rounds = 3): Promise<[Load, Load]> {
  const loads: [Load[], Load[]] = [[], []];
  for (const one of [first, second]) await load({ ...one, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    loads[0].push(await load(first));
    loads[1].push(await load(second));
  }
  const medians = (all: Load[]): Load => ({
    perSecond: median(all.map((one) => one.perSecond)),
    p50: median(all.map((one) => one.p50)),
    p99: median(all.map((one) => one.p99)),
    failed: all.reduce((sum, one) => sum + one.failed, 0),
    requests: all.reduce((sum, one) => sum + one.requests, 0),
  });
  return [medians(loads[0]), medians(loads[1])];
}

/** Milliseconds that some work takes, and its result. */
export async function timed<T>(work: () => T | Promise<T>): Promise<[number, T]> {
  const startedAt = performance.now();
  const result = await work();
  return [performance.now() - startedAt, result];
}

/** Repeats some work until it is stopped; `stop` waits for the last turn. */
export function repeat(work: (turn: number) => Promise<unknown>): { stop(): Promise<void> } {
  const stopping = new AbortController();
  const working = (async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) await work(turn);
  })();
  return {
    stop() {
      stopping.abort();
      return working;
    },
  };
}

export const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;
export const median = (numbers: readonly number[]): number => percentile(numbers, 0.5);

/** Memory of a process in MB of 1,048,576 bytes: resident now, and the most so far. */
export function getMemory(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const megabytes = (line: string) => Number(new RegExp(`${line}:\\s+(\\d+)`).exec(status)?.[1] ?? 0) / 1_024;
  return { now: megabytes('VmRSS'), most: megabytes('VmHWM') };
}

/** A measured value and its limit; without a limit it is only printed. */
export type Bar = { what: string; measured: number; atMost?: number; atLeast?: number };

export function printBars(bars: readonly Bar[]): void {
  const rows = bars.map(({ what, measured, atMost, atLeast }) => {
    const bar = atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : '';
    const holds = measured <= (atMost ?? Infinity) && measured >= (atLeast ?? -Infinity);
    return [what, bar, measured, bar === '' ? '' : holds ? 'yes' : 'no'];
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
