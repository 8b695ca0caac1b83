import type { Alert } from '@handwise/contract/alerts/calls';
import { getClock, getMoment } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { getRegionCode, findRegionByCode, getRegionTimeZone } from '@handwise/contract/places/regions';
import { findNearestLocality } from '../places/places.service.ts';
import type { SearchFilter } from '../search/search.service.ts';

/** Equivalent filters have the same normalized form. */
export function normalizeFilter({ category, ...filter }: SearchFilter): SearchFilter {
  if (category?.level !== 'sub') return { ...filter, ...(category && { category }) };
  return { ...filter, category: { level: 'sub', codes: category.codes.toSorted((one, other) => one - other) } };
}

/** Whether a search narrows more than the country; alerts for everything are rejected. */
export const isNarrowSearch = ({ place, category, near, listingNumber }: SearchFilter, words: string) =>
  words !== '' ||
  listingNumber !== undefined ||
  category !== undefined ||
  near !== undefined ||
  (place !== undefined && place.level !== 'country');

/** The region code of a search; undefined for a whole country or no place. */
function findRegionOfSearch({ place, near }: SearchFilter): number | undefined {
  if (near) return findNearestLocality(near)?.locality.regionCode;
  if (!place || place.level === 'country') return undefined;
  return place.level === 'region' ? place.code : getRegionCode(place.code);
}

/** The country of a search; the site's market if it names none. */
export function getCountryOfSearch(filter: SearchFilter, market: CountryCode | null): CountryCode {
  const { place, near } = filter;
  if (place?.level === 'country' && !near) return place.country;
  if (!place && !near) return market ?? 'NZ';
  return findRegionByCode(findRegionOfSearch(filter) ?? 0)?.country ?? 'NZ';
}

const firstHour = 7;
const lastHour = 20;

const isDaytime = (hour: number) => hour >= firstHour && hour <= lastHour;

/** Whether it is daytime in the search's own region; Perth is up to three hours behind Sydney. */
export const isDaytimeAt = (filter: SearchFilter, country: CountryCode, now: Date) =>
  isDaytime(getClock(now, getRegionTimeZone(findRegionOfSearch(filter) ?? 0, country)).hour);

/** Frequencies that are emailed now in a country's time zone: daily ones in the daytime, weekly ones on Mondays too. */
export type EmailWindow = { country: CountryCode; frequencies: Alert['frequency'][]; dayStartedAt: Date };

export function findEmailWindow(now: Date, country: CountryCode): EmailWindow | undefined {
  const { timeZone } = markets[country];
  const { day, weekday, hour } = getClock(now, timeZone);
  if (!isDaytime(hour)) return undefined;
  return { country, frequencies: weekday === 1 ? ['daily', 'weekly'] : ['daily'], dayStartedAt: getMoment(day, '00:00', timeZone) };
}
