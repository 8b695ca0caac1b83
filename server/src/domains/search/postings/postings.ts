import { type Bits, countBits, newBits } from './bits.ts';
import { asksEvidence, keepPassing, noChoices } from './choices.ts';
import { facetKey } from './keys.ts';
import { type Word, matchSegment, wordOf, worths } from './matching.ts';
import { type Match, onlyFeatured, pageByNumber, pageByRank, pageByScore, rowsOf, takeOut } from './pages.ts';
import type { AskedRings, AskedSearch, FoundPage } from './query.ts';
import { type Within, keepWithin, pageByRing } from './rings.ts';
import type { Segment } from './segment.ts';

const maxPaid = 4;

/** Numbers for texts that are given once and never change. */
class Numbered<Key> {
  readonly #numbers = new Map<Key, number>();
  get size() {
    return this.#numbers.size;
  }
  peek(key: Key): number | undefined {
    return this.#numbers.get(key);
  }
  of(key: Key): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(key, number);
    return number;
  }
}

/** Every active listing as search sees it, in the memory of one process. Answers are exact as of the last change that was taken. */
export class Postings {
  readonly segments = new Map<number, Segment>();
  readonly forms = new Numbered<string>();
  readonly cells = new Numbered<number>();
  // What a search finds in a segment lies here until the next search.
  readonly #found: Bits[][] = [];

  find(asked: AskedSearch): FoundPage {
    const words = asked.words.map((word) => this.#wordOf(word));
    const facets = asked.cell === null ? asked.facets : [...asked.facets, this.#keysOfCell(asked.cell)];
    const legOfCell = asked.rings && this.#legOfCell(asked.rings);
    const matches: (Match & { within: Within | null })[] = [];
    let matching = 0;
    const inOrder = [...this.segments.values()].toSorted((one, other) => one.first - other.first);
    for (const [index, segment] of inOrder.entries()) {
      const found = (this.#found[index] ??= Array.from({ length: worths }, newBits));
      if (!matchSegment(segment, { words, facets, byWorth: asked.byWorth }, found)) continue;
      const within = asked.rings && legOfCell && keepWithin({ segment, found }, asked.rings, legOfCell);
      matching += countBits(found[worths - 1] as Bits);
      matches.push({ segment, found, within });
    }
    const counts = matching <= asked.choicesUpTo ? noChoices() : null;
    const isAsked = asksEvidence(asked.evidence);
    if (counts || isAsked) for (const match of matches) keepPassing(match.segment, asked.evidence, rowsOf(match), counts);
    const total = isAsked ? matches.reduce((sum, match) => sum + countBits(rowsOf(match)), 0) : matching;
    return { total, choices: counts, ...pageOf(matches, asked, total) };
  }

  #wordOf({ forms, facets }: AskedSearch['words'][number]): Word {
    const known = forms.flatMap((form) => this.forms.peek(form) ?? []);
    return wordOf(known, facets, this.forms.size);
  }

  #keysOfCell(code: number): number[] {
    const cell = this.cells.peek(code);
    return cell === undefined ? [] : [facetKey('cell', cell)];
  }

  #legOfCell({ cells }: AskedRings): Uint16Array {
    const legs = new Uint16Array(65_536);
    for (const [leg, code] of cells.entries()) {
      const cell = this.cells.peek(code);
      if (cell !== undefined) legs[cell] = leg + 1;
    }
    return legs;
  }
}

function pageOf(
  matches: (Match & { within: Within | null })[],
  { order, byWorth, skip, take }: AskedSearch,
  total: number,
): Pick<FoundPage, 'numbers' | 'paid'> {
  if (skip >= total || take === 0) return { numbers: [], paid: 0 };
  if (order === 'recommended') {
    const near = matches.flatMap(({ segment, found, within }) => (within ? [{ segment, found, within }] : []));
    const page = { skip, take };
    return { numbers: near.length > 0 ? pageByRing(near, page) : pageByRank(matches, byWorth, page), paid: 0 };
  }
  const pageBy = order === 'rating' ? pageByScore : pageByNumber;
  const featured = pageBy(onlyFeatured(matches), { skip: 0, take: maxPaid });
  takeOut(matches, featured);
  const first = featured.slice(skip, skip + take);
  const rest = { skip: Math.max(0, skip - featured.length), take: take - first.length };
  return { numbers: [...first, ...(rest.take > 0 ? pageBy(matches, rest) : [])], paid: first.length };
}
