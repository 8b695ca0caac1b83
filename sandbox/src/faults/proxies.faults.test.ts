import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server as HttpServer, type IncomingMessage, createServer, request as plainRequest } from 'node:http';
import { Agent, type RequestOptions, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freePort, startPostgres } from '../postgres.ts';
import { patience } from './fault-servers.ts';

// Each proxy of `ops/` in front of two real servers that share a database.
const root = join(import.meta.dirname, '../../..');
const folder = mkdtempSync(join(tmpdir(), 'handwise-proxies-'));
chmodSync(folder, 0o755);
const dataDir = join(folder, 'data');
mkdirSync(dataDir);
const databasePort = await freePort();
let postgres = await startPostgres({ dataDir, port: databasePort });
const ports = [await freePort(), await freePort()] as const;
const children = new Set<ChildProcess>();
afterAll(async () => {
  for (const child of children) child.kill('SIGKILL');
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});

function launch(command: string, args: readonly string[], env: Record<string, string> = {}) {
  const child = spawn(command, args, { stdio: 'ignore', env: { ...process.env, ...env } });
  children.add(child);
  child.once('exit', () => children.delete(child));
  return child;
}
async function end(child: ChildProcess, signal: NodeJS.Signals) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(signal);
  await once(child, 'exit');
}

const statusAt = (port: number, path = '/api/health') =>
  fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5_000) }).then(
    ({ status }) => status,
    () => 0,
  );
async function startServer(port: number) {
  const child = launch(process.execPath, [join(root, 'server/src/main.ts')], {
    NODE_ENV: 'production',
    SANDBOX: '1',
    HOST: '127.0.0.1',
    PORT: String(port),
    DATA_DIR: dataDir,
    DATABASE_URL: postgres.url,
    STRIPE_SECRET_KEY: 'sk_test_proxies',
    STRIPE_PUBLISHABLE_KEY: 'pk_test_proxies',
    STRIPE_WEBHOOK_SECRET: 'whsec_proxies',
    SMTP_URL: 'smtp://127.0.0.1:1',
    TRUST_PROXY: '127.0.0.1',
    LOG_LEVEL: 'silent',
    // Load shedding is disabled, because a busy machine would trigger it.
    SLOW_MACHINE: '1',
  });
  await vi.waitFor(async () => expect(await statusAt(port)).toBe(200), { timeout: patience, interval: 100 });
  return child;
}

type Start = (config: string, port: number, own: string) => ChildProcess;
type Proxy = {
  name: string;
  file: string;
  command: string;
  package: string;
  prepare: (config: string, at: Place) => string;
  start: Start;
};
type Place = { port: number; own: string; upstreams: readonly number[] };

const certificate = (own: string) => {
  const [key, chain] = [join(own, 'privkey.pem'), join(own, 'fullchain.pem')];
  const args = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-subj', '/CN=localhost'];
  execFileSync('openssl', [...args, '-keyout', key, '-out', chain], { stdio: 'ignore' });
  writeFileSync(join(own, 'haproxy.pem'), readFileSync(chain, 'utf8') + readFileSync(key, 'utf8'));
};
const isRoot = process.getuid?.() === 0;

