import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { listLocalities } from '@handwise/server/domains/places/places.service';
import { load, median, printBars, printTable } from './load.ts';
import { type Stage, stopProcess } from './stage.ts';

const perShape = 4_000;
const trades = [
  'plumber',
  'electrician',
  'painter',
  'builder',
  'roofer',
  'cleaner',
  'gasfitter',
  'tiler',
  'fencing',
  'lawn mowing',
  'blocked drain',
];

const pathOf = (search: Record<string, string>) => `/api/search?${new URLSearchParams(search).toString()}`;

/** Thousands of different searches of each shape, the same in every run. */
export async function createPaths({ client }: Stage): Promise<Record<string, string[]>> {
  const towns = listLocalities()
    .filter(({ addresses }) => addresses > 2_000)
    .map(({ name }) => name);
  const { rows } = await client.query<{ word: string }>(
    `select word from ts_stat('select search_document from listings where status = ''active''')
     where word ~ '^[a-z]+$' and length(word) > 3 order by ndoc desc, word limit 400`,
  );
  const lists = regions.flatMap(({ slug: region, districts }) =>
    districts.flatMap(({ slug: district }) => categories.map(({ slug: category }) => pathOf({ category, region, district }))),
  );
  const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item;
  const each = (create: (index: number) => string) => [...new Set(Array.from({ length: perShape }, (_, index) => create(index)))];
  return {
    'trade and town': each((index) => pathOf({ q: `${at(trades, index)} ${at(towns, index * 37)}` })),
    list: each((index) => at(lists, index * 101)),
    words: each((index) =>
      pathOf({ q: `${at(rows, index).word} ${at(rows, index * 7 + Math.floor(index / rows.length) * 13 + 20).word}`, raw: '1' }),
    ),
  };
}

/** Throughput of searches, each another one so that no cache helps, against a bare server that runs the same statements. */
export async function benchSearch(stage: Stage, seconds: number): Promise<void> {
  const floor = await stage.startReplay();
  const rows = [];
  const ratios: number[] = [];
  for (const [shape, paths] of Object.entries(await createPaths(stage))) {
    await fetch(floor.address, { method: 'POST', body: JSON.stringify(paths) });
    for (const connections of [1, 10]) {
      const rates: Record<'floor' | 'product', number[]> = { floor: [], product: [] };
      const times: number[] = [];
      // In turn, so that a noisy moment affects both. The first round warms up.
      for (let round = 0; round <= 3; round += 1) {
        const own = await load({ address: floor.address, paths, connections, seconds });
        await stage.dropCaches();
        const product = await load({ address: stage.product, paths, connections, seconds });
        if (own.failed + product.failed > 0) throw new Error(`${own.failed} and ${product.failed} requests failed`);
        if (round === 0) continue;
        rates.floor.push(own.perSecond);
        rates.product.push(product.perSecond);
        times.push(product.p50);
      }
      const [bare, product] = [median(rates.floor), median(rates.product)];
      ratios.push(product / bare);
      rows.push([shape, connections, bare, product, product / bare, median(times)]);
    }
  }
  await stopProcess(floor);
  printTable(
    `Different searches at ${stage.listings} listings, requests/s, medians of 3 rounds of ${seconds} s`,
    ['shape', 'connections', 'floor', 'product', 'ratio', 'p50 ms'],
    rows,
  );
  printBars([{ what: 'requests/s of the slowest shape against the floor', measured: Math.min(...ratios), atLeast: 0.7 }]);
}
