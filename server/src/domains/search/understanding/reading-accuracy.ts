import { knownIn } from './search.attempts.ts';
import { understand } from './search.understanding.ts';
import { type SearchRow, searches } from './searches.table.ts';

/** How a search of the table is read first, in the words of the table. */
function readFirst({ q, market }: SearchRow): Omit<SearchRow, 'q' | 'market'> {
  const { readings, nearMe } = understand(q, knownIn(market));
  const [first] = readings;
  return {
    category: first?.category?.name ?? '',
    subCategory: first?.subCategories[0]?.name ?? '',
    place: first?.place?.label ?? '',
    words: first?.words ?? '',
    nearMe,
  };
}

/** How many searches of the table are read as they must be, and which are not. */
export function accuracyOfReadings(): { right: number; of: number; misses: string[] } {
  const misses = searches.flatMap(({ q, market, ...meant }) => {
    const read = readFirst({ q, market, ...meant });
    const isRight = Object.entries(meant).every(([part, value]) => read[part as keyof typeof read] === value);
    return isRight ? [] : [`${q}: ${Object.values(read).join(' | ')}, not ${Object.values(meant).join(' | ')}`];
  });
  return { right: searches.length - misses.length, of: searches.length, misses };
}
