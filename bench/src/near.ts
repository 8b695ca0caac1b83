import { categories } from '@handwise/contract/listings/categories';
import type { Stage } from './stage.ts';
import { type Search, timeGroups } from './timed-search.ts';

// Places with many listings and with few: Sydney, Melbourne, Auckland, Hamilton, Gore, Chatham Islands.
const places = ['-33.87,151.21', '-37.81,144.96', '-36.85,174.76', '-37.79,175.28', '-46.10,168.94', '-43.95,-176.56'];
const distances: [string, Search][] = [
  ...['5', '25', '100'].map((km): [string, Search] => [`within ${km} km`, { km }]),
  ['nearest first', { sort: 'nearest' }],
];
const groups: Search[] = categories.slice(0, 4).map((category) => ({ category: category.slug }));
const services: [string, Search[]][] = [
  ['all services', [{}]],
  ['a group', groups],
  ['a sub-category', [{ subCategory: 'Residential plumbing' }, { subCategory: 'Electricians' }]],
  ['a group, verified', groups.map((group) => ({ ...group, verified: '1' }))],
  ['all services, verified', [{ verified: '1' }]],
  ['a word', [{ q: 'local', raw: '1' }]],
];

/** How long searches by distance take. */
export function benchNear(stage: Stage): Promise<void> {
  const shapes = distances.flatMap(([distance, within]) =>
    services.map(([service, searches]) => ({
      names: [distance, service],
      searches: places.flatMap((near) => searches.map((search) => ({ ...within, ...search, near }))),
    })),
  );
  return timeGroups(stage, 'Searches by distance', ['where', 'what'], shapes);
}
