import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fillListings } from '@handwise/sandbox/data-fill';
import { freePort, startPostgres } from '@handwise/sandbox/postgres';
import { prepareDatabase } from '@handwise/server/prepare-database';
import pg from 'pg';
import memory from '../../tools/memory.json' with { type: 'json' };

export type Stage = {
  listings: number;
  /** Folder of the product's data; its files lie in `files`. */
  dataDir: string;
  databaseUrl: string;
  client: pg.Client;
  product: string;
  floor: string;
  /** Process id of the product, for its memory. */
  productPid: number;
  /** One more server on the same database, with this in its environment. */
  startProduct(environment: Record<string, string>): Promise<{ address: string; child: ChildProcess }>;
  /** A process of jobs alone, likewise. */
  startWorker(environment: Record<string, string>): Promise<{ child: ChildProcess }>;
  /** Has the product forget all that it keeps, as if every list had changed. */
  forget(): Promise<void>;
  close(): Promise<void>;
};

const root = join(import.meta.dirname, '../..');

/** A database of so many listings, kept for the next run, with the product and the floor as two processes on it. */
export async function openStage(options: { listings: number }): Promise<Stage> {
  const dataDir = join(root, `.data/bench-${options.listings}`);
  mkdirSync(dataDir, { recursive: true });
  const postgres = await startPostgres({ dataDir, settings: { shared_buffers: '2GB', effective_cache_size: '12GB', max_wal_size: '8GB' } });
  await prepareDatabase(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ listings: number }>('select count(*)::int as listings from listings');
  if ((rows[0]?.listings ?? 0) < options.listings) {
    console.log(`Filling ${options.listings} listings …`);
    await fillListings({ connectionString: postgres.url, listings: options.listings, reviewsPerListing: 2 });
  }

  const environment = {
    ...process.env,
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    NODE_ENV: 'production',
    SANDBOX: '1',
    // Named because the server asks for them. Nothing that is measured pays or mails.
    STRIPE_SECRET_KEY: 'sk_test_bench',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_bench',
    STRIPE_WEBHOOK_SECRET: 'whsec_bench',
    SMTP_URL: 'smtp://127.0.0.1:1',
  };
  const product = await startServer('server/src/main.ts', '/api/health', environment);
  const floor = await startServer('bench/src/floor.ts', '/api/listing/all', environment);
  return {
    listings: options.listings,
    dataDir,
    databaseUrl: postgres.url,
    client,
    product: product.address,
    floor: floor.address,
    productPid: product.child.pid ?? 0,
    startProduct: (more) => startServer('server/src/main.ts', '/api/health', { ...environment, ...more }),
    startWorker: (more) => startServer('server/src/work.ts', '/api/health', { ...environment, ...more }),
    forget: () => forget(client),
    async close() {
      await Promise.all([product, floor].map(({ child }) => stopChild(child)));
      await client.end();
      await postgres.stop();
    },
  };
}

// The product has heard of it once it has read after the commit, and so has its thread that answers searches. What is timed is then a request,
// and not what somebody else changed just before.
async function forget(client: pg.Client) {
  await client.query(
    `select publish_change('listings', (select jsonb_build_array(id) from listings limit 1)), publish_change('lists', '"many"')`,
  );
  const { rows } = await client.query<{ now: string }>('select clock_timestamp()::text as now');
  const text = `select bool_and(state = 'idle' and query_start > $1) as heard from pg_stat_activity where application_name in ('handwise events', 'handwise search')`;
  for (;;) {
    const answer = await client.query<{ heard: boolean | null }>(text, [rows[0]?.now]);
    if (answer.rows[0]?.heard) return;
    await pause(5);
  }
}

/** Ends a server as its operator would. The database goes after those who use it. */
export async function stopChild(child: ChildProcess) {
  if (child.exitCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

async function startServer(
  script: string,
  ready: string,
  environment: NodeJS.ProcessEnv,
): Promise<{ address: string; child: ChildProcess }> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [...memory.flags, join(root, script)], {
    stdio: 'inherit',
    env: { ...memory.environment, ...environment, PORT: String(port), WORK_PORT: String(port), HOST: '127.0.0.1' },
  });
  for (let waited = 0; waited < 60_000; waited += 100) {
    if (child.exitCode !== null) throw new Error(`${script} ended with code ${child.exitCode}`);
    const answered = await fetch(address + ready).then(
      (response) => response.ok,
      () => false,
    );
    if (answered) return { address, child };
    await pause(100);
  }
  throw new Error(`${script} did not answer within a minute`);
}
