import { setTimeout as pause } from 'node:timers/promises';
import { dayMs } from '@handwise/contract/dates';
import { countByCategoryAndRegion } from '../domains/listings/listings.service.ts';
import { getOpenPaymentMetrics } from '../domains/payments/payments.service.ts';
import { countSoldPlans } from '../domains/plans/plans.service.ts';
import type { RecordVital } from '../domains/site/site.service.ts';
import type { ResponseCache } from '../kit/cache/response-cache.ts';
import type { Context } from '../kit/context.ts';
import { readArchiveDelay } from '../kit/database/database-health.ts';
import type { Database, Db } from '../kit/database/database.ts';
import { readQueueMetrics } from '../kit/jobs/queues.ts';
import type { RequestQueues } from '../kit/limits/limits.ts';
import { sendMail } from '../kit/mail/mail.ts';
import { Metrics } from '../kit/metrics/metrics.ts';
import type { Replicas } from '../kit/replicas/replicas.ts';

// Metrics of the database are cached for 10 s; a scrape waits for them for at most 2 s.
const cacheMs = 10_000;
const maxWaitMs = 2_000;

/** The metrics of both kinds of process: connections, job queues, payments and sales. */
export function openMetrics(pools: Readonly<Record<string, Database>>, context: Pick<Context, 'db' | 'clock'>): Metrics {
  const metrics = new Metrics();
  const open = Object.entries(pools);
  const ofPools = (read: (database: Database) => number) => () => open.map(([pool, database]) => [{ pool }, read(database)] as const);
  metrics.gauge({
    name: 'handwise_database_connections',
    help: 'Connections to the database, by pool',
    labels: ['pool'],
    read: ofPools(({ pool }) => pool.totalCount),
  });
  metrics.gauge({
    name: 'handwise_database_connections_idle',
    help: 'Idle connections to the database, by pool',
    labels: ['pool'],
    read: ofPools(({ pool }) => pool.idleCount),
  });
  metrics.gauge({
    name: 'handwise_database_waiting',
    help: 'Callers waiting for a connection to the database, by pool',
    labels: ['pool'],
    read: ofPools(({ pool }) => pool.waitingCount),
  });
  metrics.counter({
    name: 'handwise_database_connections_lost_total',
    help: 'Connections closed because the database no longer answered on them, by pool',
    labels: ['pool'],
    read: ofPools((database) => database.countLost()),
  });
  measureDatabase(metrics, context);
  measureArchiving(metrics, context.db);
  return metrics;
}

/** Reads and lag of the replicas. */
export function measureReplicas(metrics: Metrics, replicas: Replicas): void {
  metrics.counter({
    name: 'handwise_replica_reads_total',
    help: 'Statements answered by a replica',
    labels: ['replica'],
    read: () => replicas.metrics().map(({ replica, reads }) => [{ replica }, reads] as const),
  });
  metrics.gauge({
    name: 'handwise_replica_behind_bytes',
    help: 'How far a replica was behind at the last check. Missing while it gets no reads',
    labels: ['replica'],
    read: () => replicas.metrics().flatMap(({ replica, behind }) => (behind === null ? [] : [[{ replica }, behind] as const])),
  });
}

export function measureCache(metrics: Metrics, cache: ResponseCache): void {
  metrics.counter({
    name: 'handwise_response_cache_reads_total',
    help: 'Cacheable pages and API responses, by how they were served: hit, same, shared, old (stale) or miss',
    labels: ['result'],
    read: () => Object.entries(cache.served).map(([result, times]) => [{ result }, times] as const),
  });
  metrics.counter({
    name: 'handwise_response_cache_misses_total',
    help: 'Cache misses by reason: unknown (not cached), changed, aged, incomplete (changes may have been missed)',
    labels: ['because'],
    read: () => Object.entries(cache.missed).map(([because, times]) => [{ because }, times] as const),
  });
  metrics.gauge({ name: 'handwise_response_cache_bytes', help: 'Memory of the response cache', read: () => cache.bytes });
  metrics.gauge({ name: 'handwise_response_cache_entries', help: 'Entries of the response cache', read: () => cache.count });
}

/** Core Web Vitals of real page views, by kind of page. The buckets hold what counts as good and as poor: https://web.dev/articles/vitals. */
export function measureVitals(metrics: Metrics): RecordVital {
  const labels = ['page', 'screen'];
  const record = {
    LCP: metrics.histogram({
      name: 'handwise_web_lcp_seconds',
      help: 'Time until the largest part of a page was seen, in real browsers (LCP)',
      labels,
      buckets: [0.5, 1, 1.5, 2.5, 4, 8],
    }),
    INP: metrics.histogram({
      name: 'handwise_web_inp_seconds',
      help: 'Time from a press to what it shows, the slowest of a page view, in real browsers (INP)',
      labels,
      buckets: [0.05, 0.1, 0.2, 0.5, 1],
    }),
    CLS: metrics.histogram({
      name: 'handwise_web_cls',
      help: 'How much a page shifted by itself, in real browsers (CLS)',
      labels,
      buckets: [0.01, 0.05, 0.1, 0.25, 0.5],
    }),
  };
  // Anyone can send them, so no single one moves a sum far.
  return ({ name, value }, view) => record[name](view, name === 'CLS' ? Math.min(value, 10) : Math.min(value, 60_000) / 1_000);
}

