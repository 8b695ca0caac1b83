import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { expect, inject, test } from 'vitest';
import { testApp } from '@handwise/sandbox/testing/app';
import { openDatabase } from '../kit/database/database.ts';
import { defineJob, Jobs } from '../kit/jobs/jobs.ts';
import { failedQueue } from '../kit/jobs/queues.ts';
import { sendMail } from '../kit/mail/mail.ts';
import { formerJobNames } from './former-job-names.ts';
import { handleJobs } from './job-handlers.ts';

const { db, given, outbox, parts } = await testApp();
const { context, payments } = parts;

async function withJobs(work: (jobs: Jobs) => Promise<void>): Promise<void> {
  const { rows: databases } = await sql<{ name: string }>`select current_database() as name`.execute(db);
  const url = inject('postgresUrl').replace(/postgres$/, databases[0]?.name ?? '');
  const database = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const jobs = new Jobs({ pool: database.pool, logger: pino({ level: 'silent' }) });
  try {
    await work(jobs);
  } finally {
    await jobs.stop();
    await database.close();
  }
}

test('schedules payments, plan ends, mails and draws each minute, the rest less often', async () => {
  await withJobs(async (jobs) => {
    handleJobs({ ...context, jobs }, payments);
    await jobs.start({ work: true, events: context.events });
    const { rows } = await sql<{ name: string; cron: string }>`select name, cron from pgboss.schedule`.execute(db);
    expect(Object.fromEntries(rows.map(({ name, cron }) => [name, cron]))).toEqual({
      'payments.reconcile-payments': '* * * * *',
      'payments.reconcile-refunds': '* * * * *',
      'plans.charge-renewals': '* * * * *',
      'plans.announce-renewals': '*/10 * * * *',
      'quotes.expire-quotes': '* * * * *',
      'quotes.send-reminders': '*/5 * * * *',
      'unanswered.send-reminders': '* * * * *',
      'selling.expire-listings': '* * * * *',
      'messages.email-unseen-messages': '* * * * *',
      'draws.close-due-draws': '* * * * *',
      'draws.complete-due-draws': '* * * * *',
      'tickets.ensure-period': '*/5 * * * *',
      'events.delete-old-changes': '*/5 * * * *',
      'selling.send-availability-reminders': '*/10 * * * *',
      'selling.send-expiry-notices': '*/10 * * * *',
      'draws.remind-winners': '*/10 * * * *',
      'analytics.send-weekly-emails': '*/10 * * * *',
      'site.build-documents': '*/10 * * * *',
      'accounts.delete-expired-data': '7 * * * *',
      'referrals.decide-due-referrals': '11 * * * *',
      'payments.scan-provider': '13 * * * *',
      'files.delete-orphans': '17 * * * *',
      'funnel.compute-cells': '31 15 * * *',
      'invitations.expire-drafts': '41 * * * *',
      'invitations.send-reminders': '*/10 * * * *',
      'registers.check-due-numbers': '23 * * * *',
      'registers.check-due-licences': '41 * * * *',
      'selling.send-licence-notices': '37 * * * *',
      'visits.send-reminders': '* * * * *',
      'analytics.delete-old-days': '23 * * * *',
      'events.delete-old-events': '29 * * * *',
      'draws.erase-claims': '37 * * * *',
      'sign-in.delete-expired-data': '37 * * * *',
      'sign-in.reencrypt-secrets': '43 * * * *',
      'costs.compute-prices': '11 15 * * *',
      'reviews.delete-photos': '27 3 * * *',
      'reviews.send-invitations': '*/10 * * * *',
      'search.update-category-means': '47 14 * * *',
      'search.update-answer-rates': '53 14 * * *',
      'search.rebuild-vocabulary': '23 15 * * *',
      'alerts.send-emails': '*/10 * * * *',
      'alerts.match-listings': '17,32,47 17 * * *',
      'draws.reencrypt-claims': '41 * * * *',
      'referrals.delete-expired-data': '41 * * * *',
      'referrals.give-rewards': '26 * * * *',
      'tickets.sign-heads': '41 * * * *',
      'tickets.erase-entrants': '43 * * * *',
      'tickets.reencrypt-entrants': '47 * * * *',
      'admin.log-audit-head': '3 0 * * *',
      'site.delete-old-messages': '37 3 * * *',
      'payments.delete-old-events': '27 4 * * *',
    });
  });
});

