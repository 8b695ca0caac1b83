import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '@handwise/sandbox/postgres';
import { testDatabase } from '@handwise/sandbox/testing/database';
import { startFreezingProxy } from '@handwise/sandbox/testing/freezing-proxy';

// The output and exit code of the real process in an invalid environment.
const { url } = await testDatabase();
const client = new pg.Client({ connectionString: url });
await client.connect();
const dataDir = mkdtempSync(join(tmpdir(), 'handwise-starting-'));
const children = new Set<ChildProcess>();
const sockets = new Set<Socket>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  for (const socket of sockets) socket.destroy();
  await client.end();
  rmSync(dataDir, { recursive: true, force: true });
});
const patience = 120_000;

const key = (purpose: string) => createHash('sha256').update(purpose).digest('base64');
const owner = {
  senderEmail: 'hello@handwise.co.nz',
  supportEmail: 'support@handwise.co.nz',
  legalName: 'Willis Trades Limited',
  legalAddress: '9 Willis Street, Wellington',
  nzGstNumber: '123-456-789',
  abn: '51 824 753 556',
};
const production = {
  NODE_ENV: 'production',
  APP_URL: 'https://handwise.co.nz',
  SITE: JSON.stringify(owner),
  STRIPE_SECRET_KEY: 'sk_live_1',
  STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  STRIPE_WEBHOOK_SECRET: 'whsec_9fK2mQ7xVb4TzR1pLw8sYd3HnJ6cGa5E',
  SMTP_URL: 'smtp://127.0.0.1:9',
  PRIZE_KEYS: `{"first":"${key('prizes')}"}`,
  ACCOUNT_KEYS: `{"first":"${key('accounts')}"}`,
  LOG_KEY: key('log'),
};
const sandbox = { ...production, SANDBOX: '1', STRIPE_SECRET_KEY: 'sk_test_1', STRIPE_PUBLISHABLE_KEY: 'pk_test_1' };

function start(environment: Record<string, string>, script = 'main.ts', args: readonly string[] = []) {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../src', script), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      HOST: '127.0.0.1',
      DATA_DIR: dataDir,
      DATABASE_URL: url,
      LOG_LEVEL: 'warn',
      ...environment,
    },
  });
  children.add(child);
  let logged = '';
  child.stdout.on('data', (chunk: Buffer) => (logged += chunk.toString()));
  const errors = text(child.stderr);
  const ended = once(child, 'exit').then(async ([code]) => {
    children.delete(child);
    return { code: code as number | null, lines: (await errors).trimEnd().split('\n') };
  });
  return { child, ended, logged: () => logged };
}

const refused = (...lines: string[]) => ({ code: 1, lines: ['Not started:', ...lines.map((line) => `  ${line}`)] });
const at = (change: (url: URL) => void) => {
  const changed = new URL(url);
  change(changed);
  return changed.href;
};
const { host: place, username } = new URL(url);

