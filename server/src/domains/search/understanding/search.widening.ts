import { categoryOfCode, groupCodeOf, subCategoryOfCode } from '@handwise/contract/listings/categories';
import { tradeOf, wordsOfText } from '@handwise/contract/search/trades';
import type { Area, SearchFilter, Search } from '../index/search.index.ts';
import type { SearchParts } from '../search.pages.ts';
import { areasAround, type Attempt, type Attempts } from './search.attempts.ts';
import { areaName, categoryLabel, shortPlaceOf, carried, labelOf, queryOf } from './search.views.ts';
import type { FindPage, FindQuery } from '@handwise/contract/search/calls';
import { filterNames } from '@handwise/contract/search/filters';

/** A search that asks for less than was typed, what it leaves out, in words, and the one that was meant. */
type Wider = Attempt & { widened: string[]; meant: Attempt };
type Step = Omit<Wider, 'meant'>;

const mostSteps = 5;

// Words that say when, how dear or how good, and nothing of the work.
const sayNothing = new Set(
  'tonight today tomorrow now asap urgent urgently immediately soon quickly quick fast cheap cheapest affordable budget best good great top reliable trusted trustworthy honest recommended available local nearby please help need needed wanted weekend weekends night nights morning evening emergency hour hours after same day 24 7 247 hr experienced professional'.split(
    ' ',
  ),
);

const isNarrowTrade = (words: string) => tradeOf(wordsOfText(words))?.kind === 'narrower';

function withoutWords(attempt: Attempt): Step | undefined {
  const typed = attempt.words.split(/\s+/).filter(Boolean);
  const left = typed.filter((word) => !wordsOfText(word).every((one) => sayNothing.has(one)) || wordsOfText(word).length === 0);
  if (left.length === typed.length) return undefined;
  const dropped = typed.filter((word) => !left.includes(word));
  return { ...attempt, words: left.join(' '), widened: [`without “${dropped.join(' ')}”`] };
}

function withoutSubCategory(attempt: Attempt): Step | undefined {
  const { category } = attempt.filter;
  const groupOf = (codes: readonly number[]) => categoryOfCode(groupCodeOf(codes[0] ?? 0));
  if (attempt.words && category?.level === 'group' && isNarrowTrade(attempt.words))
    return { ...attempt, words: '', widened: [`all of ${categoryLabel(category)} instead of “${attempt.words}”`] };
  if (category?.level !== 'sub') return undefined;
  const group = groupOf(category.codes);
  if (!group) return undefined;
  const filter: SearchFilter = { ...attempt.filter, category: { level: 'group', code: group.code } };
  return { ...attempt, filter, widened: [`all of ${group.name} instead of ${subCategoryOfCode(category.codes[0] ?? 0)?.name}`] };
}

function inArea(attempt: Attempt, place: Area): Step {
  const { near: _, place: from, ...rest } = attempt.filter;
  return {
    ...attempt,
    filter: { ...rest, place },
    widened: [`all of ${areaName(place)} instead of ${shortPlaceOf(attempt.filter) ?? (from && areaName(from))}`],
  };
}

/**
 * What is searched instead of a reading that finds nothing, step by step: without words that say nothing of the work, then the whole category, then
 * wider places. A text without trade or place is not widened. `isOwnPlace`: the place was typed, not chosen as a filter.
 */
function widerOf(attempt: Attempt, isOwnPlace: boolean): Wider[] {
  const { reading, filter } = attempt;
  const isTrade = reading.category !== null || reading.subCategories.length > 0;
  if (!isTrade && !isOwnPlace) return [];
  const steps: Wider[] = [];
  let now: Attempt = attempt;
  const widened: string[] = [];
  const add = (wider: Step | undefined) => {
    if (!wider) return;
    widened.push(...wider.widened);
    now = wider;
    steps.push({ ...wider, widened: [...widened], meant: attempt });
  };
  if (isTrade || filter.category) add(withoutWords(now));
  add(withoutSubCategory(now));
  if (isOwnPlace) {
    const steady = [...widened];
    const from = now;
    for (const area of areasAround(from.filter)) {
      const wider = inArea(from, area);
      steps.push({ ...wider, widened: [...steady, ...wider.widened], meant: attempt });
    }
  }
  return steps.slice(0, mostSteps);
}

const isRead = ({ reading }: Attempt) => Boolean(reading.category ?? reading.subCategories[0] ?? reading.place);

/**
 * Of the ways to read a text the first that finds something, else the likeliest with less asked of it, and last the words as they are typed.
 * `found`: how many the first finds.
 */
