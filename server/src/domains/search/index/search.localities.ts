import type { CountryCode } from '@handwise/contract/markets';
import { type Point, kmBetween } from '@handwise/contract/places/distance';
import { findRegionByCode, findRegionByDistrict, getRegionCode, regions } from '@handwise/contract/places/regions';
import { createBoundedCache } from '../../../kit/cache/bounded-cache.ts';
import { listLocalities, listBiggestLocalities, findLocality, findMainTown, findNearestLocality } from '../../places/places.service.ts';
import type { Area, NearPoint, SearchFilter } from './search.index.ts';

/** A value of `listings.locality_code`: a locality's code, or a district's code negated, which stands for its main town. */
type IndexedPlace = Point & { code: number; districtCode: number };

let cachedPlaces: { byCode: ReadonlyMap<number, IndexedPlace>; byLatitude: readonly IndexedPlace[] } | undefined;

function loadPlaces() {
  if (cachedPlaces) return cachedPlaces;
  const districts = regions.flatMap(({ districts }) =>
    districts.flatMap(({ code }): IndexedPlace[] => {
      const town = findMainTown(code);
      return town ? [{ latitude: town.latitude, longitude: town.longitude, code: -code, districtCode: code }] : [];
    }),
  );
  const towns = listLocalities().map(({ code, districtCode, latitude, longitude }): IndexedPlace => ({
    code,
    districtCode,
    latitude,
    longitude,
  }));
  const all = [...districts, ...towns];
  cachedPlaces = {
    byCode: new Map(all.map((one) => [one.code, one])),
    byLatitude: all.toSorted((one, other) => one.latitude - other.latitude),
  };
  return cachedPlaces;
}

export const findIndexedPlace = (code: number): IndexedPlace | undefined => loadPlaces().byCode.get(code);

/** The largest service radius of a listing. */
const maxServiceRadiusKm = 200;
// A lower bound: a degree of latitude is at least 110.57 km.
const kmPerDegree = 110;
const radiansPerDegree = Math.PI / 180;

function* listPlacesWithin(point: Point, km: number): Generator<{ code: number; km: number }> {
  const { byLatitude } = loadPlaces();
  const latitudeSpan = km / kmPerDegree;
  const smallestCosine = Math.cos(Math.min(90, Math.abs(point.latitude) + latitudeSpan) * radiansPerDegree);
  const longitudeSpan = smallestCosine > 0.2 ? latitudeSpan / smallestCosine : 360;
  let low = 0;
  let high = byLatitude.length;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((byLatitude[middle]?.latitude ?? 0) < point.latitude - latitudeSpan) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < byLatitude.length; at += 1) {
    const place = byLatitude[at];
    if (!place || place.latitude > point.latitude + latitudeSpan) break;
    const longitudeDifference = Math.abs(place.longitude - point.longitude);
    if (Math.min(longitudeDifference, 360 - longitudeDifference) > longitudeSpan) continue;
    const distance = kmBetween(point, place);
    if (distance <= km) yield { code: place.code, km: distance };
  }
}

/** Codes of places and their distances from a point as two parallel arrays, each a text as `unnest` takes it: an array of numbers would be converted each time. */
export type Distances = { codes: string; kms: string };

const toDistances = (places: readonly { code: number; km: number }[]): Distances => ({
  codes: `{${places.map(({ code }) => code).join(',')}}`,
  // To the metre.
  kms: `{${places.map(({ km }) => Math.round(km * 1_000) / 1_000).join(',')}}`,
});

/** `distances` reach so far that a business may travel from there; `district` is the point's. */
export type LocalitiesAround = { distances: Distances; district: number };

// A search asks several times around the same point, and many searches are around the same towns.
const cachedAround = createBoundedCache<LocalitiesAround>('localitiesAround');

/** The town or suburb of a point: the one that was named, else the nearest. */
export const findLocalityOf = (near: NearPoint) =>
  near.locality === undefined ? findNearestLocality(near)?.locality : findLocality(near.locality);

export function listLocalitiesAround(near: NearPoint): LocalitiesAround {
  const { latitude, longitude, km, locality = 0 } = near;
  const reach = Math.max(maxServiceRadiusKm, km);
  const key = `${latitude} ${longitude} ${locality} ${reach}`;
  const found = cachedAround.get(key) ?? {
    distances: listCodesWithin({ latitude, longitude }, reach),
    district: findLocalityOf(near)?.districtCode ?? 0,
  };
  cachedAround.set(key, found);
  return found;
}

/** The places of a district or region with their distances from its centre; null for a country. */
export function listLocalitiesIn(area: Area): Distances | null {
  const centre = findCentre(area);
  if (!centre || area.level === 'country') return null;
  const inside = loadPlaces().byLatitude.filter(({ districtCode }) =>
    area.level === 'district' ? districtCode === area.code : Math.floor(districtCode / 100) === area.code,
  );
  return toDistances(inside.map((place) => ({ code: place.code, km: kmBetween(centre, place) })));
}

/** The main town of a district, or the city that a region is named after: the middle of what people mean by the name. */
export function findMiddle(area: Area): Point | undefined {
  if (area.level === 'country') return undefined;
  if (area.level === 'district') return findMainTown(area.code);
  const region = findRegionByCode(area.code);
  const city = region?.districts.find(({ slug }) => slug === region.slug || slug === `${region.slug}-city`);
  return city && findMainTown(city.code);
}

/** The middle of an area, or the main town of a region that has no city of its name. */
const findCentre = (area: Area): Point | undefined =>
  findMiddle(area) ?? (area.level === 'region' ? listBiggestLocalities(({ regionCode }) => regionCode === area.code, 1)[0] : undefined);

/** What a search is around: its point, or the middle of its area. */
export const findOrigin = ({ near, place }: SearchFilter): Point | undefined => near ?? (place && findCentre(place));

/** The country of the place of a search. */
export function findCountryOfPlace({ near, place }: SearchFilter): CountryCode | undefined {
  if (near) return findLocalityOf(near)?.country;
  if (!place) return undefined;
  if (place.level === 'country') return place.country;
  return findRegionByCode(place.level === 'region' ? place.code : getRegionCode(place.code))?.country;
}

/** The positions of the districts of a country, where listings without a base are. */
export const listDistrictPoints = (country: CountryCode) =>
  loadPlaces().byLatitude.filter(({ code, districtCode }) => code < 0 && findRegionByDistrict(districtCode)?.country === country);

/** The codes within a distance of a point. */
export const listCodesWithin = (point: Point, km: number): Distances => toDistances([...listPlacesWithin(point, km)]);

/** One decimal below ten kilometres, none from there on. */
const roundKm = (km: number) => (km < 9.95 ? Math.round(km * 10) / 10 : Math.round(km));

/** The distance of a listing's base from the place of a search; no field without a base, or if the place has no middle that its name means. */
export function createDistanceField({ near, place }: SearchFilter): (baseLocality: number | null) => { distanceKm?: number } {
  const point = near ?? (place && findMiddle(place));
  return (baseLocality) => {
    const base = point && baseLocality !== null ? findIndexedPlace(baseLocality) : undefined;
    return base && point ? { distanceKm: roundKm(kmBetween(point, base)) } : {};
  };
}
