import { Events } from '@handwise/server/kit/events';
import '@handwise/server/channels';
import { fillListings } from '@handwise/sandbox/data-fill';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import { median, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

const connections = 96;
const listings = 20_000;
const rounds = 5;

const tellWith = (body: string) => `create or replace function notify_listings(ids uuid[]) returns void language sql as $$ ${body} $$`;
const nothing = tellWith('');
const notifying = tellWith(`select pg_notify('listings', to_json(ids)::text)`);

/**
 * Updates of single listings over many connections: with the trigger's message to the servers as rows, without any, and with
 * NOTIFY instead. In a database of its own, because the trigger's function is exchanged meanwhile.
 */
export async function benchWrites(stage: Stage, seconds: number): Promise<void> {
  const name = 'bench_writes';
  await stage.client.query(`drop database if exists ${name} with (force)`);
  await stage.client.query(`create database ${name}`);
  const url = stage.databaseUrl.replace(/[^/]+$/, name);
  try {
    await prepareDatabase(url);
    await fillListings({ connectionString: url, listings });
    await compare(url, seconds);
  } finally {
    await stage.client.query(`drop database ${name} with (force)`);
  }
}

async function compare(url: string, seconds: number) {
  const admin = new pg.Client({ connectionString: url });
  await admin.connect();
  const clients = await Promise.all(
    Array.from({ length: connections }, async () => {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      return client;
    }),
  );
  const { rows } = await admin.query<{ id: string }>('select id from listings');
  const ids = rows.map((row) => row.id);
  const { rows: own } = await admin.query<{ text: string }>(`select pg_get_functiondef('notify_listings'::regproc) as text`);

  // As each server does.
  let heard = 0;
  const events = new Events(url, (error) => console.error(error));
  events.on('listings', (told) => {
    heard += told === 'many' ? 0 : told.length;
  });
  await events.start();
  await admin.query('listen listings');
  admin.on('notification', () => {
    heard += 1;
  });

  const ways = { nothing, rows: own[0]?.text ?? '', NOTIFY: notifying };
  const rates = new Map<string, number[]>();
  const missed = new Map<string, number>();
  for (let round = 0; round <= rounds; round += 1) {
    for (const [way, definition] of Object.entries(ways)) {
      await admin.query(definition);
      heard = 0;
      // The first round warms up.
      const time = round === 0 ? 1 : seconds;
      const updates = await updateFor(time, clients, ids);
      await events.catchUp();
      await admin.query('select');
      if (round === 0) continue;
      rates.set(way, [...(rates.get(way) ?? []), updates / time]);
      missed.set(way, (missed.get(way) ?? 0) + updates - heard);
    }
  }
  const base = median(rates.get('nothing') ?? []);
  printTable(
    `Updates of single listings over ${connections} connections, median of ${rounds} rounds of ${seconds} s`,
    ['told by', 'updates/s', 'ratio', 'not heard of'],
    [...rates].map(([way, all]) => [way, median(all), median(all) / base, way === 'nothing' ? '' : String(missed.get(way))]),
  );
  printBars([{ what: 'told by rows against telling nobody', measured: median(rates.get('rows') ?? []) / base, atLeast: 0.8 }]);
  await events.stop();
  await Promise.all([admin, ...clients].map((client) => client.end()));
}

/** How many updates all connections together got done. */
async function updateFor(seconds: number, clients: pg.Client[], ids: string[]): Promise<number> {
  let updates = 0;
  const until = performance.now() + seconds * 1_000;
  const write = async (client: pg.Client) => {
    while (performance.now() < until) {
      const id = ids[Math.floor(Math.random() * ids.length)];
      await client.query({ name: 'touch', text: 'update listings set updated_at = now() where id = $1', values: [id] });
      updates += 1;
    }
  };
  await Promise.all(clients.map(write));
  return updates;
}
