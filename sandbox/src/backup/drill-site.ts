import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getCluster } from '../postgres-cluster.ts';
import { freePort, isAlive } from '../postgres.ts';

const checkout = join(import.meta.dirname, '../../..');

/** A site as `npm start` runs it, whose provider, mailbox and keys outlive its database and files. */
export async function drillSite(root: string) {
  const [port, mailboxPort, stripePort] = [await freePort(), await freePort(), await freePort()];
  const dataDir = join(root, 'data');
  const environment = {
    ...process.env,
    PORT: String(port),
    MAILBOX_PORT: String(mailboxPort),
    STAND_INS: JSON.stringify({ stripe: `http://127.0.0.1:${stripePort}` }),
    STRIPE_SECRET_KEY: '',
    DATA_DIR: dataDir,
    APP_URL: `http://localhost:${port}`,
    BACKUP_DIR: join(root, 'backup'),
    // Each user has their own network.
    TRUST_PROXY: '127.0.0.1',
    HOST: '127.0.0.1',
    NODE_ENV: 'production',
    SANDBOX: '1',
    DATABASE_URL: '',
    SMTP_URL: '',
    LOG_LEVEL: 'error',
  };
  let site: ChildProcess | undefined;
  const address = `http://127.0.0.1:${port}`;

  return {
    address,
    dataDir,
    mailbox: `http://127.0.0.1:${mailboxPort}`,
    provider: { url: `http://127.0.0.1:${stripePort}`, publishableKey: 'pk_test_sandbox' },

    /** Resolves when the site is ready. */
    async start(): Promise<void> {
      const child = spawn(process.execPath, [join(checkout, 'sandbox/src/start.ts')], {
        env: environment,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      site = child;
      const isReady = () =>
        fetch(`${address}/api/health`).then(
          (answer) => answer.ok,
          () => false,
        );
      for (const until = Date.now() + 600_000; !(await isReady()); await pause(100)) {
        if (child.exitCode !== null) throw new Error('the site ended before it was ready');
        if (Date.now() > until) throw new Error('the site was not ready after ten minutes');
      }
    },

    /** Runs a command on the site's data; returns its exit code and output. */
    async run(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
      const child = spawn(process.execPath, [script, ...args], { cwd: checkout, env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
      let output = '';
      for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
      const [code] = (await once(child, 'close')) as [number | null];
      return { code: code ?? 1, output };
    },

    /** Kills the site and its database, as a power cut does. */
    async kill(): Promise<void> {
      const pid = Number(readFileSync(join(getCluster(dataDir), 'postmaster.pid'), 'utf8').split('\n')[0]);
      const ended = site && once(site, 'exit');
      site?.kill('SIGKILL');
      process.kill(pid, 'SIGKILL');
      await ended;
      while (isAlive(pid)) await pause(50);
    },

    async stop(): Promise<void> {
      if (!site || site.exitCode !== null || site.signalCode !== null) return;
      const ended = once(site, 'exit');
      site.kill('SIGTERM');
      await ended;
    },
  };
}
export type DrillSite = Awaited<ReturnType<typeof drillSite>>;
