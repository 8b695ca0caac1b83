import { Worker } from 'node:worker_threads';
import type { Db } from '../../../kit/database/database.ts';
import type { FromThread, ToThread } from './messages.ts';
import type { Answer, AskedSearch } from './query.ts';

type Options = {
  db: Db;
  url: string;
  /** With fewer active listings than this PostgreSQL answers as fast, and nothing is kept in memory. */
  from: number;
  logger: { info(about: object, text: string): void; warn(about: object, text: string): void };
};

// How often it is looked whether listings have become so many.
const countEveryMs = 600_000;
const restartMs = 10_000;

/**
 * Searches answered from memory, by a thread that holds what search knows of every active listing. It is exact as of the last change that this
 * process has heard of; while it reads everything anew, or where there are few listings, it answers nothing and PostgreSQL does.
 */
export class SearchPostings {
  readonly #options: Options;
  #thread: Worker | undefined;
  #generation = 0;
  #ready = 0;
  #asked = 0;
  readonly #waiting = new Map<number, (page: Answer | null) => void>();
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(options: Options) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#ready > 0 && this.#ready === this.#generation;
  }

  /** Begins to read, where there are listings enough. */
  async start(): Promise<void> {
    if (this.#closed || this.#thread) return;
    this.#timer = setTimeout(() => void this.start(), countEveryMs).unref();
    const counted = await this.#options.db
      .selectFrom('listing_counts')
      .select(({ cast, fn, lit }) => cast<number>(fn.coalesce(fn.sum('listings'), lit(0)), 'integer').as('listings'))
      .executeTakeFirst()
      .catch(() => undefined);
    if (this.#closed || this.#thread || !counted || counted.listings < this.#options.from) return;
    clearTimeout(this.#timer);
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: { url: this.#options.url } });
    this.#thread = thread;
    thread.on('message', (message: FromThread) => this.#hear(message));
    thread.on('error', (error) => this.#lost(thread, error));
    thread.on('exit', () => this.#lost(thread, new Error('the thread has ended')));
    this.#readAll();
  }

  /** To be called with what the channel of listings tells, before anybody can ask for what has changed. */
  changed(told: readonly string[] | 'many'): void {
    if (told === 'many') this.#readAll();
    else if (told.length > 0) this.#post({ kind: 'changed', ids: told });
  }

  /** The same for the channel of words. */
  wordsChanged(words: readonly string[] | 'many'): void {
    this.#post({ kind: 'words', words });
  }

  /** The page of a search; null where it must be asked of PostgreSQL. */
  async find(search: AskedSearch): Promise<Answer | null> {
    if (!this.isReady) return null;
    const id = (this.#asked += 1);
    const page = new Promise<Answer | null>((resolve) => this.#waiting.set(id, resolve));
    this.#post({ kind: 'find', id, search });
    return page;
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#thread?.terminate();
  }

  #post(message: ToThread) {
    this.#thread?.postMessage(message);
  }

  #readAll() {
    this.#generation += 1;
    this.#post({ kind: 'all', generation: this.#generation });
  }

  #hear(message: FromThread) {
    const { logger } = this.#options;
    if (message.kind === 'found') {
      this.#waiting.get(message.id)?.(message.page);
      this.#waiting.delete(message.id);
    } else if (message.kind === 'ready') {
      this.#ready = message.generation;
      logger.info({ milliseconds: message.milliseconds }, 'searches are answered from memory');
    } else {
      logger.warn({ reason: message.message }, 'searches are not answered from memory');
      if (message.stale) this.#readAll();
    }
  }

  #lost(thread: Worker, error: Error) {
    if (this.#thread !== thread) return;
    this.#thread = undefined;
    this.#ready = 0;
    for (const resolve of this.#waiting.values()) resolve(null);
    this.#waiting.clear();
    if (this.#closed) return;
    this.#options.logger.warn({ err: error }, 'searches are not answered from memory');
    this.#timer = setTimeout(() => void this.start(), restartMs).unref();
  }
}
