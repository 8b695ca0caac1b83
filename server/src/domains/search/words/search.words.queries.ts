import { groupCodeOf } from '@handwise/contract/categories';
import { type AliasableExpression, type RawBuilder, sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { cardColumns } from '../../listings/listings.service.ts';
import { type Page, active, levelsOf, matching, selectKeys, selectPage, subCodesOf, valuesOf } from '../orders/search.lists.queries.ts';
import { evidenceHolds } from '../orders/search.orders.queries.ts';
import {
  type Leg,
  type Legs,
  type WordCount,
  type WordQuery,
  type WordSum,
  type Worth,
  both,
  legText,
  legsOf,
  rankToken,
} from './search.planner.ts';
import type { ListingFilter } from '../search.rules.ts';
import { formOf } from './search.word-forms.ts';
import type { Candidates } from './search.words.rules.ts';

/**
 * The forms of the words of the vocabulary that each searched word stands for, those that most listings have first: of all that begin with it, are
 * another form of it, or are put together with it; or where there is none, the most similar words. A compound is one whose two parts are
 * each a commoner word than itself: "heatpump" is found by "pump" where people write "heat" and "pump" more often, "Sanderson" never
 * by "anderson".
 */
export async function findWords(db: Reader, typed: readonly string[]): Promise<Map<string, Candidates>> {
  // Nearly all of it are expressions of pg_trgm, which the query builder would only wrap. Thousands of forms come as one text: forms hold
  // letters and digits only.
  const values = [[...typed], typed.map(formOf)] as const;
  const statement = sql<{ typed: string; forms: string | null; near: string | null }>`${prepared}
    with typed as materialized (select * from unnest(${values[0]}::text[], ${values[1]}::text[]) as typed (typed, form)),
    meant as materialized (
      select typed, found.form, word, listings from typed, lateral (
        select word, search_words.form, listings from search_words where word >= typed and word < typed || U&'\\+10FFFF' and listings > 0
        union
        select word, search_words.form, listings from search_words where search_words.form = typed.form and listings > 0
        union
        select whole.word, whole.form, whole.listings from search_words as whole
        join search_words as head on head.word = left(whole.word, strpos(whole.word, typed) - 1) and head.listings > whole.listings
        where length(typed) > 3 and whole.word like '___%' || typed || '%' and whole.listings > 0
          and form_of(substr(whole.word, strpos(whole.word, typed))) = typed.form
          and whole.listings < (select sum(listings) from search_words where search_words.form = typed.form)
      ) as found
    )
    select typed, string_agg(form, ' ' order by listings desc, form) as forms, null as near
    from (select typed, form, sum(listings) as listings from meant group by typed, form) as meant group by typed
    union all
    select typed, null, string_agg(word, ' ') from typed, lateral (
      select word from search_words where word % typed and listings > 0
      order by similarity(word, typed) desc, listings desc limit 30
    ) as near
    where length(typed) > 3 and not exists (select from meant where meant.typed = typed.typed) group by typed`;
  const rows = await runForm(db, 'search.vocabulary', values, (reader) => ({ compile: () => statement.compile(reader) }));
  const split = (text: string | null) => text?.split(' ') ?? [];
  return new Map(rows.map(({ typed: word, forms, near }) => [word, { forms: split(forms), near: split(near) }]));
}

export const holding = (query: RawBuilder<unknown>) => sql<boolean>`search_vector @@ (${query})::tsquery`;

// PostgreSQL asks in the order of a case, so most rows are asked once or twice.
const worthOf = ([first, second, third]: readonly [RawBuilder<unknown>, RawBuilder<unknown>, RawBuilder<unknown>]) =>
  sql<Worth>`case when ${holding(first)} then 1 when ${holding(second)} then 2 when ${holding(third)} then 3 else 4 end`;

/** What the narrow words and the facets of a query ask for, in any field. */
export const anyText = ({ texts, facets }: WordQuery) => both(texts[3], facets);

const selectMatches = (db: Reader, rows: AliasableExpression<{ sort_key: string; worth: Worth }>) =>
  db.selectFrom(rows.as('found')).select(['sort_key', 'worth']);

/** All matches with what they are worth. Words of many forms are looked up form by form, and what every word has is a match. */
export function matches(db: Reader, query: WordQuery) {
  const { texts, wide, evidence } = query;
  const narrow = anyText(query);
  const ofNarrow = texts[3] === '' ? sql<Worth>`1` : worthOf([sql`${texts[0]}`, sql`${texts[1]}`, sql`${texts[2]}`]);
  const within = (text: RawBuilder<unknown>) =>
    selectKeys(db)
      .where('status', '=', active)
      .where(holding(text))
      .where((eb) => eb.and(evidenceHolds(evidence)));
  if (wide.length === 0) return selectMatches(db, within(sql`${narrow}`).select(ofNarrow.as('worth')));
  const words = wide.map((forms) => {
    const [first, second, third, any] = [0, 1, 2, 3].map((index) => sql`${forms.map((texts) => texts[index] ?? '')}::tsquery[]`);
    const worth = worthOf([sql`form.title`, sql`form.business`, sql`form.services`]);
    return db
      .selectFrom(sql`unnest(${first}, ${second}, ${third}, ${any})`.as<'form'>(sql`form(title, business, services, any_field)`))
      .innerJoinLateral(
        within(narrow ? sql`form.any_field && ${narrow}::tsquery` : sql`form.any_field`)
          .select([worth.as('of_word'), ofNarrow.as('of_narrow')])
          .as('found'),
        (join) => join.onTrue(),
      )
      .groupBy('found.sort_key')
      .select(['found.sort_key', sql<Worth>`greatest(min(of_word), min(of_narrow))`.as('worth')]);
  });
  const [first, ...others] = words.map((word) => selectMatches(db, word));
  if (!first) throw new Error('no words to look up');
  return selectMatches(
    db,
    db
      .selectFrom(others.reduce((all, word) => all.unionAll(word), first).as('word'))
      .groupBy('sort_key')
      .having(({ fn }) => fn.countAll(), '=', words.length)
      .select(['sort_key', sql<Worth>`max(worth)`.as('worth')]),
  );
}

const rankOf = sql<number>`(sort_key / 1000000000000)::int`;

/** How many matches each rank and worth has. */
async function countMatches(db: Reader, query: WordQuery): Promise<Leg[]> {
  return db
    .selectFrom(matches(db, query).as('matches'))
    .modifyFront(prepared)
    .select(({ cast, fn }) => [rankOf.as('rank'), 'worth', cast<number>(fn.countAll(), 'integer').as('listings')])
    .groupBy(['rank', 'worth'])
    .execute();
}

/** The exact number of active listings that have one of the forms: the sum of their counts, less what is in it twice. */
export async function countWords(db: Reader, count: WordCount): Promise<Legs> {
  const [sums, tooMany] = await Promise.all([sumForms(db, count), count.several ? countTwice(db, count.several) : 0]);
  return legsOf(count, sums, tooMany);
}

function sumForms(db: Reader, { forms, categoryCodes, subCodes, within }: WordCount): Promise<WordSum[]> {
  const smallints = (codes: readonly number[]) => sql<number>`any(${[...codes]}::smallint[])`;
  const ofCounts = (reader: Reader) =>
    reader
      .selectFrom('search_word_counts')
      .select('plan_rank as rank')
      .select(({ cast, fn }) => [
        cast<number>(fn.sum('in_title'), 'integer').as('title'),
        cast<number>(fn.sum('in_business'), 'integer').as('business'),
        cast<number>(fn.sum('in_services'), 'integer').as('services'),
      ])
      .$if(within.regions !== null, (query) => query.where('region_code', '=', smallints(within.regions ?? [])))
      .$if(within.categories !== null, (query) => query.where('category_code', '=', smallints(within.categories ?? [])))
      .$if(within.subs !== null, (query) => query.where('sub_category_code', '=', smallints(within.subs ?? [])));
  const inNamed = sql<boolean>`(category_code = any(${[...categoryCodes]}::smallint[]) or sub_category_code = any(${[...subCodes]}::smallint[]))`;
  const groups = [...new Set([...categoryCodes, ...subCodes.map(groupCodeOf)])];
  const isNamed = groups.length > 0;
  const given = Object.values(within).filter((codes) => codes !== null);
  const named = [[...categoryCodes], [...subCodes]];
  const values = isNamed ? [...named, ...given, [...forms], ...given, groups, ...named] : [...given, [...forms]];
  const form = ['search.words', isNamed, ...Object.values(within).map((codes) => (codes === null ? '-' : 'in'))];
  const isTrue = sql<boolean>`true`;
  const isFalse = sql<boolean>`false`;
  return runForm(db, form.join(' '), values, (reader) => {
    const ofForms = ofCounts(reader)
      .select([(isNamed ? inNamed : isFalse).as('named'), isFalse.as('all')])
      .where('form', '=', sql<string>`any(${[...forms]}::text[])`)
      .groupBy(['rank', 'named']);
    if (!isNamed) return ofForms.modifyFront(prepared);
    const ofNamed = ofCounts(reader)
      .select([isTrue.as('named'), isTrue.as('all')])
      .where('form', '=', sql.lit(''))
      .where('category_code', '=', smallints(groups))
      .where(inNamed)
      .groupBy('rank');
    return ofForms.modifyFront(prepared).unionAll(ofNamed);
  });
}

/** How often listings are counted that have several forms, besides once. */
async function countTwice(db: Reader, { each, query }: NonNullable<WordCount['several']>): Promise<number> {
  const had = db
    .selectFrom(sql`unnest(${[...each]}::tsquery[])`.as<'form'>(sql`form(text)`))
    .select(({ fn }) => fn.countAll<number>().as('forms'))
    .where(holding(sql`form.text`));
  const [counted] = await runForm(db, 'search.twice', [[...each], query], (reader) =>
    reader
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(sql<number>`coalesce(sum(${had} - 1), 0)::int`.as('listings'))
      .where('status', '=', active)
      .where(holding(sql`${query}`)),
  );
  return counted?.listings ?? 0;
}

// The keys of a paid rank: `sort_key` is made of it.
const keysOfRank = ({ rank }: Leg) => [rank, rank + 1].map((one) => String(one * 1_000_000_000_000));

/** A part of a leg, found by walking the list's own index. `is true` keeps the planner from the search index. */
export function walkLeg(db: Reader, filter: ListingFilter, query: WordQuery, leg: Leg, page: Page) {
  const codes = subCodesOf(filter);
  const reach = page.skip + page.take;
  const [from = '', below = ''] = keysOfRank(leg);
  const text = legText(query, leg);
  const build = (reader: Reader) => {
    const legs = codes.map((code) =>
      selectKeys(reader)
        .where(matching(filter, code))
        .where('sort_key', '>=', from)
        .where('sort_key', '<', below)
        .where(sql<boolean>`(${holding(sql`${text}`)}) is true`)
        .where((eb) => eb.and(evidenceHolds(filter.evidence)))
        .orderBy('sort_key', 'desc')
        .limit(reach),
    );
    return selectPage(reader, legs, 'desc', page);
  };
  if (codes.length > 1 || filter.evidence) return build(db).execute();
  return runForm(db, `search.walk ${levelsOf(filter)}`, [...valuesOf(filter), from, below, text, reach, page.take, page.skip], build);
}

const fetchText = (query: WordQuery, leg: Leg) => both(legText(query, leg), rankToken(leg), query.facets);

/** A part of a leg, from one pass over the search index. */
export function fetchLeg(db: Reader, query: WordQuery, leg: Leg, page: Page) {
  const text = fetchText(query, leg);
  const build = (reader: Reader) =>
    reader
      .with(
        (cte) => cte('leg').materialized(),
        () =>
          selectKeys(reader)
            .where('status', '=', active)
            .where(holding(sql`${text}`))
            .where((eb) => eb.and(evidenceHolds(query.evidence))),
      )
      .with('page', (found) => found.selectFrom('leg').select('sort_key').orderBy('sort_key', 'desc').offset(page.skip).limit(page.take))
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(cardColumns)
      .where('sort_key', 'in', ({ selectFrom }) => selectFrom('page').select('page.sort_key'))
      .orderBy('sort_key', 'desc');
  return query.evidence ? build(db).execute() : runForm(db, 'search.fetch', [text, page.take, page.skip], build);
}

/** How many listings a leg really has, from one pass over the search index. */
export async function countLeg(db: Reader, query: WordQuery, leg: Leg): Promise<number> {
  const text = fetchText(query, leg);
  const [counted] = await runForm(db, 'search.leg', [text], (reader) =>
    reader
      .selectFrom('listings')
      .modifyFront(prepared)
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('listings'))
      .where('status', '=', active)
      .where(holding(sql`${text}`)),
  );
  return counted?.listings ?? 0;
}

