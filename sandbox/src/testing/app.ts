import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, afterEach } from 'vitest';
import { setSite, site as siteNow } from '@handwise/contract/site/site';
import { createEnvContext, type AppContext } from '@handwise/server/composition/app-context';
import { openMetrics } from '@handwise/server/composition/app-metrics';
import { openPayments } from '@handwise/server/composition/hooks';
import { handleJobs } from '@handwise/server/composition/job-handlers';
import { ViewCollector } from '@handwise/server/domains/analytics/analytics.service';
import { buildSiteDocuments, followSettings, loadSettings } from '@handwise/server/domains/site/site.service';
import { readEnv } from '@handwise/server/env';
import { type Site, buildApp } from '@handwise/server/http/app';
import { openBeacon } from '@handwise/server/kit/beacon';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { openIdentityProviders } from '@handwise/server/kit/identity-providers';
import { Jobs } from '@handwise/server/kit/jobs';
import { defaultLimits } from '@handwise/server/kit/limits';
import { type Mail, sendMail } from '@handwise/server/kit/mail';
import { openRegisters } from '@handwise/server/kit/registers';
import { startSandboxBeacon } from '../beacon.ts';
import { startPushService } from '../mailbox/push-service.ts';
import { startSandboxRegisters } from '../registers.ts';
import { createCallers } from './callers.ts';
import { TestClock } from './clock.ts';
import { testDatabase } from './database.ts';
import { checkAgainstDescription } from './described-answers.ts';
import { createFixtures } from './fixtures.ts';
import { startProvider } from './provider.ts';

// Timeouts of beacon and registers, for busy machines.
const patienceMs = 30_000;
const identityTimeoutSeconds = 5;

/** An environment without the limits that a busy machine would reach. */
export const testEnv = (environment: Record<string, string> = {}) => ({
  ...readEnv({ NODE_ENV: 'test', ...environment }),
  searchLimitMs: 60_000,
  eventLoopDelayMs: 0,
});

