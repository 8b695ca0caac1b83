import type { Point } from '@handwise/contract/places/distance';
import type { CountryCode } from '@handwise/contract/markets';
import type { MainCategory } from '@handwise/contract/listings/categories';
import type { FindPage } from '@handwise/contract/search/calls';
import type { FilterValues } from '@handwise/contract/search/filters';
import type { Term } from './search.terms.ts';

export type Area = { level: 'country'; country: CountryCode } | { level: 'region' | 'district'; code: number };
type Services = { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
/** A point with a radius. `locality` is the town or suburb that it was named by. */
export type Around = Point & { km: number; locality?: number };

/** What a search is narrowed to. What is not given leaves nothing out. */
export type SearchFilter = {
  place?: Area;
  /** Those based within the radius, and those who say that they travel to the point. */
  near?: Around;
  category?: Services;
  listingNumber?: number;
  values?: FilterValues;
};
export type Search = {
  filter: SearchFilter;
  words: string;
  /** Only these listings are looked at. */
  among?: readonly string[];
};

export type Order = 'recommended' | 'rating' | 'newest' | 'nearest';
export type Page = { skip: number; take: number };

/** Totals are counted this far. */
export const mostCounted = 1_000;
/** `total` is null where the time limit struck before all matches were known. */
type Total = { total: number | null; isExact: boolean };
export type Matches = Total & {
  /** Numbers of listings, in the order asked for. */
  numbers: number[];
  /** So many of them stand first because they are paid for, although the order does not go by plan. */
  paid: number;
  /** What the words were searched as; empty where a word is none that any listing has. */
  terms: readonly Term[];
};

export type Facets = NonNullable<FindPage['facets']>;
export type NamedListing = { id: string; businessTitle: string; serviceTitle: string; localityCode: number; districtCode: number };

export type StartingName = { label: string; listings: number; categoryCode: number; districtCode: number; businessTitle: string };

/**
 * Which active listings match, in which order, and how many. Rows are indexed by the transaction that writes them: a search that begins
 * after its commit finds them.
 */
export type SearchIndex = {
  /** Milliseconds that a request may read for. */
  readonly limitMs: number;
  /** The same for one request: what it asks takes the time limit at most, all together. */
  withDeadline(): SearchIndex;
  match(search: Search, order: Order, page: Page): Promise<Matches>;
  count(search: Search): Promise<Total>;
  /** The first thousand matches in the recommended order, by where they are found. */
  countByPlace(search: Search): Promise<{ listings: NamedListing[]; isWhole: boolean }>;
  /** How many matches each choice of a filter would leave, the others as they are; null beyond a thousand. */
  facets(search: Search): Promise<Facets | null>;
  /** Names of listings that begin so, those of the highest plan first. */
  suggest(kind: 'business' | 'listing', start: string, countries: readonly CountryCode[], most: number): Promise<StartingName[]>;
};
