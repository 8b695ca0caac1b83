import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { freePort } from '@handwise/sandbox/postgres';
import { expect } from './journey.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A site with its own empty database and these settings, for events that happen once a month or would disturb others. */
export async function ownSite(settings: Record<string, string> = {}) {
  const besides = process.env['DATA_DIR'];
  if (!besides) throw new Error('DATA_DIR does not say where the data of the site under test lie');
  const dataDir = await mkdtemp(join(dirname(besides), 'own-site-'));
  const [port, mailboxPort] = [await freePort(), await freePort()];
  const address = `http://localhost:${port}`;
  const mailbox = `http://localhost:${mailboxPort}`;
  const env = {
    ...process.env,
    PORT: String(port),
    MAILBOX_PORT: String(mailboxPort),
    DATA_DIR: dataDir,
    APP_URL: address,
    NODE_ENV: 'production',
    SANDBOX: '1',
    DEMO_DATA: '0',
    DATABASE_URL: '',
    SMTP_URL: '',
    ...settings,
  };
  const run = (args: string[]) => spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], env });
  const site = run(['sandbox/src/start.ts']);
  const ended = once(site, 'exit');
  process.once('exit', () => site.kill('SIGTERM'));
  await expect(async () => expect((await fetch(`${address}/api/health`)).ok).toBe(true)).toPass({ timeout: 120_000 });

  return {
    address,
    mailbox,
    dataDir,
    /** Gives an account with a confirmed address the administrator's role, as `npm run admin:grant` does. */
    async makeAdministrator(email: string) {
      const [code] = await once(run(['sandbox/src/own-database.ts', 'commands/admin-grant.ts', email]), 'exit');
      expect(code, `the role for ${email}`).toBe(0);
    },
    async close() {
      site.kill('SIGTERM');
      await ended;
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type OwnSite = Awaited<ReturnType<typeof ownSite>>;
