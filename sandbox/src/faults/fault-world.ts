import { randomUUID } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { pino } from 'pino';
import { afterAll, expect } from 'vitest';
import type { PlanType } from '@handwise/contract/plans/calls';
import { createEnvContext } from '@handwise/server/composition/app-context';
import { openPayments } from '@handwise/server/composition/hooks';
import { handleJobs } from '@handwise/server/composition/job-handlers';
import { reconcilePayments, reconcileRefunds } from '@handwise/server/domains/payments/payments.service';
import { readEnv } from '@handwise/server/env';
import { openBeacon } from '@handwise/server/kit/beacon';
import { systemClock } from '@handwise/server/kit/context';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { noIdentityProviders, openIdentityProviders } from '@handwise/server/kit/identity-providers';
import { type Job, Jobs } from '@handwise/server/kit/jobs';
import { listOwnKeyFiles } from '@handwise/server/kit/own-keys';
import { openRegisters } from '@handwise/server/kit/registers';
import { deleteOrphanedFiles } from '@handwise/server/kit/stored-files';
import { openStripe } from '@handwise/server/kit/stripe';
import { prepareDatabase } from '@handwise/server/startup/prepare-database';
import { startSandboxBeacon } from '../beacon.ts';
import { startStripe } from '../stripe/start-stripe.ts';
import { listingForm } from '../testing/listing.ts';
import { submitCard } from '../testing/provider.ts';
import { callOnce } from './fault-client.ts';
import { kill, patience, type Server, startServer as start } from './fault-servers.ts';

type ProviderCall = { method: string; path: string };
type Phase = 'before' | 'after';
/** A hook around a provider call. If it never resolves, the call is not carried out, or not answered. */
type OnProviderCall = (call: ProviderCall, phase: Phase) => void | Promise<void>;

