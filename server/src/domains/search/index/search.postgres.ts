import { plans } from '@handwise/contract/plans/table';
import { type FilterName, filterNames, maxPaidPlacements } from '@handwise/contract/search/filters';
import type { CountryCode } from '@handwise/contract/markets';
import { type RawBuilder, sql } from 'kysely';
import { connectionTimeouts } from '../../../kit/database/connections.ts';
import type { Db } from '../../../kit/database/database.ts';
import { listChoices, listConditionsWithChoice, listFilterConditions, choiceFilters } from './search.filter-columns.ts';
import {
  type Facets,
  type Matches,
  type NamedListing,
  type Order,
  type Page,
  type Search,
  type SearchIndex,
  type Total,
  maxExactTotal,
} from './search.index.ts';
import {
  type ParsedSearch,
  countAndList,
  countFacets,
  countMatches,
  listPage,
  listFirstMatches,
  listNamesStarting,
} from './search.statements.ts';
import { toTsquery } from './search.terms.ts';
import { SearchTimeout, TimeBudget, withSearchTimeout } from './search.time-budget.ts';
import { listKnownWords, parseTermsAsTyped, parseTerms } from './search.vocabulary.ts';

const noMatches: Matches & Total = { total: 0, isExact: true, numbers: [], paidCount: 0, terms: [] };
const featured = { max: maxPaidPlacements, rank: plans.featured.rank };
const firstThousand = { skip: 0, take: maxExactTotal };

// Looking through the first matches after the time limit takes at most this share of it.
const fallbackShare = 0.3;

/** Searches with PostgreSQL's full-text indexes. The connections of `db` end a statement after `limitMs`. */
export class PostgresIndex implements SearchIndex {
  readonly #db: Db;
  readonly #limitMs: number;
  /** The time of the request; null outside of requests. */
  readonly #budget: TimeBudget | null;
  readonly #terms = new Map<string, ReturnType<typeof parseTerms>>();

  constructor(db: Db, limitMs: number = connectionTimeouts.searchMs, budget: TimeBudget | null = null) {
    this.#db = db;
    this.#limitMs = limitMs;
    this.#budget = budget;
  }

