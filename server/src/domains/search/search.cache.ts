import { pageSize } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { type CachePolicy, maxCacheSeconds, neverCached } from '../../kit/cache/response-cache.ts';
import { anyListingTag, limitToAvailability, listCacheTags } from '../listings/listings.service.ts';
import { parseFilter } from './search.filter.ts';

const cacheUntilChanged = (tags: readonly string[]): CachePolicy => ({ tags, maxAgeSeconds: maxCacheSeconds });

/**
 * Any changed listing may affect a search by words or distance and the alternatives of a page. Without the grace second, ten changes a second
 * would leave nothing cached.
 */
export const anyListingPolicy: CachePolicy = { tags: [anyListingTag], maxAgeSeconds: maxCacheSeconds, graceSeconds: 1 };

const listIds = ({ listings }: Pick<MemberPage, 'listings'>) => listings.map(({ _id }) => _id);

const hasAvailability = ({ listings }: Pick<MemberPage, 'listings'>) => listings.some(({ availability }) => availability !== null);

export function getListCachePolicy(search: ListingSearch, page: MemberPage, market: CountryCode | null): CachePolicy {
  if (page.totalListings === null) return neverCached;
  const policy =
    search.title !== undefined || search.listingNumber !== undefined
      ? anyListingPolicy
      : cacheUntilChanged([...listIds(page), ...listCacheTags(parseFilter(search, market))]);
  return limitToAvailability(policy, hasAvailability(page));
}

const hasParametersOnly = ({ q, where, near }: FindQuery) => q === undefined && where === undefined && near === undefined;

/** A page with few listings has alternatives, which any changed listing may affect. */
export function getSearchCachePolicy(search: FindQuery, page: FindPage, market: CountryCode | null): CachePolicy {
  // Parts are missing, because the search ran out of time.
  if (page.totalListings === null || page.notice !== null) return neverCached;
  const policy =
    hasParametersOnly(search) && page.totalListings >= pageSize
      ? cacheUntilChanged([...listIds(page), ...listCacheTags(parseFilter(search, market))])
      : anyListingPolicy;
  const isWished = page.understood.wishes.some(({ isFirst }) => isFirst);
  return limitToAvailability(policy, search.available !== undefined || isWished || hasAvailability(page));
}

export const getPlacesCachePolicy = (search: FindQuery, market: CountryCode | null): CachePolicy =>
  limitToAvailability(
    hasParametersOnly(search) ? cacheUntilChanged(listCacheTags(parseFilter(search, market))) : anyListingPolicy,
    search.available !== undefined,
  );
