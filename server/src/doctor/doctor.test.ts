import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type ServerOptions } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { defaultSite } from '@handwise/contract/site/default-site';
import type { Finding } from '@handwise/contract/site/health';
import { setSite, site } from '@handwise/contract/site/site';
import { startSandboxBeacon } from '@handwise/sandbox/beacon';
import { startMailbox } from '@handwise/sandbox/mailbox/mailbox';
import { freePort, startPostgres } from '@handwise/sandbox/postgres';
import { startSandboxRegisters } from '@handwise/sandbox/registers';
import { createCertificate } from '@handwise/sandbox/testing/certificate';
import { smallDisk } from '@handwise/sandbox/testing/disk';
import { startNameServer, type Zone } from '@handwise/sandbox/testing/name-server';
import { startProvider } from '@handwise/sandbox/testing/provider';
import { startS3 } from '@handwise/sandbox/testing/s3';
import { eventTypes } from '../domains/payments/payments.service.ts';
import { readEnv } from '../env.ts';
import { openDatabase } from '../kit/database/database.ts';
import { Jobs } from '../kit/jobs/jobs.ts';
import { sendMail } from '../kit/mail/mail.ts';
import { prepareDatabase } from '../startup/prepare-database.ts';
import { runChecks } from './checks.ts';
import { checkInstallation } from './doctor.ts';
import { judgeSpace } from './part-checks.ts';
import { runDoctor } from './run-doctor.ts';

// A whole installation of real parts; each test breaks one of them.
const root = mkdtempSync(join(tmpdir(), 'handwise-doctor-'));
const dataDir = join(root, 'data');
mkdirSync(dataDir);
const [postgres, mailbox, registers, beacon, { settings: stripe, sandbox }] = await Promise.all([
  startPostgres({ dataDir: join(root, 'postgres'), settings: { shared_buffers: '16MB' } }),
  startMailbox({ file: join(root, 'mails.sqlite'), smtpPort: 0, webPort: 0 }),
  startSandboxRegisters(),
  startSandboxBeacon({ now: () => beaconTime() }),
  startProvider({ proxied: true }),
]);
let beaconTime = () => new Date();
await prepareDatabase(postgres.url);
const { db, pool, close } = openDatabase({ url: postgres.url, connections: 3, onIdleError: () => {} });
// Creates the queues.
const queues = new Jobs({ pool, logger: pino({ level: 'silent' }) });
await queues.start({ work: false });
await queues.prepare(sendMail);
await queues.stop();

// For busy machines; what never answers is waited for briefly.
const patient = 10;
const impatient = 0.1;

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);
const hosts = ['tradiepost.nz', 'tradiepost.com.au'];

