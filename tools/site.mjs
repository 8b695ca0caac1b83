// The whole product with demo data, for journeys.
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from './build.mjs';
import { findChromium } from './chromium.mjs';
import { filesIn, hashOfFiles, root, startNode } from './install.mjs';

/**
 * Starts the site as `npm start` does, on a free port, and passes the journeys' environment to `work`. The data is
 * reused while its sources are unchanged. `env` adds variables of the site.
 */
export async function withSite(work, env = {}) {
  await build();
  const chromium = findChromium();
  const sources = [
    ...filesIn(join(root, 'sandbox/src')),
    ...filesIn(join(root, 'demo/src')),
    ...filesIn(join(root, 'server/migrations')),
    join(root, 'contract/src/places/regions.ts'),
  ];
  const dataDir = join(root, '.data', `journeys-${hashOfFiles(sources).slice(0, 12)}`);
  const port = await freePort();
  const mailboxPort = await freePort();
  const address = `http://localhost:${port}`;
  const site = startNode(['sandbox/src/start.ts'], {
    env: {
      PORT: String(port),
      MAILBOX_PORT: String(mailboxPort),
      DATA_DIR: dataDir,
      APP_URL: address,
      NODE_ENV: 'production',
      SANDBOX: '1',
      // Disables load shedding, because the tests beside it use the cores.
      SLOW_MACHINE: '1',
      DATABASE_URL: '',
      SMTP_URL: '',
      // Journeys choose the network that a sign-up comes from.
      TRUST_PROXY: 'loopback',
      ...env,
    },
  });
  try {
    await untilReady(address, site.child);
    return await work({
      BASE_URL: address,
      MAILBOX_URL: `http://localhost:${mailboxPort}`,
      DATA_DIR: dataDir,
      CHROMIUM_PATH: chromium,
    });
  } finally {
    site.child.kill('SIGTERM');
    await site.ended;
  }
}

/** Starts Playwright on all journeys, or on those named by the arguments. */
export const startJourneys = (args, env) =>
  startNode(['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts', ...args], { env });

async function untilReady(address, child) {
  const isReady = () =>
    fetch(`${address}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
  for (const until = Date.now() + 900_000; !(await isReady()); await pause(250)) {
    if (child.exitCode !== null) throw new Error('The site ended before it was ready.');
    if (Date.now() > until) throw new Error('The site was not ready after fifteen minutes.');
  }
}

/** A port outside the range of outgoing connections, which could take it before the server does. */
export async function freePort() {
  for (;;) {
    const port = randomInt(15_000, 32_000);
    const server = createServer();
    const isFree = await new Promise((done) => {
      server.once('error', () => done(false));
      server.listen(port, '127.0.0.1', () => server.close(() => done(true)));
    });
    if (isFree) return port;
  }
}
