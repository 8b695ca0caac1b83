import { setTimeout as pause } from 'node:timers/promises';
import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import pg from 'pg';
import { repeat } from './load.ts';

const sampleSize = 6_000;

/**
 * Paths as visitors request them, the second of each kind half as often as the first, the third a third as often (Zipf):
 * of 100, 30 lists and 25 listings from the API, 20 pages with lists and 25 pages of listings.
 */
export async function zipfMix(client: pg.Client): Promise<{ all: readonly string[]; calls: readonly string[] }> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 1000`);
  const slugs = categories.map(({ slug }) => slug);
  const nzRegions = regions.filter(({ country }) => country === 'NZ').map(({ slug }) => slug);
  const inRegions = slugs.flatMap((category) => nzRegions.map((region) => [category, region] as const));
  const firstPages = [
    '/api/listing/all',
    ...slugs.map((category) => `/api/listing/all?category=${category}`),
    ...inRegions.map(([category, region]) => `/api/listing/all?category=${category}&region=${region}`),
  ];
  const laterPages = firstPages
    .slice(0, 21)
    .flatMap((path) => [2, 3, 4, 5].map((page) => `${path}${path.includes('?') ? '&' : '?'}page=${page}`));
  const kinds = [
    { share: 0.3, draw: zipf([...firstPages, ...laterPages]) },
    { share: 0.25, draw: zipf(rows.map(({ id }) => `/api/listing/${id}`)) },
    {
      share: 0.2,
      draw: zipf([
        '/',
        '/services',
        ...slugs.map((category) => `/services/${category}`),
        ...inRegions.map((names) => `/services/${names.join('/')}`),
      ]),
    },
    { share: 0.25, draw: zipf(rows.map(({ id }) => `/listing/${id}`)) },
  ];
  const all = Array.from({ length: sampleSize }, () => {
    let at = Math.random();
    return kinds.find(({ share }) => (at -= share) < 0)?.draw() ?? '/';
  });
  return { all, calls: all.filter((path) => path.startsWith('/api/')) };
}

function zipf(items: readonly string[]): () => string {
  let sum = 0;
  const sums = items.map((_, index) => (sum += 1 / (index + 1)));
  return () => {
    const at = Math.random() * sum;
    return items[sums.findIndex((one) => one > at)] ?? '';
  };
}

const newPrice = `update listings set price_from_minor = 3000 + (coalesce(price_from_minor, 0) + 700) % 20000, price_unit = 'hour' where id = $1`;
const newText = `update listings set business_info = business_info || '.' where id = $1 and length(business_info) < 900`;
const newRating = `update reviews set rating = 1 + rating % 5 where id = (select id from reviews where listing_id = $1 and removed_at is null limit 1)`;
/** Of ten changes: four texts, two prices, two reviews, a plan, an end and a new start; the last two are undone. */
const changes: string[][] = [
  ...Array.from({ length: 4 }, () => [newText]),
  ...Array.from({ length: 2 }, () => [newPrice]),
  ...Array.from({ length: 2 }, () => [newRating]),
  [
    'update listings set plan_rank = plan_rank % 3 + 1 where id = $1',
    'update listings set plan_rank = (plan_rank + 1) % 3 + 1 where id = $1',
  ],
  [
    `update listings set status = 'inactive' where id = $1 and status = 'active'`,
    `update listings set status = 'active' where id = $1 and status = 'inactive'`,
  ],
];

/** Changes random listings until it is stopped, which returns how many changes were made. */
export async function changeListings(databaseUrl: string, perSecond: number): Promise<{ stop(): Promise<number> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 10000`);
  const startedAt = performance.now();
  let changed = 0;
  const changing = repeat(async () => {
    await pause(Math.max(0, startedAt + (changed / perSecond) * 1_000 - performance.now()));
    const id = rows[Math.floor(Math.random() * rows.length)]?.id ?? '';
    for (const update of changes[Math.floor(Math.random() * changes.length)] ?? []) {
      await client.query(update, [id]);
      changed += 1;
    }
  });
  return {
    async stop() {
      await changing.stop();
      await client.end();
      return changed;
    },
  };
}