  withTimeLimit(): SearchIndex {
    return new PostgresIndex(this.#db, this.#limitMs, new TimeBudget(this.#limitMs));
  }

  async match(search: Search, order: Order, page: Page): Promise<Matches> {
    try {
      return await this.#matchAll(search, order, page);
    } catch (error) {
      if (!this.#budget || !(error instanceof SearchTimeout)) throw error;
      return await this.#matchFirst(search, page);
    }
  }

  async count(search: Search) {
    const found = await this.#searchTerms(
      search,
      async (parsed) => {
        const { total } = await this.#getRow(countMatches(parsed));
        return { total: Math.min(total, maxExactTotal), isExact: total <= maxExactTotal };
      },
      ({ total }) => total === 0,
    );
    return found ?? { total: 0, isExact: true };
  }

  listKnownWords(words: readonly string[]) {
    return listKnownWords(this.#listRows, words);
  }

  async countByPlace(search: Search) {
    const { numbers, isExact } = await this.#matchAll(search, 'recommended', firstThousand);
    const named = sql<NamedListing>`
      select id, business_title as "businessTitle", service_title as "serviceTitle", locality_code as "localityCode", district_code as "districtCode",
        rating_counts as "ratingCounts", price_from_minor as "priceFrom", price_unit as "priceUnit"
      from listings where listing_number = any(${numbers}::int[]) order by array_position(${numbers}::int[], listing_number)`;
    return { listings: await this.#listRows(named), isComplete: isExact };
  }

  async countFacets(search: Search): Promise<Facets | null> {
    const { values } = search.filter;
    const options = filterNames.flatMap((name) => listChoices(name).map((choice) => ({ name, choice })));
    const counts = await this.#searchTerms(
      search,
      (parsed) => {
        const each = options.map(
          ({ name, choice }) => sql<boolean>`${sql.join(listConditionsWithChoice(values, name, choice), sql` and `)}`,
        );
        return this.#getRow(countFacets(parsed, listFilterConditions(values, choiceFilters), each));
      },
      ({ total }) => total === 0,
    );
    if (!counts || counts.total > maxExactTotal) return null;
    const totals = options.map((one, index) => ({ ...one, total: counts.counts[index] ?? 0 }));
    const listTotals = (name: FilterName) =>
      totals.filter((one) => one.name === name).map(({ choice: value, total }) => ({ value, total }));
    const facets = filterNames.map((name) => [name, choiceFilters.includes(name) ? listTotals(name) : (listTotals(name)[0]?.total ?? 0)]);
    return Object.fromEntries(facets) as Facets;
  }

  listNames(kind: 'business' | 'listing', start: string, countries: readonly CountryCode[], limit: number) {
    return this.#listRows(listNamesStarting(kind, start, countries, limit));
  }

  /** Outside of requests only the connection limits a statement. */
  #listRows = <Row>(statement: RawBuilder<Row>, budget = this.#budget): Promise<Row[]> => {
    const run = async () => (await statement.execute(this.#db)).rows;
    return budget ? budget.run(run) : withSearchTimeout(run);
  };
  #getRow = async <Row>(statement: RawBuilder<Row>): Promise<Row> => (await this.#listRows(statement))[0] as Row;

  /**
   * Searches the words as typed and, if that finds nothing, with every word as a prefix and misspelled words corrected. Null if the text has
   * no words.
   */
  async #searchTerms<Found>(
    search: Search,
    work: (parsed: ParsedSearch) => Promise<Found>,
    isEmpty: (found: Found) => boolean,
  ): Promise<Found | null> {
    if (!search.words) return work({ search, terms: [] });
    const terms = await this.#parseTerms(search.words, 'as typed');
    if (!terms) return null;
    const found = await work({ search, terms });
    if (!isEmpty(found) || search.onlyIds) return found;
    const looser = await this.#parseTerms(search.words, 'looser');
    return looser && toTsquery(looser) !== toTsquery(terms) ? work({ search, terms: looser }) : found;
  }

  /** Looks up each text once per request. */
  #parseTerms(words: string, how: 'as typed' | 'looser') {
    const parse = () => parseTerms(this.#listRows, words, how);
    if (!this.#budget) return parse();
    const key = `${how} ${words}`;
    const terms = this.#terms.get(key) ?? parse();
    this.#terms.set(key, terms);
    return terms;
  }

  async #matchAll(search: Search, order: Order, page: Page): Promise<Matches & Total> {
    const found = await this.#searchTerms(
      search,
      (parsed) => this.#listMatches(parsed, order, page),
      (matches) => matches.total === 0,
    );
    return found ?? noMatches;
  }

  async #listMatches(parsed: ParsedSearch, order: Order, page: Page): Promise<Matches & Total> {
    const first = await this.#getRow(countAndList(parsed, order, page, featured));
    const total = Math.min(first.total, maxExactTotal);
    const paidCount = Math.max(0, Math.min(page.take, first.paid - page.skip));
    const known = { total, isExact: first.total <= maxExactTotal, terms: parsed.terms };
    if (first.numbers) return { ...known, numbers: first.numbers, paidCount };
    return { ...known, ...(await this.#listPage(parsed, order, page)) };
  }

  /** A page of more matches than are counted: the paid placements, then the others. */
  async #listPage(parsed: ParsedSearch, order: Order, { skip, take }: Page) {
    const list = async (page: Page, part?: { rank?: number; without?: readonly number[] }) =>
      (await this.#listRows(listPage(parsed, order, page, part))).map((row) => row.listing_number);
    if (order === 'recommended') return { numbers: await list({ skip, take }), paidCount: 0 };
    const first = await list({ skip: 0, take: featured.max }, { rank: featured.rank });
    const shown = first.slice(skip, skip + take);
    const rest = { skip: Math.max(0, skip - first.length), take: take - shown.length };
    return { numbers: [...shown, ...(await list(rest, { without: first }))], paidCount: shown.length };
  }

  /** The first matches without a total, found without the vocabulary. Throws `SearchTimeout` if there are none: the others may match. */
  async #matchFirst(search: Search, page: Page): Promise<Matches> {
    const terms = parseTermsAsTyped(search.words);
    const statement = listFirstMatches({ search, terms }, page);
    const rows = await this.#listRows(statement, new TimeBudget(fallbackShare * this.#limitMs));
    if (rows.length === 0) throw new SearchTimeout();
    return { total: null, isExact: false, terms, paidCount: 0, numbers: rows.map((row) => row.listing_number) };
  }
}