// Only names, ports and folders differ from production.
const proxies: Proxy[] = [
  {
    name: 'nginx',
    file: 'nginx.conf',
    command: 'nginx',
    package: 'nginx-light',
    prepare: (config, { port, own, upstreams: [one, two] }) => {
      certificate(own);
      const site = config
        .replace(/^server \{\n {4}listen 80;[^}]*\}\n/m, '')
        .replace(/^ *listen \[::\]:443 .*\n/m, '')
        .replace('listen 443 ', `listen 127.0.0.1:${port} `)
        .replace('server 127.0.0.1:3000', `server 127.0.0.1:${one}`)
        .replace('# server 127.0.0.1:3002', `server 127.0.0.1:${two}`)
        .replaceAll(/\/etc\/ssl\/handwise\/|\/var\/(cache|log)\/nginx\//g, `${own}/`);
      const user = isRoot ? 'user root;\n' : '';
      return `${user}pid ${own}/pid;\nerror_log /dev/null;\nevents {}\nhttp {\n${site}}\n`;
    },
    start: (config) => launch('nginx', ['-c', config, '-e', '/dev/null', '-g', 'daemon off;']),
  },
  {
    name: 'Caddy',
    file: 'Caddyfile',
    command: 'caddy',
    package: 'caddy',
    prepare: (config, { port, upstreams: [one, two] }) => {
      const site = config
        .replace('{$SITE_HOSTS:handwise.co.nz, handwise.com} {', `https://localhost:${port} {`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${one} 127.0.0.1:${two}`);
      // Caddy before 2.6.4, as in Debian 12, has it without a limit and by another name.
      const isOld = /^v?2\.6\.[0-3]\b/.test(execFileSync('caddy', ['version'], { encoding: 'utf8' }));
      const known = isOld ? site.replace('request_buffers 256KiB', 'buffer_requests') : site;
      return `{\n\tadmin off\n\tauto_https disable_redirects\n\tskip_install_trust\n\tlog {\n\t\toutput discard\n\t}\n}\n${known}`;
    },
    start: (config, _, own) =>
      launch('caddy', ['run', '--config', config, '--adapter', 'caddyfile'], { HOME: own, XDG_DATA_HOME: own, XDG_CONFIG_HOME: own }),
  },
  {
    name: 'HAProxy',
    file: 'haproxy.cfg',
    command: 'haproxy',
    package: 'haproxy',
    prepare: (config, { port, own, upstreams: [one, two] }) => {
      certificate(own);
      return config
        .replace(/^ {4}(user|group|chroot|log \/dev\/log) .*\n/gm, '')
        .replace(/^frontend visitors_http\n(?: {4}.*\n)+/m, '')
        .replace('bind :443 ', `bind 127.0.0.1:${port} `)
        .replace('/etc/ssl/handwise/', `${own}/`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${one}`)
        .replaceAll('# server two 127.0.0.1:3002', `server two 127.0.0.1:${two}`);
    },
    start: (config) => launch('haproxy', ['-db', '-q', '-f', config]),
  },
];

