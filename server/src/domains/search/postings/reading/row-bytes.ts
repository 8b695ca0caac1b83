import { segmentRows } from '../bits.ts';
import { facetKey, formKey, keyOfFacetToken } from '../keys.ts';
import type { Postings } from '../postings.ts';
import type { Pairs } from './pairs.ts';
import { Tokens } from './tokens.ts';

/**
 * What search knows of a listing, as columns of a query in their order. Prices and scores need no more than their numbers, and what nobody finds
 * needs no words: where many end at once, reading them took most of the time.
 */
export const columnsOfRow = `listing_number, (status = 'active')::int, plan_rank::int, evidence_cell::int, coalesce(price_from_minor, -1)::int,
  (rating_key / 10000000000000)::int, coalesce(service_radius_km, 0)::int, base_cell,
  case status when 'active' then service_districts::int[] end, case status when 'active' then search_vector end`;

const noKey = -1;

/** A row of these columns, taken out of its bytes. The next one takes its place. */
export class RowBytes {
  readonly #postings: Postings;
  readonly #pairs: Pairs;
  readonly #tokens: Tokens;
  number = 0;
  row = 0;
  isActive = false;
  rank = 0;
  evidence = 0;
  price: number | null = null;
  score = 0;
  radius = 0;
  cell = 0;
  /** Words and facets, by the numbers that the pairs know them by. */
  readonly numbers: number[] = [];
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;

  constructor(postings: Postings, pairs: Pairs) {
    this.#postings = postings;
    this.#pairs = pairs;
    this.#tokens = new Tokens((token) => {
      const key = this.#keyOf(token);
      return key === null ? noKey : pairs.numberOf(key);
    });
  }

  /** All keys of the row. */
  get keys(): number[] {
    return this.numbers.map((number) => this.#pairs.keys[number] as number);
  }

  take(bytes: Buffer, at: number): void {
    [this.#bytes, this.#at] = [bytes, at];
    this.number = this.#int();
    this.row = this.number % segmentRows;
    this.isActive = this.#int() === 1;
    this.rank = this.#int();
    this.evidence = this.#int();
    const price = this.#int();
    this.price = price === -1 ? null : price;
    this.score = this.#int();
    this.radius = this.#int();
    this.cell = this.#postings.cells.of(this.#int());
    this.numbers.length = 0;
    if (!this.isActive) return;
    this.#takeServed();
    this.#takeTokens();
  }

  #int(): number {
    this.#at += 8;
    return this.#bytes.readInt32BE(this.#at - 4);
  }

  // Of an array: how many dimensions it has, whether any is null, the type, how many there are, from which on they are counted, and each with its length.
  #takeServed() {
    const length = this.#bytes.readInt32BE(this.#at);
    const end = this.#at + 4 + Math.max(0, length);
    const served = new Set<number>();
    for (let at = this.#at + 4 + 20 + 4; at < end; at += 8) served.add(this.#bytes.readInt32BE(at));
    for (const code of served) this.numbers.push(this.#pairs.numberOf(facetKey('serves', code)));
    this.#at = end;
  }

  // How many there are, and each: its letters, a 0, how many places it has, and these.
  #takeTokens() {
    const bytes = this.#bytes;
    let left = bytes.readInt32BE(this.#at + 4);
    let at = this.#at + 8;
    for (; left > 0; left -= 1) {
      const end = bytes.indexOf(0, at);
      const number = this.#tokens.numberOf(bytes, at, end);
      if (number !== noKey) this.numbers.push(number);
      at = end + 3 + bytes.readUInt16BE(end + 1) * 2;
    }
  }

  // Words are letters and digits, then the field that has them; facets have a colon.
  #keyOf(token: string): number | null {
    const field = token.charCodeAt(token.length - 1) - 48;
    if (token.charCodeAt(token.length - 2) === 46) return formKey(this.#postings.forms.of(token.slice(0, -2)), field);
    return keyOfFacetToken(token);
  }
}
