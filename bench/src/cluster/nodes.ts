import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Postgres, freePort, startPostgres } from '@handwise/sandbox/postgres';
import pg from 'pg';

/** One database server of the cluster, whatever it is at the moment. */
export type Node = { name: string; dataDir: string; port: number; url: string; postgres: Postgres; isAlive: boolean };

const settings = {
  // A commit is told once one of the others has it on its disk.
  synchronous_standby_names: 'ANY 1 (*)',
  hot_standby_feedback: 'on',
  wal_keep_size: '1GB',
  max_connections: '300',
  shared_buffers: '256MB',
  wal_receiver_timeout: '5s',
  wal_retrieve_retry_interval: '500ms',
};

/** Asks a database one thing on a connection of its own; rejects where that takes longer than a second. */
export async function askOnce<Row extends pg.QueryResultRow>(url: string, text: string): Promise<Row> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: 1_000,
    query_timeout: 1_000,
    application_name: 'cluster',
  });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rows } = await client.query<Row>(text);
    return rows[0] as Row;
  } finally {
    await client.end().catch(() => {});
  }
}

/** So many nodes in a folder: the first is the primary, the others follow it. Writes wait for one of them from the time on that there is one. */
export async function startNodes(dir: string, count: number): Promise<Node[]> {
  const nodes: Node[] = [];
  for (let index = 0; index < count; index += 1) nodes.push(await startNode(dir, `n${index + 1}`, nodes[0]));
  return nodes;
}

async function startNode(dir: string, name: string, primary: Node | undefined): Promise<Node> {
  const dataDir = join(dir, name);
  const port = await freePort();
  const postgres = await startPostgres({ dataDir, port, settings, ...(primary && { standbyOf: primary.postgres }) });
  return { name, dataDir, port, url: postgres.url, postgres, isAlive: true };
}

/** A node that was lost comes back as a new copy: what it had written and nobody else had is not to be kept. */
export async function rejoin(node: Node, primary: Node): Promise<void> {
  await node.postgres.remove();
  node.postgres = await startPostgres({ dataDir: node.dataDir, port: node.port, settings, standbyOf: primary.postgres });
  node.isAlive = true;
}

const parentOf = (id: number) => {
  try {
    return Number(/\nPPid:\t(\d+)/.exec(readFileSync(`/proc/${id}/status`, 'utf8'))?.[1]);
  } catch {
    return 0;
  }
};

/** The processes of a node, the one that starts the others first. None where it is gone. */
export function processesOf(node: Node): number[] {
  const file = join(node.postgres.cluster, 'postmaster.pid');
  if (!existsSync(file)) return [];
  const first = Number(readFileSync(file, 'utf8').split('\n')[0]);
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
  const found = [first, ...all.filter((id) => parentOf(id) === first)];
  return found.filter((id) => existsSync(`/proc/${id}`));
}

/** Ends a node at once, as a power cut does, and waits until none of its processes is left. */
export async function killNode(node: Node): Promise<void> {
  node.isAlive = false;
  const all = processesOf(node);
  for (const id of all) {
    try {
      process.kill(id, 'SIGKILL');
    } catch {
      // It has ended with the first.
    }
  }
  while (all.some((id) => isRunning(id))) await pause(10);
}

function isRunning(id: number): boolean {
  try {
    return !/\nState:\t[ZX]/.test(readFileSync(`/proc/${id}/status`, 'utf8'));
  } catch {
    return false;
  }
}