type Keys = { secretKey: string; publishableKey: string };
const keys = { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox' };

/**
 * Servers as processes that tests may kill, with one database and one provider that outlive them; `db` and `provider` give the test access
 * to both.
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
  // The tests' own connections are as patient as the tests; the servers have the real timeouts.
  const timeouts = { connectMs: patience, waitMs: patience };
  const database = openDatabase({ url: databaseUrl, connections: 5, onIdleError: () => {}, timeouts });
  const { db } = database;
  const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir });
  const logger = pino({ level: 'silent' });
  const jobs = new Jobs({ pool: database.pool, logger });
  const beacon = await startSandboxBeacon({ now: systemClock.now });
  const store = await openFileStore(null, join(dataDir, 'files'), () => {});
  const settings = { ...keys, apiBase: stripe.url };
  const events = new Events(databaseUrl, () => {});
  const context = {
    db,
    jobs,
    events,
    store,
    clock: systemClock,
    beacon: openBeacon(beacon.settings),
    registers: openRegisters({ nzbn: null, abn: null }),
    identityProviders: openIdentityProviders(noIdentityProviders, logger),
    pushSandboxOrigin: null,
    logger,
    ...createEnvContext(env),
  };
  const payments = openPayments({ context, stripe: settings });
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
    await Promise.all([stripe.close(), beacon.close()]);
    await jobs.stop();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  async function startServer(
    at: {
      dataDir?: string;
      keys?: Keys;
      databaseUrl?: string;
      replicaUrl?: string;
      drainMs?: number;
      shiftedDays?: number;
    } = {},
  ): Promise<Server> {
    // Servers of one database have the same keys.
    if (at.dataDir) for (const { path, name } of listOwnKeyFiles(env)) copyFileSync(path, join(at.dataDir, name));
    const settings = {
      APP_URL: env.appUrl,
      DATA_DIR: at.dataDir ?? dataDir,
      DATABASE_URL: at.databaseUrl ?? databaseUrl,
      DATABASE_REPLICA_URLS: at.replicaUrl,
      // Caches are not needed.
      WITHOUT_CACHE: at.replicaUrl && '1',
      DRAIN_MS: at.drainMs === undefined ? undefined : String(at.drainMs),
      // Load shedding is disabled, because a busy machine would trigger it.
      SLOW_MACHINE: '1',
      STRIPE_SECRET_KEY: at.keys?.secretKey ?? keys.secretKey,
      STRIPE_PUBLISHABLE_KEY: at.keys?.publishableKey ?? keys.publishableKey,
      STRIPE_WEBHOOK_SECRET: keys.webhookSecret,
      STAND_INS: JSON.stringify({ stripe: stripe.url, beacon: beacon.url }),
      SMTP_URL: smtpUrl,
      SHIFTED_DAYS: at.shiftedDays === undefined ? undefined : String(at.shiftedDays),
    };
    webhookTo = await start(settings, (server) => {
      servers.add(server);
      void server.exit.then(() => servers.delete(server));
    });
    return webhookTo;
  }

  return {
    db,
    pool: database.pool,
    provider,
    stripe,
    dataDir,
    planId,
    startServer,
    /** Queues a job for the servers. */
    send: <Data extends object>(job: Job<Data>, data: NoInfer<Data>) => jobs.send(db, job, data),
    /** Null removes the hook. */
    aroundProviderCalls(next: OnProviderCall | null) {
      onProviderCall = next ?? (() => {});
    },

    /** Confirms an intent with a card at the provider; returns the response. */
    async submitCard(secret: string, card?: string, publishableKey = keys.publishableKey): Promise<string> {
      const { status, error } = await submitCard({ url: stripe.url, publishableKey }, secret, card);
      return status ?? error?.message ?? '';
    },

    /** Registers an account that can publish. */
    async newSeller(server: Server): Promise<Seller> {
      for (const until = performance.now() + patience; ;) {
        const username = `s${randomUUID().slice(0, 8)}`;
        const form = { fullName: 'Mere Kingi', username, email: `${username}@example.org`, password: 'correct-horse' };
        const { status, body } = await callOnce(server, null, 'POST', '/auth/register', form);
        if (status === 201) return { id: body.data._id, token: body.data.token, email: form.email, form: listingForm(planId('basic')) };
        if (status !== 503 || performance.now() > until) throw new Error(JSON.stringify(body));
      }
    },

    /** Reconciles every open payment, as the job does. */
    reconcile: () => reconcilePayments(payments, true),
    /** Reconciles every pending refund, as the job does. */
    reconcileRefunds: () => reconcileRefunds(payments, true),

    /** Releases the jobs of a killed server, as their missing heartbeat does after half a minute. */
    freeJobs: () => database.pool.query(`update pgboss.job set state = 'retry', start_after = now() where state = 'active'`),
    /** Makes jobs that wait for a retry due now. */
    hurryJobs: () => database.pool.query(`update pgboss.job set start_after = now() where state = 'retry' and start_after > now()`),

    /** A payment's amounts in the ledger and refunds at the provider, and the number of its subscriptions. */
    async moneyOf(intentId: string) {
      const { rows } = await database.pool.query<Record<'captured' | 'bought' | 'owed' | 'refunded' | 'subscriptions', number>>(
        `select captured_minor as captured, bought_minor as bought, owed_minor as owed,
           (select coalesce(sum(amount_minor), 0)::int from refunds where payment_id = payments.id and status in ('pending', 'succeeded')) as refunded,
           (select count(*)::int from subscriptions where payment_id = payments.id and returned_at is null) as subscriptions
         from payments where intent_id = $1`,
        [intentId],
      );
      const { data: refunds } = await provider.refunds.list({ payment_intent: intentId, limit: 100 });
      const { data: disputes } = await provider.disputes.list({ payment_intent: intentId, limit: 100 });
      const back = [
        ...refunds.filter(({ status }) => status === 'pending' || status === 'succeeded'),
        ...disputes.filter(({ status }) => status === 'lost'),
      ];
      return { ...rows[0], callProvider: back.reduce((sum, { amount }) => sum + amount, 0) };
    },

    /** The paid intents at the provider, with their state in the database. */
    async expectBalancedBooks() {
      const taken: string[] = [];
      for await (const intent of provider.paymentIntents.list({ limit: 100 })) {
        if (intent.status === 'succeeded') taken.push(intent.id);
      }
      const { rows } = await database.pool.query<{ intent_id: string; balances: boolean; has_its_receipt: boolean }>(`
        select intent_id,
          captured_minor = bought_minor + owed_minor + coalesce((
            select sum(amount_minor) from refunds where payment_id = payments.id and status in ('pending', 'succeeded')), 0)
          and (bought_minor > 0) = exists (select from subscriptions where payment_id = payments.id and returned_at is null) as balances,
          exists (select from receipts where payment_id = payments.id)
            <> exists (select from refunds where payment_id = payments.id and source = 'nothing_to_buy') as has_its_receipt
        from payments where status = 'succeeded'`);
      expect(rows.map((row) => row.intent_id).toSorted()).toEqual(taken.toSorted());
      expect(rows.filter((row) => !row.balances || !row.has_its_receipt)).toEqual([]);
    },

    /** A seller's charges that were not refunded, in cents, oldest first. */
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

    /** Expects that no stored file is orphaned after the sweep, and that none is missing. */
    async expectNoOrphanFiles() {
      await deleteOrphanedFiles(db, store, 0);
      const { rows } = await database.pool.query<{ key: string; state: string }>('select unnest(objects) as key, state from files');
      expect(rows.filter((row) => row.state !== 'attached')).toEqual([]);
      expect(filesBelow(join(dataDir, 'files')).toSorted()).toEqual(rows.map((row) => row.key).toSorted());
    },

    filesIn: filesBelow,
    /** Files of open requests, or left over from a killed server. */
    temporaryFiles: () => temporaryDirs(dataDir).flatMap((dir) => filesBelow(dir)),
    /** Makes the temporary files two hours older. */
    ageTemporaryFiles() {
      const then = new Date(Date.now() - 2 * 3_600_000);
      for (const dir of temporaryDirs(dataDir)) for (const name of filesBelow(dir)) utimesSync(join(dir, name), then, then);
    },
  };
}

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
