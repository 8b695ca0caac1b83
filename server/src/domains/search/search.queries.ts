import { bestCredit } from '@handwise/contract/best-rating';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../kit/database.generated.ts';
import { prepared, type Reader } from '../../kit/database.ts';
import { runForm } from '../../kit/statements.ts';
import { cardColumns } from '../listings/listings.service.ts';
import type { WordCount, WordQuery } from './search.planner.ts';
import type { ListingFilter } from './search.rules.ts';

type Page = { skip: number; take: number };

// Written out, not a parameter: only then do the indexes of active listings serve.
const active = sql.lit('active' as const);

const subCodesOf = ({ category }: ListingFilter) => (category?.level === 'sub' ? category.codes : [undefined]);

// Facets are written as `column = value`, never `column = any(…)`: only then does an index give the list's order.
const matching =
  ({ place, category }: ListingFilter, subCode?: number) =>
  (eb: ExpressionBuilder<DB, 'listings'>) => {
    const parts = [eb('status', '=', active)];
    if (place?.level === 'country') parts.push(eb('country', '=', place.country));
    if (place?.level === 'region') parts.push(eb('region_code', '=', place.code));
    if (place?.level === 'district') parts.push(eb('district_code', '=', place.code));
    if (category?.level === 'main') parts.push(eb('main_category', '=', category.main));
    if (category?.level === 'group') parts.push(eb('category_code', '=', category.code));
    if (category?.level === 'sub' && subCode !== undefined) parts.push(eb('sub_category_code', '=', subCode));
    return eb.and(parts);
  };

// How the conditions of a filter read, and the values in them.
const levelsOf = ({ place, category }: ListingFilter) => `${place?.level ?? '-'} ${category?.level ?? '-'}`;
const valuesOf = ({ place, category }: ListingFilter) => [
  ...(!place ? [] : place.level === 'country' ? [place.country] : [place.code]),
  ...(!category ? [] : category.level === 'main' ? [category.main] : category.level === 'group' ? [category.code] : category.codes),
];

const selectKeys = (db: Reader) => db.selectFrom('listings').select('sort_key');
const selectCards = (db: Reader) => db.selectFrom('listings').modifyFront(prepared).select(cardColumns);

type Keys = ReturnType<typeof selectKeys>;

// A sub-category's name can belong to two groups: the lists of both are merged in order.
function merged(db: Reader, legs: readonly Keys[], direction: 'asc' | 'desc') {
  const [first, ...others] = legs.map((leg) => db.selectFrom(leg.as('leg')).select('sort_key'));
  if (!first) throw new Error('no list to take a page of');
  return others.reduce((all, leg) => all.unionAll(leg), first).orderBy('sort_key', direction);
}

// The keys come from the index alone, and only the page's own rows are read.
const selectPage = (db: Reader, legs: readonly Keys[], direction: 'asc' | 'desc', page: Page) =>
  selectCards(db)
    .where('sort_key', 'in', merged(db, legs, direction).offset(page.skip).limit(page.take))
    .orderBy('sort_key', 'desc');

// So many skipped rows are cheaper read whole than looked up by their keys afterwards.
const fewRows = 200;

/** One page of a filtered list. `fromEnd` counts the skipped rows from the list's end, for pages of its second half. */
export function listPage(db: Reader, filter: ListingFilter, page: Page & { fromEnd: boolean }) {
  const codes = subCodesOf(filter);
  if (codes.length === 1 && !page.fromEnd && page.skip <= fewRows) {
    return runForm(db, `search.page ${levelsOf(filter)}`, [...valuesOf(filter), page.take, page.skip], (reader) =>
      selectCards(reader).where(matching(filter, codes[0])).orderBy('sort_key', 'desc').offset(page.skip).limit(page.take),
    );
  }
  const direction = page.fromEnd ? 'asc' : 'desc';
  const legs = codes.map((code) =>
    selectKeys(db)
      .where(matching(filter, code))
      .orderBy('sort_key', direction)
      .limit(page.skip + page.take),
  );
  return selectPage(db, legs, direction, page).execute();
}

