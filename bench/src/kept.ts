import { setTimeout as pause } from 'node:timers/promises';
import { changeListings } from './changes.ts';
import { load, percentile, printBars, printTable } from './load.ts';
import { kindOf, mixOf } from './mixed-addresses.ts';
import type { Stage } from './stage.ts';

const changesPerSecond = 10;
const connections = 10;
const kinds = { listCalls: 'lists, calls', detailCalls: 'listings, calls', listPages: 'lists, pages', listingPages: 'listings, pages' };
// How an answer may come to be sent; all but the last are kept, be it looked through once more before (`same`) or made for somebody else (`shared`).
const ways = ['hit', 'same', 'shared', 'old', 'miss'];
const reasons = ['unknown', 'changed', 'aged', 'unheard'];

/** What is kept while listings change: against the floor, which works out each answer; the share of what was kept, and how old the oldest answer is. */
export async function benchKept(stage: Stage, seconds: number) {
  const mix = await mixOf(stage.client);
  const changes = changeListings(stage.databaseUrl, changesPerSecond);
  const span = Math.max(20, seconds);
  const from = (address: string, paths: readonly string[]) => load({ address, paths, connections, seconds: span, apart: true });
  const cold = new Tally();
  const warming = await warm(stage.product, mix.all, cold);
  const floor = await from(stage.floor, mix.calls);
  const calls = await from(stage.product, mix.calls);
  const watched = watch(stage);
  const tally = new Tally();
  const all = await load({ address: stage.product, paths: mix.all, connections, seconds: span, apart: true, onAnswer: tally.add });
  const ages = await watched.end();
  const changed = await changes.stop();
  const row = (name: string, { perSecond, p50, p99, failed }: typeof floor) => [name, perSecond, p50, p99, failed];
  printTable(
    `Kept answers: ${stage.listings} listings, ${changesPerSecond} changes a second (${changed} made), ${connections} connections, ${span} s each`,
    ['mix', 'requests/s', 'p50 ms', 'p99 ms', 'failed'],
    [row('calls, floor', floor), row('calls, product', calls), row('calls and pages, product', all)],
  );
  cold.print(
    `How answers were had by a server that had kept nothing, each of ${mix.all.length} addresses of the mix asked for once, ${warming.toFixed(0)} s`,
  );
  tally.print('How they were had after that, under the load of calls and pages');
  const ratio = calls.perSecond / floor.perSecond;
  const oldest = Math.max(0, ...ages);
  printBars([
    { what: 'calls against the floor', measured: ratio, atLeast: 1.5 },
    { what: `kept, of ${tally.asked} answers after the mix was asked for once`, measured: tally.kept, atLeast: 0.9 },
    { what: 'of these kept without looking again at what they are made of', measured: tally.shareOf('hit') },
    { what: `oldest answer after ${ages.length} changes, ms`, measured: oldest, atMost: 1_000 },
    { what: 'half of them younger than, ms', measured: percentile(ages, 0.5) },
  ]);
}

/** Asks once for each address of the mix, as often as it stands in it; returns how many seconds that took. */
async function warm(address: string, paths: readonly string[], tally: Tally): Promise<number> {
  const begun = performance.now();
  const left = [...paths];
  const ask = async () => {
    for (let path = left.pop(); path !== undefined; path = left.pop()) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other on each connection
      const answer = await fetch(address + path);
      // oxlint-disable-next-line no-await-in-loop
      await answer.arrayBuffer();
      tally.add(path, Object.fromEntries(answer.headers));
    }
  };
  await Promise.all(Array.from({ length: connections }, ask));
  return (performance.now() - begun) / 1_000;
}

/** How answers were had, by kind of address, and why those were worked out that were. */
class Tally {
  readonly #counts = new Map<string, number>();
  asked = 0;

  add = (path: string, headers: Readonly<Record<string, unknown>>) => {
    const kind = kindOf(path);
    const way = String(headers['x-cache'] ?? '');
    // A failure is counted as one elsewhere.
    if (!ways.includes(way)) return;
    this.asked += 1;
    this.#count(`${kind} ${way}`);
    this.#count(way);
    if (way === 'miss') this.#count(`${kind} ${String(headers['x-cache-missed'])}`);
  };

  get kept(): number {
    return 1 - this.shareOf('miss');
  }

  shareOf = (way: string) => (this.#counts.get(way) ?? 0) / Math.max(1, this.asked);

  print(title: string) {
    printTable(
      title,
      ['kind', ...ways, 'kept', ...reasons.map((reason) => `missed: ${reason}`)],
      Object.entries(kinds).map(([kind, name]) => {
        const counts = ways.map((way) => this.#counts.get(`${kind} ${way}`) ?? 0);
        const asked = counts.reduce((sum, one) => sum + one, 0);
        const kept = 1 - (counts.at(-1) ?? 0) / Math.max(1, asked);
        return [name, ...counts, kept, ...reasons.map((reason) => this.#counts.get(`${kind} ${reason}`) ?? 0)];
      }),
    );
  }

  #count(name: string) {
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }
}

/** Looks beside the load how long after its commit a change is shown to somebody who has changed nothing. */
function watch(stage: Stage) {
  const state = { ended: false };
  const ages: number[] = [];
  const read = async (path: string) => (await fetch(stage.product + path)).text();
  const age = async () => {
    const { rows } = await stage.client.query<{ id: string }>(
      `select id from listings where status = 'active' order by md5(id::text) limit 200`,
    );
    for (let turn = 0; !state.ended; turn += 1) {
      const id = rows[turn % rows.length]?.id;
      const mark = `Seen anew ${turn} ${Date.now()}`;
      const url = `/api/listing/${id}`;
      // oxlint-disable no-await-in-loop -- one change after the other
      await read(url);
      await stage.client.query('update listings set business_info = $2 where id = $1', [id, mark]);
      const committed = performance.now();
      let lastOld = committed;
      for (;;) {
        const begun = performance.now();
        const text = await read(url);
        if (text.includes(mark)) break;
        lastOld = begun;
      }
      ages.push(lastOld - committed);
      await pause(200);
      // oxlint-enable no-await-in-loop
    }
  };
  const working = age();
  return {
    async end() {
      state.ended = true;
      await working;
      return ages;
    },
  };
}
