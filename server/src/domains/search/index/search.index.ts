import type { Weekday } from '@handwise/contract/facts/hours';
import type { PriceUnit } from '@handwise/contract/facts/prices';
import type { MainCategory } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import type { Point } from '@handwise/contract/places/distance';
import type { FindPage } from '@handwise/contract/search/calls';
import type { FilterValues } from '@handwise/contract/search/filters';
import type { Term, Work } from './search.terms.ts';

export type Area = { level: 'country'; country: CountryCode } | { level: 'region' | 'district'; code: number };
type CategoryFilter = { level: 'main'; main: MainCategory } | { level: 'group'; code: number } | { level: 'sub'; codes: readonly number[] };
/** A point with a radius. `locality` is the town or suburb that was named, if any. */
export type NearPoint = Point & { km: number; locality?: number };

/** All given parts must match. */
export type SearchFilter = {
  place?: Area;
  /** Matches listings based within the radius and listings whose service area includes the point. */
  near?: NearPoint;
  category?: CategoryFilter;
  listingNumber?: number;
  values?: FilterValues;
};
/** Offers emergency call-outs, says that it has time this week, or is open on a day. */
export type Preference = 'emergency' | 'available' | Weekday;
export type Search = {
  filter: SearchFilter;
  /** All of them must be in a listing. */
  words: string;
  work?: Work;
  /** Listings with more of these words come first within a level. */
  hints?: string;
  /** Businesses of which one of these is true come first within a level. */
  prefers?: readonly Preference[];
  /** Listings that come first among the matches, because they fulfil a wish. */
  first?: readonly number[];
  /** A business with one of these names comes first if it passes the filter, whatever else is searched. */
  named?: { names: readonly string[]; filter: SearchFilter };
  /** Restricts the search to these listings. */
  onlyIds?: readonly string[];
};

export type Order = 'recommended' | 'rating' | 'newest' | 'nearest' | 'price';
export type Page = { skip: number; take: number };

/** Larger totals are not counted. */
export const maxExactTotal = 1_000;
export type Total = { total: number; isExact: boolean };
/** `total` is null if the search ran out of time: its listings are then some of the matches, at least one. */
export type Matches = (Total | { total: null; isExact: false }) & {
  /** Listing numbers in the requested order. */
  numbers: number[];
  /** How many of the first listings are paid placements; 0 if the order is by plan anyway. */
  paidCount: number;
  /** The terms that the words were searched as. */
  terms: readonly Term[];
  /** The levels of the listings, where they are known: 2 names what is searched, 1 mentions it or is of another category, 0 is of the category only. */
  levels: ReadonlyMap<number, number>;
  /** Those of them that travel to the place from more than a hundred kilometres away, as far as it is known. */
  far: readonly number[];
  /** The hints that no match has. */
  missingHints: readonly string[];
  /** All matches, where they are few enough to count and each is one by the search itself, not by its business's name. */
  all?: readonly number[];
};

export type Facets = NonNullable<FindPage['facets']>;
export type NamedListing = {
  id: string;
  businessTitle: string;
  serviceTitle: string;
  localityCode: number;
  districtCode: number;
  ratingCounts: number[];
  priceFrom: number | null;
  priceUnit: PriceUnit | null;
};

/** `localityCode` is the negative code of the district for listings that name no town. */
export type LocalityTotal = { localityCode: number; total: number };

export type NameSuggestion = { label: string; listings: number; categoryCode: number; districtCode: number; businessTitle: string };

/**
 * Searches the active listings. A row is indexed by the transaction that writes it, so a search that starts after the commit
 * finds it. Everything throws `SearchTimeout` if it takes too long.
 */
export type SearchIndex = {
  /** An index for one request, whose searches together take at most the limit of database time. */
  withTimeLimit(): SearchIndex;
  /** Within a request, a search that takes too long gives the first matches by plan, if it finds any. */
  match(search: Search, order: Order, page: Page): Promise<Matches>;
  count(search: Search): Promise<Total>;
  /** The same work outside of the searched place, within its country, nearest first; `besides`: the matches. */
  listFurther(search: Search, besides: readonly number[], most: number): Promise<number[]>;
  /** Other work of the same groups within the searched place, in the order of the matches. */
  listRelated(search: Search, besides: readonly number[], most: number): Promise<number[]>;
  /** The words that the vocabulary has. */
  listKnownWords(words: readonly string[]): Promise<Set<string>>;
  /** The first thousand matches in the recommended order, with their places. */
  countByPlace(search: Search): Promise<{ listings: NamedListing[]; isComplete: boolean }>;
  /** How many matches each locality has, all of them. */
  countByLocality(search: Search): Promise<LocalityTotal[]>;
  /** How many matches each choice of a filter would leave; null beyond a thousand matches. `all`: the matches, if they are known. */
  countFacets(search: Search, all?: readonly number[]): Promise<Facets | null>;
  /** Business names or titles that begin with `start`, highest plan first. */
  listNames(kind: 'business' | 'listing', start: string, countries: readonly CountryCode[], most: number): Promise<NameSuggestion[]>;
};
