import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import { repeat } from './load.ts';

export const browserHeaders = () => ({ 'accept-encoding': 'gzip, br' });

/**
 * Paths as visitors request them, the second of each kind half as often as the first, the third a third as often (Zipf):
 * of 100, 30 lists and 25 listings from the API, 20 pages with lists and 25 pages of listings.
 */
export async function createZipfMix(client: pg.Client): Promise<{ all: readonly string[]; calls: readonly string[] }> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 1000`);
  const groups = categories.map(({ slug }) => ({ category: slug }));
  const nzRegions = regions.filter(({ country }) => country === 'NZ');
  const inRegions = groups.flatMap(({ category }) => nzRegions.map((region) => ({ category, region: region.slug })));
  const firstPages: Record<string, string>[] = [{}, ...groups, ...inRegions];
  const laterPages = firstPages.slice(0, 21).flatMap((search) => ['2', '3', '4', '5'].map((page) => ({ ...search, page })));
  const kinds: [number, string[]][] = [
    [0.3, [...firstPages, ...laterPages].map((search) => `/api/listing/all?${new URLSearchParams(search).toString()}`)],
    [0.25, rows.map(({ id }) => `/api/listing/${id}`)],
    [0.2, ['/', '/services', ...[...groups, ...inRegions].map((place) => `/services/${Object.values(place).join('/')}`)]],
    [0.25, rows.map(({ id }) => `/listing/${id}`)],
  ];
  const weighted = kinds.flatMap(([share, paths]) => {
    const sum = paths.reduce((sum, _, index) => sum + 1 / (index + 1), 0);
    return paths.map((path, index) => ({ path, weight: share / sum / (index + 1) }));
  });
  const all = Array.from({ length: 6_000 }, () => {
    let at = Math.random();
    return weighted.find(({ weight }) => (at -= weight) < 0)?.path ?? '/';
  });
  return { all, calls: all.filter((path) => path.startsWith('/api/')) };
}

/** Searches as members make them: by words, by trade and place, with filters; the second of each kind half as often as the first. */
export function createSearchMix(): readonly string[] {
  const places = regions.map(({ slug }) => slug);
  const searches = categories.flatMap(({ slug }, index) => [
    `q=${slug.replaceAll('-', '+')}`,
    `category=${slug}&region=${places[index % places.length]}`,
    `category=${slug}&minRating=4`,
    `q=${slug.replaceAll('-', '+')}&region=${places[(index + 3) % places.length]}`,
  ]);
  const sum = searches.reduce((total, _, index) => total + 1 / (index + 1), 0);
  return Array.from({ length: 2_000 }, () => {
    let at = Math.random() * sum;
    return `/api/search?${searches.find((_, index) => (at -= 1 / (index + 1)) < 0) ?? searches[0]}`;
  });
}

const newText = `update listings set business_info = business_info || '.' where id = $1 and length(business_info) < 900`;
const newPrice = `update listings set price_from_minor = 3000 + (coalesce(price_from_minor, 0) + 700) % 20000, price_unit = 'hour' where id = $1`;
const newRating = `update reviews set rating = 1 + rating % 5 where id = (select id from reviews where listing_id = $1 and removed_at is null limit 1)`;
const newPlan = 'update listings set plan_rank = plan_rank % 3 + 1 where id = $1';
const end = `update listings set status = 'inactive' where id = $1 and status = 'active'`;
const restart = `update listings set status = 'active' where id = $1 and status = 'inactive'`;
const changes = [newText, newPrice, newText, newRating, newText, newPlan, newText, newPrice, newRating, end, restart];

/** Changes random listings at this rate until the function that it returns is called. */
export async function changeListings(databaseUrl: string, perSecond = 10): Promise<() => Promise<void>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 10000`);
  const startedAt = performance.now();
  let id = '';
  const stop = repeat(async (turn) => {
    await pause(Math.max(0, startedAt + (turn * 1_000) / perSecond - performance.now()));
    const change = changes[turn % changes.length] ?? '';
    // What was ended is started again.
    if (change !== restart) id = rows[Math.floor(Math.random() * rows.length)]?.id ?? '';
    await client.query(change, [id]);
  });
  return async () => {
    await stop();
    await client.query(restart, [id]);
    await client.end();
  };
}
