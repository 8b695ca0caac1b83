import { expect, test } from 'vitest';
import { pathOf } from './search.order-paths.ts';

// A market of a million, a group of a tenth of it, a region of a twentieth.
const walkedOf = {
  all: { all: 1_000_000, region: undefined, group: undefined },
  group: { all: 1_000_000, region: undefined, group: 100_000 },
  region: { all: 1_000_000, region: 50_000, group: undefined },
  both: { all: 1_000_000, region: 50_000, group: 100_000 },
};
test.each([
  ['rating', 'all', { filtered: 1_000_000, matching: 1_000_000, passing: undefined }, 20, { way: 'walk', by: 'scores', of: 'all' }],
  ['rating', 'group', { filtered: 100_000, matching: 100_000, passing: undefined }, 20, { way: 'walk', by: 'scores', of: 'group' }],
  ['rating', 'region', { filtered: 50_000, matching: 50_000, passing: undefined }, 20, { way: 'walk', by: 'scores', of: 'region' }],
  ['rating', 'both', { filtered: 5_000, matching: 4_000, passing: 4_000 }, 20, { way: 'walk', by: 'scores', of: 'region' }],
  // Of few, all are fetched at once: a walk would pass by nearly everything.
  ['rating', 'both', { filtered: 40, matching: 40, passing: undefined }, 20, { way: 'visit', by: 'list' }],
  ['rating', 'group', { filtered: 100_000, matching: 50, passing: 50 }, 20, { way: 'visit', by: 'cells' }],
  ['newest', 'group', { filtered: 100_000, matching: 100_000, passing: undefined }, 20, { way: 'walk', by: 'list' }],
  ['newest', 'group', { filtered: 100_000, matching: 20_000, passing: 20_000 }, 20, { way: 'walk', by: 'list' }],
  ['newest', 'group', { filtered: 100_000, matching: 50, passing: 50 }, 20, { way: 'visit', by: 'cells' }],
  // A row of an index costs a fifth of one that is fetched.
  ['newest', 'group', { filtered: 100_000, matching: 1_000, passing: 5_000 }, 20, { way: 'visit', by: 'cells' }],
  ['recommended', 'both', { filtered: 300, matching: 10, passing: 9_000 }, 20, { way: 'visit', by: 'list' }],
  // Deep in a list a walk reads as much of it as there is, and no more.
  ['rating', 'group', { filtered: 100_000, matching: 100_000, passing: undefined }, 50_000, { way: 'walk', by: 'scores', of: 'group' }],
  ['rating', 'group', { filtered: 90_000, matching: 1, passing: 150_000 }, 4, { way: 'walk', by: 'scores', of: 'group' }],
  ['recommended', 'group', { filtered: 100_000, matching: 2_000, passing: 2_000 }, 1_000, { way: 'visit', by: 'cells' }],
] as const)('in the order %s and walks of %s, a list of %j is read for its first %i by %j', (order, walked, known, reach, path) => {
  expect(pathOf(order, { ...known, walked: walkedOf[walked] }, reach)).toEqual(path);
});

test('a list without an index of scores is fetched to be put in their order', () => {
  const walked = { all: undefined, region: undefined, group: undefined };
  expect(pathOf('rating', { filtered: 5_000, matching: 5_000, passing: undefined, walked }, 20)).toEqual({ way: 'visit', by: 'list' });
});