/** A page of matches and how many there are of each rank and worth, from one pass over the search index. */
export async function sortMatches(db: Reader, query: WordQuery, page: Page) {
  const build = (reader: Reader) =>
    reader
      .with(
        (cte) => cte('matches').materialized(),
        () => matches(reader, query),
      )
      .with('page', (matched) =>
        matched
          .selectFrom('matches')
          .select(['sort_key', 'worth', rankOf.as('rank')])
          .orderBy('rank', 'desc')
          .orderBy('worth')
          .orderBy('sort_key', 'desc')
          .offset(page.skip)
          .limit(page.take),
      )
      .with('legs', (matched) =>
        matched
          .selectFrom('matches')
          .select(({ cast, fn }) => [rankOf.as('rank'), 'worth', cast<number>(fn.countAll(), 'integer').as('listings')])
          .groupBy(['rank', 'worth']),
      )
      .selectFrom('page')
      .innerJoin('listings', 'listings.sort_key', 'page.sort_key')
      .modifyFront(prepared)
      .select(cardColumns)
      .select(({ selectFrom }) =>
        selectFrom('legs')
          .select(sql<Leg[]>`json_agg(legs)`.as('legs'))
          .as('legs'),
      )
      .orderBy('page.rank', 'desc')
      .orderBy('page.worth')
      .orderBy('page.sort_key', 'desc');
  const values = [...query.texts.slice(0, 3), anyText(query), page.take, page.skip];
  const rows = await (query.wide.length > 0 || query.evidence ? build(db).execute() : runForm(db, 'search.sort', values, build));
  const legs = rows[0]?.legs ?? (page.skip === 0 ? [] : await countMatches(db, query));
  return { rows, known: knownOf(legs) };
}

function knownOf(legs: readonly Leg[]): Legs {
  const inOrder = legs.toSorted((one, other) => other.rank - one.rank || one.worth - other.worth);
  return { total: legs.reduce((sum, { listings }) => sum + listings, 0), exact: true, legs: inOrder };
}
