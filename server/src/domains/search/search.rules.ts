import { type Category, type MainCategory, findCategory, findSubCategories, mainCategory } from '@handwise/contract/listings/categories';
import type { ListingSearch } from '@handwise/contract/search/calls';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion, regionOfCode } from '@handwise/contract/places/regions';
import { usualKm } from '@handwise/contract/search/filters';
import { fold } from '@handwise/contract/text';
import { invalidField } from '../../kit/errors.ts';
import { type Place, findMainTown, listPlacesByName } from '../places/places.service.ts';
import type { Area, Around, SearchFilter } from './index/search.index.ts';

type Named = Pick<ListingSearch, 'category' | 'subCategory' | 'country' | 'region' | 'district'>;

/**
 * The filter of a search in a market (null: every market). Throws `invalid_input` naming the field that means nothing or
 * does not fit the others.
 */
export function filterOf(search: Named, market: CountryCode | null): Pick<SearchFilter, 'place' | 'category'> {
  return { ...placeOf(search, market), ...categoryOf(search) };
}

function placeOf(search: Named, market: CountryCode | null): Pick<SearchFilter, 'place'> {
  const given = search.country ? findCountry(search.country) : undefined;
  if (search.country && !given) throw invalidField('country', 'There is no such country here');
  if (given && market && given !== market) throw invalidField('country', `This site shows ${markets[market].name} only`);
  const country = given ?? market;

  const region = search.region ? findRegion(search.region) : undefined;
  if (search.region && (!region || (country && region.country !== country))) throw invalidField('region', 'There is no such region here');

  if (search.district) {
    const found = findDistrict(search.district, region && [region]);
    if (!found || (country && found.region.country !== country)) throw invalidField('district', 'There is no such district here');
    return { place: { level: 'district', code: found.district.code } };
  }
  if (region) return { place: { level: 'region', code: region.code } };
  return country ? { place: { level: 'country', country } } : {};
}

function categoryOf(search: Named): Pick<SearchFilter, 'category'> {
  let within: Category | MainCategory | undefined;
  if (search.category) {
    within = mainCategory.safeParse(fold(search.category)).data ?? findCategory(search.category);
    if (!within) throw invalidField('category', 'There is no such category');
  }
  if (search.subCategory) {
    const codes = findSubCategories(search.subCategory, within).map((sub) => sub.code);
    if (codes.length === 0) throw invalidField('subCategory', 'There is no such sub-category here');
    return { category: { level: 'sub', codes } };
  }
  if (!within) return {};
  return { category: typeof within === 'string' ? { level: 'main', main: within } : { level: 'group', code: within.code } };
}

/** A named place as a filter: a town or suburb as a point with a radius, anything else as an area. */
export function placeFilterOf(place: Place, km: number = usualKm): { place: Area } | { near: Around } {
  const { country, regionCode, districtCode, localityCode, latitude, longitude } = place;
  if (localityCode !== undefined && latitude !== undefined && longitude !== undefined)
    return { near: { latitude, longitude, km, locality: localityCode } };
  if (districtCode !== undefined) return { place: { level: 'district', code: districtCode } };
  return { place: regionCode === undefined ? { level: 'country', country } : { level: 'region', code: regionCode } };
}

const position = /^(-?\d{1,2}(?:\.\d+)?), ?(-?\d{1,3}(?:\.\d+)?)$/;

// Two decimals are about a kilometre: enough to find who is near, and nobody's house.
const isExact = (number: string) => (number.split('.')[1] ?? '').length > 2;

// A region has no middle that one is near to; the city whose name it bears has.
function cityOf({ regionCode }: Place) {
  const region = regionOfCode(regionCode ?? 0);
  const district = region?.districts.find(({ slug }) => slug === region.slug || slug === `${region.slug}-city`);
  return district && findMainTown(district.code);
}

/** The point that `near` names, with a radius. Throws `invalid_input` where it is none. */
export function aroundOf(near: string, km: number | undefined, market: CountryCode | null): Around {
  const [, north, east] = position.exec(near) ?? [];
  if (north !== undefined && east !== undefined) {
    if (isExact(north) || isExact(east)) throw invalidField('near', 'Use two decimals at most');
    const point = { latitude: Number(north), longitude: Number(east) };
    if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) throw invalidField('near', 'There is no such position on Earth');
    return { ...point, km: km ?? usualKm };
  }
  const places = listPlacesByName(near, market);
  if (places.length === 0) throw invalidField('near', 'There is no such place here');
  for (const place of places) {
    const point = place.kind === 'region' ? cityOf(place) : place;
    if (point?.latitude === undefined || point.longitude === undefined) continue;
    const { latitude, longitude } = point;
    const locality = place.localityCode ?? ('code' in point ? point.code : place.districtCode && findMainTown(place.districtCode)?.code);
    return { latitude, longitude, km: km ?? usualKm, ...(locality !== undefined && { locality }) };
  }
  throw invalidField('near', 'Name a town, a suburb or a district');
}
