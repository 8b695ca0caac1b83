import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { fillListings } from '@handwise/sandbox/data-fill';
import { freePort, startPostgres } from '@handwise/sandbox/postgres';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import memory from '../../tools/memory.json' with { type: 'json' };

const root = join(import.meta.dirname, '../..');

export type Started = { address: string; child: ChildProcess };
export type Stage = Awaited<ReturnType<typeof openStage>>;

/** A migrated database in this folder. */
export async function openDatabase(dataDir: string) {
  const postgres = await startPostgres({ dataDir, settings: { shared_buffers: '2GB', effective_cache_size: '12GB', max_wal_size: '8GB' } });
  await prepareDatabase(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  return {
    url: postgres.url,
    client,
    async close() {
      await client.end();
      await postgres.stop();
    },
  };
}

/** A filled database, which stays in `.data/` for the next run, with the product and the floor as two processes on it. */
export async function openStage(listings: number) {
  const dataDir = join(root, `.data/bench-${listings}`);
  mkdirSync(dataDir, { recursive: true });
  const database = await openDatabase(dataDir);
  const { client, url } = database;
  const { rows } = await client.query<{ listings: number }>('select count(*)::int as listings from listings');
  if ((rows[0]?.listings ?? 0) < listings) {
    console.log(`Filling ${listings} listings …`);
    await fillListings({ connectionString: url, listings, reviewsPerListing: 2 });
  }
  const environment = { DATABASE_URL: url, DATA_DIR: dataDir };
  const product = await startServer(environment);
  const floor = await startProcess('bench/src/floor.ts', '/api/listing/all', environment);
  return {
    listings,
    /** Folder of the product's data; files that it serves are in `files`. */
    dataDir,
    databaseUrl: url,
    client,
    product: product.address,
    productPid: product.child.pid ?? 0,
    floor: floor.address,
    startServer: (more: Record<string, string>) => startServer({ ...environment, ...more }),
    /** Server and jobs in one process, as `npm start` has them. */
    startWhole: (more: Record<string, string>) =>
      startProcess('sandbox/src/start.ts', '/api/health', { ...environment, DEMO_DATA: '0', ...more }),
    startReplay: () => startProcess('bench/src/replay.ts', '/', environment),
    dropCaches: () => dropCaches(client),
    async close() {
      await Promise.all([product, floor].map(stopProcess));
      await database.close();
    },
  };
}

/** Drops all cached answers that a change can affect, as if every list had changed; cached cards of listings remain. Returns once the server has done so. */
async function dropCaches(client: pg.Client) {
  await client.query(
    `select publish_change('listings', (select jsonb_build_array(id) from listings limit 1)), publish_change('lists', '"many"')`,
  );
  const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
  const text = `select bool_and(state = 'idle' and query_start > $1) as done from pg_stat_activity where application_name = 'handwise events'`;
  while (!(await client.query<{ done: boolean | null }>(text, [rows[0]?.now])).rows[0]?.done) await pause(5);
}

/** A new account with a confirmed address and a session. */
export async function createPerson(client: pg.Client): Promise<{ id: string; token: string }> {
  const name = `bench_${randomBytes(6).toString('hex')}`;
  const token = randomBytes(32).toString('base64url');
  const { rows } = await client.query<{ id: string }>(
    `with created as (
       insert into users (full_name, username, email, password_hash, referral_code, email_confirmed_at)
       values ('Bench Person', $1, $2, 'x', $3, now()) returning id
     )
     insert into sessions (token_hash, user_id, created_at, expires_at) select $4, id, now(), now() + interval '1 day' from created returning user_id as id`,
    [name, `${name}@example.org`, `REF-${name}`, createHash('sha256').update(token).digest()],
  );
  return { id: rows[0]?.id ?? '', token };
}

export const startServer = (environment: Record<string, string>) => startProcess('server/src/main.ts', '/api/health', environment);
export const startWorker = (environment: Record<string, string>) => startProcess('server/src/work.ts', '/api/health', environment);

async function startProcess(script: string, readyPath: string, environment: Record<string, string>): Promise<Started> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...memory.flags, join(root, script)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      ...memory.environment,
      NODE_ENV: 'production',
      SANDBOX: '1',
      // Required by the server; no measurement pays or sends email with them.
      STRIPE_SECRET_KEY: 'sk_test_bench',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
      STRIPE_WEBHOOK_SECRET: 'whsec_bench',
      SMTP_URL: 'smtp://127.0.0.1:1',
      ...environment,
      PORT: String(port),
      WORK_PORT: String(port),
      HOST: '127.0.0.1',
    },
  });
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (child.exitCode !== null) throw new Error(`${script} ended with code ${child.exitCode}`);
    const answer = await fetch(address + readyPath).catch(() => undefined);
    if (answer?.ok) return { address, child };
    await pause(100);
  }
  throw new Error(`${script} was not ready within a minute`);
}

export async function stopProcess({ child }: Started): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill();
  await ended;
}
