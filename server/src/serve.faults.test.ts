import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { pino } from 'pino';
import { afterAll, expect, test } from 'vitest';
import { startMailbox } from '@handwise/sandbox/mailbox/mailbox';
import { freePort, startPostgres } from '@handwise/sandbox/postgres';
import { openDatabase } from './kit/database/database.ts';
import { Jobs } from './kit/jobs/jobs.ts';
import { sendMail } from './kit/mail/mail.ts';

// A real server process with its own database, which these tests stop.
const dataDir = mkdtempSync(join(tmpdir(), 'handwise-serve-'));
const port = await freePort();
let postgres = await startPostgres({ dataDir, port });
const servers: ChildProcess[] = [];
/** For tests with several waits on a busy machine. */
const patience = 240_000;
afterAll(async () => {
  for (const server of servers) server.kill('SIGKILL');
  await postgres.remove();
  rmSync(dataDir, { recursive: true, force: true });
});

function startProcess(script: string, environment: Record<string, string>, stderr: 'inherit' | 'pipe' = 'inherit') {
  const child = spawn(process.execPath, [join(import.meta.dirname, script)], {
    stdio: ['ignore', 'ignore', stderr],
    env: {
      ...process.env,
      NODE_ENV: 'production',
      SANDBOX: '1',
      DATA_DIR: dataDir,
      DATABASE_URL: postgres.url,
      STRIPE_SECRET_KEY: 'sk_test_serve',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_serve',
      STRIPE_WEBHOOK_SECRET: 'whsec_serve',
      SMTP_URL: 'smtp://127.0.0.1:1',
      LOG_LEVEL: 'silent',
      ...environment,
    },
  });
  servers.push(child);
  return child;
}

async function startServer(environment: Record<string, string> = {}) {
  for (const until = Date.now() + patience; ;) {
    const httpPort = await freePort();
    const server = startProcess('main.ts', { PORT: String(httpPort), ...environment });
    const address = `http://127.0.0.1:${httpPort}`;
    const status = (path: string) =>
      fetch(address + path).then(
        (answer) => answer.status,
        () => 0,
      );
    const isOver = async () => server.exitCode !== null || Date.now() > until || (await status('/api/health')) === 200;
    await expect.poll(isOver, { timeout: patience }).toBe(true);
    // As a supervisor would: on a busy machine the database may be too slow for a start.
    if (server.exitCode === null || Date.now() > until) return { server, address, status };
  }
}

const post = (address: string, path: string, body: object) =>
  fetch(`${address}/api${path}`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

test(
  'loses no confirmed write when the database restarts under load, and recovers by itself',
  async () => {
    const { server, address, status } = await startServer();
    const registered: string[] = [];
    const sending = new AbortController();
    const retryAfters: (string | null)[] = [];
    const statuses = new Set<number>();
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; !sending.signal.aborted; index += 1) {
        const username = `w${writer}_${index}`;
        const answer = await post(address, '/auth/register', {
          fullName: 'W',
          username,
          email: `${username}@example.org`,
          password: 'kept-or-not',
        });
        statuses.add(answer.status);
        if (answer.status === 503) retryAfters.push(answer.headers.get('retry-after'));
        if (answer.ok) registered.push(username);
        // Few password hashes, because this test loads the database, not the CPU.
        await pause(50);
      }
    });
    await expect.poll(() => registered.length).toBeGreaterThan(10);
    await postgres.stop();
    await expect.poll(() => status('/api/health')).toBe(503);
    expect(await status('/api/plan/all')).toBe(503);
    postgres = await startPostgres({ dataDir, port });
    await expect.poll(() => status('/api/health')).toBe(200);
    const before = registered.length;
    await expect.poll(() => registered.length).toBeGreaterThan(before + 5);
    sending.abort();
    await Promise.all(writers);

    expect([...statuses].toSorted((a, b) => a - b)).toEqual([201, 503]);
    expect(new Set(retryAfters)).toEqual(new Set(['2']));
    for (const username of registered) {
      const again = await post(address, '/auth/register', {
        fullName: 'W',
        username,
        email: `x${username}@example.org`,
        password: 'kept-or-not',
      });
      expect([username, again.status]).toEqual([username, 409]);
    }
    server.kill('SIGTERM');
    await once(server, 'exit');
  },
  patience,
);

// An attempt is counted before its password is checked: from then on its request is under way.
async function untilCounted(attempts: number) {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const counted = async () => (await client.query("select from attempts where key like 'login:nobody%'")).rowCount;
  await expect.poll(counted, { interval: 5 }).toBe(attempts);
  await client.end();
}

test(
  'SIGTERM lets running requests finish, accepts no new ones and exits with 0',
  async () => {
    // Generous limits, so that a busy machine neither cuts a request off nor rejects it because it waited.
    const { server, address, status } = await startServer({ SLOW_MACHINE: '1' });
    // Hashing eight passwords keeps the pool's four threads busy.
    const underWay = Array.from({ length: 8 }, (_, index) =>
      post(address, '/auth/login', { email: `nobody${index}@example.org`, password: 'slow-to-check' }),
    );
    await untilCounted(8);
    server.kill('SIGTERM');
    const [code] = await once(server, 'exit');
    expect((await Promise.all(underWay)).map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 401));
    expect(code).toBe(0);
    expect(await status('/api/health')).toBe(0);
  },
  patience,
);