const servers: Server[] = [];
async function listen(server: Server, at: { port?: number; host?: string } = {}): Promise<number> {
  servers.push(server);
  server.listen(at.port ?? 0, at.host ?? '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}
const healthy = JSON.stringify({ status: 'ok' });
const proxy = (options: ServerOptions, body = healthy) => listen(createServer(options, (_request, response) => void response.end(body)));

const certificate = createCertificate(hosts, { until: inDays(80) });
const port = await proxy(certificate);
const zone: Zone = {};
const names = await startNameServer(zone);
await sandbox.provider.webhookEndpoints.create({
  url: `https://tradiepost.nz:${port}/api/stripe/webhook`,
  enabled_events: [...eventTypes] as Parameters<typeof sandbox.provider.webhookEndpoints.create>[0]['enabled_events'],
});

afterAll(async () => {
  Object.assign(site, defaultSite);
  await close();
  for (const server of servers) server.close();
  names.close();
  await Promise.all([sandbox.closeProvider(), registers.close(), beacon.close(), mailbox.close(), postgres.remove()]);
  rmSync(root, { recursive: true, force: true });
});

const key = (letter: string) =>
  Buffer.from(Array.from({ length: 32 }, (_, index) => (index * 7 + letter.charCodeAt(0) * 11) % 256)).toString('base64');
const owner = {
  senderEmail: 'post@tradiepost.nz',
  supportEmail: 'help@tradiepost.nz',
  legalName: 'Tradie Post Limited',
  legalAddress: '9 Quay Street, Nelson 7010, New Zealand',
  nzGstNumber: '123-456-789',
  abn: '51 824 753 556',
};
const environment: Record<string, string> = {
  NODE_ENV: 'production',
  DATA_DIR: dataDir,
  DATABASE_URL: postgres.url,
  APP_URL: `https://tradiepost.nz:${port}`,
  MARKET_HOSTS: '{"tradiepost.nz":"NZ","tradiepost.com.au":"AU"}',
  SMTP_URL: mailbox.smtpUrl,
  SITE: JSON.stringify(owner),
  MAIL_DKIM_SELECTORS: 'k1, k2',
  STRIPE_SECRET_KEY: 'sk_live_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
  STRIPE_WEBHOOK_SECRET: 'whsec_4fJq8ZpRt2Vw6Ys9Xb3Nc5Md7Kg1Lh0A',
  LOG_KEY: key('a'),
  PRIZE_KEYS: JSON.stringify({ a: key('b') }),
  ACCOUNT_KEYS: JSON.stringify({ a: key('c') }),
};

type More = {
  only?: string[];
  patience?: number;
  changes?: Record<string, string>;
  sendEmail?: boolean;
  other?: Partial<Parameters<typeof checkInstallation>[0]>;
  ca?: string;
};

async function check({ patience = patient, only = [], changes = {}, sendEmail = false, other = {}, ca = certificate.cert }: More = {}) {
  const env = readEnv({ ...environment, ...changes });
  setSite(env.settings);
  const installation = {
    env,
    databaseUrl: env.databaseUrl ?? '',
    smtpUrl: env.smtpUrl,
    stripe,
    registers: registers.settings,
    beacon: beacon.settings,
    patience,
    ...other,
  };
  return checkInstallation(installation, { sendEmail, nameServers: [names.address], ca, only });
}
const find = (findings: readonly Finding[], name: string) => findings.find((one) => one.name === name);
const checkOne = async (name: string, more: More = {}) => find(await check({ ...more, only: [name] }), name);

beforeEach(async () => {
  for (const name of Object.keys(zone)) delete zone[name];
  Object.assign(zone, {
    // As name servers send a long record: in two strings.
    'tradiepost.nz': { A: ['127.0.0.1'], TXT: [['v=spf1 include:mail.', 'example.net -all'], ['google-site-verification=1']] },
    'tradiepost.com.au': { A: ['127.0.0.1'] },
    'k1._domainkey.tradiepost.nz': { TXT: [['v=DKIM1; k=rsa; p=MIGf', 'MA0GCSq']] },
    'k2._domainkey.tradiepost.nz': { TXT: [['k=ed25519; p=11qYAYKxCrfVS']] },
    '_dmarc.tradiepost.nz': { TXT: [['v=DMARC1; p=quarantine']] },
  } satisfies Zone);
  beaconTime = () => new Date();
  sandbox.stripe.setFault(null);
  registers.setFault(null);
  writeFileSync(join(dataDir, 'backed-up'), new Date(Date.now() - 7_200_000).toISOString());
  writeFileSync(join(dataDir, 'restore-tested'), inDays(-20).toISOString());
  await sql`delete from pgboss.job`.execute(db);
  await addJobs('completed', 1);
});

/** Jobs as pg-boss stores them. */
async function addJobs(state: 'created' | 'completed', count: number, secondsAgo = 10, name = 'mail.send-email') {
  await sql`insert into pgboss.job (name, state, start_after, created_on, completed_on)
    select ${name}, ${state}::pgboss.job_state, now() - ${secondsAgo}::int * interval '1 second', now() - ${secondsAgo}::int * interval '1 second',
      case when ${state}::text = 'completed' then now() - ${secondsAgo}::int * interval '1 second' end
    from generate_series(1, ${count}::int)`.execute(db);
}

const options = { nameServers: [names.address], ca: certificate.cert, patience: patient };
async function run(args: string[], changes: Record<string, string> = {}) {
  const lines: string[] = [];
  const code = await runDoctor(args, { ...environment, ...changes }, (line) => lines.push(line), { ...options, beacon: beacon.settings });
  return { code, lines };
}

test('of a healthy installation every line is ok, but for what is set up nowhere', async () => {
  const findings = await check({ sendEmail: true });
  // How full this machine's disk is, is not the test's to say.
  expect(findings.filter(({ name, state }) => state !== 'ok' && name !== 'disk')).toEqual([
    { name: 'backups', state: 'warn', says: expect.stringContaining('between two backups is not kept'), todo: expect.any(String) },
  ]);
  expect(findings.map(({ name }) => name)).toEqual([
    'database',
    'database settings',
    'backups',
    'restore',
    'email',
    'SPF',
    'DKIM',
    'DMARC',
    'replies by email',
    'settings',
    'files',
    'payment provider',
    'NZBN register',
    'ABN register',
    'NSW licence register',
    'push keys',
    'clock',
    'disk',
    'jobs',
    'DNS of tradiepost.nz',
    'TLS of tradiepost.nz',
    'DNS of tradiepost.com.au',
    'TLS of tradiepost.com.au',
  ]);
  for (const { todo } of findings.filter(({ state }) => state === 'ok')) expect(todo).toBeNull();
  expect(find(findings, 'email')?.says).toContain('help@tradiepost.nz');
  const mails = (await (await fetch(`${mailbox.url}/email`)).json()) as object[];
  expect(mails).toMatchObject([{ to: [{ address: 'help@tradiepost.nz' }], subject: 'Handwise: test email' }]);
});

test('it leaves nothing behind: no file, no row, no card set-up', async () => {
  const rows = async () =>
    (await sql`select (select count(*) from pgboss.job) jobs, (select count(*) from signing_keys) keys`.execute(db)).rows;
  const before = await rows();
  await check();
  expect(await rows()).toEqual(before);
  expect(readdirSync(join(dataDir, 'files')).filter((name) => name !== '.incoming')).toEqual([]);
  expect(readdirSync(join(dataDir, 'files/.incoming'))).toEqual([]);
  const setUps = (await sandbox.provider.setupIntents.list({ limit: 100 })).data;
  expect(setUps.every(({ status }) => status === 'canceled')).toBe(true);
});

test('a stopped database fails, what needs it could not be checked, and the rest is checked', async () => {
  const findings = await check({ changes: { DATABASE_URL: `postgres://nobody@127.0.0.1:${await freePort()}/site` } });
  expect(find(findings, 'database')).toMatchObject({ state: 'fail', says: expect.stringContaining('cannot be used') });
  for (const name of ['database settings', 'backups', 'push keys', 'clock', 'jobs'])
    expect(find(findings, name)).toMatchObject({ state: 'warn', says: expect.stringMatching(/^Could not be checked: /) });
  expect(find(findings, 'files')?.state).toBe('ok');
});

test('a wrong password, an empty database and one of another version are told apart', async () => {
  const wrong = new URL(postgres.url);
  wrong.password = 'wrong';
  expect(await checkOne('database', { changes: { DATABASE_URL: wrong.href } })).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('rejects the password'),
  });
  const empty = new URL(postgres.url);
  empty.pathname = '/template1';
  expect(await checkOne('database', { changes: { DATABASE_URL: empty.href } })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('is empty'),
  });
  await sql`insert into migrations (name, checksum) select '999-later.sql', checksum from migrations limit 1`.execute(db);
  expect(await checkOne('database')).toMatchObject({ state: 'fail', says: expect.stringContaining('newer than this program') });
  await sql`delete from migrations where name = '999-later.sql'`.execute(db);
});

