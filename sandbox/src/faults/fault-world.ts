import { type ChildProcess, fork } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import type { PlanType } from '@handwise/contract/plans';
import { openPayments } from '@handwise/server/checkout';
import { readEnv } from '@handwise/server/env';
import { handleJobs } from '@handwise/server/job-handlers';
import { systemClock } from '@handwise/server/kit/context';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { Jobs } from '@handwise/server/kit/jobs';
import { sweepOrphans } from '@handwise/server/kit/stored-files';
import { openStripe } from '@handwise/server/kit/stripe';
import { prepareDatabase } from '@handwise/server/prepare-database';
import { pino } from 'pino';
import sharp from 'sharp';
import { afterAll, expect } from 'vitest';
import { freePort } from '../postgres.ts';
import { startStripe } from '../stripe/start-stripe.ts';
import { giveCard } from '../test-card.ts';
import { listingForm } from '../testing/listing.ts';

/**
 * A server in a process of its own. `exit` resolves to its exit code, null where a signal ended it. `killed` says that a test
 * has done so: from then on, and never before, it may leave calls without an answer.
 */
export type Server = { address: string; child: ChildProcess; exit: Promise<number | null>; killed: boolean };

/** The answer of a server that the test has killed: the only one that may be lost. */
export class LostAnswer extends Error {}

export type Answer = { status: number; body: any; retryAfter: string | null };

type ProviderCall = { method: string; path: string };
type Phase = 'before' | 'after';
/** What happens around a call of the provider. Where it never resolves, the call is not carried out, or never answered. */
type OnProviderCall = (call: ProviderCall, phase: Phase) => void | Promise<void>;

const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };
/** How long a machine that is busy with other things may take for what is done in a second. */
export const patience = 120_000;

/**
 * Servers as processes that tests may kill, on one database and one provider that outlive them. `provider` and `db` are the
 * test's own way to both.
 */
