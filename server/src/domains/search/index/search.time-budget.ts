import { withStatementStart } from '../../../kit/database/statement-start.ts';
import { AppError } from '../../../kit/errors.ts';

/** The database did not finish a search in time. What it would have found is unknown. */
export class SearchTimeout extends AppError {
  constructor() {
    super('search_timed_out', { retryAfterSeconds: 2 });
  }
}

/** Throws `SearchTimeout` if the connection's own limit ends the statement. */
export async function withSearchTimeout<Result>(statement: () => Promise<Result>): Promise<Result> {
  try {
    return await statement();
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === '57014' ? new SearchTimeout() : error;
  }
}

const stepMs = 20;

/**
 * The database time that the statements of a search may take together. It is counted in small steps while a statement runs, so that neither the wait for
 * a connection nor a blocked event loop uses it up.
 */
export class TimeBudget {
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Throws `SearchTimeout` if the time is used up, or if the connection's own limit ends the statement. */
  async run<Result>(statement: () => Promise<Result>): Promise<Result> {
    if (this.#leftMs <= 0) throw new SearchTimeout();
    const { promise: timeout, reject } = Promise.withResolvers<never>();
    let countedAt = 0;
    let timer: NodeJS.Timeout | undefined;
    const count = (most: number) => {
      const now = performance.now();
      this.#leftMs -= Math.min(now - countedAt, most);
      countedAt = now;
    };
    const onStart = () => {
      if (timer) return;
      countedAt = performance.now();
      timer = setInterval(() => {
        count(2 * stepMs);
        if (this.#leftMs <= 0) reject(new SearchTimeout());
      }, stepMs);
    };
    try {
      return await Promise.race([withStatementStart(onStart, () => withSearchTimeout(statement)), timeout]);
    } finally {
      if (timer) count(stepMs);
      clearInterval(timer);
    }
  }
}
