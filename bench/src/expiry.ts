import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { median, getMemory, percentile, printBars, printTable, repeat, timed } from './load.ts';
import { type Stage, startWorker, stopChild } from './stage.ts';

// They have somewhat more plans than half as many.
const listings = 200_000;
const plans = 100_000;
const quietMs = 10_000;

const searches = [
  '/api/listing/all?limit=12',
  '/api/listing/all?category=Plumbing&limit=12',
  '/api/listing/all?category=Roofing&region=Auckland&limit=12',
  '/api/listing/all?title=repairs&limit=12',
  '/api/search?q=plumber&where=hamilton',
];

/**
 * 100,000 plans that end in the same minute: how long a worker takes until none of their listings is found any more, its memory,
 * and searches meanwhile against a quiet moment. In a database of its own.
 */
export async function benchExpiry(stage: Stage): Promise<void> {
  console.log(`Filling ${listings} listings with plans that end …`);
  await stage.withDatabase('bench_expiry', listings, async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    const mails = await discardMails();
    const environment = { DATABASE_URL: url, DATA_DIR: stage.dataDir, SMTP_URL: mails.url };
    try {
      await client.query('vacuum analyze');
      const server = await stage.startServer(environment);
      const worker = await startWorker(environment);
      await measure(client, server.address, worker.child.pid ?? 0);
      await stopChild(worker.child);
      await stopChild(server.child);
    } finally {
      await client.end();
      mails.close();
    }
  });
}

async function measure(client: pg.Client, address: string, worker: number) {
  const query = async <T>(text: string, values: unknown[] = []) => (await client.query<{ value: T }>(text, values)).rows[0]?.value as T;
  // Exists instead of count, which would take a core from what is measured.
  const isOneLeft = () =>
    query<boolean>(`select exists (select from listings where status = 'active' and subscription_ends_at <= now()) as value`);
  const countMails = () =>
    query<number>(`select count(*)::int as value from pgboss.job where name = 'mail.send' and state in ('created', 'retry', 'active')`);
  // Plans that ended in the filled data are worked off first.
  while ((await isOneLeft()) || (await countMails()) > 0) await pause(500);
  const quiet = await searchUntil(address, pause(quietMs));
  const ending = await endPlans(client);
  const from = Date.now();
  const ended = (async () => {
    // Each pass starts at a full minute.
    while (Date.now() - from < 1_000 || (await isOneLeft())) await pause(500);
  })();
  const meanwhile = await searchUntil(address, ended);
  const seconds = await query<number>(
    `select extract(epoch from now() - min(updated_at))::float as value from listings where status = 'expired' and updated_at > $1`,
    [new Date(from)],
  );
  const times = { quiet, meanwhile };
  printTable(
    `Searches while ${plans} plans with ${ending} listings end in the same minute, one worker, ms`,
    ['', 'searches', 'p50', 'p99'],
    Object.entries(times).map(([name, some]) => [name, some.length, median(some), percentile(some, 0.99)]),
  );
  printBars([
    { what: 'seconds until the last listing is out of the search', measured: seconds, atMost: 60 },
    { what: 'searches meanwhile against quiet, p50', measured: median(meanwhile) / median(quiet), atMost: 2 },
    { what: 'p99', measured: percentile(meanwhile, 0.99) / percentile(quiet, 0.99), atMost: 2 },
    { what: 'most memory of the worker, MB', measured: getMemory(worker).most, atMost: 250 },
  ]);
}

/** Lets many running plans end now, as if they had been bought to that minute. Returns how many active listings they have. */
async function endPlans(client: pg.Client): Promise<number> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query('update users set email_confirmed_at = created_at');
  const { rowCount } = await client.query(
    `with ending as (
       update subscriptions set starts_at = starts_at - (ends_at - now()), ends_at = now()
       where id in (select id from subscriptions where ends_at > now() order by id limit $1) returning id
     )
     update listings set subscription_ends_at = now() from ending where subscription_id = ending.id and status = 'active'`,
    [plans],
  );
  await client.query('commit');
  return rowCount ?? 0;
}

/** As much of SMTP as a sender needs, without parsing the emails, so that the worker is what is measured. */
async function discardMails(): Promise<{ url: string; close(): void }> {
  const server = createServer((socket) => {
    let isBody = false;
    socket.on('error', () => {}).write('220 ready\r\n');
    createInterface({ input: socket }).on('line', (line) => {
      if (isBody && line !== '.') return;
      isBody = line.toUpperCase() === 'DATA';
      socket.write(isBody ? '354 go on\r\n' : '250 ok\r\n');
    });
  });
  server.listen(0, '127.0.0.1').unref();
  await once(server, 'listening');
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => void server.close() };
}

/** Milliseconds of searches one after the other until something else is done. */
async function searchUntil(address: string, done: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const searching = repeat(async (turn) => {
    const [ms, answer] = await timed(async () => {
      const response = await fetch(address + (searches[turn % searches.length] ?? ''));
      await response.arrayBuffer();
      return response;
    });
    if (!answer.ok) throw new Error(`${answer.url} was answered with ${answer.status}`);
    times.push(ms);
  });
  await done;
  await searching.stop();
  return times;
}