const isInstalled = ({ command }: Proxy) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
// Debian's packages are installed by whoever may do so; elsewhere the tests of a missing proxy are skipped, which the report says.
for (const proxy of proxies) {
  if (isInstalled(proxy) || !isRoot) continue;
  spawnSync('apt-get', ['install', '--yes', '--no-install-recommends', proxy.package], {
    stdio: 'ignore',
    timeout: patience,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}

/** Starts a proxy in front of these ports and returns its address once it answers. */
async function startProxy(proxy: Proxy, upstreams: readonly number[]) {
  const own = mkdtempSync(join(folder, `${proxy.command}-`));
  const port = await freePort();
  const config = join(own, proxy.file);
  writeFileSync(config, proxy.prepare(readFileSync(join(root, 'ops', proxy.file), 'utf8'), { port, own, upstreams }));
  const child = proxy.start(config, port, own);
  await expect.poll(async () => (await ask(port, '/metrics')).status, { timeout: patience }).toBe(404);
  return { port, stop: () => end(child, 'SIGTERM') };
}

const agent = new Agent({ rejectUnauthorized: false, keepAlive: true, maxSockets: 32 });
afterAll(() => agent.destroy());
const options = (port: number, path: string, more: RequestOptions = {}): RequestOptions => ({
  host: '127.0.0.1',
  port,
  path,
  servername: 'localhost',
  agent,
  timeout: 30_000,
  ...more,
  headers: { host: `localhost:${port}`, 'accept-encoding': 'gzip', ...more.headers },
});
type Answer = { status: number; body: string; retryAfter: string | undefined; type: string };

/** Status 0: no answer. */
async function ask(port: number, path: string, json?: object): Promise<Answer> {
  const body = json && JSON.stringify(json);
  const headers = body === undefined ? {} : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  const sent = request(options(port, path, { method: body === undefined ? 'GET' : 'POST', headers }));
  sent.on('timeout', () => sent.destroy(new Error('timeout')));
  sent.end(body);
  try {
    const [answer] = (await once(sent, 'response')) as [IncomingMessage];
    const { 'retry-after': retryAfter, 'content-type': type = '' } = answer.headers;
    const bytes = await buffer(answer);
    const decoded = answer.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes;
    return { status: answer.statusCode ?? 0, body: decoded.toString(), retryAfter: retryAfter?.toString(), type };
  } catch (error) {
    return { status: 0, body: String(error), retryAfter: undefined, type: '' };
  }
}

/** Whether it is an answer of the site: the proxies' own have neither its name nor a code. */
const isOurs = ({ body, type }: Answer) => (type.startsWith('application/json') ? 'code' in JSON.parse(body) : body.includes('Handwise'));
const briefly = (all: readonly Answer[]) => [...new Set(all.map(({ status, type, body }) => `${status} ${type} ${body.slice(0, 80)}`))];

const login = { email: 'nobody@example.org', password: 'not-the-password' };

const servers = new Map<number, ChildProcess>();
beforeAll(async () => {
  // The first one migrates the database.
  for (const port of ports) servers.set(port, await startServer(port));
}, 2 * patience);

for (const proxy of proxies) {
  test.skipIf(!isInstalled(proxy))(
    `${proxy.name}: without a database it answers what a server alone would, and again as usual afterwards`,
    async () => {
      const { port, stop } = await startProxy(proxy, ports);
      const cached = '/services';
      // What a server alone answers. Both have it in their caches, so that either may answer.
      const alone = async (server: number) => {
        const headers = { host: `localhost:${port}`, 'accept-encoding': 'gzip' };
        const sent = plainRequest({ host: '127.0.0.1', port: server, path: cached, headers }).end();
        const [answer] = (await once(sent, 'response')) as [IncomingMessage];
        answer.resume();
        return answer.statusCode;
      };
      for (const server of ports) await expect.poll(() => alone(server), { timeout: patience }).toBe(200);
      expect((await ask(port, cached)).status).toBe(200);
      expect((await ask(port, '/api/auth/login', login)).status).toBe(401);
      await postgres.stop();
      for (const server of ports) await expect.poll(() => statusAt(server), { timeout: patience }).toBe(503);
      const answers: { cached: Answer[]; page: Answer[]; call: Answer[]; write: Answer[] } = { cached: [], page: [], call: [], write: [] };
      // Longer than a health check or a pause after failures.
      for (const until = Date.now() + 4_000; Date.now() < until || answers.page.length < 5; await pause(50)) {
        const ofProxy = await ask(port, cached);
        const ofServers = await Promise.all(ports.map(alone));
        // A page whose time in the caches is over is refused by a server alone, too.
        if (ofServers.every((status) => status === 200)) answers.cached.push(ofProxy);
        else if (ofProxy.status !== 200) answers.page.push(ofProxy);
        answers.page.push(await ask(port, `/listing/01920000-0000-7000-8000-${String(answers.page.length).padStart(12, '0')}`));
        answers.call.push(await ask(port, '/api/listing/all?limit=5&page=2'));
        answers.write.push(await ask(port, '/api/auth/login', login));
      }
      postgres = await startPostgres({ dataDir, port: databasePort });
      const { cached: pages, ...refused } = answers;
      expect(pages.length).toBeGreaterThan(0);
      expect(briefly(pages.filter(({ status }) => status !== 200))).toEqual([]);
      for (const some of Object.values(refused)) {
        expect(briefly(some.filter((one) => one.status !== 503 || !one.retryAfter || !isOurs(one)))).toEqual([]);
      }
      await expect.poll(async () => (await ask(port, '/api/listing/all?limit=5')).status, { timeout: patience }).toBe(200);
      await stop();
    },
    3 * patience,
  );

  test.skipIf(!isInstalled(proxy))(
    `${proxy.name}: nobody notices that a server is killed, starts again and the other one stops`,
    async () => {
      const { port, stop } = await startProxy(proxy, ports);
      const reads: Answer[] = [];
      const writes: Answer[] = [];
      const sending = new AbortController();
      const readers = Array.from({ length: 4 }, async (_, reader) => {
        for (let index = 0; !sending.signal.aborted; index += 1) {
          const path = ['/services', '/api/plan/all', `/api/listing/all?limit=${1 + reader}`][index % 3] ?? '/';
          reads.push(await ask(port, path));
          await pause(10);
        }
      });
      const writer = (async () => {
        for (; !sending.signal.aborted; await pause(50)) writes.push(await ask(port, '/api/reports', {}));
      })();
      const settle = async () => {
        const before = reads.length;
        await expect.poll(() => reads.length, { timeout: patience }).toBeGreaterThan(before + 60);
      };
      const [one, other] = ports;
      await settle();
      await end(servers.get(one) as ChildProcess, 'SIGKILL');
      await settle();
      // Answers 503 until it is ready.
      const beforeStart = [reads, writes].map(({ length }) => length);
      servers.set(one, await startServer(one));
      await settle();
      const whileStarting = [reads, writes].map((all, index) => all.slice(beforeStart[index]));
      await end(servers.get(other) as ChildProcess, 'SIGTERM');
      await settle();
      servers.set(other, await startServer(other));
      await settle();
      sending.abort();
      await Promise.all([...readers, writer]);
      expect(briefly(reads.filter(({ status }) => status !== 200))).toEqual([]);
      expect(whileStarting.map((all) => all.length > 0)).toEqual([true, true]);
      expect(briefly(whileStarting.flat().filter(({ status }) => status === 503))).toEqual([]);
      // Those that the killed and the stopped server had may have been stored, so they are not repeated.
      const failed = writes.filter(({ status }) => status !== 401);
      expect(failed.length).toBeLessThanOrEqual(2);
      // HAProxy closes a connection that had answers before without one, so that its client sends the request again.
      const isClosed = ({ status }: Answer) => status === 0 && proxy.name === 'HAProxy';
      expect(failed.filter((one) => !isClosed(one) && (!isOurs(one) || !one.retryAfter))).toEqual([]);
      await stop();
    },
    5 * patience,
  );

  test.skipIf(!isInstalled(proxy))(`${proxy.name}: passes on events as they come`, async () => {
    const { port, stop } = await startProxy(proxy, ports);
    const form = { fullName: 'Mere Kingi', username: `m_${port}`, email: `m${port}@example.org`, password: 'correct-horse' };
    const { token } = JSON.parse((await ask(port, '/api/auth/register', form)).body).data;
    const stream = request(options(port, '/api/events', { headers: { authorization: `Bearer ${token}` } })).end();
    const [answer] = (await once(stream, 'response')) as [IncomingMessage];
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([200, expect.stringContaining('text/event-stream')]);
    const [first] = (await once(answer, 'data')) as [Buffer];
    expect(first.length).toBeGreaterThan(0);
    stream.destroy();
    await stop();
  });

  test.skipIf(!isInstalled(proxy))(`${proxy.name}: passes on a request once its body is complete, and an upload as it comes`, async () => {
    // In place of the servers, because it shows when a request arrives.
    const arrived: string[] = [];
    const upstream: HttpServer = createServer((incoming, answer) => {
      arrived.push(incoming.url ?? '');
      incoming.resume().once('end', () => answer.end('{}'));
    }).listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    const { port: at } = upstream.address() as { port: number };
    const { port, stop } = await startProxy(proxy, [at, at]);
    const begin = (path: string, type: string, length: number) => {
      const sent = request(options(port, path, { method: 'POST', headers: { 'content-type': type, 'content-length': length } }));
      sent.write('x'.repeat(length / 2));
      return sent;
    };
    const json = begin('/api/auth/login', 'application/json', 60_000);
    const upload = begin('/api/listing/create', 'multipart/form-data; boundary=x', 200_000);
    await expect.poll(() => arrived).toContain('/api/listing/create');
    expect(arrived).not.toContain('/api/auth/login');
    for (const [sent, rest] of [
      [json, 30_000],
      [upload, 100_000],
    ] as const) {
      sent.end('x'.repeat(rest));
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      expect([answer.statusCode, await text(answer)]).toEqual([200, '{}']);
    }
    expect(arrived).toContain('/api/auth/login');
    await stop();
    upstream.closeAllConnections();
    upstream.close();
  });
}
