import { groupCodeOf } from '@handwise/contract/categories';
import { regionCodeOf } from '@handwise/contract/places';
import { maxPaidPlaces } from '@handwise/contract/search-filters';
import { plans } from '@handwise/contract/plan-table';
import type { Db } from '../../../kit/database/database.ts';
import { type CardRow, anyListing } from '../../listings/listings.service.ts';
import { listPage } from './search.lists.queries.ts';
import { type SearchMemory, totalOf } from '../search.memory.ts';
import { listOrdered } from './search.orders.queries.ts';
import { type Known, pathOf } from './search.order-paths.ts';
import type { ListingFilter, Order } from '../search.rules.ts';

type Page = { skip: number; take: number };

/** Which rows of a list make a page of it, read from its nearer end. */
function partOf(total: number, { skip, take }: Page): Page & { fromEnd: boolean } {
  const behind = Math.max(0, total - skip - take);
  if (behind >= skip) return { skip, take, fromEnd: false };
  return { skip: behind, take: Math.min(take, total - skip), fromEnd: true };
}

/** One page of a place and category with what is asked of listings, in an order, and how many there are in all. */
export async function findOrdered(
  db: Db,
  memory: SearchMemory,
  filter: ListingFilter,
  order: Order,
  page: Page,
): Promise<{ rows: CardRow[]; total: number }> {
  const total = await totalOf(db, memory, filter);
  return { rows: await pageOf(db, memory, filter, order, page, { total, without: [] }), total };
}

async function pageOf(
  db: Db,
  memory: SearchMemory,
  filter: ListingFilter,
  order: Order,
  page: Page,
  { total, without }: { total: number; without: readonly string[] },
) {
  const left = total - without.length;
  if (page.skip >= left) return [];
  const { fromEnd, ...part } = partOf(left, page);
  if (order === 'recommended' && !filter.evidence) return listPage(db, filter, { ...part, fromEnd });
  const reach = part.skip + part.take;
  const path = pathOf(order, await knownOf(db, memory, filter, total), reach);
  return listOrdered(db, filter, order, path, { direction: fromEnd ? 'asc' : 'desc', reach, without }, part);
}

/**
 * The same in an order that is not by plan: the first featured listings of it stand before all others, and not once more among them.
 * `paid` says how many rows of the page those are.
 */
export async function findWithPaidPlaces(
  db: Db,
  memory: SearchMemory,
  filter: ListingFilter,
  order: Exclude<Order, 'recommended'>,
  page: Page,
): Promise<{ rows: CardRow[]; total: number; paid: number }> {
  const total = await totalOf(db, memory, filter);
  if (page.skip >= total) return { rows: [], total, paid: 0 };
  const featured = await memory.paid.get(
    `${order} ${JSON.stringify(filter)}`,
    async () => {
      const path = pathOf(order, await knownOf(db, memory, filter, total), maxPaidPlaces);
      const part = { direction: 'desc', reach: maxPaidPlaces, without: [], rank: plans.featured.rank } as const;
      return listOrdered(db, filter, order, path, part, { skip: 0, take: maxPaidPlaces });
    },
    [anyListing],
  );
  const without = featured.map(({ key }) => String(key));
  return withPaidPlaces(featured, total, page, (rest) => pageOf(db, memory, filter, order, rest, { total, without }));
}

/** A page of a list that begins with what stands in paid places; `others` reads the rest of the list without these. */
export async function withPaidPlaces(
  featured: readonly CardRow[],
  total: number,
  page: Page,
  others: (page: Page) => Promise<CardRow[]>,
): Promise<{ rows: CardRow[]; total: number; paid: number }> {
  const first = featured.slice(page.skip, page.skip + page.take);
  const rest = { skip: Math.max(0, page.skip - featured.length), take: page.take - first.length };
  return { rows: [...first, ...(rest.take > 0 ? await others(rest) : [])], total, paid: first.length };
}

async function knownOf(db: Db, memory: SearchMemory, filter: ListingFilter, matching: number): Promise<Known> {
  const { evidence, ...list } = filter;
  const { place, category } = list;
  // A town has few listings, and an index of its own for each category only.
  if (place?.level === 'town') {
    const filtered = await totalOf(db, memory, list);
    return { matching, filtered, passing: undefined, walked: { all: undefined, region: undefined, group: undefined } };
  }
  const region =
    place?.level === 'region' || place?.level === 'district'
      ? ({ level: 'region', code: place.level === 'region' ? place.code : regionCodeOf(place.code) } as const)
      : undefined;
  const [group] =
    !category || category.level === 'main' ? [] : category.level === 'group' ? [category.code] : category.codes.map(groupCodeOf);
  const ofGroup = group === undefined ? undefined : ({ level: 'group', code: group } as const);
  const [filtered, passing, all, inRegion, inGroup] = await Promise.all([
    totalOf(db, memory, list),
    evidence && totalOf(db, memory, { ...filter, ...(region && { place: region }), ...(ofGroup && { category: ofGroup }) }),
    totalOf(db, memory, {}),
    region && totalOf(db, memory, { place: region }),
    ofGroup && totalOf(db, memory, { category: ofGroup }),
  ]);
  return { matching, filtered, passing, walked: { all, region: inRegion, group: inGroup } };
}
