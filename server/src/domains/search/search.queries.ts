import { type RawBuilder, sql } from 'kysely';
import { prepared, type Reader } from '../../kit/database.ts';
import { type CardRow, cardColumns } from '../listings/listings.service.ts';
import type { WordCount, WordQuery } from './search.planner.ts';
import type { ListingFilter } from './search.rules.ts';

// Facets are written as `column = value`, never `column = any(…)`: only then does an index give the list's order.
function conditions({ place, category }: ListingFilter, subCategoryCode?: number): RawBuilder<unknown> {
  const parts = [sql`status = 'active'`];
  if (place?.level === 'country') parts.push(sql`country = ${place.country}`);
  if (place?.level === 'region') parts.push(sql`region_code = ${place.code}`);
  if (place?.level === 'district') parts.push(sql`district_code = ${place.code}`);
  if (category?.level === 'main') parts.push(sql`main_category = ${category.main}`);
  if (category?.level === 'group') parts.push(sql`category_code = ${category.code}`);
  if (category?.level === 'sub') parts.push(sql`sub_category_code = ${subCategoryCode ?? category.codes[0]}`);
  return sql.join(parts, sql` and `);
}

// A sub-category's name can belong to two groups: the lists of both are merged in order.
function sortKeys(filter: ListingFilter, direction: 'asc' | 'desc', reach: number): RawBuilder<unknown> {
  const codes = filter.category?.level === 'sub' ? filter.category.codes : [undefined];
  const order = sql.raw(direction);
  const legs = codes.map(
    (code) => sql`(select sort_key from listings where ${conditions(filter, code)} order by sort_key ${order} limit ${reach})`,
  );
  return legs.length === 1 ? sql`${legs[0]}` : sql`(${sql.join(legs, sql` union all `)} order by sort_key ${order})`;
}

// So many skipped rows are cheaper read whole than looked up by their keys afterwards.
const fewRows = 200;

/**
 * One page of a filtered list. On deep pages the keys come from the index alone, and only the page's own rows are read.
 * `fromEnd` counts the skipped rows from the list's end, for pages of its second half.
 */
export async function listPage(
  db: Reader,
  filter: ListingFilter,
  page: { skip: number; take: number; fromEnd: boolean },
): Promise<CardRow[]> {
  const oneList = filter.category?.level !== 'sub' || filter.category.codes.length === 1;
  if (oneList && !page.fromEnd && page.skip <= fewRows) {
    const { rows } = await sql<CardRow>`${sql.raw(prepared)}
      select ${cardColumns} from listings where ${conditions(filter)} order by sort_key desc offset ${page.skip} limit ${page.take}`.execute(
      db,
    );
    return rows;
  }
  const direction = page.fromEnd ? 'asc' : 'desc';
  const { rows } = await sql<CardRow>`${sql.raw(prepared)}
    select ${cardColumns} from listings
    where sort_key in (
      select sort_key from ${sortKeys(filter, direction, page.skip + page.take)} as keys
      order by sort_key ${sql.raw(direction)} offset ${page.skip} limit ${page.take}
    )
    order by sort_key desc`.execute(db);
  return rows;
}

/** The exact number of active listings of a filter. */
export async function countListings(db: Reader, { place, category }: ListingFilter): Promise<number> {
  const parts = [sql`true`];
  if (place?.level === 'country') parts.push(sql`country = ${place.country}`);
  if (place?.level === 'region') parts.push(sql`region_code = ${place.code}`);
  if (place?.level === 'district') parts.push(sql`district_code = ${place.code}`);
  if (category?.level === 'main') parts.push(sql`main_category = ${category.main}`);
  if (category?.level === 'group') parts.push(sql`category_code = ${category.code}`);
  if (category?.level === 'sub') parts.push(sql`sub_category_code = any(${[...category.codes]}::smallint[])`);
  const { rows } = await sql<{ total: number }>`${sql.raw(prepared)}
    select coalesce(sum(listings), 0)::int as total from listing_counts where ${sql.join(parts, sql` and `)}`.execute(db);
  return rows[0]?.total ?? 0;
}

export type Candidate = { typed: string; word: string; exact: boolean };

/**
 * The words of the vocabulary that each searched word may stand for: all that it is a part of (`exact`), or where there
 * is none, the most similar. One and two letters count as the beginning of a word: they are a part of nearly all.
 */
