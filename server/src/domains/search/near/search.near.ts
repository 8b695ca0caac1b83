import { regionCodeOf } from '@handwise/contract/places';
import { type Point, kmBetween } from '@handwise/contract/localities';
import { plans } from '@handwise/contract/plan-table';
import type { FindPage } from '@handwise/contract/search';
import { maxPaidPlaces } from '@handwise/contract/search-filters';
import type { Db } from '../../../kit/database/database.ts';
import type { Remembered } from '../../../kit/remembered.ts';
import { type CardRow, anyListing } from '../../listings/listings.service.ts';
import { type Cell, cellOf, cellsWithin, pointsOf } from '../orders/search.cells.ts';
import { cutAt, cutOf, facetsOf } from '../orders/search.evidence.ts';
import { countLegs, countServed, listStretches } from './search.near.queries.ts';
import {
  type Distances,
  type Leg,
  type Ring,
  legsNear,
  never,
  ringsOf,
  shownKm,
  stretchesOf,
  totalOf,
  widest,
} from './search.near.rules.ts';
import { withPaidPlaces } from '../orders/search.orders.ts';
import type { WordQuery } from '../words/search.planner.ts';
import type { ListingFilter, Order } from '../search.rules.ts';
import { type Asked, listVisited, visitLegs } from '../words/search.visits.queries.ts';

type Page = { skip: number; take: number };
type Found = { rows: CardRow[]; total: number; paid: number; facets: FindPage['facets'] };

// So many are looked at, one by one, for how many each filter would leave.
const fewRows = 1_000;

/**
 * Who is based within a distance of a point or comes so far, who comes to a place from elsewhere, or who in a town has the words: the nearest
 * first and between equals in the list's order, or in another order.
 */
export async function findByDistance(
  db: Db,
  memory: Remembered<Distances>,
  filter: ListingFilter,
  words: WordQuery | null,
  order: Order,
  page: Page,
): Promise<Found> {
  const asked = { filter, words, districts: districtsOf(filter) };
  const { rings, visit } = await memory.get(JSON.stringify([filter, words]), () => distancesOf(db, asked), [anyListing]);
  const { evidence = {} } = filter;
  return {
    ...(await pageOf(db, asked, rings, order, page)),
    facets: visit && facetsOf(visit.whole, cutAt(visit.whole, cutOf(evidence), visit.cut), evidence),
  };
}

async function pageOf(db: Db, asked: Asked, rings: readonly Ring[], order: Order, page: Page) {
  const total = totalOf(rings);
  if (page.skip >= total) return { rows: [], total, paid: 0 };
  if (order !== 'recommended') {
    const first = { skip: 0, take: maxPaidPlaces };
    const featured = await listVisited(db, asked, rings, first, { order, rank: plans.featured.rank });
    const without = featured.map(({ key }) => key);
    return withPaidPlaces(featured, total, page, (rest) => listVisited(db, asked, rings, rest, { order, without }));
  }
  const { filter, words, districts } = asked;
  const rows = words ? listVisited(db, asked, rings, page, { order }) : listStretches(db, filter, stretchesOf(rings, page), districts);
  return { rows: await rows, total, paid: 0 };
}

async function distancesOf(db: Db, asked: Asked): Promise<Distances> {
  const { filter, words } = asked;
  const { legs, totals } = await legsOf(db, filter);
  const some = legs.filter((_, index) => totals[index] !== 0);
  const isCounted = !words && !filter.evidence;
  if (isCounted && totals.reduce((sum, total) => sum + total, 0) > fewRows) return { rings: ringsOf(legs, totals), visit: null };
  const visit = await visitLegs(db, asked, some);
  return { rings: isCounted ? ringsOf(legs, totals) : ringsOf(some, visit.totals), visit };
}

/** Who may count, by where they are based, and how many there are of the services, whatever else is asked. */
type Legs = { legs: ReturnType<typeof legsNear>; totals: readonly number[] };

async function legsOf(db: Db, filter: ListingFilter): Promise<Legs> {
  if (filter.serves) return legsServing(db, filter, narrow(filter));
  const legs = filter.near ? legsAround(filter, filter.near) : [legOfTown(filter)];
  return { legs, totals: await countLegs(db, filter, legs) };
}

const legOfTown = (filter: ListingFilter) => ({ code: narrow(filter).code, km: 0, least: 0 });

function legsAround(filter: ListingFilter, near: NonNullable<ListingFilter['near']>) {
  const cells = cellsWithin(near, widest).filter(({ cell }) => liesIn(cell, filter.place));
  return legsNear(
    cells.map(({ cell, km }) => ({ code: cell.code, km })),
    near.km,
  );
}

/** Who may count, by where they are based: `far` of those who come to a place by its name alone, as `farNaming` tells. How many there are is not asked. */
export function possibleLegs(filter: ListingFilter, far: readonly number[]): Legs['legs'] {
  if (filter.near) return legsAround(filter, filter.near);
  if (!filter.serves) return [legOfTown(filter)];
  const { points, legs } = legsElsewhere(narrow(filter));
  return [...legs, ...farLegs(points, far)];
}

