import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'kysely';
import { type Logger, pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase } from '../database/database.ts';
import { Events } from '../events/events.ts';
import { PermanentError } from './attempt.ts';
import { releaseDeadJobs } from './boss.ts';
import { defineJob, Jobs } from './jobs.ts';
import { heartbeatSeconds } from './queues.ts';

const { url } = await testDatabase();
const { db, pool, close } = openDatabase({ url, connections: 10, onIdleError: () => {} });
const events = new Events(url, () => {});
let listening: Promise<void> | undefined;
const opened: Jobs[] = [];
afterAll(async () => {
  for (const jobs of opened) await jobs.stop();
  await events.stop();
  await close();
});

const silent = pino({ level: 'silent' });

async function startJobs(options: { work: boolean; logger?: Logger; pollSeconds?: number; register?: (jobs: Jobs) => void }) {
  const jobs = new Jobs({ pool, logger: options.logger ?? silent, ...(options.pollSeconds && { pollSeconds: options.pollSeconds }) });
  opened.push(jobs);
  options.register?.(jobs);
  if (options.work) await (listening ??= events.start());
  await jobs.start({ work: options.work, events });
  return jobs;
}

type Row = { state: string; data: { n: number }; retry_count: number; retry_limit: number; waits: number };
async function rowsOf(name: string): Promise<Row[]> {
  const { rows } = await sql<Row>`select state, data, retry_count, retry_limit, extract(epoch from start_after - now())::float as waits
     from pgboss.job where name = ${name} order by created_on, ctid`.execute(db);
  return rows;
}

test('a server that only sends leaves no timer when it stops', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length;
  // The first start also opens connections of the pool, which have their own timers.
  await (await startJobs({ work: false })).stop();
  const before = timers();
  const jobs = await startJobs({ work: false });
  expect(timers()).toBeGreaterThan(before);
  await jobs.stop();
  expect(timers()).toBeLessThanOrEqual(before);
});

test('sends a job when its transaction commits, and not when it is rolled back', async () => {
  const job = defineJob<{ n: number }>('test.roll-back');
  const jobs = await startJobs({ work: false });
  const failing = db.transaction().execute(async (tx) => {
    await jobs.send(tx, job, { n: 1 });
    throw new Error('changed my mind');
  });
  await expect(failing).rejects.toThrow('changed my mind');
  expect(await rowsOf(job.name)).toEqual([]);
  await db.transaction().execute((tx) => jobs.send(tx, job, { n: 2 }));
  expect(await rowsOf(job.name)).toMatchObject([{ state: 'created', data: { n: 2 } }]);
});

test('jobs of one group that hang hold up no job of another', async () => {
  const job = defineJob<{ n: number }>('test.groups', { concurrency: 3, perGroup: 1 });
  const released = Promise.withResolvers<void>();
  const started: number[] = [];
  const register = (one: Jobs) =>
    one.handle(job, async ({ n }) => {
      started.push(n);
      if (n < 10) await released.promise;
    });
  // It never polls, so that jobs which wait are fetched because others have ended or were sent.
  const jobs = await startJobs({ work: true, pollSeconds: 3_600, register });
  await db.transaction().execute((tx) =>
    jobs.sendAll(
      tx,
      job,
      [1, 2, 3, 4, 5].map((n) => ({ n })),
      () => 'one',
    ),
  );
  await expect.poll(() => started.length).toBe(1);
  for (const n of [11, 12, 13, 14]) await jobs.send(db, job, { n }, { group: `of ${n}` });
  await expect.poll(() => started.filter((n) => n > 10).length).toBe(4);
  expect(started.filter((n) => n < 10)).toHaveLength(1);
  released.resolve();
  await expect.poll(() => started.length).toBe(9);
  await jobs.stop();
});

