import {
  categories,
  type Category,
  categoryOfCode,
  groupCodeOf,
  mainCategoryNames,
  type SubCategory,
  subCategoryOfCode,
} from '@handwise/contract/categories';
import { type CountryCode, markets } from '@handwise/contract/markets';
import { type District, districtOfCode, type Region, regionCodeOf, regionOfCode } from '@handwise/contract/places';
import type { FindQuery, Understanding } from '@handwise/contract/search';
import { type Locality, localityOf } from '../../places/places.service.ts';
import type { Attempt, Search } from './search.attempts.ts';
import type { ListingFilter } from '../search.rules.ts';
import type { Guess } from './search.understanding.ts';

type PlaceNames = { country: CountryCode; region?: Region | undefined; district?: District | undefined; town?: Locality | undefined };

function placeNames(place: ListingFilter['place']): PlaceNames | undefined {
  if (!place) return undefined;
  if (place.level === 'country') return { country: place.country };
  const town = place.level === 'town' ? localityOf(place.code) : undefined;
  const districtCode = town?.districtCode ?? place.code;
  const region = regionOfCode(place.level === 'region' ? place.code : regionCodeOf(districtCode));
  return region && { country: region.country, region, town, ...(place.level !== 'region' && { district: districtOfCode(districtCode) }) };
}

type CategoryNames = { main?: string; group?: Category | undefined; sub?: SubCategory | undefined };

/** A sub-category that two groups have is of neither. */
function categoryNames(category: ListingFilter['category']): CategoryNames {
  if (category?.level === 'main') return { main: category.main };
  if (category?.level === 'group') return { group: categoryOfCode(category.code) };
  const [code, ...others] = category?.codes ?? [];
  if (code === undefined) return {};
  return { sub: subCategoryOfCode(code), ...(others.length === 0 && { group: categoryOfCode(groupCodeOf(code)) }) };
}

/** A filter and words as the parameters of a search. Words were understood already: they are searched as they are. */
export function queryOf({ filter, words }: Search, more: Record<string, string | undefined> = {}): string {
  const place = placeNames(filter.place);
  const { main, group, sub } = categoryNames(filter.category);
  const parts = {
    q: words || undefined,
    category: main ?? group?.slug,
    subCategory: sub?.slug,
    country: place && !place.region ? place.country : undefined,
    region: place?.region?.slug,
    district: place?.town ? undefined : place?.district?.slug,
    town: place?.town?.slug,
    serves: filter.serves && '1',
    raw: words ? '1' : undefined,
    ...more,
  };
  return new URLSearchParams(Object.entries(parts).filter((part): part is [string, string] => part[1] !== undefined)).toString();
}

const shortName = ({ country, region, district, town }: PlaceNames) =>
  town?.name ?? district?.name ?? region?.name ?? markets[country].name;
function fullName(place: PlaceNames): string {
  const name = shortName(place);
  return place.district && place.region && name !== place.region.name ? `${name}, ${place.region.name}` : name;
}

/** "Plumbing in Waikato", "“tiler” in Canterbury": a search in a few words. `told`: with the region, to tell places of one name apart. */
export function labelOf({ filter, words }: Search, told = false): string {
  const place = placeNames(filter.place);
  const name = place && (told ? fullName(place) : shortName(place));
  const what = categoryLabel(filter.category);
  if (filter.near) return `${what || 'All services'} within ${filter.near.km} km`;
  if (filter.serves && name) return `${what ? `${what}: those` : 'Those'} based elsewhere who come to ${name}`;
  if (!words) return `${what || 'All services'}${name ? ` in ${name}` : ''}`;
  const within = [what, name].filter(Boolean).join(', ');
  return `“${words}”${within ? ` in ${within}` : ' everywhere'}`;
}

function categoryLabel(category: ListingFilter['category']): string {
  const { group, sub } = categoryNames(category);
  if (category?.level === 'main') return mainCategoryNames[category.main];
  return [group?.name, sub?.name].filter((name, index, all) => name && all.indexOf(name) === index).join(': ');
}

/** How a search was understood, as the API shows it. */
export function understandingOf(
  { filter, words, reading, understood }: Attempt,
  chosen: ListingFilter,
  search: FindQuery,
  where: { corrected: string | null; nearMe: boolean },
): Understanding {
  const place = placeNames(filter.place);
  const { group, sub } = categoryNames(filter.category);
  const isRead = words !== search.q || reading.place !== null || reading.category !== null;
  const guessed =
    understood.guesses.some((one) => one.category === reading.category && one.subCategories[0] === reading.subCategories[0]) &&
    words === '';
  return {
    category: filter.category?.level === 'main' ? mainCategoryNames[filter.category.main] : (group?.name ?? null),
    subCategory: sub?.name ?? null,
    place: place ? fullName(place) : null,
    area: place
      ? {
          country: place.country,
          region: place.region?.slug ?? null,
          district: place.district?.slug ?? null,
          town: place.town?.slug ?? null,
        }
      : null,
    words,
    corrected: [isRead ? understood.corrected : null, where.corrected].filter(Boolean).join(' in ') || null,
    nearMe: understood.nearMe || where.nearMe,
    guess: guessed && !chosen.category ? { alternatives: understood.guesses.slice(1, 4).map((one) => guessOf(one, filter)) } : null,
  };
}

function guessOf({ category, subCategories }: Guess, filter: ListingFilter) {
  const codes = subCategories.map(({ code }) => code);
  const of = category ?? categories.find((one) => one.subCategories.some(({ code }) => code === codes[0]));
  const meant: ListingFilter['category'] = codes.length > 0 ? { level: 'sub', codes } : of && { level: 'group', code: of.code };
  return {
    category: of?.name ?? '',
    subCategory: subCategories[0]?.name ?? null,
    query: queryOf({ filter: { ...filter, ...(meant && { category: meant }) }, words: '' }),
  };
}
