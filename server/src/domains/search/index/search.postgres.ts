import { type RawBuilder, sql } from 'kysely';
import { getGroupCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { plans } from '@handwise/contract/plans/table';
import { type FilterName, filterNames, maxPaidPlacements } from '@handwise/contract/search/filters';
import { connectionTimeouts } from '../../../kit/database/connections.ts';
import type { Db } from '../../../kit/database/database.ts';
import {
  createBestCondition,
  type ParsedSearch,
  listChoices,
  listConditionsWithChoice,
  listFilterConditions,
  choiceFilters,
} from './search.conditions.ts';
import {
  type Facets,
  type Matches,
  type NamedListing,
  type Order,
  type Page,
  type Search,
  type SearchFilter,
  type SearchIndex,
  type Total,
  maxExactTotal,
} from './search.index.ts';
import { findCountryOfPlace, findOrigin } from './search.localities.ts';
import { isIndexed } from './search.selection.ts';
import {
  countAndList,
  countFacets,
  countFacetsOf,
  countLocalities,
  countMatches,
  type FirstMatches,
  listPage,
  listFirstMatches,
  listFurther,
  listNamesStarting,
  listRelated,
  needsOthers,
  type Part,
} from './search.statements.ts';
import { splitText, toTsquery } from './search.terms.ts';
import { SearchTimeout, TimeBudget, withSearchTimeout } from './search.time-budget.ts';
import { listKnownWords, parseTermsAsTyped, parseTerms } from './search.vocabulary.ts';

const noMatches: Matches & Total = {
  total: 0,
  isExact: true,
  numbers: [],
  paidCount: 0,
  terms: [],
  missingHints: [],
  levels: new Map(),
  far: [],
};
const featured = { max: maxPaidPlacements, rank: plans.featured.rank };
const firstThousand = { skip: 0, take: maxExactTotal };

// Looking through the first matches after the time limit takes at most this share of it.
const fallbackShare = 0.3;

const listFar = (numbers: NonNullable<FirstMatches['numbers']>) => numbers.filter(([, , isFar]) => isFar === 1).map(([number]) => number);

/** The groups of the searched category; none for a main category, which has no other work of its kind. */
const listGroupsOf = ({ category }: SearchFilter): number[] =>
  category?.level === 'group' ? [category.code] : category?.level === 'sub' ? [...new Set(category.codes.map(getGroupCode))] : [];

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
        const { total } = await this.#getWithOthers(parsed, (withOthers) => countMatches(parsed, withOthers));
        return { total: Math.min(total, maxExactTotal), isExact: total <= maxExactTotal };
      },
      ({ total }) => total === 0,
    );
    return found ?? { total: 0, isExact: true };
  }

  async listFurther(search: Search, besides: readonly number[], most: number) {
    const { filter } = search;
    const [country, origin] = [findCountryOfPlace(filter), findOrigin(filter)];
    if (!country || !origin) return [];
    const numbers = (parsed: ParsedSearch) => this.#listNumbers(listFurther(parsed, country, origin, besides, most));
    return (await this.#searchTerms(search, numbers, ({ length }) => length === 0)) ?? [];
  }

  async listRelated(search: Search, besides: readonly number[], most: number) {
    const groups = listGroupsOf(search.filter);
    if (groups.length === 0) return [];
    return this.#listNumbers(listRelated({ search, terms: [], hintTerms: [] }, groups, besides, most));
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

  async countByLocality(search: Search) {
    const count = async (parsed: ParsedSearch) => {
      const totals = await this.#listRows(countLocalities(parsed, false));
      const all = totals.reduce((sum, { total }) => sum + total, 0);
      return needsOthers(parsed, all) ? this.#listRows(countLocalities(parsed, true)) : totals;
    };
    return (await this.#searchTerms(search, count, ({ length }) => length === 0)) ?? [];
  }

  async countFacets(search: Search, all?: readonly number[]): Promise<Facets | null> {
    const { values } = search.filter;
    const options = filterNames.flatMap((name) => listChoices(name).map((choice) => ({ name, choice })));
    const each = options.map(({ name, choice }) => sql<boolean>`${sql.join(listConditionsWithChoice(values, name, choice), sql` and `)}`);
    // The counts beside the choices ignore which one is selected, so then the matches are not all that is counted.
    const isChosen = choiceFilters.some((name) => values?.[name] !== undefined);
    const counts =
      all && !isChosen
        ? await this.#getRow(countFacetsOf(all, each))
        : await this.#searchTerms(
            search,
            (parsed) => {
              const filters = listFilterConditions(values, choiceFilters);
              return this.#getWithOthers(parsed, (withOthers) => countFacets(parsed, filters, each, withOthers));
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
  #listNumbers = async (statement: RawBuilder<{ listing_number: number }>) =>
    (await this.#listRows(statement)).map((row) => row.listing_number);
  #getRow = async <Row>(statement: RawBuilder<Row>): Promise<Row> => (await this.#listRows(statement))[0] as Row;

  /** The row of a statement, with listings of other categories that name the work where its own has few: a statement that can have both takes longer to plan. */
  async #getWithOthers<Row extends { total: number }>(parsed: ParsedSearch, statement: (withOthers: boolean) => RawBuilder<Row>) {
    const row = await this.#getRow(statement(false));
    return needsOthers(parsed, row.total) ? this.#getRow(statement(true)) : row;
  }

  /**
   * Searches the words as typed and, if that finds nothing, with every word as a prefix and misspelled words corrected. Null if the text has
   * no words.
   */
  async #searchTerms<Found>(
    search: Search,
    work: (parsed: ParsedSearch) => Promise<Found>,
    isEmpty: (found: Found) => boolean,
  ): Promise<Found | null> {
    const hintTerms = (search.hints && (await this.#parseTerms(search.hints, 'as typed'))) || [];
    if (!search.words) return work({ search, terms: [], hintTerms });
    const terms = await this.#parseTerms(search.words, 'as typed');
    if (!terms) return null;
    const found = await work({ search, terms, hintTerms });
    if (!isEmpty(found) || search.onlyIds) return found;
    const looser = await this.#parseTerms(search.words, 'looser');
    return looser && toTsquery(looser) !== toTsquery(terms) ? work({ search, terms: looser, hintTerms }) : found;
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
    const counting = this.#getWithOthers(parsed, (withOthers) => countAndList(parsed, order, page, featured, withOthers));
    const { named, filter } = parsed.search;
    // Who asks for a later page of a text mostly has more matches than are counted, so that page is looked for at the same time.
    const isLater = page.skip > 0 && parsed.terms.length > 0 && !filter.near && !named && isIndexed(order);
    const ahead = isLater ? this.#listPage(parsed, order, page, []) : undefined;
    ahead?.catch(() => {});
    const first = await counting;
    const total = Math.min(first.total, maxExactTotal);
    const { pinned } = first;
    const paidCount = Math.max(0, Math.min(page.take, first.paid - page.skip));
    const hints = splitText(parsed.search.hints ?? '');
    const missingHints = hints.filter((_, at) => first.hints[at] === false).map((words) => words.join(' '));
    const known = {
      total,
      isExact: first.total <= maxExactTotal,
      terms: [...parsed.terms, ...parsed.hintTerms],
      missingHints,
      ...(first.all && { all: first.all }),
    };
    if (first.numbers)
      return {
        ...known,
        numbers: first.numbers.map(([number]) => number),
        levels: new Map(first.numbers.map(([number, level]) => [number, level])),
        far: listFar(first.numbers),
        paidCount,
      };
    const shown = pinned.slice(page.skip, page.skip + page.take);
    const rest = { skip: Math.max(0, page.skip - pinned.length), take: page.take - shown.length };
    const others = await (ahead ?? this.#listPage(parsed, order, rest, pinned));
    return { ...known, numbers: [...shown, ...others.numbers], levels: new Map(), far: [], paidCount: others.paidCount };
  }

  /** A page of more matches than are counted: the paid placements, then the best, then the others. */
  async #listPage(parsed: ParsedSearch, order: Order, { skip, take }: Page, pinned: readonly number[]) {
    const hasBest = createBestCondition(parsed) !== undefined;
    const list = (page: Page, part: Part) => this.#getRow(listPage(parsed, order, page, part));
    const best = { ...(hasBest && { best: true }) };
    const placements = { rank: featured.rank, without: pinned, ...best };
    const first = order === 'recommended' ? [] : (await list({ skip: 0, take: featured.max }, placements)).numbers;
    const shown = first.slice(skip, skip + take);
    const without = [...pinned, ...first];
    const rest = { skip: Math.max(0, skip - first.length), take: take - shown.length };
    const { numbers: own, total } = await list(rest, { without, ...best });
    const numbers = [...shown, ...own];
    if (hasBest && total !== null && numbers.length < take) {
      const others = { skip: Math.max(0, rest.skip - total), take: take - numbers.length };
      numbers.push(...(await list(others, { without, best: false })).numbers);
    }
    return { numbers, paidCount: shown.length };
  }

  /** The first matches without a total, found without the vocabulary. Throws `SearchTimeout` if there are none: the others may match. */
  async #matchFirst(search: Search, page: Page): Promise<Matches> {
    const terms = parseTermsAsTyped(search.words);
    const statement = listFirstMatches({ search, terms, hintTerms: [] }, page);
    const rows = await this.#listRows(statement, new TimeBudget(fallbackShare * this.#limitMs));
    if (rows.length === 0) throw new SearchTimeout();
    return {
      total: null,
      isExact: false,
      terms,
      paidCount: 0,
      missingHints: [],
      levels: new Map(),
      far: [],
      numbers: rows.map((row) => row.listing_number),
    };
  }
}
