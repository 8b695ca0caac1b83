import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import { cacheBytes } from '../../../kit/cache/bounded-cache.ts';
import type { Turns } from '../../../kit/bounds/turns.ts';
import type { Sheet } from './sheet-pdf.ts';

export type ToDraw = { id: number; sheet: Sheet };
export type Drawn = { id: number; pdf: Uint8Array } | { id: number; failed: string };

const usualLimits = {
  /** Bytes of what is kept, some 800 files. */
  kept: cacheBytes.sheets,
  /** Longer than any sheet takes: a thread that hangs is ended. */
  longestMs: 10_000,
  /** Without work the thread gives its memory back. */
  idleMs: 60_000,
};

type Waiting = { resolve: (pdf: Buffer) => void; reject: (error: Error) => void; hanging: NodeJS.Timeout };

/**
 * Sheets as PDF files, drawn by a thread of their own, each when it is its turn, and kept by what stands on them: an invoice never changes, and
 * what was refunded of it makes another sheet.
 */
export class SheetDrawing {
  readonly #turns: Turns;
  readonly #limits: typeof usualLimits;
  readonly #kept: LRUCache<string, Buffer>;
  readonly #inWork = new Map<string, Promise<Buffer>>();
  readonly #waiting = new Map<number, Waiting>();
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;
  #asked = 0;

  constructor(turns: Turns, limits: Partial<typeof usualLimits> = {}) {
    this.#turns = turns;
    this.#limits = { ...usualLimits, ...limits };
    this.#kept = new LRUCache({ maxSize: this.#limits.kept, sizeCalculation: (pdf) => pdf.length + 200 });
  }

  /** How many were drawn since the start. */
  get drawn(): number {
    return this.#asked;
  }

  get isAwake(): boolean {
    return this.#thread !== undefined;
  }

  /** Throws `overloaded` and `too_many_requests` where too much waits. */
  async pdf(sheet: Sheet, piece?: Parameters<Turns['run']>[1]): Promise<Buffer> {
    const key = createHash('sha256').update(JSON.stringify(sheet)).digest('base64');
    const known = this.#kept.get(key) ?? this.#inWork.get(key);
    if (known) return known;
    const pdf = this.#turns.run(() => this.#draw(sheet), piece);
    this.#inWork.set(key, pdf);
    try {
      this.#kept.set(key, await pdf);
      return await pdf;
    } finally {
      this.#inWork.delete(key);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    await this.#thread?.terminate();
  }

  #draw(sheet: Sheet): Promise<Buffer> {
    clearTimeout(this.#idle);
    const thread = (this.#thread ??= this.#start());
    thread.ref();
    const id = (this.#asked += 1);
    return new Promise<Buffer>((resolve, reject) => {
      const hanging = setTimeout(() => void thread.terminate(), this.#limits.longestMs).unref();
      this.#waiting.set(id, { resolve, reject, hanging });
      this.#thread?.postMessage({ id, sheet } satisfies ToDraw);
    }).finally(() => this.#rest());
  }

  #start(): Worker {
    const thread = new Worker(new URL('./sheet-thread.ts', import.meta.url));
    thread.on('message', (message: Drawn) => {
      const waiting = this.#settle(message.id);
      if ('pdf' in message) waiting?.resolve(Buffer.from(message.pdf.buffer, message.pdf.byteOffset, message.pdf.byteLength));
      else waiting?.reject(new Error(message.failed));
    });
    const lost = (error: Error) => {
      if (this.#thread !== thread) return;
      this.#thread = undefined;
      for (const id of this.#waiting.keys()) this.#settle(id)?.reject(error);
    };
    thread.on('error', lost);
    thread.on('exit', () => lost(new Error('the thread that draws has ended')));
    return thread;
  }

  #settle(id: number) {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.hanging);
    this.#waiting.delete(id);
    return waiting;
  }

  // Nothing to draw must not keep the process alive.
  #rest() {
    if (this.#waiting.size > 0) return;
    this.#thread?.unref();
    this.#idle = setTimeout(() => {
      const thread = this.#thread;
      this.#thread = undefined;
      void thread?.terminate();
    }, this.#limits.idleMs).unref();
  }
}
