// `npm run upgrade:drill`: replaces two servers and a worker of an earlier commit by the current ones, one by one, under load.
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { nodePath, root, serverFlags } from './install.mjs';

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'HEAD~1' },
    listings: { type: 'string', default: '5000' },
    connections: { type: 'string', default: '16' },
    seconds: { type: 'string', default: '5' },
  },
});
const { freePort, startPostgres } = await import('../sandbox/src/postgres.ts');
const folder = mkdtempSync(join(tmpdir(), 'handwise-upgrade-'));
const earlier = join(folder, 'earlier');
/** @type {(() => unknown)[]} */
const closers = [() => rmSync(folder, { recursive: true, force: true })];
const log = (line) => console.log(line);

function run(command, args, options = {}) {
  const { status } = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'], ...options });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
}
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' }).stdout.trim();

/** The earlier commit with its packages and built site. */
function checkOut(commit) {
  log(`Building ${git('log', '-1', '--format=%h %s', commit)} …`);
  run('git', ['worktree', 'add', '--detach', '--quiet', earlier, commit]);
  closers.push(() => run('git', ['worktree', 'remove', '--force', earlier]));
  // Hard links, so that nothing is installed if the packages are the same, and workspace links stay its own.
  for (const part of ['.', 'server', 'web', 'sandbox', 'e2e', 'bench', 'contract', 'demo', 'proof']) {
    const packages = join(root, part, 'node_modules');
    if (existsSync(packages) && existsSync(join(earlier, part))) run('cp', ['-al', packages, join(earlier, part, 'node_modules')]);
  }
  run(nodePath, ['tools/ready.mjs'], { cwd: earlier });
}

const environment = {
  ...process.env,
  NODE_ENV: 'production',
  SANDBOX: '1',
  DEMO_DATA: '0',
  HOST: '127.0.0.1',
  DATA_DIR: join(folder, 'data'),
  LOG_LEVEL: 'error',
  STRIPE_SECRET_KEY: 'sk_test_upgrade',
  STRIPE_PUBLISHABLE_KEY: 'pk_test_upgrade',
  STRIPE_WEBHOOK_SECRET: 'whsec_upgrade',
  SMTP_URL: 'smtp://127.0.0.1:9',
  TRUST_PROXY: '127.0.0.1',
};

async function start(cwd, script, more = {}) {
  const port = await freePort();
  const child = spawn(nodePath, [...serverFlags, script], {
    cwd,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...environment, PORT: String(port), WORK_PORT: String(port), ...more },
  });
  const ended = once(child, 'exit');
  closers.push(async () => {
    if (child.exitCode === null) child.kill('SIGKILL');
    await ended;
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/api/health`).then(
      ({ ok }) => ok,
      () => false,
    );
  const began = performance.now();
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`${script} of ${cwd} ended before it was ready`);
    await pause(100);
  }
  return { port, readyAfter: (performance.now() - began) / 1_000, stop: () => (child.kill('SIGTERM'), ended.then(([code]) => code)) };
}

/** A balancer over the ready servers, round-robin, without retries. */
async function startBalancer() {
  const servers = new Set();
  const healthy = new Set();
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const checkHealth = async () => {
    for (const port of servers) {
      const isOk = await fetch(`http://127.0.0.1:${port}/api/health`).then(
        ({ ok }) => ok,
        () => false,
      );
      if (isOk) healthy.add(port);
      else healthy.delete(port);
    }
  };
  const timer = setInterval(() => void checkHealth(), 250);
  let turn = 0;
  const balancer = createServer((from, to) => {
    const ports = [...healthy];
    const port = ports[(turn += 1) % ports.length];
    if (port === undefined) return void to.writeHead(599).end();
    const forward = request({ port, host: '127.0.0.1', method: from.method, path: from.url, headers: from.headers, agent }, (answer) => {
      to.writeHead(answer.statusCode, answer.headers);
      answer.pipe(to);
      answer.on('error', () => to.destroy());
    });
    forward.on('error', () => to.destroy());
    from.pipe(forward);
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  closers.push(() => {
    clearInterval(timer);
    balancer.closeAllConnections();
    balancer.close();
    agent.destroy();
  });
  return {
    address: `http://127.0.0.1:${balancer.address().port}`,
    async add(port) {
      servers.add(port);
      await checkHealth();
    },
    remove: (port) => (servers.delete(port), healthy.delete(port)),
  };
}

/** Constant load of visitors and members. Answers other than 2xx and 3xx are errors. */
function startLoad(address) {
  const times = [];
  const errors = new Map();
  const written = [];
  const load = { going: true, doing: 'nothing happened' };
  let sent = 0;
  const send = async (path, options = {}) => {
    const began = performance.now();
    // Each has its own network, to stay below the limits.
    const from = `10.${(sent += 1) % 250}.${Math.floor(sent / 250) % 250}.${Math.floor(sent / 62_500) % 250}`;
    let what;
    try {
      const answer = await fetch(address + path, { ...options, headers: { ...options.headers, 'x-forwarded-for': from } });
      const body = await answer.text();
      times.push(performance.now() - began);
      if (answer.ok) return JSON.parse(body || 'null');
      // Counts error codes separately, because overload differs from failure.
      const code = /"code":"(\w+)"/.exec(body)?.[1] ?? '';
      what = `${answer.status} ${code} ${path.replace(/\d.*/, '')} while ${load.doing}`;
    } catch (error) {
      if (error instanceof SyntaxError) return null;
      what = `no answer ${path.replace(/\d.*/, '')}: ${error.cause?.code ?? error.message} while ${load.doing}`;
    }
    errors.set(what, (errors.get(what) ?? 0) + 1);
    return null;
  };
  const json = (token, body) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify(body),
  });
  const one = async (number) => {
    for (let index = 0; load.going; index += 1) {
      const username = `up${number}_${index}`;
      const body = { fullName: 'Upgrade', username, email: `${username}@example.org`, password: 'correct-horse' };
      const { data } = (index % 10 === 0 && (await send('/api/auth/register', json(null, body)))) || {};
      if (data) {
        written.push(username);
        await send('/api/auth/me', { headers: { authorization: `Bearer ${data.token}` } });
        await send('/api/auth/logout', json(data.token, {}));
      }
      for (const path of [
        '/',
        '/services/plumbing',
        `/api/listing/all?title=repair&page=${1 + (index % 5)}`,
        '/api/plan/all',
        '/search?q=plumber',
      ])
        await send(path);
    }
  };
  const all = Promise.all(Array.from({ length: Number(values.connections) }, (_, number) => one(number)));
  return {
    /** Sets the phase that errors are counted by. */
    now: (doing) => void (load.doing = doing),
    async end() {
      load.going = false;
      await all;
      return { times: times.toSorted((a, b) => a - b), errors, written };
    },
  };
}

