import { type FactColumn, facts, type FlagName } from '@handwise/contract/facts/facts';
import type { ListingStatus } from '@handwise/contract/listings/calls';
import { categories } from '@handwise/contract/listings/categories';
import { type Point, kmBetween } from '@handwise/contract/places/distance';
import { getRegionCode } from '@handwise/contract/places/regions';
import { type FilterValues, maxPaidPlacements } from '@handwise/contract/search/filters';
import { isLive } from '../../src/domains/listings/listings.service.ts';
import { findLocality, findMainTown, findNearestLocality } from '../../src/domains/places/places.service.ts';
import type { Order, Search, SearchFilter } from '../../src/domains/search/index/search.index.ts';
import { findMiddle } from '../../src/domains/search/index/search.localities.ts';
import { toWordStem, tokenize, type Work } from '../../src/domains/search/index/search.terms.ts';

/** The columns of a listing that the oracle uses. */
export type OracleListing = Record<FactColumn<FlagName>, boolean> & {
  id: string;
  listing_number: number;
  plan_rank: number;
  status: ListingStatus;
  country: string;
  district_code: number;
  category_code: number;
  main_category: string;
  sub_category_code: number | null;
  service_title: string;
  business_title: string;
  services: readonly string[];
  service_description: string;
  base_locality_code: number | null;
  service_radius_km: number | null;
  service_districts: readonly number[] | null;
  rating_counts: readonly number[];
  group_mean: number;
  price_from_minor: number | null;
  minimum_charge_minor: number | null;
  verified: boolean;
  licence_number: string | null;
  has_photos: boolean;
  answers_within_day: boolean;
  available_from: Date | null;
  available_until: Date | null;
};

const titleWords = (one: OracleListing) => tokenize(one.service_title);
const otherWords = (one: OracleListing) => tokenize([one.business_title, ...one.services, one.service_description].join(' '));

const matchesStem = (searched: string, begins: boolean) => (word: string) =>
  toWordStem(word) === toWordStem(searched) ||
  (begins && searched.length >= 3 && (word.startsWith(searched) || toWordStem(word).startsWith(searched)));

function isCategoryNamed(one: OracleListing, searched: string, begins: boolean): boolean {
  const fits = searched.length < 3 ? (word: string) => word === searched : matchesStem(searched, begins);
  const group = categories.find(({ code }) => code === one.category_code);
  const sub = group?.subCategories.find(({ code }) => code === one.sub_category_code);
  return tokenize(group?.name ?? '').some(fits) || tokenize(sub?.name ?? '').some(fits);
}

/** Whether a listing has all words of a text. `begins`: which words also match as prefixes. */
function hasWords(one: OracleListing, text: string, begins: 'last' | 'all'): boolean {
  const words = tokenize(text);
  return words.every((word, at) => {
    const isBeginning = begins === 'all' || at === words.length - 1;
    return [...titleWords(one), ...otherWords(one)].some(matchesStem(word, isBeginning)) || isCategoryNamed(one, word, isBeginning);
  });
}

const namingWords = (one: OracleListing) => tokenize([one.service_title, one.business_title, ...one.services].join(' '));

/** Whether title, business and services have all words of a text, or its category is named by them. */
const namesAll = (one: OracleListing, text: string, begins: 'last' | 'all') =>
  tokenize(text).every((word, at, all) => {
    const isBeginning = begins === 'all' || at === all.length - 1;
    return namingWords(one).some(matchesStem(word, isBeginning)) || isCategoryNamed(one, word, isBeginning);
  });

/** Whether a text has the words of a name next to each other. */
const hasPhrase = (text: string, name: readonly string[]) => {
  const stems = tokenize(text).map(toWordStem);
  return stems.some((_, at) => name.every((word, index) => toWordStem(word) === stems[at + index]));
};

/** The level of a listing for a work: 2 names it, 1 mentions it, 0 is of its category only. */
function levelOfWork(one: OracleListing, { subCodes, names }: Work): number {
  const isNamed = [one.service_title, one.services.join(' ')].some((text) => names.some((name) => hasPhrase(text, name)));
  if (isNamed || subCodes.includes(one.sub_category_code ?? 0)) return 2;
  const stems = new Set([...titleWords(one), ...otherWords(one)].map(toWordStem));
  return names.some((name) => name.every((word) => stems.has(toWordStem(word)))) ? 1 : 0;
}

const average = ({ rating_counts: counts }: OracleListing) => {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  return reviews === 0 ? 0 : Math.round((10 * counts.reduce((sum, count, at) => sum + count * (at + 1), 0)) / reviews) / 10;
};
const score = ({ rating_counts: counts, group_mean: mean }: OracleListing) => {
  const reviews = counts.reduce((sum, count) => sum + count, 0);
  const stars = counts.reduce((sum, count, at) => sum + count * (at + 1), 0);
  return Math.floor((50_000 * mean + 100_000 * stars) / (5 + reviews));
};

const isAvailable = ({ available_from: from, available_until: until }: OracleListing, now: Date) =>
  from !== null && until !== null && from <= now && until > now;

