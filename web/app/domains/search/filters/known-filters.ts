import type { Category, SubCategory } from '@handwise/contract/categories';
import { categories, findCategory, findSubCategories, mainCategoryNames } from '@handwise/contract/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { markets } from '@handwise/contract/markets';
import type { District, Region } from '@handwise/contract/places';
import { findCountry, findDistrict, findRegion } from '@handwise/contract/places';
import { slug } from '@handwise/contract/text';
import type { Filters, Market } from './search-params.ts';

/** The filters of an address as far as they mean something here, with what they stand for. */
export type KnownFilters = {
  filters: Filters;
  /** Name of the group, or of a main category. */
  categoryName: string;
  group: Category | undefined;
  subCategory: SubCategory | undefined;
  country: CountryCode | undefined;
  region: Region | undefined;
  district: District | undefined;
  /** Whether the list has an order "Best": only one group has an average that its listings are held against. */
  mayBeBest: boolean;
};

/**
 * Looks up what an address names, by slug or by name. What is unknown, or does not fit, is dropped, so that an old or
 * mistyped address still shows a list; what is missing above a sub-category or a place is added.
 */
export function knownFilters(filters: Filters, market: Market): KnownFilters {
  const { group, subCategory, categoryName, category } = knownCategory(filters);
  const { country, region, district } = knownPlace(filters, market);
  const mayBeBest = group !== undefined && !subCategory && !filters.title && !filters.listingNumber;
  return {
    filters: {
      ...filters,
      category,
      subCategory: subCategory?.slug ?? '',
      country: country ?? '',
      region: region?.slug ?? '',
      district: district?.slug ?? '',
      sort: mayBeBest ? filters.sort : '',
    },
    mayBeBest,
    categoryName,
    group,
    subCategory,
    country,
    region,
    district,
  };
}

function knownCategory({ category, subCategory }: Filters) {
  const main = Object.entries(mainCategoryNames).find(([name]) => name === slug(category));
  const named = findCategory(category);
  const found = subCategory === '' ? undefined : findSubCategories(subCategory, named)[0];
  const group = named ?? categories.find((one) => found && one.subCategories.includes(found));
  if (group) return { category: group.slug, categoryName: group.name, group, subCategory: found };
  return { category: main?.[0] ?? '', categoryName: main?.[1] ?? '', group: undefined, subCategory: undefined };
}

function knownPlace({ country, region, district }: Filters, market: Market) {
  const givenCountry = market ?? findCountry(country);
  const fits = (one: Region | undefined) => (one && (!givenCountry || one.country === givenCountry) ? one : undefined);
  const found = district === '' ? undefined : findDistrict(district);
  const knownRegion = fits(findRegion(region)) ?? fits(found?.region);
  return {
    country: givenCountry ?? knownRegion?.country,
    region: knownRegion,
    district: found && found.region === knownRegion ? found.district : undefined,
  };
}

/** The chosen place from the country down: "New Zealand › Otago › Dunedin". Empty where none is chosen. */
export const placePath = ({ country, region, district }: Pick<KnownFilters, 'country' | 'region' | 'district'>) =>
  [country && markets[country].name, region?.name, district?.name].filter(Boolean).join(' › ');

/** What the list shows, as its heading: "Plumbing in Otago", "Results for “drain” in Plumbing, Otago". */
export function headingOf({ filters, categoryName, subCategory, country, region, district }: KnownFilters): string {
  const { title, listingNumber } = filters;
  const what = [categoryName, subCategory?.name].filter(Boolean).join(': ');
  const where = district?.name ?? region?.name ?? (country && markets[country].name) ?? '';
  if (title || listingNumber) {
    const within = [what, where].filter(Boolean).join(', ');
    return `Results for ${title ? `“${title}”` : `#${listingNumber}`}${within && ` in ${within}`}`;
  }
  return `${what || 'All services'}${where && ` in ${where}`}`;
}
