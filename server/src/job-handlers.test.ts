import { testApp } from '@handwise/sandbox/test-app';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { handleJobs } from './job-handlers.ts';
import { openDatabase } from './kit/database.ts';
import { Jobs } from './kit/jobs.ts';

const { db, parts } = await testApp();
const { context, payments } = parts;

test('a server that works keeps the product’s clocks: payments and ends of plans each minute, the rest less often', async () => {
  const { rows: databases } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = inject('postgresUrl').replace(/postgres$/, databases[0]?.name ?? '');
  const database = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const jobs = new Jobs({ pool: database.pool, logger: pino({ level: 'silent' }) });
  try {
    handleJobs({ ...context, jobs }, payments);
    await jobs.start({ work: true, events: context.events });
    const { rows } = await sql<{ name: string; cron: string }>`select name, cron from pgboss.schedule`.execute(db);
    expect(Object.fromEntries(rows.map(({ name, cron }) => [name, cron]))).toMatchObject({
      'payments.reconcile': '* * * * *',
      'listings.expire': '* * * * *',
      'listings.warn-of-expiry': '*/10 * * * *',
      'changes.delete-old': '*/5 * * * *',
      'files.sweep-orphans': '17 * * * *',
      'accounts.delete-expired': '7 * * * *',
    });
  } finally {
    await jobs.stop();
    await database.close();
  }
});
