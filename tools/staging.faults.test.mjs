import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../sandbox/src/postgres.ts';
import { testDatabase } from '../sandbox/src/testing/database.ts';
import { root } from './install.mjs';
import { staging } from './staging.mjs';

const { url } = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'handwise-stage-'));
const children = [];
const patience = 240_000;
afterAll(() => {
  for (const child of children) child.kill('SIGKILL');
  rmSync(dataDir, { recursive: true, force: true });
});

const [port, mailboxPort, workPort] = [await freePort(), await freePort(), await freePort()];
const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  PORT: String(port),
  HOST: '127.0.0.1',
  WORK_PORT: String(workPort),
  MAILBOX_PORT: String(mailboxPort),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
};
function run(script, flags, more) {
  const child = spawn(process.execPath, [...flags, join(root, script)], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...environment, ...more },
  });
  children.push(child);
  return { child, ended: Promise.all([once(child, 'exit').then(([code]) => code), text(child.stderr)]) };
}
const status = (address) =>
  fetch(address).then(
    (answer) => answer.status,
    () => 0,
  );

test(
  'a server and a worker use the stand-ins of their data folder, from sign-up to email, and exit with 0',
  async () => {
    const standIns = run('sandbox/src/stage.ts', [], { DATABASE_URL: url, NODE_ENV: 'production', SANDBOX: '1', DEMO_DATA: '0' });
    const file = join(dataDir, 'stand-ins.env');
    await expect.poll(() => existsSync(file), { timeout: patience }).toBe(true);
    const { flags, env } = staging({ DATA_DIR: dataDir });
    const [server, worker] = ['server/src/main.ts', 'server/src/work.ts'].map((script) => run(script, flags, env));
    for (const at of [port, workPort])
      await expect.poll(() => status(`http://127.0.0.1:${at}/api/health`), { timeout: patience }).toBe(200);
    expect(await run('sandbox/src/stage.ts', [], { ...env, DATABASE_URL: url }).ended).toEqual([
      1,
      expect.stringMatching(/DATA_DIR is .*, which a running start uses/),
    ]);

    const registered = await fetch(`http://127.0.0.1:${port}/api/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ fullName: 'Mere Kingi', username: 'mere_k', email: 'mere@example.org', password: 'correct-horse' }),
    });
    expect(registered.status).toBe(201);
    const mails = async () => (await fetch(`http://127.0.0.1:${mailboxPort}/email`)).json();
    await expect.poll(async () => (await mails()).map(({ to }) => to[0]?.address), { timeout: patience }).toContain('mere@example.org');

    for (const one of [server, worker, standIns]) {
      one?.child.kill('SIGTERM');
      expect(await one?.ended).toEqual([0, '']);
    }
    expect(existsSync(file)).toBe(false);
  },
  patience,
);

test('reads the stand-ins’ addresses in a sandbox only', () => {
  const flags = [`--env-file-if-exists=${join(dataDir, 'stand-ins.env')}`];
  expect(staging({ DATA_DIR: dataDir })).toEqual({ env: { NODE_ENV: 'production', SANDBOX: '1' }, flags });
  expect(staging({ DATA_DIR: dataDir, NODE_ENV: 'development' }).flags).toEqual(flags);
  expect(staging({ DATA_DIR: dataDir, NODE_ENV: 'production', SANDBOX: '1' }).flags).toEqual(flags);
  for (const SANDBOX of ['', '0']) expect(staging({ DATA_DIR: dataDir, NODE_ENV: 'production', SANDBOX }).flags).toEqual([]);
  expect(staging({ DATA_DIR: dataDir, NODE_ENV: 'development', SANDBOX: '0' }).flags).toEqual([]);
});
