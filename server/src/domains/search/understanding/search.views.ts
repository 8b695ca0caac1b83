import {
  categories,
  type Category,
  findCategoryByCode,
  getGroupCode,
  mainCategoryNames,
  type SubCategory,
  findSubCategoryByCode,
} from '@handwise/contract/listings/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { type District, findDistrictByCode, type Region, getRegionCode, findRegionByCode } from '@handwise/contract/places/regions';
import type { FindPage, FindQuery, Understanding } from '@handwise/contract/search/calls';
import { type FilterName, type FilterValues, filterNames, defaultRadiusKm } from '@handwise/contract/search/filters';
import type { SectionKey } from '@handwise/contract/search/sections';
import { findLocalityLabel, type Locality, findLocality } from '../../places/places.service.ts';
import type { Area, NearPoint, Search, SearchFilter } from '../index/search.index.ts';
import { splitText } from '../index/search.terms.ts';
import { type Attempt, toPlainSearch } from './search.attempts.ts';
import { describeGroups, type Found } from './search.sections.ts';
import type { Guess } from './search.understanding.ts';
import type { Wish } from './search.wishes.ts';

type PlaceNames = { country: CountryCode; region?: Region | undefined; district?: District | undefined; town?: Locality | undefined };

function getAreaNames(place: Area): PlaceNames | undefined {
  if (place.level === 'country') return { country: place.country };
  const region = findRegionByCode(place.level === 'region' ? place.code : getRegionCode(place.code));
  return region && { country: region.country, region, ...(place.level === 'district' && { district: findDistrictByCode(place.code) }) };
}

function getPlaceNames({ near, place }: SearchFilter): PlaceNames | undefined {
  const town = near?.locality === undefined ? undefined : findLocality(near.locality);
  if (!town) return place && getAreaNames(place);
  const names = getAreaNames({ level: 'district', code: town.districtCode });
  return names && { ...names, town };
}

type CategoryNames = { main?: string; group?: Category | undefined; sub?: SubCategory | undefined };

/** A sub-category of two groups has no group. */
function getCategoryNames(category: SearchFilter['category']): CategoryNames {
  if (category?.level === 'main') return { main: category.main };
  if (category?.level === 'group') return { group: findCategoryByCode(category.code) };
  const [code, ...others] = category?.codes ?? [];
  if (code === undefined) return {};
  return { sub: findSubCategoryByCode(code), ...(others.length === 0 && { group: findCategoryByCode(getGroupCode(code)) }) };
}

/** The value of `near`: the town or the position. */
const formatNear = ({ locality, latitude, longitude }: NearPoint) =>
  (locality === undefined ? undefined : findLocalityLabel(locality)) ?? `${latitude.toFixed(2)},${longitude.toFixed(2)}`;

/** The parameters of a search. Words have been interpreted already, so `raw` is set. */
export function toQueryString({ filter, words }: Search, more: Record<string, string | undefined> = {}): string {
  const { near } = filter;
  const place = filter.place && getAreaNames(filter.place);
  const { main, group, sub } = getCategoryNames(filter.category);
  const parts = {
    q: words || undefined,
    category: main ?? group?.slug,
    subCategory: sub?.slug,
    country: place && !place.region ? place.country : undefined,
    region: place?.region?.slug,
    district: place?.district?.slug,
    near: near && formatNear(near),
    km: near && near.km !== defaultRadiusKm ? String(near.km) : undefined,
    raw: words ? '1' : undefined,
    ...more,
  };
  return new URLSearchParams(Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)).toString();
}

const formatShortName = ({ country, region, district, town }: PlaceNames) =>
  town?.name ?? district?.name ?? region?.name ?? markets[country].name;
function formatFullName(place: PlaceNames): string {
  const name = formatShortName(place);
  return place.district && place.region && name !== place.region.name ? `${name}, ${place.region.name}` : name;
}

/** The smallest place of a filter, such as "Karori" or "Waikato". */
const formatPlace = (filter: SearchFilter) => {
  const names = getPlaceNames(filter);
  return names && formatShortName(names);
};

/** The place of a filter with its region: "Newtown, Wellington". */
export function describePlace(filter: SearchFilter): string {
  const names = getPlaceNames(filter);
  return names ? formatFullName(names) : '';
}

/** Describes a search, as in "Plumbing in Waikato" or "“tiler” near Karori". `withRegion` distinguishes places of one name. */
export function describeSearch({ filter, words }: Search, withRegion = false): string {
  const { near } = filter;
  const names = getPlaceNames(filter);
  const name = names && (withRegion ? formatFullName(names) : formatShortName(names));
  const what = formatCategory(filter.category);
  const subject = words ? `“${words}”` : what || 'All services';
  if (near) {
    const isFar = near.km !== defaultRadiusKm;
    const within = name ? (isFar ? `within ${near.km} km of ${name}` : `near ${name}`) : `within ${near.km} km`;
    return `${subject} ${within}${words && what ? ` in ${what}` : ''}`;
  }
  if (!words) return `${subject}${name ? ` in ${name}` : ''}`;
  const within = [what, name].filter(Boolean).join(', ');
  return `${subject}${within ? ` in ${within}` : ' everywhere'}`;
}

function formatCategory(category: SearchFilter['category']): string {
  const { group, sub } = getCategoryNames(category);
  if (category?.level === 'main') return mainCategoryNames[category.main];
  return [group?.name, sub?.name].filter((name, index, all) => name && all.indexOf(name) === index).join(': ');
}

