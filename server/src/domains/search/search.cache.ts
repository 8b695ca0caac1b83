import { pageSize } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { type CachePolicy, maxCacheSeconds } from '../../kit/cache/response-cache.ts';
import { anyListingTag, listCacheTags } from '../listings/listings.service.ts';
import { filterOf } from './search.rules.ts';
import { few } from './understanding/search.widening.ts';

const untilChanged = (tags: readonly string[]): CachePolicy => ({ tags, maxAgeSeconds: maxCacheSeconds });

/**
 * Any changed listing may change a search by words or distance, or the searches that a page offers. With ten changes a second these would never be
 * cached, so they may be a second old.
 */
export const anyListingPolicy: CachePolicy = { tags: [anyListingTag], maxAgeSeconds: maxCacheSeconds, graceSeconds: 1 };

const ids = ({ listings }: Pick<MemberPage, 'listings'>) => listings.map(({ _id }) => _id);

export function cachePolicyOfList(search: ListingSearch, page: MemberPage, market: CountryCode | null): CachePolicy {
  if (search.title !== undefined || search.listingNumber !== undefined) return anyListingPolicy;
  return untilChanged([...ids(page), ...listCacheTags(filterOf(search, market))]);
}

const isPlain = ({ q, where, near }: FindQuery) => q === undefined && where === undefined && near === undefined;

const someTimeSeconds = 60;

/** Whether the answer came late and leaves out what it would say otherwise: the next one may be complete. */
const isCurtailed = ({ totalListings, facets, alternatives }: FindPage) =>
  totalListings === null || (totalListings < few && (facets === null || alternatives.length === 0));

/** A page with few listings offers other searches, so any changed listing may change it. */
export function cachePolicyOfSearch(search: FindQuery, page: FindPage, market: CountryCode | null): CachePolicy {
  if (isCurtailed(page)) return { ...anyListingPolicy, maxAgeSeconds: someTimeSeconds };
  return isPlain(search) && (page.totalListings ?? 0) >= pageSize
    ? untilChanged([...ids(page), ...listCacheTags(filterOf(search, market))])
    : anyListingPolicy;
}

export const cachePolicyOfPlaces = (search: FindQuery, market: CountryCode | null): CachePolicy =>
  isPlain(search) ? untilChanged(listCacheTags(filterOf(search, market))) : anyListingPolicy;
