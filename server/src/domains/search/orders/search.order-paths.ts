import type { Order } from '../search.rules.ts';
import type { Path } from './search.orders.queries.ts';

/** What is known of an ordered list before it is read: numbers of listings. */
export type Known = {
  /** Of its place and category. */
  filtered: number;
  /** Of those, the ones that pass its filters. */
  matching: number;
  /** That pass in its region and group; undefined where nothing is filtered. */
  passing: number | undefined;
  /** In all, in its region and in its group: what indexes of scores are walked through. */
  walked: { all: number | undefined; region: number | undefined; group: number | undefined };
};

// A row that is found in an index alone costs so much of one that must be fetched.
const fromIndex = 0.2;

/**
 * The cheapest way to the first `reach` keys of an ordered list: a walk reads about `reach` divided by the share of listings that match,
 * a visit reads everything once. What filters leave few of is visited by them, what they leave much of is walked to.
 */
export function pathOf(order: Order, { filtered, matching, passing, walked }: Known, reach: number): Path {
  const walk = (all: number) => Math.min(all, (reach * all) / Math.max(1, matching));
  const costs: [Path, number][] = [[{ way: 'visit', by: 'list' }, filtered]];
  if (passing !== undefined) costs.push([{ way: 'visit', by: 'cells' }, passing * fromIndex]);
  if (order === 'rating')
    for (const scope of ['group', 'region', 'all'] as const) {
      const all = walked[scope];
      if (all !== undefined) costs.push([{ way: 'walk', by: 'scores', of: scope }, walk(all) * fromIndex]);
    }
  else costs.push([{ way: 'walk', by: 'list' }, walk(filtered) * (passing === undefined ? fromIndex : 1)]);
  return costs.reduce((best, one) => (one[1] < best[1] ? one : best))[0];
}
