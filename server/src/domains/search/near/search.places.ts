import { type Category, categories, findCategory, mainCategoryNames } from '@handwise/contract/categories';
import { kmBetween, type Point } from '@handwise/contract/localities';
import type { CountryCode } from '@handwise/contract/markets';
import { type District, type Region, districtOfCode, regionOfCode, regions } from '@handwise/contract/places';
import type { FindQuery, Understanding } from '@handwise/contract/search';
import type { FoundPlaces, Town } from '@handwise/contract/search-places';
import type { Db } from '../../../kit/database/database.ts';
import { invalidField } from '../../../kit/errors.ts';
import { biggestLocalities, type Locality, localitiesNear, localityBySlug, mainTownOf } from '../../places/places.service.ts';
import { evidenceOf } from '../orders/search.evidence.ts';
import { findForEverybody } from '../understanding/search.everybody.ts';
import { districtTotals, townTotals } from './search.place-totals.ts';
import { type ListingFilter, filterOf } from '../search.rules.ts';
import { type SearchMemory, totalOf as countOf } from '../search.memory.ts';

/** A place to narrow a search to, one step below where it is. */
type Step = { name: string; region: Region; district: District | null; town: Locality | null; point: Point };

// Of a district's localities so many are looked at, the biggest: a city of Australia has a thousand.
const mostTowns = 300;

/** Where the listings of a search are, one step below the place that it is narrowed to. Throws `invalid_input` as the search does. */
export async function placesOfSearch(db: Db, memory: SearchMemory, search: FindQuery, market: CountryCode | null): Promise<FoundPlaces> {
  const { page: _page, limit: _limit, sort: _sort, where: _where, near, km: _km, serves, ...asked } = search;
  const { understood } = await findForEverybody(db, memory, { ...search, page: 1, limit: 1 }, market);
  // Their places are the order of the list itself, or those of a search that nobody narrows by place.
  if (near !== undefined || serves !== undefined) return { places: [], isWhole: false };
  const spelled = spelledOut(asked, understood);
  const isPlain = asksForServicesOnly(spelled);
  const { steps, isWhole } = stepsOf(understood.area, market);
  const towns = isPlain && !isWhole && steps[0] && steps.length === 1 ? await townsOf(db, memory, steps[0], spelled) : [];
  if (towns.length > 0) return { places: towns, isWhole: false };

  const totalOf = isPlain
    ? await districtTotalsOf(db, memory, spelled)
    : spelled.q
      ? searched(db, memory, market)
      : withEvidence(db, memory, spelled);
  const places = await Promise.all(
    steps.map(async (step) => {
      const there = thereOf(spelled, step);
      return asPlace(step, await totalOf(step, there), there);
    }),
  );
  return { places: places.filter((place) => place.total > 0), isWhole };
}

const thereOf = (search: FindQuery, { region, district, town }: Step): FindQuery => ({
  ...search,
  country: undefined,
  region: region.slug,
  district: town ? undefined : district?.slug,
  town: town?.slug,
});

const asPlace = ({ name, region, district, town, point }: Step, total: number, there: FindQuery): FoundPlaces['places'][number] => ({
  name,
  country: region.country,
  region: region.slug,
  district: district?.slug ?? null,
  town: town?.slug ?? null,
  ...point,
  total,
  query: addressOf(there),
});

/** The towns of a district in which anybody offering this is based. */
async function townsOf(db: Db, memory: SearchMemory, step: Step, search: FindQuery): Promise<FoundPlaces['places']> {
  const candidates = biggestLocalities((one) => one.districtCode === step.district?.code, mostTowns);
  const totals = await townTotals(db, memory, filterOf(servicesOf(search), null), candidates);
  return candidates
    .map((town) => ({ ...step, name: town.name, town, point: positionOf(town) }))
    .map((there) => asPlace(there, totals.get(there.town.code) ?? 0, thereOf(search, there)))
    .filter(({ total }) => total > 0);
}

