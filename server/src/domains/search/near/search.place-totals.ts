import { regions } from '@handwise/contract/places';
import type { Db } from '../../../kit/database/database.ts';
import { orderOf } from '../../listings/listings.service.ts';
import { allLocalities, type Locality } from '../../places/places.service.ts';
import type { SearchMemory } from '../search.memory.ts';
import { countLegs } from './search.near.queries.ts';
import { countByDistrict } from './search.places.queries.ts';
import type { ListingFilter } from '../search.rules.ts';

/** How many listings each district has, counted once until one comes or goes. */
export const districtTotals = (db: Db, memory: SearchMemory, { category }: ListingFilter) =>
  memory.districts.get(
    JSON.stringify(category ?? null),
    async () => {
      const rows = await countByDistrict(db, category ? { category } : {});
      return new Map(rows.map(({ code, total }) => [code, total]));
    },
    orderOf(category ? { category } : {}),
  );

/** How many are based in each of these localities, counted once until one comes or goes. */
export const townTotals = (db: Db, memory: SearchMemory, { category }: ListingFilter, towns: readonly Locality[]) =>
  memory.districts.get(
    JSON.stringify([category ?? null, towns.map(({ code }) => code)]),
    async () => {
      const totals = await countLegs(
        db,
        category ? { category } : {},
        towns.map(({ code }) => ({ code, least: 0 })),
      );
      return new Map(towns.map(({ code }, index) => [code, totals[index] ?? 0]));
    },
    orderOf(category ? { category } : {}),
  );

/** Where a group has listings, as the addresses of the directory name it: districts, and towns in which somebody is based. */
export async function placesOfCategory(db: Db, categoryCode: number): Promise<{ region: string; town: string }[]> {
  const filter: ListingFilter = { category: { level: 'group', code: categoryCode } };
  const localities = allLocalities();
  const legs = localities.map(({ code }) => ({ code, least: 0 }));
  const [counted, inTowns] = await Promise.all([countByDistrict(db, filter), countLegs(db, filter, legs)]);
  const inDistricts = new Set(counted.map(({ code }) => code));
  const districts = regions.flatMap((region) =>
    region.districts
      // That one is the page of the region.
      .filter(({ code, slug }) => inDistricts.has(code) && slug !== region.slug)
      .map(({ slug }) => ({ region: region.slug, town: slug })),
  );
  const ownSlugs = new Map(regions.flatMap((region) => region.districts.map(({ code, slug }) => [code, slug])));
  const regionSlugs = new Map(regions.map(({ code, slug }) => [code, slug]));
  const towns = localities
    // A town that bears its district's name has its page.
    .filter((one, index) => (inTowns[index] ?? 0) > 0 && one.slug !== ownSlugs.get(one.districtCode))
    .map((one) => ({ region: regionSlugs.get(one.regionCode) ?? '', town: one.slug }));
  return [...districts, ...towns];
}
