import pg from 'pg';
import { type OpenClient, endConnection } from '../../../kit/database/connection-end.ts';
import { connectionLimits, followingConnection } from '../../../kit/database/connection-limits.ts';
import { segmentRows } from './bits.ts';
import { facetKey, formKey, keyOfFacetToken } from './keys.ts';
import type { Postings } from './postings.ts';
import { listsOf } from './lists.ts';
import { type Row, Segment } from './segment.ts';
import { basesOf } from './bases.ts';

// One text for each row, because taking rows apart into columns takes longer than all the rest. Prices and scores need no more than their numbers.
const lineOf = `concat_ws(' ', listing_number, plan_rank, evidence_cell, coalesce(price_from_minor, -1), rating_key / 10000000000000,
  coalesce(service_radius_km, 0), base_cell, coalesce(array_to_string(service_districts, ','), '-'), array_to_string(tsvector_to_array(search_vector), ' '))`;

const pageRows = 4_096;

/** Reads listings for the postings, on a connection of its own, which is asked for a sign of life while nothing else is. */
export class Reading {
  readonly #client: pg.Client;
  readonly #postings: Postings;
  readonly #facets = new Map<string, number | null>();
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

  /** Numbers the forms of words, before anything else is read. */
  async forms(): Promise<void> {
    const { rows } = await this.#client.query<{ form: string }>('select distinct form from search_words where listings > 0');
    this.#postings.forms.begin(rows.map(({ form }) => form));
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
    const keys = new Pairs();
    const cells = new Int32Array(segmentRows).fill(-1);
    const radii = new Uint8Array(segmentRows);
    const pages = Array.from({ length: segmentRows / pageRows }, (_, page) => first + page * pageRows);
    // While one page is taken in, the database reads the next.
    let next = this.#page(pages[0] ?? first);
    for (const at of pages.keys()) {
      const lines = await next;
      const following = pages[at + 1];
      if (following !== undefined) next = this.#page(following);
      for (const line of lines) {
        const row = this.#rowOf(line);
        segment.write(row.row, row);
        cells[row.row] = row.cell;
        radii[row.row] = row.radius;
        for (const key of row.keys) keys.add(key, row.row);
      }
    }
    segment.lists = listsOf(...keys.all());
    segment.bases = basesOf(cells, radii, this.#postings.cells.size);
    return segment;
  }

  /** What is true now of these listings, by their numbers: null of those that are not active. Null where not all of them are known to the database. */
  async listings(ids: readonly string[]): Promise<Map<number, Row | null> | null> {
    await this.#beating;
    const { rows } = await this.#client.query<{ number: number; line: string | null }>(
      `select listing_number as number, case when status = 'active' then ${lineOf} end as line from listings where id = any($1::uuid[])`,
      [ids],
    );
    if (rows.length < new Set(ids).size) return null;
    return new Map(rows.map(({ number, line }) => [number, line === null ? null : this.#rowOf(line)]));
  }

  async #page(from: number): Promise<string[]> {
    const text = `select ${lineOf} from listings where status = 'active' and listing_number >= $1 and listing_number < $2`;
    const { rows } = await this.#client.query<[string]>({ text, values: [from, from + pageRows], rowMode: 'array' });
    return rows.map(([line]) => line);
  }

  #rowOf(line: string): Row {
    const [number = '', rank = '', evidence = '', price = '', score = '', radius = '', cell = '', serves = '', ...tokens] = line.split(' ');
    const { cells } = this.#postings;
    const keys: number[] = [];
    if (serves !== '-') {
      for (const code of new Set(serves.split(',').map(Number))) keys.push(facetKey('serves', code));
    }
    for (const token of tokens) {
      const key = this.#keyOf(token);
      if (key !== null) keys.push(key);
    }
    return {
      row: Number(number) % segmentRows,
      rank: Number(rank),
      evidence: Number(evidence),
      price: price === '-1' ? null : Number(price),
      score: Number(score),
      radius: Number(radius),
      cell: cells.of(Number(cell)),
      keys,
    };
  }

  // Words are letters and digits, then the field that has them; facets have a colon.
  #keyOf(token: string): number | null {
    const field = token.charCodeAt(token.length - 1) - 48;
    if (token.charCodeAt(token.length - 2) === 46) return formKey(this.#postings.forms.of(token.slice(0, -2)), field);
    let key = this.#facets.get(token);
    if (key === undefined) this.#facets.set(token, (key = keyOfFacetToken(token)));
    return key;
  }
}

/** Pairs of a key and a row, as many as come. */
class Pairs {
  #keys = new Uint32Array(65_536);
  #rows = new Uint16Array(65_536);
  #length = 0;

  add(key: number, row: number) {
    if (this.#length === this.#keys.length) {
      const [keys, rows] = [new Uint32Array(this.#length * 2), new Uint16Array(this.#length * 2)];
      keys.set(this.#keys);
      rows.set(this.#rows);
      [this.#keys, this.#rows] = [keys, rows];
    }
    this.#keys[this.#length] = key;
    this.#rows[this.#length] = row;
    this.#length += 1;
  }

  all(): [Uint32Array, Uint16Array] {
    return [this.#keys.subarray(0, this.#length), this.#rows.subarray(0, this.#length)];
  }
}