export async function faultWorld(options: { databaseUrl: string; smtpUrl?: string }) {
  const { databaseUrl, smtpUrl = 'smtp://127.0.0.1:9' } = options;
  await prepareDatabase(databaseUrl);
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-faults-'));
  let onProviderCall: OnProviderCall = () => {};
  let webhookTo: Server | undefined;
  const stripe = await startStripe({
    ...keys,
    file: ':memory:',
    port: 0,
    webhookUrl: () => (webhookTo ? `${webhookTo.address}/api/stripe/webhook` : null),
    onRequest: (call, phase) => onProviderCall(call, phase),
  });
  const database = openDatabase({ url: databaseUrl, connections: 5, onIdleError: () => {} });
  const { db } = database;
  const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir });
  const jobs = new Jobs({ pool: database.pool, logger: pino({ level: 'silent' }) });
  const store = await openFileStore(null, join(dataDir, 'files'), () => {});
  const settings = { ...keys, apiBase: stripe.url };
  const events = new Events(databaseUrl, () => {});
  const context = { db, jobs, events, store, clock: systemClock, appUrl: env.appUrl };
  const payments = openPayments({ context, env, stripe: settings });
  const provider = openStripe(settings);
  handleJobs(context, payments);
  await jobs.start({ work: false });
  const { rows: plans } = await database.pool.query<{ id: string; plan_type: PlanType }>('select id, plan_type from plans');
  const planId = (plan: PlanType) => plans.find((one) => one.plan_type === plan)?.id ?? '';

  const servers = new Set<Server>();
  afterAll(async () => {
    onProviderCall = () => {};
    webhookTo = undefined;
    await Promise.all([...servers].map(kill));
    await stripe.close();
    await jobs.stop();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** Started anew where it ends before it is ready, as a supervisor does: on a busy machine its database may be too slow. */
  async function startServer(at: { dataDir?: string } = {}): Promise<Server> {
    for (const until = Date.now() + patience; ;) {
      const server = spawnServer(await freePort(), at.dataDir ?? dataDir);
      const said = server.child.stderr ? text(server.child.stderr) : '';
      const first = await Promise.race([once(server.child, 'message').then(() => 'ready' as const), server.exit]);
      webhookTo = server;
      if (first === 'ready') return server;
      if (Date.now() > until) throw new Error(`the server ended with ${first} before it was ready: ${await said}`);
    }
  }

  function spawnServer(port: number, ownDataDir: string): Server {
    const child = fork(join(import.meta.dirname, 'server-process.ts'), {
      execArgv: ['--no-deprecation'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      env: {
        PATH: process.env['PATH'],
        NODE_ENV: 'production',
        SANDBOX: '1',
        HOST: '127.0.0.1',
        PORT: String(port),
        APP_URL: 'http://localhost:3000',
        DATA_DIR: ownDataDir,
        DATABASE_URL: databaseUrl,
        STRIPE_SECRET_KEY: keys.secretKey,
        STRIPE_PUBLISHABLE_KEY: keys.publishableKey,
        STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
        STRIPE_SANDBOX_URL: stripe.url,
        SMTP_URL: smtpUrl,
        LOG_LEVEL: 'silent',
      },
    });
    const exit = once(child, 'exit').then(([code]) => {
      servers.delete(server);
      return code as number | null;
    });
    const server: Server = { address: `http://127.0.0.1:${port}`, child, exit, killed: false };
    servers.add(server);
    return server;
  }

  return {
    db,
    pool: database.pool,
    provider,
    stripe,
    dataDir,
    planId,
    startServer,
    /** Null ends it. */
    aroundProviderCalls(next: OnProviderCall | null) {
      onProviderCall = next ?? (() => {});
    },

    /** Gives a card to the provider, and what it says. */
    async giveCard(secret: string, card?: string): Promise<string> {
      const { status, error } = await giveCard({ url: stripe.url, publishableKey: keys.publishableKey }, secret, card);
      return status ?? error?.message ?? '';
    },

    /** A new account, with what it is going to publish. */
    async newSeller(server: Server): Promise<Seller> {
      for (const until = Date.now() + patience; ;) {
        const username = `s${randomUUID().slice(0, 8)}`;
        const form = { fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse' };
        const { status, body } = await callOnce(server, null, 'POST', '/auth/register', form);
        if (status === 201) return { id: body.data._id, token: body.data.token, email: form.email, form: listingForm(planId('basic')) };
        if (status !== 503 || Date.now() > until) throw new Error(JSON.stringify(body));
      }
    },

    /** Asks the provider about every open payment, as the job does in time. */
    reconcile: () => payments.reconcile(true),

    /** The intents at the provider that were paid, and what the database says of each. */
    async expectBalancedBooks() {
      const taken: string[] = [];
      for await (const intent of provider.paymentIntents.list({ limit: 100 })) {
        if (intent.status === 'succeeded') taken.push(intent.id);
      }
      const { rows } = await database.pool.query<Record<'subscriptions' | 'refunds' | 'receipts', number> & { intent_id: string }>(`
        select intent_id,
          (select count(*)::int from subscriptions where payment_id = payments.id) as subscriptions,
          (select count(*)::int from refunds where payment_id = payments.id) as refunds,
          (select count(*)::int from receipts where payment_id = payments.id) as receipts
        from payments where status = 'succeeded'`);
      expect(rows.map((row) => row.intent_id).toSorted()).toEqual(taken.toSorted());
      expect(rows.filter((row) => row.subscriptions + row.refunds !== 1 || row.subscriptions !== row.receipts)).toEqual([]);
    },

    /** How often a seller was charged and did not get the money back, in cents, the oldest first. */
    async charges(seller: Seller): Promise<number[]> {
      const { rows } = await database.pool.query('select customer_id from payment_customers where user_id = $1', [seller.id]);
      if (rows.length === 0) return [];
      const { data } = await provider.charges.list({ customer: rows[0].customer_id, limit: 100 });
      return data
        .filter((charge) => charge.paid && !charge.refunded)
        .map((charge) => charge.amount)
        .toReversed();
    },

    /** A seller's listings, each as `status plan`. */
    async listings(seller: Seller): Promise<string[]> {
      const { rows } = await database.pool.query(
        `select listings.status || ' ' || plan_type as text from listings
         join subscriptions on subscriptions.id = subscription_id join plans on plans.id = plan_id
         where seller_id = $1 order by listing_number`,
        [seller.id],
      );
      return rows.map((row) => row.text as string);
    },

    /** No file lies in the store that no listing shows, once those without one are swept, and none is missing. */
    async expectNoOrphanFiles() {
      await sweepOrphans(db, store, 0);
      const { rows } = await database.pool.query<{ key: string; state: string }>('select unnest(objects) as key, state from files');
      expect(rows.filter((row) => row.state !== 'attached')).toEqual([]);
      expect(filesBelow(join(dataDir, 'files')).toSorted()).toEqual(rows.map((row) => row.key).toSorted());
    },

    filesIn: filesBelow,
    /** Files of requests that are under way, or that a killed server left. */
    temporaryFiles: () => temporaryDirs(dataDir).flatMap((dir) => filesBelow(dir)),
    /** Makes them look as if they had lain there for two hours. */
    ageTemporaryFiles() {
      const then = new Date(Date.now() - 2 * 3_600_000);
      for (const dir of temporaryDirs(dataDir)) for (const name of filesBelow(dir)) utimesSync(join(dir, name), then, then);
    },
  };
}

export type FaultWorld = Awaited<ReturnType<typeof faultWorld>>;
export type Seller = {
  id: string;
  token: string;
  email: string;
  form: ReturnType<typeof listingForm> & Record<string, string | readonly string[]>;
};

const temporaryDirs = (dataDir: string) => [join(dataDir, 'uploads'), join(dataDir, 'files/.incoming')];

function filesBelow(dir: string): string[] {
  mkdirSync(dir, { recursive: true });
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(dir, join(entry.parentPath, entry.name)))
    .filter((path) => !path.startsWith('.incoming'));
}

/** Ends a server at once, as a power cut does, and waits until it is gone. */
export async function kill(server: Server): Promise<void> {
  server.killed = true;
  server.child.kill('SIGKILL');
  await server.exit;
}

/** A photo of about 20 kB that no coder makes much smaller. */
export const photo = await sharp({
  create: { width: 90, height: 70, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 60 }, background: '#888' },
})
  .png()
  .toBuffer();

/** A form as a browser encodes it. */
export async function encodeForm(fields: Record<string, string | readonly string[]>, photos: readonly Uint8Array[]) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) for (const one of [value].flat()) form.append(name, one);
  for (const bytes of photos) form.append('serviceImages[]', new Blob([new Uint8Array(bytes)]), 'photo.png');
  const encoded = new Response(form);
  return { type: encoded.headers.get('content-type') ?? '', bytes: Buffer.from(await encoded.arrayBuffer()) };
}

