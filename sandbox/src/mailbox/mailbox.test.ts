import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { SMTPServer } from 'smtp-server';
import { afterAll, expect, test } from 'vitest';
import { openDatabase } from '@handwise/server/kit/database';
import { Jobs } from '@handwise/server/kit/jobs';
import { PermanentError } from '@handwise/server/kit/jobs/attempt';
import { type Mail, sendMail } from '@handwise/server/kit/mail';
import { openMailer } from '@handwise/server/kit/mail-transport';
import { freePort } from '../postgres.ts';
import { testDatabase } from '../testing/database.ts';
import type { StoredMail } from './mailbox-store.ts';
import { type Mailbox, startMailbox } from './mailbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'handwise-mailbox-'));
const open = new Set<Mailbox>();
afterAll(async () => {
  for (const mailbox of open) await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

let files = 0;
async function openMailbox(options: { file?: string; smtpPort?: number } = {}) {
  files += 1;
  const mailbox = await startMailbox({ file: join(folder, `${files}.sqlite`), smtpPort: 0, webPort: 0, ...options });
  open.add(mailbox);
  const get = async (path: string): Promise<any> => (await fetch(mailbox.url + path)).json();
  return {
    ...mailbox,
    get,
    mails: (): Promise<StoredMail[]> => get('/email'),
    async close() {
      open.delete(mailbox);
      await mailbox.close();
    },
  };
}

// Closed first, because their connections stay open.
const senders: ReturnType<typeof openMailer>[] = [];
afterAll(() => senders.forEach((one) => one.close()));
function sender(smtpUrl: string) {
  const made = openMailer({ smtpUrl, appUrl: 'https://handwise.example' });
  senders.push(made);
  return made;
}
const mailTo = (to: string, overrides: Partial<Mail> = {}): Mail => ({
  to,
  subject: 'Your receipt',
  preview: 'You paid $25.00 NZD.',
  blocks: [{ kind: 'text', text: 'Ngā mihi, and thank you.' }],
  ...overrides,
});

test('stores a mail with all parts under maildev’s names', async () => {
  const mailbox = await openMailbox();
  await sender(mailbox.smtpUrl).send(mailTo('mere@example.org', { replyTo: 'tama@example.net' }), 'job-1');
  const [mail, ...others] = await mailbox.mails();
  expect(others).toEqual([]);
  expect(mail).toMatchObject({
    id: expect.any(String),
    messageId: '<job-1@handwise.example>',
    subject: 'Your receipt',
    from: [{ address: 'hello@handwise.example', name: 'Handwise' }],
    to: [{ address: 'mere@example.org', name: '' }],
    replyTo: [{ address: 'tama@example.net', name: '' }],
    headers: { subject: 'Your receipt', 'auto-submitted': 'auto-generated' },
    envelope: { from: { address: 'hello@handwise.example' }, to: [{ address: 'mere@example.org' }] },
    attachments: [],
    read: false,
  });
  expect(mail?.text).toContain('Ngā mihi, and thank you.');
  expect(mail?.html).toContain('Ngā mihi, and thank you.');
  for (const time of [mail?.date, mail?.time]) expect(Math.abs(Date.now() - Date.parse(time ?? ''))).toBeLessThan(60_000);
});

test('sets the headers only on a mail with one-click unsubscribe', async () => {
  const mailbox = await openMailbox();
  const oneClick = `https://handwise.example/api/mails/end?token=${'x'.repeat(120)}`;
  await sender(mailbox.smtpUrl).send(mailTo('a@example.org', { end: { oneClick, page: 'https://handwise.example/mails/end' } }), 'a');
  await sender(mailbox.smtpUrl).send(mailTo('b@example.org'), 'b');
  const [first, second] = await mailbox.mails();
  expect(first?.headers).toMatchObject({ 'list-unsubscribe': `<${oneClick}>`, 'list-unsubscribe-post': 'List-Unsubscribe=One-Click' });
  expect(Object.keys(second?.headers ?? {}).filter((name) => name.startsWith('list-'))).toEqual([]);
});

test('reads, marks and deletes mails, one by one or all at once', async () => {
  const mailbox = await openMailbox();
  const out = sender(mailbox.smtpUrl);
  for (const name of ['a', 'b', 'c']) await out.send(mailTo(`${name}@example.org`), name);
  const ids = (await mailbox.mails()).map((mail) => mail.id);
  expect((await mailbox.mails()).map((mail) => mail.to[0]?.address)).toEqual(['a@example.org', 'b@example.org', 'c@example.org']);

  expect(await mailbox.get(`/email/${ids[1]}`)).toMatchObject({ id: ids[1], read: true });
  expect((await mailbox.mails()).map((mail) => mail.read)).toEqual([false, true, false]);
  const html = await fetch(`${mailbox.url}/email/${ids[0]}/html`);
  expect(await html.text()).toContain('Ngā mihi');
  expect(html.headers.get('content-security-policy')).toMatch(/^sandbox /);

  const remove = (path: string) => fetch(mailbox.url + path, { method: 'DELETE' });
  expect((await remove(`/email/${ids[0]}`)).status).toBe(200);
  expect((await remove(`/email/${ids[0]}`)).status).toBe(404);
  expect((await fetch(`${mailbox.url}/email/${ids[0]}`)).status).toBe(404);
  expect((await mailbox.mails()).map((mail) => mail.id)).toEqual(ids.slice(1));
  expect((await remove('/email/all')).status).toBe(200);
  expect(await mailbox.mails()).toEqual([]);
  expect(await mailbox.get('/healthz')).toBe(true);
});

test('names a taken port, or picks a free one if allowed', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  const webPort = address && typeof address === 'object' ? address.port : 0;
  const file = join(folder, 'ports.sqlite');
  await expect(startMailbox({ file, smtpPort: 0, webPort })).rejects.toThrow(`port ${webPort}`);
  const mailbox = await startMailbox({ file, smtpPort: 0, webPort, orFreePort: true });
  open.add(mailbox);
  expect(mailbox.url).not.toContain(String(webPort));
  expect((await fetch(`${mailbox.url}/healthz`)).status).toBe(200);
  other.close();
});

test.each(['\r\n', '\n', '\r', '\u2028'])('a line break (%j) in a subject or sender adds no header and no recipient', async (lineBreak) => {
  const mailbox = await openMailbox();
  const out = sender(mailbox.smtpUrl);
  await out.send(mailTo('mere@example.org', { subject: `Hello${lineBreak}Bcc: evil@example.net${lineBreak}${lineBreak}Body` }), 'one');
  const mails = await mailbox.mails();
  expect(mails).toMatchObject([
    {
      // The space keeps mail programs from making a link of it.
      subject: 'Hello Bcc: evil@example. net Body',
      envelope: { to: [{ address: 'mere@example.org' }] },
      to: [{ address: 'mere@example.org' }],
    },
  ]);
  expect(mails[0]?.headers).not.toHaveProperty('bcc');
  for (const address of [
    `mere@example.org${lineBreak}Bcc: evil@example.net`,
    `mere@example.org${lineBreak}`,
    'mere@example.org, evil@example.net',
    'mere@example.org;evil@example.net',
    'mere@example.org evil@example.net',
    'Mere <mere@example.org>',
    'undisclosed: mere@example.org;',
    'mere',
    '',
  ]) {
    await expect(out.send(mailTo(address), 'two')).rejects.toThrow(PermanentError);
    await expect(out.send(mailTo('mere@example.org', { replyTo: address }), 'three')).rejects.toThrow(PermanentError);
  }
  expect(await mailbox.mails()).toHaveLength(1);
});

async function openOutbox(smtpUrl: string) {
  const { url } = await testDatabase();
  const { db, pool, close } = openDatabase({ url, connections: 5, onIdleError: () => {} });
  const jobs = new Jobs({ pool, logger: pino({ level: 'silent' }) });
  jobs.handle(sendMail, (mail, id) => sender(smtpUrl).send(mail, id));
  await jobs.start({ work: false });
  afterAll(async () => {
    await jobs.stop();
    await close();
  });
  return {
    db,
    jobs,
    job: async () => (await pool.query("select id, state, retry_count from pgboss.job where name = 'mail.send-email'")).rows[0],
    makeDue: () => pool.query("update pgboss.job set start_after = now() where name = 'mail.send-email'"),
  };
}

test('sends the mail once the mail server is back, without blocking anything else', async () => {
  const smtpPort = await freePort();
  const file = join(folder, 'down.sqlite');
  await (await openMailbox({ file, smtpPort })).close();
  const { db, jobs, job, makeDue } = await openOutbox(`smtp://127.0.0.1:${smtpPort}`);
  await db.transaction().execute((tx) => jobs.send(tx, sendMail, mailTo('mere@example.org')));
  await jobs.runQueued();
  const waiting = await job();
  expect(waiting.state).toBe('retry');

  const mailbox = await openMailbox({ file, smtpPort });
  await makeDue();
  await jobs.runQueued();
  expect(await job()).toMatchObject({ id: waiting.id, state: 'completed' });
  expect(await mailbox.mails()).toMatchObject([{ messageId: `<${waiting.id}@handwise.example>`, to: [{ address: 'mere@example.org' }] }]);
});

// A mail server that gives this response to the first email, and accepts later ones.
async function openRefusing(answer: { code: number; at: 'recipient' | 'content' }) {
  const messageIds: (string | undefined)[] = [];
  let first = true;
  const refuse = (at: typeof answer.at) => {
    if (!first || at !== answer.at) return null;
    first = false;
    return Object.assign(new Error('Not today'), { responseCode: answer.code });
  };
  const server = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    onRcptTo: (_address, _session, reply) => reply(refuse('recipient')),
    onData(stream, _session, reply) {
      let raw = '';
      stream.on('data', (chunk: Buffer) => (raw += chunk.toString()));
      stream.on('end', () => {
        messageIds.push(/^Message-ID: (.*)$/im.exec(raw)?.[1]?.trim());
        reply(refuse('content'));
      });
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  afterAll(() => new Promise<void>((closed) => server.close(closed)));
  const address = listening.address();
  return { smtpUrl: `smtp://127.0.0.1:${address && typeof address === 'object' ? address.port : 0}`, messageIds };
}

test('repeats a delivery with the same Message-ID', async () => {
  const { smtpUrl, messageIds } = await openRefusing({ code: 451, at: 'content' });
  const { db, jobs, job, makeDue } = await openOutbox(smtpUrl);
  await jobs.send(db, sendMail, mailTo('mere@example.org'));
  await jobs.runQueued();
  expect((await job()).state).toBe('retry');
  await makeDue();
  await jobs.runQueued();
  const { id, state } = await job();
  expect(state).toBe('completed');
  expect(messageIds).toEqual([`<${id}@handwise.example>`, `<${id}@handwise.example>`]);
});

test.each([
  { code: 550, at: 'recipient', state: 'failed' },
  { code: 554, at: 'content', state: 'failed' },
  { code: 450, at: 'recipient', state: 'retry' },
] as const)('$code to the $at: the mail is then in state $state', async ({ code, at, state }) => {
  const { smtpUrl } = await openRefusing({ code, at });
  const { db, jobs, job } = await openOutbox(smtpUrl);
  await jobs.send(db, sendMail, mailTo('gone@example.org'));
  await jobs.runQueued();
  expect(await job()).toMatchObject({ state, retry_count: 0 });
});
