import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { freePort } from '../postgres.ts';
import { bundledServer } from './server-bundle.ts';

/**
 * A server in its own process. `exit` resolves to its exit code, null after a signal. Only once `killed` may it leave calls without a
 * response.
 */
export type Server = { address: string; child: ChildProcess; exit: Promise<number | null>; killed: boolean };

/** Milliseconds that a busy machine may take for the work of a second. */
export const patience = 240_000;

/**
 * Starts a server with this environment, and restarts it if it ends before it is ready, as a supervisor does, because on a busy machine its
 * database may be too slow.
 */
export async function startServer(env: Record<string, string | undefined>, onSpawn: (server: Server) => void): Promise<Server> {
  const program = await bundledServer();
  for (const until = performance.now() + patience; ;) {
    const server = spawnServer(program, await freePort(), env);
    onSpawn(server);
    const stderr = server.child.stderr ? text(server.child.stderr) : '';
    const first = await Promise.race([once(server.child, 'message').then(() => 'ready' as const), server.exit]);
    if (first === 'ready') return server;
    if (performance.now() > until) throw new Error(`the server ended with ${first} before it was ready: ${await stderr}`);
  }
}

function spawnServer(program: string, port: number, env: Record<string, string | undefined>): Server {
  const child = fork(program, {
    execArgv: ['--no-deprecation', ...(env['SHIFTED_DAYS'] ? ['--import', join(import.meta.dirname, '../testing/shifted-date.ts')] : [])],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      NODE_ENV: 'production',
      SANDBOX: '1',
      HOST: '127.0.0.1',
      PORT: String(port),
      LOG_LEVEL: 'silent',
      ...env,
    },
  });
  const exit = once(child, 'exit').then(([code]) => code as number | null);
  return { address: `http://127.0.0.1:${port}`, child, exit, killed: false };
}

/** Kills a server, as a power cut does, and waits for its end. */
export async function kill(server: Server): Promise<void> {
  server.killed = true;
  server.child.kill('SIGKILL');
  await server.exit;
}