// `bestScore` of the contract.
const reviewsOf = sql`(rating_counts[1] + rating_counts[2] + rating_counts[3] + rating_counts[4] + rating_counts[5])`;
const starsOf = sql`(rating_counts[1] + 2 * rating_counts[2] + 3 * rating_counts[3] + 4 * rating_counts[4] + 5 * rating_counts[5])`;
const scoreOf = (mean: number) => sql<number>`(${bestCredit * mean}::float8 + ${starsOf}) / (${sql.lit(bestCredit)} + ${reviewsOf})`;

/** One page of a group, the best first, and between equals in the list's order. `mean` is the average of all its reviews. */
export const listBest = (db: Reader, filter: ListingFilter, mean: number, page: Page) =>
  db
    .with('best', (cte) =>
      cte
        .selectFrom('listings')
        .select(['sort_key as key', scoreOf(mean).as('score')])
        .where(matching(filter))
        .orderBy('score', 'desc')
        .orderBy('key', 'desc')
        .offset(page.skip)
        .limit(page.take),
    )
    .selectFrom('best')
    .innerJoin('listings', 'sort_key', 'best.key')
    .select(cardColumns)
    .orderBy('score', 'desc')
    .orderBy('key', 'desc')
    .execute();

/** The exact number of active listings of a filter. */
export async function countListings(db: Reader, filter: ListingFilter): Promise<number> {
  const { place, category } = filter;
  const form = `search.count ${levelsOf(filter)} ${subCodesOf(filter).length}`;
  const [counted] = await runForm(db, form, valuesOf(filter), (reader) =>
    reader
      .selectFrom('listing_counts')
      .modifyFront(prepared)
      .select(({ cast, fn, lit }) => cast<number>(fn.coalesce(fn.sum('listings'), lit(0)), 'integer').as('total'))
      .where((eb) => {
        const parts = [];
        if (place?.level === 'country') parts.push(eb('country', '=', place.country));
        if (place?.level === 'region') parts.push(eb('region_code', '=', place.code));
        if (place?.level === 'district') parts.push(eb('district_code', '=', place.code));
        if (category?.level === 'main') parts.push(eb('main_category', '=', category.main));
        if (category?.level === 'group') parts.push(eb('category_code', '=', category.code));
        if (category?.level === 'sub') parts.push(eb('sub_category_code', 'in', category.codes));
        return eb.and(parts);
      }),
  );
  return counted?.total ?? 0;
}

export type Candidate = { typed: string; word: string; exact: boolean };

/**
 * The words of the vocabulary that each searched word may stand for: all that it is a part of (`exact`), or where there
 * is none, the most similar. One and two letters count as the beginning of a word: they are a part of nearly all.
 */
export async function findWords(db: Reader, typed: readonly string[]): Promise<Candidate[]> {
  // Nearly all of it are expressions of pg_trgm, which the query builder would only wrap.
  const { rows } = await sql<Candidate>`${prepared}
    with typed as materialized (select word as typed from unnest(${[...typed]}::text[]) as word),
    parts as materialized (
      select typed, word from typed, lateral (
        select word from search_words
        where length(typed) > 2 and word like '%' || typed || '%' and listings > 0
        union all
        select word from search_words
        where length(typed) <= 2 and word >= typed and word < typed || U&'\\+10FFFF' and listings > 0
      ) as part
    )
    select typed, word, true as exact from parts
    union all
    select typed, word, false from typed, lateral (
      select word from search_words where word % typed and listings > 0
      order by similarity(word, typed) desc, listings desc limit 30
    ) as near
    where length(typed) > 3 and not exists (select from parts where parts.typed = typed.typed)`.execute(db);
  return rows;
}

const holding = (query: RawBuilder<unknown>) => sql<boolean>`search_vector @@ (${query})::tsquery`;
const unnested = (words: readonly string[]) => sql<{ word: string }>`unnest(${[...words]}::text[])`.as<'word'>(sql`word(word)`);

// The sort keys of all matches. Wide groups are looked up word by word, and what every group has is a match.
function matches(db: Reader, { text, wide }: WordQuery) {
  const within = (query: RawBuilder<unknown>) => selectKeys(db).where('status', '=', active).where(holding(query));
  if (wide.length === 0) return within(sql`${text}`);
  const [first, ...others] = wide.map((group) =>
    db
      .selectFrom(unnested(group))
      .innerJoinLateral(within(sql`quote_literal(word.word) || ${text && `&${text}`}`).as('found'), (join) => join.onTrue())
      .select('found.sort_key')
      .distinct(),
  );
  if (!first) throw new Error('no words to look up');
  return others.reduce((all, group) => all.intersect(group), first);
}

