import { setTimeout as pause } from 'node:timers/promises';
import { changeListings } from './changes.ts';
import { load, percentile, printTable } from './load.ts';
import { mixOf } from './mixed-addresses.ts';
import type { Stage } from './stage.ts';

const changesPerSecond = 10;
const connections = 10;

/** What is kept while listings change: against the floor, which works out each answer; the share of what was kept, and how old the oldest answer is. */
export async function benchKept(stage: Stage, seconds: number) {
  const mix = await mixOf(stage.client);
  const changes = changeListings(stage.databaseUrl, changesPerSecond);
  const span = Math.max(20, seconds);
  const from = (address: string, paths: readonly string[]) => load({ address, paths, connections, seconds: span });
  // What is asked for often is there before it is counted, as on any day.
  for (let round = 0; round < 3; round += 1) await from(stage.product, mix.all);
  const floor = await from(stage.floor, mix.calls);
  const calls = await from(stage.product, mix.calls);
  const watched = watch(stage, mix.all);
  const all = await from(stage.product, mix.all);
  const { share, asked, ages } = await watched.end();
  const changed = await changes.stop();
  const row = (name: string, { perSecond, p50, p99, failed }: typeof floor) => [name, perSecond, p50, p99, failed];
  printTable(
    `Kept answers: ${stage.listings} listings, ${changesPerSecond} changes a second (${changed} made), ${connections} connections, ${span} s each`,
    ['mix', 'requests/s', 'p50 ms', 'p99 ms', 'failed'],
    [row('calls, floor', floor), row('calls, product', calls), row('calls and pages, product', all)],
  );
  const ratio = calls.perSecond / floor.perSecond;
  const oldest = Math.max(0, ...ages);
  printTable(
    'Against the bars',
    ['what', 'bar', 'measured', 'holds'],
    [
      ['calls against the floor', '>= 1.5', ratio, ratio >= 1.5 ? 'yes' : 'no'],
      [`kept, of ${asked} asked beside the load`, '>= 0.9', share, share >= 0.9 ? 'yes' : 'no'],
      [`oldest answer after ${ages.length} changes, ms`, '<= 1000', oldest, oldest <= 1_000 ? 'yes' : 'no'],
      ['half of them younger than, ms', '', percentile(ages, 0.5), ''],
    ],
  );
}

/** Asks beside the load how much is kept, and how long after its commit a change is shown to somebody who has changed nothing. */
function watch(stage: Stage, paths: readonly string[]) {
  const state = { ended: false };
  let asked = 0;
  let hits = 0;
  const ages: number[] = [];
  const read = async (path: string) => {
    const answer = await fetch(stage.product + path);
    const text = await answer.text();
    return { text, state: answer.headers.get('x-cache') };
  };
  const sample = async () => {
    while (!state.ended) {
      // oxlint-disable-next-line no-await-in-loop -- beside the load, not more of it
      const { state } = await read(paths[Math.floor(Math.random() * paths.length)] ?? '/');
      asked += 1;
      if (state === 'hit') hits += 1;
      // oxlint-disable-next-line no-await-in-loop
      await pause(5);
    }
  };
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
        const { text } = await read(url);
        if (text.includes(mark)) break;
        lastOld = begun;
      }
      ages.push(lastOld - committed);
      await pause(200);
      // oxlint-enable no-await-in-loop
    }
  };
  const working = Promise.all([sample(), age()]);
  return {
    async end() {
      state.ended = true;
      await working;
      return { share: hits / Math.max(1, asked), asked, ages };
    },
  };
}
