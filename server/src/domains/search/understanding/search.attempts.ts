import { categoryOfCode, groupCodeOf, subCategoryOfCode } from '@handwise/contract/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { regionCodeOf, regionOfCode } from '@handwise/contract/places';
import { localityOf, type Place, placesNamed } from '../../places/places.service.ts';
import type { Db } from '../../../kit/database/database.ts';
import type { ListingFilter } from '../search.rules.ts';
import type { SearchMemory } from '../search.memory.ts';
import { classify } from '../classifier/search.classifier.ts';
import { type Guess, type Known, type Reading, understand, type Understood } from './search.understanding.ts';
import { wordsInUse } from '../words/search.vocabulary.queries.ts';

/** Words within a filter, or without words all of it. */
export type Search = { filter: ListingFilter; words: string };
/** A reading of what was typed, as a search. */
export type Attempt = Search & { reading: Reading; understood: Understood };

const fewAddresses = 3_000;

/**
 * The ways to search for what was typed within what was chosen, the likeliest first; never none. `raw`: the words as they are typed, and
 * nothing else.
 */
export async function attemptsOf(
  db: Db,
  memory: SearchMemory,
  text: string,
  chosen: ListingFilter,
  market: CountryCode | null,
  { raw = false }: { raw?: boolean },
): Promise<[Attempt, ...Attempt[]]> {
  const typed: Reading = { category: null, subCategories: [], place: null, words: text };
  const asTyped: Understood = { readings: [typed], namesakes: [], corrected: null, mistyped: [], nearMe: false, guesses: [] };
  const understood =
    raw || !text ? asTyped : await memory.readings.get(JSON.stringify([market, text, chosen]), () => read(text, chosen, market));
  const { readings, mistyped } = understood;
  // Tyler may be a tiler, unless somebody is called so.
  const isSomebody = mistyped.length > 0 && (await wordsInUse(db, mistyped)).length === mistyped.length;
  const ordered = isSomebody ? [typed, ...readings.filter(({ words }) => words !== text)] : readings;
  const [first = typed, ...others] = ordered.length > 0 ? ordered : [typed];
  const attempt = (reading: Reading): Attempt => ({ filter: filterWith(chosen, reading), words: reading.words, reading, understood });
  return [attempt(first), ...others.map(attempt)];
}

/** What a sentence is about, by what was learned of others. */
const guessesOf = (words: string): Guess[] =>
  classify(words).map(({ category, subCategory, probability }) => {
    const sub = subCategory === null ? undefined : subCategoryOfCode(subCategory);
    return { category: categoryOfCode(category) ?? null, subCategories: sub ? [sub] : [], probability };
  });

/** What the reading of a text asks others, in a market (null: in both). */
export const knownIn = (market: CountryCode | null): Known => ({
  placesNamed: (named) => placesNamed(named, market),
  isSmall: ({ localityCode }) => localityCode !== undefined && (localityOf(localityCode)?.addresses ?? 0) < fewAddresses,
  classify: guessesOf,
});

async function read(text: string, chosen: ListingFilter, market: CountryCode | null): Promise<Understood> {
  const isMarketOnly = chosen.place?.level === 'country' && chosen.place.country === market;
  const found = understand(text, knownIn(market), {
    covers: chosen.place && !isMarketOnly ? (place) => isWithin(placeFilterOf(place), chosen.place) : undefined,
    fits: chosen.category && ((trade) => isOf(trade, chosen.category)),
  });
  // Signs alone are no words, and find nothing rather than everything.
  return found.readings.length > 0 ? found : { ...found, readings: [{ category: null, subCategories: [], place: null, words: text }] };
}

type CategoryFilter = ListingFilter['category'];

/** Whether a trade is of a category: within it, or the group that a sub-category belongs to. */
function isOf({ category, subCategories }: Pick<Reading, 'category' | 'subCategories'>, chosen: CategoryFilter): boolean {
  if (!chosen) return true;
  const codes = subCategories.map(({ code }) => code);
  const groups = category ? [category] : codes.map((code) => categoryOfCode(groupCodeOf(code)));
  if (chosen.level === 'main') return groups.every((group) => group?.mainCategory === chosen.main);
  if (chosen.level === 'group') return groups.some((group) => group?.code === chosen.code);
  return chosen.codes.every((code) => (codes.length > 0 ? codes.includes(code) : category?.code === groupCodeOf(code)));
}

/** What was chosen stands; what was read is added where nothing was, or where it is narrower. */
function filterWith(chosen: ListingFilter, { category, subCategories, place }: Reading): ListingFilter {
  const { category: given } = chosen;
  const codes = subCategories.map(({ code }) => code).filter((code) => given?.level !== 'group' || groupCodeOf(code) === given.code);
  const read: CategoryFilter = codes.length > 0 ? { level: 'sub', codes } : category ? { level: 'group', code: category.code } : undefined;
  const isNarrower = !given || given.level === 'main' || (given.level === 'group' && read?.level === 'sub');
  return { ...chosen, ...(place && { place: placeFilterOf(place) }), ...(isNarrower && read && { category: read }) };
}

export type PlaceFilter = NonNullable<ListingFilter['place']>;

/** A place as a filter: of a town, the district that it lies in. */
export function placeFilterOf({ country, regionCode, districtCode }: Place): PlaceFilter {
  if (districtCode !== undefined) return { level: 'district', code: districtCode };
  return regionCode === undefined ? { level: 'country', country } : { level: 'region', code: regionCode };
}

/** Where a place lies, the nearest around it first, without itself. */
export function aroundOf(place: PlaceFilter): PlaceFilter[] {
  if (place.level === 'country') return [];
  const town = place.level === 'town' ? localityOf(place.code) : undefined;
  const districtCode = town?.districtCode ?? place.code;
  const region = regionOfCode(place.level === 'region' ? place.code : regionCodeOf(districtCode));
  if (!region) return [];
  const country: PlaceFilter = { level: 'country', country: region.country };
  if (place.level === 'region') return [country];
  const around: PlaceFilter[] = [{ level: 'region', code: region.code }, country];
  return town ? [{ level: 'district', code: districtCode }, ...around] : around;
}

const isWithin = (inner: PlaceFilter, outer: PlaceFilter | undefined) =>
  outer === undefined || [inner, ...aroundOf(inner)].some((one) => JSON.stringify(one) === JSON.stringify(outer));

/** The first of the ways that finds something; the likeliest where none does. */
export async function firstThatFinds(
  [first, ...others]: readonly [Attempt, ...Attempt[]],
  count: (search: Search) => Promise<number>,
): Promise<Attempt> {
  if (others.length === 0 || (await count(first)) > 0) return first;
  for (const attempt of others) {
    // oxlint-disable-next-line no-await-in-loop -- the next one is asked only where this one finds nothing
    if ((await count(attempt)) > 0) return attempt;
  }
  return first;
}