function stepsOf(area: Understanding['area'], market: CountryCode | null): { steps: Step[]; isWhole: boolean } {
  const region = regions.find((one) => one.slug === area?.region);
  if (!region) {
    const country = area?.country ?? market;
    const within = regions.filter((one) => !country || one.country === country);
    return {
      steps: within.map((one) => ({ name: one.name, region: one, district: null, town: null, point: middleOf(one) })),
      isWhole: true,
    };
  }
  const districts = region.districts.filter((one) => !area?.district || one.slug === area.district);
  return { steps: districts.map((one) => ({ name: one.name, region, district: one, town: null, point: pointOf(one) })), isWhole: false };
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

const servicesOf = ({ category, subCategory }: FindQuery) => ({ category, subCategory });

/** Whether nothing is asked for but a kind of services, and where. */
function asksForServicesOnly(search: FindQuery): boolean {
  const { category: _c, subCategory: _s, country: _y, region: _r, district: _d, town: _t, raw: _w, ...more } = search;
  return Object.values(more).every((value) => value === undefined);
}

type TotalOf = (step: Step, there: FindQuery) => Promise<number>;

/** Kinds of services alone are counted in one go. */
async function districtTotalsOf(db: Db, memory: SearchMemory, search: FindQuery): Promise<TotalOf> {
  const totals = await districtTotals(db, memory, filterOf(servicesOf(search), null));
  return ({ region, district }) =>
    Promise.resolve((district ? [district] : region.districts).reduce((sum, { code }) => sum + (totals.get(code) ?? 0), 0));
}

/** With what people decide on, each place is counted for itself. */
const withEvidence = (db: Db, memory: SearchMemory, search: FindQuery): TotalOf => {
  const { category } = filterOf(servicesOf(search), null);
  const evidence = evidenceOf(search);
  const filter = { ...(category && { category }), ...(evidence && { evidence }) };
  return ({ region, district }) =>
    countOf(db, memory, {
      ...filter,
      place: district ? { level: 'district', code: district.code } : { level: 'region', code: region.code },
    });
};

/** With words, each place is searched for itself. */
const searched =
  (db: Db, memory: SearchMemory, market: CountryCode | null): TotalOf =>
  async (_, there) =>
    (await findForEverybody(db, memory, { ...there, limit: 1 }, market)).totalListings;

const positionOf = ({ latitude, longitude }: Locality): Point => ({ latitude, longitude });

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
// So many localities around a place are asked for listings.
const mostAround = 60;

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

  const services: ListingFilter = category ? { category: { level: 'group', code: category.code } } : {};
  const point = locality ? positionOf(locality) : pointOf(district);
  const around = localitiesNear(point, mostAround).map((one) => one.locality);
  const [inDistricts, inTowns] = await Promise.all([districtTotals(db, memory, services), townTotals(db, memory, services, around)]);
  const inDistrict = inDistricts.get(district.code) ?? 0;
  const others = [...townsAround(around, locality, inTowns), ...otherDistricts(region.country, district, inDistricts)];
  return {
    name: (locality ?? district).name,
    slug: asked.town,
    region: region.slug,
    isDistrict: !locality,
    district: { name: district.name, slug: district.slug, total: inDistrict },
    total: locality ? (inTowns.get(locality.code) ?? 0) : inDistrict,
    ...point,
    nearby: others
      .filter(({ total }) => total > 0)
      .map(({ point: there, ...one }) => ({ ...one, distanceKm: Math.round(kmBetween(point, there)) }))
      .toSorted((a, b) => a.distanceKm - b.distanceKm)
      .slice(0, mostNearby),
  };
}

type Other = Omit<Town['nearby'][number], 'distanceKm'> & { point: Point };

const townsAround = (around: readonly Locality[], own: Locality | undefined, totals: ReadonlyMap<number, number>): Other[] =>
  around
    .filter((one) => one.code !== own?.code && one.slug !== districtOfCode(one.districtCode)?.slug)
    .map((one) => ({
      name: one.name,
      region: regionOfCode(one.regionCode)?.slug ?? '',
      slug: one.slug,
      total: totals.get(one.code) ?? 0,
      point: positionOf(one),
    }));

function otherDistricts(country: CountryCode, own: District, totals: ReadonlyMap<number, number>): Other[] {
  const within = regions.filter((region) => region.country === country);
  return within.flatMap((region) =>
    region.districts
      .filter(({ code }) => code !== own.code)
      .map((district) => ({
        name: district.name,
        region: region.slug,
        slug: district.slug === region.slug ? null : district.slug,
        total: totals.get(district.code) ?? 0,
        point: pointOf(district),
      })),
  );
}
