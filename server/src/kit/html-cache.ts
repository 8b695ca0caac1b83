import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';
export type CachedPage = { bodies: Record<Encoding, Buffer>; etag: string; headers: Record<string, string> };

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Everything that answering with a page takes, worked out once. */
export async function preparePage(html: Buffer, headers: Record<string, string>): Promise<CachedPage> {
  const [br, gz] = await Promise.all([compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }), compressGzip(html)]);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { bodies: { br, gzip: gz, identity: html }, etag, headers };
}

/**
 * Rendered public pages, bounded in bytes. A listing's own page is dropped when that listing changes, every other page when
 * any does, because lists and counts may show it. Texts such as "3 days ago" age, so that no page is kept over a minute.
 */
export class HtmlCache {
  readonly #pages: LRUCache<string, CachedPage>;
  #changes = 0;

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ bodies }) => bodies.br.length + bodies.gzip.length + bodies.identity.length + 1_000,
      ttl: 60_000,
    });
  }

  get(key: string) {
    return this.#pages.get(key);
  }

  /** Call it before rendering, and what it returns with the page: a page that changed meanwhile is not kept. */
  begin(key: string): (page: CachedPage) => void {
    const changes = this.#changes;
    return (page) => {
      if (changes === this.#changes) this.#pages.set(key, page);
    };
  }

  listingsChanged(ids: readonly string[] | 'many') {
    this.#changes += 1;
    if (ids === 'many') return this.#pages.clear();
    for (const key of this.#pages.keys()) {
      const listing = /\/listing\/([^/?]+)/.exec(key)?.[1];
      if (listing === undefined || ids.includes(listing)) this.#pages.delete(key);
    }
  }
}
