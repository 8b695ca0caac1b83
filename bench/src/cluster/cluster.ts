import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fillListings } from '@handwise/sandbox/data-fill';
import { freePort } from '@handwise/sandbox/postgres';
import { startStandIns } from '@handwise/sandbox/stand-ins';
import { startS3 } from '@handwise/sandbox/testing/s3';
import { readEnv } from '@handwise/server/env';
import { prepareDatabase } from '@handwise/server/prepare-database';
import { missingPrograms, startHaproxy, startPgbouncer, stopChild } from './balancers.ts';
import { type Node, processesOf, startNodes } from './nodes.ts';
import { Watcher } from './watcher.ts';

/** A process of the product: a server, or a worker that answers about its health only. */
export type Process = { name: string; port: number; address: string; child: ChildProcess | null };

export type Cluster = Awaited<ReturnType<typeof openCluster>>;

const root = join(import.meta.dirname, '../../..');
const key = () => randomBytes(32).toString('base64');

/**
 * Brings everything up that several machines would run: three database servers, one address for their primary, a pool before it, storage, the stand-ins for the outside
 * world, servers behind a balancer and workers. `say` hears what is being done.
 */
export async function openCluster(
  dir: string,
  options: { servers: number; workers: number; listings: number },
  say: (line: string) => void,
) {
  const missing = missingPrograms();
  if (missing.length > 0) throw new Error(`This machine has no ${missing.join(' and no ')}: apt-get install ${missing.join(' ')}`);
  const closers: (() => Promise<unknown>)[] = [];

  say('Three database servers …');
  const nodes = (await startNodes(dir, 3)) as [Node, Node, Node];
  closers.push(() => Promise.all(nodes.map((node) => node.postgres.remove())));
  await prepareDatabase(nodes[0].url);
  if (options.listings > 0) {
    say(`${options.listings} listings …`);
    await fillListings({ connectionString: nodes[0].url, listings: options.listings, reviewsPerListing: 1 });
  }
  const watcher = await Watcher.start(nodes);
  closers.push(() => watcher.close());

  say('Balancer, pool, storage, stand-ins …');
  const named = async (name: string): Promise<Process> => {
    const port = await freePort();
    return { name, port, address: `http://127.0.0.1:${port}`, child: null };
  };
  const servers: Process[] = [];
  for (let index = 0; index < options.servers; index += 1) servers.push(await named(`s${index + 1}`));
  const workers: Process[] = [];
  for (let index = 0; index < options.workers; index += 1) workers.push(await named(`w${index + 1}`));
  const haproxy = await startHaproxy(
    dir,
    nodes.map(({ name, port }, index) => ({ name, port, checkPort: watcher.ports[index] ?? 0 })),
    servers.map(({ name, port }) => ({ name, port, checkPort: port })),
  );
  closers.push(haproxy.stop);
  const pgbouncer = await startPgbouncer(dir, nodes[0].url, haproxy.port);
  closers.push(pgbouncer.stop);
  const s3 = await startS3();
  closers.push(s3.stop);
  const at = (port: number) => nodes[0].url.replace(/:\d+\/(?=\w+$)/, `:${port}/`);
  const databaseUrl = at(pgbouncer.port);
  const siteUrl = `http://localhost:${haproxy.sitePort}`;
  const standInDir = join(dir, 'stand-ins');
  mkdirSync(standInDir);
  const env = readEnv({
    DATABASE_URL: databaseUrl,
    DATA_DIR: standInDir,
    APP_URL: siteUrl,
    DEMO_DATA: '0',
    MAILBOX_PORT: '0',
    SANDBOX: '1',
  });
  const standIns = await startStandIns(env, {
    closers: closers as (() => Promise<void>)[],
    webhookUrl: `${siteUrl}/api/stripe/webhook`,
    say: () => {},
  });

  const shared = {
    NODE_ENV: 'production',
    SANDBOX: '1',
    DEMO_DATA: '0',
    HOST: '127.0.0.1',
    APP_URL: siteUrl,
    TRUST_PROXY: '127.0.0.1',
    DRAIN_SECONDS: '2',
    DATABASE_URL: databaseUrl,
    SMTP_URL: standIns.smtpUrl,
    STRIPE_SECRET_KEY: standIns.stripe.secretKey,
    STRIPE_PUBLISHABLE_KEY: standIns.stripe.publishableKey,
    STRIPE_WEBHOOK_SECRET: standIns.stripe.webhookSecret,
    STRIPE_SANDBOX_URL: standIns.stripe.apiBase ?? '',
    DRAND_URL: standIns.beacon.addresses.join(','),
    DRAND_CHAIN: standIns.beacon.chain,
    S3_BUCKET: s3.settings.bucket,
    S3_ENDPOINT: s3.settings.endpoint,
    S3_REGION: s3.settings.region,
    S3_ACCESS_KEY_ID: s3.settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: s3.settings.secretAccessKey,
    LOG_KEY: key(),
    PRIZE_KEYS: JSON.stringify({ trial: key() }),
    ACCOUNT_KEYS: JSON.stringify({ trial: key() }),
    METRICS_TOKEN: 'the-token-of-a-trial',
    LOG_LEVEL: 'warn',
  };
  // Every node: the one that is the primary is left out by itself.
  let replicaUrls = nodes.map(({ url }) => url);

  async function start(one: Process, script: string, own: Record<string, string>) {
    const dataDir = join(dir, one.name);
    mkdirSync(dataDir, { recursive: true });
    const log = openSync(join(dir, `${one.name}.log`), 'a');
    const child = spawn(process.execPath, ['--max-semi-space-size=4', join(root, script)], {
      stdio: ['ignore', log, log],
      env: { PATH: process.env['PATH'], TMPDIR: process.env['TMPDIR'], ...shared, DATA_DIR: dataDir, ...own },
    });
    one.child = child;
    for (let waited = 0; waited < 120_000; waited += 100) {
      if (child.exitCode !== null) throw new Error(`${one.name} ended with code ${child.exitCode}: see ${join(dir, one.name)}.log`);
      const isReady = await fetch(`${one.address}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isReady) return;
      await pause(100);
    }
    throw new Error(`${one.name} was not ready within two minutes: see ${join(dir, one.name)}.log`);
  }
  const startServer = (one: Process) =>
    start(one, 'server/src/main.ts', { PORT: String(one.port), DATABASE_REPLICA_URLS: replicaUrls.join(',') });
  const startWorker = (one: Process) => start(one, 'server/src/work.ts', { WORK_PORT: String(one.port) });
  const stop = async (one: Process, signal: NodeJS.Signals = 'SIGTERM') => {
    if (one.child) await stopChild(one.child, signal);
    one.child = null;
  };
  closers.push(() => Promise.all([...servers, ...workers].map((one) => stop(one))));

  say('Servers and workers …');
  try {
    for (const one of servers) await startServer(one);
    await Promise.all(workers.map(startWorker));
  } catch (error) {
    await close();
    throw error;
  }

  async function close() {
    for (const one of closers.splice(0).toReversed()) await one();
  }
  return {
    nodes,
    watcher,
    servers,
    workers,
    siteUrl: `http://127.0.0.1:${haproxy.sitePort}`,
    mailboxUrl: standIns.mailboxUrl ?? '',
    databaseUrl,
    startServer,
    startWorker,
    stop,
    /** Servers that are started from now on read from so many replicas at most. */
    readFrom(count: number) {
      const standbys = nodes.filter((node) => node !== watcher.primary);
      replicaUrls = standbys.slice(0, count).map(({ url }) => url);
    },
    /** The processes behind each part, for the time that they take. */
    pids: () => ({
      servers: servers.flatMap(({ child }) => child?.pid ?? []),
      primary: processesOf(watcher.primary),
      replicas: nodes.filter((node) => node !== watcher.primary && node.isAlive).flatMap(processesOf),
      balancers: [...haproxy.pids, ...pgbouncer.pids],
    }),
    close,
  };
}
