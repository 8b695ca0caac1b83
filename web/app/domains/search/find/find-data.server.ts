import { findCategory } from '@handwise/contract/categories';
import type { CallInput } from '@handwise/contract/call';
import { paths } from '@handwise/contract/paths';
import { type FindPage, findListings } from '@handwise/contract/search';
import { getTown, searchPlaces } from '@handwise/contract/search-places';
import { data } from 'react-router';
import type { ServerContext } from '../../../lib/server-context.ts';
import { cardView } from '../../listings/card-view.ts';
import { alertSearch } from '../alerts/alert-search.ts';
import { changed, findAddress, type FindName, findNames, type FindParams, readFind } from './find-params.ts';
import type { NoSearch } from './no-such-search.tsx';

/** What a form sends. */
const typed = new Set<string>(['q', 'where'] satisfies FindName[]);

/** A search of everybody, as its page shows it. Where the address names what is not there, it is thrown in which of its parts. */
export async function findData({ call }: ServerContext, asked: URLSearchParams) {
  const params = readFind(asked);
  const { found, unknown, wrong } = await search(call, params);
  if (!found) throw noSearch(params, wrong);
  if (Number(params.page ?? 1) > Math.max(1, found.totalPages)) throw noSearch(params, ['page']);
  const { totalListings, totalIsExact } = found;
  return {
    params,
    unknown,
    alert: unknown ? null : alertSearch(params),
    understood: found.understood,
    notice: found.notice,
    total: totalListings,
    isExact: totalIsExact,
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
    map: unknown ? null : await placesOf(call, params, found),
  };
}
export type FindData = Awaited<ReturnType<typeof findData>>;

const noSearch = (params: FindParams, wrong: readonly FindName[]) => data({ params, wrong } satisfies NoSearch, { status: 404 });

/** A place that nobody knows is no reason to show nothing: the rest is searched for, and the page says so. */
async function search(call: ServerContext['call'], params: FindParams) {
  // Whatever else an address says, the call itself refuses.
  const ask = (query: FindParams) => call(findListings, { query: query as CallInput<typeof findListings>['query'] });
  try {
    return { found: await ask(params), unknown: null, wrong: [] };
  } catch (error) {
    const { status, fields = [] } = error as { status?: number; fields?: readonly { field: string }[] };
    if (status !== 400) throw error;
    const place = (['where', 'near'] as const).find((name) => fields.every(({ field }) => field === name));
    if (!place || fields.length === 0)
      return { found: null, unknown: null, wrong: findNames.filter((name) => fields.some(({ field }) => field === name)) };
    // How far, and who is nearest, mean nothing without the place.
    const byDistance = place === 'near' && { km: undefined, sort: params.sort === 'nearest' ? undefined : params.sort };
    return { found: await ask(changed(params, { [place]: undefined, ...byDistance })), unknown: params[place] ?? null, wrong: [] };
  }
}

/**
 * Where the listings are, each place a filter. Not for words: there each place would be a search of its own, which nobody should wait for
 * who came for the list.
 */
async function placesOf(call: ServerContext['call'], params: FindParams, { understood, totalListings }: FindPage) {
  if (totalListings === null || totalListings < 2 || understood.words || understood.near) return null;
  const query = changed(params, { sort: undefined }) as CallInput<typeof searchPlaces>['query'];
  const { places, isWhole } = await call(searchPlaces, { query });
  if (places.length < 2) return null;
  const shown = places.map(({ name, country, total, latitude, longitude, query: there }) => ({
    name,
    country,
    total,
    latitude,
    longitude,
    to: findAddress(changed(readFind(new URLSearchParams(there)), { sort: params.sort })),
  }));
  return { isWhole, places: shown };
}

/** Whether a town or district has a page of its own in the directory. */
export const hasPage = async (call: ServerContext['call'], region: string, town: string) =>
  call(getTown, { query: { region, town } }).then(
    () => true,
    (error: { status?: number }) => {
      if (error.status === 400) return false;
      throw error;
    },
  );

/**
 * The page of the directory that a typed search is: a group, everywhere or in a region or a town, and nothing else. What was typed goes
 * along, so that it can still be searched as it was typed. Null where the search says more, or was put together by its parts.
 */
export function directoryAddress(
  { params, understood, unknown }: Pick<FindData, 'params' | 'understood' | 'unknown'>,
  market: string | null,
) {
  const { category, subCategory, area, words, guess, nearMe, widened } = understood;
  const group = category ? findCategory(category) : undefined;
  if (!group || subCategory || words || guess || nearMe || unknown || widened.length > 0) return null;
  if (Object.keys(params).some((name) => !typed.has(name))) return null;
  // A country by itself is a page of its own site only.
  if (area && !area.region && area.country !== market) return null;
  const region = area?.region ?? undefined;
  // A district that is its whole region has the region's page.
  const town = area?.town ?? (area?.district === region ? undefined : area?.district) ?? undefined;
  const path = `${paths.servicesIn(group.slug, region, town)}?${new URLSearchParams(Object.entries(params)).toString()}`;
  return { region, town, path };
}
