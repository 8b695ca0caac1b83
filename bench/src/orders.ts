import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { barsOf, type Search, type Taken, figuresOf, timedSearch } from './timed-search.ts';

// Fixed places and groups instead of chance: the same requests in every run.
const groups = categories.map((category) => ({ category: category.slug }));
const somewhere = regions.filter((_, index) => index % 3 === 0).map((region) => ({ region: region.slug }));
const districts = regions
  .filter((_, index) => index % 2 === 0)
  .map((region) => ({ region: region.slug, district: region.districts[0]?.slug ?? '' }));
const inPlaces = somewhere.flatMap((place, index) => [{ ...place, ...groups[index % groups.length] }]);
const inDistricts = districts.map((place, index) => ({ ...place, ...groups[index % groups.length] }));

const orders: Search[] = [{}, { sort: 'rating' }, { sort: 'newest' }];
const filters: [string, Search][] = [
  ['all', {}],
  ['4.5 stars', { minRating: '4.5' }],
  ['up to $100', { maxPrice: '100' }],
  ['up to $87', { maxPrice: '87' }],
  ['verified', { verified: '1' }],
  ['verified, 4.5 stars, photos', { verified: '1', minRating: '4.5', photos: '1' }],
];
const lists: [string, Search[]][] = [
  ['everything', [{}]],
  ['country', [{ country: 'NZ' }, { country: 'AU' }]],
  ['group', groups],
  ['region + group', inPlaces],
  ['district', districts],
  ['district + group', inDistricts],
];

/** How long each order takes with each filter in each kind of list, one request at a time with nothing remembered. */
export async function benchOrders(stage: Stage): Promise<void> {
  const rows = [];
  const all: { first: Taken[]; middle: Taken[] } = { first: [], middle: [] };
  for (const [list, places] of lists)
    for (const [filter, asked] of filters)
      for (const order of orders) {
        const first: Taken[] = [];
        const middle: Taken[] = [];
        for (const place of places) {
          const search = { ...place, ...asked, ...order };
          // Once unmeasured, so that what is measured is the work and not the disk.
          const { totalPages } = await timedSearch(stage, search);
          first.push((await timedSearch(stage, search)).taken);
          if (totalPages > 2) middle.push((await timedSearch(stage, { ...search, page: String(Math.ceil(totalPages / 2)) })).taken);
        }
        all.first.push(...first);
        all.middle.push(...middle);
        rows.push([list, filter, order['sort'] ?? 'recommended', first.length, ...[first, middle].flatMap(figuresOf)]);
      }
  const figures = [all.first, all.middle].flatMap(figuresOf);
  rows.push(['all of them', '', '', all.first.length, ...figures]);
  printTable(
    `Orders and filters at ${stage.listings} listings, nothing remembered, ms`,
    ['list', 'filter', 'order', 'requests', 'p50', 'worst', 'middle page p50', 'worst'],
    rows,
  );
  printBars(barsOf(all.first, all.middle));
}