test('a migration that is not applied and an extension that is gone are seen', async () => {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name desc limit 1`.execute(db);
  const last = rows[0]?.name ?? '';
  await sql`create table kept as select * from migrations where name = ${last}`.execute(db);
  await sql`delete from migrations where name = ${last}`.execute(db);
  expect(await checkOne('database')).toMatchObject({ state: 'warn', says: expect.stringContaining('lacks 1 migrations') });
  await sql`insert into migrations select * from kept`.execute(db);
  await sql`drop table kept`.execute(db);
  await sql`update pg_extension set extname = 'unaccent_gone' where extname = 'unaccent'`.execute(db);
  expect(await checkOne('database')).toMatchObject({ state: 'fail', says: expect.stringContaining('lacks the extensions unaccent') });
  await sql`update pg_extension set extname = 'unaccent' where extname = 'unaccent_gone'`.execute(db);
  // As after an upgrade of PostgreSQL.
  const { rows: versions } = await sql<{
    version: string;
  }>`select extversion as version from pg_extension where extname = 'unaccent'`.execute(db);
  await sql`update pg_extension set extversion = '0.9' where extname = 'unaccent'`.execute(db);
  expect(await checkOne('database')).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('old versions of unaccent'),
    todo: 'Run: alter extension unaccent update;',
  });
  await sql`update pg_extension set extversion = ${versions[0]?.version} where extname = 'unaccent'`.execute(db);
});

test.each([
  ['synchronous_commit', 'off', 'synchronous_commit is off'],
  ['track_counts', 'off', 'track_counts is off'],
])('%s = %s fails', async (name, value, says) => {
  await sql`alter database postgres set ${sql.raw(name)} = ${sql.raw(value)}`.execute(db);
  expect(await checkOne('database settings')).toMatchObject({ state: 'fail', says: expect.stringContaining(says) });
  await sql`alter database postgres reset ${sql.raw(name)}`.execute(db);
});

test('too few connections for a server and a worker fail', async () => {
  expect(await checkOne('database settings', { changes: { DATABASE_POOL: '150' } })).toMatchObject({
    state: 'fail',
    says: 'max_connections is 200; one server and one worker need 329.',
  });
});

test('a replica that is away or no standby is to be looked at', async () => {
  const away = `127.0.0.1:${await freePort()}`;
  const findings = await check({ changes: { DATABASE_REPLICA_URLS: `postgres://a@${away}/b,${postgres.url}` } });
  expect(find(findings, `replica ${away}`)).toMatchObject({ state: 'warn', says: expect.stringContaining('Could not be checked') });
  expect(find(findings, `replica ${new URL(postgres.url).host}`)).toMatchObject({ state: 'warn', says: 'It is not a standby.' });
});

