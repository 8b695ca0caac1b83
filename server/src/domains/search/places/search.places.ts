import { sql } from 'kysely';
import { type Category, categories } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { kmBetween, type Point } from '@handwise/contract/places/distance';
import {
  type District,
  findDistrictByCode,
  type Region,
  getRegionCode,
  findRegionByCode,
  regions,
} from '@handwise/contract/places/regions';
import { parseFilterValues } from '@handwise/contract/search/filters';
import type { PlacesQuery, PlaceTotals, Town } from '@handwise/contract/search/places';
import type { Reader } from '../../../kit/database/database.ts';
import { invalidField } from '../../../kit/errors.ts';
import {
  findLocalityLabel,
  listNearestLocalities,
  type Locality,
  findLocalityBySlug,
  findLocality,
  findMainTown,
} from '../../places/places.service.ts';
import type { Area, LocalityTotal, NamedListing, SearchFilter } from '../index/search.index.ts';
import { findIndexedPlace } from '../index/search.localities.ts';
import { withSearchTimeout } from '../index/search.time-budget.ts';
import { toPlaceFilter } from '../search.filter.ts';
import type { SearchParts } from '../search.pages.ts';
import { toPlainSearch } from '../understanding/search.attempts.ts';
import { readSearch } from '../understanding/search.find.ts';
import { narrow } from '../understanding/search.sections.ts';
import { preservedParams, toQueryString } from '../understanding/search.views.ts';

/** A place one level below the place of the search. */
type Step = { name: string; region: Region; district: District | null; town: Locality | null; point: Point };

const maxListingsPerPin = 5;

/** Counts the listings of a search by the places one level below its own, and builds the pins of its map. Throws `invalid_input` as the search does. */
export async function countSearchPlaces(searchParts: SearchParts, search: PlacesQuery, market: CountryCode | null): Promise<PlaceTotals> {
  const parts = { ...searchParts, index: searchParts.index.withTimeLimit() };
  const attempt = await readSearch(parts, search, market);
  const values = parseFilterValues(search);
  const narrowed = narrow(attempt, values);
  const { listings, isComplete } = search.pins === 'none' ? { listings: [], isComplete: false } : await parts.index.countByPlace(narrowed);
  const pins = buildPins(listings);
  const { near, place } = narrowed.filter;
  const plain = toPlainSearch(narrowed, attempt);
  const { near: _, place: __, ...rest } = plain.filter;
  if (near) return { places: [], isWhole: false, pins, isComplete };
  const level = getLevelBelow(place);
  const isPlain = !narrowed.words && !narrowed.filter.values && !narrowed.work && level !== 'town';
  const totals = isComplete
    ? countByLevel(
        listings.map(({ localityCode }) => ({ localityCode, total: 1 })),
        level,
      )
    : isPlain
      ? await sumDistrictCounts(parts, narrowed.filter, level)
      : countByLevel(await parts.index.countByLocality(narrowed), level);
  const places = [...totals]
    .flatMap(([code, total]) => {
      const step = findStep(level, code);
      return step && isStepIn(step, place) ? [{ step, total }] : [];
    })
    .toSorted((one, other) => other.total - one.total || one.step.name.localeCompare(other.step.name, 'en'))
    .map(({ step, total }) =>
      toPlaceTotal(step, total, toQueryString({ filter: { ...rest, ...toStepFilter(step) }, words: plain.words }, preservedParams(search))),
    );
  return { places, isWhole: level === 'region', pins, isComplete };
}

type Level = 'region' | 'district' | 'town';

function getLevelBelow(place: Area | undefined): Level {
  if (!place || place.level === 'country') return 'region';
  // A region with one district shows its towns.
  const hasOneDistrict = place.level === 'region' && findRegionByCode(place.code)?.districts.length === 1;
  return place.level === 'region' && !hasOneDistrict ? 'district' : 'town';
}

function countByLevel(localities: readonly LocalityTotal[], level: Level): Map<number, number> {
  const totals = new Map<number, number>();
  for (const { localityCode, total } of localities) {
    const districtCode = findLocality(localityCode)?.districtCode ?? Math.abs(localityCode);
    const code = level === 'region' ? getRegionCode(districtCode) : level === 'district' ? districtCode : localityCode;
    totals.set(code, (totals.get(code) ?? 0) + total);
  }
  return totals;
}

