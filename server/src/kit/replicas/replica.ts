import { type Database, isUnavailable } from '../database/database.ts';
import { StatusConnection } from './status-connection.ts';

/** How far a database has written or replayed: PostgreSQL's LSN as a number. */
export type Position = bigint;

/** Parses PostgreSQL's form, such as 16/B374D848. */
export function parsePosition(text: string): Position {
  const [high = '', low = ''] = text.split('/');
  return (BigInt(`0x${high}`) << 32n) + BigInt(`0x${low}`);
}

// Between two status queries of a replica that lags behind a request.
const pauseMs = 10;

type Status = { replayed: string | null; standby: boolean };

/** A replica and its last known status. */
export class Replica {
  readonly name: string;
  readonly database: Database;
  readonly #status: StatusConnection;
  readonly #onAway: (error: unknown) => void;
  #replayed: Position | null = null;
  #checking: Promise<void> | undefined;
  #checkedAt = 0;
  #isClosed = false;
  /** Statements answered, for the metrics. */
  reads = 0;

  /** `onAway` gets the reason each time the replica is taken out of use. */
  constructor(options: { url: string; database: Database; onAway: (error: unknown) => void }) {
    this.name = new URL(options.url).host;
    this.database = options.database;
    this.#status = new StatusConnection(options.url);
    this.#onAway = options.onAway;
  }

  /** The last known position; null while it is out of use. */
  get replayed(): Position | null {
    return this.#replayed;
  }

  /** Whether it is known to have replayed up to a position. If not, its status is queried for later requests. */
  has(position: Position): boolean {
    if (this.#replayed === null) return false;
    if (this.#replayed >= position) return true;
    if (performance.now() - this.#checkedAt >= pauseMs) void this.check();
    return false;
  }

  /** Queries its position, and whether it still is a replica: a promoted one is taken out of use. */
  check(): Promise<void> {
    this.#checking ??= this.#queryStatus().finally(() => (this.#checking = undefined));
    return this.#checking;
  }

  /** Takes it out of use until the next check. */
  leaveOut(error: unknown): void {
    if (this.#replayed !== null) this.#onAway(error);
    this.#replayed = null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#checking;
    await this.#status.close();
    await this.database.close();
  }

  async #queryStatus() {
    if (this.#isClosed) return;
    this.#checkedAt = performance.now();
    try {
      const { replayed, standby } = await this.#status.query<Status>(
        'select pg_last_wal_replay_lsn()::text as replayed, pg_is_in_recovery() as standby',
      );
      if (standby && replayed !== null) this.#replayed = parsePosition(replayed);
      else this.leaveOut(new Error('it is not a replica'));
    } catch (error) {
      this.leaveOut(error);
    }
  }
}

/** Whether to retry on the primary: the replica is unavailable, or replay cancelled the statement. A statement that takes too long is not retried. */
export const isReplicasFault = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code !== '57014' && (isUnavailable(error) || code === '40001' || code === '40P01');
};