test('no backup, an old one and a lost one', async () => {
  writeFileSync(join(dataDir, 'backed-up'), inDays(-2).toISOString());
  expect(await checkOne('backups')).toMatchObject({ state: 'warn', says: 'The last backup is 2 days old.' });
  writeFileSync(join(dataDir, 'backed-up'), inDays(-8).toISOString());
  expect(await checkOne('backups')).toMatchObject({ state: 'fail', says: 'The last backup is 8 days old.' });
  // The newest counts, which is here that of `npm run backup`.
  const backup = join(root, 'backup');
  mkdirSync(join(backup, 'base-20260101T000000Z'), { recursive: true });
  writeFileSync(join(backup, 'base-20260101T000000Z/manifest.json'), JSON.stringify({ wholeAt: inDays(-0.5).toISOString() }));
  const inFolder = { changes: { BACKUP_DIR: backup } };
  expect(await checkOne('backups', inFolder)).toMatchObject({ says: expect.stringContaining('12 hours old') });
  // Copies that say nothing, the first one by its name and one without a manifest, do not hide the others.
  for (const name of ['base-20250101T000000Z', 'base-20260201T000000Z']) mkdirSync(join(backup, name));
  writeFileSync(join(backup, 'base-20250101T000000Z/manifest.json'), JSON.stringify({ wholeAt: 'soon' }));
  expect(await checkOne('backups', inFolder)).toMatchObject({ says: expect.stringContaining('12 hours old') });
  rmSync(join(dataDir, 'backed-up'));
  expect(await checkOne('backups')).toMatchObject({ state: 'warn', says: expect.stringContaining('No backup is known') });
  writeFileSync(join(dataDir, 'backed-up'), inDays(30).toISOString());
  expect(await checkOne('backups')).toMatchObject({ state: 'warn', says: 'The last backup claims a time in the future.' });
  writeFileSync(join(dataDir, 'backed-up'), 'yesterday');
  expect(await checkOne('backups')).toMatchObject({ state: 'warn', says: expect.stringContaining('No backup is known') });
});

test('a backup that was never restored, or not for long, is to be looked at', async () => {
  writeFileSync(join(dataDir, 'restore-tested'), inDays(-120).toISOString());
  expect(await checkOne('restore')).toMatchObject({ state: 'warn', says: 'A backup was restored 120 days ago.' });
  writeFileSync(join(dataDir, 'restore-tested'), inDays(30).toISOString());
  expect(await checkOne('restore')).toMatchObject({ state: 'warn', says: 'The last tested restore claims a time in the future.' });
  rmSync(join(dataDir, 'restore-tested'));
  expect(await checkOne('restore')).toMatchObject({ state: 'warn', says: expect.stringContaining('No backup was ever restored') });
});

test('a stopped mail server fails, with and without an email', async () => {
  const changes = { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` };
  for (const sendEmail of [true, false])
    expect(await checkOne('email', { changes, sendEmail })).toMatchObject({ state: 'fail', says: expect.stringContaining('ECONNREFUSED') });
});

test('a mail server that refuses us fails', async () => {
  const refusing = createTcpServer((socket) => socket.on('error', () => {}).end('554 go away\r\n'));
  expect(await checkOne('email', { changes: { SMTP_URL: `smtp://127.0.0.1:${await listen(refusing)}` }, sendEmail: true })).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('554 go away'),
  });
});

