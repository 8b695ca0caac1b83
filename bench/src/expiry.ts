import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import { fillListings } from '@handwise/sandbox/data-fill';
import { load, printBars, timed } from './load.ts';
import { discardMails } from './mail.ts';
import { openDatabase, startServer, startWorker, stopProcess } from './stage.ts';

// They have somewhat more plans than half as many.
const listings = 200_000;
const plans = 100_000;

const searches = ['/api/listing/all?category=Roofing&region=Auckland', '/api/listing/all?title=repairs', '/api/search?q=plumber'];

/** 100,000 plans that end in the same minute: how long a worker takes until none of their listings is found any more, and searches meanwhile. */
export async function benchExpiry(dir: string): Promise<void> {
  const { client, url, close } = await openDatabase(dir);
  await fillListings({ connectionString: url, listings });
  await client.query('vacuum analyze');
  const environment = { DATABASE_URL: url, DATA_DIR: dir, SMTP_URL: await discardMails() };
  const server = await startServer(environment);
  const worker = await startWorker(environment);
  const isOne = async (condition: string) =>
    (await client.query<{ value: boolean }>(`select exists (select from ${condition}) as value`)).rows[0]?.value;
  const isOneLeft = () => isOne(`listings where status = 'active' and subscription_ends_at <= now()`);
  const isMailLeft = () => isOne(`pgboss.job where name = 'mail.send-email' and state in ('created', 'retry', 'active')`);
  // Plans that ended in the filled data are worked off first.
  while ((await isOneLeft()) || (await isMailLeft())) await pause(500);
  const search = (seconds: number) => load({ address: server.address, paths: searches, connections: 1, seconds });
  const quiet = await search(10);
  await endPlans(client);
  const endedAt = new Date().toISOString();
  // The next pass of the worker starts at a full minute.
  while (!(await isOne(`listings where status = 'expired' and updated_at > '${endedAt}'`))) await pause(100);
  const expiring = timed(async () => {
    while (await isOneLeft()) await pause(500);
  });
  const meanwhile = await search(60);
  const [ms] = await expiring;
  printBars([
    { what: 'seconds until the last listing is out of the search', measured: ms / 1_000, atMost: 60 },
    { what: 'searches meanwhile against quiet, mean', measured: quiet.perSecond / meanwhile.perSecond, atMost: 2 },
    { what: 'p99', measured: meanwhile.p99 / quiet.p99, atMost: 2 },
  ]);
  await stopProcess(worker);
  await stopProcess(server);
  await close();
}

/** Lets many running plans end now, as if they had been bought to that minute. */
async function endPlans(client: pg.Client): Promise<void> {
  await client.query('begin');
  await client.query('set local session_replication_role = replica');
  await client.query('update users set email_confirmed_at = created_at');
  await client.query(
    `with ending as (
       update subscriptions set starts_at = starts_at - (ends_at - now()), ends_at = now()
       where id in (select id from subscriptions where ends_at > now() order by id limit $1) returning id
     )
     update listings set subscription_ends_at = now() from ending where subscription_id = ending.id and status = 'active'`,
    [plans],
  );
  await client.query('commit');
}
