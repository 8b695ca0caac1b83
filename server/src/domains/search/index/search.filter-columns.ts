import { type FilterName, type FilterValues, filterNames, searchFilters } from '@handwise/contract/search/filters';
import { type RawBuilder, sql } from 'kysely';

type Condition = RawBuilder<boolean>;

/** What each filter of the contract asks of a listing's columns. */
const conditions: { [Name in FilterName]: (value: NonNullable<FilterValues[Name]>) => Condition } = {
  minRating: (average) => sql<boolean>`rating_tenths >= ${Number(average) * 10}::int`,
  maxPrice: (dollars) => sql<boolean>`price_from_minor <= ${dollars}::bigint * 100`,
  verified: () => sql<boolean>`verified`,
  photos: () => sql<boolean>`has_photos`,
  replied: () => sql<boolean>`answers_within_day`,
  noMinimumCharge: () => sql<boolean>`minimum_charge_minor = 0`,
};

/** The columns that they read. */
export const filterColumns = sql`rating_tenths, price_from_minor, verified, has_photos, answers_within_day, minimum_charge_minor`;

const conditionOf = (name: FilterName, value: FilterValues[FilterName]) => (conditions[name] as (given: typeof value) => Condition)(value);

/** What is asked of a listing by filters, but for some of them. */
export const filterConditions = (values: FilterValues = {}, without: readonly FilterName[] = []): Condition[] =>
  filterNames.flatMap((name) => (values[name] === undefined || without.includes(name) ? [] : conditionOf(name, values[name])));

/** The filters with several choices: which of them is chosen does not count for the numbers beside the others. */
export const withChoices = filterNames.filter((name) => searchFilters[name].type !== 'flag');

/** Every choice that a filter offers. */
export const choicesOf = (name: FilterName): readonly NonNullable<FilterValues[FilterName]>[] => {
  const filter = searchFilters[name];
  return filter.type === 'flag' ? [true] : filter.choices;
};

/** What is asked of a listing where this choice is made and all others are as they are. */
export const conditionsWith = (values: FilterValues = {}, name: FilterName, choice: FilterValues[FilterName]) => [
  conditionOf(name, choice),
  ...filterConditions(values, [name]),
];
