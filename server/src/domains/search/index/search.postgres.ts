import { plans } from '@handwise/contract/plans/table';
import { type FilterName, filterNames, maxPaidPlaces } from '@handwise/contract/search/filters';
import type { CountryCode } from '@handwise/contract/markets';
import { type RawBuilder, sql } from 'kysely';
import { connectionTimeouts } from '../../../kit/database/connections.ts';
import type { Db } from '../../../kit/database/database.ts';
import { choicesOf, conditionsWith, filterConditions, withChoices } from './search.filter-columns.ts';
import {
  type Facets,
  type Matches,
  type NamedListing,
  type Order,
  type Page,
  type Search,
  type SearchIndex,
  mostCounted,
} from './search.index.ts';
import { type Asked, countAndList, countEach, countOnly, listMany, listNewest, namesStarting } from './search.statements.ts';
import { tsqueryOf } from './search.terms.ts';
import { termsAsTyped, termsOf } from './search.vocabulary.ts';

const nothing: Matches = { total: 0, isExact: true, numbers: [], paid: 0, terms: [] };
const featured = { most: maxPaidPlaces, rank: plans.featured.rank };
const wholeThousand = { skip: 0, take: mostCounted };

class OverTime extends Error {}
const isOverTime = (error: unknown) => error instanceof OverTime || (error instanceof Error && 'code' in error && error.code === '57014');

/** Gives up after so long. The statement itself is ended by the database's own limit: replicas take no transaction with one of its own. */
async function within<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  if (ms === Infinity) return work();
  if (ms <= 0) throw new OverTime();
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new OverTime()), ms)));
  return Promise.race([work(), late]).finally(() => clearTimeout(timer));
}

/** When a request has read for as long as it may; what is short may still be read until `lastAt`. */
type Deadline = { endsAt: number; lastAt: number };
const none: Deadline = { endsAt: Infinity, lastAt: Infinity };

// What is short may take so much longer than the limit: 650 ms where that is 500.
const lastShare = 1.3;

/** The search on PostgreSQL's own indexes. `db` ends statements that take too long. */
export class PostgresIndex implements SearchIndex {
  readonly #db: Db;
  readonly limitMs: number;
  readonly #deadline: Deadline;
  readonly #terms = new Map<string, ReturnType<typeof termsOf>>();

  constructor(db: Db, limitMs: number = connectionTimeouts.searchMs, deadline = none) {
    this.#db = db;
    this.limitMs = limitMs;
    this.#deadline = deadline;
  }

