// The built site under another name: two servers and a worker, as in production.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, expect, test } from 'vitest';
import { freePort } from '../sandbox/src/postgres.ts';
import { testDatabase } from '../sandbox/src/testing/database.ts';
import { openDatabase } from '../server/src/kit/database/database.ts';
import { root } from './install.mjs';
import { staging } from './staging.mjs';

// The server's, because the tools depend on no picture library.
const sharp = createRequire(join(root, 'server/package.json'))('sharp');

const { url } = await testDatabase();
const dataDir = mkdtempSync(join(tmpdir(), 'handwise-name-'));
const children = [];
const patience = 240_000;
afterAll(async () => {
  const ends = children.filter((child) => child.exitCode === null).map((child) => once(child, 'exit'));
  for (const child of children) child.kill('SIGTERM');
  await Promise.all(ends);
  rmSync(dataDir, { recursive: true, force: true });
});

const [first, second, workPort, mailboxPort] = [await freePort(), await freePort(), await freePort(), await freePort()];
const environment = {
  PATH: process.env.PATH,
  NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
  HOST: '127.0.0.1',
  MAILBOX_PORT: String(mailboxPort),
  DATA_DIR: dataDir,
  LOG_LEVEL: 'silent',
  APP_URL: `http://localhost:${first}`,
  SITE_NAME: 'Tradie Post',
  SUPPORT_EMAIL: 'help@tradiepost.nz',
  LEGAL_PERSON: 'Tradie Post Limited',
  LEGAL_ADDRESS: '9 Quay Street, Nelson 7010, New Zealand',
  SITE: '{"senderEmail":"post@tradiepost.nz"}',
};
function run(script, flags, more) {
  children.push(spawn(process.execPath, [...flags, join(root, script)], { stdio: 'ignore', env: { ...environment, ...more } }));
}
const at = (port) => `http://127.0.0.1:${port}`;
const status = (address) =>
  fetch(address).then(
    (answer) => answer.status,
    () => 0,
  );
const read = async (address) => (await fetch(address, { headers: { accept: 'text/html' } })).text();
const defaults = /Handwise|handwise\.example|1 Example Street|\bHW-1\d{5}\b/;
// Pages say it of a draw that was announced with it, files never.
const defaultPrize = /\$1,000 (prize|monthly|draw|in money|is yours)|(worth|wins|won) \$1,000(?![,\d])/;

async function send(method, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  return (await fetch(`${at(first)}/api${path}`, { method, headers, body: JSON.stringify(body) })).json();
}

async function uploadLogo(token) {
  const form = new FormData();
  const picture = await sharp({ create: { width: 300, height: 300, channels: 3, background: '#ff0000' } })
    .png()
    .toBuffer();
  form.append('logo', new Blob([picture]), 'logo.png');
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${at(first)}/api/admin/settings/logo`, { method: 'POST', headers, body: form })).json();
}

test(
  'no page, file, email or document names another site, and a change reaches the other server and the worker',
  async () => {
    run('sandbox/src/stage.ts', [], { DATABASE_URL: url, NODE_ENV: 'production', SANDBOX: '1', DEMO_DATA: '0' });
    await expect.poll(() => existsSync(join(dataDir, 'stand-ins.env')), { timeout: patience }).toBe(true);
    const { flags, env } = staging({ DATA_DIR: dataDir });
    run('server/src/main.ts', flags, { ...env, PORT: String(first) });
    run('server/src/main.ts', flags, { ...env, PORT: String(second) });
    run('server/src/work.ts', flags, { ...env, PORT: String(first), WORK_PORT: String(workPort) });
    for (const port of [first, second, workPort])
      await expect.poll(() => status(`${at(port)}/api/health`), { timeout: patience }).toBe(200);

    await expect.poll(() => status(`${at(first)}/sitemaps/pages.xml`), { timeout: patience }).toBe(200);
    const listed = [...(await read(`${at(first)}/sitemaps/pages.xml`)).matchAll(/<loc>https?:\/\/[^/<]+([^<]*)<\/loc>/g)].map(
      ([, path]) => path,
    );
    const files = readdirSync(join(root, 'web/build/client'), { recursive: true, encoding: 'utf8' })
      .filter((path) => /\.(js|css|svg|html|json)$/.test(path))
      .map((path) => `/${path}`);
    const others = [
      '/auth/login',
      '/auth/register',
      '/home',
      '/nowhere',
      '/llms.txt',
      '/site.webmanifest',
      '/api/openapi.json',
      '/offline.html',
    ];
    expect([listed.length > 20, files.length > 100]).toEqual([true, true]);
    for (const path of [...listed, ...files, ...others]) {
      const text = await read(at(first) + path);
      const prize = files.includes(path) ? defaultPrize.exec(text)?.[0] : undefined;
      expect([path, text.length > 0, defaults.exec(text)?.[0], prize]).toEqual([path, true, undefined, undefined]);
    }

    const { data } = await send('POST', '/auth/register', {
      fullName: 'Mere Kingi',
      username: 'mere_k',
      email: 'mere@example.org',
      password: 'correct-horse',
    });
    const database = openDatabase({ url, connections: 1, onIdleError: () => {} });
    await database.db.updateTable('users').set({ role: 'admin', email_confirmed_at: new Date() }).execute();
    await database.close();
    // The other server has the page in its cache.
    expect(await read(`${at(second)}/terms`)).toContain('Tradie Post');
    const { logo } = await uploadLogo(data.token);
    const { settings } = await send(
      'PUT',
      '/admin/settings',
      { reason: 'New owners', values: { name: 'Sorted', prize: '2500', logo }, acceptsUnmet: true },
      data.token,
    );
    expect(settings).toMatchObject({ name: 'Sorted', prize: '2500', logo });
    expect(await read(`${at(first)}/terms`)).toContain('| Sorted</title>');
    await expect.poll(() => read(`${at(second)}/terms`), { timeout: 5_000 }).toContain('| Sorted</title>');
    for (const port of [first, second]) {
      expect(await read(`${at(port)}/terms`)).toContain(`--site-logo:url(${logo})`);
      const icon = await fetch(`${at(port)}/favicon.svg`, { redirect: 'manual' });
      expect([icon.status, icon.headers.get('location')]).toEqual([302, logo.replace('.webp', '-192.png')]);
      expect((await fetch(at(port) + logo)).headers.get('content-type')).toBe('image/webp');
      // The draw that runs pays what it was announced with.
      expect(await read(`${at(port)}/terms`)).toContain('&quot;drawPrize&quot;:&quot;1000&quot;');
    }

    // The worker has as long, and nothing to ask it by.
    await pause(5_000);
    await send('POST', '/auth/forgot-password', { email: 'mere@example.org' });
    const mails = async () => (await fetch(`${at(mailboxPort)}/email`)).json();
    await expect
      .poll(async () => (await mails()).map(({ subject }) => subject), { timeout: patience })
      .toContain('Choose a new password for Sorted');
    const all = await mails();
    expect(all.length).toBeGreaterThan(1);
    for (const mail of all) expect(defaults.exec(JSON.stringify(mail))?.[0]).toBeUndefined();
    expect(all.find(({ subject }) => subject === 'Choose a new password for Sorted').html).toContain(logo.replace('.webp', '-192.png'));
    expect(all.map(({ from }) => from[0])).toContainEqual({ address: 'post@tradiepost.nz', name: 'Sorted' });
  },
  patience,
);
