import { setTimeout as pause } from 'node:timers/promises';
import { fillListings } from '@handwise/sandbox/data-fill';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import { memoryOf, percentile, printBars, printTable } from './load.ts';
import { startMailSink } from './mail-sink.ts';
import { type Stage, stopChild } from './stage.ts';

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
 * So many plans that end in the same minute: how long a process of jobs takes until the last of their listings is out of the search, and from then
 * until the last of their sellers' mails has left; its memory meanwhile, and how quick searches stay until both. In a database of its own.
 */
export async function benchExpiry(stage: Stage): Promise<void> {
  const name = 'bench_expiry';
  await stage.client.query(`drop database if exists ${name} with (force)`);
  await stage.client.query(`create database ${name}`);
  const url = stage.databaseUrl.replace(/[^/]+$/, name);
  const client = new pg.Client({ connectionString: url });
  const sink = await startMailSink();
  const environment = { DATABASE_URL: url, SMTP_URL: sink.smtpUrl };
  try {
    console.log(`Filling ${listings} listings with plans that end …`);
    await prepareDatabase(url);
    await fillListings({ connectionString: url, listings });
    await client.connect();
    await client.query('vacuum analyze');
    const server = await stage.startProduct(environment);
    const worker = await stage.startWorker(environment);
    await measure(client, server.address, worker.child.pid ?? 0);
    await stopChild(worker.child);
    await stopChild(server.child);
  } finally {
    await client.end();
    sink.close();
    await stage.client.query(`drop database ${name} with (force)`);
  }
}

async function measure(client: pg.Client, address: string, worker: number) {
  // Not how many: counting them over and over would take a core from what is measured.
  const isOneLeft = async () =>
    (
      await client.query<{ one: boolean }>(
        "select exists (select from listings where status = 'active' and subscription_ends_at <= now()) as one",
      )
    ).rows[0]?.one ?? false;
  // What the data brought along has ended long ago, and its sellers are told.
  while ((await isOneLeft()) || (await mailsOf(client, 0)).left > 0) await pause(500);
  const quiet = await searchUntil(address, pause(quietMs));
  const ending = await endPlans(client);
  const from = Date.now();
  let most = 0;
  const ended = (async () => {
    for (;;) {
      most = Math.max(most, memoryOf(worker));
      // A pass begins with each minute.
      if (Date.now() - from > 1_000 && !(await isOneLeft())) return;
      await pause(500);
    }
  })();
  const meanwhile = await searchUntil(address, ended);
  const { rows } = await client.query<{ seconds: number }>(
    `select extract(epoch from now() - min(updated_at))::float as seconds from listings where status = 'expired' and updated_at > $1`,
    [new Date(from)],
  );
  const whileEnding = most;
  const sent = (async () => {
    while ((await mailsOf(client, from)).left > 0) {
      most = Math.max(most, memoryOf(worker));
      await pause(1_000);
    }
  })();
  const afterwards = await searchUntil(address, sent);
  const mails = await mailsOf(client, from);
  printTable(
    `${plans} plans with ${ending} listings that end in the same minute, one process of jobs`,
    ['until', 'seconds', 'worker MB', 'searches p50 ms', 'p99 ms', 'quiet p50', 'quiet p99', 'ratio of p50', 'of p99'],
    [
      ['the last listing is out of the search', rows[0]?.seconds ?? 0, whileEnding, ...against(meanwhile, quiet)],
      [`the last of ${mails.all} mails has left`, mails.seconds, most, ...against(afterwards, quiet)],
    ],
  );
  const slower = (share: number) => percentile(meanwhile, share) / percentile(quiet, share);
  printBars([
    { what: 'seconds until the last listing is out of the search', measured: rows[0]?.seconds ?? 0, atMost: 60 },
    { what: 'searches meanwhile against quiet, p50', measured: slower(0.5), atMost: 2 },
    { what: 'p99', measured: slower(0.99), atMost: 2 },
    { what: 'worker, MB', measured: most, atMost: 250 },
  ]);
}

const against = (times: number[], quiet: number[]) => [
  ...[times, quiet].flatMap((some) => [percentile(some, 0.5), percentile(some, 0.99)]),
  ...[0.5, 0.99].map((share) => percentile(times, share) / percentile(quiet, share)),
];

/** The mails of all that ended: how many, how many have not left, and the seconds from the first that was queued to the last that left. */
async function mailsOf(client: pg.Client, from: number) {
  const { rows } = await client.query<{ all: number; left: number; seconds: number }>(
    `select count(*)::int as all, (count(*) filter (where state in ('created', 'retry', 'active')))::int as left,
       coalesce(extract(epoch from max(completed_on) - min(created_on)), 0)::float as seconds
     from pgboss.job where name = 'mail.send' and created_on > $1`,
    [new Date(from)],
  );
  return rows[0] ?? { all: 0, left: 0, seconds: 0 };
}

/** Lets so many running plans end now, as if they had been bought to that minute. Resolves to how many active listings they have. */
async function endPlans(client: pg.Client): Promise<number> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query('update users set email_confirmed_at = created_at');
  await client.query(
    `with ending as (
       update subscriptions set starts_at = starts_at - (ends_at - now()), ends_at = now() where id in (select id from subscriptions where ends_at > now() order by id limit $1) returning id
     )
     update listings set subscription_ends_at = now() from ending where subscription_id = ending.id`,
    [plans],
  );
  const { rows } = await client.query<{ listings: number }>(
    "select count(*)::int as listings from listings where status = 'active' and subscription_ends_at <= now()",
  );
  await client.query('commit');
  return rows[0]?.listings ?? 0;
}

/** Searches one after the other until this is over: what each took, in ms. */
async function searchUntil(address: string, over: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const going = { on: true };
  void over.finally(() => (going.on = false));
  for (let round = 0; going.on; round += 1) {
    const begun = performance.now();
    const answer = await fetch(address + (searches[round % searches.length] ?? ''));
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`${answer.url} answered ${answer.status}`);
    times.push(performance.now() - begun);
  }
  await over;
  return times;
}
