import { type RawBuilder, sql } from 'kysely';
import { type FlagName, facts, flagNames } from '@handwise/contract/facts/facts';
import { type Weekday, weekdays } from '@handwise/contract/facts/hours';
import { categories, getGroupCode } from '@handwise/contract/listings/categories';
import { getRegionCode } from '@handwise/contract/places/regions';
import { type FilterName, type FilterValues, filterNames, searchFilters } from '@handwise/contract/search/filters';
import type { Preference, Search } from './search.index.ts';
import {
  createPhraseTerm,
  type Term,
  toCodesQuery,
  toMentionedQuery,
  toNamedQuery,
  toTermQuery,
  toTsquery,
  toWordsQuery,
  toWorkQuery,
} from './search.terms.ts';

export type Condition = RawBuilder<boolean>;
export type ParsedSearch = { search: Search; terms: readonly Term[]; hintTerms: readonly Term[] };

export const toArray = (numbers: readonly number[], type: 'int' | 'smallint' = 'int') => sql`${[...numbers]}::${sql.raw(type)}[]`;
export const joinConditions = (conditions: readonly Condition[]) =>
  sql<boolean>`(${sql.join(conditions.length > 0 ? [...conditions] : [sql`true`], sql` and `)})`;

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

// A literal, because a partial index is not used for a parameter.
const isActive = sql<boolean>`status = 'active'`;

function listPlaceConditions({ place }: Search['filter']): Condition[] {
  if (!place) return [];
  if (place.level === 'country') return [sql<boolean>`country = ${place.country}`];
  if (place.level === 'region') return [sql<boolean>`region_code = ${place.code}::smallint`];
  return [sql<boolean>`region_code = ${getRegionCode(place.code)}::smallint`, sql<boolean>`district_code = ${place.code}::smallint`];
}

const isInGroups = (codes: readonly number[]) =>
  codes.length === 1
    ? sql<boolean>`category_code = ${codes[0]}::smallint`
    : sql<boolean>`category_code = any(${toArray(codes, 'smallint')})`;

/** The groups of a filter for sub-categories, for an index that has no sub-categories. */
export const listGroupConditions = ({ category }: Search['filter']): Condition[] =>
  category?.level === 'sub' ? [isInGroups([...new Set(category.codes.map(getGroupCode))])] : [];

function listCategoryConditions(filter: Search['filter']): Condition[] {
  const { category, near } = filter;
  if (!category) return [];
  if (category.level === 'main')
    return [isInGroups(categories.filter((one) => one.mainCategory === category.main).map(({ code }) => code))];
  if (category.level === 'group') return [isInGroups([category.code])];
  // The planner takes the two conditions as independent. Around a point it would expect too few listings and read those of the whole country.
  return [...(near ? [] : listGroupConditions(filter)), sql<boolean>`sub_category_code = any(${toArray(category.codes, 'smallint')})`];
}

export const toDocumentCondition = (query: string) => sql<boolean>`search_document @@ ${query}::tsquery`;

export const listWordConditions = (terms: readonly Term[]): Condition[] =>
  terms.length === 0 ? [] : [toDocumentCondition(toTsquery(terms))];

/** The words that stand for a category in the documents of listings. */
function listCategoryLexemes({ category }: Search['filter']): string[] {
  if (!category) return [];
  if (category.level === 'sub') return category.codes.map((code) => `'sub:${code}'`);
  const groups =
    category.level === 'group' ? [category.code] : categories.filter((one) => one.mainCategory === category.main).map(({ code }) => code);
  return groups.map((code) => `'category:${code}'`);
}

/** The category, and what a listing must have of the work. */
function listWorkConditions({ filter, work }: Search): Condition[] {
  if (!work || work.doneBy === 'category') return listCategoryConditions(filter);
  const query = toDocumentCondition(toWorkQuery(work, listCategoryLexemes(filter)));
  return work.doneBy === 'mentions' ? [...listCategoryConditions(filter), query] : [query];
}

/** What an index of the lists in an order knows of a search: place and category. */
export const listListConditions = ({ filter, work }: Search): Condition[] => [
  isActive,
  ...listPlaceConditions(filter),
  ...(work?.doneBy === 'mentions or names' ? [] : listCategoryConditions(filter)),
];

/** Place, category, work and listings, without words and filters. */
export const listScopeConditions = (search: Search): Condition[] => [
  isActive,
  ...(search.onlyIds ? [sql<boolean>`id = any(${[...search.onlyIds]}::uuid[])`] : []),
  ...(search.filter.listingNumber === undefined ? [] : [sql<boolean>`listing_number = ${search.filter.listingNumber}`]),
  ...listPlaceConditions(search.filter),
  ...listWorkConditions(search),
];

export const listConditions = ({ search, terms }: ParsedSearch, filters = listFilterConditions(search.filter.values)): Condition[] => [
  ...listScopeConditions(search),
  ...listWordConditions(terms),
  ...filters,
];

