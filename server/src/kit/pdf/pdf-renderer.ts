import { createHash } from 'node:crypto';
import { Worker } from 'node:worker_threads';
import { LRUCache } from 'lru-cache';
import type { SiteSettings } from '@handwise/contract/site/settings';
import { site } from '@handwise/contract/site/site';
import { cacheBytes } from '../cache/bounded-cache.ts';
import type { FairQueue } from '../limits/fair-queue.ts';
import type { PdfContent } from './pdf.ts';

/** With the site, because a thread has globals of its own. */
export type RenderRequest = { id: number; content: PdfContent; site: SiteSettings; logo: Uint8Array | null };
export type RenderResult = { id: number; pdf: Uint8Array } | { id: number; failed: string };

const defaultLimits = {
  /** Bytes, about 800 files. */
  cacheBytes: cacheBytes.sheets,
  /** Longer than any document takes: a worker that hangs is terminated. */
  timeoutMs: 20_000,
  /** The worker is terminated after this time without work. */
  idleMs: 60_000,
};

type Waiting = { resolve: (pdf: Buffer) => void; reject: (error: Error) => void; timeout: NodeJS.Timeout };

/**
 * Renders PDF files in a worker thread, queued per client and cached by content: an invoice never changes, and a refund changes its
 * content.
 */
export class PdfRenderer {
  readonly #queue: FairQueue;
  readonly #limits: typeof defaultLimits;
  /** The uploaded logo of the site. */
  readonly #readLogo: () => Promise<Uint8Array | null>;
  readonly #cache: LRUCache<string, Buffer>;
  readonly #pending = new Map<string, Promise<Buffer>>();
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #requested = 0;

  constructor(queue: FairQueue, limits: Partial<typeof defaultLimits> = {}, readLogo: () => Promise<Uint8Array | null> = async () => null) {
    this.#queue = queue;
    this.#readLogo = readLogo;
    this.#limits = { ...defaultLimits, ...limits };
    this.#cache = new LRUCache({ maxSize: this.#limits.cacheBytes, sizeCalculation: (pdf) => pdf.length + 200 });
  }

  /** Documents rendered since the start. */
  get rendered(): number {
    return this.#requested;
  }

  get hasWorker(): boolean {
    return this.#worker !== undefined;
  }

  /** Throws `overloaded` and `too_many_requests` when the queue is full. */
  async pdf(content: PdfContent, client: string | null = null): Promise<Buffer> {
    const key = createHash('sha256')
      .update(
        JSON.stringify([content, site.name, site.accent, site.logo], (_key, value: unknown) =>
          value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value,
        ),
      )
      .digest('base64');
    const known = this.#cache.get(key) ?? this.#pending.get(key);
    if (known) return known;
    // Without its logo if the store failed: the next one may have it.
    let isComplete = true;
    const pdf = this.#queue.run(async () => {
      const logo = await this.#readLogo();
      isComplete = logo !== null || site.logo === '';
      return this.#render(content, logo);
    }, client);
    this.#pending.set(key, pdf);
    try {
      const rendered = await pdf;
      if (isComplete) this.#cache.set(key, rendered);
      return rendered;
    } finally {
      this.#pending.delete(key);
    }
  }

  async close(): Promise<void> {
    clearTimeout(this.#idleTimer);
    await this.#worker?.terminate();
  }

  async #render(content: PdfContent, logo: Uint8Array | null): Promise<Buffer> {
    clearTimeout(this.#idleTimer);
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = (this.#requested += 1);
    return new Promise<Buffer>((resolve, reject) => {
      const timeout = setTimeout(() => void worker.terminate(), this.#limits.timeoutMs).unref();
      this.#waiting.set(id, { resolve, reject, timeout });
      this.#worker?.postMessage({ id, content, site: { ...site }, logo } satisfies RenderRequest);
    }).finally(() => this.#releaseWhenIdle());
  }

  #start(): Worker {
    const worker = new Worker(new URL('./pdf-worker.ts', import.meta.url));
    worker.on('message', (message: RenderResult) => {
      const waiting = this.#take(message.id);
      if ('pdf' in message) waiting?.resolve(Buffer.from(message.pdf.buffer, message.pdf.byteOffset, message.pdf.byteLength));
      else waiting?.reject(new Error(message.failed));
    });
    const lost = (error: Error) => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      for (const id of this.#waiting.keys()) this.#take(id)?.reject(error);
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('the worker that draws PDFs has ended')));
    return worker;
  }

  #take(id: number) {
    const waiting = this.#waiting.get(id);
    clearTimeout(waiting?.timeout);
    this.#waiting.delete(id);
    return waiting;
  }

  // An idle worker must not keep the process alive.
  #releaseWhenIdle() {
    if (this.#waiting.size > 0) return;
    this.#worker?.unref();
    this.#idleTimer = setTimeout(() => {
      const worker = this.#worker;
      this.#worker = undefined;
      void worker?.terminate();
    }, this.#limits.idleMs).unref();
  }
}
