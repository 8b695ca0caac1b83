import { changed, findAddress, readFind } from './find/find-params.ts';

/** Where a search of members is that was on /home. Null where there was none. */
export function searchOfOldAddress(asked: URLSearchParams): string | null {
  const number = asked.get('listingNumber')?.replace(/^#/, '');
  const params = changed(readFind(asked), {
    q: number ? `#${number}` : (asked.get('title') ?? undefined),
    sort: asked.get('sort') === 'best' ? 'rating' : undefined,
    page: asked.get('page') ?? undefined,
  });
  return Object.keys(params).length === 0 ? null : findAddress(readFind(new URLSearchParams(params)));
}
