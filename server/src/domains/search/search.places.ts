import { type Category, categories, findCategory, mainCategoryNames } from '@handwise/contract/categories';
import { kmBetween, type Point } from '@handwise/contract/localities';
import type { CountryCode } from '@handwise/contract/markets';
import { type District, type Region, districtOfCode, regions } from '@handwise/contract/places';
import type { FindQuery, Understanding } from '@handwise/contract/search';
import type { FoundPlaces, Town } from '@handwise/contract/search-places';
import type { Db } from '../../kit/database/database.ts';
import { invalidField } from '../../kit/errors.ts';
import { localityBySlug, mainTownOf } from '../places/places.service.ts';
import { findForEverybody } from './search.everybody.ts';
import { countByDistrict } from './search.places.queries.ts';
import { type ListingFilter, filterOf } from './search.rules.ts';
import type { SearchMemory } from './search.memory.ts';

/** A place to narrow a search to, one step below where it is. */
type Step = { name: string; region: Region; district: District | null; point: Point };

/** Where the listings of a search are, one step below the place that it is narrowed to. Throws `invalid_input` as the search does. */
export async function placesOfSearch(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<FoundPlaces> {
  const { page: _page, limit: _limit, sort: _sort, where: _where, near, km: _km, serves, ...asked } = search;
  const { understood } = await findForEverybody(db, memory, { ...search, page: 1, limit: 1 }, market);
  // Their places are the order of the list itself, or those of a search that nobody narrows by place.
  if (near !== undefined || serves !== undefined) return { places: [], isWhole: false };
  const { steps, isWhole } = stepsOf(understood.area, market);
  const spelled = spelledOut(asked, understood);
  const totalOf = await totalsOf(db, memory, spelled, market);
  const places = await Promise.all(
    steps.map(async (step) => {
      const there = { ...spelled, country: undefined, region: step.region.slug, district: step.district?.slug, town: undefined };
      return {
        name: step.name,
        country: step.region.country,
        region: step.region.slug,
        district: step.district?.slug ?? null,
        town: null,
        ...step.point,
        total: await totalOf(step, there),
        query: addressOf(there),
      };
    }),
  );
  return { places: places.filter((place) => place.total > 0), isWhole };
}

function stepsOf(area: Understanding['area'], market: CountryCode | null): { steps: Step[]; isWhole: boolean } {
  const region = regions.find((one) => one.slug === area?.region);
  if (!region) {
    const country = area?.country ?? market;
    const within = regions.filter((one) => !country || one.country === country);
    return { steps: within.map((one) => ({ name: one.name, region: one, district: null, point: middleOf(one) })), isWhole: true };
  }
  const districts = region.districts.filter((one) => !area?.district || one.slug === area.district);
  return { steps: districts.map((one) => ({ name: one.name, region: region, district: one, point: pointOf(one) })), isWhole: false };
}

/** What is searched, each part in a parameter of its own. */
function spelledOut(asked: FindQuery, { category, subCategory, words }: Understanding): FindQuery {
  const main = Object.entries(mainCategoryNames).find(([, name]) => name === category)?.[0];
  return {
    ...asked,
    q: words || undefined,
    raw: words ? '1' : undefined,
    category: main ?? (category ? findCategory(category)?.slug : undefined),
    subCategory: subCategory ?? undefined,
  };
}

function addressOf(search: FindQuery): string {
  const address = new URLSearchParams();
  for (const [name, value] of Object.entries(search)) if (value !== undefined) address.set(name, String(value));
  return address.toString();
}

type TotalOf = (step: Step, there: FindQuery) => Promise<number>;

/** Categories alone are counted in one go; whatever else is asked for, each place is searched for itself. */
async function totalsOf(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<TotalOf> {
  const { category, subCategory, country: _country, region: _region, district: _district, town: _town, raw: _raw, ...more } = search;
  if (Object.values(more).some((value) => value !== undefined)) {
    return async (_, there) => (await findForEverybody(db, memory, { ...there, limit: 1 }, market)).totalListings;
  }
  const totals = await districtTotals(db, memory, filterOf({ category, subCategory }, null));
  return ({ region, district }) =>
    Promise.resolve((district ? [district] : region.districts).reduce((sum, { code }) => sum + (totals.get(code) ?? 0), 0));
}

/** How many listings each district has, counted once until a listing changes. */
const districtTotals = (db: Db, memory: SearchMemory, { category }: ListingFilter) =>
  memory.districts.get(JSON.stringify(category ?? null), async () => {
    const rows = await countByDistrict(db, category ? { category } : {});
    return new Map(rows.map(({ code, total }) => [code, total]));
  });

const pointOf = ({ code }: District): Point => {
  const { latitude, longitude } = mainTownOf(code) ?? { latitude: 0, longitude: 0 };
  return { latitude, longitude };
};

// The Chatham Islands are 800 km from the region that they are counted in.
const farAway = new Set([1410]);

/** The middle of the main towns of a region. */
function middleOf({ districts }: Region): Point {
  const points = districts.filter(({ code }) => !farAway.has(code)).map(pointOf);
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  return { latitude: mean((point) => point.latitude), longitude: mean((point) => point.longitude) };
}

const mostNearby = 8;

/** A town or a district by its part of an address. Throws `invalid_input` where there is none, or no such group. */
export async function townOf(
  db: Db,
  memory: SearchMemory,
  asked: { region: string; town: string; category?: string | undefined },
  market: CountryCode | null,
): Promise<Town> {
  const region = regions.find((one) => one.slug === asked.region && (market === null || one.country === market));
  if (!region) throw invalidField('region', 'There is no such region here');
  const category: Category | undefined = categories.find((one) => one.slug === asked.category);
  if (asked.category !== undefined && !category) throw invalidField('category', 'There is no such category');
  // A district that bears its region's name is the region again; a town that bears its district's stands for it.
  const named = region.districts.find((one) => one.slug === asked.town && one.slug !== region.slug);
  const locality = named ? undefined : localityBySlug(region.code, asked.town);
  const district = named ?? (locality && districtOfCode(locality.districtCode));
  if (!district || locality?.slug === region.slug) throw invalidField('town', 'There is no such town here');

  const totals = await districtTotals(db, memory, category ? { category: { level: 'group', code: category.code } } : {});
  const inDistrict = totals.get(district.code) ?? 0;
  const point = locality ? { latitude: locality.latitude, longitude: locality.longitude } : pointOf(district);
  return {
    name: (locality ?? district).name,
    slug: asked.town,
    region: region.slug,
    isDistrict: !locality,
    district: { name: district.name, slug: district.slug, total: inDistrict },
    total: locality ? 0 : inDistrict,
    ...point,
    nearby: nearbyOf(point, region, district, totals),
  };
}

/** The nearest other districts that have listings, by their main towns. */
function nearbyOf(point: Point, region: Region, own: District, totals: ReadonlyMap<number, number>): Town['nearby'] {
  return regions
    .filter((one) => one.country === region.country)
    .flatMap((one) => one.districts.map((district) => ({ region: one, district, total: totals.get(district.code) ?? 0 })))
    .filter(({ district, total, region: { slug } }) => total > 0 && district.code !== own.code && district.slug !== slug)
    .map(({ district, total, region: one }) => ({
      name: district.name,
      region: one.slug,
      slug: district.slug,
      total,
      distanceKm: Math.round(kmBetween(point, pointOf(district))),
    }))
    .toSorted((a, b) => a.distanceKm - b.distanceKm)
    .slice(0, mostNearby);
}