/** Where those are based who name the district that is asked for, and whom nobody's distance would bring, so far away are they: in order. */
export async function farNaming(db: Db, filter: ListingFilter): Promise<number[]> {
  const place = narrow(filter);
  return farOf(pointsOf(place), await servedIn(db, filter, place)).toSorted((one, other) => one - other);
}

type Narrow = Exclude<NonNullable<ListingFilter['place']>, { level: 'country' }>;

function narrow({ place }: ListingFilter): Narrow {
  if (!place || place.level === 'country') throw new Error('no place to reckon from');
  return place;
}

/** Those based elsewhere, near enough for somebody's own distance. */
function legsElsewhere(place: Narrow) {
  const points = pointsOf(place);
  const elsewhere = new Map<number, { cell: Cell; km: number }>();
  for (const point of points) {
    for (const near of cellsWithin(point, widest)) {
      if (liesIn(near.cell, place)) continue;
      const known = elsewhere.get(near.cell.code);
      if (!known || near.km < known.km) elsewhere.set(near.cell.code, near);
    }
  }
  const legs = [...elsewhere.values()].map(({ cell, km }) => ({ code: cell.code, km, least: comingFrom(km) }));
  return { points, legs };
}

type Served = { code: number; listings: number };

/** How many of each place name the district that is asked for. */
const servedIn = (db: Db, filter: ListingFilter, place: Narrow): Promise<Served[]> =>
  countServed(db, filter, place.level === 'town' ? districtOf(place.code) : place.code);

const awayFrom = (points: readonly Point[], cell: Cell) => Math.min(...points.map((point) => kmBetween(point, cell)));

/** Those of them that no distance of somebody's own reaches, so none that lies in the place itself. */
const farOf = (points: readonly Cell[], served: readonly Served[]): number[] =>
  served.flatMap(({ code }) => {
    const cell = cellOf(code);
    return cell && awayFrom(points, cell) > widest ? [code] : [];
  });

const farLegs = (points: readonly Cell[], far: readonly number[]) =>
  far.flatMap((code) => {
    const cell = cellOf(code);
    return cell ? [{ code, km: awayFrom(points, cell), least: never }] : [];
  });

async function legsServing(db: Db, filter: ListingFilter, place: Narrow): Promise<Legs> {
  const { points, legs: near } = legsElsewhere(place);
  const totals = new Map((await countLegs(db, filter, near)).map((total, index) => [near[index]?.code, total]));
  const served = await servedIn(db, filter, place);
  for (const { code, listings } of served) totals.set(code, (totals.get(code) ?? 0) + listings);
  const legs = [...near, ...farLegs(points, farOf(points, served))];
  return { legs, totals: legs.map(({ code }) => totals.get(code) ?? 0) };
}

// Nobody is there already.
const comingFrom = (km: number) => Math.max(1, Math.ceil(km));

/**
 * Who counts of those based in these places, by a filter that asks who comes how far: as far as each place says, or who names one of the
 * districts.
 */
export function reachOf(filter: ListingFilter, codes: readonly number[]): { legs: Leg[]; districts: number[] } {
  const cells = codes.flatMap((code) => cellOf(code) ?? []);
  const { near, place } = filter;
  if (near) {
    const there = cells.filter((cell) => liesIn(cell, place)).map((cell) => ({ code: cell.code, km: kmBetween(near, cell) }));
    return {
      legs: legsNear(
        there.filter(({ km }) => km <= widest),
        near.km,
      ),
      districts: [],
    };
  }
  const points = pointsOf(narrow(filter));
  const legs = cells
    .filter((cell) => !liesIn(cell, place))
    .map((cell) => {
      const km = awayFrom(points, cell);
      return { code: cell.code, least: km <= widest ? comingFrom(km) : never };
    });
  return { legs, districts: districtsOf(filter) };
}

const districtOf = (code: number) => cellOf(code)?.districtCode ?? 0;

// The districts that a search asks for those who name them.
export function districtsOf(filter: ListingFilter): number[] {
  if (!filter.serves) return [];
  const place = narrow(filter);
  return place.level === 'town' ? [districtOf(place.code)] : pointsOf(place).map(({ districtCode }) => districtCode);
}

function liesIn({ code, districtCode, country }: Cell, place: ListingFilter['place']): boolean {
  if (!place) return true;
  if (place.level === 'country') return country === place.country;
  if (place.level === 'region') return regionCodeOf(districtCode) === place.code;
  return place.level === 'district' ? districtCode === place.code : code === place.code;
}

/** How far the base of a listing lies from the place asked for, as it is shown; nothing of it where only its district is known. */
export function distanceFrom({
  near,
  serves,
  place,
}: ListingFilter): (row: Pick<CardRow, 'base_locality_code'> | undefined) => { distanceKm?: number } {
  const points: readonly Point[] = near ? [near] : serves && place && place.level !== 'country' ? pointsOf(place) : [];
  return (row) => {
    const base = points.length === 0 || !row || row.base_locality_code === null ? undefined : cellOf(row.base_locality_code);
    return base ? { distanceKm: shownKm(awayFrom(points, base)) } : {};
  };
}
