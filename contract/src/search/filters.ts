import { count } from '../numbers.ts';

/** The averages from which a search can ask for ratings. */
export const ratingChoices = ['3', '3.5', '4', '4.5'] as const;

/** The prices that a search offers as limits, in whole dollars; any other number may be asked for as well. */
export const priceChoices = [50, 100, 150, 250, 500, 1000] as const;

/**
 * What searches filter listings by. The API's parameters and the pages' fields are made from this table; the server's
 * `search.filter-columns.ts` says which column each is asked of.
 */
export const searchFilters = {
  minRating: {
    type: 'choice',
    choices: ratingChoices,
    label: 'Rating',
    choiceLabel: (choice: string) => `${choice} and up`,
    chosen: (choice: string) => `rated ${choice} and up`,
    description: 'The lowest average rating, as shown',
  },
  verified: { type: 'flag', label: 'Verified', chosen: () => 'verified', description: '1: only businesses confirmed by a register' },
  photos: { type: 'flag', label: 'With photos', chosen: () => 'with photos', description: '1: only listings with photos' },
  replied: {
    type: 'flag',
    label: 'Answers within a day',
    chosen: () => 'answering within a day',
    description: '1: only businesses that answer within a day',
  },
  maxPrice: {
    type: 'number',
    choices: priceChoices,
    label: 'Price from',
    choiceLabel: (choice: string) => `up to $${count(Number(choice))}`,
    chosen: (choice: string) => `from $${choice} at most`,
    description: 'The highest “from” price, in whole dollars of the listing’s country',
  },
  noMinimumCharge: {
    type: 'flag',
    label: 'No minimum charge',
    chosen: () => 'without a minimum charge',
    description: '1: only businesses that say they have no minimum charge',
  },
} as const;
type Filters = typeof searchFilters;
export type FilterName = keyof Filters;
export const filterNames = Object.keys(searchFilters) as FilterName[];

type ValueOf<Filter> = Filter extends { type: 'flag' }
  ? true
  : Filter extends { type: 'number' }
    ? number
    : Filter extends { choices: readonly (infer Choice)[] }
      ? Choice
      : never;
/** What is asked of listings. A filter that is not given leaves nothing out. */
export type FilterValues = { [Name in FilterName]?: ValueOf<Filters[Name]> };

/** The filters of a search among its parameters; undefined where it has none. */
export function filterValuesOf(search: { [Name in FilterName]?: string | number | undefined }): FilterValues | undefined {
  const given = filterNames.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [[name, searchFilters[name].type === 'flag' ? true : value]];
  });
  return given.length === 0 ? undefined : (Object.fromEntries(given) as FilterValues);
}

/** Pages of a search end here. */
export const mostPages = 50;

/** How far away results may be, where a search says near which place and not how far. */
export const usualKm = 25;

/** In an order that is not by plan, so many featured listings at most stand first, and say that this is paid for. */
export const maxPaidPlaces = 4;
