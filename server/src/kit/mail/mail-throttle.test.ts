import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { startMailbox } from '@handwise/sandbox/mailbox/mailbox';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { openDatabase } from '../database/database.ts';
import { Jobs } from '../jobs/jobs.ts';
import { createThrottledSender } from './mail-throttle.ts';
import { openMailer } from './mail-transport.ts';
import { type Mail, sendMail } from './mail.ts';

const folder = mkdtempSync(join(tmpdir(), 'handwise-mail-limit-'));
const mailbox = await startMailbox({ file: join(folder, 'mails.sqlite'), smtpPort: 0, webPort: 0 });
const { url } = await testDatabase();
const logged: string[] = [];

const checks = {
  invitation_open: async (key: string) => key === 'open',
  week_ahead: async () => true,
  review_wanted: async () => true,
  visit_ahead: async () => true,
};
const noted: string[] = [];
const sources = {
  renewal: {
    compose: async (key: string) => (key === 'over' ? null : { ...live('composed@example.org'), subject: `Composed for ${key}` }),
    noteSent: async (key: string) => void noted.push(key),
  },
};

// Two servers, each with its own connections and mailer.
async function openServer(smtpUrl: string) {
  const { db, pool, close } = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const logger = pino({ level: 'warn' }, { write: (line: string) => void logged.push(line) });
  const jobs = new Jobs({ pool, logger });
  const mails = openMailer({ smtpUrl, appUrl: 'https://handwise.example' });
  jobs.handle(sendMail, createThrottledSender({ db, mailer: mails, logger, checks, sources }));
  await jobs.start({ work: false });
  const end = async () => {
    await jobs.stop();
    mails.close();
    await close();
  };
  return { db, pool, jobs, end };
}
const [one, two] = [await openServer(mailbox.smtpUrl), await openServer(mailbox.smtpUrl)];
afterAll(async () => {
  await Promise.all([one.end(), two.end()]);
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await sql`delete from attempts`.execute(one.db);
  await fetch(`${mailbox.url}/email/all`, { method: 'DELETE' });
  logged.length = 0;
});

const live = (to: string, overrides: Partial<Mail> = {}): Mail => ({
  to,
  subject: 'Your listing is live',
  preview: 'People can find you now.',
  blocks: [],
  limit: { kind: 'listing.live', perHour: 3 },
  ...overrides,
});
async function send(...mails: Mail[]) {
  for (const mail of mails) await one.jobs.send(one.db, sendMail, mail);
  await Promise.all([one.jobs.runQueued(), two.jobs.runQueued()]);
}
const arrivals = async (): Promise<string[]> => {
  const mails = (await (await fetch(`${mailbox.url}/email`)).json()) as { to: { address: string }[] }[];
  return mails.map(({ to }) => to[0]?.address ?? '').toSorted();
};
const states = async () =>
  (
    await one.pool.query<{ state: string; n: number }>(
      "select state, count(*)::int as n from pgboss.job where name = 'mail.send-email' group by state",
    )
  ).rows;

test('delivers three of ten mails of a kind to a mailbox, across spellings and servers, and logs each dropped one', async () => {
  await send(
    ...Array.from({ length: 10 }, (_, index) => live(['Mere@example.org', 'mere+1@example.org', 'mere@EXAMPLE.org'][index % 3] ?? '')),
  );
  expect(await arrivals()).toHaveLength(3);
  const dropped = logged.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(dropped).toHaveLength(7);
  expect(dropped[0]).toMatchObject({ level: 40, kind: 'listing.live', id: expect.any(String) });
  expect(logged.join().toLowerCase()).not.toContain('mere@example.org');
  expect(await states()).toEqual([{ state: 'completed', n: 10 }]);
});

test('drops a mail to the placeholder address of a deleted account', async () => {
  await send(live('somebody@deleted.invalid'), live('SOMEBODY@DELETED.INVALID'), live('mere@example.org'));
  expect(await arrivals()).toEqual(['mere@example.org']);
  expect((await states()).map(({ state }) => state)).toEqual(['completed']);
});

test('does not limit other mailboxes, other kinds or mails without a limit', async () => {
  await send(...Array.from({ length: 5 }, () => live('mere@example.org')));
  const { limit: _, ...receipt } = live('mere@example.org', { subject: 'Your receipt' });
  await send(
    live('tama@example.org'),
    live('mere@example.org', { limit: { kind: 'message', perHour: 1 } }),
    ...Array.from({ length: 5 }, () => receipt),
  );
  expect(await arrivals()).toEqual([...Array.from({ length: 9 }, () => 'mere@example.org'), 'tama@example.org']);
});

test('delivers to the mailbox again after an hour', async () => {
  await send(...Array.from({ length: 4 }, () => live('mere@example.org')));
  const { rows } = await sql<{
    minutes: number;
  }>`select extract(epoch from window_ends_at - now())::float8 / 60 as minutes from attempts`.execute(one.db);
  expect(Math.round(rows[0]?.minutes ?? 0)).toBe(60);
  await sql`update attempts set window_ends_at = now() - interval '1 millisecond'`.execute(one.db);
  await send(...Array.from({ length: 4 }, () => live('mere@example.org')));
  expect(await arrivals()).toHaveLength(6);
});

test('counts a mail when it is delivered, not when an attempt fails', async () => {
  const nowhere = await openServer('smtp://127.0.0.1:1');
  for (let index = 0; index < 3; index += 1) await nowhere.jobs.send(nowhere.db, sendMail, live('patient@example.org'));
  for (let round = 0; round < 3; round += 1) {
    await nowhere.jobs.runQueued();
    await one.pool.query("update pgboss.job set start_after = now() where name = 'mail.send-email'");
  }
  await nowhere.end();
  expect(await arrivals()).toEqual([]);
  await send();
  expect(await arrivals()).toHaveLength(3);
  await send(live('patient@example.org'));
  expect(await arrivals()).toHaveLength(3);
});

test('drops a mail that is no longer wanted, without counting it', async () => {
  const onlyIf = (key: string) => ({ onlyIf: { check: 'invitation_open', key } as const });
  await send(live('rua@example.org', onlyIf('over')), live('rua@example.org', onlyIf('over')), live('rua@example.org', onlyIf('over')));
  expect(await arrivals()).toEqual([]);
  await send(live('rua@example.org', onlyIf('open')));
  expect(await arrivals()).toEqual(['rua@example.org']);
});

test('composes a mail again when it is sent, drops it if there is nothing to say, and notes it once the mail server has it', async () => {
  const from = (key: string): Partial<Mail> => ({ source: { name: 'renewal', key } });
  await send(live('queued@example.org', from('over')), live('queued@example.org', from('today')));
  expect(await arrivals()).toEqual(['composed@example.org']);
  expect(noted).toEqual(['today']);
  const nowhere = createThrottledSender({
    db: one.db,
    mailer: {
      send: () => Promise.reject(new Error('no connection')),
    },
    logger: pino({ level: 'silent' }),
    checks,
    sources,
  });
  await expect(nowhere(live('queued@example.org', from('tomorrow')), 'id')).rejects.toThrow('no connection');
  expect(noted).toEqual(['today']);
});
