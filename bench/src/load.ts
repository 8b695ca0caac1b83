import { readFileSync } from 'node:fs';
import autocannon from 'autocannon';

export type Load = { perSecond: number; p50: number; p99: number; failed: number; bytesPerSecond: number };

type Options = {
  address: string;
  paths: readonly string[];
  connections: number;
  seconds: number;
  /** Whether each connection begins elsewhere among the paths. Otherwise all of them ask for the same at nearly the same time. */
  apart?: boolean;
  onAnswer?: (path: string, headers: Readonly<Record<string, unknown>>) => void;
};

/** Loads one server with the given paths in turn. Times are in ms. */
export async function load({ address, paths, connections, seconds, apart = false, onAnswer }: Options): Promise<Load> {
  const requests = paths.map((path) => ({
    path,
    ...(onAnswer && { onResponse: (_: number, __: string, ___: object, headers?: object) => onAnswer(path, { ...headers }) }),
  }));
  let begun = 0;
  const result = await autocannon({
    url: address,
    connections,
    duration: seconds,
    requests,
    ...(apart && {
      setupClient: (client: autocannon.Client) => {
        const from = Math.floor((requests.length * begun) / connections) % requests.length;
        begun += 1;
        client.setRequests([...requests.slice(from), ...requests.slice(0, from)]);
      },
    }),
  });
  return {
    perSecond: result.requests.average,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
    bytesPerSecond: result.throughput.average,
  };
}

export const median = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0;

/** Loads two servers in turns, so that a noisy moment meets both, and takes the medians of the rounds. */
export async function loadInTurns(
  first: Parameters<typeof load>[0],
  second: Parameters<typeof load>[0],
  rounds = 3,
): Promise<[Load, Load]> {
  const loads: [Load[], Load[]] = [[], []];
  for (const one of [first, second]) await load({ ...one, seconds: 1 });
  for (let round = 0; round < rounds; round += 1) {
    loads[0].push(await load(first));
    loads[1].push(await load(second));
  }
  const middle = (all: Load[]): Load => ({
    perSecond: median(all.map((one) => one.perSecond)),
    p50: median(all.map((one) => one.p50)),
    p99: median(all.map((one) => one.p99)),
    failed: all.reduce((sum, one) => sum + one.failed, 0),
    bytesPerSecond: median(all.map((one) => one.bytesPerSecond)),
  });
  return [middle(loads[0]), middle(loads[1])];
}

/** The value below which the given share of the sorted numbers lies. */
export const percentile = (numbers: readonly number[], share: number) =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))] ?? 0;

const megabytes = (pid: number, line: 'VmRSS' | 'VmHWM') =>
  Number(new RegExp(`${line}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;

/** The resident memory of a process in MB of 1,048,576 bytes: now, and the most that it has had. */
export const memoryOf = (pid: number) => megabytes(pid, 'VmRSS');
export const mostMemoryOf = (pid: number) => megabytes(pid, 'VmHWM');

/** A measured figure with what it must not be above or below, or neither where it is only told. */
export type Bar = { what: string; measured: number; atMost?: number; atLeast?: number };

/** What was measured against its bars, and whether they hold. */
export function printBars(bars: readonly Bar[]) {
  const rows = bars.map(({ what, measured, atMost, atLeast }) => {
    const bar = atMost !== undefined ? `<= ${atMost}` : atLeast !== undefined ? `>= ${atLeast}` : '';
    const holds = measured <= (atMost ?? Infinity) && measured >= (atLeast ?? -Infinity);
    return [what, bar, measured, bar === '' ? '' : holds ? 'yes' : 'no'];
  });
  printTable('Against the bars', ['what', 'bar', 'measured', 'holds'], rows);
}

export function printTable(title: string, head: string[], rows: (string | number)[][]) {
  const text = [head, ...rows].map((row) => row.map((cell) => (typeof cell === 'number' ? format(cell) : cell)));
  const widths = head.map((_, column) => Math.max(...text.map((row) => row[column]?.length ?? 0)));
  console.log(`\n${title}`);
  for (const row of text)
    console.log(
      `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0))).join(' | ')} |`,
    );
}

const format = (number: number) => (number >= 100 ? number.toFixed(0) : number >= 10 ? number.toFixed(1) : number.toFixed(2));
