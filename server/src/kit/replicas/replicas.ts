import { AsyncLocalStorage } from 'node:async_hooks';
import type { Database, Db } from '../database/database.ts';
import { type Position, Replica, isReplicasFault, parsePosition } from './replica.ts';
import { routeReads } from './route-reads.ts';
import { StatusConnection } from './status-connection.ts';

// Between two checks of the primary. No read from a replica is older than twice this.
const checkMs = 1_000;

/**
 * Answers reads from replicas that have replayed the changes that this server knows of (`changed`), and everything older than a second. All other reads go
 * to the primary.
 */
export class Replicas {
  readonly #primary: StatusConnection;
  readonly #replicas: readonly Replica[];
  readonly #requests = new AsyncLocalStorage<true>();
  readonly #onDoubtEnds: () => void;
  readonly #checkMs: number;
  /** The position that every read must include; null while it is being queried. */
  #floor: Position | null = null;
  #highest: Position = 0n;
  #changes = 0;
  #raising: Promise<void> | undefined;
  #isInDoubt = false;
  #turn = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `onDoubtEnds`: the primary is back, and responses given meanwhile may have been stale. */
  constructor(options: {
    primaryUrl: string;
    replicas: readonly { url: string; database: Database }[];
    onAway: (url: string, error: unknown) => void;
    onDoubtEnds: () => void;
    checkMs?: number;
  }) {
    this.#primary = new StatusConnection(options.primaryUrl);
    this.#replicas = options.replicas.map(
      ({ url, database }) => new Replica({ url, database, onAway: (error) => options.onAway(url, error) }),
    );
    this.#onDoubtEnds = options.onDoubtEnds;
    this.#checkMs = options.checkMs ?? checkMs;
  }

  /** Call it once the primary is available. Until then the primary answers everything. */
  async start(): Promise<void> {
    await this.check();
    const again = () => void this.check().then(() => (this.#timer &&= setTimeout(again, this.#checkMs)));
    this.#timer = setTimeout(again, this.#checkMs);
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#raising;
    await Promise.all([this.#primary.close(), ...this.#replicas.map((replica) => replica.close())]);
  }

  /** A database whose reads within `inRequest` may be answered by a replica. */
  readingFrom(primary: Db): Db {
    return routeReads(primary, (query) => this.#route(primary, query));
  }

  /** Runs `work` so that its reads may be answered by a replica. */
  inRequest<Result>(work: () => Result): Result {
    return this.#requests.run(true, work);
  }

  /** A change was published: from now on reads must include it. */
  changed(): void {
    this.#changes += 1;
    this.#floor = null;
    void this.#raise();
  }

  /** Checks the primary and every replica. */
  async check(): Promise<void> {
    await Promise.all([this.#raise(), ...this.#replicas.map((replica) => replica.check())]);
  }

  /** For the metrics, per replica: statements answered, and bytes not replayed at the last check. */
  metrics(): { replica: string; reads: number; behind: number | null }[] {
    return this.#replicas.map(({ name, reads, replayed }) => {
      const behind = replayed === null ? null : Number(this.#highest - replayed);
      return { replica: name, reads, behind: behind === null ? null : Math.max(0, behind) };
    });
  }

  async #route<Result>(primary: Db, query: (db: Db) => Promise<Result>): Promise<Result> {
    const replica = this.#choose();
    if (!replica) return query(primary);
    try {
      const result = await query(replica.database.db);
      replica.reads += 1;
      return result;
    } catch (error) {
      if (!isReplicasFault(error)) throw error;
      replica.leaveOut(error);
      return query(primary);
    }
  }

  /** Round-robin among the replicas that have what this request must see. */
  #choose(): Replica | undefined {
    if (!this.#requests.getStore() || this.#floor === null) return undefined;
    for (let tried = 0; tried < this.#replicas.length; tried += 1) {
      this.#turn = (this.#turn + 1) % this.#replicas.length;
      const replica = this.#replicas[this.#turn];
      if (replica?.has(this.#floor)) return replica;
    }
    return undefined;
  }

  #raise(): Promise<void> {
    this.#raising ??= this.#raiseFloor();
    return this.#raising;
  }

  async #raiseFloor() {
    for (let known = -1; known !== this.#changes;) {
      known = this.#changes;
      try {
        await this.#queryPrimary();
        if (this.#isInDoubt) this.#onDoubtEnds();
        this.#isInDoubt = false;
      } catch {
        // While the primary is away, replicas answer with what they have.
        this.#isInDoubt = true;
      }
    }
    this.#floor = this.#highest;
    this.#raising = undefined;
  }

  async #queryPrimary() {
    // Replicas are sent what is flushed, and a commit is flushed before its change is published.
    const { written } = await this.#primary.query<{ written: string }>('select pg_current_wal_flush_lsn()::text as written');
    const position = parsePosition(written);
    if (position > this.#highest) this.#highest = position;
    return position;
  }
}