/** The real server on its own database, called through HTTP without a network. Once per file. */
export async function testApp(
  environment: Record<string, string> = {},
  site: Site | null = null,
  more: { proxied?: boolean; alwaysLatest?: boolean; lockMs?: number } = {},
) {
  const { url } = await testDatabase();
  // Fifty concurrent calls share ten connections, so on a busy machine the last waits longer than production allows. The real
  // limits are tested by `connection-watch.test.ts` and `sandbox/src/faults`.
  const lockMs = more.lockMs ?? 0;
  const timeouts = { connectMs: 60_000, waitMs: 60_000, lockMs, transactionLockMs: lockMs };
  const database = openDatabase({ url, connections: 10, onIdleError: () => {}, timeouts });
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-files-'));
  const env = testEnv({ APP_URL: 'http://localhost:3000', DATA_DIR: dataDir, ...environment });
  const logged: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const events = new Events(url, () => {});
  await events.start();
  const { db } = database;
  const jobs = new Jobs({ pool: database.pool, logger });
  const { settings, sandbox } = await startProvider(more);
  const store = await openFileStore(null, join(dataDir, 'files'), () => {});
  const clock = new TestClock();
  const beacon = await startSandboxBeacon({ now: clock.now });
  const registers = await startSandboxRegisters();
  const pushes = await startPushService();
  const context: AppContext = {
    db,
    jobs,
    events,
    store,
    clock,
    beacon: openBeacon(beacon.settings, patienceMs),
    registers: openRegisters(registers.settings, patienceMs),
    identityProviders: openIdentityProviders(env.identityProviders, logger, identityTimeoutSeconds),
    pushSandboxOrigin: pushes.origin,
    logger,
    ...createEnvContext(env),
  };
  // Test files share a process.
  const siteBefore = { ...siteNow };
  await loadSettings(context);
  followSettings(context);
  const payments = openPayments({ context, stripe: settings });
  handleJobs(context, payments);
  const views = new ViewCollector(context);
  const searching = openDatabase({ url, connections: 4, isForSearches: true, onIdleError: () => {}, timeouts });
  const installation = {
    databaseUrl: url,
    smtpUrl: null,
    stripe: settings,
    registers: registers.settings,
    beacon: beacon.settings,
    patience: 10,
  };
  const app = await buildApp({
    env,
    metrics: openMetrics({ main: database }, context),
    searchDb: searching.db,
    countsForSeconds: 0.001,
    context,
    payments,
    views,
    stripe: settings,
    installation,
    logger,
    site,
    isReady: () => true,
    checkAnswers: true,
    alwaysLatest: more.alwaysLatest ?? true,
    // The real limits, although all tests of a file share a network. But many forms at once show what happens when they meet.
    limits: { ...defaultLimits, bodies: { ...defaultLimits.bodies, uploads: { ...defaultLimits.bodies.uploads, atOnce: 100 } } },
  });
  // Every app has the same API description, but one that is not ready serves none.
  const describe = app.inject.bind(app);
  const hold = (answering: typeof app) => checkAgainstDescription(answering, JSON.stringify(environment), describe);
  hold(app);
  await jobs.start({ work: false });
  await jobs.prepare(sendMail);
  // Prints the server's log of a failed test, because a response of 500 does not explain itself.
  let printedCount = 0;
  afterEach(({ task }) => {
    const lines = logged.slice(printedCount);
    printedCount = logged.length;
    if (task.result?.state === 'fail' && lines.length > 0) console.error(`The server logged:\n${lines.join('')}`);
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([sandbox.closeProvider(), beacon.close(), registers.close(), pushes.close()]);
    await jobs.stop();
    await events.stop();
    await searching.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
    setSite(siteBefore);
  });

  /** Another server on the same parts, without a site and log, with real keys, and with the given options. The caller closes it. */
  const besides = async (other: Partial<Parameters<typeof buildApp>[0]> = {}) => {
    const beside = await buildApp({
      env: testEnv(),
      context: { ...context, events: new Events('', () => {}) },
      payments,
      views,
      installation,
      stripe: { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox', apiBase: null },
      logger: pino({ level: 'silent' }),
      site: null,
      isReady: () => true,
      countsForSeconds: 0.001,
      ...other,
    });
    hold(beside);
    return beside;
  };

  const callers = createCallers(app);
  /** The data of the queued jobs of this name, oldest first. */
  const queued = (name: string): Promise<any[]> => jobs.listWaiting(name);
  const mails = (): Promise<Mail[]> => queued(sendMail.name);
  return {
    app,
    besides,
    db,
    given: await createFixtures(context, callers, sandbox),
    callers,
    sandbox,
    /** The beacon's stand-in, which uses the app's clock. */
    beacon,
    /** The stand-ins of the business registers. */
    registers,
    /** The push service that decrypts what it receives. */
    pushes,
    /** Jobs and emails queued by requests. */
    outbox: {
      queued,
      /** Runs the jobs that are due, except emails, which stay in `mails`. */
      runJobs: () => jobs.runQueued(),
      /** The queued emails, oldest first. */
      mails,
      /** The number of an address's emails with this subject after running the jobs, and the link of the newest. */
      async mailed(to: string, subject: RegExp) {
        await jobs.runQueued();
        const all = (await mails()).filter((mail) => mail.to === to && subject.test(mail.subject));
        const button = all.at(-1)?.blocks.find((block) => block.kind === 'button');
        const url = button?.url ?? '';
        return { count: all.length, url, token: new URL(url || 'http://nowhere').searchParams.get('token') ?? '' };
      },
    },
    /** The app's parts. */
    parts: {
      /** Builds the sitemaps and `llms.txt`, as a job does every ten minutes. */
      buildDocuments: () => buildSiteDocuments(context),
      context,
      /** The database's URL, for separate processes. */
      databaseUrl: url,
      /** The database connections of searches. */
      searchDb: searching.db,
      payments,
      /** Views of listings, written when a test calls it. */
      views,
      clock,
      /** The server's log lines of level warn and above. */
      logged,
    },
  };
}
