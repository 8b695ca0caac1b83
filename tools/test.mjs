// Everything that must hold: the checks, the tests, and the journeys in a browser. The last line counts them.
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { findChromium } from './chromium.mjs';
import { filesIn, hashOfFiles, install, nodePath, root, withOwnNode } from './install.mjs';

const results = join(root, '.data/test-results');
const begun = Date.now();
const stage = (name) => console.log(`\n${name} (after ${Math.round((Date.now() - begun) / 1000)} s)`);

await install();
mkdirSync(results, { recursive: true });

stage('Checks');
const checks = await runChecks();

stage('Tests');
const tests = await count(
  'vitest',
  ['node_modules/vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${join(results, 'vitest.json')}`],
  {},
  ({ numPassedTests, numFailedTests, success }) => ({
    passed: numPassedTests,
    failed: numFailedTests + (success || numFailedTests > 0 ? 0 : 1),
  }),
);

stage('Journeys');
await build();
const chromium = findChromium();
const site = await startSite();
const journeys = await count(
  'playwright',
  ['node_modules/@playwright/test/cli.js', 'test', '--config', 'e2e/playwright.config.ts'],
  {
    BASE_URL: site.address,
    MAILBOX_URL: site.mailbox,
    DATA_DIR: site.dataDir,
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(results, 'playwright.json'),
  },
  ({ stats, errors }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected + errors.length }),
);
await site.stop();

stage('Done');
const all = [checks, tests, journeys];
const passed = all.reduce((sum, one) => sum + one.passed, 0);
const failed = all.reduce((sum, one) => sum + one.failed, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

/** Runs a test runner and reads what it counted from its report. A runner without a report has failed once. */
async function count(name, args, env, read) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const code = await new Promise((done) => {
    const child = spawn(nodePath, args, { cwd: root, stdio: 'inherit', env: withOwnNode(env) });
    child.once('exit', done);
  });
  if (!existsSync(report)) return { passed: 0, failed: 1 };
  const counted = read(JSON.parse(readFileSync(report, 'utf8')));
  return { passed: counted.passed, failed: Math.max(counted.failed, code === 0 ? 0 : 1) };
}

/** The whole product with demo data, as `npm start` runs it, on a free port. The data are kept while they would come out the same. */
async function startSite() {
  const sources = [
    ...filesIn(join(root, 'sandbox/src')),
    ...filesIn(join(root, 'server/migrations')),
    join(root, 'contract/src/places.ts'),
  ];
  const dataDir = join(root, '.data', `journeys-${hashOfFiles(sources).slice(0, 12)}`);
  const port = await freePort();
  const mailboxPort = await freePort();
  const address = `http://localhost:${port}`;
  const env = withOwnNode({
    PORT: String(port),
    MAILBOX_PORT: String(mailboxPort),
    DATA_DIR: dataDir,
    APP_URL: address,
    NODE_ENV: 'production',
    SANDBOX: '1',
    DATABASE_URL: '',
    SMTP_URL: '',
  });
  const child = spawn(nodePath, ['sandbox/src/start.ts'], { cwd: root, stdio: 'inherit', env });
  const ended = new Promise((done) => child.once('exit', done));
  for (let waited = 0; waited < 240_000; waited += 250) {
    const ready = await fetch(`${address}/api/health`).then(
      (answer) => answer.ok,
      () => false,
    );
    if (ready) break;
    if (child.exitCode !== null) break;
    await new Promise((done) => setTimeout(done, 250));
  }
  return {
    address,
    dataDir,
    mailbox: `http://localhost:${mailboxPort}`,
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function freePort() {
  return new Promise((done) => {
    const server = createServer();
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });
}
