import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { receipt } from '@handwise/sandbox/testing/receipt';
import type { Attack } from './attacker.ts';
import { percentile, printTable } from './load.ts';
import { makePerson, type Person } from './people.ts';
import type { Stage } from './stage.ts';

/** So many times what others wait for when all is quiet they may wait while somebody attacks. */
const bar = 5;
/** What others ask for each second, all of them together, whether or not those before have been answered. */
const rate = 40;
// All of this network are this machine, and only the first is what the server takes for it.
const others = Array.from({ length: 20 }, (_, index) => new Agent({ keepAlive: true, localAddress: `127.0.1.${index + 1}` }));
const attacker = '127.0.2.1';
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const documents = ['/api/openapi.json', '/api/docs/yaml', '/api/docs/static/swagger-ui-bundle.js'];
const words = ['plumber', 'painting', 'fence', 'lawn', 'electrical', 'cleaning', 'roof', 'kitchen', 'tiling', 'builder'];

type Measured = { times: number[]; failed: number };

/** One client attacks in each way, from a process of its own, while others use the site: what they wait for against a quiet moment of the same run. */
export async function benchAttacks(stage: Stage, seconds: number): Promise<void> {
  const metricsToken = randomBytes(16).toString('hex');
  const { address, child } = await stage.startProduct({ DRAIN_SECONDS: '0', METRICS_TOKEN: metricsToken });
  try {
    const { rows } = await stage.client.query<{ id: string }>(
      "select id from listings where status = 'active' order by sort_key desc limit 20000",
    );
    const listings = rows.map(({ id }) => `/listing/${id}`);
    // What was typed is rendered each time.
    const typed = words.flatMap((word) => words.map((other) => `/search?q=${word}+${other}`));
    const [payer] = await makePeople(stage, 1);
    const attacks: Record<string, Attack> = {
      '150 parallel invoices': {
        address,
        from: attacker,
        kind: 'ask',
        connections: 150,
        paths: await makeInvoices(stage, payer?.id ?? '', 150),
        token: payer?.token ?? '',
      },
      '50 connections on uncached pages': { address, from: attacker, kind: 'ask', connections: 50, paths: typed },
      '1,000 readers who read nothing, 50 searches each': {
        address,
        from: attacker,
        kind: 'stall',
        connections: 1_000,
        paths: words.map((word) => `/api/search?q=${word}`),
      },
      '10 connections on the description of the API': { address, from: attacker, kind: 'ask', connections: 10, paths: documents },
      '150 readers who read nothing of it': { address, from: attacker, kind: 'stall', connections: 150, paths: documents },
      '50 searches for one letter': {
        address,
        from: attacker,
        kind: 'ask',
        connections: 50,
        paths: letters.flatMap((letter) => [1, 2, 3].map((page) => `/api/search?q=${letter}&page=${page}`)),
      },
      '1,000 event streams': {
        address,
        from: attacker,
        kind: 'listen',
        streams: 1_000,
        tokens: (await makePeople(stage, 100)).map(({ token }) => token),
      },
    };
    const long = Math.max(seconds, 10);
    // What is loaded with the first of everything is no attack's.
    await useSite(address, listings, 3);
    const quiet = await useSite(address, listings, long);
    const results = [rowOf('quiet', quiet, null)];
    for (const [name, attack] of Object.entries(attacks)) {
      const attacking = start(attack);
      try {
        await pause(1_000);
        results.push(rowOf(name, await useSite(address, listings, long), quiet));
      } finally {
        await stop(attacking);
      }
      // What it has left behind is worked off before the next one begins.
      await pause(3_000);
    }
    printTable(
      `What ${others.length} others wait for, ms, ${rate} requests a second for ${long} s each: pages kept and not kept, searches, listings, suggestions`,
      ['while', 'requests', 'failed', 'p50', 'p99', 'p99 / quiet', 'holds'],
      results,
    );
    const metrics = await (await fetch(`${address}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } })).text();
    for (const line of metrics.split('\n')) if (/^handwise_(work_refused|connections_cut)_total/.test(line)) console.log(`  ${line}`);
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

function rowOf(name: string, { times, failed }: Measured, quiet: Measured | null) {
  const [p50, p99] = [percentile(times, 0.5), percentile(times, 0.99)];
  const ratio = quiet ? p99 / percentile(quiet.times, 0.99) : 1;
  return [name, times.length, failed, p50, p99, ratio, quiet ? (ratio <= bar && failed === 0 ? 'yes' : 'no') : ''];
}

/** What people do on the site, each from a network of their own. */
async function useSite(address: string, listings: string[], seconds: number): Promise<Measured> {
  const ways = [
    () => '/',
    () => listings.shift() ?? '/',
    (at: number) => `/api/search?q=${words[at % words.length]}`,
    () => '/services/plumbing',
    () => `/api${listings[Math.floor(Math.random() * listings.length)] ?? '/plan/all'}`,
    (at: number) => `/api/search/suggest?q=${words[at % words.length]?.slice(0, 3)}`,
  ];
  const times: number[] = [];
  let failed = 0;
  const begun = performance.now();
  const asked: Promise<void>[] = [];
  for (let at = 0; at < rate * seconds; at += 1) {
    const due = begun + (at * 1_000) / rate;
    const wait = due - performance.now();
    if (wait > 1) await pause(wait);
    const path = ways[at % ways.length]?.(at) ?? '/';
    asked.push(
      (async () => {
        const from = performance.now();
        const status = await ask(address + path, others[at % others.length]);
        times.push(performance.now() - from);
        if (status !== 200) failed += 1;
      })(),
    );
  }
  await Promise.all(asked);
  return { times, failed };
}

const ask = (url: string, agent: Agent | undefined) =>
  new Promise<number>((resolve) => {
    const asked = get(url, { agent }, (answer) => {
      answer.resume().once('close', () => resolve(answer.statusCode ?? 0));
    });
    asked.once('error', () => resolve(0));
  });

function start(attack: Attack): ChildProcess {
  return spawn(process.execPath, [join(import.meta.dirname, 'attacker.ts'), JSON.stringify(attack)], {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}

async function stop(child: ChildProcess) {
  if (child.exitCode !== null) throw new Error(`The attacker ended by itself with ${child.exitCode}`);
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function makePeople({ client }: Stage, count: number): Promise<Person[]> {
  const run = Date.now().toString(36);
  const people: Person[] = [];
  for (let at = 0; at < count; at += 1) people.push(await makePerson(client, `k${at}of${count}${run}`));
  return people;
}

/** The paths of so many invoices of one person. No payment has succeeded, so that the books still balance. */
async function makeInvoices({ client }: Stage, userId: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with paid as (
       insert into payments (user_id, purpose, plan_id, country, amount_minor, currency, status)
       select $1, 'listing', (select id from plans limit 1), 'NZ', 2500, 'NZD', 'canceled' from generate_series(1, $2) returning id
     )
     insert into receipts (user_id, payment_id, details) select $1, id, $3 from paid returning id`,
    [userId, count, JSON.stringify(receipt)],
  );
  return rows.map(({ id }) => `/api/receipt/${id}/pdf`);
}
