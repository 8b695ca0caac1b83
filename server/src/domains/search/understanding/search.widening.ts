import { categoryOfCode, groupCodeOf, subCategoryOfCode } from '@handwise/contract/listings/categories';
import { tradeOf, wordsOfText } from '@handwise/contract/search/trades';
import type { Area, SearchFilter } from '../index/search.index.ts';
import type { SearchParts } from '../search.parts.ts';
import { areasAround, type Attempt, type Attempts } from './search.attempts.ts';
import { areaName, categoryLabel, shortPlaceOf } from './search.views.ts';

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
