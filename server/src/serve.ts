import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import { createEnvContext, type AppContext } from './composition/app-context.ts';
import { measureReplicas, openMetrics } from './composition/app-metrics.ts';
import { openReplyServer } from './composition/email-replies.ts';
import { openPayments, referralHooks } from './composition/hooks.ts';
import { createMailChecks, createMailSources, handleJobs } from './composition/job-handlers.ts';
import { appointAdministrator } from './domains/admin/admin.service.ts';
import { ViewCollector } from './domains/analytics/analytics.service.ts';
import { preloadPlaces } from './domains/places/places.service.ts';
import { backfillReferrals } from './domains/referrals/referrals.service.ts';
import { trainClassifier } from './domains/search/search.service.ts';
import { followSettings, loadSettings } from './domains/site/site.service.ts';
import { type Site, buildApp } from './http/app.ts';
import { type ConnectionTimeouts, getRequestTimeouts } from './kit/database/connections.ts';
import { DatabaseClock } from './kit/database/database-clock.ts';
import { openDatabaseProbe } from './kit/database/database-health.ts';
import { openDatabase } from './kit/database/database.ts';
import { Events } from './kit/events/events.ts';
import { openFileStore } from './kit/files/files.ts';
import { openBeacon } from './kit/integrations/beacon.ts';
import { openIdentityProviders } from './kit/integrations/identity-providers.ts';
import { openRegisters } from './kit/integrations/registers.ts';
import { Jobs } from './kit/jobs/jobs.ts';
import { listen } from './kit/listen.ts';
import { limitRepeatedErrors, toLoggedError, toLoggedRequest } from './kit/logging.ts';
import { createThrottledSender } from './kit/mail/mail-throttle.ts';
import { openMailer } from './kit/mail/mail-transport.ts';
import { sendMail } from './kit/mail/mail.ts';
import { openHealthServer } from './kit/metrics/health-server.ts';
import { openTraces } from './kit/metrics/traces.ts';
import { openReplicas } from './kit/replicas/open-replicas.ts';
import { listOwnKeyFiles, noteOwnKeys } from './kit/secrets/own-keys.ts';
import { toPortError } from './kit/startup-error.ts';
import type { OutsideServices } from './startup/outside-services.ts';
import { prepareDatabaseWhenReady } from './startup/startup-checks.ts';

export type Serving = { close(): Promise<void> };

/**
 * Listens at once and becomes ready once the database is migrated and `prepare` is done: until then every call answers 503. With `work` it also runs
 * jobs. `close` lets running requests and jobs finish.
 */
export async function serve(
  options: OutsideServices & {
    site: Site | null;
    work: boolean;
    /** Warms up searches and the API page before the first request, for a second or two of CPU time. */
    warm: boolean;
    /** Runs after the migrations and before the first request, for example to fill in demo data. */
    prepare?: (databaseUrl: string, filesDir: string) => Promise<void>;
    /** Time between the first 503 of the health call and closing the port, in which a load balancer notices. */
    drainMs?: number;
    /** Cancels the start. */
    stopping?: AbortSignal;
  },
): Promise<Serving> {
  const { env, databaseUrl, stripe } = options;
  const timeouts = getRequestTimeouts(env.queueWaitMs);
  const { logger, database, clock, mails, context, payments, filesDir } = await openParts(options, timeouts);
  const { events, jobs } = context;
  let ready = false;
  let stopping = false;
  const views = new ViewCollector(context);
  // Own connections, with a statement timeout for searches.
  const searching = openDatabase({
    url: databaseUrl,
    connections: env.databasePool,
    statementMs: env.searchLimitMs,
    isForSearches: true,
    timeouts,
    onIdleError: (error) => logger.warn({ err: error }, 'idle connection lost'),
  });
  const searchDb = searching.db;
  const probe = openDatabaseProbe(databaseUrl);
  const replicas = openReplicas({
    env,
    databaseUrl,
    logger,
    // Invalidates the responses that were cached meanwhile.
    onDoubtEnds: () => (['listings', 'draws'] as const).forEach((channel) => events.emit(channel, 'many')),
  });
  // Comes first, so that an invalidated response is not cached again from a replica without the change.
  if (replicas) events.beforeEmit(() => replicas.changed());
  const metrics = openMetrics({ main: database, search: searching }, context);
  metrics.watchProcess();
  if (replicas) measureReplicas(metrics, replicas);
  const traces = env.traces ? await openTraces(env.traces) : undefined;
  const app = await buildApp({
    env,
    traces: traces?.plugin,
    metrics,
    context,
    payments,
    views,
    stripe,
    installation: { databaseUrl, smtpUrl: options.smtpUrl, stripe, registers: options.registers, beacon: options.beacon },
    searchDb,
    replicas,
    logger,
    site: options.site,
    isReady: () => ready,
    isStopping: () => stopping,
    isDatabaseReachable: () => probe.isReachable(),
  });
  const connectionsEnded = await listen(app, { port: env.port, host: env.host }).catch((error: unknown) => {
    throw toPortError('PORT', env.port, error);
  });

  if (options.warm) {
    trainClassifier();
    preloadPlaces();
  }
  await prepareDatabaseWhenReady(options, logger, options.stopping);
  await clock.start(database.db, logger);
  await noteOwnKeys(database.db, listOwnKeyFiles(env));
  await loadSettings(context);
  await options.prepare?.(databaseUrl, filesDir);
  await backfillReferrals({ context, hooks: referralHooks });
  if (env.adminEmail) await appointAdministrator(context, env.adminEmail);
  await replicas?.start();
  await events.start();
  await jobs.start({ work: options.work, events });
  views.start();
  const inbound = options.work ? await openReplyServer(context, env) : undefined;
  ready = true;
  // Builds the API's description in advance, because that blocks the event loop for a moment.
  if (options.warm) await app.inject('/api/openapi.json');

  return {
    async close() {
      stopping = true;
      for (const one of [database, searching, probe]) one.closeSilent();
      await Promise.all([
        pause(options.drainMs ?? 0)
          .then(() => app.close())
          .then(connectionsEnded)
          .then(() => views.stop()),
        jobs.stop(),
        inbound?.close(),
      ]);
      mails.close();
      await traces?.close().catch((error: unknown) => logger.warn({ err: error }, 'traces could not be sent'));
      await events.stop();
      await replicas?.close();
      await searching.close();
      await probe.close();
      clock.stop();
      await database.close();
    },
  };
}

