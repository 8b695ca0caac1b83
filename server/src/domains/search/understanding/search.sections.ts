import { findCategoryByCode, getGroupCode } from '@handwise/contract/listings/categories';
import type { FilterValues } from '@handwise/contract/search/filters';
import { fewMatches } from '@handwise/contract/search/sections';
import { splitWords } from '@handwise/contract/text';
import type { Matches, Order, Page, Search, SearchFilter } from '../index/search.index.ts';
import { SearchTimeout } from '../index/search.time-budget.ts';
import type { SearchParts } from '../search.pages.ts';
import { type Attempt, type Attempts, hasWork } from './search.attempts.ts';
import { mergeWishes } from './search.wishes.ts';

/** What a reading finds: its matches, and where they are few the same work further away and related work here. */
export type Found = {
  attempt: Attempt;
  matches: Matches;
  further: readonly number[];
  related: readonly number[];
  /** The wishes whose filters were left out, because few listings pass them, and whether those that do come first. */
  unmet: readonly string[];
  isPartlyMet: boolean;
  /** The words that were left out, because nothing has them. */
  dropped: readonly string[];
  /** Whether a section is missing, because the search ran out of time. */
  isCutShort: boolean;
};

type Wanted = {
  order: (filter: SearchFilter) => Order;
  page: Page;
  /** The filters that were chosen. */
  values: FilterValues | undefined;
  /** Whether the order leaves listings out. */
  isByDistance: boolean;
  /** Whether the place was typed in a field of its own. */
  isPlaceTyped: boolean;
  /** Whether the words are searched exactly as typed. */
  isExact: boolean;
};

const withValues = (search: Search, values: FilterValues | undefined): Search => ({
  ...search,
  filter: { ...search.filter, ...(values && { values }) },
  ...(search.named && { named: { ...search.named, filter: { ...search.named.filter, ...(values && { values }) } } }),
});

/** The search of a reading with the filters that were chosen and those of its wishes that are not unmet. */
export function narrow(attempt: Attempt, chosen: FilterValues | undefined, unmet: readonly string[] = []): Search {
  const wished = mergeWishes(attempt.wishes.filter(({ text }) => !unmet.includes(text)));
  const values = { ...wished, ...chosen };
  return withValues(toSearchOf(attempt), Object.keys(values).length > 0 ? values : undefined);
}

function toSearchOf(attempt: Attempt): Search {
  const { reading: _, understood: __, wishes: ___, ...search } = attempt;
  return search;
}

const isNothing = ({ matches, further, related }: Found) => matches.total === 0 && further.length === 0 && related.length === 0;
const isSame = ({ matches, further }: Found) => matches.total !== 0 || further.length > 0;

const hasPlace = ({ filter: { near, place } }: Attempt) => near !== undefined || (place !== undefined && place.level !== 'country');

/**
 * What the likeliest reading finds. A reading with a typed work or place keeps them however little it finds: its other words are dropped first. Chosen
 * filters never change how the text is read.
 */
export async function findSections(parts: SearchParts, attempts: Attempts, wanted: Wanted): Promise<Found> {
  const [first] = attempts;
  let nothing: Found | undefined;
  for await (const attempt of listInOrder(parts, attempts, wanted)) {
    const found = await find(parts, attempt, wanted);
    // Words that only a listing far away has are less likely meant than the work that was guessed from them.
    const isElsewhere =
      found.matches.total === 0 && !hasWork(attempt) && attempts.some((other) => other !== attempt && isRicher(other, attempt));
    if (!isNothing(found) && !isElsewhere) return found;
    nothing ??= found;
    if (isNarrowed(wanted) && (await existsUnfiltered(parts, attempt, wanted))) return found;
  }
  return nothing ?? (await find(parts, first, wanted));
}

const isNarrowed = ({ values, isByDistance }: Wanted) => values !== undefined || isByDistance;

const existsUnfiltered = async (parts: SearchParts, attempt: Attempt, wanted: Wanted) =>
  !isNothing(await find(parts, attempt, { ...wanted, values: undefined, order: () => 'recommended', page: { skip: 0, take: 1 } }));

/** The readings with a work or a place that was typed, then the same with fewer words, then the words as typed. */
async function* listInOrder(parts: SearchParts, attempts: Attempts, wanted: Wanted): AsyncGenerator<Attempt> {
  for (const attempt of attempts) {
    yield attempt;
    // Nobody does it: the nearest of the whole group.
    if (attempt.work && attempt.work.doneBy !== 'category' && attempt.filter.category)
      yield { ...attempt, work: { ...attempt.work, doneBy: 'category' } };
    const keeps = hasWork(attempt) || attempt.filter.category !== undefined || attempt.reading.place !== null || wanted.isPlaceTyped;
    if (keeps && !wanted.isExact && attempt.words && !attempts.some((other) => other !== attempt && isRicher(other, attempt)))
      yield* listWithFewerWords(parts, attempt);
  }
}

/** Whether another reading knows the work of one that only knows the place. */
const isRicher = (other: Attempt, one: Attempt) => hasWork(other) && !hasWork(one);

