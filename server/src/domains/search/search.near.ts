import { type Point, kmBetween } from '@handwise/contract/localities';
import type { Db } from '../../kit/database/database.ts';
import type { Remembered } from '../../kit/remembered.ts';
import type { CardRow } from '../listings/listings.service.ts';
import { type Cell, cellOf, cellsWithin, pointsOf } from './search.cells.ts';
import * as queries from './search.near.queries.ts';
import { type Ring, legsNear, never, ringsOf, shownKm, stretchesOf, totalOf, widest } from './search.near.rules.ts';
import type { ListingFilter } from './search.rules.ts';

type Page = { skip: number; take: number };
type Found = { rows: CardRow[]; total: number };
type Memory = Remembered<Ring[]>;

/** Who is based within a distance of a point, or comes so far: the nearest first, and between equals in the list's order. */
export async function findNear(db: Db, memory: Memory, filter: ListingFilter, page: Page): Promise<Found> {
  const rings = await memory.get(JSON.stringify(filter), () => ringsNear(db, filter));
  return { rows: await queries.listStretches(db, filter, stretchesOf(rings, page), []), total: totalOf(rings) };
}

async function ringsNear(db: Db, filter: ListingFilter): Promise<Ring[]> {
  const { near, place } = filter;
  if (!near) throw new Error('no point to search around');
  const cells = cellsWithin(near, widest).filter(({ cell }) => liesIn(cell, place));
  const legs = legsNear(
    cells.map(({ cell, km }) => ({ code: cell.code, km })),
    near.km,
  );
  return ringsOf(legs, await queries.countLegs(db, filter, legs));
}

/** Those based elsewhere who come to a place: because it lies within their distance, or because they name its district. The nearest first. */
export async function findServing(db: Db, memory: Memory, filter: ListingFilter, page: Page): Promise<Found> {
  const { place } = filter;
  if (!place || place.level === 'country') throw new Error('no place to come to');
  const districts = districtsOf(place);
  const rings = await memory.get(JSON.stringify(filter), () => ringsServing(db, filter, place));
  return { rows: await queries.listStretches(db, filter, stretchesOf(rings, page), districts), total: totalOf(rings) };
}

type Narrow = Exclude<NonNullable<ListingFilter['place']>, { level: 'country' }>;

async function ringsServing(db: Db, filter: ListingFilter, place: Narrow): Promise<Ring[]> {
  const points = pointsOf(place);
  const elsewhere = new Map<number, { cell: Cell; km: number }>();
  for (const point of points) {
    for (const near of cellsWithin(point, widest)) {
      if (liesIn(near.cell, place)) continue;
      const known = elsewhere.get(near.cell.code);
      if (!known || near.km < known.km) elsewhere.set(near.cell.code, near);
    }
  }
  const legs = [...elsewhere.values()].map(({ cell, km }) => ({ code: cell.code, km, least: Math.max(1, Math.ceil(km)) }));
  const totals = new Map((await queries.countLegs(db, filter, legs)).map((total, index) => [legs[index]?.code, total]));
  const known = new Set(legs.map(({ code }) => code));
  for (const { code, listings } of await queries.countServed(db, filter, place.level === 'town' ? districtOf(place.code) : place.code)) {
    const cell = cellOf(code);
    if (!cell || liesIn(cell, place)) continue;
    totals.set(code, (totals.get(code) ?? 0) + listings);
    // Nobody's distance reaches so far, but they name the district.
    if (!known.has(code)) legs.push({ code, km: Math.min(...points.map((point) => kmBetween(point, cell))), least: never });
  }
  return ringsOf(
    legs,
    legs.map(({ code }) => totals.get(code) ?? 0),
  );
}

const districtOf = (code: number) => cellOf(code)?.districtCode ?? 0;

const districtsOf = (place: Narrow): number[] =>
  place.level === 'district'
    ? [place.code]
    : place.level === 'town'
      ? [districtOf(place.code)]
      : pointsOf(place).map(({ districtCode }) => districtCode);

function liesIn({ code, districtCode, country }: Cell, place: ListingFilter['place']): boolean {
  if (!place) return true;
  if (place.level === 'country') return country === place.country;
  if (place.level === 'region') return Math.floor(districtCode / 100) === place.code;
  return place.level === 'district' ? districtCode === place.code : code === place.code;
}

/** How far the base of a listing lies from the place asked for, as it is shown; nothing of it where only its district is known. */
export function distanceFrom({ near, serves, place }: ListingFilter): (row: CardRow | undefined) => { distanceKm?: number } {
  const points: readonly Point[] = near ? [near] : serves && place && place.level !== 'country' ? pointsOf(place) : [];
  return (row) => {
    const base = points.length === 0 || !row || row.base_locality_code === null ? undefined : cellOf(row.base_locality_code);
    return base ? { distanceKm: shownKm(Math.min(...points.map((point) => kmBetween(point, base)))) } : {};
  };
}
