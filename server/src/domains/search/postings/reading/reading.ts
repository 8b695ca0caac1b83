import pg from 'pg';
import { type OpenClient, endConnection } from '../../../../kit/database/connection-end.ts';
import { connectionLimits, followingConnection } from '../../../../kit/database/connection-limits.ts';
import { basesOf } from '../bases.ts';
import { segmentRows } from '../bits.ts';
import { listsOf } from '../lists.ts';
import type { Postings } from '../postings.ts';
import { type Row, Segment } from '../segment.ts';
import type { WordRow } from '../vocabulary.ts';
import { copyRows } from './copy-rows.ts';
import { Pairs } from './pairs.ts';
import { RowBytes, columnsOfRow } from './row-bytes.ts';

// However slow the disk is.
const warmMs = 600_000;

/** Reads listings for the postings, on a connection of its own, which is asked for a sign of life while nothing else is. */
export class Reading {
  readonly #client: pg.Client;
  readonly #postings: Postings;
  readonly #pairs = new Pairs();
  readonly #row: RowBytes;
  readonly #heart: NodeJS.Timeout;
  #beating: Promise<unknown> = Promise.resolve();
  #onLost: ((error: Error) => void) | null;

  private constructor(
    client: pg.Client,
    postings: Postings,
    { heartbeatMs, onLost }: { heartbeatMs: number; onLost: (error: Error) => void },
  ) {
    this.#client = client;
    this.#postings = postings;
    this.#row = new RowBytes(postings, this.#pairs);
    this.#onLost = onLost;
    client.on('error', (error) => this.#lost(error));
    this.#heart = setInterval(() => {
      // Where something else is asked, that is the sign.
      if ((client as unknown as OpenClient).readyForQuery)
        this.#beating = client.query('select 1').catch((error: Error) => this.#lost(error));
    }, heartbeatMs).unref();
  }

  /** `onLost` hears once that the connection is broken, or that nothing comes over it any more. */
  static async open(url: string, postings: Postings, onLost: (error: Error) => void, limits = connectionLimits): Promise<Reading> {
    const { followMs: query_timeout, heartbeatMs } = limits;
    const client = new pg.Client({ ...followingConnection, query_timeout, connectionString: url, application_name: 'handwise search' });
    client.on('error', () => {});
    await client.connect();
    return new Reading(client, postings, { heartbeatMs, onLost });
  }

  close(): Promise<void> {
    this.#onLost = null;
    clearInterval(this.#heart);
    return endConnection(this.#client);
  }

  #lost(error: Error) {
    clearInterval(this.#heart);
    this.#onLost?.(error);
    this.#onLost = null;
  }

  /** Reads all words and numbers their forms, before anything else is read. */
  async words(): Promise<void> {
    this.#postings.forms.begin((await this.allWords()).map(({ form }) => form));
  }

  async allWords(): Promise<WordRow[]> {
    const { rows } = await this.#client.query<WordRow>('select word, form, listings from search_words where listings > 0');
    this.#postings.vocabulary.begin(rows);
    return rows;
  }

  /** What is true now of these words. */
  async changedWords(words: readonly string[]): Promise<void> {
    await this.#beating;
    const text = 'select word, form, listings from search_words where word = any($1)';
    const { rows } = await this.#client.query<WordRow>({ name: 'words', text, values: [words] });
    this.#postings.vocabulary.change(rows);
  }

  /** The first numbers of the segments that have active listings. */
  async segments(): Promise<number[]> {
    const { rows } = await this.#client.query<{ first: number; last: number }>(
      `select coalesce(min(listing_number), 0) as first, coalesce(max(listing_number), -1) as last from listings where status = 'active'`,
    );
    const firsts: number[] = [];
    const { first, last } = rows[0] ?? { first: 0, last: -1 };
    for (let at = first - (first % segmentRows); at <= last; at += segmentRows) firsts.push(at);
    return firsts;
  }

  /** The segment as it is now. */
  async segment(first: number): Promise<Segment> {
    const segment = new Segment(first);
    const cells = new Int32Array(segmentRows).fill(-1);
    const radii = new Uint8Array(segmentRows);
    const [row, pairs] = [this.#row, this.#pairs];
    pairs.clear();
    const within = `status = 'active' and listing_number >= ${first} and listing_number < ${first + segmentRows}`;
    await copyRows(this.#client, `select ${columnsOfRow} from listings where ${within}`, (bytes, at) => {
      row.take(bytes, at);
      segment.write(row.row, row);
      cells[row.row] = row.cell;
      radii[row.row] = row.radius;
      for (const number of row.numbers) pairs.add(number, row.row);
    });
    segment.lists = listsOf(pairs);
    segment.bases = basesOf(cells, radii, this.#postings.cells.size);
    return segment;
  }

  /** What is true now of these listings, by their numbers: null of those that are not active. Null where not all of them are known to the database. */
  async listings(ids: readonly string[]): Promise<Map<number, Row | null> | null> {
    await this.#beating;
    const found = new Map<number, Row | null>();
    const one = this.#row;
    const those = ids.map((id) => pg.escapeLiteral(id)).join(', ');
    await copyRows(this.#client, `select ${columnsOfRow} from listings where id in (${those})`, (bytes, at) => {
      one.take(bytes, at);
      const { number, row, rank, evidence, price, score, radius, cell, keys } = one;
      found.set(number, one.isActive ? { row, rank, evidence, price, score, radius, cell, keys } : null);
    });
    return found.size < new Set(ids).size ? null : found;
  }

  /**
   * Reads the indexes of names once from one end to the other: whoever types is then answered from the memory of the database. Each beginning of a
   * name lies on some twenty pages of them, and a disk takes milliseconds for each.
   */
  async warmNames(): Promise<void> {
    await this.#client.query(
      "set application_name = 'handwise names'; set enable_seqscan = off; set enable_sort = off; set enable_incremental_sort = off",
    );
    for (const name of ['business_title', 'service_title']) {
      const start = `suggestion_start(${name})`;
      const names = `select sort_key, ${name} from listings where status = 'active' order by country, plan_rank, ${start} using ~<~`;
      // oxlint-disable-next-line no-await-in-loop -- one after the other, so that the database has time for others
      await this.#client.query({ text: `select count(*) from (${names}) as names`, query_timeout: warmMs } as pg.QueryConfig);
    }
  }
}