type Body = object | { type: string; bytes: Buffer };

const encoded = (body: Body | undefined) =>
  body && 'bytes' in body ? body : { type: 'application/json', bytes: Buffer.from(body ? JSON.stringify(body) : '') };

/**
 * One request on a connection of its own. Throws where there is no answer: a `LostAnswer` where the test has killed the
 * server. With `pauseHalfway` it stops after half of the body and waits.
 */
export function callOnce(
  server: Server,
  token: string | null,
  method: string,
  path: string,
  body?: Body,
  pauseHalfway?: () => Promise<void>,
): Promise<Answer> {
  const { type, bytes } = encoded(body);
  return new Promise((resolve, fail) => {
    const reject = (error: unknown) => fail(server.killed ? new LostAnswer(`${method} ${path}`, { cause: error }) : error);
    const sending = request(`${server.address}/api${path}`, {
      method,
      agent: false,
      headers: {
        ...(body && { 'content-type': type, 'content-length': bytes.length }),
        ...(token && { authorization: `Bearer ${token}` }),
      },
    });
    sending.on('error', reject);
    sending.on('response', (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('error', reject);
      response.on('end', () => {
        const isJson = response.headers['content-type']?.includes('json');
        resolve({
          status: response.statusCode ?? 0,
          body: isJson ? JSON.parse(text) : text,
          retryAfter: response.headers['retry-after'] ?? null,
        });
      });
    });
    if (!pauseHalfway) return void sending.end(bytes);
    const half = Math.floor(bytes.length / 2);
    sending.write(bytes.subarray(0, half));
    pauseHalfway().then(() => sending.end(bytes.subarray(half)), reject);
  });
}

/** A client that repeats each call that a killed server left unanswered, or was too busy for. It starts a server for the killed one. */
export function patientClient(world: FaultWorld, first: Server) {
  let starting = Promise.resolve(first);
  const alive = async () => {
    for (;;) {
      const server = await starting;
      if (!server.killed) return server;
      const again = starting;
      starting = again.then(async (last) => {
        if (last !== server) return last;
        await server.exit;
        return world.startServer();
      });
    }
  };
  const repeat = async (isRepeated: (ending: Answer | LostAnswer) => boolean, send: (server: Server) => Promise<Answer>) => {
    for (const until = Date.now() + patience; ;) {
      const ending = await send(await alive()).catch((error: unknown) => {
        if (error instanceof LostAnswer) return error;
        throw error;
      });
      if (!isRepeated(ending) || Date.now() > until) {
        if (ending instanceof LostAnswer) throw ending;
        return ending;
      }
    }
  };
  return {
    alive,
    /** Repeats what got no answer, too. */
    call: (seller: Seller, method: string, path: string, body?: Body): Promise<Answer> =>
      repeat(
        (ending) => ending instanceof LostAnswer || ending.status === 503,
        (server) => callOnce(server, seller.token, method, path, body),
      ),
    /** Goes without an answer where the server is killed. */
    callOnce: (seller: Seller, method: string, path: string, body?: Body): Promise<Answer> =>
      repeat(
        (ending) => !(ending instanceof LostAnswer) && ending.body.code === 'unavailable',
        (server) => callOnce(server, seller.token, method, path, body),
      ),
  };
}
