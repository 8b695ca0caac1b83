import { categories } from '@handwise/contract/listings/categories';
import { regions } from '@handwise/contract/places/regions';
import type pg from 'pg';

type Kind = 'listCalls' | 'detailCalls' | 'listPages' | 'listingPages';
export type Mix = { all: readonly string[]; calls: readonly string[] };

const sampled = 6_000;
// Of each hundred that are asked for: lists and listings, of the API and as pages.
const shares: Record<Kind, number> = { listCalls: 30, detailCalls: 25, listPages: 20, listingPages: 25 };

/** Addresses as people ask for them: of each kind the second half as often as the first, the third a third as often (Zipf). */
export async function mixOf(client: pg.Client): Promise<Mix> {
  const { rows } = await client.query<{ id: string }>(`select id from listings where status = 'active' order by md5(id::text) limit 1000`);
  const ids = rows.map(({ id }) => id);
  const slugs = categories.map(({ slug }) => slug);
  const inRegions = slugs.flatMap((category) =>
    regions.filter(({ country }) => country === 'NZ').map(({ slug }) => ({ category, region: slug })),
  );
  const pagesOf = (address: string, separator: string) => [2, 3, 4, 5].map((page) => `${address}${separator}page=${page}`);
  const firsts = [
    '/api/listing/all',
    ...slugs.map((category) => `/api/listing/all?category=${category}`),
    ...inRegions.map(({ category, region }) => `/api/listing/all?category=${category}&region=${region}`),
  ];
  const listCalls = [...firsts, ...firsts.slice(0, 21).flatMap((address) => pagesOf(address, address.includes('?') ? '&' : '?'))];
  const categoryPages = slugs.map((category) => `/services/${category}`);
  const listPages = ['/', '/services', ...categoryPages, ...inRegions.map(({ category, region }) => `/services/${category}/${region}`)];
  const byKind = {
    listCalls: zipf(listCalls),
    detailCalls: zipf(ids.map((id) => `/api/listing/${id}`)),
    listPages: zipf(listPages),
    listingPages: zipf(ids.map((id) => `/listing/${id}`)),
  };
  const kinds = Object.entries(shares).flatMap(([kind, share]) => Array.from({ length: share }, () => kind as Kind));
  const all = Array.from({ length: sampled }, () => byKind[kinds[Math.floor(Math.random() * kinds.length)] ?? 'listCalls']());
  return { all, calls: all.filter((address) => address.startsWith('/api/')) };
}

export function kindOf(address: string): Kind {
  if (address.startsWith('/api/')) return address.startsWith('/api/listing/all') ? 'listCalls' : 'detailCalls';
  return address.startsWith('/listing/') ? 'listingPages' : 'listPages';
}

/** Draws one of these, the first most often. */
function zipf(of: readonly string[]): () => string {
  const sums: number[] = [];
  let sum = 0;
  for (let rank = 1; rank <= of.length; rank += 1) sums.push((sum += 1 / rank));
  return () => {
    const at = Math.random() * sum;
    let [low, high] = [0, of.length - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    return of[low] ?? '';
  };
}
