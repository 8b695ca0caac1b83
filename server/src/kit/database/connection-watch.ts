import pg from 'pg';
import { endConnection, type OpenClient, type ConnectionTimeouts } from './connections.ts';

/** The network swallows the connection's packets, or the database is stopped. */
class SilentConnection extends Error {
  readonly code = 'ETIMEDOUT';
  constructor() {
    super('the database did not answer on this connection');
  }
}

type Seen = { bytes: number; since: number };
type Verdict = 'working' | 'gone';

// A backend that answered long ago answered into a dead network: it is terminated, so that its locks are released.
const backendsSql = `
  select pid, case when state = 'active' and wait_event_type is distinct from 'Client' then 'working'
      when state_change < clock_timestamp() - make_interval(secs => $2) and pg_terminate_backend(pid) then 'gone' end as verdict
  from pg_stat_activity where pid = any($1::int[])`;

/**
 * Closes connections that the network or a stopped database has frozen. No error is reported for these; they are only silent. A long statement
 * is silent too, so the database is asked about it on a fresh connection.
 */
export class ConnectionWatch {
  readonly #url: string;
  readonly #onLost: () => void;
  #timeouts: Pick<ConnectionTimeouts, 'connectMs'> & { quietMs: number; silentMs: number };
  readonly #seen = new Map<OpenClient, Seen>();
  #timer: NodeJS.Timeout | undefined;
  #checkedAt = 0;
  #isAsking = false;

  /** `onLost` is called for each connection that is closed, because others may be frozen too. */
  constructor(options: { url: string; timeouts: ConnectionTimeouts; onLost: () => void }) {
    this.#url = options.url;
    this.#onLost = options.onLost;
    this.#timeouts = options.timeouts;
  }

  add(client: OpenClient): void {
    this.#seen.set(client, { bytes: 0, since: performance.now() });
    client.once('end', () => this.#seen.delete(client));
    this.#timer ??= this.#start();
  }

  /** Closes silent connections now instead of later, for a process that is about to end. */
  closeSilent(): void {
    this.#timeouts = { ...this.#timeouts, quietMs: Math.min(this.#timeouts.quietMs, 1_000), silentMs: 0 };
  }

  close(): void {
    clearInterval(this.#timer);
    this.#seen.clear();
  }

  #start() {
    const everyMs = Math.min(1_000, this.#timeouts.quietMs / 4);
    this.#checkedAt = performance.now();
    return setInterval(() => this.#check(everyMs), everyMs).unref();
  }

  #check(everyMs: number) {
    const now = performance.now();
    // If this process itself was blocked, data may have arrived that it has not read yet.
    const stoodStill = now - this.#checkedAt > 3 * everyMs;
    this.#checkedAt = now;
    for (const [client, seen] of this.#seen) {
      const bytes = client.connection.stream.bytesRead;
      if (client.readyForQuery !== false || bytes !== seen.bytes || stoodStill) Object.assign(seen, { bytes, since: now });
    }
    const quiet = [...this.#seen].filter(([, { since }]) => now - since >= this.#timeouts.quietMs);
    if (quiet.length > 0 && !this.#isAsking) void this.#judge(quiet);
  }

  async #judge(quiet: [OpenClient, Seen][]) {
    this.#isAsking = true;
    const before = quiet.map(([client, { bytes, since }]) => ({ client, bytes, since }));
    const verdicts = await this.#queryBackends(before.map(({ client }) => client.processID ?? 0));
    this.#isAsking = false;
    const now = performance.now();
    for (const { client, bytes, since } of before) {
      const seen = this.#seen.get(client);
      if (!seen || seen.since !== since || client.connection.stream.bytesRead !== bytes) continue;
      const verdict = verdicts.get(client.processID ?? 0);
      if (verdict === 'working') seen.since = now;
      else if (verdict === 'gone' || now - since >= this.#timeouts.silentMs) this.#throwAway(client);
    }
  }

  async #queryBackends(pids: number[]): Promise<Map<number, Verdict>> {
    const { connectMs, quietMs } = this.#timeouts;
    const client = new pg.Client({
      connectionString: this.#url,
      application_name: 'handwise watch',
      connectionTimeoutMillis: connectMs,
      query_timeout: connectMs,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      const { rows } = await client.query<{ pid: number; verdict: Verdict | null }>(backendsSql, [pids, quietMs / 2_000]);
      return new Map(rows.flatMap(({ pid, verdict }) => (verdict ? [[pid, verdict] as const] : [])));
    } catch {
      // The database can't be asked, so only the silence counts.
      return new Map();
    } finally {
      void endConnection(client);
    }
  }

  #throwAway(client: OpenClient) {
    this.#seen.delete(client);
    client.connection.stream.destroy(new SilentConnection());
    this.#onLost();
  }
}