try {
  checkOut(values.from);
  const postgres = await startPostgres({ dataDir: join(folder, 'data') });
  closers.push(() => postgres.stop());
  environment.DATABASE_URL = postgres.url;
  const before = [await start(earlier, 'server/src/main.ts'), await start(earlier, 'server/src/main.ts')];
  const workerBefore = await start(earlier, 'server/src/work.ts');
  run(nodePath, ['sandbox/src/data-fill.ts', '--listings', values.listings, '--reviews-per-listing', '1'], {
    cwd: earlier,
    env: environment,
  });
  const balancer = await startBalancer();
  for (const { port } of before) await balancer.add(port);
  const load = startLoad(balancer.address);
  const wait = () => pause(Number(values.seconds) * 1_000);
  await wait();
  const codes = [];
  for (const [index, old] of before.entries()) {
    load.now(`server ${index + 1} starts`);
    const next = await start(root, 'server/src/main.ts');
    await balancer.add(next.port);
    log(`Server ${index + 1} of this commit is ready after ${next.readyAfter.toFixed(1)} s; the earlier one is told to stop.`);
    load.now(`server ${index + 1} of the earlier commit stops`);
    codes.push(await old.stop());
    balancer.remove(old.port);
    load.now('nothing happened');
    await wait();
  }
  load.now('the worker is replaced');
  const worker = await start(root, 'server/src/work.ts');
  codes.push(await workerBefore.stop());
  log(`The worker of this commit is ready after ${worker.readyAfter.toFixed(1)} s; the earlier one has stopped.`);
  load.now('nothing happened');
  await wait();
  const { times, errors, written } = await load.end();
  const { openDatabase } = await import('../server/src/kit/database/database.ts');
  const { pool, close: closeDatabase } = openDatabase({ url: postgres.url, connections: 1, onIdleError: () => {} });
  const { rowCount: stored } = await pool.query('select from users where username = any($1)', [written]);
  await closeDatabase();
  const at = (share) => times[Math.floor(share * (times.length - 1))]?.toFixed(0);
  const failed = [...errors.values()].reduce((sum, count) => sum + count, 0);
  log(`${times.length + failed} requests, ${failed} errors; p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, longest ${at(1)} ms`);
  for (const [what, count] of errors) log(`  ${count} × ${what}`);
  log(`${written.length} accounts were made, ${stored} are there; the earlier processes ended with ${codes.join(', ')}`);
  if (failed > 0 || stored !== written.length || codes.some((code) => code !== 0)) process.exitCode = 1;
} finally {
  for (const close of closers.toReversed()) await close();
}
