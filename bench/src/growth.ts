import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { percentile, printTable } from './load.ts';
import { type Stage, openStage } from './stage.ts';
import { type Search, timedSearch } from './timed-search.ts';

const share = 100;
const rounds = 3;

const somewhere = regions.filter((_, index) => index % 3 === 0).map((region): Search => ({ region: region.slug }));
const groups = categories.slice(0, 8).map((category): Search => ({ category: category.slug }));
const asText = (texts: readonly string[]) => texts.map((q): Search => ({ q, raw: '1' }));

// The bar is how much longer a search may take where there are a hundred times as many listings.
const shapes: [name: string, bar: number, searches: readonly Search[]][] = [
  ['everything, each order', 2, [{}, { sort: 'rating' }, { sort: 'newest' }]],
  ['group', 2, groups],
  ['region', 2, somewhere],
  ['region + group', 2, somewhere.map((place, index) => ({ ...place, ...groups[index % groups.length] }))],
  ['group, filtered', 2, groups.map((group) => ({ ...group, verified: '1', minRating: '4.5' }))],
  ['one letter', 4, asText([...'aeiorst'])],
  ['a part of words', 4, asText(['ing', 'plu', 'ren', 'wind', 'serv'])],
  ['a word', 4, asText(['plumber', 'roof', 'painting', 'garden', 'local'])],
  ['two words', 4, asText(['house painting', 'roof repairs', 'local plumber', 'free quotes'])],
  ['a word in a region', 4, somewhere.map((place, index) => ({ q: ['plumber', 'roof', 'garden'][index % 3] ?? '', raw: '1', ...place }))],
];

/** How much longer searches take than with a hundredth of the listings, both measured by turns. */
export async function benchGrowth(stage: Stage): Promise<void> {
  const small = await openStage({ listings: Math.round(stage.listings / share) });
  try {
    const rows = [];
    for (const [name, bar, searches] of shapes) {
      const taken = { small: [] as number[], large: [] as number[] };
      for (let round = 0; round <= rounds; round += 1)
        for (const search of searches)
          for (const [size, one] of Object.entries({ small, large: stage }) as ['small' | 'large', Stage][]) {
            const { taken: its } = await timedSearch(one, search);
            // The first round is unmeasured, so that what is measured is the work and not the disk.
            if (round > 0) taken[size].push(its.whole);
          }
      const [few, many] = [percentile(taken.small, 0.5), percentile(taken.large, 0.5)];
      rows.push([name, searches.length, few, many, many / few, bar, many / few <= bar ? 'yes' : 'no']);
    }
    printTable(
      `Growth from ${small.listings} to ${stage.listings} listings, one request at a time, nothing remembered, ms`,
      ['search', 'searches', `p50 of ${small.listings}`, `p50 of ${stage.listings}`, 'ratio', 'at most', 'holds'],
      rows,
    );
  } finally {
    await small.close();
  }
}