export async function findWords(db: Reader, typed: readonly string[]): Promise<Candidate[]> {
  const { rows } = await sql<Candidate>`${sql.raw(prepared)}
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

// The sort keys of all matches. Wide groups are looked up word by word, and what every group has is a match.
function matches({ text, wide }: WordQuery): RawBuilder<unknown> {
  const within = sql`select sort_key from listings where status = 'active' and search_vector @@`;
  if (wide.length === 0) return sql`${within} ${text}::tsquery`;
  const ofGroups = wide.map(
    (group) => sql`select distinct sort_key from unnest(${[...group]}::text[]) as word, lateral (
      ${within} (quote_literal(word) || ${text && `&${text}`})::tsquery) as found`,
  );
  return sql.join(ofGroups, sql` intersect `);
}

async function countMatches(db: Reader, query: WordQuery): Promise<number> {
  const { rows } = await sql<{ total: number }>`${sql.raw(prepared)}
    select count(*)::int as total from (${matches(query)}) as matches`.execute(db);
  return rows[0]?.total ?? 0;
}

/** The exact number of active listings that have one of the words: the sum of the words' counts, less what is in it twice. */
export async function countWords(db: Reader, { words, several, regionCodes, categoryCodes }: WordCount): Promise<number> {
  const parts = [sql`word = any(${[...words]}::text[])`];
  if (regionCodes) parts.push(sql`region_code = any(${[...regionCodes]}::smallint[])`);
  if (categoryCodes) parts.push(sql`category_code = any(${[...categoryCodes]}::smallint[])`);
  const tooMany = several
    ? sql`select sum(had - 1) from (
        select (select count(*) from unnest(${[...words]}::text[]) as word where search_vector @@ quote_literal(word)::tsquery) as had
        from listings where status = 'active' and search_vector @@ ${several}::tsquery
      ) as counted`
    : sql`select 0`;
  const { rows } = await sql<{ total: number }>`${sql.raw(prepared)}
    select (
      coalesce((select sum(listings) from search_word_counts where ${sql.join(parts, sql` and `)}), 0) - coalesce((${tooMany}), 0)
    )::int as total`.execute(db);
  return rows[0]?.total ?? 0;
}

/** A page of matches, found by walking the list's own index. `is true` keeps the planner from the search index. */
export async function walkMatches(
  db: Reader,
  filter: ListingFilter,
  query: string,
  page: { skip: number; take: number },
): Promise<CardRow[]> {
  const codes = filter.category?.level === 'sub' ? filter.category.codes : [undefined];
  const legs = codes.map(
    (code) => sql`(select sort_key from listings where ${conditions(filter, code)} and (search_vector @@ ${query}::tsquery) is true
      order by sort_key desc limit ${page.skip + page.take})`,
  );
  const { rows } = await sql<CardRow>`${sql.raw(prepared)}
    select ${cardColumns} from listings
    where sort_key in (
      select sort_key from (${sql.join(legs, sql` union all `)}) as keys order by sort_key desc offset ${page.skip} limit ${page.take}
    )
    order by sort_key desc`.execute(db);
  return rows;
}

/** A page of matches and their total, from one pass over the search index. */
export async function sortMatches(
  db: Reader,
  query: WordQuery,
  page: { skip: number; take: number },
): Promise<{ rows: CardRow[]; total: number }> {
  const { rows } = await sql<CardRow & { total: number }>`${sql.raw(prepared)}
    with matches as materialized (${matches(query)}),
    page as (select sort_key from matches order by sort_key desc offset ${page.skip} limit ${page.take})
    select ${cardColumns}, (select count(*)::int from matches) as total from listings where sort_key in (select sort_key from page)
    order by sort_key desc`.execute(db);
  const total = rows[0]?.total ?? (page.skip === 0 ? 0 : await countMatches(db, query));
  return { rows, total };
}

export async function findByNumber(db: Reader, listingNumber: number, filter: ListingFilter): Promise<CardRow[]> {
  const codes = filter.category?.level === 'sub' ? filter.category.codes : [undefined];
  const any = sql.join(
    codes.map((code) => sql`(${conditions(filter, code)})`),
    sql` or `,
  );
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from listings where listing_number = ${listingNumber} and (${any})`.execute(db);
  return rows;
}
