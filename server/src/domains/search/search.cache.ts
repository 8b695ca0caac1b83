import { pageSize } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { type CachePolicy, maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import { anyListingTag, listCacheTags } from '../listings/listings.service.ts';
import { parseFilter } from './search.rules.ts';
import { fewResults } from './understanding/search.widening.ts';

const cacheUntilChanged = (tags: readonly string[]): CachePolicy => ({ tags, maxAgeSeconds: maxCacheSeconds });

/**
 * Any changed listing may affect a search by words or distance and the alternatives of a page. Without the grace second, ten changes a second
 * would leave nothing cached.
 */
export const anyListingPolicy: CachePolicy = { tags: [anyListingTag], maxAgeSeconds: maxCacheSeconds, graceSeconds: 1 };

const listIds = ({ listings }: Pick<MemberPage, 'listings'>) => listings.map(({ _id }) => _id);

export function getListCachePolicy(search: ListingSearch, page: MemberPage, market: CountryCode | null): CachePolicy {
  if (search.title !== undefined || search.listingNumber !== undefined) return anyListingPolicy;
  return cacheUntilChanged([...listIds(page), ...listCacheTags(parseFilter(search, market))]);
}

const hasParametersOnly = ({ q, where, near }: FindQuery) => q === undefined && where === undefined && near === undefined;

const incompleteMaxAgeSeconds = 60;

/** Whether parts are missing because the search ran out of time. */
const isIncomplete = ({ totalListings, facets, alternatives }: FindPage) =>
  totalListings === null || (totalListings < fewResults && (facets === null || alternatives.length === 0));

/** A page with few listings has alternatives, which any changed listing may affect. */
export function getSearchCachePolicy(search: FindQuery, page: FindPage, market: CountryCode | null): CachePolicy {
  if (isIncomplete(page)) return { ...anyListingPolicy, maxAgeSeconds: incompleteMaxAgeSeconds };
  return hasParametersOnly(search) && (page.totalListings ?? 0) >= pageSize
    ? cacheUntilChanged([...listIds(page), ...listCacheTags(parseFilter(search, market))])
    : anyListingPolicy;
}

export const getPlacesCachePolicy = (search: FindQuery, market: CountryCode | null): CachePolicy =>
  hasParametersOnly(search) ? cacheUntilChanged(listCacheTags(parseFilter(search, market))) : anyListingPolicy;