test('retries a failed job with growing delays, then moves it to the dead-letter queue until it is retried by hand', async () => {
  const job = defineJob<{ n: number }>('test.fail', { retryLimit: 2, retryDelaySeconds: 100, retryDelayMaxSeconds: 300 });
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  let attempts = 0;
  const jobs = await startJobs({
    work: false,
    logger,
    register: (one) =>
      one.handle(job, async () => {
        attempts += 1;
        throw new Error(`no luck ${attempts}`);
      }),
  });
  await jobs.send(db, job, { n: 1 });
  const due = () => sql`update pgboss.job set start_after = now() where name = ${job.name}`.execute(db);
  const waits: number[] = [];
  for (let attempt = 1; attempt <= 2; attempt += 1) {
    await jobs.runQueued();
    expect(attempts).toBe(attempt);
    const [row] = await rowsOf(job.name);
    expect(row).toMatchObject({ state: 'retry', data: { n: 1 } });
    waits.push(row?.waits ?? 0);
    // Not due yet: nothing happens.
    await jobs.runQueued();
    expect(attempts).toBe(attempt);
    await due();
  }
  await jobs.runQueued();
  expect(await rowsOf(job.name)).toMatchObject([{ state: 'failed' }]);
  expect(waits[0]).toBeGreaterThan(95);
  expect(waits[0]).toBeLessThanOrEqual(200);
  expect(waits[1]).toBeGreaterThan(195);
  expect(waits[1]).toBeLessThanOrEqual(300);
  const logged = lines.map((line) => JSON.parse(line));
  expect(logged.map((line) => [line.level, line.job, line.attempt, line.err.message])).toEqual([
    [40, 'test.fail', 1, 'no luck 1'],
    [40, 'test.fail', 2, 'no luck 2'],
    [50, 'test.fail', 3, 'no luck 3'],
  ]);
  expect(logged[2].id).toEqual(expect.any(String));

  expect(await jobs.retryFailed()).toBe(1);
  expect((await rowsOf(job.name)).map((row) => [row.state, row.data.n, row.retry_count])).toContainEqual(['created', 1, 0]);
});

test('a job with a permanent error fails at once', async () => {
  const job = defineJob<{ n: number }>('test.refuse', { retryLimit: 50 });
  const jobs = await startJobs({
    work: false,
    register: (one) =>
      one.handle(job, async () => {
        throw new PermanentError('there is no such address');
      }),
  });
  await jobs.send(db, job, { n: 1 });
  await jobs.runQueued();
  expect(await rowsOf(job.name)).toMatchObject([{ state: 'failed', retry_count: 0 }]);
});

test('two servers share a hundred jobs, each of which runs once', async () => {
  const job = defineJob<{ n: number }>('test.share', { concurrency: 5 });
  const worked: [string, number][] = [];
  const register = (server: string) => (jobs: Jobs) =>
    jobs.handle(job, async ({ n }) => {
      worked.push([server, n]);
      await sql`select pg_sleep(0.01)`.execute(db);
    });
  const sender = await startJobs({ work: false });
  await startJobs({ work: true, register: register('a') });
  await startJobs({ work: true, register: register('b') });
  await db.transaction().execute(async (tx) => {
    for (let n = 0; n < 100; n += 1) await sender.send(tx, job, { n });
  });
  await expect.poll(() => worked.length).toBeGreaterThanOrEqual(100);
  await expect.poll(async () => (await rowsOf(job.name)).every((row) => row.state === 'completed')).toBe(true);
  expect(worked.map(([, n]) => n).toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n));
  expect(new Set(worked.map(([server]) => server))).toEqual(new Set(['a', 'b']));
});

test('workers fetch when a job is sent and when a change may have been missed, not only by polling', async () => {
  const job = defineJob<{ n: number }>('test.hear');
  const worked: number[] = [];
  const sender = await startJobs({ work: false });
  await sender.send(db, job, { n: 1 });
  await startJobs({ work: true, pollSeconds: 3_600, register: (jobs) => jobs.handle(job, async ({ n }) => void worked.push(n)) });
  await expect.poll(() => worked).toEqual([1]);
  await db.transaction().execute((tx) => sender.send(tx, job, { n: 2 }));
  await expect.poll(() => worked).toEqual([1, 2]);
  await sender.send(db, job, { n: 3 }, { startAfterSeconds: 3_600 });
  await sql`update pgboss.job set start_after = now() where name = ${job.name}`.execute(db);
  events.emit('jobs', 'many');
  await expect.poll(() => worked).toEqual([1, 2, 3]);
});

/** The row of a job whose worker died at its n-th attempt, after its heartbeat expired. */
async function leaveDeadJob(name: string, retryCount: number) {
  const { rowCount } = await pool.query(
    `update pgboss.job set state = 'active', retry_count = $2, started_on = now() - interval '40 seconds', heartbeat_on = now() - interval '31 seconds'
     where name = $1 and state = 'created'`,
    [name, retryCount],
  );
  expect(rowCount).toBe(1);
}

test('a job of a dead worker restarts within a minute, whatever its retry delay', async () => {
  const job = defineJob<{ n: number }>('test.dead-worker', { retryDelaySeconds: 3_600, retryDelayMaxSeconds: 7_200 });
  const sender = await startJobs({ work: false });
  await sender.send(db, job, { n: 1 });
  await leaveDeadJob(job.name, 1);
  const worked: number[] = [];
  await startJobs({ work: true, register: (jobs) => jobs.handle(job, async ({ n }) => void worked.push(n)) });
  await expect.poll(() => worked).toEqual([1]);
  expect(heartbeatSeconds).toBeLessThanOrEqual(30);
});

