import { createHmac } from 'node:crypto';
import { getDay } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import { isLive, listSummaries } from '../listings/listings.service.ts';
import * as queries from './analytics.queries.ts';

/** `viewerId` is the signed-in user, whose views of their own listings are not counted. */
export type PageView = { listingId: string; viewerId: string | null; network: string; browser: string; at: Date };

const flushEveryMs = 3_000;
const batch = 1_000;
/** Buffered while the database is down; further views are dropped. */
const maxPending = 50_000;
const halfHourMs = 1_800_000;

const formatVisitor = ({ listingId, network, browser }: PageView) => [listingId, network, browser].join('\n');

/**
 * Buffers views in memory and writes them in batches, so that requests never wait. Failed writes are retried. A stopping server flushes
 * its buffer; a killed one loses the views of its last seconds.
 */
export class ViewCollector {
  readonly #context: Pick<Context, 'db' | 'logger'>;
  readonly #pending = new Map<string, PageView>();
  readonly #salts = new Map<string, Buffer>();
  #flushing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<Context, 'db' | 'logger'>) {
    this.#context = context;
  }

  get pending(): number {
    return this.#pending.size;
  }

  add(view: PageView): void {
    // The key includes the half hour, so that a long wait keeps separate views separate.
    const key = `${formatVisitor(view)}\n${Math.floor(view.at.getTime() / halfHourMs)}`;
    if (this.#pending.has(key) || this.#pending.size >= maxPending) return;
    this.#pending.set(key, view);
  }

  /** Counts a shown phone number at once: it is rare, and leads to a call. */
  async addNumberShown(view: PageView): Promise<void> {
    const { db } = this.#context;
    const [place] = await listSummaries(db, { ids: [view.listingId] });
    if (!place || place.sellerId === view.viewerId) return;
    const day = getDay(view.at, place.timeZone);
    // Another hash than that of the visitor's views, so that both are counted.
    const visitor = hashVisitor(await this.#saltOf(day), `phone\n${formatVisitor(view)}`);
    await queries.countNumberShown(db, { listingId: place.id, day, visitor, at: view.at });
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), flushEveryMs).unref();
  }

  /** Stops the timer and flushes the rest. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Resolves to false if the write failed; the views stay in the buffer. */
  async flush(): Promise<boolean> {
    // A running flush may miss views that were added after it started.
    while (this.#flushing) await this.#flushing;
    this.#flushing = this.#writeAll().finally(() => (this.#flushing = undefined));
    return this.#flushing;
  }

  async #writeAll(): Promise<boolean> {
    try {
      while (this.#pending.size > 0) {
        const views = this.#nextBatch();
        await this.#write([...views.values()]);
        for (const key of views.keys()) this.#pending.delete(key);
      }
      return true;
    } catch (error) {
      this.#context.logger.warn({ err: error, pending: this.#pending.size }, 'views could not be saved yet');
      return false;
    }
  }

  /** The oldest views, up to the first repeated visitor: a batch holds each visitor once. */
  #nextBatch(): Map<string, PageView> {
    const views = new Map<string, PageView>();
    const visitors = new Set<string>();
    for (const [key, view] of this.#pending) {
      const visitor = formatVisitor(view);
      if (views.size >= batch || visitors.has(visitor)) break;
      visitors.add(visitor);
      views.set(key, view);
    }
    return views;
  }

  async #write(views: readonly PageView[]): Promise<void> {
    const { db } = this.#context;
    const places = new Map((await listSummaries(db, { ids: views.map((one) => one.listingId) })).map((place) => [place.id, place]));
    const visits: queries.Visit[] = [];
    for (const view of views) {
      const place = places.get(view.listingId);
      if (!place || !isLive(place) || place.sellerId === view.viewerId) continue;
      const day = getDay(view.at, place.timeZone);
      visits.push({ listingId: place.id, day, visitor: hashVisitor(await this.#saltOf(day), formatVisitor(view)), at: view.at });
    }
    if (visits.length > 0) await queries.countVisits(db, visits);
  }

  async #saltOf(day: string): Promise<Buffer> {
    const known = this.#salts.get(day);
    if (known) return known;
    const salt = await queries.ensureSalt(this.#context.db, day);
    // Salts of past days are dropped; from Perth to Auckland at most two days are current at a time.
    for (const other of this.#salts.keys()) if (this.#salts.size > 1) this.#salts.delete(other);
    this.#salts.set(day, salt);
    return salt;
  }
}

// The hash includes the listing, so that visitors cannot be matched across listings.
const hashVisitor = (salt: Buffer, visitor: string) => createHmac('sha256', salt).update(visitor).digest().subarray(0, 16);