test.each<[string, string, Zone[string], Finding['state'], string]>([
  ['SPF', 'tradiepost.nz', { TXT: [['v=spf10 -all'], ['V=spf1-all']] }, 'warn', 'has no SPF record'],
  ['SPF', 'tradiepost.nz', { TXT: [['v=spf1 -all'], ['v=spf1 mx -all']] }, 'fail', 'has 2 SPF records'],
  ['SPF', 'tradiepost.nz', { TXT: [['v=spf1 +all']] }, 'fail', 'lets everybody send'],
  ['SPF', 'tradiepost.nz', { TXT: [['v=spf1 mx all']] }, 'fail', 'lets everybody send'],
  ['SPF', 'tradiepost.nz', { TXT: [['v=spf1 include:send-all.net ?all']] }, 'ok', 'v=spf1'],
  ['SPF', 'tradiepost.nz', 'broken', 'warn', 'Could not be checked'],
  ['SPF', 'tradiepost.nz', 'silent', 'warn', 'Could not be checked'],
  ['DKIM', 'k2._domainkey.tradiepost.nz', { TXT: [['v=DKIM1; p=']] }, 'fail', 'is revoked'],
  ['DKIM', 'k2._domainkey.tradiepost.nz', { TXT: [['v=DKIM1; p=a'], ['v=DKIM1; p=b']] }, 'fail', 'has 2 keys'],
  ['DKIM', 'k2._domainkey.tradiepost.nz', { TXT: [['help=p']] }, 'fail', 'There is no key at k2._domainkey.tradiepost.nz'],
  ['DKIM', 'k1._domainkey.tradiepost.nz', 'silent', 'warn', 'Could not be checked'],
  ['DMARC', '_dmarc.tradiepost.nz', { TXT: [['v=DMARC1; p=none']] }, 'warn', 'p=none'],
  ['DMARC', '_dmarc.tradiepost.nz', { TXT: [['v=DMARC1; sp=reject']] }, 'fail', 'no valid policy'],
  ['DMARC', '_dmarc.tradiepost.nz', { TXT: [['v=DMARC1; p=reject'], ['v=DMARC1; p=none']] }, 'fail', 'has 2 DMARC records'],
  ['DMARC', '_dmarc.tradiepost.nz', {}, 'warn', 'has no DMARC record'],
  ['DMARC', '_dmarc.tradiepost.nz', 'broken', 'warn', 'Could not be checked'],
])('%s: %s with %j is %s', async (name, record, found, state, says) => {
  zone[record] = found;
  expect(await checkOne(name, { patience: found === 'silent' ? impatient : patient })).toMatchObject({
    state,
    says: expect.stringContaining(says),
  });
});

test('a sender in a subdomain has the DMARC record of its domain', async () => {
  const changes = { SITE: JSON.stringify({ ...owner, senderEmail: 'post@mail.tradiepost.nz' }) };
  expect(await checkOne('DMARC', { changes })).toMatchObject({ state: 'ok', says: '_dmarc.tradiepost.nz: v=DMARC1; p=quarantine' });
});

test('without the name of the key, DKIM could not be checked', async () => {
  expect(await checkOne('DKIM', { changes: { MAIL_DKIM_SELECTORS: '' } })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('Could not be checked'),
  });
});

test('replies by email need an MX record and a worker that listens', async () => {
  const worker = await listen(createTcpServer((socket) => socket.on('error', () => {}).end('220 here\r\n')));
  const changes = { INBOUND_MAIL: `{"domain":"reply.tradiepost.nz","port":${worker}}` };
  expect(await checkOne('replies by email', { changes })).toMatchObject({ state: 'fail', says: expect.stringContaining('no MX record') });
  zone['reply.tradiepost.nz'] = { MX: ['mx.tradiepost.nz'] };
  expect(await checkOne('replies by email', { changes })).toMatchObject({ state: 'ok', says: expect.stringContaining('mx.tradiepost.nz') });
  const away = { INBOUND_MAIL: `{"domain":"reply.tradiepost.nz","port":${await freePort()}}` };
  expect(await checkOne('replies by email', { changes: away })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('could not be checked'),
  });
});

test('a folder that cannot be written, and a bucket that refuses', async () => {
  const blocked = join(root, 'blocked');
  mkdirSync(blocked);
  writeFileSync(join(blocked, 'files'), 'A file in the place of the folder.');
  expect(await checkOne('files', { changes: { DATA_DIR: blocked } })).toMatchObject({
    state: 'fail',
    says: expect.stringMatching(/^Nothing can be written in .*blocked/),
    todo: expect.stringContaining('right to write'),
  });
  const s3 = await startS3();
  const withBucket = (bucket: string) => ({ changes: { S3: JSON.stringify({ ...s3.settings, bucket }) } });
  expect(await checkOne('files', withBucket(s3.settings.bucket))).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('the bucket pictures'),
  });
  expect(await checkOne('files', withBucket('nobodys'))).toMatchObject({ state: 'fail' });
  await s3.stop();
});