/** Whether a listing names the work; undefined if all of its category do. */
export function createNamesCondition({ search: { work } }: ParsedSearch): Condition | undefined {
  if (!work?.isRanked) return undefined;
  const parts = [
    ...(work.subCodes.length > 0 ? [sql<boolean>`coalesce(sub_category_code = any(${toArray(work.subCodes, 'smallint')}), false)`] : []),
    ...(work.names.length > 0 ? [toDocumentCondition(toNamedQuery(work.names))] : []),
  ];
  return parts.length > 0 ? sql<boolean>`(${sql.join(parts, sql` or `)})` : undefined;
}

/**
 * The level of a match of the category: 2 if it names what is searched, 1 if it mentions it, 0 if it only belongs to the category. Undefined if all are
 * alike.
 */
export function createLevel(parsed: ParsedSearch): RawBuilder<number> | undefined {
  const names = createNamesCondition(parsed);
  const { work } = parsed.search;
  if (names && work) {
    const mentions = work.names.length > 0 ? toDocumentCondition(toMentionedQuery(work.names)) : sql`false`;
    return sql<number>`case when ${names} then 2 when ${mentions} then 1 else 0 end`;
  }
  if (parsed.terms.length === 0) return undefined;
  return sql<number>`case when ${toDocumentCondition(toTsquery(parsed.terms, 'ABC'))} then 2 else 1 end`;
}

/** The level of listings of other categories that name the work. */
export const levelOfOthers = sql.lit(1);

/** The conditions of listings of other categories that name the work; null if there are none to look for. */
export function listOtherConditions(parsed: ParsedSearch, by: 'people' | 'any name', filters?: Condition[]): Condition[] | null {
  const { search } = parsed;
  const { work, filter } = search;
  const names = work ? [...work.people, ...(by === 'people' ? [] : work.names)] : [];
  if (work?.doneBy !== 'category' || names.length === 0 || !filter.category || search.onlyIds) return null;
  const isOwn = sql.join(listCategoryConditions(filter), sql` and `);
  const anywhere = listConditions({ ...parsed, search: withoutCategory(search) }, filters);
  return [...anywhere, toDocumentCondition(toNamedQuery(names)), sql<boolean>`(${isOwn}) is not true`];
}

export function withoutCategory(search: Search): Search {
  const { category: _, ...anywhere } = search.filter;
  const { work: __, ...rest } = search;
  return { ...rest, filter: anywhere };
}

/** How well a hint fits: anywhere, and in title, business or services. */
export const toHintScore = (term: Term) =>
  sql`((${toDocumentCondition(toTermQuery(term, ''))})::int + (${toDocumentCondition(toTermQuery(term, 'ABC'))})::int)`;

const emergencyPlumbing = 603;
const isForEmergencies = sql<boolean>`(emergency or sub_category_code is not distinct from ${sql.lit(emergencyPlumbing)})`;

/** Whether one of the preferences is true of a listing. */
export function createPreferredCondition(preferences: readonly Preference[]): Condition {
  const days = (Object.keys(weekdays) as Weekday[]).filter((day) => preferences.includes(day));
  return sql<boolean>`(${sql.join(
    [
      ...(preferences.includes('emergency') ? [isForEmergencies] : []),
      ...(preferences.includes('available') ? listFilterConditions({ available: true }).map((one) => sql`coalesce(${one}, false)`) : []),
      ...(days.length > 0 ? [sql`coalesce(hours ?| ${days}::text[], false)`] : []),
    ],
    sql` or `,
  )})`;
}

/** What the best of many matches have: all hints or, without hints, a name of what is searched. Undefined if they are all alike. */
export function createBestCondition(parsed: ParsedSearch): Condition | undefined {
  const { hintTerms, search, terms } = parsed;
  if (hintTerms.length > 0) return toDocumentCondition(toTsquery(hintTerms));
  if (search.prefers) return createPreferredCondition(search.prefers);
  return createNamesCondition(parsed) ?? (terms.length > 0 ? toDocumentCondition(toTsquery(terms, 'ABC')) : undefined);
}

/** Whether the best of many matches are those that name all terms. */
export const isBestByTerms = (parsed: ParsedSearch) =>
  parsed.terms.length > 0 && parsed.hintTerms.length === 0 && !parsed.search.prefers && createNamesCondition(parsed) === undefined;

/**
 * Whether title, business or services have all terms, as the index of words knows it, which has these words apart, because an index knows no weights.
 * Without the index the condition with weights takes less time.
 */
export function createNamedTermsCondition(terms: readonly Term[]): Condition {
  const has = (term: Term) => {
    const words = sql<boolean>`ts_filter(search_document, '{a,b,c}') @@ ${toWordsQuery(term)}::tsquery`;
    const codes = toCodesQuery(term);
    return codes === null ? words : sql<boolean>`(${words} or ${toDocumentCondition(codes)})`;
  };
  const parts: Condition[] = [];
  for (let at = 0; at < terms.length; at += 1) {
    const term = terms[at] as Term;
    const { joined } = term;
    if (!joined) parts.push(has(term));
    else {
      parts.push(sql<boolean>`((${has(term)} and ${has(joined.next)}) or ${has(createPhraseTerm([joined.word]))})`);
      at += 1;
    }
  }
  return joinConditions(parts);
}
