import { sql } from 'kysely';
import { prepared, type Reader } from '../../../kit/database/database.ts';
import { runForm } from '../../../kit/database/statements.ts';
import { type CardRow, cardColumns } from '../../listings/listings.service.ts';
import { matching, subCodesOf } from '../orders/search.lists.queries.ts';
import { evidenceHolds } from '../orders/search.orders.queries.ts';
import type { Leg, Stretch } from './search.near.rules.ts';
import type { ListingFilter } from '../search.rules.ts';

// The main categories in the order in which `kinds_of` numbers them.
const mains = ['domestic', 'trade', 'other'] as const;

/** What `base_counts` and `served_counts` call the services of a filter. */
function kindsOf({ category }: ListingFilter): readonly number[] {
  if (!category) return [0];
  if (category.level === 'main') return [-1 - mains.indexOf(category.main)];
  return category.level === 'group' ? [category.code] : category.codes;
}

export const int = (numbers: readonly number[]) => sql`${[...numbers]}::int[]`;

/** How many each of these legs has, in their order. */
export async function countLegs(db: Reader, filter: ListingFilter, legs: readonly Leg[]): Promise<number[]> {
  const values = [legs.map(({ code }) => code), legs.map(({ least }) => least), [...kindsOf(filter)]];
  const [counted] = await runForm(db, 'search.near counts', values, (reader) =>
    reader
      .selectNoFrom(
        sql<{ places: number[] | null; totals: number[] | null }>`(
          select json_build_object('places', array_agg(place), 'totals', array_agg(total)) from (
            select place, sum(listings) as total
            from unnest(${int(values[0] ?? [])}, ${int(values[1] ?? [])}) with ordinality as leg (code, least, place)
            join base_counts on base_cell = code and service_radius_km >= least and kind = any(${values[2]}::smallint[])
            group by place
          ) as counted)`.as('counted'),
      )
      .modifyFront(prepared),
  );
  const totals = legs.map(() => 0);
  for (const [index, place] of (counted?.counted.places ?? []).entries()) totals[place - 1] = counted?.counted.totals?.[index] ?? 0;
  return totals;
}

/** How many are based in a town. */
export const countTown = async (db: Reader, filter: ListingFilter, code: number) =>
  (await countLegs(db, filter, [{ code, least: 0 }]))[0] ?? 0;

/** How many of each place name this district or region among those they come to. */
export const countServed = (db: Reader, filter: ListingFilter, placeCode: number) =>
  db
    .selectFrom('served_counts')
    .modifyFront(prepared)
    .select(['base_cell as code'])
    .select(({ cast, fn }) => cast<number>(fn.sum('listings'), 'integer').as('listings'))
    .where('place_code', '=', placeCode)
    .where('kind', '=', sql<number>`any(${[...kindsOf(filter)]}::smallint[])`)
    .groupBy('base_cell')
    .having(({ fn }) => fn.sum('listings'), '>', 0)
    .execute();

/** Who of a leg counts: everybody, or those who come so far, or to one of the named districts. */
export const comes = (districts: readonly number[]) =>
  districts.length === 0
    ? sql<boolean>`service_radius_km >= leg.least`
    : sql<boolean>`(service_radius_km >= leg.least or service_districts && ${[...districts]}::smallint[])`;

// Where it lies is the leg's to say.
const servicesOf = ({ category }: ListingFilter): ListingFilter => (category ? { category } : {});

type Direction = 'asc' | 'desc';

// The keys of one leg in the list's order: by the index of its place and services, or by the one of those who come to others.
function keysOfLeg(db: Reader, filter: ListingFilter, districts: readonly number[], direction: Direction) {
  const lists = subCodesOf(filter).map((code) => {
    const keys = db
      .selectFrom('listings')
      .select('sort_key')
      .where(matching(servicesOf(filter), code))
      .where('base_cell', '=', sql<number>`leg.code`)
      .where((eb) => eb.and(evidenceHolds(filter.evidence)))
      .orderBy('sort_key', direction)
      .limit(sql<number>`stretch.reach`);
    const based = keys.where(sql<boolean>`leg.least = 0`);
    const coming = keys
      .where(sql<boolean>`leg.least > 0`)
      .where(sql<boolean>`(service_radius_km is not null or service_districts is not null)`)
      .where(comes(districts));
    return sql`(${based}) union all (${coming})`;
  });
  return sql.join(lists, sql` union all `);
}

// What stands in the statement of keys for the services of a filter, for each of its lists.
const valuesOfLeg = (filter: ListingFilter, districts: readonly number[]) =>
  subCodesOf(filter).flatMap((code) => {
    const { category } = filter;
    const services = !category ? [] : category.level === 'main' ? [category.main] : category.level === 'group' ? [category.code] : [code];
    return [...services, ...services, ...(districts.length > 0 ? [[...districts]] : [])];
  });

/** The listings of these stretches in their order. `districts`: who names one of them counts wherever they are based. */
export async function listStretches(
  db: Reader,
  filter: ListingFilter,
  stretches: readonly Stretch[],
  districts: readonly number[],
): Promise<CardRow[]> {
  const pages: CardRow[] = [];
  // All that are not from their end in one statement: only the first of a page is ever begun far within.
  for (const fromEnd of [true, false]) {
    const some = stretches.filter((stretch) => stretch.fromEnd === fromEnd);
    if (some.length > 0) pages.push(...(await listSome(db, filter, some, districts, fromEnd ? 'asc' : 'desc')));
  }
  return pages;
}

function listSome(db: Reader, filter: ListingFilter, stretches: readonly Stretch[], districts: readonly number[], direction: Direction) {
  const legs = stretches.flatMap(({ ring }, index) => ring.legs.map((leg) => ({ ...leg, of: index + 1 })));
  const ofStretch = [stretches.map(({ skip }) => skip), stretches.map(({ take }) => take)] as const;
  const ofLeg = [legs.map(({ of }) => of), legs.map(({ code }) => code), legs.map(({ least }) => least)] as const;
  const build = (reader: Reader) =>
    reader
      .with(
        'page',
        () =>
          sql<{ of: number; key: string }>`(
          select stretch.of, key.sort_key as key
          from (
            select skipped, taken, of, skipped + taken as reach
            from unnest(${int(ofStretch[0])}, ${int(ofStretch[1])}) with ordinality as given (skipped, taken, of)
          ) as stretch, lateral (
            select found.sort_key
            from unnest(${int(ofLeg[0])}, ${int(ofLeg[1])}, ${int(ofLeg[2])}) as leg (of, code, least),
              lateral (${keysOfLeg(reader, filter, districts, direction)}) as found
            where leg.of = stretch.of
            order by found.sort_key ${sql.raw(direction)} offset skipped limit taken
          ) as key)`,
      )
      .selectFrom('page')
      .innerJoin('listings', 'listings.sort_key', 'page.key')
      .select(cardColumns)
      .modifyFront(prepared)
      .orderBy('page.of')
      .orderBy('listings.sort_key', 'desc');
  // What is asked of listings changes the statement in too many ways to keep each.
  if (filter.evidence) return build(db).execute();
  const form = [
    'search.near',
    direction,
    filter.category?.level ?? '-',
    subCodesOf(filter).length,
    districts.length > 0 ? 'districts' : '-',
  ];
  return runForm(db, form.join(' '), [...ofStretch, ...ofLeg, ...valuesOfLeg(filter, districts)], build);
}
