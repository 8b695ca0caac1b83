import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { openDatabase } from '../kit/database/database.ts';
import { Jobs } from '../kit/jobs/jobs.ts';
import { handleJobs } from './job-handlers.ts';

const { db, parts } = await testApp();
const { context, payments } = parts;

test('schedules payments, plan ends, mails and draws each minute, the rest less often', async () => {
  const { rows: databases } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = inject('postgresUrl').replace(/postgres$/, databases[0]?.name ?? '');
  const database = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const jobs = new Jobs({ pool: database.pool, logger: pino({ level: 'silent' }) });
  try {
    handleJobs({ ...context, jobs }, payments);
    await jobs.start({ work: true, events: context.events });
    const { rows } = await sql<{ name: string; cron: string }>`select name, cron from pgboss.schedule`.execute(db);
    expect(Object.fromEntries(rows.map(({ name, cron }) => [name, cron]))).toEqual({
      'payments.reconcile': '* * * * *',
      'payments.reconcile-refunds': '* * * * *',
      'renewals.charge': '* * * * *',
      'renewals.announce': '*/10 * * * *',
      'quotes.expire': '* * * * *',
      'quotes.remind': '*/5 * * * *',
      'unanswered.remind': '* * * * *',
      'listings.expire': '* * * * *',
      'messages.mail-unseen': '* * * * *',
      'draws.close': '* * * * *',
      'draws.complete': '* * * * *',
      'tickets.begin-period': '*/5 * * * *',
      'changes.delete-old': '*/5 * * * *',
      'listings.remind-of-availability': '*/10 * * * *',
      'listings.warn-of-expiry': '*/10 * * * *',
      'draws.follow-up': '*/10 * * * *',
      'figures.mail-weeks': '*/10 * * * *',
      'site.build-documents': '*/10 * * * *',
      'accounts.delete-expired': '7 * * * *',
      'referrals.approve-due': '11 * * * *',
      'payments.look-at-provider': '13 * * * *',
      'files.sweep-orphans': '17 * * * *',
      'funnel.compute': '31 15 * * *',
      'invitations.expire': '41 * * * *',
      'invitations.remind': '*/10 * * * *',
      'evidence.check-due': '23 * * * *',
      'evidence.check-licences-due': '41 * * * *',
      'listings.tell-of-licences': '37 * * * *',
      'visits.remind': '* * * * *',
      'figures.forget-old-days': '23 * * * *',
      'events.delete-old': '29 * * * *',
      'draws.erase-claims': '37 * * * *',
      'sign-in.delete-expired': '37 * * * *',
      'sign-in.renew-seals': '43 * * * *',
      'costs.compute': '11 15 * * *',
      'reviews.delete-photos': '27 3 * * *',
      'reviews.invite': '*/10 * * * *',
      'search.keep-means': '47 14 * * *',
      'search.keep-answering': '53 14 * * *',
      'search.rebuild-vocabulary': '23 15 * * *',
      'alerts.mail': '*/10 * * * *',
      'alerts.match': '17,32,47 17 * * *',
      'draws.renew-seals': '41 * * * *',
      'referrals.forget': '41 * * * *',
      'referrals.give-rewards': '26 * * * *',
      'tickets.sign-heads': '41 * * * *',
      'tickets.erase-entrants': '43 * * * *',
      'tickets.renew-entrants': '47 * * * *',
      'admin.log-audit-head': '3 0 * * *',
      'site.delete-old-messages': '37 3 * * *',
      'payments.delete-old-events': '27 4 * * *',
    });
  } finally {
    await jobs.stop();
    await database.close();
  }
});
