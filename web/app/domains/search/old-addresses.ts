import { changeParams, findAddress, readFind } from './find/find-params.ts';

/** The new address of a search on /home. Null without one. */
export function findNewAddress(asked: URLSearchParams): string | null {
  const number = asked.get('listingNumber')?.replace(/^#/, '');
  const params = changeParams(readFind(asked), {
    q: number ? `#${number}` : (asked.get('title') ?? undefined),
    sort: asked.get('sort') === 'best' ? 'rating' : undefined,
    page: asked.get('page') ?? undefined,
  });
  return Object.keys(params).length === 0 ? null : findAddress(readFind(new URLSearchParams(params)));
}
