import { type Bits, both, clearBit, ones, scratch, segmentRows, segmentWords, without } from './bits.ts';
import { type Segment, ranks } from './segment.ts';

/** Those of a segment that are found, and how many. With worths `worths` are as `matchSegment` tells them. */
export type Match = { segment: Segment; rows: Bits; count: number; worths: readonly Bits[] | null };
/** Some rows of a segment. */
export type Some = { segment: Segment; rows: Bits; count: number };
export type Page = { skip: number; take: number };

export const countOf = (matches: readonly Some[]): number => matches.reduce((sum, { count }) => sum + count, 0);
const rankOf = ({ segment }: Some, rank: number): Bits => segment.ranks[rank - 1] as Bits;

/** Takes the numbers of a page from lists that stand one after the other, each the newest first. */
class Walk {
  readonly numbers: number[] = [];
  #skip: number;
  #take: number;

  constructor({ skip, take }: Page) {
    this.#skip = skip;
    this.#take = take;
  }

  get isDone() {
    return this.#take === 0;
  }

  /** Whether a list of so many is passed over whole. */
  passes(listings: number) {
    if (this.#skip < listings) return false;
    this.#skip -= listings;
    return true;
  }

  add({ segment }: Some, rows: Bits) {
    for (let at = segmentWords - 1; at >= 0 && this.#take > 0; at -= 1) {
      let word = rows[at] as number;
      if (word === 0) continue;
      const here = ones(word);
      if (this.passes(here)) continue;
      while (word !== 0 && this.#take > 0) {
        const bit = 31 - Math.clz32(word);
        word &= ~(1 << bit);
        if (this.#skip > 0) this.#skip -= 1;
        else {
          this.numbers.push(segment.first + (at << 5) + bit);
          this.#take -= 1;
        }
      }
    }
  }
}

/** By paid rank, then by the worst of the fields that have the words, then the newest. `matches` come in the order of their numbers. */
export function pageByRank(matches: readonly (Some & Partial<Match>)[], page: Page): number[] {
  return scratch.during(() => {
    const walk = new Walk(page);
    const newest = matches.toReversed();
    const leg = scratch.take();
    const worths = newest[0]?.worths?.length ?? 1;
    for (let rank = ranks; rank >= 1; rank -= 1) {
      for (let worth = 0; worth < worths; worth += 1) {
        for (const match of newest) {
          // Each leg is made when it is reached: most pages lie in the first.
          if (walk.passes(makeLeg(match, rank, worth, leg))) continue;
          walk.add(match, leg);
          if (walk.isDone) return walk.numbers;
        }
      }
    }
    return walk.numbers;
  });
}

/** Makes `leg` those of a rank and worth; how many there are. */
function makeLeg(match: Some & Partial<Match>, rank: number, worth: number, leg: Bits): number {
  const { rows, worths } = match;
  const count = both(leg, rows, rankOf(match, rank));
  if (!worths || count === 0) return count;
  const within = both(leg, leg, worths[worth] as Bits);
  return worth === 0 || within === 0 ? within : without(leg, leg, worths[worth - 1] as Bits);
}

/** The newest first. */
export function pageByNumber(matches: readonly Some[], page: Page): number[] {
  const walk = new Walk(page);
  for (const match of matches.toReversed()) {
    if (walk.passes(match.count)) continue;
    walk.add(match, match.rows);
    if (walk.isDone) break;
  }
  return walk.numbers;
}

/** The matches of the highest rank alone. */
export const onlyFeatured = (matches: readonly Some[]): Some[] =>
  matches.map((match) => {
    const rows = scratch.take();
    return { segment: match.segment, rows, count: both(rows, match.rows, rankOf(match, ranks)) };
  });

/** The matches without these listings, which are among them. */
export function withoutThese(matches: readonly Some[], numbers: readonly number[]): Some[] {
  return matches.map(({ segment, rows, count }) => {
    const out = numbers.filter((number) => number >= segment.first && number < segment.first + segmentRows);
    for (const number of out) clearBit(rows, number - segment.first);
    return { segment, rows, count: count - out.length };
  });
}
