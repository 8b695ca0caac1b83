import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { receipt } from '@handwise/sandbox/testing/receipt';
import type { Attack } from './attacker.ts';
import { type Load, load, printTable } from './load.ts';
import { type Stage, createPerson, stopChild } from './stage.ts';

/** How much longer others may wait during an attack than in a quiet moment. */
const bar = 5;
const others = 20;
/** Requests per second of all others together. */
const rate = 40;
const letters = [...'abcdefghijklmnopqrstuvwxyz'];
const documents = ['/api/openapi.json', '/api/docs/yaml', '/api/docs/static/swagger-ui-bundle.js'];
const words = ['plumber', 'painting', 'fence', 'lawn', 'electrical', 'cleaning', 'roof', 'kitchen', 'tiling', 'builder'];
const typed = words.flatMap((word) => words.map((other) => `/search?q=${word}+${other}`));

async function attacksOn(stage: Stage): Promise<Record<string, Attack>> {
  const run = Date.now().toString(36);
  const people = [];
  for (let at = 0; at < 101; at += 1) people.push(await createPerson(stage.client, `k${at}of${run}`));
  const tokens = people.map(({ token }) => token);
  const invoices = await createInvoices(stage, people[0]?.id ?? '', 150);
  const searches = letters.flatMap((letter) => [1, 2, 3].map((page) => `/api/search?q=${letter}&page=${page}`));
  return {
    '150 parallel invoices': { kind: 'requests', connections: 150, paths: invoices, tokens: tokens.slice(0, 1) },
    '50 connections on uncached pages': { kind: 'requests', connections: 50, paths: typed },
    '1,000 connections that read nothing, 50 searches each': {
      kind: 'stall',
      connections: 1_000,
      paths: words.map((word) => `/api/search?q=${word}`),
    },
    '10 connections on the API description': { kind: 'requests', connections: 10, paths: documents },
    '150 connections that read nothing of it': { kind: 'stall', connections: 150, paths: documents },
    '50 searches for one letter': { kind: 'requests', connections: 50, paths: searches },
    '1,000 event streams': {
      kind: 'requests',
      connections: 1_000,
      paths: ['/api/events'],
      tokens: tokens.slice(1),
      pauseMs: 1_000,
    },
  };
}

/** One client attacks in each way while others use the site: their p99 against a quiet moment of the same run. */
export async function benchAttacks(stage: Stage, seconds: number): Promise<void> {
  // Others come through a proxy on 127.0.0.1, so that each has its own network; the attacker comes from 127.0.2.1.
  const { address, child } = await stage.startServer({ DRAIN_SECONDS: '0', TRUST_PROXY: '127.0.0.1' });
  try {
    const { rows } = await stage.client.query<{ id: string }>(
      "select id from listings where status = 'active' order by sort_key desc limit 20000",
    );
    const listings = rows.map(({ id }) => `/listing/${id}`);
    const duration = Math.max(seconds, 10);
    await useSite(address, listings, 3);
    const quiet = await useSite(address, listings, duration);
    const results = [['quiet', quiet.requests, quiet.failed, quiet.p50, quiet.p99, 1, '']];
    for (const [name, attack] of Object.entries(await attacksOn(stage))) {
      const args = [join(import.meta.dirname, 'attacker.ts'), address, '127.0.2.1', JSON.stringify(attack)];
      const attacker = spawn(process.execPath, args, { stdio: ['ignore', 'inherit', 'inherit'] });
      try {
        await pause(1_000);
        const { requests, failed, p50, p99 } = await useSite(address, listings, duration);
        const ratio = p99 / quiet.p99;
        results.push([name, requests, failed, p50, p99, ratio, ratio <= bar && failed === 0 ? 'yes' : 'no']);
        if (attacker.exitCode !== null) throw new Error(`The attacker ended with ${attacker.exitCode}`);
      } finally {
        await stopChild(attacker, 'SIGKILL');
      }
      // The server works off what the attack has left.
      await pause(3_000);
    }
    printTable(
      `What ${others} others wait for, ms, ${rate} requests a second for ${duration} s: cached and uncached pages, searches, listings, suggestions`,
      ['while', 'requests', 'failed', 'p50', 'p99', 'p99 / quiet', 'holds'],
      results,
    );
  } finally {
    await stopChild(child);
  }
}

/** What people do on the site, each from a network of their own; takes the uncached pages from `listings`. */
function useSite(address: string, listings: string[], seconds: number): Promise<Load> {
  const paths = Array.from({ length: rate * seconds }, (_, at) => {
    const word = words[at % words.length] ?? '';
    const known = listings[Math.floor(Math.random() * listings.length)] ?? '/plan/all';
    const uncached = at % 6 === 1 ? (listings.shift() ?? '/') : '/';
    const ways = [
      '/',
      uncached,
      `/api/search?q=${word}`,
      '/services/plumbing',
      `/api${known}`,
      `/api/search/suggest?q=${word.slice(0, 3)}`,
    ];
    return ways[at % ways.length] ?? '/';
  });
  const headersOf = (index: number) => ({ 'x-forwarded-for': `203.0.113.${(index % others) + 1}` });
  return load({ address, paths, connections: others, rate, seconds, spread: true, headersOf });
}

/** The paths of new invoices of one person. Their payments have not succeeded, so that the ledger still balances. */
async function createInvoices({ client }: Stage, userId: string, count: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `with created as (
       insert into payments (user_id, purpose, plan_id, country, amount_minor, currency, status)
       select $1, 'listing', (select id from plans limit 1), 'NZ', 2500, 'NZD', 'canceled' from generate_series(1, $2) returning id
     )
     insert into receipts (user_id, payment_id, details) select $1, id, $3 from created returning id`,
    [userId, count, JSON.stringify(receipt)],
  );
  return rows.map(({ id }) => `/api/receipt/${id}/pdf`);
}
