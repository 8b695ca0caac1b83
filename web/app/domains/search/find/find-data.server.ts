import type { InputOf } from '@handwise/contract/calls';
import { cleanMachineText } from '@handwise/contract/machine-text';
import type { FindPage } from '@handwise/contract/search/calls';
import { markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion } from '@handwise/contract/places/regions';
import { data } from 'react-router';
import type { ServerContext } from '../../../lib/server-context.ts';
import { createFindData } from './find-data.ts';
import { changeParams, type FindName, findNames, type FindParams, type NoSearch, parseListingNumber, readFind } from './find-params.ts';
import { nothingUnderstood } from './unanswered-data.ts';

/** A public search for its page. Throws the parts of the URL that name something unknown. */
export async function findData({ call, market }: ServerContext, searchParams: URLSearchParams) {
  const params = cleanTexts(readFind(searchParams));
  const numbered = await findByNumber(call, params);
  if (numbered) return createFindData(params, numbered);
  const { found, unknown, wrong } = await search(call, params);
  if (!found) throw noSearch(params, wrong, market);
  if (found.totalPages !== null && Number(params.page ?? 1) > Math.max(1, found.totalPages)) throw noSearch(params, ['page'], market);
  return createFindData(params, found, unknown);
}

// On the server only, because the listing page's script has no room for it.
const cleanTexts = (params: FindParams): FindParams =>
  changeParams({}, Object.fromEntries(Object.entries(params).map(([name, text]) => [name, cleanMachineText(text)])));

function noSearch(params: FindParams, wrong: readonly FindName[], market: ServerContext['market']) {
  const onlyIn = market && isElsewhere(params, market) ? markets[market].name : null;
  return data({ params, wrong, onlyIn } satisfies NoSearch, { status: 404 });
}

/** Whether a place of the address is in another country than the host's. */
const isElsewhere = ({ country = '', region = '', district = '' }: FindParams, market: NonNullable<ServerContext['market']>) =>
  [findCountry(country), findRegion(region)?.country, findDistrict(district)?.region.country].some((one) => one && one !== market);

/** Finds a listing by its typed number; other numbers are searched as words. */
async function findByNumber(call: ServerContext['call'], { q, raw }: FindParams): Promise<FindPage | null> {
  const listingNumber = raw ? undefined : parseListingNumber(q);
  if (!q || !listingNumber) return null;
  const found = await call('GET /listing/all', { query: { listingNumber } });
  if (found.totalListings === 0 && !q.startsWith('#')) return null;
  return {
    ...found,
    listings: found.listings.map((listing) => ({ ...listing, section: 'match' as const })),
    sections: [{ key: 'match', heading: null, count: found.totalListings }],
    understood: { ...nothingUnderstood, words: `#${listingNumber}` },
    alternatives: [],
    facets: null,
    notice: found.notice ?? null,
  };
}

/** An unknown place is dropped: the rest is searched for, and the page says so. */
async function search(call: ServerContext['call'], params: FindParams) {
  // The call itself validates the rest of the address.
  const find = (query: FindParams) => call('GET /search', { query: query as InputOf<'GET /search'>['query'] });
  try {
    return { found: await find(params), unknown: null, wrong: [] };
  } catch (error) {
    const { status, fields = [] } = error as { status?: number; fields?: readonly { field: string }[] };
    if (status !== 400) throw error;
    const place = (['where', 'near'] as const).find((name) => fields.every(({ field }) => field === name));
    if (!place || fields.length === 0)
      return { found: null, unknown: null, wrong: findNames.filter((name) => fields.some(({ field }) => field === name)) };
    // Distance and its order have no meaning without the place.
    const byDistance = place === 'near' && { km: undefined, sort: params.sort === 'nearest' ? undefined : params.sort };
    return { found: await find(changeParams(params, { [place]: undefined, ...byDistance })), unknown: params[place] ?? null, wrong: [] };
  }
}
