import { count } from '../numbers.ts';

/** The lowest averages that a search can ask for. */
export const ratingChoices = ['3', '3.5', '4', '4.5'] as const;

/** The suggested price limits in whole dollars; any other number is valid too. */
export const priceChoices = [50, 100, 150, 250, 500, 1000] as const;

/**
 * The filters of a search. The API's parameters and the pages' fields are derived from this table; `search.conditions.ts` of the server has
 * the column of each.
 */
export const searchFilters = {
  minRating: { type: 'choice', choices: ratingChoices, label: 'Rating', choiceLabel: (choice: string) => `${choice} and up` },
  verified: { type: 'flag', label: 'Verified' },
  photos: { type: 'flag', label: 'With photos' },
  replied: { type: 'flag', label: 'Answers within a day' },
  maxPrice: {
    type: 'number',
    choices: priceChoices,
    label: 'Price from',
    choiceLabel: (choice: string) => `up to $${count(Number(choice))}`,
  },
  noMinimumCharge: { type: 'flag', label: 'No minimum charge' },
  available: { type: 'flag', label: 'Available this week' },
  licensed: { type: 'flag', label: 'Licence shown' },
  insured: { type: 'flag', label: 'Insured' },
  emergencyCallOut: { type: 'flag', label: 'Comes out after hours' },
} as const;
type Filters = typeof searchFilters;
export type FilterName = keyof Filters;
export const filterNames = Object.keys(searchFilters) as FilterName[];

/** A chosen filter within a sentence, such as the name of an alert. Apart from the table, because pages do not load it. */
export const filterWords: Record<FilterName, (choice: string) => string> = {
  minRating: (choice) => `rated ${choice} and up`,
  verified: () => 'verified',
  photos: () => 'with photos',
  replied: () => 'answering within a day',
  maxPrice: (choice) => `from $${choice} at most`,
  noMinimumCharge: () => 'without a minimum charge',
  available: () => 'available this week',
  licensed: () => 'with a licence shown',
  insured: () => 'insured',
  emergencyCallOut: () => 'coming out after hours',
};

type FilterValue<Filter> = Filter extends { type: 'flag' }
  ? true
  : Filter extends { type: 'number' }
    ? number
    : Filter extends { choices: readonly (infer Choice)[] }
      ? Choice
      : never;

export type FilterValues = { [Name in FilterName]?: FilterValue<Filters[Name]> };

/** The filters among the parameters of a search; undefined if there are none. */
export function parseFilterValues(search: { [Name in FilterName]?: string | number | undefined }): FilterValues | undefined {
  const entries = filterNames.flatMap((name) => {
    const value = search[name];
    return value === undefined ? [] : [[name, searchFilters[name].type === 'flag' ? true : value]];
  });
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as FilterValues);
}

/** The last page of any search. */
export const maxPages = 50;

/** The radius of a search near a place without `km`. */
export const defaultRadiusKm = 25;

/** The most featured listings that come first, labelled as paid, in an order that is not by plan. */
export const maxPaidPlacements = 3;
