import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { type Load, compareLoads, median, getMemory, percentile, printBars, printTable, timed } from './load.ts';
import type { Stage } from './stage.ts';

const pathOf = (search: Record<string, string | number>) =>
  `/api/listing/all?${new URLSearchParams(Object.entries(search).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

/** Some items at equal distances instead of random ones: the same requests in every run. */
const sample = <T>(items: readonly T[], count: number): T[] => {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0).slice(0, count);
};

const groups = categories.map((category) => category.slug);
const places = regions.map((region) => region.slug);
const towns = [
  ['waikato', 'cambridge'],
  ['waikato', 'hamilton'],
  ['auckland', 'ponsonby'],
  ['victoria', 'richmond'],
  ['queensland', 'brisbane'],
  ['western-australia', 'fremantle'],
];

async function pathsOf({ client, product }: Stage) {
  const { rows: words } = await client.query<{ word: string; listings: number }>(
    `select word, ndoc as listings from ts_stat('select words_in_order(service_title) from listings where status = ''active''')
     where length(word) > 3 and word ~ '^[a-z]+$' order by ndoc desc, word`,
  );
  const { rows: ids } = await client.query<{ id: string }>(
    "select id from listings where status = 'active' and id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' order by md5(id::text) limit 2000",
  );
  const common = words.slice(0, 60).map((one) => one.word);
  const middling = words.slice(60, 400).map((one) => one.word);
  const rare = words.filter((one) => one.listings < 200).map((one) => one.word);
  const lastPage = async (search: Record<string, string>) => {
    const { totalPages } = (await (await fetch(product + pathOf(search))).json()) as { totalPages: number };
    return pathOf({ ...search, page: totalPages });
  };
  const titles = (texts: readonly string[]) => texts.map((title) => pathOf({ title }));
  const loaded = {
    'all listings': [pathOf({})],
    category: groups.map((category) => pathOf({ category })),
    'category, page 5': groups.map((category) => pathOf({ category, page: 5 })),
    'category + region': groups.flatMap((category) => places.map((region) => pathOf({ category, region }))),
    'text, common word': titles(common),
    'text, rare word': titles(sample(rare, 200)),
    detail: ids.map(({ id }) => `/api/listing/${id}`),
  };
  const single = {
    ...loaded,
    'category, page 50': groups.slice(0, 8).map((category) => pathOf({ category, page: 50 })),
    'last page': [await lastPage({ category: 'plumbing' }), await lastPage({})],
    'district + sub-category': sample(regions, 20).flatMap((region) =>
      sample(region.districts, 2).map((district) =>
        pathOf({ region: region.slug, district: district.slug, subCategory: 'Residential plumbing' }),
      ),
    ),
    'text, middling word': titles(sample(middling, 60)),
    'text, two words': titles(sample(common, 30).map((word, index) => `${word} ${middling[index * 7] ?? ''}`)),
    'text, word in a region': sample(common, 30).map((title, index) => pathOf({ title, region: places[index % places.length] ?? '' })),
    'text, part of a word': titles(sample(common, 30).map((word) => word.slice(0, 4))),
    'text, typing error': titles(
      sample(
        common.filter((word) => word.length > 5),
        30,
      ).map((word) => word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4)),
    ),
    'places of a group': groups.map((category) => `/api/search/places?category=${category}`),
    'places of a filtered group': groups.map((category) => `/api/search/places?category=${category}&photos=1`),
    'districts and towns of a region': places.map((region) => `/api/search/places?category=plumbing&region=${region}`),
    'a town and its surroundings': towns.flatMap(([region, town]) =>
      groups.map((category) => `/api/search/town?region=${region}&town=${town}&category=${category}`),
    ),
    'text, business name': titles(['anderson', 'williams', 'patel', 'nguyen', 'taylor', 'campbell', 'kaur', 'walker']),
    'text, what all offer': titles(['quotes', 'free']),
    'text, name of a category': titles(['plumbing', 'painter', 'roofing', 'cleaning', 'landscaping', 'electricians']),
    'text, page 50': sample(common, 30).map((title) => pathOf({ title, page: 50 })),
    'text, nothing found': titles(['zzyzxq', 'qqwwxx', 'xkcdxkcd']),
  };
  return { loaded, single };
}

/** Throughput and latency of the product against the floor, then how long each kind of list takes without cached answers. */
export async function benchSearch(stage: Stage, seconds: number): Promise<void> {
  const { loaded, single } = await pathsOf(stage);
  const compared: { shape: string; connections: number; floor: Load; product: Load }[] = [];
  for (const [shape, paths] of Object.entries(loaded)) {
    for (const connections of [10, 50]) {
      const options = { paths, connections, seconds };
      const [floor, product] = await compareLoads({ ...options, address: stage.floor }, { ...options, address: stage.product });
      compared.push({ shape, connections, floor, product });
    }
  }
  const ratios = compared.map(({ product, floor }) => product.perSecond / floor.perSecond);
  printTable(
    `Lists at ${stage.listings} listings: requests/s (ms at p50 and p99), medians of 3 rounds of ${seconds} s`,
    ['shape', 'connections', 'floor/s', 'product/s', 'ratio', 'floor p50', 'p50', 'floor p99', 'p99', 'failed'],
    compared.map(({ shape, connections, floor, product }, index) => [
      shape,
      connections,
      floor.perSecond,
      product.perSecond,
      ratios[index] ?? 0,
      floor.p50,
      product.p50,
      floor.p99,
      product.p99,
      product.failed,
    ]),
  );
  printBars([
    { what: 'requests/s of the slowest shape against the floor', measured: Math.min(...ratios), atLeast: 0.7 },
    { what: 'p99 of the slowest shape against the floor’s', measured: Math.max(...compared.map((one) => one.product.p99 / one.floor.p99)) },
  ]);

  const rows: [string, number, number, number][] = [];
  for (const [shape, paths] of Object.entries(single)) {
    const times: number[] = [];
    for (const path of sample(paths, 60)) {
      await stage.dropCaches();
      times.push((await timed(async () => (await fetch(stage.product + path)).arrayBuffer()))[0]);
    }
    rows.push([shape, times.length, median(times), percentile(times, 0.99)]);
  }
  printTable('One request at a time, nothing cached, ms', ['shape', 'requests', 'p50', 'p99'], rows);
  const p50Of = (shape: keyof typeof single) => rows.find(([name]) => name === shape)?.[2] ?? 0;
  printBars((['category, page 50', 'last page'] as const).map((what) => ({ what: `${what}, p50 ms`, measured: p50Of(what), atMost: 20 })));
  console.log(`\nMemory of the server process afterwards: ${getMemory(stage.productPid).now.toFixed(0)} MB`);
}
