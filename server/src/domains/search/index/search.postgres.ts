import { plans } from '@handwise/contract/plans/table';
import { type FilterName, filterNames, maxPaidPlaces } from '@handwise/contract/search/filters';
import type { CountryCode } from '@handwise/contract/markets';
import { type RawBuilder, sql } from 'kysely';
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
import { type Asked, countAndList, countEach, countOnly, listMany, listNewest } from './search.statements.ts';
import { namesStarting } from './search.names.ts';
import { tsqueryOf } from './search.terms.ts';
import { termsOf } from './search.vocabulary.ts';

const nothing: Matches = { total: 0, isExact: true, numbers: [], paid: 0, terms: [] };
const featured = { most: maxPaidPlaces, rank: plans.featured.rank };
const wholeThousand = { skip: 0, take: mostCounted };

const isOverTime = (error: unknown) => error instanceof Error && 'code' in error && error.code === '57014';

/** The search on PostgreSQL's own indexes. `db` ends statements that take too long. */
export class PostgresIndex implements SearchIndex {
  readonly #db: Db;
  readonly #fallbackMs: number;

  constructor(db: Db, { fallbackMs = 150 } = {}) {
    this.#db = db;
    this.#fallbackMs = fallbackMs;
  }

  async match(search: Search, order: Order, page: Page): Promise<Matches> {
    const found = await this.#read(
      search,
      (asked) => this.#list(asked, order, page),
      (matches) => matches.total === 0,
    );
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
    const { rows } = await sql<NamedListing>`
      select id, business_title as "businessTitle", service_title as "serviceTitle", locality_code as "localityCode", district_code as "districtCode"
      from listings where listing_number = any(${numbers}::int[]) order by array_position(${numbers}::int[], listing_number)`.execute(
      this.#db,
    );
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
    return namesStarting(this.#db, kind, start, countries, most).catch((error: unknown) => {
      if (isOverTime(error)) return [];
      throw error;
    });
  }

  async #one<Row>(statement: RawBuilder<Row>): Promise<Row> {
    const { rows } = await statement.execute(this.#db);
    return rows[0] as Row;
  }

  /**
   * Works with the words as they are; where that finds nothing, with each as the beginning of others, and corrected where only listings that
   * ended had it. Null where there are no words in the text.
   */
  async #read<Found>(search: Search, work: (asked: Asked) => Promise<Found>, isEmpty: (found: Found) => boolean): Promise<Found | null> {
    if (!search.words) return work({ search, terms: [] });
    const terms = await termsOf(this.#db, search.words, 'as typed');
    if (!terms) return null;
    const found = await work({ search, terms });
    if (!isEmpty(found) || search.among) return found;
    const looser = await termsOf(this.#db, search.words, 'looser');
    return looser && tsqueryOf(looser) !== tsqueryOf(terms) ? work({ search, terms: looser }) : found;
  }

  async #list(asked: Asked, order: Order, page: Page): Promise<Matches> {
    const { terms } = asked;
    try {
      const first = await this.#one(countAndList(asked, order, page, featured));
      const total = Math.min(first.total, mostCounted);
      const paid = Math.max(0, Math.min(page.take, first.paid - page.skip));
      const known = { total, isExact: first.total <= mostCounted, terms };
      if (first.numbers) return { ...known, numbers: first.numbers, paid };
      return { ...known, ...(await this.#listMany(asked, order, page)) };
    } catch (error) {
      if (!isOverTime(error)) throw error;
      return { total: null, isExact: false, terms, paid: 0, numbers: await this.#listNewest(asked, page) };
    }
  }

  /** Where more match than are counted: the first of the highest plan and the page of the others. */
  async #listMany(asked: Asked, order: Order, { skip, take }: Page) {
    const list = async (page: Page, part?: { rank?: number; without?: readonly number[] }) =>
      (await listMany(asked, order, page, part).execute(this.#db)).rows.map((row) => row.listing_number);
    if (order === 'recommended') return { numbers: await list({ skip, take }), paid: 0 };
    const first = await list({ skip: 0, take: featured.most }, { rank: featured.rank });
    const shown = first.slice(skip, skip + take);
    const rest = { skip: Math.max(0, skip - first.length), take: take - shown.length };
    return { numbers: [...shown, ...(await list(rest, { without: first }))], paid: shown.length };
  }

  /** What can be said in a short time; nothing where even that takes too long. */
  async #listNewest(asked: Asked, page: Page): Promise<number[]> {
    try {
      return await this.#db.transaction().execute(async (tx) => {
        await sql`set local statement_timeout = ${sql.lit(this.#fallbackMs)}`.execute(tx);
        const { rows } = await listNewest(asked, page).execute(tx);
        return rows.map((row) => row.listing_number);
      });
    } catch (error) {
      if (isOverTime(error)) return [];
      throw error;
    }
  }
}