  withDeadline(): SearchIndex {
    const now = performance.now();
    return new PostgresIndex(this.#db, this.limitMs, {
      endsAt: now + this.limitMs,
      lastAt: now + lastShare * this.limitMs,
    });
  }

  async match(search: Search, order: Order, page: Page): Promise<Matches> {
    const found = await this.#read(
      search,
      (asked) => this.#list(asked, order, page),
      (matches) => matches.total === 0,
    ).catch((error: unknown) => {
      if (isOverTime(error)) return this.#listNewest(search, page);
      throw error;
    });
    return found ?? nothing;
  }

  async count(search: Search) {
    const found = await this.#read(
      search,
      async (asked) => {
        const { total } = await this.#one(countOnly(asked));
        return { total: Math.min(total, mostCounted), isExact: total <= mostCounted };
      },
      ({ total }) => total === 0,
    ).catch((error: unknown) => {
      if (isOverTime(error)) return { total: null, isExact: false };
      throw error;
    });
    return found ?? { total: 0, isExact: true };
  }

  async countByPlace(search: Search) {
    const { numbers, isExact } = await this.match(search, 'recommended', wholeThousand);
    const named = sql<NamedListing>`
      select id, business_title as "businessTitle", service_title as "serviceTitle", locality_code as "localityCode", district_code as "districtCode"
      from listings where listing_number = any(${numbers}::int[]) order by array_position(${numbers}::int[], listing_number)`;
    const rows = await this.#atLast(named);
    return { listings: rows, isWhole: isExact };
  }

  async facets(search: Search): Promise<Facets | null> {
    const { values } = search.filter;
    const offered = filterNames.flatMap((name) => choicesOf(name).map((choice) => ({ name, choice })));
    const counts = await this.#read(
      search,
      (asked) => {
        const each = offered.map(({ name, choice }) => sql<boolean>`${sql.join(conditionsWith(values, name, choice), sql` and `)}`);
        return this.#one(countEach(asked, filterConditions(values, withChoices), each));
      },
      ({ total }) => total === 0,
    ).catch((error: unknown) => {
      if (isOverTime(error)) return null;
      throw error;
    });
    if (!counts || counts.total > mostCounted) return null;
    const totals = offered.map((one, index) => ({ ...one, total: counts.counts[index] ?? 0 }));
    const of = (name: FilterName) => totals.filter((one) => one.name === name).map(({ choice: value, total }) => ({ value, total }));
    const facets = filterNames.map((name) => [name, withChoices.includes(name) ? of(name) : (of(name)[0]?.total ?? 0)]);
    return Object.fromEntries(facets) as Facets;
  }

  suggest(kind: 'business' | 'listing', start: string, countries: readonly CountryCode[], most: number) {
    return this.#inTime(() => namesStarting(this.#db, kind, start, countries, most)).catch((error: unknown) => {
      if (isOverTime(error)) return [];
      throw error;
    });
  }

  #inTime = <Result>(work: () => Promise<Result>): Promise<Result> => within(this.#deadline.endsAt - performance.now(), work);
  #rows = <Row>(statement: RawBuilder<Row>): Promise<Row[]> => this.#inTime(async () => (await statement.execute(this.#db)).rows);
  #one = async <Row>(statement: RawBuilder<Row>): Promise<Row> => (await this.#rows(statement))[0] as Row;

  /**
   * Works with the words as they are; where that finds nothing, with each as the beginning of others, and corrected where only listings that
   * ended had it. Null where there are no words in the text.
   */
  async #read<Found>(search: Search, work: (asked: Asked) => Promise<Found>, isEmpty: (found: Found) => boolean): Promise<Found | null> {
    if (!search.words) return work({ search, terms: [] });
    const read = (how: 'as typed' | 'looser') => this.#inTime(() => this.#termsOf(search.words, how));
    const terms = await read('as typed');
    if (!terms) return null;
    const found = await work({ search, terms });
    if (!isEmpty(found) || search.among) return found;
    const looser = await read('looser');
    return looser && tsqueryOf(looser) !== tsqueryOf(terms) ? work({ search, terms: looser }) : found;
  }

  /** Of one request each text is looked up once. */
  #termsOf(words: string, how: 'as typed' | 'looser') {
    if (this.#deadline === none) return termsOf(this.#db, words, how);
    const key = `${how} ${words}`;
    const terms = this.#terms.get(key) ?? termsOf(this.#db, words, how);
    this.#terms.set(key, terms);
    return terms;
  }

  async #list(asked: Asked, order: Order, page: Page): Promise<Matches> {
    const first = await this.#one(countAndList(asked, order, page, featured));
    const total = Math.min(first.total, mostCounted);
    const paid = Math.max(0, Math.min(page.take, first.paid - page.skip));
    const known = { total, isExact: first.total <= mostCounted, terms: asked.terms };
    if (first.numbers) return { ...known, numbers: first.numbers, paid };
    return { ...known, ...(await this.#listMany(asked, order, page)) };
  }

  /** Where more match than are counted: the first of the highest plan and the page of the others. */
  async #listMany(asked: Asked, order: Order, { skip, take }: Page) {
    const list = async (page: Page, part?: { rank?: number; without?: readonly number[] }) =>
      (await this.#rows(listMany(asked, order, page, part))).map((row) => row.listing_number);
    if (order === 'recommended') return { numbers: await list({ skip, take }), paid: 0 };
    const first = await list({ skip: 0, take: featured.most }, { rank: featured.rank });
    const shown = first.slice(skip, skip + take);
    const rest = { skip: Math.max(0, skip - first.length), take: take - shown.length };
    return { numbers: [...shown, ...(await list(rest, { without: first }))], paid: shown.length };
  }

  /** What is read in a short time, also after the deadline; nothing where that takes too long. */
  async #atLast<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return within(this.#deadline.lastAt - performance.now(), async () => (await statement.execute(this.#db)).rows).catch(
      (error: unknown) => {
        if (isOverTime(error)) return [];
        throw error;
      },
    );
  }

  /** What can be said in a short time, without the vocabulary; nothing where even that takes too long. */
  async #listNewest(search: Search, page: Page): Promise<Matches> {
    const terms = termsAsTyped(search.words);
    const statement = listNewest({ search, terms }, page);
    const rows = await this.#atLast(statement);
    return { total: null, isExact: false, terms, paid: 0, numbers: rows.map((row) => row.listing_number) };
  }
}