/** Runs jobs and receives replies by email, without the web server. `retryFailed` first restarts jobs that failed permanently. */
export async function work(options: OutsideServices & { retryFailed: boolean; stopping?: AbortSignal }): Promise<Serving> {
  const { logger, database, clock, mails, context } = await openParts(options);
  const { events, jobs } = context;
  const metrics = openMetrics({ main: database }, context);
  metrics.watchProcess();
  let ready = false;
  const probe = openDatabaseProbe(options.databaseUrl);
  const { workPort, host, metricsToken, trustProxy } = options.env;
  const health =
    workPort === null
      ? undefined
      : await openHealthServer({
          port: workPort,
          host,
          metrics,
          access: { token: metricsToken, isProxied: trustProxy !== false },
          isReady: async () => ready && (await probe.isReachable()),
        }).catch((error: unknown) => {
          throw toPortError('WORK_PORT', workPort, error);
        });
  await prepareDatabaseWhenReady(options, logger, options.stopping);
  await clock.start(database.db, logger);
  await noteOwnKeys(database.db, listOwnKeyFiles(options.env));
  await loadSettings(context);
  await events.start();
  await jobs.start({ work: true, events });
  const inbound = await openReplyServer(context, options.env);
  if (options.retryFailed) logger.warn({ jobs: await jobs.retryFailed() }, 'failed jobs were restarted');
  ready = true;
  return {
    async close() {
      ready = false;
      for (const one of [database, probe]) one.closeSilent();
      await Promise.all([jobs.stop(), inbound.close()]);
      await health?.close();
      await probe.close();
      mails.close();
      await events.stop();
      clock.stop();
      await database.close();
    },
  };
}

async function openParts(
  { env, databaseUrl, smtpUrl, stripe, beacon, registers, identityProviders, pushSandboxOrigin }: OutsideServices,
  timeouts: Partial<ConnectionTimeouts> = {},
) {
  const logger = pino({
    level: env.logLevel,
    redact: ['req.headers.authorization'],
    serializers: { req: toLoggedRequest, err: toLoggedError },
    hooks: { logMethod: limitRepeatedErrors() },
  });
  if (env.removedSettings.length > 0)
    logger.warn(`${env.removedSettings.join(', ')}: such settings have no effect any more; CHANGELOG.md says what replaced them`);
  const database = openDatabase({
    url: databaseUrl,
    connections: env.databasePool,
    timeouts,
    onIdleError: (error) => logger.warn({ err: error }, 'idle connection lost'),
  });
  const clock = new DatabaseClock();
  const jobs = new Jobs({ pool: database.pool, logger });
  const events = new Events(databaseUrl, (error) => logger.warn({ err: error }, 'changes cannot be read from the database'));
  const mails = openMailer({ smtpUrl, appUrl: env.appUrl });
  const filesDir = join(env.dataDir, 'files');
  const store = await openFileStore(env.s3, filesDir, (error) => logger.error({ err: error }, 'the file store failed'));
  const context: AppContext = {
    db: database.db,
    jobs,
    events,
    store,
    clock,
    beacon: openBeacon(beacon),
    registers: openRegisters(registers),
    identityProviders: openIdentityProviders(identityProviders, logger),
    pushSandboxOrigin,
    logger,
    ...createEnvContext(env),
  };
  followSettings(context);
  const payments = openPayments({ context, stripe });
  const [checks, sources] = [createMailChecks(context), createMailSources(context)];
  jobs.handle(sendMail, createThrottledSender({ db: database.db, mailer: mails, logger, checks, sources }));
  handleJobs(context, payments);
  return { logger, database, clock, mails, context, payments, filesDir };
}
