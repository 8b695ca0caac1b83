import { paths } from '@handwise/contract/paths';
import { type FilterName, filterNames, maxPages, searchFilters } from '@handwise/contract/search/filters';
import { slug } from '@handwise/contract/text';

/** All parameters of a search in URL order, the same for the page and the call. */
export const findNames = [
  'q',
  'where',
  'category',
  'subCategory',
  'country',
  'region',
  'district',
  'near',
  'km',
  ...filterNames,
  'sort',
  'raw',
  'page',
] as const;
export type FindName = (typeof findNames)[number];
export type FindParams = Partial<Record<FindName, string>>;

const listingNumber = /^#?0*([1-9]\d*)$/;

/** The number of a listing that was typed, with or without its #. */
export const parseListingNumber = (text: string | undefined) => listingNumber.exec(text ?? '')?.[1];

const longestText = 120;
const isNumber = (most: number) => (text: string) => /^[1-9]\d{0,6}$/.test(text) && Number(text) <= most;
const isOn = (text: string) => text === '1';

function isFilterValue(name: FilterName): (text: string) => boolean {
  const filter = searchFilters[name];
  if (filter.type === 'flag') return isOn;
  return filter.type === 'number' ? isNumber(1_000_000) : (text) => (filter.choices as readonly string[]).includes(text);
}

// Invalid values of old or mistyped URLs are dropped, so that they still show a list.
const takes: Partial<Record<FindName, (text: string) => boolean>> = {
  km: isNumber(200),
  ...Object.fromEntries(filterNames.map((name) => [name, isFilterValue(name)])),
  sort: (text) => ['rating', 'newest', 'nearest', 'price'].includes(text),
  raw: isOn,
  page: isNumber(maxPages),
};

/** Reads a URL, without unknown and empty parameters. */
export function readFind(searchParams: URLSearchParams): FindParams {
  const read: FindParams = {};
  for (const name of findNames) {
    const text = (searchParams.get(name) ?? '').trim().slice(0, longestText).trim();
    if (text && (takes[name]?.(text) ?? true)) read[name] = text;
  }
  // Old URLs name a town by its parts.
  const town = searchParams.get('town');
  if (town && read.region) {
    read.near ??= `${town}, ${read.region}`.replaceAll('-', ' ');
    delete read.region;
    delete read.district;
  }
  // Sorting by distance needs a place.
  if (read.sort === 'nearest' && !read.near && !read.where && !read.q && !read.region) delete read.sort;
  if (read.page === '1') delete read.page;
  return read;
}

/** The address of a search. */
export function findAddress(params: FindParams): string {
  const entries = findNames.flatMap((name) => (params[name] ? [[name, params[name]]] : []));
  const text = new URLSearchParams(entries).toString();
  return text ? `${paths.search}?${text}` : paths.search;
}

/** The search with changes, back on its first page unless the page itself is changed. */
export function changeParams(params: FindParams, change: { [Name in FindName]?: string | undefined }): FindParams {
  const next: FindParams = {};
  for (const name of findNames) {
    const text = name in change ? change[name] : name === 'page' ? undefined : params[name];
    if (text) next[name] = text;
  }
  return next;
}

/** The understood parts of a search that a URL can express. */
type Understood = {
  category: string | null;
  subCategory: string | null;
  area: { country: string; region: string | null; district: string | null } | null;
  near: { label: string; km: number } | null;
  words: string;
  wishes: readonly { text: string }[];
};

/** The same search with each understood part in its own parameter, so that it can be removed. */
export function getExplicitParams(
  params: FindParams,
  { category, subCategory, area, near, words, wishes }: Understood,
  market: string | null,
): FindParams {
  const place = near && !params.near ? null : area;
  return changeParams(params, {
    // Wishes have no parameter of their own until they are read again.
    q: [words, ...wishes.map(({ text }) => text)].filter(Boolean).join(' '),
    where: undefined,
    category: category ? slug(category) : undefined,
    subCategory: subCategory ? slug(subCategory) : undefined,
    country: place && !place.region && place.country !== market ? place.country : undefined,
    region: params.near ? params.region : (place?.region ?? undefined),
    district: params.near ? params.district : (place?.district ?? undefined),
    near: near?.label,
  });
}

/** No place of any kind. */
export const noPlace = {
  where: undefined,
  country: undefined,
  region: undefined,
  district: undefined,
  near: undefined,
  km: undefined,
} as const;

/** The same search near a position, instead of in a place. */
export const searchNearby = (params: FindParams, understood: Understood, near: string, market: string | null): FindParams =>
  changeParams(getExplicitParams(params, understood, market), { ...noPlace, country: params.country, sort: undefined, near });

/** The same search in a place that answers "Where?"; the country says which of two places of one name is meant. */
export const withWhere = (params: FindParams, where: string): FindParams =>
  changeParams(params, { ...noPlace, country: params.country, sort: params.sort === 'nearest' ? undefined : params.sort, where });

/** Applies the texts of the members' fields to the current search; a listing number replaces the whole search, a place the one before. */
export function withText(params: FindParams, typed: string, where = ''): FindParams {
  const text = typed.trim();
  const place = where.trim() || undefined;
  const number = parseListingNumber(text);
  if (number) return { q: `#${number}` };
  return changeParams(params, { ...(place && place !== params.where && noPlace), q: text || undefined, where: place, raw: undefined });
}

/** Replaces the understood group; null removes it. */
export const withCategory = (explicit: FindParams, category: string | undefined): FindParams =>
  changeParams(explicit, { category, subCategory: undefined });

/** Whether anything but the order, the page and the literal reading narrows a search. */
export const isNarrowed = (params: FindParams) => findNames.some((name) => params[name] && !['sort', 'page', 'raw'].includes(name));

/** The same search without the words of a wish. */
export const withoutWish = (params: FindParams, text: string): FindParams =>
  changeParams(params, { q: params.q?.replace(text, ' ').replaceAll(/\s+/g, ' ').trim() });

/** The same search with the filters of its wishes as parameters of their own, so that they can be changed. */
export const settleWishes = (
  params: FindParams,
  wishes: readonly { text: string; filter: string | null; isOffer: boolean }[],
): FindParams =>
  wishes
    .filter(({ filter, isOffer }) => filter !== null && !isOffer)
    .reduce((settled, { text, filter }) => ({ ...readFind(new URLSearchParams(filter ?? '')), ...withoutWish(settled, text) }), params);

/**
 * The country to search in that the address does not say: that of the visitor for words without a place, and for a place whose name the visitor's country
 * has too.
 */
export function missingCountry(
  params: FindParams,
  { area, near, placeCountries }: Pick<Understood, 'area'> & { near: unknown; placeCountries: readonly string[] },
  likely: string | null,
): string | null {
  if (!likely || params.country) return null;
  if (!area && !near) return params.q ? likely : null;
  return area && area.country !== likely && placeCountries.includes(likely) ? likely : null;
}

/** Whether a search says no place smaller than a country. */
export const isPlaceless = ({ area, near }: { area: { region: string | null } | null; near: unknown }) => !near && !area?.region;

/** Thrown for an address that names something unknown: which part. `onlyIn` is the country of the host if the address names a place in another. */
export type NoSearch = { params: FindParams; wrong: readonly FindName[]; onlyIn: string | null };

export const isNoSearch = (data: unknown): data is NoSearch =>
  typeof data === 'object' && data !== null && 'params' in data && 'wrong' in data;