/** The queues: tasks that run, wait and were refused; and the connections that were closed. */
export function measureLimits(metrics: Metrics, queues: RequestQueues, cutConnections: () => Readonly<Record<string, number>>): void {
  const kinds = Object.entries(queues);
  metrics.gauge({
    name: 'handwise_work_running',
    help: 'Tasks running, by queue',
    labels: ['work'],
    read: () => kinds.map(([work, { running }]) => [{ work }, running] as const),
  });
  metrics.gauge({
    name: 'handwise_work_waiting',
    help: 'Tasks waiting, by queue',
    labels: ['work'],
    read: () => kinds.map(([work, { waiting }]) => [{ work }, waiting] as const),
  });
  metrics.counter({
    name: 'handwise_work_refused_total',
    help: 'Tasks refused, by queue, and by whether too many were waiting in total or from one network',
    labels: ['work', 'because'],
    read: () =>
      kinds.flatMap(([work, { refused }]) => Object.entries(refused).map(([because, times]) => [{ work, because }, times] as const)),
  });
  metrics.counter({
    name: 'handwise_connections_cut_total',
    help: 'Connections closed because the client read nothing, sent too many requests before it read a response, or did not finish one',
    labels: ['because'],
    read: () => Object.entries(cutConnections()).map(([because, times]) => [{ because }, times] as const),
  });
}

type DatabaseMetrics = Awaited<ReturnType<typeof readDatabaseMetrics>>;

async function readDatabaseMetrics({ db, clock }: Pick<Context, 'db' | 'clock'>) {
  const now = clock.now();
  const [queues, payments, sold, listings] = await Promise.all([
    readQueueMetrics(db),
    getOpenPaymentMetrics(db, now),
    countSoldPlans(db, new Date(now.getTime() - dayMs)),
    countByCategoryAndRegion(db),
  ]);
  return { queues, payments, sold, listings };
}

// If the database does not answer, its metrics are missing rather than stale, so that alerts fire.
function fromDatabase<T>(metrics: Metrics, query: () => Promise<T>): () => T | null {
  let latest: T | null = null;
  let readAt = -Infinity;
  metrics.beforeCollect(async () => {
    if (performance.now() - readAt < cacheMs) return;
    latest = await Promise.race([query().catch(() => null), pause(maxWaitMs, null, { ref: false })]);
    readAt = latest === null ? -Infinity : performance.now();
  });
  return () => latest;
}

/** The backup's delay. Missing if archiving is off. */
function measureArchiving(metrics: Metrics, db: Db) {
  const seconds = fromDatabase(metrics, () => readArchiveDelay(db));
  metrics.gauge({
    name: 'handwise_wal_unarchived_seconds',
    help: 'How long the backup has received nothing although the database has written something; 0 if there is nothing to send',
    read: () => seconds() ?? [],
  });
}

function measureDatabase(metrics: Metrics, context: Pick<Context, 'db' | 'clock'>) {
  const latest = fromDatabase(metrics, () => readDatabaseMetrics(context));
  const read = (of: (latest: DatabaseMetrics) => number | (readonly [Record<string, string>, number])[]) => () => {
    const known = latest();
    return known ? of(known) : [];
  };
  metrics.gauge({ name: 'handwise_database_up', help: '1 if the database answers within two seconds', read: () => (latest() ? 1 : 0) });
  metrics.gauge({
    name: 'handwise_jobs_due',
    help: 'Jobs that are due and not running',
    read: read(({ queues }) => queues.due),
  });
  metrics.gauge({
    name: 'handwise_jobs_oldest_due_seconds',
    help: 'How long the oldest due job has been waiting',
    read: read(({ queues }) => queues.oldestDueSeconds),
  });
  metrics.gauge({
    name: 'handwise_jobs_retrying',
    help: 'Failed jobs that will be retried',
    read: read(({ queues }) => queues.retrying),
  });
  metrics.gauge({
    name: 'handwise_jobs_failed',
    help: 'Jobs that failed for good and need an operator',
    read: read(({ queues }) => queues.failed),
  });
  metrics.gauge({
    name: 'handwise_mails_oldest_seconds',
    help: 'Age of the oldest email that has not been sent',
    read: read(({ queues }) => queues.ages.get(sendMail.name) ?? 0),
  });
  metrics.gauge({
    name: 'handwise_payments_open',
    help: 'Open payments',
    read: read(({ payments }) => payments.open),
  });
  metrics.gauge({
    name: 'handwise_payments_check_overdue_seconds',
    help: 'How long the most overdue check of an open payment has been due',
    read: read(({ payments }) => payments.overdueSeconds),
  });
  metrics.gauge({
    name: 'handwise_listings_active',
    help: 'Active listings, by country',
    labels: ['country'],
    read: read(({ listings }) => {
      const byCountry = Map.groupBy(listings, ({ country }) => country);
      return [...byCountry].map(([country, cells]) => [{ country }, cells.reduce((sum, cell) => sum + cell.listings, 0)] as const);
    }),
  });
  metrics.gauge({
    name: 'handwise_plans_sold_24h',
    help: 'Payments that succeeded in the last 24 hours, by plan and country',
    labels: ['plan', 'country'],
    read: read(({ sold }) => sold.map(({ plan, country, payments }) => [{ plan, country }, payments] as const)),
  });
}
