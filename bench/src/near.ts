import { categories } from '@handwise/contract/listings/categories';
import { printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';
import { barsOf, type Search, type Taken, figuresOf, timedSearch } from './timed-search.ts';

// Where many are based, and where few are.
const places: [string, string][] = [
  ['Sydney', '-33.87,151.21'],
  ['Melbourne', '-37.81,144.96'],
  ['Auckland', '-36.85,174.76'],
  ['Hamilton', '-37.79,175.28'],
  ['Gore', '-46.10,168.94'],
  ['Chatham Islands', '-43.95,-176.56'],
];
const distances = ['5', '25', '100'];
const groups: Search[] = categories.slice(0, 4).map((category) => ({ category: category.slug }));
const asked: [string, Search[]][] = [
  ['all services', [{}]],
  ['a group', groups],
  ['a sub-category', [{ subCategory: 'Residential plumbing' }, { subCategory: 'Electricians' }]],
  ['a group, verified', groups.map((group) => ({ ...group, verified: '1' }))],
  ['all services, verified', [{ verified: '1' }]],
  ['a word', [{ q: 'local', raw: '1' }]],
];

/** How long searches by distance take, one request at a time with nothing remembered: the first page, the middle one and the last. */
export async function benchNear(stage: Stage): Promise<void> {
  const where: [string, Search[]][] = [
    ...distances.map((km): [string, Search[]] => [`within ${km} km`, places.map(([, near]) => ({ near, km }))]),
    ['the nearest first', places.map(([, near]) => ({ near, sort: 'nearest' }))],
  ];
  const rows = [];
  const all: [Taken[], Taken[], Taken[]] = [[], [], []];
  for (const [how, spots] of where)
    for (const [what, services] of asked) {
      const taken: [Taken[], Taken[], Taken[]] = [[], [], []];
      let most = 0;
      for (const search of spots.flatMap((spot) => services.map((group) => ({ ...spot, ...group })))) {
        // Once unmeasured, so that what is measured is the work and not the disk.
        const { totalPages, totalListings } = await timedSearch(stage, search);
        most = Math.max(most, totalListings);
        for (const [index, page] of [1, Math.ceil(totalPages / 2), totalPages].entries())
          if (page > 0) taken[index]?.push((await timedSearch(stage, { ...search, page: String(page) })).taken);
      }
      for (const [index, some] of taken.entries()) all[index]?.push(...some);
      rows.push([how, what, taken[0].length, most, ...taken.flatMap(figuresOf)]);
    }
  rows.push(['all of them', '', all[0].length, '', ...all.flatMap(figuresOf)]);
  printTable(
    `Searches by distance at ${stage.listings} listings, nothing remembered, ms`,
    ['where', 'what', 'searches', 'most found', 'p50', 'worst', 'middle page p50', 'worst', 'last page p50', 'worst'],
    rows,
  );
  printBars(barsOf(all[0], [...all[1], ...all[2]]));
}
