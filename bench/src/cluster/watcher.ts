import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { type Node, askOnce, killNode } from './nodes.ts';

export type Failover = { from: string; to: string; diedAfterMs: number; tookMs: number };

const everyMs = 300;
// A primary that refuses to be connected to for so long is taken for dead; one that says nothing may be busy.
const refusedMs = 2_000;
const silentMs = 8_000;

/**
 * Watches the primary. Where it is dead it makes sure of that first (so that nobody writes to two), then promotes the standby that has received most, which
 * has every write that was acknowledged because each was on one of them, and has the others follow it. For a trial on one machine: it is alone, and sees all there is.
 */
export class Watcher {
  readonly #nodes: readonly Node[];
  readonly #doors: { server: Server; port: number }[] = [];
  #primary: Node;
  #isOpen = true;
  #seenAt = performance.now();
  #timer: NodeJS.Timeout | undefined;
  #watching: Promise<void> = Promise.resolve();
  readonly failovers: Failover[] = [];

  private constructor(nodes: readonly Node[], primary: Node) {
    this.#nodes = nodes;
    this.#primary = primary;
  }

  static async start(nodes: readonly [Node, ...Node[]]): Promise<Watcher> {
    const watcher = new Watcher(nodes, nodes[0]);
    for (const node of nodes) watcher.#doors.push(await watcher.#openDoor(node));
    watcher.#again();
    return watcher;
  }

  get primary(): Node {
    return this.#primary;
  }

  /** For each node the port at which a balancer hears whether it is the primary: 200, else 503. */
  get ports(): number[] {
    return this.#doors.map(({ port }) => port);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isOpen = false;
    await this.#watching;
    for (const { server } of this.#doors) {
      server.closeAllConnections();
      server.close();
    }
  }

  async #openDoor(node: Node) {
    const server = createServer((_request, response) => {
      response.writeHead(node === this.#primary && node.isAlive ? 200 : 503).end();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    return { server, port: (server.address() as AddressInfo).port };
  }

  #again() {
    this.#timer = setTimeout(() => {
      this.#watching = this.#look().finally(() => this.#isOpen && this.#again());
    }, everyMs);
  }

  async #look() {
    try {
      await askOnce(this.#primary.url, 'select 1');
      this.#seenAt = performance.now();
    } catch (error) {
      const unseenMs = performance.now() - this.#seenAt;
      const isRefused = (error as NodeJS.ErrnoException).code === 'ECONNREFUSED';
      if (unseenMs < (isRefused ? refusedMs : silentMs)) return;
      await this.#failOver(unseenMs).catch((failure: unknown) =>
        console.error(`${this.#primary.name} is dead, and no other took over:`, failure),
      );
    }
  }

  async #failOver(diedAfterMs: number) {
    const begun = performance.now();
    const lost = this.#primary;
    await killNode(lost);
    const next = await this.#mostAdvanced();
    if (!next) throw new Error('no standby is left');
    await askOnce(next.url, 'select pg_promote(false)');
    const isPrimary = async () => !(await askOnce<{ standby: boolean }>(next.url, 'select pg_is_in_recovery() as standby')).standby;
    while (!(await isPrimary().catch(() => false))) await pause(20);
    for (const node of this.#nodes) if (node !== next && node.isAlive) await followFrom(node, next);
    this.#primary = next;
    this.#seenAt = performance.now();
    this.failovers.push({ from: lost.name, to: next.name, diedAfterMs, tookMs: performance.now() - begun });
  }

  async #mostAdvanced(): Promise<Node | undefined> {
    const standbys = this.#nodes.filter((node) => node.isAlive);
    for (let last = ''; ; await pause(50)) {
      const received = await Promise.all(
        standbys.map(async (node) => {
          const text = 'select coalesce(greatest(pg_last_wal_receive_lsn(), pg_last_wal_replay_lsn()) - $$0/0$$::pg_lsn, 0)::text as at';
          return { node, at: BigInt((await askOnce<{ at: string }>(node.url, text)).at) };
        }),
      );
      // What is still on its way from a dead server's sockets arrives first.
      const now = received.map(({ at }) => at).join();
      if (now === last) return received.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0]?.node;
      last = now;
    }
  }
}

async function followFrom(node: Node, primary: Node) {
  const { hostname, port, username, password } = new URL(primary.url);
  const to = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  await askOnce(node.url, `alter system set primary_conninfo = '${to}'`);
  await askOnce(node.url, 'select pg_reload_conf()');
}