test(
  'a request that never ends is cut off at the stop, with exit code 1',
  async () => {
    const { server, address } = await startServer();
    const { hostname, port: httpPort } = new URL(address);
    const socket = connect(Number(httpPort), hostname);
    socket.write(
      'POST /api/auth/login HTTP/1.1\r\nhost: x\r\nexpect: 100-continue\r\ncontent-type: application/json\r\ncontent-length: 100\r\n\r\n',
    );
    // The server has read the request's head and waits for the rest.
    await once(socket, 'data');
    server.kill('SIGTERM');
    expect(await once(server, 'exit')).toEqual([1, null]);
    socket.destroy();
  },
  patience,
);

test(
  'two servers share the limit of wrong passwords',
  async () => {
    const servers = [await startServer(), await startServer()];
    const attempts = Array.from({ length: 60 }, async (_, index) => {
      for (;;) {
        const server = servers[index % 2]?.address ?? '';
        const { status } = await post(server, '/auth/login', { email: 'shared@example.org', password: `wrong-${index}` });
        // A busy server may answer 503, which is not an attempt.
        if (status !== 503) return status;
        await pause(500);
      }
    });
    const statuses = await Promise.all(attempts);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(50);
  },
  patience,
);

test(
  'a worker process sends the server’s mails and exits with 0 on SIGTERM',
  async () => {
    await startServer();
    const mailbox = await startMailbox({ file: join(dataDir, 'mails.sqlite'), smtpPort: 0, webPort: 0 });
    const { db, pool, close } = openDatabase({ url: postgres.url, connections: 2, onIdleError: () => {} });
    const jobs = new Jobs({ pool, logger: pino({ level: 'silent' }) });
    await jobs.start({ work: false });
    // Earlier tests have left queued mails too.
    const arrived = async () => {
      const mails = (await (await fetch(`${mailbox.url}/email`)).json()) as { subject: string }[];
      return mails.filter(({ subject }) => subject === 'Hello').length;
    };
    const send = () => jobs.send(db, sendMail, { to: 'mere@example.org', subject: 'Hello', preview: 'Hello', blocks: [] });

    await send();
    const workPort = await freePort();
    const worker = startProcess('work.ts', { SMTP_URL: mailbox.smtpUrl, WORK_PORT: String(workPort) });
    const responseOf = (path: string) =>
      fetch(`http://127.0.0.1:${workPort}${path}`).then(
        async (answer) => `${answer.status} ${(await answer.text()).replaceAll(/\n.*/gs, '')}`,
        () => 'nothing',
      );
    await expect.poll(arrived).toBe(1);
    await expect.poll(() => responseOf('/api/health')).toBe('200 {"status":"ok"}');
    expect(await responseOf('/api/live')).toBe('200 {"status":"ok"}');
    expect(await responseOf('/metrics')).toMatch(/^200 # HELP /);
    expect(await responseOf('/')).toBe('404 {"status":"not found"}');
    await send();
    await expect.poll(arrived).toBe(2);

    worker.kill('SIGTERM');
    expect(await once(worker, 'exit')).toEqual([0, null]);
    await jobs.stop();
    await close();
    await mailbox.close();
  },
  patience,
);

test(
  'refuses to start beside a used database without one of its keys, names the file and creates no other, and starts with it',
  async () => {
    // The first start creates and notes the keys.
    const { server } = await startServer();
    server.kill('SIGTERM');
    await once(server, 'exit');
    const newKey = Buffer.alloc(32, 1).toString('base64');
    for (const [name, variable, other] of [
      ['log-key', 'LOG_KEY', newKey],
      ['prize-keys.json', 'PRIZE_KEYS', `{"new":"${newKey}"}`],
      ['account-keys.json', 'ACCOUNT_KEYS', `{"new":"${newKey}"}`],
    ] as const) {
      const file = join(dataDir, name);
      const written = readFileSync(file, 'utf8');
      const refusal = async (script: string) => {
        const child = startProcess(script, { PORT: String(await freePort()) }, 'pipe');
        const [output, [code]] = await Promise.all([child.stderr ? text(child.stderr) : '', once(child, 'exit')]);
        return [code, output];
      };
      renameSync(file, `${file}.away`);
      const lost = `${file} is missing or damaged, and the database was used with the key that was in it. Nothing was changed. Put it back`;
      for (const script of ['main.ts', 'work.ts']) expect(await refusal(script)).toEqual([1, expect.stringContaining(lost)]);
      expect(existsSync(file)).toBe(false);
      writeFileSync(file, other);
      expect(await refusal('main.ts')).toEqual([1, expect.stringContaining(`${file} has another key`)]);
      expect(readFileSync(file, 'utf8')).toBe(other);
      rmSync(file);
      const instead = await startServer({ [variable]: other });
      expect([instead.server.exitCode, existsSync(file)]).toEqual([null, false]);
      instead.server.kill('SIGTERM');
      await once(instead.server, 'exit');
      renameSync(`${file}.away`, file);
      expect(readFileSync(file, 'utf8')).toBe(written);
    }
    const again = await startServer();
    expect(again.server.exitCode).toBe(null);
  },
  patience,
);
