import { setTimeout as pause } from 'node:timers/promises';
import { connectionLimits } from '../../../kit/database/connection-limits.ts';
import { segmentRows } from './bits.ts';
import type { FromThread } from './messages.ts';
import { Postings } from './postings.ts';
import type { Answer, AskedSearch } from './query.ts';
import { Reading } from './reading/reading.ts';
import { Segment } from './segment.ts';

// A segment so worn is read anew, so that nearly all of it is in lists again.
const manyChanges = 2_000;
const retryMs = 1_000;

/** Postings that follow what is committed. */
export class Follower {
  readonly #url: string;
  readonly #renewFrom: number;
  readonly #limits: typeof connectionLimits;
  readonly #tell: (message: FromThread) => void;
  #postings = new Postings();
  /** What was last asked to be read, and what was. */
  #wanted = 0;
  #read = -1;
  #isReading = false;
  #changes: Reading | undefined;
  readonly #pending = new Set<string>();
  /** Words of which it was told that their listings have become more or fewer; or that nobody can say which words are. */
  readonly #pendingWords = new Set<string>();
  #allWordsPending = false;
  #taking: Promise<void> = Promise.resolve();
  #isTaking = false;
  #renewing = false;
  /** Once for each process, and nothing waits for it. */
  #warmed = false;
  #warmer: Reading | undefined;
  /** How many segments were read anew because much of them had changed. */
  renewed = 0;
  /** What was told while a segment was read: whether it has that is not known. */
  readonly #meanwhile = new Set<string>();

  constructor(url: string, tell: (message: FromThread) => void, { renewFrom = manyChanges, limits = connectionLimits } = {}) {
    this.#url = url;
    this.#tell = tell;
    this.#renewFrom = renewFrom;
    this.#limits = limits;
  }

  /** Reads everything. Until that is done nothing is found. */
  readAll(generation: number): void {
    this.#wanted = generation;
    this.#pending.clear();
    this.#noWordsPending();
    if (!this.#isReading) void this.#readAll();
  }

  changed(ids: readonly string[]): void {
    for (const id of ids) {
      this.#pending.add(id);
      if (this.#renewing) this.#meanwhile.add(id);
    }
    void this.#takeAhead();
  }

  wordsChanged(words: readonly string[] | 'many'): void {
    if (words === 'many') this.#allWordsPending = true;
    else for (const word of words) this.#pendingWords.add(word);
    void this.#takeAhead();
  }

  /** Takes what is told while nobody asks, so that who asks next need not wait for it. What is told meanwhile goes together. */
  async #takeAhead() {
    if (this.#isTaking) return;
    this.#isTaking = true;
    try {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, each with all that was told by then
      while (this.#isRead && this.#isPending) await this.#takeChanges();
    } catch (error) {
      this.#lose(error);
    } finally {
      this.#isTaking = false;
    }
  }

  /** What a search finds, with every change that was told before; null where that is not known. */
  async find(search: AskedSearch): Promise<Answer | null> {
    try {
      if (!this.#isRead) return null;
      await this.#takeChanges();
      const page = this.#isRead ? this.#postings.answer(search) : null;
      setImmediate(() => void this.#renew());
      return page;
    } catch (error) {
      this.#lose(error);
      return null;
    }
  }

  async close(): Promise<void> {
    await this.#changes?.close();
    await this.#warmer?.close();
  }

  get #isRead() {
    return this.#read === this.#wanted;
  }

  get #isPending() {
    return this.#pending.size > 0 || this.#pendingWords.size > 0 || this.#allWordsPending;
  }

  #noWordsPending() {
    this.#pendingWords.clear();
    this.#allWordsPending = false;
  }

  #lose(error: unknown) {
    this.#read = -1;
    this.#fail(error, true);
  }

  #fail(error: unknown, stale: boolean) {
    this.#tell({ kind: 'failed', message: error instanceof Error ? error.message : String(error), stale });
  }

  async #readAll() {
    this.#isReading = true;
    while (!this.#isRead) {
      const generation = this.#wanted;
      const begun = performance.now();
      const next = new Postings();
      // Two copies at once would need the room of both.
      this.#postings.giveBack();
      this.#postings = next;
      let from: Reading | undefined;
      try {
        await this.#changes?.close().catch(() => {});
        this.#changes = await Reading.open(this.#url, next, (error) => this.#lose(error), this.#limits);
        from = await Reading.open(this.#url, next, () => {});
        await from.words();
        for (const first of await from.segments()) {
          next.segments.set(first, await from.segment(first));
          if (generation !== this.#wanted) break;
        }
        if (generation !== this.#wanted) continue;
        await this.#takeChanges();
        this.#read = generation;
        this.#tell({ kind: 'ready', generation, milliseconds: Math.round(performance.now() - begun) });
        void this.#warmNames();
      } catch (error) {
        this.#fail(error, false);
        await pause(retryMs);
      } finally {
        await from?.close().catch(() => {});
      }
    }
    this.#isReading = false;
  }

  async #warmNames() {
    if (this.#warmed) return;
    this.#warmed = true;
    try {
      this.#warmer = await Reading.open(this.#url, this.#postings, () => {});
      await this.#warmer.warmNames();
    } catch (error) {
      this.#fail(error, false);
    }
    await this.#warmer?.close().catch(() => {});
  }

  /** Once it resolves, the postings have every change that was told before the call. */
  #takeChanges(): Promise<void> {
    this.#taking = this.#taking.catch(() => {}).then(() => this.#takePending());
    return this.#taking;
  }

  async #takePending() {
    if (!this.#isPending) return;
    if (!this.#changes) throw new Error('no connection to read changes by');
    await this.#takeWords(this.#changes);
    if (this.#pending.size > 0) await this.#takeListings(this.#changes);
  }

  async #takeWords(from: Reading) {
    const [words, isAll] = [[...this.#pendingWords], this.#allWordsPending];
    this.#noWordsPending();
    if (isAll) await from.allWords();
    else if (words.length > 0) await from.changedWords(words);
  }

  async #takeListings(from: Reading) {
    const ids = [...this.#pending];
    this.#pending.clear();
    const rows = await from.listings(ids);
    // One that is gone for good had a number that nobody knows any more.
    if (!rows) throw new Error('a listing is gone');
    for (const [number, row] of rows) {
      const first = number - (number % segmentRows);
      let segment = this.#postings.segments.get(first);
      if (!segment) {
        if (!row) continue;
        this.#postings.segments.set(first, (segment = new Segment(first)));
      }
      segment.change(number - first, row);
    }
  }

  async #renew() {
    const postings = this.#postings;
    const worn = [...postings.segments.values()].find((segment) => segment.worn >= this.#renewFrom);
    if (!worn || this.#renewing || !this.#isRead) return;
    this.#renewing = true;
    this.#meanwhile.clear();
    let from: Reading | undefined;
    try {
      from = await Reading.open(this.#url, postings, () => {});
      const renewed = await from.segment(worn.first);
      if (postings === this.#postings) {
        postings.segments.set(worn.first, renewed);
        worn.giveBack();
        this.renewed += 1;
      } else renewed.giveBack();
      if (postings === this.#postings) for (const id of this.#meanwhile) this.#pending.add(id);
    } catch (error) {
      this.#fail(error, false);
    } finally {
      this.#renewing = false;
      await from?.close().catch(() => {});
    }
  }
}
