import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { Freshness } from './freshness.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * What an answer shows, by the names under which it is told that they change, and for how many seconds it may be kept at most. `grace`: so many
 * seconds it may be given although something of it has changed, but not to whoever may have changed it.
 */
export type Shown = { names: readonly string[]; seconds: number; grace?: number };

/** What is told of is dropped when it changes. However long that takes, nothing is kept for good. */
export const longestSeconds = 600;

const oldSeconds = 60;

/** An answer ready to be sent. */
export class Answer {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #bodies: Partial<Record<Encoding, Promise<Buffer>>>;
  /** What it takes in memory. Each encoding is made when somebody first asks for it. */
  bytes: number;

  constructor(body: Buffer, headers: Readonly<Record<string, string>>) {
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    this.headers = headers;
    this.#bodies = { identity: Promise.resolve(alone(body)) };
    this.bytes = body.length + 1_000;
  }

  as(encoding: Encoding): Promise<Buffer> {
    return (this.#bodies[encoding] ??= this.#make(encoding));
  }

  async #make(encoding: Encoding): Promise<Buffer> {
    const body = await this.as('identity');
    const made = alone(encoding === 'br' ? await compressBrotli(body, { params: brotliFor(body.length) }) : await compressGzip(body));
    this.bytes += made.length;
    return made;
  }
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** A window of what there is to see: left to itself each takes one of 4 MB. */
const brotliFor = (length: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
  [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 16)))),
});

/** In memory of its own. A small body comes as a piece of a slab of many, and a compressed one of a block for much more: kept, it would hold all of that. */
function alone(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/** Lets a piece of work begin when it is its turn. */
export type InTurn = <Result>(piece: () => Promise<Result>) => Promise<Result>;

export type Kept = { answer: Answer; shown: Shown };
type Entry = Kept & { begun: number; from: number };

/**
 * How an answer came to be sent: as it was kept; the same, because all that it is made of is as it was; made for somebody who asked a moment
 * before; kept, though nobody can say any more whether it is right; worked out.
 */
export type Sent = 'hit' | 'same' | 'shared' | 'old' | 'miss';

/** Why an answer had to be worked out: nothing was kept, what it shows had changed, it was as old as it may get, or nobody could say what changed. */
export type Missed = 'unknown' | 'changed' | 'aged' | 'unheard';

/**
 * Answers that are the same for everybody, by an address that says all they depend on; pages and calls alike, bounded in bytes. Each holds
 * until something changes that it shows, and no longer than it says.
 */
export class KeptAnswers {
  readonly #kept: LRUCache<string, Entry>;
  readonly #freshness: Freshness;
  readonly #atWork = new Map<string, Promise<void>>();
  /** Whether anything is kept at all. */
  readonly isOn: boolean;
  /** How often answers were sent in each way, and why those had to be worked out that were. */
  readonly sent: Record<Sent, number> = { hit: 0, same: 0, shared: 0, old: 0, miss: 0 };
  readonly missed: Record<Missed, number> = { unknown: 0, changed: 0, aged: 0, unheard: 0 };

  constructor(maxBytes: number, freshness: Freshness) {
    this.#freshness = freshness;
    this.isOn = maxBytes > 0;
    this.#kept = new LRUCache({ maxSize: Math.max(1, maxBytes), sizeCalculation: ({ answer }) => answer.bytes });
  }

  get bytes(): number {
    return this.#kept.calculatedSize;
  }

  get count(): number {
    return this.#kept.size;
  }

  /** `exactly`: as of all that has been heard. */
  find(key: string, { exactly }: { exactly: boolean }): Kept | { missed: Missed } {
    const kept = this.#kept.get(key);
    if (!kept) return { missed: 'unknown' };
    const missed = this.#whyNot(kept, exactly);
    return missed ? { missed } : kept;
  }

  /** What was kept, whether or not it still holds. */
  outdated(key: string): Answer | undefined {
    return this.#kept.peek(key)?.answer;
  }

  #whyNot({ begun, from, shown }: Entry, exactly: boolean): Missed | undefined {
    const age = (performance.now() - from) / 1_000;
    if (age >= Math.min(shown.seconds, longestSeconds)) return 'aged';
    if (!this.#freshness.isHeard(begun)) return 'unheard';
    const mayBeOld = !exactly && age < (shown.grace ?? 0);
    return mayBeOld || this.#freshness.holds(begun, shown.names) ? undefined : 'changed';
  }

  /** For when nothing else can be had: what was right a while ago and of which nothing is known to have changed. */
  getOld(key: string): Answer | undefined {
    const kept = this.#kept.peek(key);
    if (!kept || performance.now() - kept.from > oldSeconds * 1_000) return undefined;
    return this.#freshness.mayHold(kept.begun, kept.shown.names) ? kept.answer : undefined;
  }

  /** Call it before the work, and what it returns with its result: what changed meanwhile is not kept. */
  begin(key: string): (answer: Answer, shown: Shown) => void {
    const begun = this.#freshness.now;
    const from = performance.now();
    return (answer, shown) => {
      const kept = { answer, begun, from, shown };
      if (!this.#whyNot(kept, false)) this.#kept.set(key, kept);
    };
  }

  /**
   * What `work` comes to when `inTurn` lets it, or what somebody else is just making, where that is right when it is there. Nobody waits for somebody
   * who still waits for their turn: one's own may come sooner.
   */
  async share<Result>(
    key: string,
    { exactly, inTurn, work }: { exactly: boolean; inTurn: InTurn; work: () => Promise<Result> },
  ): Promise<{ shared: Kept } | { own: Result }> {
    const whatIsRight = () => {
      const found = this.find(key, { exactly });
      return 'answer' in found ? { shared: found } : undefined;
    };
    const pending = this.#atWork.get(key);
    if (pending) await pending;
    const made = pending && whatIsRight();
    if (made) return made;
    return inTurn(async () => {
      // Without waiting where nobody is at it: between looking and beginning nobody else may look.
      if (this.#atWork.has(key)) await this.#atWork.get(key);
      return whatIsRight() ?? { own: await this.#atWorkWhile(key, work) };
    });
  }

  async #atWorkWhile<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.isOn || this.#atWork.has(key)) return work();
    const ended = Promise.withResolvers<void>();
    this.#atWork.set(key, ended.promise);
    try {
      return await work();
    } finally {
      this.#atWork.delete(key);
      ended.resolve();
    }
  }

  /** One of the encodings of an answer. What is made of it now counts among its bytes. */
  async bodyOf(key: string, answer: Answer, encoding: Encoding): Promise<Buffer> {
    const before = answer.bytes;
    const body = await answer.as(encoding);
    const kept = this.#kept.peek(key);
    if (answer.bytes > before && kept?.answer === answer) this.#kept.set(key, { ...kept });
    return body;
  }
}
