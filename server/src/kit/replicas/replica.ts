import { type Database, isUnavailable } from '../database/database.ts';
import { AskedDatabase } from './asked-database.ts';
import { type Position, asPosition } from './positions.ts';

// From one question how far it is to the next, where somebody would read from it but for that.
const pauseMs = 10;

type Standing = { replayed: string | null; standby: boolean };

/** One replica and what is known of it. */
export class Replica {
  readonly name: string;
  readonly database: Database;
  readonly #asked: AskedDatabase;
  readonly #onAway: (error: unknown) => void;
  #replayed: Position | null = null;
  #asking: Promise<void> | undefined;
  #askedAt = 0;
  #isClosed = false;
  /** How many statements it has answered. */
  reads = 0;

  /** `onAway` hears why it is left out, once each time. */
  constructor(options: { url: string; database: Database; onAway: (error: unknown) => void }) {
    this.name = new URL(options.url).host;
    this.database = options.database;
    this.#asked = new AskedDatabase(options.url);
    this.#onAway = options.onAway;
  }

  /** How far it has replayed for certain; null while it is left out. */
  get replayed(): Position | null {
    return this.#replayed;
  }

  /** Whether it has everything up to a position. Where it is not known to, it is asked, for those who come next. */
  has(position: Position): boolean {
    if (this.#replayed === null) return false;
    if (this.#replayed >= position) return true;
    if (performance.now() - this.#askedAt >= pauseMs) void this.look();
    return false;
  }

  /** Asks how far it is, and whether it is a replica at all: one that was promoted follows nobody. */
  look(): Promise<void> {
    this.#asking ??= this.#look().finally(() => (this.#asking = undefined));
    return this.#asking;
  }

  /** Leaves it out until it is looked at again. */
  leaveOut(error: unknown): void {
    if (this.#replayed !== null) this.#onAway(error);
    this.#replayed = null;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#asking;
    await this.#asked.close();
    await this.database.close();
  }

  async #look() {
    if (this.#isClosed) return;
    this.#askedAt = performance.now();
    try {
      const { replayed, standby } = await this.#asked.ask<Standing>(
        'select pg_last_wal_replay_lsn()::text as replayed, pg_is_in_recovery() as standby',
      );
      if (standby && replayed !== null) this.#replayed = asPosition(replayed);
      else this.leaveOut(new Error('it is not a replica'));
    } catch (error) {
      this.leaveOut(error);
    }
  }
}

/** Whether the primary may answer what a replica did not: it is away, or its replaying got into the way of the statement. Not where a statement takes too long. */
export const isReplicasFault = (error: unknown): boolean => {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return code !== '57014' && (isUnavailable(error) || code === '40001' || code === '40P01');
};
