import { changeParams, findAddress, readFind } from './find/find-params.ts';

/** The new address of a search on /home. Null without one. */
export function findNewAddress(searchParams: URLSearchParams): string | null {
  const number = searchParams.get('listingNumber')?.replace(/^#/, '');
  const params = changeParams(readFind(searchParams), {
    q: number ? `#${number}` : (searchParams.get('title') ?? undefined),
    sort: searchParams.get('sort') === 'best' ? 'rating' : undefined,
    page: searchParams.get('page') ?? undefined,
  });
  return Object.keys(params).length === 0 ? null : findAddress(readFind(new URLSearchParams(params)));
}
