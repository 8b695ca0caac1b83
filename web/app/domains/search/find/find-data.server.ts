import { findCategory } from '@handwise/contract/categories';
import type { CallInput } from '@handwise/contract/call';
import { paths } from '@handwise/contract/paths';
import { findListings } from '@handwise/contract/search';
import type { ServerContext } from '../../../lib/server-context.ts';
import { cardView } from '../../listings/card-view.ts';
import { changed, type FindName, type FindParams, readFind } from './find-params.ts';

/** What a form sends. */
const typed = new Set<string>(['q', 'where'] satisfies FindName[]);

/** A search of everybody, as its page shows it. Null where the address names what is not there. */
export async function findData({ call }: ServerContext, asked: URLSearchParams) {
  const params = readFind(asked);
  const { found, unknown } = await search(call, params);
  if (!found || Number(params.page ?? 1) > Math.max(1, found.totalPages)) return null;
  return {
    params,
    unknown,
    understood: found.understood,
    total: found.totalListings,
    page: found.currentPage,
    totalPages: found.totalPages,
    cards: found.listings.map((listing) => ({
      ...cardView(listing),
      distanceKm: listing.distanceKm,
      paidPlacement: listing.paidPlacement,
      why: listing.why,
    })),
    alternatives: found.alternatives,
    facets: found.facets,
  };
}
export type FindData = NonNullable<Awaited<ReturnType<typeof findData>>>;

/** A place that nobody knows is no reason to show nothing: the rest is searched for, and the page says so. */
async function search(call: ServerContext['call'], params: FindParams) {
  // Whatever else an address says, the call itself refuses.
  const ask = (query: FindParams) => call(findListings, { query: query as CallInput<typeof findListings>['query'] });
  try {
    return { found: await ask(params), unknown: null };
  } catch (error) {
    const { status, fields = [] } = error as { status?: number; fields?: readonly { field: string }[] };
    if (status !== 400) throw error;
    const place = (['where', 'near'] as const).find((name) => fields.every(({ field }) => field === name));
    if (!place || fields.length === 0) return { found: null, unknown: null };
    return { found: await ask(changed(params, { [place]: undefined })), unknown: params[place] ?? null };
  }
}

/**
 * The page of the directory that a typed search is: a group, everywhere or in a region or a town, and nothing else. What was typed goes
 * along, so that it can still be searched as it was typed. Null where the search says more, or was put together by its parts.
 */
export function directoryAddress(
  { params, understood, unknown }: Pick<FindData, 'params' | 'understood' | 'unknown'>,
  market: string | null,
) {
  const { category, subCategory, area, words, guess, nearMe } = understood;
  const group = category ? findCategory(category) : undefined;
  if (!group || subCategory || words || guess || nearMe || unknown) return null;
  if (Object.keys(params).some((name) => !typed.has(name))) return null;
  // A country by itself is a page of its own site only.
  if (area && !area.region && area.country !== market) return null;
  return `${paths.servicesIn(group.slug, area?.region ?? undefined, area?.town ?? area?.district ?? undefined)}?${new URLSearchParams(Object.entries(params)).toString()}`;
}
