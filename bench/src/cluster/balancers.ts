import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, openSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from '@handwise/sandbox/postgres';

type Target = { name: string; port: number; checkPort: number };
export type Running = { port: number; pids: number[]; stop(): Promise<void> };

/** Names of the programs that a cluster needs and this machine has not. */
export const missingPrograms = (): string[] =>
  ['haproxy', 'pgbouncer'].filter((name) => spawnSync('sh', ['-c', `PATH=$PATH:/usr/sbin command -v ${name}`]).status !== 0);

/** One address for the database that leads to the primary, and one for the site that leads to the servers which are ready. */
export async function startHaproxy(
  dir: string,
  database: readonly Target[],
  servers: readonly Target[],
): Promise<Running & { sitePort: number }> {
  const [port, sitePort] = [await freePort(), await freePort()];
  const lines = (targets: readonly Target[]) =>
    targets.map((one) => `  server ${one.name} 127.0.0.1:${one.port} check port ${one.checkPort}`).join('\n');
  const file = join(dir, 'haproxy.cfg');
  writeFileSync(
    file,
    `global
  maxconn 4000
defaults
  timeout connect 2s
  timeout client 1h
  timeout server 1h
  default-server inter 300ms fastinter 100ms fall 1 rise 1
listen database
  mode tcp
  bind 127.0.0.1:${port}
  option httpchk GET /
  # Whoever is connected to what is no primary any more is told so.
  default-server on-marked-down shutdown-sessions
${lines(database)}
frontend site
  mode http
  bind 127.0.0.1:${sitePort}
  option forwardfor
  # Where no server is ready because the database is not, those that live still answer what replicas and kept pages can.
  use_backend alive if { nbsrv(ready) eq 0 }
  default_backend ready
backend alive
  mode http
  balance roundrobin
  option httpchk GET /api/live
${lines(servers)}
backend ready
  mode http
  balance roundrobin
  option httpchk GET /api/health
  # What a dead server has not answered is asked of another, where asking twice does nothing twice.
  retries 3
  option redispatch
  retry-on conn-failure empty-response
  http-request disable-l7-retry unless METH_GET
${lines(servers)}
`,
  );
  const running = await run(dir, 'haproxy', ['-db', '-q', '-f', file], port);
  return { ...running, sitePort };
}

/** A pool in session mode in front of the database: servers connect to it, and it to the primary. */
export async function startPgbouncer(dir: string, databaseUrl: string, databasePort: number): Promise<Running> {
  const port = await freePort();
  const { username, password, pathname } = new URL(databaseUrl);
  const [users, file] = [join(dir, 'pgbouncer-users'), join(dir, 'pgbouncer.ini')];
  writeFileSync(users, `"${username}" "${decodeURIComponent(password)}"\n`, { mode: 0o600 });
  writeFileSync(
    file,
    `[databases]
${pathname.slice(1)} = host=127.0.0.1 port=${databasePort}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
pool_mode = session
max_client_conn = 500
default_pool_size = 200
server_reset_query = DISCARD ALL
server_login_retry = 1
server_connect_timeout = 2
query_wait_timeout = 10
ignore_startup_parameters = extra_float_digits
`,
  );
  const isRoot = process.getuid?.() === 0;
  if (isRoot) chownSync(users, Number(execFileSync('id', ['-u', 'postgres'], { encoding: 'utf8' })), 0);
  return run(dir, 'pgbouncer', [...(isRoot ? ['-u', 'postgres'] : []), file], port);
}

async function run(dir: string, program: string, args: string[], port: number): Promise<Running> {
  const log = openSync(join(dir, `${program}.log`), 'a');
  const child = spawn(program, args, { stdio: ['ignore', log, log], env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` } });
  await untilListening(child, program, port);
  return { port, pids: [child.pid ?? 0], stop: () => stopChild(child, 'SIGTERM') };
}

async function untilListening(child: ChildProcess, program: string, port: number) {
  for (let waited = 0; waited < 10_000; waited += 50) {
    if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`);
    const isListening = await new Promise<boolean>((done) => {
      const socket = connect(port, '127.0.0.1', () => done(true)).once('error', () => done(false));
      socket.once('connect', () => socket.destroy());
    });
    if (isListening) return;
    await pause(50);
  }
  throw new Error(`${program} did not listen within 10 s`);
}

/** Ends a process that was started here, and waits for it. */
export async function stopChild(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill(signal);
  await ended;
}
