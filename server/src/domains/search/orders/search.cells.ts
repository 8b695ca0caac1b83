import { type Point, kmBetween } from '@handwise/contract/localities';
import type { CountryCode } from '@handwise/contract/markets';
import { regions } from '@handwise/contract/places';
import { allLocalities, mainTownOf } from '../../places/places.service.ts';

/**
 * What distances are reckoned from, as `listings.base_cell` names it: a locality, or as minus a district's code its main town, for those
 * who say no more than their district.
 */
export type Cell = Point & { code: number; districtCode: number; country: CountryCode };

type Cells = { byCode: ReadonlyMap<number, Cell>; fromSouth: readonly Cell[] };
let known: Cells | undefined;

function cells(): Cells {
  if (known) return known;
  const districts = regions.flatMap(({ country, districts }) =>
    districts.flatMap(({ code }): Cell[] => {
      const town = mainTownOf(code);
      return town ? [{ latitude: town.latitude, longitude: town.longitude, code: -code, districtCode: code, country }] : [];
    }),
  );
  const towns = allLocalities().map(({ code, districtCode, country, latitude, longitude }): Cell => ({
    code,
    districtCode,
    country,
    latitude,
    longitude,
  }));
  const all = [...districts, ...towns];
  known = { byCode: new Map(all.map((cell) => [cell.code, cell])), fromSouth: all.toSorted((one, other) => one.latitude - other.latitude) };
  return known;
}

export const cellOf = (code: number): Cell | undefined => cells().byCode.get(code);

/** The points that a place is reckoned by: a town or a district by its own, a region by those of its districts. */
export function pointsOf(place: { level: 'region' | 'district' | 'town'; code: number }): Cell[] {
  const codes =
    place.level === 'region'
      ? (regions.find(({ code }) => code === place.code)?.districts ?? []).map(({ code }) => -code)
      : [place.level === 'district' ? -place.code : place.code];
  return codes.flatMap((code) => cellOf(code) ?? []);
}

// A degree of latitude is nowhere less.
const kmOfDegree = 110;
const degree = Math.PI / 180;

/** All cells within a distance of a point, in no order. */
export function cellsWithin(point: Point, km: number): { cell: Cell; km: number }[] {
  const { fromSouth } = cells();
  const span = km / kmOfDegree;
  // Whoever is this far east or west is too far away, wherever between the two latitudes.
  const least = Math.cos(Math.min(90, Math.abs(point.latitude) + span) * degree);
  const wide = least > 0.2 ? span / least : 360;
  let low = 0;
  let high = fromSouth.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((fromSouth[middle]?.latitude ?? 0) < point.latitude - span) low = middle + 1;
    else high = middle;
  }
  const within: { cell: Cell; km: number }[] = [];
  for (let at = low; at < fromSouth.length; at += 1) {
    const cell = fromSouth[at];
    if (!cell || cell.latitude > point.latitude + span) break;
    const east = Math.abs(cell.longitude - point.longitude);
    if (Math.min(east, 360 - east) > wide) continue;
    const away = kmBetween(point, cell);
    if (away <= km) within.push({ cell, km: away });
  }
  return within;
}
