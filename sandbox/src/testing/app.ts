import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Site, buildApp } from '@handwise/server/app';
import { defaultLimits } from '@handwise/server/kit/limits';
import { openPayments } from '@handwise/server/checkout';
import { ViewCollector } from '@handwise/server/domains/analytics/analytics.service';
import { readEnv } from '@handwise/server/env';
import { handleJobs } from '@handwise/server/job-handlers';
import { openMetrics } from '@handwise/server/app-metrics';
import { createEnvContext, type WholeContext } from '@handwise/server/contexts';
import { openBeacon } from '@handwise/server/kit/beacon';
import { openDatabase } from '@handwise/server/kit/database';
import { Events } from '@handwise/server/kit/events';
import { openFileStore } from '@handwise/server/kit/files';
import { Jobs } from '@handwise/server/kit/jobs';
import { openRegisters } from '@handwise/server/kit/registers';
import { type Mail, sendMail } from '@handwise/server/kit/mail';
import { pino } from 'pino';
import { afterAll, afterEach } from 'vitest';
import { startSandboxBeacon } from '../beacon.ts';
import { startSandboxRegisters } from '../registers.ts';
import { callersOf } from './callers.ts';
import { TestClock } from './clock.ts';
import { testDatabase } from './database.ts';
import { holdToDescription } from './described-answers.ts';
import { createFixtures } from './fixtures.ts';
import { startProvider } from './provider.ts';

// So long the beacon and the registers may take: a busy machine is none that does not answer.
const patienceMs = 30_000;

/** The real server on a database of its own, called through HTTP without a network. Call it once in a file. */
export async function testApp(
  environment: Record<string, string> = {},
  site: Site | null = null,
  more: { proxied?: boolean; alwaysLatest?: boolean } = {},
) {
  const { url } = await testDatabase();
  // Fifty at once share ten connections: on a busy machine the last of them waits longer than a visitor would have to. What waits too long for the
  // product's limits is held by `connection-watch.test.ts` and by the servers of `sandbox/src/faults`.
  const database = openDatabase({ url, connections: 10, onIdleError: () => {}, timeouts: { connectMs: 60_000 } });
  const dataDir = mkdtempSync(join(tmpdir(), 'handwise-files-'));
  const env = readEnv({ NODE_ENV: 'test', APP_URL: 'http://localhost:3000', DATA_DIR: dataDir, ...environment });
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
  const context: WholeContext = {
    db,
    jobs,
    events,
    store,
    clock,
    beacon: openBeacon(beacon.settings, patienceMs),
    registers: openRegisters(registers.settings, patienceMs),
    logger,
    ...createEnvContext(env),
  };
  const payments = openPayments({ context, env, stripe: settings });
  handleJobs(context, payments);
  const views = new ViewCollector(context);
  const searching = openDatabase({ url, connections: 4, isForSearches: true, onIdleError: () => {}, timeouts: { connectMs: 60_000 } });
  const app = await buildApp({
    env,
    metrics: openMetrics({ main: database }, context),
    searchDb: searching.db,
    countsForSeconds: 0.001,
    // A busy machine is no large database.
    searchMs: 60_000,
    context,
    payments,
    views,
    stripe: settings,
    logger,
    site,
    isReady: () => true,
    checkAnswers: true,
    alwaysLatest: more.alwaysLatest ?? true,
    // Not at all: a process that got no time for a second is refused everything for the next, and a busy machine is no fault.
    longestDelayMs: 0,
    // All tests of a file come from one network, and on a busy machine their work takes a multiple of its time.
    limits: defaultLimits,
  });
  // They describe themselves alike, and one that is not ready not at all.
  const describe = app.inject.bind(app);
  const hold = (answering: typeof app) => holdToDescription(answering, JSON.stringify(environment), describe);
  hold(app);
  await jobs.start({ work: false });
  await jobs.prepare(sendMail);
  // Whoever reads of a test that failed reads what the server said of it: an answer of 500 tells nobody why.
  let toldBefore = 0;
  afterEach(({ task }) => {
    const told = logged.slice(toldBefore);
    toldBefore = logged.length;
    if (task.result?.state === 'fail' && told.length > 0) console.error(`The server logged:\n${told.join('')}`);
  });
  afterAll(async () => {
    await app.close();
    await Promise.all([sandbox.closeProvider(), beacon.close(), registers.close()]);
    await jobs.stop();
    await events.stop();
    await searching.close();
    await database.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  /** A server beside it on the same parts, without a site, silent, with real keys and with whatever else is given. Whoever starts it closes it. */
  const besides = async (other: Partial<Parameters<typeof buildApp>[0]> = {}) => {
    const beside = await buildApp({
      env: readEnv({ NODE_ENV: 'test' }),
      context: { ...context, events: new Events('', () => {}) },
      payments,
      views,
      stripe: { secretKey: 'sk_test_sandbox', publishableKey: 'pk_test_sandbox', webhookSecret: 'whsec_sandbox', apiBase: null },
      logger: pino({ level: 'silent' }),
      site: null,
      isReady: () => true,
      countsForSeconds: 0.001,
      searchMs: 60_000,
      ...other,
    });
    hold(beside);
    return beside;
  };

  const callers = callersOf(app);
  /** The data of the jobs of this name that wait, oldest first. */
  const queued = (name: string): Promise<any[]> => jobs.listWaiting(name);
  const mails = (): Promise<Mail[]> => queued(sendMail.name);
  return {
    app,
    besides,
    db,
    given: await createFixtures(context, callers, sandbox),
    callers,
    sandbox,
    /** The stand-in for the beacon, whose faults tests set. It goes by the app's clock. */
    beacon,
    /** The stand-ins for the registers of businesses, whose entries and faults tests set. */
    registers,
    /** What waits to be done after the requests. */
    outbox: {
      queued,
      /** Works off the jobs that are due, mails apart: they stay where `mails` sees them. */
      runJobs: () => jobs.runQueued(),
      /** The mails that wait to be sent, oldest first. */
      mails,
      /** How many mails with such a subject somebody gets, once the jobs are done, and where the newest one leads. */
      async mailed(to: string, subject: RegExp) {
        await jobs.runQueued();
        const all = (await mails()).filter((mail) => mail.to === to && subject.test(mail.subject));
        const button = all.at(-1)?.blocks.find((block) => block.kind === 'button');
        const url = button?.url ?? '';
        return { count: all.length, url, token: new URL(url || 'http://nowhere').searchParams.get('token') ?? '' };
      },
    },
    /** What the app is made of. */
    parts: {
      context,
      /** For processes of their own. */
      databaseUrl: url,
      payments,
      /** Views of listings' pages, which are written when a test says so. */
      views,
      clock,
      /** What the server logged at level warn and above, a line each. */
      logged,
    },
  };
}
