import { type Bits, clearBit, countBits, hasBit, newBits, ones, segmentWords } from './bits.ts';
import { worths } from './matching.ts';
import { type Segment, ranks } from './segment.ts';

/** The matches of one segment. `found` are as `matchSegment` tells them; what counts are those of the last. */
export type Match = { segment: Segment; found: readonly Bits[] };
type Page = { skip: number; take: number };

export const rowsOf = ({ found }: Match): Bits => found[worths - 1] as Bits;
const rankOf = ({ segment }: Match, rank: number): Bits => segment.ranks[rank - 1] as Bits;

const none = newBits();

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

  add({ segment }: Match, rows: Bits) {
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

const leg = newBits();

/** By paid rank, then by the worst of the fields that have the words, then the newest. `matches` come in the order of their numbers. */
export function pageByRank(matches: readonly Match[], byWorth: boolean, page: Page): number[] {
  const walk = new Walk(page);
  const newest = matches.toReversed();
  const first = byWorth ? 0 : worths - 1;
  for (let rank = ranks; rank >= 1; rank -= 1) {
    for (let worth = first; worth < worths; worth += 1) {
      for (const match of newest) {
        // Each leg is made when it is reached: most pages lie in the first.
        if (!makeLeg(match, rank, worth, first) || walk.passes(countBits(leg))) continue;
        walk.add(match, leg);
        if (walk.isDone) return walk.numbers;
      }
    }
  }
  return walk.numbers;
}

/** Makes `leg` those of a rank and worth; whether there are any. */
function makeLeg(match: Match, rank: number, worth: number, first: number): boolean {
  const plane = rankOf(match, rank);
  const passing = rowsOf(match);
  const within = match.found[worth] as Bits;
  const before = worth > first ? (match.found[worth - 1] as Bits) : none;
  let any = 0;
  for (let at = 0; at < segmentWords; at += 1)
    any |= leg[at] = (plane[at] as number) & (passing[at] as number) & (within[at] as number) & ~(before[at] as number);
  return any !== 0;
}

/** The newest first. */
export function pageByNumber(matches: readonly Match[], page: Page): number[] {
  const walk = new Walk(page);
  for (const match of matches.toReversed()) {
    const rows = rowsOf(match);
    if (walk.passes(countBits(rows))) continue;
    walk.add(match, rows);
    if (walk.isDone) break;
  }
  return walk.numbers;
}

const mostScores = 500_001;
const howMany = new Uint32Array(mostScores);
// So many of one score are sorted; more are walked through.
const fewTied = 4_096;

// So many are held while all are looked through; further in, scores are counted first.
const mostHeld = 2_000;

/** The best scored first, between equals as by rank. */
export const pageByScore = (matches: readonly Match[], page: Page): number[] =>
  page.skip + page.take <= mostHeld ? bestOf(matches, page.skip + page.take).slice(page.skip) : pageOfScores(matches, page);

const byScore = 2 ** 34;
const byRank = 2 ** 32;

/** The first so many. Who comes later in the order of ranks and numbers stands before nobody of the same score. */
function bestOf(matches: readonly Match[], wanted: number): number[] {
  let held: number[] = [];
  let worst = -1;
  const cut = () => {
    held = Array.from(Float64Array.from(held).toSorted().toReversed().subarray(0, wanted));
    if (held.length === wanted) worst = Math.floor((held[wanted - 1] as number) / byScore);
  };
  for (let rank = ranks; rank >= 1; rank -= 1) {
    for (const match of matches.toReversed()) {
      const { scores, first } = match.segment;
      const plane = rankOf(match, rank);
      const rows = rowsOf(match);
      for (let at = segmentWords - 1; at >= 0; at -= 1) {
        for (let word = (rows[at] as number) & (plane[at] as number); word !== 0;) {
          const bit = 31 - Math.clz32(word);
          word &= ~(1 << bit);
          const row = (at << 5) + bit;
          const score = scores[row] as number;
          if (score <= worst) continue;
          held.push(score * byScore + rank * byRank + first + row);
          if (held.length >= wanted * 2 + 64) cut();
        }
      }
    }
  }
  cut();
  return held.map((key) => key % byRank);
}

function pageOfScores(matches: readonly Match[], { skip, take }: Page): number[] {
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

/** The rows whose scores lie between these and are of few. */
function rowsBetween(rows: Bits, scores: Uint32Array, worst: number, best: number): number[] {
  const found: number[] = [];
  for (let at = 0; at < segmentWords; at += 1) {
    for (let word = rows[at] as number; word !== 0; word &= word - 1) {
      const row = (at << 5) + 31 - Math.clz32(word & -word);
      const score = scores[row] as number;
      if (score >= worst && score <= best && (howMany[score] as number) <= fewTied) found.push(row);
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

const rankAt = (match: Match, row: number): number => (hasBit(rankOf(match, 3), row) ? 3 : hasBit(rankOf(match, 2), row) ? 2 : 1);

function withScore(matches: readonly Match[], score: number): Match[] {
  return matches.map(({ segment, found }) => {
    const those = newBits();
    const rows = found[worths - 1] as Bits;
    for (let at = 0; at < segmentWords; at += 1) {
      let tied = 0;
      for (let word = rows[at] as number; word !== 0; word &= word - 1) {
        const bit = word & -word;
        if (segment.scores[(at << 5) + 31 - Math.clz32(bit)] === score) tied |= bit;
      }
      those[at] = tied;
    }
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
