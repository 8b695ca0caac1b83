import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../../kit/database/database.ts';
import { type CardRow, cardColumns } from '../../listings/listings.service.ts';
import { type CellCount, cutOf } from '../orders/search.evidence.ts';
import type { Page } from '../orders/search.lists.queries.ts';
import { comes, int } from '../near/search.near.queries.ts';
import type { Leg, Ring } from '../near/search.near.rules.ts';
import { evidenceHolds } from '../orders/search.orders.queries.ts';
import type { WordQuery } from './search.planner.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import { anyText, holding, matches } from './search.words.queries.ts';

// What no counter knows: the rows within reach are looked at, one by one.

/** What a search by distance asks besides services and distances: those who name one of these districts come too. */
export type Asked = { filter: ListingFilter; districts: readonly number[]; words: WordQuery | null };

function servicesHold({ category }: ListingFilter): RawBuilder<boolean>[] {
  if (!category) return [];
  if (category.level === 'main') return [sql`main_category = ${category.main}`];
  return [
    category.level === 'group' ? sql`category_code = ${category.code}` : sql`sub_category_code = any(${[...category.codes]}::smallint[])`,
  ];
}

function wordsHold(db: Reader, words: WordQuery | null): RawBuilder<boolean>[] {
  if (!words) return [];
  const { texts, facets, wide } = words;
  const query = { texts, facets, wide };
  return [wide.length === 0 ? holding(sql`${anyText(query)}`) : sql`sort_key in (select sort_key from (${matches(db, query)}) as matches)`];
}

const all = (conditions: readonly RawBuilder<unknown>[]) => sql.join([...conditions], sql` and `);

// The rows of these legs that have the services and the words, with the leg's place in the list.
const within = (db: Reader, { filter, districts, words }: Asked, legs: readonly Leg[], places: readonly number[]) => sql`
  unnest(${int(legs.map(({ code }) => code))}, ${int(legs.map(({ least }) => least))}, ${int(places)}) as leg (code, least, place)
  join listings on base_cell = leg.code
    and ${all([sql`status = 'active'`, sql`(leg.least = 0 or ${comes(districts)})`, ...servicesHold(filter), ...wordsHold(db, words)])}`;

/** How many pass in each leg, and how many there are in each cell of what a search filters by, all and those within the limit of the price. */
export type Visit = { totals: number[]; whole: CellCount[]; cut: CellCount[] };

export async function visitLegs(db: Reader, asked: Asked, legs: readonly Leg[]): Promise<Visit> {
  const { evidence } = asked.filter;
  const limit = evidence && cutOf(evidence);
  const { rows } = await sql<{ place: number | null; cell: number | null; listings: number; within: number; passing: number }>`
    select place, evidence_cell as cell, count(*)::int as listings,
      (count(*) filter (where price_from_minor <= ${limit ?? 0}::bigint * 100))::int as within,
      (count(*) filter (where ${all([sql`true`, ...evidenceHolds(evidence)])}))::int as passing
    from ${within(
      db,
      asked,
      legs,
      legs.map((_, index) => index),
    )}
    group by grouping sets ((place), (evidence_cell))`.execute(db);
  const totals = legs.map(() => 0);
  for (const { place, passing } of rows) if (place !== null) totals[place] = passing;
  const cells = rows.flatMap(({ cell, listings, within: cheap }) => (cell === null ? [] : [{ cell, listings, cheap }]));
  return {
    totals,
    whole: cells.map(({ cell, listings }) => ({ cell, listings })),
    cut: limit === undefined ? [] : cells.map(({ cell, cheap }) => ({ cell, listings: cheap })),
  };
}

/** By distance and then as every list, or in another order whatever the distance. All keys are unique. */
const keys = { recommended: sql<string>`sort_key`, rating: sql<string>`rating_key`, newest: sql<string>`listing_number` } as const;

/** A part of what was visited: `rank` leaves those of one plan, `without` are the keys of those that stand elsewhere. */
type Part = { order: Order; rank?: number; without?: readonly string[] };

/** One page of the rows of these rings, with what each stands by. */
export async function listVisited(
  db: Reader,
  asked: Asked,
  rings: readonly Ring[],
  page: Page,
  { order, rank, without = [] }: Part,
): Promise<(CardRow & { key: string })[]> {
  const legs = rings.flatMap((ring) => ring.legs);
  const places = rings.flatMap((ring, index) => ring.legs.map(() => (order === 'recommended' ? index : 0)));
  const conditions = [
    sql`true`,
    ...evidenceHolds(asked.filter.evidence),
    ...(rank === undefined ? [] : [sql`plan_rank = ${rank}`]),
    ...(without.length > 0 ? [sql`${keys[order]} <> all(${[...without]}::bigint[])`] : []),
  ];
  return db
    .with(
      'page',
      () =>
        sql<{ place: number; sort_key: string; key: string }>`(
        select place, sort_key, ${keys[order]} as key from ${within(db, asked, legs, places)} and ${all(conditions)}
        order by place, key desc offset ${page.skip} limit ${page.take}
      )`,
    )
    .selectFrom('page')
    .innerJoin('listings', 'listings.sort_key', 'page.sort_key')
    .select(cardColumns)
    .select('page.key')
    .orderBy('page.place')
    .orderBy('page.key', 'desc')
    .execute();
}
