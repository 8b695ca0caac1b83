import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, brotliDecompress, constants, gunzip, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import type { TagVersions } from './tag-versions.ts';

export type Encoding = 'br' | 'gzip' | 'identity';

/**
 * What invalidates a response, and how long it may be cached at most. For `graceSeconds` it may be served although a tag was invalidated, but not to a
 * client that may have made the change.
 */
export type CachePolicy = { tags: readonly string[]; maxAgeSeconds: number; graceSeconds?: number };

/** No response is cached for longer, even if none of its tags is invalidated. */
export const maxCacheSeconds = 600;

/** For a response that is only a part of what was asked for. Neither it nor its pages may be stored anywhere. */
export const neverCached: CachePolicy = { tags: [], maxAgeSeconds: 0 };
export const isNeverCached = ({ maxAgeSeconds }: CachePolicy): boolean => maxAgeSeconds === 0;

const maxStaleSeconds = 60;

/**
 * A response body with its headers, in each encoding that clients have asked for. Compressing evicts the plain body, which most clients never
 * ask for, until one does.
 */
export class EncodedResponse {
  readonly etag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly #bodies: Partial<Record<Encoding, Promise<Buffer>>>;
  /** Memory in bytes, of all encodings held. */
  bytes: number;

  constructor(body: Buffer, headers: Readonly<Record<string, string>>) {
    this.etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
    this.headers = headers;
    this.#bodies = { identity: Promise.resolve(withOwnMemory(body)) };
    this.bytes = body.length + 1_000;
  }

  as(encoding: Encoding): Promise<Buffer> {
    return (this.#bodies[encoding] ??= encoding === 'identity' ? this.#decompress() : this.#compress(encoding));
  }

  async #compress(encoding: 'br' | 'gzip'): Promise<Buffer> {
    const body = await this.as('identity');
    const compressed = withOwnMemory(
      encoding === 'br' ? await compressBrotli(body, { params: brotliParams(body.length) }) : await compressGzip(body),
    );
    this.bytes += compressed.length;
    if (this.#bodies.identity) this.bytes -= body.length;
    delete this.#bodies.identity;
    return compressed;
  }

  async #decompress(): Promise<Buffer> {
    const { br, gzip } = this.#bodies;
    const body = withOwnMemory(br ? await decompressBrotli(await br) : await decompressGzip((await gzip) ?? ''));
    this.bytes += body.length;
    return body;
  }
}

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);
const decompressBrotli = promisify(brotliDecompress);
const decompressGzip = promisify(gunzip);

/** A window that fits the body: the default takes 4 MB each time. */
const brotliParams = (length: number) => ({
  [constants.BROTLI_PARAM_QUALITY]: 5,
  [constants.BROTLI_PARAM_SIZE_HINT]: length,
  [constants.BROTLI_PARAM_LGWIN]: Math.min(22, Math.max(16, Math.ceil(Math.log2(length + 16)))),
});

/** Copies a buffer that is part of a larger block of memory, which would otherwise stay allocated as long as the response is cached. */
function withOwnMemory(body: Buffer): Buffer {
  if (body.buffer.byteLength === body.length) return body;
  const own = Buffer.allocUnsafeSlow(body.length);
  body.copy(own);
  return own;
}

/** Runs work at once or from a queue. */
export type Schedule = <Result>(work: () => Promise<Result>) => Promise<Result>;

export type CacheHit = { response: EncodedResponse; policy: CachePolicy };
type Entry = CacheHit & { version: number; storedAt: number };

/**
 * How a response was served: cached; rendered from unchanged calls; computed for another request a moment before; stale, because nothing newer could be had;
 * computed.
 */
export type CacheState = 'hit' | 'same' | 'shared' | 'old' | 'miss';

/** Why a response was computed: it was not cached, a tag was invalidated, it was too old, or changes may have been missed. */
export type MissReason = 'unknown' | 'changed' | 'aged' | 'incomplete';

/** Responses of pages and calls that are the same for every client, by a key that names everything they depend on. Bounded in bytes. */
export class ResponseCache {
  readonly #entries: LRUCache<string, Entry>;
  readonly #tagVersions: TagVersions;
  readonly #pending = new Map<string, Promise<void>>();
  readonly isOn: boolean;
  /** Counters for the metrics. */
  readonly served: Record<CacheState, number> = { hit: 0, same: 0, shared: 0, old: 0, miss: 0 };
  readonly missed: Record<MissReason, number> = { unknown: 0, changed: 0, aged: 0, incomplete: 0 };

