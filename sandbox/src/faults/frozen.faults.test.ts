import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { startPostgres } from '../postgres.ts';
import { startFreezingProxy } from '../testing/freezing-proxy.ts';
import { callOnce } from './fault-client.ts';
import { patience, type Server } from './fault-servers.ts';
import { faultWorld } from './fault-world.ts';

// Open connections without answers: a frozen network and a frozen database.
const folder = mkdtempSync(join(tmpdir(), 'handwise-frozen-'));
const postgres = await startPostgres({ dataDir: folder });
// Runs last, because hooks run in reverse order.
afterAll(async () => {
  await postgres.remove();
  rmSync(folder, { recursive: true, force: true });
});
const world = await faultWorld({ databaseUrl: postgres.url });
const network = await startFreezingProxy(postgres.url);
afterAll(() => network.close());
const long = 3 * patience;

let people = 0;
const register = (server: Server) => {
  const username = `frozen_${(people += 1)}`;
  const body = { fullName: 'F', username, email: `${username}@example.org`, password: 'kept-or-not' };
  return callOnce(server, null, 'POST', '/auth/register', body);
};
const registerMany = async (server: Server) => {
  const answers = await Promise.all(Array.from({ length: 12 }, () => register(server)));
  return new Set(answers.map(({ status, retryAfter }) => `${status} ${retryAfter}`));
};
const taken = '201 null';
/** A busy machine may answer 503 in between. */
const untilAllAreTaken = (server: Server) =>
  expect.poll(() => registerMany(server), { timeout: patience, interval: 500 }).toEqual(new Set([taken]));

/** PostgreSQL's processes, the postmaster first. */
function postgresProcesses() {
  const first = Number(readFileSync(join(postgres.cluster, 'postmaster.pid'), 'utf8').split('\n')[0]);
  const parentOf = (id: number) => {
    try {
      return Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
    } catch {
      return 0;
    }
  };
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  return { first, others: () => all.filter((id) => parentOf(id) === first) };
}

test(
  'the server recovers from frozen connections and stops on SIGTERM while they are frozen',
  async () => {
    const server = await world.startServer({ databaseUrl: network.url });
    await untilAllAreTaken(server);
    network.freeze();
    for (const state of await registerMany(server)) expect([taken, '503 2']).toContain(state);
    await untilAllAreTaken(server);

    network.freeze();
    const lastOnes = registerMany(server).catch(() => new Set<string>());
    server.killed = true;
    server.child.kill('SIGTERM');
    expect([0, 1]).toContain(await server.exit);
    await lastOnes;
  },
  long,
);

test.skipIf(process.platform !== 'linux')(
  'a frozen database means 503 until it continues; SIGTERM stops the server meanwhile',
  async () => {
    const [server, other] = await Promise.all([world.startServer(), world.startServer()]);
    for (const one of [server, other]) await untilAllAreTaken(one);
    const { first, others } = postgresProcesses();
    process.kill(first, 'SIGSTOP');
    const stopped = others();
    for (const id of stopped) process.kill(id, 'SIGSTOP');
    try {
      expect(await registerMany(server)).toEqual(new Set(['503 2']));
      other.child.kill('SIGTERM');
      expect([0, 1]).toContain(await other.exit);
    } finally {
      for (const id of [first, ...stopped]) process.kill(id, 'SIGCONT');
    }
    await untilAllAreTaken(server);
  },
  long,
);
