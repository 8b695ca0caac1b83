import { type ListingPage, pageSize } from '@handwise/contract/listings';
import type { CountryCode } from '@handwise/contract/markets';
import { findRegion, regionOfDistrict } from '@handwise/contract/places';
import type { FindPage, FindQuery, ListingSearch } from '@handwise/contract/search';
import { type Shown, longestSeconds } from '../../kit/kept/kept-answers.ts';
import { type ListOf, anyListing, anyWords, evidenceOfList, orderOf } from '../listings/listings.service.ts';
import { whereaboutsOf } from './near/search.near.filter.ts';
import { filterOf } from './search.rules.ts';

const until = (names: readonly string[]): Shown => ({ names, seconds: longestSeconds });

/**
 * Words, distances and whatever offers other searches read more listings than they show: any change may change them. With ten changes a second
 * they would never be kept, so they may be a second old.
 */
const ofAnyListing: Shown = { names: [anyListing], seconds: longestSeconds, grace: 1 };

const ids = ({ listings }: Pick<ListingPage, 'listings'>) => listings.map(({ _id }) => _id);

/** What a page of the list of members shows. */
export function shownOfList(search: ListingSearch, page: ListingPage, market: CountryCode | null): Shown {
  if (search.title !== undefined || search.listingNumber !== undefined) return ofAnyListing;
  const list = filterOf(search, market);
  return until([...ids(page), ...(search.sort === 'best' ? evidenceOfList(list) : orderOf(list))]);
}

/** What a page of everybody's search shows. */
export function shownOfSearch(search: FindQuery, page: FindPage, market: CountryCode | null): Shown {
  const list = plainList(search, market);
  // Whoever finds less is offered more.
  if (!list || page.totalListings < pageSize) return ofAnyListing;
  return until([...ids(page), ...evidenceOfList(list)]);
}

/** What the places of a search show: of a district or a town those around it as well. */
export function shownOfPlaces(search: FindQuery, market: CountryCode | null): Shown {
  const list = plainList(search, market);
  if (!list) return ofAnyListing;
  const { place, ...rest } = list;
  const region = place?.level === 'district' ? regionOfDistrict(place.code) : findRegion(search.region ?? '');
  return until(evidenceOfList(region ? { ...rest, place: { level: 'region', code: region.code } } : list));
}

/** What a town shows: how many there are in it and around it. */
export function shownOfTown({ region, category }: { region: string; category?: string | undefined }): Shown {
  const country = findRegion(region)?.country;
  return until(orderOf({ ...(country && { place: { level: 'country', country } }), ...filterOf({ category }, null) }));
}

export const shownOfSuggestions: Shown = { names: [anyWords], seconds: longestSeconds, grace: 1 };

/** The place and category that a search asks for by parameters alone; undefined where it asks for more than that and filters. */
function plainList({ q, where, near, serves, ...asked }: FindQuery, market: CountryCode | null): ListOf | undefined {
  if ([q, where, near, serves].some((one) => one !== undefined)) return undefined;
  const { country, region, district, town, category, subCategory } = asked;
  return whereaboutsOf({ town, region }, filterOf({ country, region, district, category, subCategory }, market), market);
}