async function sumDistrictCounts({ counts }: SearchParts, { category }: SearchFilter, level: Level): Promise<Map<number, number>> {
  const totals = new Map<number, number>();
  for (const row of await counts.byDistrict()) {
    const isInCategory =
      !category ||
      (category.level === 'main' && categories.find(({ code }) => code === row.category_code)?.mainCategory === category.main) ||
      (category.level === 'group' && row.category_code === category.code) ||
      (category.level === 'sub' && row.sub_category_code !== null && category.codes.includes(row.sub_category_code));
    if (!isInCategory) continue;
    const code = level === 'region' ? getRegionCode(row.district_code) : row.district_code;
    totals.set(code, (totals.get(code) ?? 0) + row.listings);
  }
  return totals;
}

function findStep(level: Level, code: number): Step | undefined {
  if (level === 'region') {
    const region = findRegionByCode(code);
    return region && { name: region.name, region, district: null, town: null, point: computeCentre(region) };
  }
  const town = level === 'town' && code > 0 ? findLocality(code) : undefined;
  const district = findDistrictByCode(town?.districtCode ?? Math.abs(code));
  const region = district && findRegionByCode(getRegionCode(district.code));
  if (!district || !region) return undefined;
  if (level === 'town' && !town) return { name: district.name, region, district, town: null, point: getDistrictPoint(district) };
  return { name: town?.name ?? district.name, region, district, town: town ?? null, point: town ?? getDistrictPoint(district) };
}

const isStepIn = ({ region, district }: Step, place: Area | undefined) => {
  if (!place) return true;
  if (place.level === 'country') return region.country === place.country;
  return place.level === 'region' ? region.code === place.code : district?.code === place.code;
};

const toStepFilter = ({ region, district, town }: Step): Pick<SearchFilter, 'place' | 'near'> => {
  if (town) return toTownFilter(town);
  return { place: district ? { level: 'district', code: district.code } : { level: 'region', code: region.code } };
};

const toTownFilter = ({ code, districtCode, regionCode, country, name, latitude, longitude }: Locality) =>
  toPlaceFilter({
    kind: 'town',
    name,
    label: name,
    country,
    regionCode,
    districtCode,
    localityCode: code,
    latitude,
    longitude,
    corrected: false,
  });

const toPlaceTotal = ({ name, region, district, town, point }: Step, total: number, query: string): PlaceTotals['places'][number] => ({
  name,
  country: region.country,
  region: region.slug,
  district: district?.slug ?? null,
  town: town?.slug ?? null,
  latitude: point.latitude,
  longitude: point.longitude,
  total,
  query,
});

/** The mean of the ratings, to a tenth; null without any. */
function computeAverage(counts: readonly number[]): number | null {
  const ratings = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, index) => sum + count * (index + 1), 0);
  return ratings === 0 ? null : Math.round((stars / ratings) * 10) / 10;
}

/** One pin per place; pins and their listings keep the order of the search. */
function buildPins(listings: readonly NamedListing[]): PlaceTotals['pins'] {
  return [...Map.groupBy(listings, ({ localityCode }) => localityCode)].flatMap(([code, found]) => {
    const at = findIndexedPlace(code);
    const name = code > 0 ? findLocality(code)?.name : findDistrictByCode(-code)?.name;
    if (!at || name === undefined) return [];
    const named = found.slice(0, maxListingsPerPin).map(({ id, businessTitle, serviceTitle, ratingCounts, priceFrom, priceUnit }) => ({
      _id: id,
      businessTitle,
      serviceTitle,
      averageRating: computeAverage(ratingCounts),
      priceFrom,
      priceUnit,
    }));
    return [{ name, latitude: at.latitude, longitude: at.longitude, total: found.length, listings: named }];
  });
}

const getDistrictPoint = ({ code }: District): Point => {
  const { latitude, longitude } = findMainTown(code) ?? { latitude: 0, longitude: 0 };
  return { latitude, longitude };
};

// The Chatham Islands are 800 km from the rest of their region.
const remoteDistricts = new Set([1410]);

/** The mean position of a region's main towns. */
function computeCentre({ districts }: Region): Point {
  const points = districts.filter(({ code }) => !remoteDistricts.has(code)).map(getDistrictPoint);
  const mean = (of: (point: Point) => number) => points.reduce((sum, point) => sum + of(point), 0) / points.length;
  return { latitude: mean((point) => point.latitude), longitude: mean((point) => point.longitude) };
}

const maxNearby = 8;
// Only this many of the nearest localities can be listed as nearby.
const maxLocalitiesAround = 60;