  constructor(maxBytes: number, tagVersions: TagVersions) {
    this.#tagVersions = tagVersions;
    this.isOn = maxBytes > 0;
    this.#entries = new LRUCache({ maxSize: Math.max(1, maxBytes), sizeCalculation: ({ response }) => response.bytes });
  }

  get bytes(): number {
    return this.#entries.calculatedSize;
  }

  get count(): number {
    return this.#entries.size;
  }

  /** `latest` ignores the grace period. */
  find(key: string, { latest }: { latest: boolean }): CacheHit | { missed: MissReason } {
    const entry = this.#entries.get(key);
    if (!entry) return { missed: 'unknown' };
    const missed = this.#missReason(entry, latest);
    return missed ? { missed } : entry;
  }

  /** The cached response, fresh or not. */
  peek(key: string): EncodedResponse | undefined {
    return this.#entries.peek(key)?.response;
  }

  #missReason({ version, storedAt, policy }: Entry, latest: boolean): MissReason | undefined {
    const age = (performance.now() - storedAt) / 1_000;
    if (age >= Math.min(policy.maxAgeSeconds, maxCacheSeconds)) return 'aged';
    if (!this.#tagVersions.isComplete(version)) return 'incomplete';
    const isInGrace = !latest && age < (policy.graceSeconds ?? 0);
    return isInGrace || this.#tagVersions.isFresh(version, policy.tags) ? undefined : 'changed';
  }

  /** For when the database is away: a response of the last minute that no known change has invalidated. */
  findStale(key: string): EncodedResponse | undefined {
    const entry = this.#entries.peek(key);
    if (!entry || performance.now() - entry.storedAt > maxStaleSeconds * 1_000) return undefined;
    return this.#tagVersions.mayBeFresh(entry.version, entry.policy.tags) ? entry.response : undefined;
  }

  /** Deletes everything, also what would be served while the database is away. */
  clear(): void {
    this.#tagVersions.invalidateAll();
    this.#entries.clear();
  }

  /** Call it before the work, and the function it returns with the result. A result that was invalidated meanwhile is not stored. */
  startStoring(key: string): (response: EncodedResponse, policy: CachePolicy) => void {
    const version = this.#tagVersions.version;
    const storedAt = performance.now();
    return (response, policy) => {
      const entry = { response, version, storedAt, policy };
      if (!this.#missReason(entry, false)) this.#entries.set(key, entry);
    };
  }

  /**
   * Computes a response, or takes the one that another request is computing if it is fresh once it is ready. A request that is still queued is not waited
   * for, because the caller's own turn may come sooner.
   */
  async share<Result>(
    key: string,
    { latest, schedule, work }: { latest: boolean; schedule: Schedule; work: () => Promise<Result> },
  ): Promise<{ shared: CacheHit } | { own: Result }> {
    const findShared = () => {
      const found = this.find(key, { latest });
      return 'response' in found ? { shared: found } : undefined;
    };
    const pending = this.#pending.get(key);
    if (pending) await pending;
    const shared = pending && findShared();
    if (shared) return shared;
    return schedule(async () => {
      // Awaits only if there is something to wait for: otherwise another request could start between the check and the work.
      if (this.#pending.has(key)) await this.#pending.get(key);
      return findShared() ?? { own: await this.#runPending(key, work) };
    });
  }

  async #runPending<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    if (!this.isOn || this.#pending.has(key)) return work();
    const ended = Promise.withResolvers<void>();
    this.#pending.set(key, ended.promise);
    try {
      return await work();
    } finally {
      this.#pending.delete(key);
      ended.resolve();
    }
  }

  /** The body in one encoding. If that changes what the response holds, the cache counts its bytes again. */
  async bodyOf(key: string, response: EncodedResponse, encoding: Encoding): Promise<Buffer> {
    const before = response.bytes;
    const body = await response.as(encoding);
    const entry = this.#entries.peek(key);
    if (response.bytes !== before && entry?.response === response) this.#entries.set(key, { ...entry });
    return body;
  }
}