test('a provider without our webhook fails; one that does not answer could not be checked', async () => {
  expect(await checkOne('payment provider', { changes: { APP_URL: 'https://tradiepost.com.au' } })).toMatchObject({
    state: 'fail',
    says: expect.stringContaining('there is no endpoint'),
  });
  sandbox.stripe.setFault('down');
  expect(await checkOne('payment provider')).toMatchObject({ state: 'warn', says: expect.stringContaining('Could not be checked') });
  expect(await checkOne('payment provider', { other: { stripe: null } })).toMatchObject({ state: 'warn' });
});

test('a register that refuses the key fails; one that is away could not be checked; none is off', async () => {
  registers.setFault('unknown-key');
  const refused = await check();
  for (const name of ['NZBN register', 'ABN register']) expect(find(refused, name)).toMatchObject({ state: 'fail' });
  registers.setFault('busy');
  const away = await check();
  for (const name of ['NZBN register', 'ABN register'])
    expect(find(away, name)).toMatchObject({ state: 'warn', says: expect.stringContaining('Could not be checked') });
  expect(await checkOne('NZBN register', { other: { registers: { nzbn: null, abn: null } } })).toMatchObject({
    state: 'ok',
    says: expect.stringContaining('Off'),
  });
});

test('a licence register that refuses the key fails; one that is away or odd could not be checked; none is off', async () => {
  const name = 'NSW licence register';
  expect(await checkOne(name)).toMatchObject({ state: 'ok', says: expect.stringContaining('its fields were not read') });
  registers.licences.set('1C', { holder: 'KINGI, MERE' });
  expect(await checkOne(name)).toMatchObject({ state: 'ok', says: 'Answers, and its fields can be read.' });
  registers.licences.set('1C', { holder: 'KINGI, MERE', status: 'Wonderful' });
  expect(await checkOne(name)).toMatchObject({ state: 'warn', says: expect.stringContaining('Wonderful') });
  registers.licences.set('1C', null);
  const state = async (fault: Parameters<typeof registers.licences.setFault>[0]) => {
    registers.licences.setFault(fault);
    const finding = await checkOne(name);
    registers.licences.setFault(null);
    return [finding?.state, finding?.says.includes('Could not be checked')];
  };
  for (const fault of ['no-token', 'denied'] as const) expect(await state(fault)).toEqual(['fail', false]);
  for (const fault of ['busy', 'odd'] as const) expect(await state(fault)).toEqual(['warn', true]);
  const off = { registers: { nzbn: null, abn: null } };
  expect(await checkOne(name, { other: off })).toMatchObject({ state: 'ok', says: expect.stringContaining('Off') });
});

test('a clock that is fast or slow fails; without randomness to compare it with, it could not be checked', async () => {
  beaconTime = () => new Date(Date.now() - 120_000);
  expect(await checkOne('clock')).toMatchObject({ state: 'fail', says: expect.stringContaining('is fast') });
  beaconTime = () => new Date(Date.now() + 120_000);
  expect(await checkOne('clock')).toMatchObject({ state: 'fail', says: expect.stringContaining('is slow') });
  const away = { ...beacon.settings, addresses: [`http://127.0.0.1:${await freePort()}`] };
  expect(await checkOne('clock', { other: { beacon: away } })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('Could not be checked'),
  });
});

test('a push key that is damaged fails', async () => {
  await sql`insert into signing_keys (name, key) values ('push', decode(repeat('ff', 32), 'hex'))`.execute(db);
  expect(await checkOne('push keys')).toMatchObject({ state: 'fail' });
  await sql`update signing_keys set key = decode(repeat('01', 32), 'hex') where name = 'push'`.execute(db);
  expect(await checkOne('push keys')).toMatchObject({ state: 'ok' });
  await sql`delete from signing_keys where name = 'push'`.execute(db);
});

test('a full disk fails, and one that fills up is to be looked at', async () => {
  expect([judgeSpace('a', 1, 100), judgeSpace('a', 5, 100), judgeSpace('a', 10, 100)].map(({ state }) => state)).toEqual([
    'fail',
    'warn',
    'ok',
  ]);
  const disk = smallDisk(1_000);
  if (disk === undefined) return;
  writeFileSync(join(disk, 'much'), Buffer.alloc(1_010_000));
  expect(await checkOne('disk', { changes: { BACKUP_DIR: disk } })).toMatchObject({
    state: 'fail',
    says: expect.stringMatching(/^DATA_DIR has .* BACKUP_DIR has 0\.0 of/),
  });
});

