import type { Alert } from '@handwise/contract/search-alerts';
import { clockOf, momentOf } from '@handwise/contract/dates';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { regionCodeOf, regionOfCode } from '@handwise/contract/places';
import { localityOf, nearestLocality } from '../../places/places.service.ts';
import { boundsOf } from '../orders/search.evidence.ts';
import type { ListingFilter } from '../search.rules.ts';

const everything = 'any';

/** Filters that mean the same are written the same. */
export function inOneWay({ category, ...filter }: ListingFilter): ListingFilter {
  if (category?.level !== 'sub') return { ...filter, ...(category && { category }) };
  return { ...filter, category: { level: 'sub', codes: category.codes.toSorted((one, other) => one - other) } };
}

/** Whether a filter and words leave out more than another country: nobody is told of everything. */
export const isNarrow = ({ place, category, near }: ListingFilter, words: string) =>
  words !== '' || category !== undefined || near !== undefined || (place !== undefined && place.level !== 'country');

function placeToken(place: ListingFilter['place']) {
  if (!place) return everything;
  return `${place.level}:${place.level === 'country' ? place.country : place.code}`;
}

function serviceTokens(category: ListingFilter['category']) {
  if (!category) return [everything];
  if (category.level === 'main') return [`main:${category.main}`];
  return category.level === 'group' ? [`category:${category.code}`] : category.codes.map((code) => `sub:${code}`);
}

/** A filter as the columns that listings are held against. */
export function columnsOf({ category, evidence = {}, ...where }: ListingFilter) {
  const asksReach = where.near !== undefined || where.serves !== undefined;
  const { from, flags, price } = boundsOf(evidence);
  return {
    place: asksReach ? everything : placeToken(where.place),
    services: serviceTokens(category),
    least_cell: from,
    cell_flags: flags,
    price_cell: price,
    max_price: evidence.maxPrice ?? null,
    reach: asksReach ? JSON.stringify(where) : null,
  };
}

/** The country whose clocks somebody goes by who searches so; where the search says none, that of the site. */
export function countryOf({ place, near }: ListingFilter, market: CountryCode | null): CountryCode {
  if (near) return nearestLocality(near)?.locality.country ?? 'NZ';
  if (!place) return market ?? 'NZ';
  if (place.level === 'country') return place.country;
  if (place.level === 'town') return localityOf(place.code)?.country ?? 'NZ';
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
