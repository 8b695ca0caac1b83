import { type RawBuilder, sql } from 'kysely';
import { type FlagName, facts, flagNames } from '@handwise/contract/evidence/facts';
import { type FilterName, type FilterValues, filterNames, searchFilters } from '@handwise/contract/search/filters';

type Condition = RawBuilder<boolean>;

// Filters of the facts that are flags have their names and columns.
type FlagFilter = FilterName & FlagName;
const isFlagFilter = (name: FilterName): name is FlagFilter => (flagNames as readonly string[]).includes(name);

/** The SQL condition of each other filter. */
const conditions: { [Name in Exclude<FilterName, FlagFilter>]: (value: NonNullable<FilterValues[Name]>) => Condition } = {
  minRating: (average) => sql<boolean>`rating_tenths >= ${Number(average) * 10}::int`,
  maxPrice: (dollars) => sql<boolean>`price_from_minor <= ${dollars}::bigint * 100`,
  verified: () => sql<boolean>`verified`,
  licensed: () => sql<boolean>`licence_number is not null and not licence_hidden`,
  photos: () => sql<boolean>`has_photos`,
  replied: () => sql<boolean>`answers_within_day`,
  noMinimumCharge: () => sql<boolean>`minimum_charge_minor = 0`,
  available: () => sql<boolean>`(available_from <= now() and available_until > now())`,
};

/** The columns used by `conditions`. */
export const filterColumns = sql`rating_tenths, price_from_minor, verified, licence_number, licence_hidden, has_photos, answers_within_day, minimum_charge_minor,
  available_from, available_until, ${sql.join(filterNames.filter(isFlagFilter).map((name) => sql.ref(facts[name].column)))}`;

const toCondition = (name: FilterName, value: FilterValues[FilterName]) =>
  isFlagFilter(name) ? sql<boolean>`${sql.ref(facts[name].column)}` : (conditions[name] as (filter: typeof value) => Condition)(value);

/** The conditions of all given filters except those in `without`. */
export const listFilterConditions = (values: FilterValues = {}, without: readonly FilterName[] = []): Condition[] =>
  filterNames.flatMap((name) => (values[name] === undefined || without.includes(name) ? [] : toCondition(name, values[name])));

/** Filters with several choices. The counts beside the choices ignore which one is selected. */
export const choiceFilters = filterNames.filter((name) => searchFilters[name].type !== 'flag');

export const listChoices = (name: FilterName): readonly NonNullable<FilterValues[FilterName]>[] => {
  const filter = searchFilters[name];
  return filter.type === 'flag' ? [true] : filter.choices;
};

/** The conditions if `choice` were selected and all other filters stayed as they are. */
export const listConditionsWithChoice = (values: FilterValues = {}, name: FilterName, choice: FilterValues[FilterName]) => [
  toCondition(name, choice),
  ...listFilterConditions(values, [name]),
];