test('a job that keeps killing its workers waits for its retry delay, like a failed one', async () => {
  const deadly = defineJob<{ n: number }>('test.deadly', { retryDelaySeconds: 3_600, retryDelayMaxSeconds: 7_200 });
  const failing = defineJob<{ n: number }>('test.failing', { retryDelaySeconds: 3_600, retryDelayMaxSeconds: 7_200 });
  const jobs = await startJobs({ work: false, register: (own) => own.handle(failing, () => Promise.reject(new Error('failed'))) });
  await jobs.send(db, failing, { n: 1 });
  await jobs.runQueued();
  await jobs.send(db, deadly, { n: 1 });
  await pool.query(
    `update pgboss.job set state = 'retry', retry_count = 4, start_after = now() + interval '1 hour',
    output = '{"value": {"message": "job heartbeat timeout"}}' where name = $1`,
    [deadly.name],
  );
  expect(await releaseDeadJobs(pool)).toBe(0);
  for (const name of [deadly.name, failing.name]) expect((await rowsOf(name))[0]?.waits).toBeGreaterThan(1_000);
});

test('scheduled work runs once when two servers start, and never twice at a time', async () => {
  let runs = 0;
  const register = (jobs: Jobs) =>
    jobs.every('test.tick', '0 0 1 1 *', async () => {
      runs += 1;
    });
  await Promise.all([startJobs({ work: true, register }), startJobs({ work: true, register })]);
  await expect.poll(() => rowsOf('test.tick')).toMatchObject([{ state: 'completed' }]);
  expect(runs).toBe(1);
  const { rows } = await sql`select cron from pgboss.schedule where name = 'test.tick'`.execute(db);
  expect(rows).toEqual([{ cron: '0 0 1 1 *' }]);
});

test('a failed run of a daily schedule is retried; that of an hourly one waits for the next', async () => {
  const fail = () => Promise.reject(new Error('failed'));
  const register = (jobs: Jobs) => {
    jobs.every('test.hourly', '5 * * * *', fail);
    jobs.every('test.daily', '5 3 * * *', fail);
    jobs.every('test.thrice', '5,20,35 3 * * *', fail);
  };
  await startJobs({ work: true, register });
  await expect.poll(() => rowsOf('test.hourly')).toMatchObject([{ state: 'failed' }]);
  for (const name of ['test.daily', 'test.thrice']) await expect.poll(() => rowsOf(name)).toMatchObject([{ state: 'retry' }]);
});

test('stop lets running jobs finish and fetches no new ones', async () => {
  const job = defineJob<{ n: number }>('test.finish', { concurrency: 1 });
  const finished: number[] = [];
  let release = () => {};
  const held = new Promise<void>((done) => (release = done));
  let started = 0;
  const jobs = await startJobs({
    work: true,
    register: (one) =>
      one.handle(job, async ({ n }) => {
        started += 1;
        await held;
        finished.push(n);
      }),
  });
  await jobs.send(db, job, { n: 1 });
  await jobs.send(db, job, { n: 2 });
  await expect.poll(() => started).toBe(1);
  let isStopped = false;
  const stopped = jobs.stop().then(() => (isStopped = true));
  // A stop that does not wait would have ended by now.
  await pause(500);
  expect(isStopped).toBe(false);
  release();
  await stopped;
  expect(finished).toEqual([1]);
  expect((await rowsOf(job.name)).map((row) => row.state)).toEqual(['completed', 'created']);
});

test('only one job per key waits; jobs without a key all do', async () => {
  const job = defineJob<{ n: number }>('test.key');
  const jobs = await startJobs({ work: false });
  for (const n of [1, 2]) await jobs.send(db, job, { n }, { singletonKey: 'the-same' });
  for (const n of [3, 4]) await jobs.send(db, job, { n });
  expect((await rowsOf(job.name)).map((row) => row.data.n)).toEqual([1, 3, 4]);
});

test('a single job does not wait behind a batch', async () => {
  const job = defineJob<{ n: number }>('test.many', { concurrency: 2 });
  const worked: number[] = [];
  const sender = await startJobs({ work: false });
  await db.transaction().execute((tx) => sender.sendAll(tx, job, [{ n: 1 }, { n: 2 }, { n: 3 }]));
  await sender.send(db, job, { n: 4 });
  await startJobs({ work: true, register: (jobs) => jobs.handle(job, async ({ n }) => void worked.push(n)) });
  await expect.poll(() => worked.length).toBe(4);
  expect(worked.slice(0, 2)).toContain(4);
  expect(new Set(worked)).toEqual(new Set([1, 2, 3, 4]));
});