const maxDropped = 6;
// Fewer listings that fulfil a wish are followed by the others.
const fewFulfil = 3;

/** The same reading without the words of least meaning: those that nothing has, then from the most frequent on. */
async function* listWithFewerWords(parts: SearchParts, attempt: Attempt): AsyncGenerator<Attempt> {
  const words = splitWords(attempt.words).slice(0, maxDropped);
  if (words.length === 0) return;
  const counted: { word: string; total: number }[] = [];
  for (const word of words) {
    // oxlint-disable-next-line no-await-in-loop -- shares the time limit of the request
    const { total } = words.length === 1 ? { total: 0 } : await parts.index.count({ filter: attempt.filter, words: word });
    counted.push({ word, total });
  }
  const meaningful = counted.filter(({ total }) => total > 0).toSorted((one, other) => one.total - other.total);
  for (let kept = meaningful.length; kept >= 0; kept -= 1) {
    const left = new Set(meaningful.slice(0, kept).map(({ word }) => word));
    yield { ...attempt, words: words.filter((word) => left.has(word)).join(' ') };
  }
}

async function find(parts: SearchParts, attempt: Attempt, wanted: Wanted): Promise<Found> {
  const { index } = parts;
  const order = wanted.order(attempt.filter);
  let unmet: readonly string[] = [];
  let search = narrow(attempt, wanted.values);
  let matches = await index.match(search, order, wanted.page);
  const wished = attempt.wishes.filter(({ filter }) => filter && 'values' in filter).map(({ text }) => text);
  // A business may not say what it could fulfil, so where few do, the others follow them.
  const fulfilling = matches.numbers.filter((number) => !matches.far.includes(number));
  if (matches.total !== null && matches.total - matches.far.length < fewFulfil && wished.length > 0) {
    unmet = wished;
    search = { ...narrow(attempt, wanted.values, unmet), first: fulfilling };
    matches = await index.match(search, order, wanted.page);
  }
  const found: Found = {
    attempt,
    matches,
    further: [],
    related: [],
    unmet,
    isPartlyMet: unmet.length > 0 && fulfilling.length > 0,
    dropped: [],
    isCutShort: false,
  };
  const near = matches.total === null ? [] : matches.numbers.filter((number) => !matches.far.includes(number));
  const isWhole = matches.total === matches.numbers.length;
  const isLastPage =
    matches.total !== null &&
    matches.total - (isWhole ? matches.far.length : 0) < fewMatches &&
    wanted.page.skip + matches.numbers.length >= matches.total;
  if (!isLastPage || search.filter.listingNumber !== undefined) return withDropped(found);
  const besides = isWhole ? matches.numbers : (await index.match(search, 'recommended', { skip: 0, take: fewMatches })).numbers;
  const room = () => Math.max(0, Math.min(fewMatches, wanted.page.take - found.matches.numbers.length - found.further.length));
  const unlessTimedOut = async (listing: () => Promise<number[]>) => {
    try {
      return room() > 0 ? await listing() : [];
    } catch (error) {
      if (!(error instanceof SearchTimeout) || (matches.total === 0 && found.further.length === 0)) throw error;
      found.isCutShort = true;
      return [];
    }
  };
  const isRead = hasWork(attempt) || attempt.words !== '' || attempt.filter.category !== undefined;
  if (hasPlace(attempt) && isRead) found.further = await unlessTimedOut(() => index.listFurther(search, besides, room()));
  // Among few, who travels from far away comes after those who are closer.
  if (isWhole && hasWork(attempt) && matches.far.length > 0 && near.length < fewMatches) {
    found.matches = { ...matches, numbers: near, total: near.length };
    found.further = [...found.further, ...matches.far].slice(0, fewMatches);
  }
  if (isRead) {
    const isGroup = search.filter.category?.level === 'group' && (search.work?.doneBy ?? 'category') === 'category' && !search.words;
    if (!isGroup) found.related = await unlessTimedOut(() => index.listRelated(search, [...besides, ...found.further], room()));
  }
  return withDropped(found);
}

function withDropped(found: Found): Found {
  const { attempt, matches } = found;
  if (attempt.filter.listingNumber !== undefined) return found;
  const kept = new Set(splitWords(attempt.words));
  const left =
    attempt.reading.work || attempt.words === attempt.reading.words
      ? []
      : splitWords(attempt.reading.words).filter((word) => !kept.has(word));
  const dropped = [...(hasWork(attempt) ? [] : left), ...(isSame(found) ? matches.missingHints : [])];
  return { ...found, dropped };
}

const lowerFirst = (text: string) => text.toLowerCase().replaceAll('&', 'and');

/** The groups of a category in words, as in "electrical and gas". */
export function describeGroups({ category }: SearchFilter): string {
  const codes =
    category?.level === 'group' ? [category.code] : category?.level === 'sub' ? [...new Set(category.codes.map(getGroupCode))] : [];
  return codes
    .flatMap((code) => findCategoryByCode(code)?.name ?? [])
    .map(lowerFirst)
    .join(' or ');
}