/** The listings of a town or district, which is named by slug. Throws `invalid_input` for an unknown place or group. */
export async function getTownStats(
  parts: SearchParts,
  query: { region: string; town: string; category?: string | undefined },
  market: CountryCode | null,
): Promise<Town> {
  const region = regions.find((one) => one.slug === query.region && (market === null || one.country === market));
  if (!region) throw invalidField('region', 'There is no such region here');
  const category: Category | undefined = categories.find((one) => one.slug === query.category);
  if (query.category !== undefined && !category) throw invalidField('category', 'There is no such category');
  // A district with its region's name has no page of its own; one with a town's name takes the page of the town.
  const named = region.districts.find((one) => one.slug === query.town && one.slug !== region.slug);
  const locality = named ? undefined : findLocalityBySlug(region.code, query.town);
  const district = named ?? (locality && findDistrictByCode(locality.districtCode));
  if (!district || locality?.slug === region.slug) throw invalidField('town', 'There is no such town here');

  const services: SearchFilter = category ? { category: { level: 'group', code: category.code } } : {};
  const point = locality ?? getDistrictPoint(district);
  const around = listNearestLocalities(point, maxLocalitiesAround).map((one) => one.locality);
  const [inDistricts, inTowns, here] = await Promise.all([
    sumDistrictCounts(parts, services, 'district'),
    withSearchTimeout(() => countByBase(parts.db, around, category?.code)),
    locality && parts.index.withTimeLimit().count({ filter: { ...services, ...toTownFilter(locality) }, words: '' }),
  ]);
  const inDistrict = inDistricts.get(district.code) ?? 0;
  const others = [...listTownsAround(around, locality, inTowns), ...listOtherDistricts(region.country, district, inDistricts)];
  return {
    name: (locality ?? district).name,
    slug: query.town,
    region: region.slug,
    isDistrict: !locality,
    near: locality ? (findLocalityLabel(locality.code) ?? locality.name) : null,
    district: { name: district.name, slug: district.slug, total: inDistrict },
    total: here?.total ?? inDistrict,
    latitude: point.latitude,
    longitude: point.longitude,
    nearby: others
      .filter(({ total }) => total > 0)
      .map(({ point: there, ...one }) => ({ ...one, distanceKm: Math.round(kmBetween(point, there)) }))
      .toSorted((a, b) => a.distanceKm - b.distanceKm)
      .slice(0, maxNearby),
  };
}

async function countByBase(db: Reader, towns: readonly Locality[], category: number | undefined): Promise<Map<number, number>> {
  const { rows } = await sql<{ code: number; total: number }>`
    select locality_code as code, count(*)::int as total from listings
    where status = 'active' and locality_code = any(${towns.map(({ code }) => code)}::int[]) and category_code = coalesce(${category ?? null}::smallint, category_code)
    group by locality_code`.execute(db);
  return new Map(rows.map(({ code, total }) => [code, total]));
}

type NearbyPlace = Omit<Town['nearby'][number], 'distanceKm'> & { point: Point };

const listTownsAround = (around: readonly Locality[], own: Locality | undefined, totals: ReadonlyMap<number, number>): NearbyPlace[] =>
  around
    .filter((one) => one.code !== own?.code && one.slug !== findDistrictByCode(one.districtCode)?.slug)
    .map((one) => ({
      name: one.name,
      region: findRegionByCode(one.regionCode)?.slug ?? '',
      slug: one.slug,
      total: totals.get(one.code) ?? 0,
      point: { latitude: one.latitude, longitude: one.longitude },
    }));

function listOtherDistricts(country: CountryCode, own: District, totals: ReadonlyMap<number, number>): NearbyPlace[] {
  const within = regions.filter((region) => region.country === country);
  return within.flatMap((region) =>
    region.districts
      .filter(({ code }) => code !== own.code)
      .map((district) => ({
        name: district.name,
        region: region.slug,
        slug: district.slug === region.slug ? null : district.slug,
        total: totals.get(district.code) ?? 0,
        point: getDistrictPoint(district),
      })),
  );
}

/** The towns and districts with listings of a group, for the sitemap. */
export async function listCategoryPlaces(db: Reader, category: number): Promise<{ region: string; town: string }[]> {
  const { rows } = await sql<{ district: number; base: number | null }>`
    select district_code as district, base_locality_code as base from listings
    where status = 'active' and category_code = ${category} group by 1, 2 order by 1, 2`.execute(db);
  const pages = rows.flatMap(({ district: code, base }) => {
    const district = findDistrictByCode(code);
    const region = findRegionByCode(getRegionCode(code));
    const town = base === null ? undefined : findLocality(base);
    return [district, town].flatMap((place) =>
      place && region && place.slug !== region.slug ? [{ region: region.slug, town: place.slug }] : [],
    );
  });
  return [...new Map(pages.map((page) => [`${page.region} ${page.town}`, page])).values()];
}
