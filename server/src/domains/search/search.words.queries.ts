import { type RawBuilder, sql } from 'kysely';
import { prepared, type Reader } from '../../kit/database/database.ts';
import { runForm } from '../../kit/database/statements.ts';
import { cardColumns } from '../listings/listings.service.ts';
import { type Page, active, levelsOf, matching, selectKeys, selectPage, subCodesOf, valuesOf } from './search.lists.queries.ts';
import { evidenceHolds } from './search.orders.queries.ts';
import type { WordCount, WordQuery } from './search.planner.ts';
import type { ListingFilter } from './search.rules.ts';

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

export const holding = (query: RawBuilder<unknown>) => sql<boolean>`search_vector @@ (${query})::tsquery`;
const unnested = (words: readonly string[]) => sql<{ word: string }>`unnest(${[...words]}::text[])`.as<'word'>(sql`word(word)`);

// The sort keys of all matches. Wide groups are looked up word by word, and what every group has is a match.
export function matches(db: Reader, { text, wide, evidence }: WordQuery) {
  const within = (query: RawBuilder<unknown>) =>
    selectKeys(db)
      .where('status', '=', active)
      .where(holding(query))
      .where((eb) => eb.and(evidenceHolds(evidence)));
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
        .where((eb) => eb.and(evidenceHolds(filter.evidence)))
        .orderBy('sort_key', 'desc')
        .limit(reach),
    );
    return selectPage(reader, legs, 'desc', page);
  };
  if (codes.length > 1 || filter.evidence) return build(db).execute();
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
  const rows = await (query.wide.length > 0 || query.evidence
    ? build(db).execute()
    : runForm(db, 'search.sort', [query.text, page.take, page.skip], build));
  const total = rows[0]?.total ?? (page.skip === 0 ? 0 : await countMatches(db, query));
  return { rows, total };
}
