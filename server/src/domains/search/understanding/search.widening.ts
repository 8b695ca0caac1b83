import { findCategoryByCode, getGroupCode, findSubCategoryByCode } from '@handwise/contract/listings/categories';
import { findTrade } from '@handwise/contract/search/trades';
import { splitWords } from '@handwise/contract/text';
import type { Area, SearchFilter, Search } from '../index/search.index.ts';
import type { SearchParts } from '../search.pages.ts';
import { listAreasAround, type Attempt, type Attempts } from './search.attempts.ts';
import { formatArea, formatCategory, formatPlace, preservedParams, describeSearch, toQueryString } from './search.views.ts';
import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { filterNames } from '@handwise/contract/search/filters';

/** A search that is wider than typed, the texts that say how, and the original search. */
type WiderAttempt = Attempt & { widened: string[]; original: Attempt };
type Step = Omit<WiderAttempt, 'original'>;

const maxSteps = 5;

// Words about time, price or quality that say nothing about the work.
const fillerWords = new Set(
  'tonight today tomorrow now asap urgent urgently immediately soon quickly quick fast cheap cheapest affordable budget best good great top reliable trusted trustworthy honest recommended available local nearby please help need needed wanted weekend weekends night nights morning evening emergency hour hours after same day 24 7 247 hr experienced professional'.split(
    ' ',
  ),
);

const isNarrowTrade = (words: string) => findTrade(splitWords(words))?.kind === 'narrower';

function dropFillerWords(attempt: Attempt): Step | undefined {
  const typed = attempt.words.split(/\s+/).filter(Boolean);
  const remaining = typed.filter((word) => !splitWords(word).every((one) => fillerWords.has(one)) || splitWords(word).length === 0);
  if (remaining.length === typed.length) return undefined;
  const dropped = typed.filter((word) => !remaining.includes(word));
  return { ...attempt, words: remaining.join(' '), widened: [`without “${dropped.join(' ')}”`] };
}

function widenCategory(attempt: Attempt): Step | undefined {
  const { category } = attempt.filter;
  const groupOf = (codes: readonly number[]) => findCategoryByCode(getGroupCode(codes[0] ?? 0));
  if (attempt.words && category?.level === 'group' && isNarrowTrade(attempt.words))
    return { ...attempt, words: '', widened: [`all of ${formatCategory(category)} instead of “${attempt.words}”`] };
  if (category?.level !== 'sub') return undefined;
  const group = groupOf(category.codes);
  if (!group) return undefined;
  const filter: SearchFilter = { ...attempt.filter, category: { level: 'group', code: group.code } };
  return { ...attempt, filter, widened: [`all of ${group.name} instead of ${findSubCategoryByCode(category.codes[0] ?? 0)?.name}`] };
}

function widenArea(attempt: Attempt, place: Area): Step {
  const { near: _, place: from, ...rest } = attempt.filter;
  return {
    ...attempt,
    filter: { ...rest, place },
    widened: [`all of ${formatArea(place)} instead of ${formatPlace(attempt.filter) ?? (from && formatArea(from))}`],
  };
}

/**
 * The searches to try if a reading finds nothing: without filler words, then in the whole category, then in larger areas. A text without trade or
 * place is not widened. `isOwnPlace`: the place was typed, not chosen as a filter.
 */
function listWiderAttempts(attempt: Attempt, isOwnPlace: boolean): WiderAttempt[] {
  const { reading, filter } = attempt;
  const isTrade = reading.category !== null || reading.subCategories.length > 0;
  if (!isTrade && !isOwnPlace) return [];
  const steps: WiderAttempt[] = [];
  let current: Attempt = attempt;
  const widened: string[] = [];
  const add = (wider: Step | undefined) => {
    if (!wider) return;
    widened.push(...wider.widened);
    current = wider;
    steps.push({ ...wider, widened: [...widened], original: attempt });
  };
  if (isTrade || filter.category) add(dropFillerWords(current));
  add(widenCategory(current));
  if (isOwnPlace) {
    const shared = [...widened];
    const from = current;
    for (const area of listAreasAround(from.filter)) {
      const wider = widenArea(from, area);
      steps.push({ ...wider, widened: [...shared, ...wider.widened], original: attempt });
    }
  }
  return steps.slice(0, maxSteps);
}

const isRead = ({ reading }: Attempt) => Boolean(reading.category ?? reading.subCategories[0] ?? reading.place);

/**
 * The first reading with matches; if there is none, the most likely reading widened, then the words as typed. `found`: the number of matches of
 * the first reading; null if it is not known how many, but not none.
 */