/** How a search was understood, as the API shows it. */
export function describeUnderstanding(
  { attempt, matches, further, unmet, isPartlyMet, dropped }: Found,
  chosen: SearchFilter,
  search: Pick<FindQuery, 'q'>,
  where: { countries: readonly CountryCode[]; corrected: string | null; nearMe: boolean },
): Understanding {
  const { filter, words: required, hints, reading, understood, wishes } = attempt;
  const plain = toPlainSearch(attempt, attempt);
  const words = [
    plain.words,
    splitText(hints ?? '')
      .flatMap((one) => (dropped.includes(one.join(' ')) ? [] : one))
      .join(' '),
  ]
    .filter(Boolean)
    .join(' ');
  const place = getPlaceNames(filter);
  const { group, sub } = getCategoryNames(plain.filter.category);
  const { near, listingNumber } = filter;
  const isRead = words !== search.q || reading.place !== null || reading.category !== null;
  const guessed =
    understood.guesses.some((one) => one.category === reading.category && one.subCategories[0] === reading.subCategories[0]) &&
    required === '' &&
    reading.work === null;
  const lefts = [...dropped, ...(isPartlyMet ? [] : unmet)];
  const isWidened = reading.work?.kind === 'apart' && attempt.work?.doneBy === 'category';
  const isByNobody = isWidened || (matches.total === 0 && further.length === 0 && (reading.work ?? group) !== undefined);
  return {
    category: filter.category?.level === 'main' ? mainCategoryNames[filter.category.main] : (group?.name ?? null),
    subCategory: sub?.name ?? null,
    place: place ? formatFullName(place) : null,
    area: place
      ? {
          country: place.country,
          region: place.region?.slug ?? null,
          district: place.district?.slug ?? null,
          town: place.town?.slug ?? null,
        }
      : null,
    placeCountries: [...(reading.place ? understood.countries : where.countries)],
    near: near ? { label: formatNear(near), latitude: near.latitude, longitude: near.longitude, km: near.km } : null,
    words: listingNumber === undefined ? words : `#${listingNumber}`,
    wishes: wishes.map(({ text, filter: wished, prefers }) => ({
      text,
      filter: wished && !unmet.includes(text) ? formatWish(wished) : null,
      isOffer: wished !== null && 'sort' in wished,
      isFirst: prefers.length > 0 || (isPartlyMet && unmet.includes(text)),
    })),
    nobody: isByNobody ? describeNobody(attempt, place) : null,
    corrected: [isRead ? understood.corrected : null, where.corrected].filter(Boolean).join(' in ') || null,
    widened: lefts.length > 0 ? [`without “${lefts.join(' ')}”`] : [],
    nearMe: understood.nearMe || where.nearMe,
    guess:
      guessed && !chosen.category ? { alternatives: understood.guesses.slice(1, 4).map((one) => toAlternativeGuess(one, filter)) } : null,
  };
}

/** The parameter that a wish became, as in an address. */
const formatWish = (filter: NonNullable<Wish['filter']>) =>
  'sort' in filter
    ? `sort=${filter.sort}`
    : Object.entries(filter.values)
        .map(([name, value]) => `${name}=${value === true ? '1' : value}`)
        .join('&');

/** "No chimney sweeps in New Zealand yet" */
function describeNobody({ reading, filter }: Attempt, place: PlaceNames | undefined): string {
  const work = reading.work?.words.toLowerCase() ?? formatCategory(filter.category).toLowerCase();
  const isPerson = /(?:er|or|ist|ian|man|smith|sweep)$/.test(work);
  const country = place ? markets[place.country].name : 'New Zealand or Australia';
  return `No ${isPerson ? `${work}s` : `“${work}”`} in ${country} yet`;
}

/** The sections of a page with their headings and how many listings each has: all matches, and what is shown of the others. */
export function describeSections({ attempt, matches }: Found, listings: readonly { section: SectionKey }[]): FindPage['sections'] {
  const { filter, reading } = attempt;
  const plain = toPlainSearch(attempt, attempt);
  const { group, sub } = getCategoryNames(plain.filter.category);
  const what = plain.words ? `“${plain.words}”` : (sub?.name ?? group?.name ?? (reading.words || 'Businesses'));
  const place = formatPlace(filter);
  const at = place ? (filter.near ? ` near ${place}` : ` in ${place}`) : filter.near ? ' near you' : '';
  const headings = { match: null, further: `${what} further away`, related: `Other ${describeGroups(filter)} businesses${at}` };
  // The matches are always named, the others in the order of their listings.
  return [...new Set<SectionKey>(['match', ...listings.map(({ section }) => section)])].flatMap((key): FindPage['sections'] => {
    const count = listings.filter(({ section }) => section === key).length;
    if (key === 'match') return [{ key, heading: null, count: matches.total }];
    return count > 0 ? [{ key, heading: headings[key], count }] : [];
  });
}

function toAlternativeGuess({ category, subCategories }: Guess, filter: SearchFilter) {
  const codes = subCategories.map(({ code }) => code);
  const of = category ?? categories.find((one) => one.subCategories.some(({ code }) => code === codes[0]));
  const meant: SearchFilter['category'] = codes.length > 0 ? { level: 'sub', codes } : of && { level: 'group', code: of.code };
  return {
    category: of?.name ?? '',
    subCategory: subCategories[0]?.name ?? null,
    query: toQueryString({ filter: { ...filter, ...(meant && { category: meant }) }, words: '' }),
  };
}

/** The filters and the order, which links to other searches keep. */
export const preservedParams = (search: Pick<FindQuery, 'sort' | FilterName>) => ({
  sort: search.sort === 'nearest' ? undefined : search.sort,
  ...Object.fromEntries(filterNames.map((name) => [name, search[name]?.toString()])),
});

/** Filters as the parameters of a search. */
export const toFilterParams = (values: FilterValues = {}) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, value === true ? ('1' as const) : value])) as Partial<FindQuery>;
