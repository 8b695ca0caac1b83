import { getGroupCode } from '@handwise/contract/listings/categories';
import { classify } from '../../src/domains/search/classifier/search.classifier.ts';
import { createLookups } from '../../src/domains/search/understanding/search.attempts.ts';
import { understand } from '../../src/domains/search/understanding/search.understanding.ts';
import { readWishes } from '../../src/domains/search/understanding/search.wishes.ts';
import { heldOutSentences, interchangeableSubCategories } from './held-out-sentences.ts';
import { type SearchRow, searches } from './searches.table.ts';

const isPart = ({ kind }: { kind: string }) => kind === 'narrower' || kind === 'apart';

/** The first reading of a search, in the format of the table. */
function readFirst({ q, market }: SearchRow): Omit<SearchRow, 'q' | 'market'> {
  const { readings, nearMe } = understand(readWishes(q).rest, createLookups(market));
  const [first] = readings;
  const work = first?.work && isPart(first.work) ? first.work.words : '';
  return {
    category: first?.category?.name ?? '',
    // The sub-category of a part of it only says where to look first.
    subCategory: work && first?.category ? '' : (first?.subCategories[0]?.name ?? ''),
    place: first?.place?.label ?? '',
    words: [work, first?.words].filter(Boolean).join(' '),
    nearMe,
  };
}

/** How many searches of the table are read as expected, and which are not. */
export function measureReadings(): { right: number; of: number; misses: string[] } {
  const misses = searches.flatMap(({ q, market, ...meant }) => {
    const read = readFirst({ q, market, ...meant });
    const isRight = Object.entries(meant).every(([part, value]) => read[part as keyof typeof read] === value);
    return isRight ? [] : [`${q}: ${Object.values(read).join(' | ')}, not ${Object.values(meant).join(' | ')}`];
  });
  return { right: searches.length - misses.length, of: searches.length, misses };
}

type Share = { right: number; of: number };
type Accuracy = { groupFirst: Share; groupInThree: Share; subFirst: Share; subInThree: Share; unknown: Share; misses: string[] };

const named = (category: number, subCategory: number | null) => String(subCategory ?? category);

/**
 * The accuracy of the classifier on the held-out sentences: whether the first or one of the first three groups and sub-categories is right.
 * `misses` are the sentences with a wrong group.
 */
export function measureClassifier(): Accuracy {
  const share = (): Share => ({ right: 0, of: 0 });
  const accuracy: Accuracy = {
    groupFirst: share(),
    groupInThree: share(),
    subFirst: share(),
    subInThree: share(),
    unknown: share(),
    misses: [],
  };
  const count = (counted: Share, isRight: boolean) => {
    counted.of += 1;
    if (isRight) counted.right += 1;
  };
  for (const { sentence, category, subCategory } of heldOutSentences) {
    const subs = subCategory === null ? [] : (interchangeableSubCategories.find((same) => same.includes(subCategory)) ?? [subCategory]);
    const groups = subCategory === null ? [category] : subs.map(getGroupCode);
    const guesses = classify(sentence);
    const [first] = guesses;
    const isRight = first !== undefined && groups.includes(first.category);
    const inOrder = [...new Set(guesses.map((guess) => guess.category))];
    count(accuracy.groupFirst, isRight);
    count(
      accuracy.groupInThree,
      inOrder.slice(0, 3).some((group) => groups.includes(group)),
    );
    count(accuracy.unknown, guesses.length === 0);
    if (!isRight) {
      const read = guesses.slice(0, 3).map((guess) => `${named(guess.category, guess.subCategory)} ${guess.probability.toFixed(2)}`);
      accuracy.misses.push(`${sentence}: ${named(category, subCategory)}, read as ${read.join(', ') || 'unknown'}`);
    }
    if (subCategory === null) continue;
    const subsInOrder = guesses.flatMap((guess) => guess.subCategory ?? []);
    count(accuracy.subFirst, subs.includes(first?.subCategory ?? 0));
    count(
      accuracy.subInThree,
      subsInOrder.slice(0, 3).some((sub) => subs.includes(sub)),
    );
  }
  return accuracy;
}
