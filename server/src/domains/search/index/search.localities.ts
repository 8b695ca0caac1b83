import { type Point, kmBetween } from '@handwise/contract/places/distance';
import { regionOfCode, regions } from '@handwise/contract/places/regions';
import { listLocalities, listBiggestLocalities, findMainTown, findNearestLocality } from '../../places/places.service.ts';
import type { Area, Around, SearchFilter } from './search.index.ts';

/** A place that listings are found by, as `listings.locality_code` has it: a locality, or as minus a district's code its main town. */
type FoundPlace = Point & { code: number; districtCode: number };

let known: { byCode: ReadonlyMap<number, FoundPlace>; fromSouth: readonly FoundPlace[] } | undefined;

function places() {
  if (known) return known;
  const districts = regions.flatMap(({ districts }) =>
    districts.flatMap(({ code }): FoundPlace[] => {
      const town = findMainTown(code);
      return town ? [{ latitude: town.latitude, longitude: town.longitude, code: -code, districtCode: code }] : [];
    }),
  );
  const towns = listLocalities().map(({ code, districtCode, latitude, longitude }): FoundPlace => ({
    code,
    districtCode,
    latitude,
    longitude,
  }));
  const all = [...districts, ...towns];
  known = { byCode: new Map(all.map((one) => [one.code, one])), fromSouth: all.toSorted((one, other) => one.latitude - other.latitude) };
  return known;
}

export const foundPlaceOf = (code: number): FoundPlace | undefined => places().byCode.get(code);

/** The furthest that a business can say it travels. */
const widestKm = 200;
// A degree of latitude is nowhere less.
const kmOfDegree = 110;
const radians = Math.PI / 180;

function* placesWithin(point: Point, km: number): Generator<{ code: number; km: number }> {
  const { fromSouth } = places();
  const span = km / kmOfDegree;
  const least = Math.cos(Math.min(90, Math.abs(point.latitude) + span) * radians);
  const wide = least > 0.2 ? span / least : 360;
  let low = 0;
  let high = fromSouth.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fromSouth[middle]?.latitude ?? 0) < point.latitude - span) low = middle + 1;
    else high = middle;
  }
  for (let at = low; at < fromSouth.length; at += 1) {
    const place = fromSouth[at];
    if (!place || place.latitude > point.latitude + span) break;
    const east = Math.abs(place.longitude - point.longitude);
    if (Math.min(east, 360 - east) > wide) continue;
    const away = kmBetween(point, place);
    if (away <= km) yield { code: place.code, km: away };
  }
}

/** Places that listings are found by, with their distances from a point. */
export type Distances = { codes: number[]; kms: number[] };
export type Reach = {
  /** Those within the radius. */
  within: Distances;
  /** Those further away, from where a business may still travel to the point. */
  beyond: Distances;
  /** The district that the point is in. */
  district: number;
};

const asDistances = (places: readonly { code: number; km: number }[]): Distances => ({
  codes: places.map(({ code }) => code),
  kms: places.map(({ km }) => km),
});

export function reachOf(near: Around): Reach {
  const all = [...placesWithin(near, Math.max(widestKm, near.km))];
  return {
    within: asDistances(all.filter(({ km }) => km <= near.km)),
    beyond: asDistances(all.filter(({ km }) => km > near.km)),
    district: findNearestLocality(near)?.locality.districtCode ?? 0,
  };
}

/** The places of a district or region with their distances from its middle: who is nearest there. */
export function reachWithin(area: Area): Distances | null {
  const middle = middleOf(area);
  if (!middle || area.level === 'country') return null;
  const inside = places().fromSouth.filter(({ districtCode }) =>
    area.level === 'district' ? districtCode === area.code : Math.floor(districtCode / 100) === area.code,
  );
  return { codes: inside.map(({ code }) => code), kms: inside.map((place) => kmBetween(middle, place)) };
}

/** The point that distances in an area are reckoned from: the main town of a district, of a region its city. */
function middleOf(area: Area): Point | undefined {
  if (area.level === 'country') return undefined;
  if (area.level === 'district') return findMainTown(area.code);
  const region = regionOfCode(area.code);
  const city = region?.districts.find(({ slug }) => slug === region.slug || slug === `${region.slug}-city`);
  return city ? findMainTown(city.code) : listBiggestLocalities(({ regionCode }) => regionCode === area.code, 1)[0];
}

/** A distance as it is shown: tenths below ten kilometres, whole ones from there. */
const shownKm = (km: number) => (km < 9.95 ? Math.round(km * 10) / 10 : Math.round(km));

/** How far a listing's base is from where a search looks; nothing where only its district is known, or the search names no place. */
export function distanceFrom({ near, place }: SearchFilter): (baseLocality: number | null) => { distanceKm?: number } {
  const point = near ?? (place && middleOf(place));
  return (baseLocality) => {
    const base = point && baseLocality !== null ? foundPlaceOf(baseLocality) : undefined;
    return base && point ? { distanceKm: shownKm(kmBetween(point, base)) } : {};
  };
}