export async function findMatchingAttempt(
  { index }: SearchParts,
  attempts: Attempts,
  { found, isPlaceTyped }: { found: number | null; isPlaceTyped: boolean },
): Promise<Attempt & Partial<WiderAttempt>> {
  const [first, ...others] = attempts;
  if (found !== 0) return first;
  const likeliest = attempts.find(isRead) ?? first;
  const wider = listWiderAttempts(likeliest, likeliest.reading.place !== null || isPlaceTyped);
  for (const other of [...others.filter(isRead), ...wider, ...others.filter((one) => !isRead(one))]) {
    // oxlint-disable-next-line no-await-in-loop -- stops at the first that finds something
    if ((await index.count(other)).total !== 0) return other;
  }
  return first;
}

type Alternative = NonNullable<FindPage['alternatives']>[number];
type Place = Pick<SearchFilter, 'place' | 'near'>;

/** A page with fewer results offers alternatives. */
const fewResults = 3;
const maxAlternatives = 6;
const widerRadiiKm = [50, 100, 200];

/** The same search in larger and larger places. */
function listFurtherSearches({ filter, words }: Search): Search[] {
  const { place: _, near, ...placeless } = filter;
  const wider = near ? widerRadiiKm.filter((km) => km > near.km).map((km) => ({ near: { ...near, km } })) : [];
  return [...wider, ...listAreasAround(filter).map((place) => ({ place }))].map((one) => ({ filter: { ...placeless, ...one }, words }));
}

/**
 * Alternatives with their totals: other places of the same name, the original search further away if it was widened, and for few results searches
 * that find more: without filters, further away, in larger areas, without words, without the category.
 */
export async function listAlternatives(
  attempt: Search,
  from: { attempts: readonly Attempt[]; original: Search | undefined; namesakes: readonly Place[]; total: number; search: FindQuery },
  count: (other: Search) => Promise<number>,
): Promise<Alternative[]> {
  const { filter, words } = attempt;
  const found = new Map<string, Alternative>();
  const toKey = (one: Search) => JSON.stringify([one.filter, one.words]);
  const values = filter.values && { values: filter.values };
  /** Adds the first of these that finds more than the search; for another place or subject, the first that finds anything. */
  const addFirst = async (others: readonly Search[], { isOther = false, isNamesake = false } = {}) => {
    if (found.size >= maxAlternatives) return;
    for (const other of others) {
      const key = toKey(other);
      if (key === toKey(attempt) || found.has(key)) continue;
      // oxlint-disable-next-line no-await-in-loop -- stops at the first that finds more
      const total = await count(other);
      if (total <= (isOther ? 0 : from.total)) continue;
      const query = toQueryString(other, preservedParams(from.search));
      found.set(key, { label: describeSearch(other, isOther), total, query, ...(isNamesake && { isNamesake }) });
      return;
    }
  };

  const { place, near, ...placeless } = filter;
  const { category, ...anyCategory } = placeless;
  for (const one of from.namesakes) {
    // oxlint-disable-next-line no-await-in-loop -- keeps their order
    await addFirst([{ filter: { ...placeless, ...one }, words }], { isOther: true, isNamesake: true });
  }
  if (from.original) await addFirst(listFurtherSearches(from.original), { isOther: true });
  if (from.total < fewResults) {
    const own: Place = { ...(place && { place }), ...(near && { near }) };
    const around: Place[] = listAreasAround(filter).map((area) => ({ place: area }));
    const { values: _, ...unfiltered } = filter;
    if (filterNames.some((name) => from.search[name] !== undefined)) {
      const total = await count({ filter: unfiltered, words });
      const one = { filter: unfiltered, words };
      if (total > from.total) found.set('', { label: `${describeSearch(one)}, without the filters`, total, query: toQueryString(one) });
    }
    if (near)
      await addFirst(widerRadiiKm.filter((km) => km > near.km).map((km) => ({ filter: { ...filter, near: { ...near, km } }, words })));
    await addFirst(around.map((one) => ({ filter: { ...placeless, ...one }, words })));
    if (near && near.locality === undefined && around.length === 0) await addFirst([{ filter: placeless, words }]);
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...placeless, ...one }, words: '' })));
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...anyCategory, ...one }, words })));
    await addFirst(from.attempts.map((one) => ({ filter: { ...one.filter, ...values }, words: one.words })));
    if (found.size === 0) await addFirst([own, ...around].map((one) => ({ filter: { ...anyCategory, ...one }, words: '' })));
  }
  return [...found.values()].slice(0, maxAlternatives);
}
