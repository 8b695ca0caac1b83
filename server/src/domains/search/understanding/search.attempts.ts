import { findCategory, findCategoryByCode, getGroupCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import type { CountryCode } from '@handwise/contract/markets';
import { getRegionCode, findRegionByCode } from '@handwise/contract/places/regions';
import { maxListingNumber } from '@handwise/contract/search/calls';
import { listPeople, listSynonyms, listTradeParts } from '@handwise/contract/search/trades';
import { splitWords } from '@handwise/contract/text';
import { findLocality, type Place, listPlacesByName } from '../../places/places.service.ts';
import { classify } from '../classifier/search.classifier.ts';
import type { Area, Search, SearchFilter } from '../index/search.index.ts';
import { findLocalityOf } from '../index/search.localities.ts';
import type { Work } from '../index/search.terms.ts';
import { toPlaceFilter } from '../search.filter.ts';
import type { SearchParts } from '../search.pages.ts';
import { type Guess, type Lookups, type Reading, understand, type Understood } from './search.understanding.ts';
import { readWishes, type Wish } from './search.wishes.ts';

/** A reading of the typed text as a search. */
export type Attempt = Search & { reading: Reading; understood: Understood; wishes: readonly Wish[] };
export type Attempts = readonly [Attempt, ...Attempt[]];

const smallPlaceAddresses = 3_000;
const listingNumberPattern = /^#?\s*0*([1-9]\d*)$/;

type AttemptOptions = {
  chosen: SearchFilter;
  market: CountryCode | null;
  /** Searches the words exactly as typed. */
  raw: boolean;
  km: number | undefined;
};

/** The ways to search for a text within the chosen filter, most likely first. */
export async function listAttempts(parts: SearchParts, text: string, { chosen, market, raw, km }: AttemptOptions): Promise<Attempts> {
  const typed: Reading = { category: null, subCategories: [], work: null, place: null, words: text };
  const asTyped: Understood = {
    readings: [typed],
    namesakes: [],
    countries: [],
    corrected: null,
    mistyped: [],
    placeless: text,
    nearMe: false,
    guesses: [],
  };
  const number = raw ? undefined : parseListingNumber(text, market);
  if (number !== undefined) {
    const reading = { ...typed, words: `#${number}` };
    return [{ filter: { ...chosen, listingNumber: number }, words: '', reading, understood: asTyped, wishes: [] }];
  }
  const { rest, wishes } = raw ? { rest: text, wishes: [] } : readWishes(text);
  const understood =
    raw || !text ? asTyped : await parts.readings.get(JSON.stringify([market, rest, chosen]), () => readText(rest, chosen, market));
  const preferences = [...new Set(wishes.flatMap(({ prefers }) => prefers))];
  const toAttempt = (reading: Reading): Attempt => ({
    ...toSearch(reading, chosen, km),
    ...(!raw && text && { named: { names: listBusinessNames([text, rest, understood.placeless]), filter: chosen } }),
    ...(preferences.length > 0 && { prefers: preferences }),
    reading,
    understood,
    wishes,
  });
  const { readings, mistyped } = understood;
  // "Tyler" may be a misspelt "tiler", unless a listing has the word.
  const isName = mistyped.length > 0 && (await parts.index.listKnownWords(mistyped)).size === new Set(mistyped).size;
  const ordered = isName ? [{ ...typed, words: rest }, ...readings.filter(({ words }) => words !== rest)] : readings;
  const [first = { ...typed, words: rest }, ...others] = ordered;
  return [toAttempt(first), ...others.map(toAttempt)];
}

/** Whether a reading says what work is wanted. */
export const hasWork = ({ reading: { category, subCategories } }: Attempt) => category !== null || subCategories.length > 0;

// In these groups a business does the work of all sub-categories: a plumber unblocks drains, a cleaner does deep cleaning. A sub-category says which come
// first.
const oneTradeGroups = new Set(['Cleaning', 'Plumbing', 'Roofing', 'Painting', 'Handyman'].map((name) => findCategory(name)?.code));

function toSearch(reading: Reading, chosen: SearchFilter, km: number | undefined): Search {
  const filter = addReading(chosen, reading, km);
  const { work, words, subCategories } = reading;
  const isRead = reading.category !== null || subCategories.length > 0;
  const left = isRead ? { words: '', ...(words && { hints: words }) } : { words };
  const names = work ? listNames(listSynonyms(work.words)) : [];
  const guessed = subCategories[0]?.name ?? reading.category?.name ?? '';
  const people = work && isPart(work) ? [] : listNames(listPeople(work?.words ?? guessed));
  if (work?.kind === 'apart' || (work && isPart(work) && chosen.category)) {
    const doneBy = chosen.category || !filter.category ? 'mentions' : 'mentions or names';
    return { filter, ...left, work: { subCodes: [], names, people, doneBy, isRanked: true } };
  }
  if (!isRead || chosen.category) return { filter, ...left };
  const { category } = filter;
  const codes = category?.level === 'sub' ? category.codes : [];
  const groups = [...new Set(codes.map(getGroupCode))];
  const [group] = groups;
  // A drainlayer is no plumber of any kind: people are named exactly.
  const isOneTrade = work?.kind !== 'who' && groups.length === 1 && group !== undefined && oneTradeGroups.has(group);
  return {
    filter: isOneTrade ? { ...filter, category: { level: 'group', code: group } } : filter,
    ...left,
    work: {
      subCodes: isOneTrade && !(work && isPart(work)) ? codes : [],
      names,
      people,
      doneBy: 'category',
      isRanked: isOneTrade || (work !== null && isPart(work)),
      // Words that are left may ask for a part: a builder for a granny flat.
      ...(work && !words && !isOneTrade && !isPart(work) && toSpecialties(work.words)),
    },
  };
}

function toSpecialties(words: string): Pick<Work, 'specialties'> {
  const { parts, whole } = listTradeParts(words);
  return parts.length > 0 ? { specialties: { parts: listNames(parts), whole: listNames(whole) } } : {};
}

const isPart = ({ kind }: NonNullable<Reading['work']>) => kind === 'narrower' || kind === 'apart';

/** Names in words: as they are, in one word, and for the activity: "chimney sweep" is "chimney sweeping". */
const listNames = (texts: readonly string[]): string[][] =>
  texts.flatMap((text) => {
    const apart = splitWords(text);
    const last = apart.at(-1) ?? '';
    const forms = /(?:er|ing)s?$/.test(last) ? [apart] : [apart, [...apart.slice(0, -1), `${last.replace(/e?s?$/, '')}ing`]];
    return apart.length > 1 ? [...forms, [apart.join('')]] : forms;
  });

/** The same search by its category and words alone, as its address, an alert and an alternative have it. */
export function toPlainSearch({ filter, words, work, onlyIds }: Search, { reading }: Pick<Attempt, 'reading'>): Search {
  const category: SearchFilter['category'] = work && work.subCodes.length > 0 ? { level: 'sub', codes: work.subCodes } : filter.category;
  const named = work && reading.work && isPart(reading.work) ? reading.work.words : '';
  return {
    filter: { ...filter, ...(category && { category }) },
    words: [named, words].filter(Boolean).join(' '),
    ...(onlyIds && { onlyIds }),
  };
}

const businessEndings = ['', 'ltd', 'limited', 'co', 'company', 'pty ltd', 'services', 'nz'];
const maxNameWords = 8;

/** The names that a business may have if these texts are it, "or nearly": without or with an ending, in one word or two. */
function listBusinessNames(texts: readonly string[]): string[] {
  const names = new Set<string>();
  for (const text of texts) {
    const words = splitWords(text);
    while (words.length > 1 && businessEndings.includes(words.at(-1) ?? '')) words.pop();
    if (words.length === 0 || words.length > maxNameWords) continue;
    const joined = words.slice(1).map((word, at) => [...words.slice(0, at), `${words[at]}${word}`, ...words.slice(at + 2)]);
    for (const own of [words, ...joined])
      for (const ending of businessEndings) names.add([...`${own.join(' ')} ${ending}`.trim()].slice(0, 60).join('').trimEnd());
  }
  return [...names];
}

/** Digits after a # are a listing's number, and so are three or more digits that are not a postcode. */
function parseListingNumber(text: string, market: CountryCode | null): number | undefined {
  const [, digits] = listingNumberPattern.exec(text.trim()) ?? [];
  if (digits === undefined) return undefined;
  return text.includes('#') || (digits.length > 2 && listPlacesByName(text, market).length === 0)
    ? Math.min(Number(digits), maxListingNumber)
    : undefined;
}

const listClassifierGuesses = (words: string): Guess[] =>
  classify(words).map(({ category, subCategory, probability }) => {
    const sub = subCategory === null ? undefined : findSubCategoryByCode(subCategory);
    return { category: findCategoryByCode(category) ?? null, subCategories: sub ? [sub] : [], probability };
  });

/** The lookups for a market (null: both), where a name of both countries first means the preferred one. */
export const createLookups = (market: CountryCode | null, preferred: CountryCode | null = null): Lookups => ({
  listPlacesByName: (named) => listPlacesByName(named, market, preferred),
  isSmall: ({ localityCode }) => localityCode !== undefined && (findLocality(localityCode)?.addresses ?? 0) < smallPlaceAddresses,
  classify: listClassifierGuesses,
});

async function readText(text: string, chosen: SearchFilter, market: CountryCode | null): Promise<Understood> {
  // A country says which of two places of one name is meant, but a place of the other one that was typed is never dropped.
  const country = chosen.place?.level === 'country' ? chosen.place.country : null;
  const found = understand(text, createLookups(market, country), {
    isPlaceAllowed: chosen.place && !country ? (place) => isWithin(place, chosen.place as Area) : undefined,
    isTradeAllowed: chosen.category && ((trade) => isInCategory(trade, chosen.category)),
  });
  // A text of punctuation has no words; it finds nothing instead of everything.
  return found.readings.length > 0
    ? found
    : { ...found, readings: [{ category: null, subCategories: [], work: null, place: null, words: text }] };
}

/** Whether a trade is within the chosen category, or is the group of the chosen sub-category. */
function isInCategory({ category, subCategories }: Pick<Reading, 'category' | 'subCategories'>, chosen: SearchFilter['category']): boolean {
  if (!chosen) return true;
  const codes = subCategories.map(({ code }) => code);
  const groups = category ? [category] : codes.map((code) => findCategoryByCode(getGroupCode(code)));
  if (chosen.level === 'main') return groups.every((group) => group?.mainCategory === chosen.main);
  if (chosen.level === 'group') return groups.some((group) => group?.code === chosen.code);
  return chosen.codes.every((code) => (codes.length > 0 ? codes.includes(code) : category?.code === getGroupCode(code)));
}

/** Adds the place and category of a reading to the chosen filter if nothing is chosen there or the reading is narrower. */
function addReading(chosen: SearchFilter, { category, subCategories, place }: Reading, km: number | undefined): SearchFilter {
  const { category: chosenCategory } = chosen;
  const codes = subCategories
    .map(({ code }) => code)
    .filter((code) => chosenCategory?.level !== 'group' || getGroupCode(code) === chosenCategory.code);
  const read: SearchFilter['category'] =
    codes.length > 0 ? { level: 'sub', codes } : category ? { level: 'group', code: category.code } : undefined;
  const isNarrower = !chosenCategory || chosenCategory.level === 'main' || (chosenCategory.level === 'group' && read?.level === 'sub');
  const { place: area, ...placeless } = chosen;
  const where = place && !chosen.near ? toPlaceFilter(place, km) : { ...(area && { place: area }) };
  return { ...placeless, ...where, ...(isNarrower && read && { category: read }) };
}

/** The larger areas around a place, smallest first. */
export function listAreasAround({ near, place }: SearchFilter): Area[] {
  if (near) {
    const locality = findLocalityOf(near);
    return locality
      ? [
          { level: 'district', code: locality.districtCode },
          ...listAreasAround({ place: { level: 'district', code: locality.districtCode } }),
        ]
      : [];
  }
  if (!place || place.level === 'country') return [];
  const region = findRegionByCode(place.level === 'region' ? place.code : getRegionCode(place.code));
  if (!region) return [];
  const country: Area = { level: 'country', country: region.country };
  if (place.level === 'region') return [country];
  // A region with one district is the same area.
  return region.districts.length === 1 ? [country] : [{ level: 'region', code: region.code }, country];
}

const isWithin = (inner: Place, outer: Area) => {
  const filter = toPlaceFilter(inner);
  const areas = [...('place' in filter ? [filter.place] : []), ...listAreasAround(filter)];
  return areas.some((one) => JSON.stringify(one) === JSON.stringify(outer));
};