test('a deferred job does not start early', async () => {
  const job = defineJob<{ n: number }>('test.later');
  const worked: number[] = [];
  const jobs = await startJobs({ work: false, register: (one) => one.handle(job, async ({ n }) => void worked.push(n)) });
  await jobs.send(db, job, { n: 1 }, { startAfterSeconds: 3_600 });
  await jobs.send(db, job, { n: 2 });
  await jobs.runQueued();
  expect(worked).toEqual([2]);
  expect((await rowsOf(job.name))[0]?.waits).toBeGreaterThan(3_500);
});

test('sending within a transaction needs no second connection, even for a new queue', async () => {
  const [handled, elsewhere] = [defineJob<{ n: number }>('test.handled'), defineJob<{ n: number }>('test.elsewhere')];
  const narrow = openDatabase({ url, connections: 1, onIdleError: () => {} });
  const jobs = new Jobs({ pool: narrow.pool, logger: silent });
  jobs.handle(handled, () => Promise.resolve());
  await jobs.start({ work: false });
  await jobs.prepare(elsewhere);
  await narrow.db.transaction().execute(async (tx) => {
    await jobs.send(tx, handled, { n: 1 });
    await jobs.send(tx, elsewhere, { n: 2 });
  });
  await jobs.stop();
  await narrow.close();
  expect([...(await rowsOf(handled.name)), ...(await rowsOf(elsewhere.name))].map((row) => row.data.n)).toEqual([1, 2]);
});

test('rejects a second handler, and handlers after the start', async () => {
  const job = defineJob<{ n: number }>('test.once');
  const jobs = await startJobs({
    work: false,
    register: (one) => {
      one.handle(job, () => Promise.resolve());
      expect(() => one.handle(job, () => Promise.resolve())).toThrow('test.once is registered twice');
    },
  });
  expect(() => jobs.every('test.late', '* * * * *', () => Promise.resolve())).toThrow('test.late is registered after the start');
});

test('lists waiting jobs oldest first, and updates the retry options of existing queues', async () => {
  const sender = await startJobs({ work: false });
  for (const n of [1, 2, 3]) await sender.send(db, defineJob<{ n: number }>('test.queue', { retryLimit: 2 }), { n });
  expect(await sender.listWaiting('test.queue')).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  const job = defineJob<{ n: number }>('test.queue', { retryLimit: 7 });
  const jobs = await startJobs({ work: false, register: (one) => one.handle(job, () => Promise.resolve()) });
  await jobs.send(db, job, { n: 4 });
  expect((await rowsOf('test.queue')).map((row) => row.retry_limit)).toEqual([2, 2, 2, 7]);
});

test('jobs and schedules of an earlier version run under their present names, each scheduled run once', async () => {
  const schedulesOf = async (...names: string[]) =>
    (await sql<{ name: string }>`select name from pgboss.schedule where name = any(${names})`.execute(db)).rows.map(({ name }) => name);
  const former = defineJob<{ n: number }>('test.work-off-thing');
  const before = await startJobs({
    work: false,
    register: (jobs) => {
      jobs.handle(former, async () => {});
      jobs.every('test.look-after-things', '0 0 1 1 *', async () => {});
    },
  });
  await db.transaction().execute((tx) => before.send(tx, former, { n: 1 }));
  await sql`insert into pgboss.schedule (name, cron) values ('test.look-after-things', '0 0 1 1 *')`.execute(db);
  await sql`insert into pgboss.job (name) values ('test.look-after-things')`.execute(db);

  const done: number[] = [];
  let runs = 0;
  const present = defineJob<{ n: number }>('test.process-thing');
  const jobs = await startJobs({
    work: true,
    register: (next) => {
      next.handle(present, async ({ n }) => void done.push(n));
      next.every('test.check-things', '0 0 1 1 *', async () => void (runs += 1));
      next.acceptFormerNames({ 'test.work-off-thing': present.name, 'test.look-after-things': 'test.check-things' });
    },
  });
  await db.transaction().execute(async (tx) => {
    await jobs.send(tx, former, { n: 2 });
    await jobs.send(tx, present, { n: 3 });
  });
  await expect.poll(() => done.toSorted((a, b) => a - b)).toEqual([1, 2, 3]);
  await expect.poll(() => jobs.listWaiting('test.look-after-things')).toEqual([]);
  await expect.poll(() => runs).toBe(1);
  expect(await schedulesOf('test.look-after-things', 'test.check-things')).toEqual(['test.check-things']);
});