export async function attemptThatFinds(
  { index }: SearchParts,
  attempts: Attempts,
  { found, isPlaceTyped }: { found: number | null; isPlaceTyped: boolean },
): Promise<Attempt & Partial<Wider>> {
  const [first, ...others] = attempts;
  if (found !== 0) return first;
  const likeliest = attempts.find(isRead) ?? first;
  const wider = widerOf(likeliest, likeliest.reading.place !== null || isPlaceTyped);
  for (const other of [...others.filter(isRead), ...wider, ...others.filter((one) => !isRead(one))]) {
    // oxlint-disable-next-line no-await-in-loop -- the next one is asked only where this one finds nothing
    if ((await index.count(other)).total !== 0) return other;
  }
  return first;
}

type Alternative = FindPage['alternatives'][number];
type Place = Pick<SearchFilter, 'place' | 'near'>;

// Below so many results other searches are offered too.
export const few = 3;
const mostAlternatives = 6;
const distances = [50, 100, 200];

/** The same search in ever wider places. */
function furtherAway({ filter, words }: Search): Search[] {
  const { place: _, near, ...placeless } = filter;
  const wider = near ? distances.filter((km) => km > near.km).map((km) => ({ near: { ...near, km } })) : [];
  return [...wider, ...areasAround(filter).map((place) => ({ place }))].map((one) => ({ filter: { ...placeless, ...one }, words }));
}

/**
 * Other places of the name that was typed; what was meant further away, where less is shown; and what finds more than a search that finds little, each
 * with its number: the same without filters, further away, around, without the words, without the category. `meant`: the search before it was widened.
 */
export async function alternativesTo(
  attempt: Search,
  from: { attempts: readonly Attempt[]; meant: Search | undefined; namesakes: readonly Place[]; total: number; search: FindQuery },
  count: (other: Search) => Promise<number>,
): Promise<Alternative[]> {
  const { filter, words } = attempt;
  const found = new Map<string, Alternative>();
  const keyOf = (one: Search) => JSON.stringify([one.filter, one.words]);
  const values = filter.values && { values: filter.values };
  /** Adds the first of these that finds more; of other subjects and places the first that finds any. */
  const addFirst = async (others: readonly Search[], { isOther = false, isNamesake = false } = {}) => {
    if (found.size >= mostAlternatives) return;
    for (const other of others) {
      const key = keyOf(other);
      if (key === keyOf(attempt) || found.has(key)) continue;
      // oxlint-disable-next-line no-await-in-loop -- the nearest that finds more is enough: the wider ones are not counted
      const total = await count(other);
      if (total <= (isOther ? 0 : from.total)) continue;
      const query = queryOf(other, carried(from.search));
      found.set(key, { label: labelOf(other, isOther), total, query, ...(isNamesake && { isNamesake }) });
      return;
    }
  };

  const { place, near, ...placeless } = filter;
  const { category, ...bare } = placeless;
  for (const one of from.namesakes) {
    // oxlint-disable-next-line no-await-in-loop -- in their order
    await addFirst([{ filter: { ...placeless, ...one }, words }], { isOther: true, isNamesake: true });
  }
  if (from.meant) await addFirst(furtherAway(from.meant), { isOther: true });
  if (from.total < few) {
    const own: Place = { ...(place && { place }), ...(near && { near }) };
    const around: Place[] = areasAround(filter).map((area) => ({ place: area }));
    const { values: _, ...unfiltered } = filter;
    if (filterNames.some((name) => from.search[name] !== undefined)) {
      const total = await count({ filter: unfiltered, words });
      const one = { filter: unfiltered, words };
      if (total > from.total) found.set('', { label: `${labelOf(one)}, without the filters`, total, query: queryOf(one) });
    }
    if (near) await addFirst(distances.filter((km) => km > near.km).map((km) => ({ filter: { ...filter, near: { ...near, km } }, words })));
    await addFirst(around.map((one) => ({ filter: { ...placeless, ...one }, words })));
    if (near && near.locality === undefined && around.length === 0) await addFirst([{ filter: placeless, words }]);
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...placeless, ...one }, words: '' })));
    if (words && category) await addFirst([own, ...around].map((one) => ({ filter: { ...bare, ...one }, words })));
    await addFirst(from.attempts.map((one) => ({ filter: { ...one.filter, ...values }, words: one.words })));
    if (found.size === 0) await addFirst([own, ...around].map((one) => ({ filter: { ...bare, ...one }, words: '' })));
  }
  return [...found.values()].slice(0, mostAlternatives);
}
