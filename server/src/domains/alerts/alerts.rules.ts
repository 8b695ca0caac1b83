import type { Alert } from '@handwise/contract/search-alerts';
import { clockOf, momentOf } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { regionCodeOf, regionOfCode } from '@handwise/contract/places';
import { nearestLocality } from '../places/places.service.ts';
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

/** The country whose clocks somebody goes by who searches so; where the search says none, that of the site. */
export function countryOf({ place, near }: SearchFilter, market: CountryCode | null): CountryCode {
  if (near) return nearestLocality(near)?.locality.country ?? 'NZ';
  if (!place) return market ?? 'NZ';
  if (place.level === 'country') return place.country;
  return regionOfCode(place.level === 'region' ? place.code : regionCodeOf(place.code))?.country ?? 'NZ';
}

const firstHour = 7;
const lastHour = 20;

/** Whose mails go out now, by the clocks of a country: daily ones by day, on Mondays weekly ones too, once a day. */
export type Turn = { country: CountryCode; frequencies: Alert['frequency'][]; dayBegan: Date };

export function turnOf(now: Date, country: CountryCode): Turn | undefined {
  const { timeZone } = markets[country];
  const { day, weekday, hour } = clockOf(now, timeZone);
  if (hour < firstHour || hour > lastHour) return undefined;
  return { country, frequencies: weekday === 1 ? ['daily', 'weekly'] : ['daily'], dayBegan: momentOf(day, '00:00', timeZone) };
}
