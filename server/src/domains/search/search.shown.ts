import { pageSize } from '@handwise/contract/listings/calls';
import type { CountryCode } from '@handwise/contract/markets';
import type { FindPage, FindQuery, ListingSearch, MemberPage } from '@handwise/contract/search/calls';
import { type Shown, longestSeconds } from '../../kit/kept/kept-answers.ts';
import { anyListing, namesOfList } from '../listings/listings.service.ts';
import { filterOf } from './search.rules.ts';

const until = (names: readonly string[]): Shown => ({ names, seconds: longestSeconds });

/**
 * Words, distances and whatever offers other searches read more listings than they show: any change may change them. With ten changes a second
 * they would never be cached, so they may be a second old.
 */
export const ofAnyListing: Shown = { names: [anyListing], seconds: longestSeconds, grace: 1 };

const ids = ({ listings }: Pick<MemberPage, 'listings'>) => listings.map(({ _id }) => _id);

/** What a page of the documented list shows. */
export function shownOfList(search: ListingSearch, page: MemberPage, market: CountryCode | null): Shown {
  if (search.title !== undefined || search.listingNumber !== undefined) return ofAnyListing;
  return until([...ids(page), ...namesOfList(filterOf(search, market))]);
}

const isPlain = ({ q, where, near }: FindQuery) => q === undefined && where === undefined && near === undefined;

/** What a page of everybody's search shows. One that finds little offers other searches. */
export const shownOfSearch = (search: FindQuery, page: FindPage, market: CountryCode | null): Shown =>
  isPlain(search) && (page.totalListings ?? 0) >= pageSize ? until([...ids(page), ...namesOfList(filterOf(search, market))]) : ofAnyListing;

/** What the places of a search show. */
export const shownOfPlaces = (search: FindQuery, market: CountryCode | null): Shown =>
  isPlain(search) ? until(namesOfList(filterOf(search, market))) : ofAnyListing;
