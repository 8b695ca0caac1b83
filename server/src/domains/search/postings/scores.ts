import { type Bits, both, countBoth, hasBit, rowsOf, scratch, without } from './bits.ts';
import { type Page, type Some, countOf, pageByRank } from './pages.ts';
import { scoreBits } from './segment.ts';

// So few are sorted by what they have; more are parted by the digits of their scores.
const fewRows = 256;

/** The best scored first, between equals by rank and then the newest. */
export const pageByScore = (matches: readonly Some[], page: Page): number[] =>
  scratch.during(() => pageFrom(copied(matches), scoreBits - 1, page));

/** Of those whose higher digits are the same. Their bits are used up. */
function pageFrom(some: readonly Some[], highest: number, { skip, take }: Page): number[] {
  let [those, left] = [some, skip];
  for (let digit = highest; digit >= 0 && countOf(those) > fewRows; digit -= 1) {
    const better = those.reduce((sum, { segment, rows }) => sum + countBoth(rows, segment.scores[digit] as Bits), 0);
    if (left < better && left + take > better) {
      const worse = narrowed(copied(those), digit, without);
      const first = pageFrom(narrowed(those, digit, both), digit - 1, { skip: left, take: better - left });
      return [...first, ...pageFrom(worse, digit - 1, { skip: 0, take: take - first.length })];
    }
    those = narrowed(those, digit, left < better ? both : without);
    if (left >= better) left -= better;
  }
  return countOf(those) > fewRows ? pageByRank(those, { skip: left, take }) : sorted(those).slice(left, left + take);
}

const copied = (some: readonly Some[]): Some[] =>
  some.map(({ segment, rows, count }) => {
    const copy = scratch.take();
    copy.set(rows);
    return { segment, rows: copy, count };
  });

/** Those that have a digit of their score, or have it not. */
const narrowed = (some: readonly Some[], digit: number, part: (to: Bits, one: Bits, other: Bits) => number): Some[] =>
  some
    .map(({ segment, rows }) => ({ segment, rows, count: part(rows, rows, segment.scores[digit] as Bits) }))
    .filter(({ count }) => count > 0);

function sorted(some: readonly Some[]): number[] {
  const rows: { score: number; rank: number; number: number }[] = [];
  for (const { segment, rows: bits } of some) {
    for (const row of rowsOf(bits)) {
      const rank = segment.ranks.findIndex((plane) => hasBit(plane, row));
      rows.push({ score: segment.scoreOf(row), rank, number: segment.first + row });
    }
  }
  return rows
    .toSorted((one, other) => other.score - one.score || other.rank - one.rank || other.number - one.number)
    .map(({ number }) => number);
}