async function countMatches(db: Reader, query: WordQuery): Promise<number> {
  const { total } = await db
    .selectFrom(matches(db, query).as('matches'))
    .modifyFront(prepared)
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

/** The exact number of active listings that have one of the words: the sum of the words' counts, less what is in it twice. */
export async function countWords(db: Reader, { words, several, regionCodes, categoryCodes }: WordCount): Promise<number> {
  const given = { regions: regionCodes, categories: categoryCodes, several };
  const form = Object.entries(given).map(([name, value]) => (value === null ? '-' : name));
  const values = [words, ...[regionCodes, categoryCodes].filter((codes) => codes !== null), ...(several === null ? [] : [words, several])];
  const [counted] = await runForm(db, `search.words ${form.join(' ')}`, values, (reader) =>
    selectWordCount(reader, { words, several, regionCodes, categoryCodes }),
  );
  return counted?.total ?? 0;
}

function selectWordCount(db: Reader, { words, several, regionCodes, categoryCodes }: WordCount) {
  const ofWords = db
    .selectFrom('search_word_counts')
    .select(({ fn }) => fn.sum<number>('listings').as('listings'))
    .where('word', '=', sql<string>`any(${[...words]}::text[])`)
    .$if(regionCodes !== null, (query) => query.where('region_code', '=', sql<number>`any(${regionCodes}::smallint[])`))
    .$if(categoryCodes !== null, (query) => query.where('category_code', '=', sql<number>`any(${categoryCodes}::smallint[])`));
  const had = db
    .selectFrom(unnested(words))
    .select(({ fn }) => fn.countAll<number>().as('words'))
    .where(holding(sql`quote_literal(word.word)`));
  const tooMany =
    several === null
      ? sql.lit(0)
      : db
          .selectFrom('listings')
          .select(sql<number>`sum(${had} - 1)`.as('listings'))
          .where('status', '=', active)
          .where(holding(sql`${several}`));
  return db.selectNoFrom(sql<number>`(coalesce(${ofWords}, 0) - coalesce(${tooMany}, 0))::int`.as('total')).modifyFront(prepared);
}

/** A page of matches, found by walking the list's own index. `is true` keeps the planner from the search index. */
export function walkMatches(db: Reader, filter: ListingFilter, query: string, page: Page) {
  const codes = subCodesOf(filter);
  const reach = page.skip + page.take;
  const build = (reader: Reader) => {
    const legs = codes.map((code) =>
      selectKeys(reader)
        .where(matching(filter, code))
        .where(sql<boolean>`(${holding(sql`${query}`)}) is true`)
        .orderBy('sort_key', 'desc')
        .limit(reach),
    );
    return selectPage(reader, legs, 'desc', page);
  };
  if (codes.length > 1) return build(db).execute();
  return runForm(db, `search.walk ${levelsOf(filter)}`, [...valuesOf(filter), query, reach, page.take, page.skip], build);
}

/** A page of matches and their total, from one pass over the search index. */
export async function sortMatches(db: Reader, query: WordQuery, page: Page) {
  const build = (reader: Reader) =>
    reader
      .with(
        (cte) => cte('matches').materialized(),
        () => matches(reader, query),
      )
      .with('page', (matched) =>
        matched.selectFrom('matches').select('sort_key').orderBy('sort_key', 'desc').offset(page.skip).limit(page.take),
      )
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(cardColumns)
      .select(({ selectFrom }) =>
        selectFrom('matches')
          .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
          .as('total'),
      )
      .where('sort_key', 'in', ({ selectFrom }) => selectFrom('page').select('page.sort_key'))
      .orderBy('sort_key', 'desc');
  const rows = await (query.wide.length > 0 ? build(db).execute() : runForm(db, 'search.sort', [query.text, page.take, page.skip], build));
  const total = rows[0]?.total ?? (page.skip === 0 ? 0 : await countMatches(db, query));
  return { rows, total };
}

export const findByNumber = (db: Reader, listingNumber: number, filter: ListingFilter) =>
  db
    .selectFrom('listings')
    .select(cardColumns)
    .where('listing_number', '=', listingNumber)
    .where((eb) => eb.or(subCodesOf(filter).map((code) => matching(filter, code)(eb))))
    .execute();
