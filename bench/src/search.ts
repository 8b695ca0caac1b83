import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { type Load, loadInTurns, memoryOf, percentile, printBars, printTable } from './load.ts';
import type { Stage } from './stage.ts';

const pathOf = (search: Record<string, string | number>) =>
  `/api/listing/all?${new URLSearchParams(Object.entries(search).map(([name, value]): [string, string] => [name, String(value)])).toString()}`;

// Fixed steps through the list instead of chance: the same requests in every run.
const spread = <T>(items: readonly T[], count: number): T[] => {
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === 0).slice(0, count);
};

/** Requests per second and latency of the product against the floor, and how long each kind of search takes when nothing is remembered. */
export async function benchSearch(stage: Stage, seconds: number) {
  const { rows: words } = await stage.client.query<{ word: string; listings: number }>(
    `select word, ndoc as listings from ts_stat('select words_in_order(service_title) from listings where status = ''active''')
     where length(word) > 3 and word ~ '^[a-z]+$' order by ndoc desc, word`,
  );
  const { rows: ids } = await stage.client.query<{ id: string }>(
    "select id from listings where status = 'active' and id < 'ffffffff-ffff-ffff-ffff-ffffffffffff' order by md5(id::text) limit 2000",
  );
  const groups = categories.map((category) => category.slug);
  const places = regions.map((region) => region.slug);
  const common = words.slice(0, 60).map((one) => one.word);
  const rare = spread(
    words.filter((one) => one.listings < 200),
    200,
  ).map((one) => one.word);

  const shapes = {
    'all listings': [pathOf({})],
    category: groups.map((category) => pathOf({ category })),
    'category, page 5': groups.map((category) => pathOf({ category, page: 5 })),
    'category + region': groups.flatMap((category) => places.map((region) => pathOf({ category, region }))),
    'text, common word': common.map((title) => pathOf({ title })),
    'text, rare word': rare.map((title) => pathOf({ title })),
    detail: ids.map(({ id }) => `/api/listing/${id}`),
  };
  const rows: { shape: string; connections: number; floor: Load; product: Load }[] = [];
  for (const [shape, paths] of Object.entries(shapes)) {
    for (const connections of [10, 50]) {
      const [floor, product] = await loadInTurns(
        { address: stage.floor, paths, connections, seconds },
        { address: stage.product, paths, connections, seconds },
      );
      rows.push({ shape, connections, floor, product });
    }
  }
  printTable(
    `Search at ${stage.listings} listings: requests/s (ms at p50 and p99), medians of 3 rounds of ${seconds} s`,
    ['shape', 'conn.', 'floor/s', 'product/s', 'ratio', 'floor p50', 'p50', 'floor p99', 'p99', 'failed'],
    rows.map(({ shape, connections, floor, product }) => [
      shape,
      connections,
      floor.perSecond,
      product.perSecond,
      product.perSecond / floor.perSecond,
      floor.p50,
      product.p50,
      floor.p99,
      product.p99,
      product.failed,
    ]),
  );

  const ratios = rows.map(({ product, floor }) => product.perSecond / floor.perSecond);
  const tails = rows.map(({ product, floor }) => product.p99 / floor.p99);
  printBars([
    { what: 'requests/s of the slowest shape against the floor', measured: Math.min(...ratios), atLeast: 0.7 },
    { what: 'p99 of the slowest shape against the floor’s', measured: Math.max(...tails), atMost: 1.5 },
  ]);

  const middle = words.slice(60, 400).map((one) => one.word);
  const deepest = async (path: string) => {
    const page = (await (await fetch(stage.product + path)).json()) as { totalPages: number };
    return page.totalPages;
  };
  const last = await deepest(pathOf({ category: 'plumbing' }));
  const cold = {
    ...shapes,
    'category, page 50': groups.slice(0, 8).map((category) => pathOf({ category, page: 50 })),
    'last page': [pathOf({ category: 'plumbing', page: last }), pathOf({ page: await deepest(pathOf({})) })],
    'district + sub-category': spread(regions, 20).flatMap((region) =>
      spread(region.districts, 2).map((district) =>
        pathOf({ region: region.slug, district: district.slug, subCategory: 'Residential plumbing' }),
      ),
    ),
    'text, middling word': spread(middle, 60).map((title) => pathOf({ title })),
    'text, two words': spread(common, 30).map((word, index) => pathOf({ title: `${word} ${middle[index * 7] ?? ''}` })),
    'text, word in a region': spread(common, 30).map((title, index) => pathOf({ title, region: places[index % places.length] ?? '' })),
    'text, part of a word': spread(common, 30).map((word) => pathOf({ title: word.slice(0, 4) })),
    'text, typing error': spread(
      common.filter((word) => word.length > 5),
      30,
    ).map((word) => pathOf({ title: word.slice(0, 2) + (word[3] ?? '') + (word[2] ?? '') + word.slice(4) })),
    'places of a group': groups.map((category) => `/api/search/places?category=${category}`),
    'places of a filtered group': groups.map((category) => `/api/search/places?category=${category}&photos=1`),
    'districts and towns of a region': places.map((region) => `/api/search/places?category=plumbing&region=${region}`),
    'a town and what is near': [
      ['waikato', 'cambridge'],
      ['waikato', 'hamilton'],
      ['auckland', 'ponsonby'],
      ['victoria', 'richmond'],
      ['queensland', 'brisbane'],
      ['western-australia', 'fremantle'],
    ].flatMap(([region, town]) => groups.map((category) => `/api/search/town?region=${region}&town=${town}&category=${category}`)),
    'text, business name': ['anderson', 'williams', 'patel', 'nguyen', 'taylor', 'campbell', 'kaur', 'walker'].map((title) =>
      pathOf({ title }),
    ),
    'text, what all offer': [pathOf({ title: 'quotes' }), pathOf({ title: 'free' })],
    'text, name of a category': ['plumbing', 'painter', 'roofing', 'cleaning', 'landscaping', 'electricians'].map((title) =>
      pathOf({ title }),
    ),
    'text, page 50': spread(common, 30).map((title) => pathOf({ title, page: 50 })),
    'text, nothing found': ['zzyzxq', 'qqwwxx', 'xkcdxkcd'].map((title) => pathOf({ title })),
  };
  const times: [string, number, number, number][] = [];
  for (const [shape, paths] of Object.entries(cold)) {
    const taken: number[] = [];
    for (const path of spread(paths, 60)) {
      // What a change of any listing does: every remembered total is dropped.
      await stage.forget();
      const begun = performance.now();
      await (await fetch(stage.product + path)).arrayBuffer();
      taken.push(performance.now() - begun);
    }
    times.push([shape, taken.length, percentile(taken, 0.5), percentile(taken, 0.99)]);
  }
  printTable('One request at a time with no total remembered, ms', ['shape', 'requests', 'p50', 'p99'], times);
  const p50Of = (shape: keyof typeof cold) => times.find(([name]) => name === shape)?.[2] ?? 0;
  printBars((['category, page 50', 'last page'] as const).map((what) => ({ what: `${what}, p50 ms`, measured: p50Of(what), atMost: 20 })));
  console.log(`\nMemory of the server process afterwards: ${memoryOf(stage.productPid).toFixed(0)} MB`);
}
