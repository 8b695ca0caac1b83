import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { freePort, usePostgres } from '@handwise/sandbox/postgres';
import { expect } from './journey.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A second server on the site's data, with these settings, and an address that leads to it, or to the first one while it is down. */
export async function secondServer(firstAddress: string, settings: Record<string, string> = {}) {
  const dataDir = process.env['DATA_DIR'];
  if (!dataDir) throw new Error('DATA_DIR does not say where the data of the site under test lie');
  const { url } = await usePostgres(dataDir);
  const port = await freePort();
  const server = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATABASE_URL: url,
      NODE_ENV: 'production',
      SANDBOX: '1',
      // It runs no jobs and takes no payments, so these addresses are never used.
      SMTP_URL: 'smtp://127.0.0.1:9',
      STRIPE_SECRET_KEY: 'sk_test_nobody',
      STRIPE_PUBLISHABLE_KEY: 'pk_test_nobody',
      STRIPE_WEBHOOK_SECRET: 'whsec_nobody',
      ...settings,
    },
  });
  const ended = once(server, 'exit');
  const kill = async () => {
    server.kill('SIGKILL');
    await ended;
  };
  process.once('exit', () => server.kill('SIGKILL'));

  const ports = [port, Number(new URL(firstAddress).port)];
  const sockets = new Set<Socket>();
  const lead = (from: Socket, [next, ...others]: readonly number[]) => {
    if (next === undefined) return void from.destroy();
    const to = connect(next, '127.0.0.1');
    sockets.add(to);
    let connected = false;
    to.once('connect', () => {
      connected = true;
      from.pipe(to).pipe(from);
    });
    to.on('error', () => (connected ? from.destroy() : lead(from, others)));
    to.on('close', () => connected && from.destroy());
    from.on('close', () => to.destroy());
  };
  const balancer = createServer((from) => {
    sockets.add(from);
    from.on('error', () => {});
    lead(from, ports);
  });
  balancer.listen(0, '127.0.0.1');
  await once(balancer, 'listening');
  const front = (balancer.address() as { port: number }).port;

  await expect(async () => {
    expect((await fetch(`http://127.0.0.1:${port}/api/health`)).ok).toBe(true);
  }).toPass({ timeout: 120_000 });
  return {
    address: `http://localhost:${front}`,
    kill,
    async close() {
      await kill();
      for (const socket of sockets) socket.destroy();
      balancer.close();
      await once(balancer, 'close');
    },
  };
}