test('jobs that no worker takes fail, slow and failed ones are to be looked at', async () => {
  await addJobs('created', 2_000, 900);
  expect(await checkOne('jobs')).toMatchObject({ state: 'fail', says: '2000 jobs wait, the oldest for 15 minutes.' });
  await sql`delete from pgboss.job`.execute(db);
  expect(await checkOne('jobs')).toMatchObject({ state: 'fail', says: 'No job was ever finished; 0 wait.' });
  await addJobs('completed', 1, 1_200);
  expect(await checkOne('jobs')).toMatchObject({ state: 'fail', says: 'No job was finished for 20 minutes; 0 wait.' });
  await addJobs('completed', 1);
  await addJobs('created', 3, 180);
  expect(await checkOne('jobs')).toMatchObject({ state: 'warn', says: '3 jobs wait, the oldest for 3 minutes.' });
  await sql`delete from pgboss.job where state = 'created'`.execute(db);
  await addJobs('created', 1, 10, 'jobs.failed');
  expect(await checkOne('jobs')).toMatchObject({ state: 'warn', says: '1 jobs have failed for good.' });
});

test('a host without an address fails, and one that could not be asked about is not ok', async () => {
  zone['tradiepost.com.au'] = {};
  const without = await check();
  expect(find(without, 'DNS of tradiepost.com.au')).toMatchObject({ state: 'fail', says: 'tradiepost.com.au has no address.' });
  expect(find(without, 'DNS of tradiepost.nz')).toMatchObject({ state: 'ok', says: '127.0.0.1' });
  zone['tradiepost.com.au'] = 'broken';
  for (const name of ['DNS of tradiepost.com.au', 'TLS of tradiepost.com.au'])
    expect(await checkOne(name)).toMatchObject({ state: 'warn', says: expect.stringContaining('Could not be checked') });
});

test.each<[string, { until: number; names?: string[]; body?: string; trusted?: boolean }, Finding['state'], string]>([
  ['ends soon', { until: 10 }, 'warn', 'ends in 9 days'],
  ['has ended', { until: -0.5 }, 'fail', 'no valid certificate'],
  ['is for another name', { until: 80, names: ['other.nz'] }, 'fail', 'no valid certificate'],
  ['nobody trusts', { until: 80, trusted: false }, 'fail', 'no valid certificate'],
  ['is of another site', { until: 80, body: '<h1>Welcome to nginx</h1>' }, 'fail', 'it is not this site'],
])('a certificate that %s', async (_what, { until, names: others = hosts, body = healthy, trusted = true }, state, says) => {
  const own = createCertificate(others, { until: inDays(until) });
  const changes = { APP_URL: `https://tradiepost.nz:${await proxy(own, body)}` };
  expect(await checkOne('TLS of tradiepost.nz', { changes, ca: trusted ? own.cert : certificate.cert })).toMatchObject({
    state,
    says: expect.stringContaining(says),
  });
});

test('of two addresses each is asked: the second may be another site, or have the certificate that ends', async () => {
  zone['tradiepost.nz'] = { A: ['127.0.0.1', '127.0.0.2'] };
  const at = await proxy(certificate);
  const second = (options: ServerOptions, body: string) =>
    listen(
      createServer(options, (_request, response) => void response.end(body)),
      { port: at, host: '127.0.0.2' },
    );
  const changes = { APP_URL: `https://tradiepost.nz:${at}` };
  const other = await second(certificate, '<h1>Welcome to nginx</h1>');
  expect([other, await checkOne('TLS of tradiepost.nz', { changes })]).toEqual([
    at,
    expect.objectContaining({ state: 'fail', says: expect.stringMatching(/^127\.0\.0\.2 answers for tradiepost\.nz, but it is not/) }),
  ]);
  servers.pop()?.close();
  // With a name of its own: of two issuers with one name, TLS tries the first only.
  const ending = createCertificate(hosts.toReversed(), { until: inDays(10) });
  // In both orders, so that neither the first nor the last alone counts.
  for (const addresses of [
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.2', '127.0.0.1'],
  ]) {
    zone['tradiepost.nz'] = { A: addresses };
    await second(ending, healthy);
    expect(await checkOne('TLS of tradiepost.nz', { changes, ca: [certificate.cert, ending.cert].join('\n') })).toMatchObject({
      state: 'warn',
      says: 'The certificate ends in 9 days.',
    });
    servers.pop()?.close();
  }
});

test('a site that says that its database is away is this site', async () => {
  const at = await listen(
    createServer(certificate, (_request, response) => void response.writeHead(503).end(JSON.stringify({ code: 'unavailable' }))),
  );
  expect(await checkOne('TLS of tradiepost.nz', { changes: { APP_URL: `https://tradiepost.nz:${at}` } })).toMatchObject({ state: 'ok' });
});

