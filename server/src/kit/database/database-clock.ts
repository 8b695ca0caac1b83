import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../context.ts';
import type { Reader } from './database.ts';

type Measurement = { at: number; errorMs: number };

const samples = 5;
const everyMs = 60_000;
/** A synchronised clock is never off by more than this. */
const warnFromMs = 2_000;

const localNow = () => Date.now() - performance.now();

async function measure(db: Reader): Promise<Measurement> {
  const sent = performance.now();
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  const errorMs = (performance.now() - sent) / 2;
  return { at: (rows[0]?.ms ?? Date.now()) - (sent + errorMs), errorMs };
}

/**
 * The database's time, which every process shares, so that a machine whose clock is days off ends no session and expires no plan. Between two
 * measurements it advances by the monotonic clock, which setting the machine's clock does not change.
 */
export class DatabaseClock implements Clock {
  /** Start of this process by the database's clock. */
  #began = localNow();
  #timer: NodeJS.Timeout | undefined;

  now = () => new Date(this.#began + performance.now());

  /** Once this resolves, the time is the database's. */
  async start(db: Reader, logger: Pick<Logger, 'warn'>): Promise<void> {
    let best: Measurement | undefined;
    for (let taken = 0; taken < samples; taken += 1) {
      const measured = await measure(db);
      if (!best || measured.errorMs < best.errorMs) best = measured;
    }
    if (!best) return;
    this.#began = best.at;
    const aheadMs = localNow() - best.at;
    if (Math.abs(aheadMs) > warnFromMs + best.errorMs) {
      const how = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
      logger.warn(`this machine’s clock is ${how} the database’s, and the database’s time is used`);
    }
    this.#timer = setInterval(() => void this.sync(db).catch(() => {}), everyMs).unref();
  }

  /** Corrects the drift from the database's clock. */
  async sync(db: Reader): Promise<void> {
    const { at, errorMs } = await measure(db);
    // A measurement is accurate to half of its round trip. A difference within that is no drift.
    if (Math.abs(at - this.#began) > errorMs) this.#began = at;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