const queueNames = async () =>
  (
    await sql<{
      name: string;
    }>`select name from pgboss.queue where name <> ${failedQueue} and name not like '\\_\\_pgboss%' order by name`.execute(db)
  ).rows.map(({ name }) => name);

test('names every job <domain>.<verb>-<noun>', async () => {
  await withJobs(async (jobs) => {
    handleJobs({ ...context, jobs }, payments);
    await jobs.start({ work: false });
  });
  const owners = new Set([...readdirSync(join(import.meta.dirname, '../domains')), 'mail', 'events', 'files']);
  const verbs =
    'announce build charge check close complete compute create decide delete deliver detach email ensure erase execute expire find give log match process push rebuild reconcile reencrypt refund remind scan send sign update'.split(
      ' ',
    );
  const isPlain = (name: string) => {
    const [, owner = '', verb = ''] = /^([a-z-]+)\.([a-z]+)(-[a-z]+)+$/.exec(name) ?? [];
    return owners.has(owner) && verbs.includes(verb);
  };
  const names = (await queueNames()).filter((name) => !(name in formerJobNames));
  expect(names.length).toBeGreaterThan(50);
  expect(names.filter((name) => !isPlain(name))).toEqual([]);
});

// The queues of earlier versions, by their names then.
const queuesBefore = `accounts.delete-expired accounts.mail-confirmation accounts.mail-guesses admin.log-audit-head alerts.mail alerts.match
  changes.delete-old costs.compute draws.close draws.complete draws.erase-claims draws.find-round draws.follow-up draws.push-result draws.renew-seals
  events.delete-old evidence.check-due evidence.check-due-licences evidence.check-due-numbers evidence.check-licence evidence.check-licences-due
  evidence.check-number figures.forget-old-days
  figures.mail-weeks files.sweep-orphans funnel.compute invitations.execute-import invitations.expire invitations.remind listings.expire
  listings.remind-of-availability listings.tell-of-licences listings.warn-of-expiry mail.send messages.mail-unseen payments.delete-old-events
  payments.detach-card payments.forget-customer payments.look-at-provider payments.reconcile payments.reconcile-refunds payments.refund-payment
  payments.return-found payments.work-off-event push.deliver quotes.expire quotes.remind referrals.approve-due referrals.forget
  referrals.give-rewards renewals.announce renewals.charge reviews.delete-photos reviews.invite search.keep-answering search.keep-means
  search.rebuild-vocabulary sign-in.delete-expired sign-in.mail-reset sign-in.renew-seals site.build-documents site.delete-old-messages
  site.rebuild-documents tickets.begin-period tickets.erase-entrants tickets.renew-entrants tickets.sign-heads unanswered.remind visits.remind`.split(
  /\s+/,
);

test('every queue of an earlier version has a handler', async () => {
  await withJobs(async (jobs) => {
    for (const name of queuesBefore) jobs.handle(defineJob<object>(name as 'a.b'), async () => {});
    await jobs.start({ work: false });
  });
  await withJobs(async (jobs) => {
    handleJobs({ ...context, jobs }, payments);
    jobs.handle(sendMail, async () => {});
    await jobs.start({ work: false });
    expect(queuesBefore.filter((name) => !jobs.isHandled(name))).toEqual([]);
  });
});

test('a confirmation that an earlier version has sent, or sends while an upgrade rolls, is emailed', async () => {
  const former = defineJob<{ email: string }>('accounts.mail-confirmation');
  const users = [await given.user(), await given.user()];
  const [before, meanwhile] = users.map((user) => user.email);
  const countMails = async () => {
    const mails = await outbox.mails();
    return [before, meanwhile].map((email) => mails.filter(({ to }) => to === email).length);
  };
  await outbox.runJobs();
  const atFirst = await countMails();
  const sendAsBefore = (email = '') => db.transaction().execute((tx) => context.jobs.send(tx, former, { email }));
  await sendAsBefore(before);
  await withJobs(async (jobs) => {
    handleJobs({ ...context, jobs }, payments);
    await jobs.start({ work: true, events: context.events });
    await sendAsBefore(meanwhile);
    await expect.poll(() => jobs.listWaiting(former.name)).toEqual([]);
  });
  expect(await countMails()).toEqual(atFirst.map((count) => count + 1));
});
