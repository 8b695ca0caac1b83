import type { CountryCode } from '@handwise/contract/markets';
import { slug } from '@handwise/contract/text';

/**
 * What a search is narrowed by, as it stands in the address: empty text where a filter is not set. Category, sub-category,
 * region and district are slugs, the country is a code, the listing number is digits.
 */
export type Filters = {
  title: string;
  listingNumber: string;
  category: string;
  subCategory: string;
  country: string;
  region: string;
  district: string;
  /** Empty: paid rank, then the newest. */
  sort: '' | 'best';
  page: number;
};

/** Works out the next filters from those that the address has at that moment: two quick choices both count. */
export type ChangeFilters = (next: (now: Filters) => Filters) => void;

/** The country that the host is fixed to, or null where people choose. */
export type Market = CountryCode | null;

const noFilters: Filters = {
  title: '',
  listingNumber: '',
  category: '',
  subCategory: '',
  country: '',
  region: '',
  district: '',
  sort: '',
  page: 1,
};
const names = ['title', 'listingNumber', 'category', 'subCategory', 'country', 'region', 'district'] as const;

// The API takes up to nine digits; more of them are looked for in titles, and found nowhere.
const listingNumber = /^#?0*([1-9]\d{0,8})$/;

/** Reads an address. A fixed country wins over one in the address. */
export function readFilters(params: URLSearchParams, market: Market): Filters {
  const text = (name: string) => (params.get(name) ?? '').trim();
  const page = Number(text('page'));
  return {
    ...noFilters,
    ...Object.fromEntries(names.map((name) => [name, text(name)])),
    listingNumber: listingNumber.exec(text('listingNumber'))?.[1] ?? '',
    country: market ?? text('country').toUpperCase(),
    sort: text('sort') === 'best' ? 'best' : '',
    page: Number.isSafeInteger(page) && page >= 1 ? page : 1,
  };
}

/** The address's parameters, with their question mark where there are any. What the host fixes is not repeated. */
export function writeFilters(filters: Filters, market: Market): string {
  const params = new URLSearchParams();
  for (const name of names) if (filters[name] && !(name === 'country' && market)) params.set(name, filters[name]);
  if (filters.sort) params.set('sort', filters.sort);
  if (filters.page > 1) params.set('page', String(filters.page));
  const text = params.toString();
  return text && `?${text}`;
}

// Another filter is another list: it starts on its first page.
const narrow = (filters: Filters, change: Partial<Filters>): Filters => ({ ...filters, ...change, page: 1 });

export const withTitle = (filters: Filters, title: string) => narrow(filters, { title, listingNumber: '' });
export const withListingNumber = (filters: Filters, number: string) => narrow(filters, { listingNumber: number, title: '' });
export const withoutText = (filters: Filters) => narrow(filters, { title: '', listingNumber: '' });

/** What somebody typed into the search bar: digits, also behind a #, are a listing number, anything else is a title. */
export function withText(filters: Filters, typed: string): Filters {
  const text = typed.trim();
  const number = listingNumber.exec(text)?.[1];
  return number ? withListingNumber(filters, number) : withTitle(filters, text);
}

export const textOf = ({ title, listingNumber: number }: Filters) => (number ? `#${number}` : title);

export const withCategory = (filters: Filters, category: string) => narrow(filters, { category, subCategory: '' });
export const withSubCategory = (filters: Filters, category: string, subCategory: string) => narrow(filters, { category, subCategory });

/** Choosing the chosen category again gives it up. */
export const toggleCategory = (filters: Filters, category: string) => withCategory(filters, filters.category === category ? '' : category);

export const withCountry = (filters: Filters, country: string) => narrow(filters, { country, region: '', district: '' });
export const withRegion = (filters: Filters, region: string) => narrow(filters, { region, district: '' });
export const withDistrict = (filters: Filters, district: string) => narrow(filters, { district });
export const withoutLocation = (filters: Filters, market: Market) => withCountry(filters, market ?? '');

/** What words were read as, in filters of their own. */
type Reading = {
  category: string | null;
  subCategory: string | null;
  area: { country: string; region: string | null; district: string | null } | null;
  words: string;
};
export const withReading = (filters: Filters, { category, subCategory, area, words }: Reading): Filters => ({
  ...withTitle(filters, words),
  ...(category && { category: slug(category), subCategory: subCategory ? slug(subCategory) : '' }),
  ...(area && { country: area.country, region: area.region ?? '', district: area.district ?? '' }),
});

/** Another order begins at its first page. */
export const withSort = (filters: Filters, sort: Filters['sort']) => narrow(filters, { sort });

export const withPage = (filters: Filters, page: number): Filters => ({ ...filters, page });

/** Everything cleared but the country of a site that has only one. */
export const clearAll = (market: Market): Filters => ({ ...noFilters, country: market ?? '' });

/** Whether there is anything to clear. */
export const isFiltered = (filters: Filters, market: Market) =>
  names.some((name) => filters[name] !== '' && !(name === 'country' && market));