async function listening(onSocket: (socket: Socket) => void) {
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    onSocket(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const bound = server.address();
  return { port: typeof bound === 'object' ? (bound?.port ?? 0) : 0, close: () => server.close() };
}

/** A proxy to the database that reports an older version. */
const olderDatabase = () =>
  listening((socket) => {
    const target = new URL(url);
    const database = connect(Number(target.port), target.hostname);
    sockets.add(database);
    database.on('error', () => {});
    socket.pipe(database);
    database.on('data', (chunk) => {
      // The length must not change, because it is part of the message.
      const answer = chunk.toString('latin1');
      socket.write(answer.includes('is_standby') ? Buffer.from(answer.replace(/18\d{4}/, '140012'), 'latin1') : chunk);
    });
    database.on('close', () => socket.destroy());
  });

test(
  'servers and workers reject an invalid environment with one line per variable, exit code 1 and no stack',
  async () => {
    const [server, worker] = await Promise.all(
      ['main.ts', 'work.ts'].map(
        (script) =>
          start({ ...production, APP_URL: '', SITE: JSON.stringify({ ...owner, senderEmail: undefined }), TRUST_PROXY: 'true' }, script)
            .ended,
      ),
    );
    const only = 'In production this needs SANDBOX=1.';
    expect(server).toEqual(
      refused(
        'TRUST_PROXY: is not a list of addresses and ranges such as 10.0.0.7, 10.1.0.0/16',
        `SITE.senderEmail is hello@handwise.example, where no email arrives. ${only}`,
        'APP_URL is not set: links in emails and site maps would point to localhost.',
      ),
    );
    expect(worker).toEqual(server);
  },
  patience,
);

test(
  'reports a missing database, provider and mail server outside production and exits',
  async () => {
    const nothing = { DATABASE_URL: '', SMTP_URL: '', NODE_ENV: '' };
    const lines = [
      ['DATABASE_URL', 'a database'],
      ['STRIPE_SECRET_KEY', 'a payment sandbox'],
      ['SMTP_URL', 'a mailbox'],
    ].map(([name, what]) => `${name} is not set. \`npm run stand-ins\` starts ${what}.`);
    const [server, worker] = await Promise.all(['main.ts', 'work.ts'].map((script) => start(nothing, script).ended));
    expect(server).toEqual(refused(...lines));
    expect(worker).toEqual(server);
  },
  patience,
);

test(
  'reports a data folder that cannot be written and a wrong database password at once',
  async () => {
    const file = join(dataDir, 'no-folder');
    writeFileSync(file, '');
    const environment = {
      DATA_DIR: join(file, 'data'),
      DATABASE_URL: at((to) => (to.password = 'wrong')),
    };
    expect(await start({ ...sandbox, ...environment }, 'work.ts').ended).toEqual(
      refused(
        `DATA_DIR is ${join(file, 'data')}, but nothing can be written there (ENOTDIR).`,
        `DATABASE_URL points to ${place}, but it rejects the password of the user ${username}.`,
      ),
    );
  },
  patience,
);

test(
  'rejects a missing database, an old PostgreSQL, and a database of a newer or an earlier version',
  async () => {
    const older = await olderDatabase();
    const ofOlder = at((to) => (to.port = String(older.port)));
    const [unknown, tooOld] = await Promise.all([
      start({ ...sandbox, DATABASE_URL: at((to) => (to.pathname = '/nowhere')) }).ended,
      start({ ...sandbox, DATABASE_URL: ofOlder }).ended,
    ]);
    older.close();
    expect(unknown).toEqual(refused(`DATABASE_URL points to ${place}, but it has no database nowhere.`));
    expect(tooOld.lines).toEqual([
      'Not started:',
      expect.stringMatching(/^ {2}DATABASE_URL points to PostgreSQL .*, but 15 is the oldest supported version\.$/),
    ]);

    await client.query("insert into migrations (name, checksum) values ('998-later.sql', 'x'), ('999-later-still.sql', 'x')");
    const newer = await start(sandbox).ended;
    expect(newer).toEqual(
      refused(
        'DATABASE_URL points to a database newer than this program, which does not know 998-later.sql and 1 more. Start the newer version, or start this one with --newer-database to go back one version.',
      ),
    );
    // If allowed, the start proceeds to the port, which is taken.
    const other = await listening(() => {});
    const meant = await start({ ...sandbox, PORT: String(other.port) }, 'main.ts', ['--newer-database']).ended;
    expect(meant).toEqual(refused(`PORT is ${other.port}, but something else listens there already.`));
    const worker = await start({ ...sandbox, WORK_PORT: String(other.port) }, 'work.ts', ['--newer-database']).ended;
    expect(worker).toEqual(refused(`WORK_PORT is ${other.port}, but something else listens there already.`));
    other.close();
    await client.query("delete from migrations where name ~ '^99'");

    await client.query("update migrations set name = 'of-before-' || name");
    const earlier = await start(sandbox).ended;
    await client.query("update migrations set name = replace(name, 'of-before-', '')");
    expect(earlier).toEqual(
      refused(
        'DATABASE_URL points to a database created by an earlier version, which this one cannot upgrade. Use an empty database, or start the earlier version.',
      ),
    );
  },
  patience,
);

test(
  'production rejects a database with the demo accounts, but not one with unconfirmed accounts of the same addresses',
  async () => {
    const add = `insert into users (full_name, username, email, password_hash, referral_code, email_confirmed_at)
      values ('A', $1, $2, 'x', $3, $4)`;
    await client.query(add, ['stranger', 'buyer@example.com', 'REF-STR-1001', null]);
    await client.query(add, ['known', 'admin@example.com', 'REF-STR-1002', new Date()]);
    const sentence = 'points to demo data: everybody knows the password of admin@example.com. Start on a database of its own.';
    expect(await start(production).ended).toEqual(refused(`DATABASE_URL ${sentence}`));
    await client.query("delete from users where username in ('stranger', 'known')");
  },
  patience,
);

test(
  'waits for a missing or frozen database, answers 503 until it is available, and exits with 0 on SIGTERM',
  async () => {
    const network = await startFreezingProxy(url);
    network.freeze('all');
    const port = await freePort();
    const { child, ended, logged } = start({
      ...sandbox,
      DATABASE_URL: network.url,
      PORT: String(port),
      MAIL_FROM: 'hello@handwise.co.nz',
    });
    const nobody = await freePort();
    const absent = start({ ...sandbox, DATABASE_URL: at((to) => (to.port = String(nobody))), WORK_PORT: '0' }, 'work.ts');
    const health = () =>
      fetch(`http://127.0.0.1:${port}/api/health`).then(
        ({ status }) => status,
        () => 0,
      );
    await expect.poll(logged, { timeout: patience }).toContain(`waiting for the database at ${new URL(network.url).host}: `);
    expect(await health()).toBe(503);
    expect(logged()).toContain('MAIL_FROM: such settings have no effect any more');
    await expect
      .poll(absent.logged, { timeout: patience })
      .toContain(`waiting for the database at 127.0.0.1:${nobody}: connect ECONNREFUSED`);
    absent.child.kill('SIGTERM');
    expect(await absent.ended).toEqual({ code: 0, lines: [''] });

    network.unfreezeNew();
    await expect.poll(health, { timeout: patience }).toBe(200);
    child.kill('SIGTERM');
    expect(await ended).toEqual({ code: 0, lines: [''] });
    await network.close();
  },
  3 * patience,
);

test(
  'limits the wait for a database that refuses connections or does not answer',
  async () => {
    const mute = await listening(() => {});
    const [absent, still] = await Promise.all(
      [await freePort(), mute.port].map(async (port) => {
        const { ended } = start({ ...sandbox, DATABASE_URL: at((to) => (to.port = String(port))), WORK_PORT: '0' }, 'work.ts');
        return { port, ...(await ended) };
      }),
    );
    mute.close();
    for (const [one, why] of [
      [absent, 'connect ECONNREFUSED'],
      [still, 'timeout expired'],
    ] as const) {
      expect(one?.code).toBe(1);
      expect(one?.lines[1]).toMatch(
        new RegExp(`^ {2}DATABASE_URL points to 127\\.0\\.0\\.1:${one?.port}, where no database answered for \\d+ s: ${why}`),
      );
      expect(one?.lines).toHaveLength(2);
    }
  },
  patience,
);

// Loaded first, records every package loaded by `import` or `require` and prints them at the end.
const recordPackages = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module';
  import { writeSync } from 'node:fs';
  const packages = new Set();
  const nameOf = (specifier) => specifier.split('/').slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
  registerHooks({ resolve: (specifier, context, next) => (packages.add(nameOf(specifier)), next(specifier, context)) });
  process.on('exit', () => writeSync(1, '\\n' + JSON.stringify({ packages: [...packages] })));
`)}`;

test(
  'a server that has answered a list has not loaded rarely used libraries, which take 6 to 50 MB each',
  async () => {
    const port = await freePort();
    const server = start({ ...sandbox, PORT: String(port), NODE_OPTIONS: `--import=${recordPackages}` });
    const answers = () =>
      fetch(`http://127.0.0.1:${port}/api/listing/all`).then(
        (answer) => answer.ok,
        () => false,
      );
    await expect.poll(answers, { timeout: patience }).toBe(true);
    server.child.kill('SIGTERM');
    expect((await server.ended).code).toBe(0);
    const { packages } = JSON.parse(server.logged().split('\n').at(-1) ?? '') as { packages: string[] };
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg-boss', 'zod']));
    const rarelyUsed = new Set([
      '@fastify/otel',
      '@modelcontextprotocol/server',
      '@react-email/components',
      '@simplewebauthn/server',
      '@zxcvbn-ts/language-common',
      'nodemailer',
      'pdfkit',
      'sharp',
      'smtp-server',
      'stripe',
    ]);
    expect(packages.filter((name) => rarelyUsed.has(name))).toEqual([]);
  },
  patience,
);
