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
  maxExactTotal,
} from './search.index.ts';
import {
  type ParsedSearch,
  countAndList,
  countFacets,
  countMatches,
  listPage,
  listFallback,
  listNamesStarting,
} from './search.statements.ts';
import { toTsquery } from './search.terms.ts';
import { parseTermsAsTyped, parseTerms } from './search.vocabulary.ts';

const noMatches: Matches = { total: 0, isExact: true, numbers: [], paidCount: 0, terms: [] };
const featured = { max: maxPaidPlacements, rank: plans.featured.rank };
const firstThousand = { skip: 0, take: maxExactTotal };

class SearchTimeout extends Error {}
const isTimeout = (error: unknown) =>
  error instanceof SearchTimeout || (error instanceof Error && 'code' in error && error.code === '57014');

/** Handles a rejected search: resolves to the fallback after a timeout and rethrows other errors. */
const onTimeout =
  <Value>(fallback: () => Value) =>
  (error: unknown): Value => {
    if (isTimeout(error)) return fallback();
    throw error;
  };

/** Rejects after `ms`. The connection's statement timeout ends the query itself, because replicas do not accept a limit per transaction. */
async function withTimeout<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  if (ms === Infinity) return work();
  if (ms <= 0) throw new SearchTimeout();
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new SearchTimeout()), ms)));
  return Promise.race([work(), timeout]).finally(() => clearTimeout(timer));
}

/** When the searches of a request must end, and when its fallback queries must. */
type Deadline = { endsAt: number; fallbackEndsAt: number };
const noDeadline: Deadline = { endsAt: Infinity, fallbackEndsAt: Infinity };

// Fallback queries may end at this multiple of the limit: 650 ms for a limit of 500.
const fallbackShare = 1.3;

/** Searches with PostgreSQL's full-text indexes. `db` has a statement timeout. */
export class PostgresIndex implements SearchIndex {
  readonly #db: Db;
  readonly limitMs: number;
  readonly #deadline: Deadline;
  readonly #terms = new Map<string, ReturnType<typeof parseTerms>>();

  constructor(db: Db, limitMs: number = connectionTimeouts.searchMs, deadline = noDeadline) {
    this.#db = db;
    this.limitMs = limitMs;
    this.#deadline = deadline;
  }

  withDeadline(): SearchIndex {
    const now = performance.now();
    return new PostgresIndex(this.#db, this.limitMs, {
      endsAt: now + this.limitMs,
      fallbackEndsAt: now + fallbackShare * this.limitMs,
    });
  }

  async match(search: Search, order: Order, page: Page): Promise<Matches> {
    const found = await this.#searchTerms(
      search,
      (parsed) => this.#listMatches(parsed, order, page),
      (matches) => matches.total === 0,
    ).catch(onTimeout(() => this.#listFallback(search, page)));
    return found ?? noMatches;
  }

  async count(search: Search) {
    const found = await this.#searchTerms(
      search,
      async (parsed) => {
        const { total } = await this.#getRow(countMatches(parsed));
        return { total: Math.min(total, maxExactTotal), isExact: total <= maxExactTotal };
      },
      ({ total }) => total === 0,
    ).catch(onTimeout(() => ({ total: null, isExact: false })));
    return found ?? { total: 0, isExact: true };
  }

  async countByPlace(search: Search) {
    const { numbers, isExact } = await this.match(search, 'recommended', firstThousand);
    const named = sql<NamedListing>`
      select id, business_title as "businessTitle", service_title as "serviceTitle", locality_code as "localityCode", district_code as "districtCode"
      from listings where listing_number = any(${numbers}::int[]) order by array_position(${numbers}::int[], listing_number)`;
    const rows = await this.#listFallbackRows(named);
    return { listings: rows, isComplete: isExact };
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
    ).catch(onTimeout(() => null));
    if (!counts || counts.total > maxExactTotal) return null;
    const totals = options.map((one, index) => ({ ...one, total: counts.counts[index] ?? 0 }));
    const listTotals = (name: FilterName) =>
      totals.filter((one) => one.name === name).map(({ choice: value, total }) => ({ value, total }));
    const facets = filterNames.map((name) => [name, choiceFilters.includes(name) ? listTotals(name) : (listTotals(name)[0]?.total ?? 0)]);
    return Object.fromEntries(facets) as Facets;
  }

  listNames(kind: 'business' | 'listing', start: string, countries: readonly CountryCode[], limit: number) {
    return this.#beforeDeadline(() => listNamesStarting(this.#db, kind, start, countries, limit)).catch(onTimeout(() => []));
  }

  #beforeDeadline = <Result>(work: () => Promise<Result>): Promise<Result> => withTimeout(this.#deadline.endsAt - performance.now(), work);
  #listRows = <Row>(statement: RawBuilder<Row>): Promise<Row[]> =>
    this.#beforeDeadline(async () => (await statement.execute(this.#db)).rows);
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
    const read = (how: 'as typed' | 'looser') => this.#beforeDeadline(() => this.#parseTerms(search.words, how));
    const terms = await read('as typed');
    if (!terms) return null;
    const found = await work({ search, terms });
    if (!isEmpty(found) || search.onlyIds) return found;
    const looser = await read('looser');
    return looser && toTsquery(looser) !== toTsquery(terms) ? work({ search, terms: looser }) : found;
  }

  /** Looks up each text once per request. */
  #parseTerms(words: string, how: 'as typed' | 'looser') {
    if (this.#deadline === noDeadline) return parseTerms(this.#db, words, how);
    const key = `${how} ${words}`;
    const terms = this.#terms.get(key) ?? parseTerms(this.#db, words, how);
    this.#terms.set(key, terms);
    return terms;
  }

  async #listMatches(parsed: ParsedSearch, order: Order, page: Page): Promise<Matches> {
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

  /** Runs a short query that may end after the deadline; empty if it takes too long as well. */
  async #listFallbackRows<Row>(statement: RawBuilder<Row>): Promise<Row[]> {
    return withTimeout(this.#deadline.fallbackEndsAt - performance.now(), async () => (await statement.execute(this.#db)).rows).catch(
      onTimeout(() => []),
    );
  }

  /** The first matches without a total, found without the vocabulary. */
  async #listFallback(search: Search, page: Page): Promise<Matches> {
    const terms = parseTermsAsTyped(search.words);
    const statement = listFallback({ search, terms }, page);
    const rows = await this.#listFallbackRows(statement);
    return { total: null, isExact: false, terms, paidCount: 0, numbers: rows.map((row) => row.listing_number) };
  }
}