const passes = (
  one: OracleListing,
  { minRating, maxPrice, verified, licensed, photos, replied, noMinimumCharge, available, ...flags }: FilterValues,
) =>
  (minRating === undefined || average(one) >= Number(minRating)) &&
  (maxPrice === undefined || (one.price_from_minor !== null && one.price_from_minor <= maxPrice * 100)) &&
  (!noMinimumCharge || one.minimum_charge_minor === 0) &&
  (!available || isAvailable(one, new Date())) &&
  (!verified || one.verified) &&
  (!licensed || one.licence_number !== null) &&
  (Object.keys(flags) as (keyof typeof flags)[]).every((name) => !flags[name] || one[facts[name].column]) &&
  (!photos || one.has_photos) &&
  (!replied || one.answers_within_day);

const findPoint = (one: OracleListing): Point | undefined =>
  one.base_locality_code === null ? findMainTown(one.district_code) : findLocality(one.base_locality_code);

const distance = (one: OracleListing, point: Point) => {
  const at = findPoint(one);
  return at ? kmBetween(point, at) : Infinity;
};

function isNear(one: OracleListing, near: NonNullable<SearchFilter['near']>, district: number): boolean {
  const km = distance(one, near);
  const isServed = one.service_radius_km !== null && km <= one.service_radius_km;
  return km <= near.km || isServed || (one.service_districts ?? []).includes(district);
}

function isWithin(one: OracleListing, { place, category, near, listingNumber }: SearchFilter, district: number): boolean {
  if (place?.level === 'country' && one.country !== place.country) return false;
  if (place?.level === 'region' && getRegionCode(one.district_code) !== place.code) return false;
  if (place?.level === 'district' && one.district_code !== place.code) return false;
  if (category?.level === 'main' && one.main_category !== category.main) return false;
  if (category?.level === 'group' && one.category_code !== category.code) return false;
  if (category?.level === 'sub' && !category.codes.includes(one.sub_category_code ?? 0)) return false;
  if (listingNumber !== undefined && one.listing_number !== listingNumber) return false;
  return !near || isNear(one, near, district);
}

export const listOracleMatches = (all: readonly OracleListing[], search: Search, order: Order): OracleListing[] =>
  findOracleMatches(all, search, order).matches;

/** All matches in order, found by looking at every listing, and how many of the first are paid placements. */
export function findOracleMatches(
  all: readonly OracleListing[],
  { filter, words, onlyIds, work }: Search,
  order: Order,
): { matches: OracleListing[]; paid: number } {
  const district = (filter.near && findNearestLocality(filter.near)?.locality.districtCode) ?? 0;
  const candidates = all.filter(
    (one) => isLive(one) && (!onlyIds || onlyIds.includes(one.id)) && isWithin(one, filter, district) && passes(one, filter.values ?? {}),
  );
  const last = candidates.filter((one) => !words || hasWords(one, words, 'last'));
  const having = last.length > 0 ? last : candidates.filter((one) => hasWords(one, words, 'all'));
  const found = work && work.doneBy !== 'category' ? having.filter((one) => levelOfWork(one, work) > 0) : having;
  const { near, place } = filter;
  const middle = near ?? (place && findMiddle(place));
  // The index knows no distances beyond the largest service radius.
  const getSortedKm = (one: OracleListing, point: NonNullable<SearchFilter['near']>) => {
    const km = distance(one, point);
    return km <= Math.max(200, point.km) ? Math.fround(km) : 1e9;
  };
  // Of more matches the order of the index is kept, the best first.
  const isExact = found.length <= 1_000;
  const begins = last.length > 0 ? 'last' : 'all';
  const level = (one: OracleListing) => {
    const ofWork = work?.isRanked ? levelOfWork(one, work) : 2;
    const ofWords = words && !namesAll(one, words, begins) ? 1 : 2;
    return -Math.min(isExact ? ofWork : ofWork === 2 ? 2 : 1, ofWords);
  };
  const isFar = (one: OracleListing) => (near && getSortedKm(one, near) > 100 && getSortedKm(one, near) < 1e9 ? 1 : 0);
  const leveled = (one: OracleListing) => (near && !isExact && (words || work) ? [level(one)] : [isFar(one), level(one)]);
  const kmFromMiddle = (one: OracleListing) =>
    middle && isExact ? Math.fround(one.base_locality_code === null ? 0 : distance(one, middle)) : 0;
  const keys: Record<Order, (one: OracleListing) => number[]> = {
    recommended: (one) => [...leveled(one), -one.plan_rank, near ? getSortedKm(one, near) : kmFromMiddle(one), -one.listing_number],
    rating: (one) => [...leveled(one), -score(one), -one.plan_rank, -one.listing_number],
    newest: (one) => [...leveled(one), -one.listing_number],
    price: (one) => [...leveled(one), one.price_from_minor ?? 1e9, -one.plan_rank, -one.listing_number],
    nearest: (one) => [...leveled(one), near ? getSortedKm(one, near) : 0, -one.plan_rank, -one.listing_number],
  };
  const compare = (a: OracleListing, b: OracleListing) => {
    const [one, other] = [keys[order](a), keys[order](b)];
    const at = one.findIndex((value, index) => value !== other[index]);
    return at === -1 ? 0 : (one[at] ?? 0) - (other[at] ?? 0);
  };
  const sorted = found.filter((one) => order !== 'nearest' || one.base_locality_code !== null).toSorted(compare);
  if (order === 'recommended') return { matches: sorted, paid: 0 };
  const paid = sorted.filter((one) => one.plan_rank === 3 && level(one) === -2).slice(0, maxPaidPlacements);
  return { matches: [...paid, ...sorted.filter((one) => !paid.includes(one))], paid: paid.length };
}
