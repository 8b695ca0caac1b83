import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { compareLoads, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

const pathOf = (search: Record<string, string>) => `/api/listing/all?${new URLSearchParams(search).toString()}`;

/** Requests of each shape, the same in every run. */
async function createPaths({ client }: Stage): Promise<Record<string, string[]>> {
  const { rows: words } = await client.query<{ word: string; listings: number }>(
    `select word, ndoc as listings from ts_stat('select words_in_order(service_title) from listings where status = ''active''')
     where length(word) > 3 and word ~ '^[a-z]+$' order by ndoc desc, word`,
  );
  const { rows: ids } = await client.query<{ id: string }>(
    "select id from listings where status = 'active' order by md5(id::text) limit 2000",
  );
  const texts = words.map(({ word }) => pathOf({ title: word }));
  return {
    category: categories.map(({ slug }) => pathOf({ category: slug })),
    'category + region': categories.flatMap((category) =>
      regions.map((region) => pathOf({ category: category.slug, region: region.slug })),
    ),
    'text, common word': texts.slice(0, 60),
    'text, rare word': texts.filter((_, index) => (words[index]?.listings ?? 0) < 200).slice(0, 200),
    detail: ids.map(({ id }) => `/api/listing/${id}`),
  };
}

/** Throughput of the product against the floor. */
export async function benchSearch(stage: Stage, seconds: number): Promise<void> {
  const rows = [];
  const ratios: number[] = [];
  for (const [shape, paths] of Object.entries(await createPaths(stage))) {
    for (const connections of [10, 50]) {
      const options = { paths, connections, seconds };
      const [floor, product] = await compareLoads({ ...options, address: stage.floor }, { ...options, address: stage.product });
      ratios.push(product / floor);
      rows.push([shape, connections, floor, product, product / floor]);
    }
  }
  printTable(
    `Lists at ${stage.listings} listings, requests/s, medians of 3 rounds of ${seconds} s`,
    ['shape', 'connections', 'floor', 'product', 'ratio'],
    rows,
  );
  printBars([{ what: 'requests/s of the slowest shape against the floor', measured: Math.min(...ratios), atLeast: 0.7 }]);
}
