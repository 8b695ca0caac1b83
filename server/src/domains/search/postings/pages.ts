import { type Bits, clearBit, countBits, hasBit, newBits, ones, segmentWords, setBit } from './bits.ts';
import { worths } from './matching.ts';
import { type Segment, ranks } from './segment.ts';

/** The matches of one segment. `found` are as `matchSegment` tells them; what counts are those of the last. */
export type Match = { segment: Segment; found: readonly Bits[] };
type Page = { skip: number; take: number };

export const rowsOf = ({ found }: Match): Bits => found[worths - 1] as Bits;
const rankOf = ({ segment }: Match, rank: number): Bits => segment.ranks[rank - 1] as Bits;

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

  add({ segment }: Match, wordOf: (at: number) => number) {
    for (let at = segmentWords - 1; at >= 0 && this.#take > 0; at -= 1) {
      let word = wordOf(at);
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
export function pageByRank(matches: readonly Match[], byWorth: boolean, page: Page): number[] {
  const walk = new Walk(page);
  const newest = matches.toReversed();
  const legs = newest.map((match) => legsOf(match, byWorth));
  const first = byWorth ? 0 : worths - 1;
  for (let rank = ranks; rank >= 1; rank -= 1) {
    for (let worth = first; worth < worths; worth += 1) {
      const place = (rank - 1) * worths + worth;
      const all = legs.reduce((sum, one) => sum + (one[place] as number), 0);
      if (all === 0 || walk.passes(all)) continue;
      for (const [index, match] of newest.entries()) {
        const here = legs[index]?.[place] as number;
        if (here === 0 || walk.passes(here)) continue;
        const plane = rankOf(match, rank);
        const within = match.found[worth] as Bits;
        const before = worth > first ? (match.found[worth - 1] as Bits) : null;
        const passing = rowsOf(match);
        walk.add(match, (at) => (plane[at] as number) & (passing[at] as number) & (within[at] as number) & ~(before?.[at] ?? 0));
        if (walk.isDone) return walk.numbers;
      }
    }
  }
  return walk.numbers;
}

/** How many rows each rank and worth has. */
function legsOf({ segment, found }: Match, byWorth: boolean): Int32Array {
  const counts = new Int32Array(ranks * worths);
  const last = found[worths - 1] as Bits;
  for (let at = 0; at < segmentWords; at += 1) {
    const all = last[at] as number;
    if (all === 0) continue;
    for (let rank = 0; rank < ranks; rank += 1) {
      const here = all & ((segment.ranks[rank] as Bits)[at] as number);
      if (here === 0) continue;
      const place = rank * worths;
      let before = 0;
      if (byWorth) {
        for (let worth = 0; worth < worths - 1; worth += 1) {
          const upTo = ones(here & ((found[worth] as Bits)[at] as number));
          counts[place + worth] = (counts[place + worth] as number) + upTo - before;
          before = upTo;
        }
      }
      counts[place + worths - 1] = (counts[place + worths - 1] as number) + ones(here) - before;
    }
  }
  return counts;
}

/** The newest first. */
export function pageByNumber(matches: readonly Match[], page: Page): number[] {
  const walk = new Walk(page);
  for (const match of matches.toReversed()) {
    const rows = rowsOf(match);
    if (walk.passes(countBits(rows))) continue;
    walk.add(match, (at) => rows[at] as number);
    if (walk.isDone) break;
  }
  return walk.numbers;
}

const mostScores = 500_001;
const howMany = new Uint32Array(mostScores);
// So many of one score are sorted; more are walked through.
const fewTied = 4_096;

/** The best scored first, between equals as by rank. */
export function pageByScore(matches: readonly Match[], { skip, take }: Page): number[] {
  howMany.fill(0);
  for (const match of matches) countScores(rowsOf(match), match.segment.scores);
  // Of which scores the page takes how many.
  const wanted = new Map<number, Page>();
  let left = { skip, take };
  for (let score = mostScores - 1; score >= 0 && left.take > 0; score -= 1) {
    const here = howMany[score] as number;
    if (here === 0) continue;
    const taken = Math.min(left.take, Math.max(0, here - left.skip));
    if (taken > 0) wanted.set(score, { skip: left.skip, take: taken });
    left = { skip: Math.max(0, left.skip - here), take: left.take - taken };
  }
  const tied = tiedOf(matches, wanted);
  return [...wanted].flatMap(([score, page]) => {
    const rows = tied.get(score);
    if (rows === 'many') return pageByRank(withScore(matches, score), false, page);
    return (rows ?? [])
      .toSorted((one, other) => other.rank - one.rank || other.number - one.number)
      .slice(page.skip, page.skip + page.take)
      .map(({ number }) => number);
  });
}

function countScores(rows: Bits, scores: Uint32Array) {
  for (let at = 0; at < segmentWords; at += 1) {
    for (let word = rows[at] as number; word !== 0; word &= word - 1) {
      const score = scores[(at << 5) + 31 - Math.clz32(word & -word)] as number;
      howMany[score] = (howMany[score] as number) + 1;
    }
  }
}

/** The rows whose scores lie between these. */
function rowsBetween(rows: Bits, scores: Uint32Array, worst: number, best: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < segmentWords; at += 1) {
    for (let word = rows[at] as number; word !== 0; word &= word - 1) {
      const row = (at << 5) + 31 - Math.clz32(word & -word);
      const score = scores[row] as number;
      if (score >= worst && score <= best) found.push(row);
    }
  }
  return found;
}

type Tied = { rank: number; number: number };

function tiedOf(matches: readonly Match[], wanted: ReadonlyMap<number, Page>): Map<number, Tied[] | 'many'> {
  const tied = new Map<number, Tied[] | 'many'>();
  for (const score of wanted.keys()) tied.set(score, (howMany[score] as number) > fewTied ? 'many' : []);
  const scoresOfPage = [...wanted.keys()];
  const [best = 0, worst = 0] = [scoresOfPage[0], scoresOfPage.at(-1)];
  for (const match of matches) {
    const { scores, first } = match.segment;
    for (const row of rowsBetween(rowsOf(match), scores, worst, best)) {
      const rows = tied.get(scores[row] as number);
      if (Array.isArray(rows)) rows.push({ rank: rankAt(match, row), number: first + row });
    }
  }
  return tied;
}

export const rankAt = (match: Match, row: number): number => (hasBit(rankOf(match, 3), row) ? 3 : hasBit(rankOf(match, 2), row) ? 2 : 1);

function withScore(matches: readonly Match[], score: number): Match[] {
  return matches.map(({ segment, found }) => {
    const those = newBits();
    for (const row of rowsBetween(found[worths - 1] as Bits, segment.scores, score, score)) setBit(those, row);
    return { segment, found: [those, those, those, those] };
  });
}

/** The matches of the highest rank alone. */
export function onlyFeatured(matches: readonly Match[]): Match[] {
  return matches.map((match) => {
    const those = newBits();
    const plane = rankOf(match, ranks);
    const rows = rowsOf(match);
    for (let at = 0; at < segmentWords; at += 1) those[at] = (rows[at] as number) & (plane[at] as number);
    return { segment: match.segment, found: [those, those, those, those] };
  });
}

/** Takes these listings out of the matches. */
export function takeOut(matches: readonly Match[], numbers: readonly number[]): void {
  for (const match of matches) {
    const { first } = match.segment;
    for (const number of numbers) if (number >= first && number < first + segmentWords * 32) clearBit(rowsOf(match), number - first);
  }
}