test('a proxy that does not answer could not be checked, as it may from elsewhere', async () => {
  const changes = { APP_URL: `https://tradiepost.nz:${await freePort()}` };
  expect(await checkOne('TLS of tradiepost.nz', { changes })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('Could not be checked'),
  });
});

test('example addresses in the settings fail on a real site, a sandbox is to be looked at', async () => {
  await sql`insert into site_settings (reason, before, after, settings)
    values ('by hand', '{}', '{"supportEmail": "support@handwise.example"}', '{"supportEmail": "support@handwise.example"}')`.execute(db);
  const { code, lines } = await run(['settings']);
  expect([code, lines[0]]).toEqual([1, 'FAIL settings: Still examples: support@handwise.example.']);
  expect(await checkOne('settings', { changes: { SANDBOX: '1' } })).toMatchObject({
    state: 'warn',
    says: expect.stringContaining('sandbox'),
  });
});

test('a check that hangs ends with its time limit, and one that throws is never ok', async () => {
  const checks = [
    { name: 'hangs', otherwise: 'Wait.', run: () => new Promise<never>(() => {}) },
    {
      name: 'throws',
      otherwise: 'Mend it.',
      run: () => {
        throw new Error('out of order');
      },
    },
  ];
  expect(await runChecks(checks, 0.01)).toEqual([
    { name: 'hangs', state: 'warn', says: 'Could not be checked: no answer within 0.2 seconds.', todo: 'Wait.' },
    { name: 'throws', state: 'warn', says: 'Could not be checked: out of order.', todo: 'Mend it.' },
  ]);
});

test('the command with --no-email signs in to the mail server only, and exits with 0 if nothing fails', async () => {
  const count = async () => ((await (await fetch(`${mailbox.url}/email`)).json()) as object[]).length;
  const before = await count();
  const { code, lines } = await run(['--no-email', 'email', 'backups']);
  expect([code, lines[0]?.startsWith('WARN backups: '), lines[2]]).toEqual([
    0,
    true,
    `ok   email: ${new URL(mailbox.smtpUrl).host} lets us in. No email was sent.`,
  ]);
  expect([lines.at(-1), await count()]).toEqual(['1 ok, 1 to look at, 0 to mend.', before]);
});

test('the command exits with 1 if a line fails, and says what to do', async () => {
  const { code, lines } = await run(['--no-email', 'email', 'clock'], { SMTP_URL: `smtp://127.0.0.1:${await freePort()}` });
  expect(code).toBe(1);
  const failed = lines.findIndex((line) => line.startsWith('FAIL email: '));
  expect(lines[failed + 1]).toMatch(/^ {5}→ Is SMTP_URL right/);
  expect(lines.at(-1)).toMatch(/^\d+ ok, \d+ to look at, [1-9]\d* to mend\.$/);
});

test('the command exits with 1 on an environment that cannot be read, and names the variables', async () => {
  const { code, lines } = await run([], { APP_URL: 'tradiepost', LOG_KEY: 'short' });
  expect(code).toBe(1);
  expect(lines.filter((line) => line.startsWith('FAIL environment: '))).toHaveLength(2);
});

test('the command exits with 1 if no check has one of the names', async () => {
  const { code, lines } = await run(['disk', 'jbos']);
  expect([code, lines.some((line) => line.startsWith('FAIL jbos: There is no such check.'))]).toEqual([1, true]);
});

test('the command sends to the support address that an administrator has set', async () => {
  await sql`insert into site_settings (reason, before, after, settings)
    values ('by hand', '{}', '{"supportEmail": "hello@tradiepost.nz"}', '{"supportEmail": "hello@tradiepost.nz"}')`.execute(db);
  const { lines } = await run(['email']);
  expect(lines.find((line) => line.includes(' email: '))).toMatch(/took an email to hello@tradiepost\.nz/);
});

test('npm run doctor uses the program that the image has, with the database of a checkout', async () => {
  const programs = ['../../../sandbox/src/own-database.ts', '../../../commands/doctor.ts'].map((path) => join(import.meta.dirname, path));
  const { stdout } = await promisify(execFile)(process.execPath, [...programs, '--no-email', 'push keys'], {
    env: { PATH: process.env['PATH'], DATABASE_URL: postgres.url, DATA_DIR: dataDir },
  });
  expect(stdout.split('\n')).toEqual([
    'ok   push keys: Are made when the first browser asks for notifications.',
    '1 ok, 0 to look at, 0 to mend.',
    '',
  ]);
});
