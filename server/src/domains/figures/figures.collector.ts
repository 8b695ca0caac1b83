import { createHmac } from 'node:crypto';
import { dayOf } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import { isLive, listSummaries } from '../listings/listings.service.ts';
import * as queries from './figures.queries.ts';

/** A look at a listing's page. `viewerId` is who is signed in, for whom it is not counted where the listing is theirs. */
export type View = { listingId: string; viewerId: string | null; network: string; browser: string; at: Date };

const flushEveryMs = 3_000;
const batch = 1_000;
/** While the database is away so many are kept; what comes on top is lost. */
const maxPending = 50_000;
const halfHourMs = 1_800_000;

const visitorOf = ({ listingId, network, browser }: View) => [listingId, network, browser].join('\n');

/**
 * Views wait in memory and are written a few at a time: a request writes nothing and waits for nothing. What cannot be written is
 * tried again. A server that stops writes what it has; one that is killed loses what came in its last seconds.
 */
export class ViewCollector {
  readonly #context: Pick<Context, 'db' | 'logger'>;
  readonly #pending = new Map<string, View>();
  readonly #salts = new Map<string, Buffer>();
  #flushing: Promise<boolean> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(context: Pick<Context, 'db' | 'logger'>) {
    this.#context = context;
  }

  get pending(): number {
    return this.#pending.size;
  }

  add(view: View): void {
    // By the half hour, so that what waits for long stays several views.
    const key = `${visitorOf(view)}\n${Math.floor(view.at.getTime() / halfHourMs)}`;
    if (this.#pending.has(key) || this.#pending.size >= maxPending) return;
    this.#pending.set(key, view);
  }

  start(): void {
    this.#timer = setInterval(() => void this.flush(), flushEveryMs).unref();
  }

  /** Ends the writing by the clock, and writes what is left. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.flush();
  }

  /** Writes all that waits, and resolves to whether that went well. What could not be written goes on waiting. */
  async flush(): Promise<boolean> {
    // What came while another one wrote may not be among what that one wrote.
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
      this.#context.logger.warn({ err: error, pending: this.#pending.size }, 'views could not be written yet');
      return false;
    }
  }

  /** The oldest, until one comes again that is among them: each visitor stands in a batch once. */
  #nextBatch(): Map<string, View> {
    const views = new Map<string, View>();
    const visitors = new Set<string>();
    for (const [key, view] of this.#pending) {
      const visitor = visitorOf(view);
      if (views.size >= batch || visitors.has(visitor)) break;
      visitors.add(visitor);
      views.set(key, view);
    }
    return views;
  }

  async #write(views: readonly View[]): Promise<void> {
    const { db } = this.#context;
    const places = new Map((await listSummaries(db, { ids: views.map((one) => one.listingId) })).map((place) => [place.id, place]));
    const visits: queries.Visit[] = [];
    for (const view of views) {
      const place = places.get(view.listingId);
      if (!place || !isLive(place) || place.sellerId === view.viewerId) continue;
      const day = dayOf(view.at, place.timeZone);
      visits.push({ listingId: place.id, day, visitor: hash(await this.#saltOf(day), visitorOf(view)), at: view.at });
    }
    if (visits.length > 0) await queries.countVisits(db, visits);
  }

  async #saltOf(day: string): Promise<Buffer> {
    const known = this.#salts.get(day);
    if (known) return known;
    const salt = await queries.findSalt(this.#context.db, day);
    // Of days that are over none is kept. There are two at most at the same time, from Perth to Auckland.
    for (const other of this.#salts.keys()) if (this.#salts.size > 1) this.#salts.delete(other);
    this.#salts.set(day, salt);
    return salt;
  }
}

// The listing is in it, so that two of them never show the same visitor.
const hash = (salt: Buffer, visitor: string) => createHmac('sha256', salt).update(visitor).digest().subarray(0, 16);
