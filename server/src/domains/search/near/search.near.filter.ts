import type { CountryCode } from '@handwise/contract/markets';
import { findRegion, regionOfCode } from '@handwise/contract/places';
import type { FindQuery } from '@handwise/contract/search';
import { usualKm } from '@handwise/contract/search-filters';
import { invalidField } from '../../../kit/errors.ts';
import { localityBySlug, mainTownOf, type Place, placesNamed } from '../../places/places.service.ts';
import type { ListingFilter } from '../search.rules.ts';

type Given = Pick<FindQuery, 'near' | 'km' | 'serves' | 'sort' | 'town' | 'region'>;

/**
 * What a search asks of distances and service areas, within `filter`. Throws `invalid_input` naming the field that means nothing or does not
 * fit the others.
 */
export function whereaboutsOf(search: Given, filter: ListingFilter, market: CountryCode | null): ListingFilter {
  const { near, km, serves, sort } = search;
  if (near === undefined) {
    if (km !== undefined) throw invalidField('km', 'Say near which place');
    if (sort === 'nearest' && !serves) throw invalidField('sort', 'Say near which place, to show the nearest first');
  }
  const within = { ...filter, ...townOf(search, filter) };
  const { place } = within;
  if (serves) {
    if (near !== undefined) throw invalidField('serves', 'Choose those near a place or those who come to one, not both');
    if (!place || place.level === 'country') throw invalidField('serves', 'Name the town, district or region they come to');
  }
  if ((near !== undefined || serves) && sort === 'recommended') throw invalidField('sort', 'By distance, the nearest come first');
  return {
    ...within,
    ...(near !== undefined && { near: { ...pointOf(near, market), km: km ?? usualKm } }),
    ...(serves && { serves: true as const }),
  };
}

function townOf({ town, region: name }: Given, { place }: ListingFilter): Pick<ListingFilter, 'place'> {
  if (town === undefined) return {};
  const region = name === undefined ? undefined : findRegion(name);
  if (!region) throw invalidField('town', 'Name the region of the town too');
  const locality = localityBySlug(region.code, town);
  if (!locality || (place?.level === 'district' && place.code !== locality.districtCode))
    throw invalidField('town', 'There is no such town here');
  return { place: { level: 'town', code: locality.code } };
}

const position = /^(-?\d{1,2}(?:\.\d+)?), ?(-?\d{1,3}(?:\.\d+)?)$/;

// Two decimals are about a kilometre: enough to find who is near, and nobody's house.
const isExact = (number: string) => (number.split('.')[1] ?? '').length > 2;

// A region has no middle that one is near to; the city whose name it bears has.
function cityOf({ regionCode }: Place) {
  const region = regionOfCode(regionCode ?? 0);
  const district = region?.districts.find(({ slug }) => slug === region.slug || slug === `${region.slug}-city`);
  return district && mainTownOf(district.code);
}

function pointOf(near: string, market: CountryCode | null) {
  const [, north, east] = position.exec(near) ?? [];
  if (north !== undefined && east !== undefined) {
    if (isExact(north) || isExact(east)) throw invalidField('near', 'Use two decimals at most');
    const point = { latitude: Number(north), longitude: Number(east) };
    if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) throw invalidField('near', 'There is no such position on Earth');
    return point;
  }
  const places = placesNamed(near, market);
  if (places.length === 0) throw invalidField('near', 'There is no such place here');
  for (const place of places) {
    const point = place.kind === 'region' ? cityOf(place) : place;
    if (point?.latitude !== undefined && point.longitude !== undefined) return { latitude: point.latitude, longitude: point.longitude };
  }
  throw invalidField('near', 'Name a town, a suburb or a district');
}
