import type { Alert } from '@handwise/contract/alerts/calls';
import { clockOf, momentOf } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { regionCodeOf, regionOfCode, timeZoneOfRegion } from '@handwise/contract/places/regions';
import { findNearestLocality } from '../places/places.service.ts';
import type { SearchFilter } from '../search/search.service.ts';

/** Filters that mean the same are written the same. */
export function inOneWay({ category, ...filter }: SearchFilter): SearchFilter {
  if (category?.level !== 'sub') return { ...filter, ...(category && { category }) };
  return { ...filter, category: { level: 'sub', codes: category.codes.toSorted((one, other) => one - other) } };
}

/** Whether a filter and words leave out more than another country: nobody is told of everything. */
export const isNarrow = ({ place, category, near, listingNumber }: SearchFilter, words: string) =>
  words !== '' ||
  listingNumber !== undefined ||
  category !== undefined ||
  near !== undefined ||
  (place !== undefined && place.level !== 'country');

/** The code of the region that a search is about; undefined if it is about a country or about no place. */
function regionAbout({ place, near }: SearchFilter): number | undefined {
  if (near) return findNearestLocality(near)?.locality.regionCode;
  if (!place || place.level === 'country') return undefined;
  return place.level === 'region' ? place.code : regionCodeOf(place.code);
}

/** The country that a search is about; if it names none, that of the site. */
export function countryOf(filter: SearchFilter, market: CountryCode | null): CountryCode {
  const { place, near } = filter;
  if (place?.level === 'country' && !near) return place.country;
  if (!place && !near) return market ?? 'NZ';
  return regionOfCode(regionAbout(filter) ?? 0)?.country ?? 'NZ';
}

const firstHour = 7;
const lastHour = 20;

const isByDay = (hour: number) => hour >= firstHour && hour <= lastHour;

/** Whether it is day where a search of this country is about: Perth's clocks are up to three hours behind Sydney's. */
export const isDayAt = (filter: SearchFilter, country: CountryCode, now: Date) =>
  isByDay(clockOf(now, timeZoneOfRegion(regionAbout(filter) ?? 0, country)).hour);

/** Whose mails go out now, by the clocks of a country: daily ones by day, on Mondays weekly ones too, once a day. */
export type Turn = { country: CountryCode; frequencies: Alert['frequency'][]; dayBegan: Date };

export function turnOf(now: Date, country: CountryCode): Turn | undefined {
  const { timeZone } = markets[country];
  const { day, weekday, hour } = clockOf(now, timeZone);
  if (!isByDay(hour)) return undefined;
  return { country, frequencies: weekday === 1 ? ['daily', 'weekly'] : ['daily'], dayBegan: momentOf(day, '00:00', timeZone) };
}
