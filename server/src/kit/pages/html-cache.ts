import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { LRUCache } from 'lru-cache';

export type Encoding = 'br' | 'gzip' | 'identity';
export type CachedPage = {
  bodies: Record<Encoding, Buffer>;
  etag: string;
  headers: Record<string, string>;
  /** The things that it shows, by their ids; null where any change may show on it. */
  tags: readonly string[] | null;
};

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** Everything that answering with a page takes, worked out once. The header `cache-tag` names what it shows. */
export async function preparePage(html: Buffer, { 'cache-tag': tags, ...headers }: Record<string, string>): Promise<CachedPage> {
  const [br, gz] = await Promise.all([compressBrotli(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }), compressGzip(html)]);
  const etag = `"${createHash('sha256').update(html).digest('base64url').slice(0, 22)}"`;
  return { bodies: { br, gzip: gz, identity: html }, etag, headers, tags: tags?.split(',') ?? null };
}

/**
 * Rendered public pages, bounded in bytes. A page that says what it shows is dropped when one of these changes, every other page
 * when anything does, because lists and counts may show it. Texts such as "3 days ago" age, so that no page is kept over a minute.
 */
export class HtmlCache {
  readonly #pages: LRUCache<string, CachedPage>;
  #changes = 0;
  hits = 0;
  misses = 0;

  constructor(maxBytes: number) {
    this.#pages = new LRUCache({
      maxSize: Math.max(1, maxBytes),
      sizeCalculation: ({ bodies }) => bodies.br.length + bodies.gzip.length + bodies.identity.length + 1_000,
      ttl: 60_000,
    });
  }

  get bytes(): number {
    return this.#pages.calculatedSize;
  }

  get pages(): number {
    return this.#pages.size;
  }

  get(key: string) {
    const page = this.#pages.get(key);
    if (page) this.hits += 1;
    else this.misses += 1;
    return page;
  }

  /** Call it before rendering, and what it returns with the page: a page that changed meanwhile is not kept. */
  begin(key: string): (page: CachedPage) => void {
    const changes = this.#changes;
    return (page) => {
      if (changes === this.#changes) this.#pages.set(key, page);
    };
  }

  changed(ids: readonly string[] | 'many') {
    this.#changes += 1;
    if (ids === 'many') return this.#pages.clear();
    for (const [key, { tags }] of this.#pages.entries()) if (!tags || tags.some((tag) => ids.includes(tag))) this.#pages.delete(key);
  }
}
