import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import type { Stage } from './stage.ts';
import { type Search, timeGroups } from './timed-search.ts';

// Fixed places and groups instead of random ones: the same requests in every run.
const groups = categories.map((category) => ({ category: category.slug }));
const someRegions = regions.filter((_, index) => index % 3 === 0).map((region) => ({ region: region.slug }));
const districts = regions
  .filter((_, index) => index % 2 === 0)
  .map((region) => ({ region: region.slug, district: region.districts[0]?.slug ?? '' }));
const withGroups = (places: readonly Search[]): Search[] => places.map((place, index) => ({ ...place, ...groups[index % groups.length] }));

const lists: [string, Search[]][] = [
  ['everything', [{}]],
  ['country', [{ country: 'NZ' }, { country: 'AU' }]],
  ['group', groups],
  ['region + group', withGroups(someRegions)],
  ['district', districts],
  ['district + group', withGroups(districts)],
];
const filters: [string, Search][] = [
  ['all', {}],
  ['4.5 stars', { minRating: '4.5' }],
  ['up to $100', { maxPrice: '100' }],
  ['up to $87', { maxPrice: '87' }],
  ['verified', { verified: '1' }],
  ['verified, 4.5 stars, photos', { verified: '1', minRating: '4.5', photos: '1' }],
];
const orders: [string, Search][] = [
  ['recommended', {}],
  ['rating', { sort: 'rating' }],
  ['newest', { sort: 'newest' }],
];

/** How long each order takes with each filter in each kind of list. */
export function benchOrders(stage: Stage): Promise<void> {
  const shapes = lists.flatMap(([list, places]) =>
    filters.flatMap(([filter, filtered]) =>
      orders.map(([order, sorted]) => ({
        names: [list, filter, order],
        searches: places.map((place) => ({ ...place, ...filtered, ...sorted })),
      })),
    ),
  );
  return timeGroups(stage, 'Orders and filters', ['list', 'filter', 'order'], shapes);
}
