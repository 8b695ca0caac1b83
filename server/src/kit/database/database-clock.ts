import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../context.ts';
import type { Reader } from './database.ts';

type Measured = { at: number; within: number };

const samples = 5;
const everyMs = 60_000;
/** What an operator should hear of: by more than this no clock that is kept right is off. */
const worthSayingMs = 2_000;

const localNow = () => Date.now() - performance.now();

async function measure(db: Reader): Promise<Measured> {
  const sent = performance.now();
  const { rows } = await sql<{ ms: number }>`select extract(epoch from clock_timestamp())::float8 * 1000 as ms`.execute(db);
  const within = (performance.now() - sent) / 2;
  return { at: (rows[0]?.ms ?? Date.now()) - (sent + within), within };
}

/**
 * The database's time, which every process shares. Where a machine's own clock is days off, no session ends, no plan expires and no payment is given up
 * for it. Between two measures it goes by what has passed on this machine, which setting its clock does not change.
 */
export class DatabaseClock implements Clock {
  /** When this process began, by the database's clock. */
  #began = localNow();
  #timer: NodeJS.Timeout | undefined;

  now = () => new Date(this.#began + performance.now());

  /** From when this resolves on the time is the database's. */
  async start(db: Reader, logger: Pick<Logger, 'warn'>): Promise<void> {
    let best: Measured | undefined;
    for (let taken = 0; taken < samples; taken += 1) {
      const measured = await measure(db);
      if (!best || measured.within < best.within) best = measured;
    }
    if (!best) return;
    this.#began = best.at;
    const aheadMs = localNow() - best.at;
    if (Math.abs(aheadMs) > worthSayingMs + best.within) {
      const how = `${Math.round(Math.abs(aheadMs) / 1_000)} s ${aheadMs > 0 ? 'ahead of' : 'behind'}`;
      logger.warn(`this machine’s clock is ${how} the database’s, which counts`);
    }
    this.#timer = setInterval(() => void this.follow(db).catch(() => {}), everyMs).unref();
  }

  /** Follows the database's clock where it went another way. */
  async follow(db: Reader): Promise<void> {
    const { at, within } = await measure(db);
    // An answer says what time it is to within half of what it took. What lies inside that is as good as what we have.
    if (Math.abs(at - this.#began) > within) this.#began = at;
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
