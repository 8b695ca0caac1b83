import { type Category, type MainCategory, findCategory, findSubCategories, mainCategories } from '@handwise/contract/listings/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { findCountry, findDistrict, findRegion, findRegionByCode } from '@handwise/contract/places/regions';
import type { FindQuery, ListingSearch } from '@handwise/contract/search/calls';
import { defaultRadiusKm, parseFilterValues } from '@handwise/contract/search/filters';
import { fold } from '@handwise/contract/text';
import { invalidField } from '../../kit/errors.ts';
import { type Place, findMainTown, listPlacesByName } from '../places/places.service.ts';
import type { Area, NearPoint, SearchFilter } from './index/search.index.ts';
import { listCountries, listNamesakes } from './understanding/search.understanding.ts';

type FilterFields = Pick<ListingSearch, 'category' | 'subCategory' | 'country' | 'region' | 'district'>;

/**
 * The filter of a search in a market (null: all markets). Throws `invalid_input` for a field that is unknown or contradicts
 * the others.
 */
export function parseFilter(search: FilterFields, market: CountryCode | null): Pick<SearchFilter, 'place' | 'category'> {
  return { ...parsePlace(search, market), ...parseCategory(search) };
}

function parsePlace(search: FilterFields, market: CountryCode | null): Pick<SearchFilter, 'place'> {
  const requested = search.country ? findCountry(search.country) : undefined;
  if (search.country && !requested) throw invalidField('country', 'There is no such country here');
  if (requested && market && requested !== market) throw invalidField('country', `This site shows ${markets[market].name} only`);
  const country = requested ?? market;

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

function parseCategory(search: FilterFields): Pick<SearchFilter, 'category'> {
  let within: Category | MainCategory | undefined;
  if (search.category) {
    const category = fold(search.category);
    within = mainCategories.find((main) => main === category) ?? findCategory(search.category);
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

/** A town or suburb becomes a point with a radius, any other place an area. */
export function toPlaceFilter(place: Place, km: number = defaultRadiusKm): { place: Area } | { near: NearPoint } {
  const { country, regionCode, districtCode, localityCode, latitude, longitude } = place;
  if (localityCode !== undefined && latitude !== undefined && longitude !== undefined)
    return { near: { latitude, longitude, km, locality: localityCode } };
  if (districtCode !== undefined) return { place: { level: 'district', code: districtCode } };
  return { place: regionCode === undefined ? { level: 'country', country } : { level: 'region', code: regionCode } };
}

const positionPattern = /^(-?\d{1,2}(?:\.\d+)?), ?(-?\d{1,3}(?:\.\d+)?)$/;

// Two decimals are about a kilometre: precise enough to search nearby, too coarse to identify a house.
const isTooPrecise = (number: string) => (number.split('.')[1] ?? '').length > 2;

// The centre of a region is the city it is named after.
function findRegionCity({ regionCode }: Place) {
  const region = findRegionByCode(regionCode ?? 0);
  const district = region?.districts.find(({ slug }) => slug === region.slug || slug === `${region.slug}-city`);
  return district && findMainTown(district.code);
}

/** Parses `near`, a place or a position. Throws `invalid_input` if it is neither. */
export function parseNear(near: string, km: number | undefined, market: CountryCode | null): NearPoint {
  const [, north, east] = positionPattern.exec(near) ?? [];
  if (north !== undefined && east !== undefined) {
    if (isTooPrecise(north) || isTooPrecise(east)) throw invalidField('near', 'Use two decimals at most');
    const point = { latitude: Number(north), longitude: Number(east) };
    if (Math.abs(point.latitude) > 90 || Math.abs(point.longitude) > 180) throw invalidField('near', 'There is no such position on Earth');
    return { ...point, km: km ?? defaultRadiusKm };
  }
  const places = listPlacesByName(near, market);
  if (places.length === 0) throw invalidField('near', 'There is no such place here');
  for (const place of places) {
    const point = place.kind === 'region' ? findRegionCity(place) : place;
    if (point?.latitude === undefined || point.longitude === undefined) continue;
    const { latitude, longitude } = point;
    const locality = place.localityCode ?? ('code' in point ? point.code : place.districtCode && findMainTown(place.districtCode)?.code);
    return { latitude, longitude, km: km ?? defaultRadiusKm, ...(locality !== undefined && { locality }) };
  }
  throw invalidField('near', 'Name a town, a suburb or a district');
}

/**
 * What the parameters of the public search ask for, without the text: the filter, the chosen values, and how the place was read. Throws `invalid_input`
 * for a field that is unknown or contradicts the others.
 */
export function readFilter(search: FindQuery, market: CountryCode | null) {
  const where = parseWhere(search, market);
  const { near, km, q, sort } = search;
  const { place, ...services } = parseFilter(search, market);
  if (near === undefined && km !== undefined && q === undefined && !where.found) throw invalidField('km', 'Say near which place');
  if (sort === 'nearest' && near === undefined && q === undefined && !where.found && (!place || place.level === 'country'))
    throw invalidField('sort', 'Say near which place, to show the nearest first');
  const named = where.found && 'place' in where.found ? { place: where.found.place } : place && !where.found ? { place } : {};
  const around = near !== undefined ? { near: parseNear(near, km, market) } : where.found && 'near' in where.found ? where.found : {};
  const chosen: SearchFilter = { ...services, ...named, ...around };
  return { where, chosen, values: parseFilterValues(search) };
}

type ParsedWhere = {
  found?: ReturnType<typeof toPlaceFilter>;
  namesakes: ReturnType<typeof toPlaceFilter>[];
  /** The countries that have a place of the name. */
  countries: readonly CountryCode[];
  corrected: string | null;
  nearMe: boolean;
};

const nearMePattern = /^(near (me|here|by)|nearby|around (me|here)|my (area|location|place)|here)$/i;

/** Parses `where`. "Near me" names no place: only the browser knows the position. */
function parseWhere({ where, km, country }: FindQuery, market: CountryCode | null): ParsedWhere {
  if (where === undefined || nearMePattern.test(where))
    return { namesakes: [], countries: [], corrected: null, nearMe: where !== undefined };
  const [place, ...others] = listPlacesByName(where, market, findCountry(country ?? '') ?? null);
  if (!place) throw invalidField('where', 'There is no such place here');
  return {
    found: toPlaceFilter(place, km),
    namesakes: listNamesakes([place, ...others]).map((one) => toPlaceFilter(one, km)),
    countries: listCountries([place, ...others]),
    corrected: place.corrected ? place.name : null,
    nearMe: false,
  };
}
