import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../../../kit/database/database.ts';
import { cardColumns } from '../../listings/listings.service.ts';
import { type CellCount, cutOf } from '../orders/search.evidence.ts';
import { type Page, active } from '../orders/search.lists.queries.ts';
import { type OrderedRow, evidenceHolds } from '../orders/search.orders.queries.ts';
import type { WordQuery } from './search.planner.ts';
import type { Order } from '../search.rules.ts';
import { anyText, holding, matches } from './search.words.queries.ts';

// The rows that match the words, whatever else is asked of them.
function matchingRows(db: Reader, { texts, facets, wide }: WordQuery) {
  const query = { texts, facets, wide };
  const rows = db.selectFrom('listings').where('status', '=', active);
  return wide.length === 0
    ? rows.where(holding(sql`${anyText(query)}`))
    : rows.where('sort_key', 'in', db.selectFrom(matches(db, query).as('matches')).select('sort_key'));
}

/** How many matches there are in each cell: all of them, and those within the limit of the price where that must be asked. */
export async function countMatchingCells(db: Reader, query: WordQuery): Promise<{ whole: CellCount[]; cut: CellCount[] }> {
  const limit = cutOf(query.evidence ?? {});
  const rows = await matchingRows(db, query)
    .select(['evidence_cell as cell', sql<number>`count(*)::int`.as('listings')])
    .select(sql<number>`(count(*) filter (where price_from_minor <= ${limit ?? 0}::bigint * 100))::int`.as('within'))
    .groupBy('evidence_cell')
    .execute();
  return {
    whole: rows.map(({ cell, listings }) => ({ cell, listings })),
    cut: limit === undefined ? [] : rows.map(({ cell, within }) => ({ cell, listings: within })),
  };
}

// Newest by their numbers, best by their scores. An expression, so that no walk through all listings looks cheap to the planner.
const keys: Record<Exclude<Order, 'recommended'>, RawBuilder<string>> = { newest: sql`listing_number + 0`, rating: sql`rating_key + 0` };

/** One page of matches in an order that is not by plan. */
export const listMatchesBy = (
  db: Reader,
  query: WordQuery,
  order: Exclude<Order, 'recommended'>,
  part: { without: readonly string[]; rank?: number },
  page: Page,
): Promise<OrderedRow[]> =>
  db
    .with(
      (cte) => cte('page').materialized(),
      () =>
        matchingRows(db, query)
          .select(['id', keys[order].as('key')])
          .where((eb) => eb.and(evidenceHolds(query.evidence)))
          .$if(part.rank !== undefined, (rows) => rows.where('plan_rank', '=', part.rank ?? 0))
          .$if(part.without.length > 0, (rows) => rows.where(sql<boolean>`${keys[order]} <> all(${[...part.without]}::bigint[])`))
          .orderBy('key', 'desc')
          .offset(page.skip)
          .limit(page.take),
    )
    .selectFrom('page')
    .innerJoin('listings', 'listings.id', 'page.id')
    .select(cardColumns)
    .select('page.key')
    .orderBy('page.key', 'desc')
    .execute();
