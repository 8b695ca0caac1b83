import { type Bits, both, scratch } from './bits.ts';
import { asksEvidence, keepPassing, noChoices } from './choices.ts';
import { Forms, Numbered } from './forms.ts';
import { type Word, fewestFirst, matchSegment, wordOf, worths } from './matching.ts';
import { type Match, countOf, onlyFeatured, pageByNumber, pageByRank, withoutThese } from './pages.ts';
import type { Answer, AskedSearch, FoundPage, KnownSearch, KnownWord } from './query.ts';
import { type Rings, addBased, keepWithin, pageByRing, ringsOf } from './rings.ts';
import { pageByScore } from './scores.ts';
import type { Segment } from './segment.ts';
import { Vocabulary } from './vocabulary.ts';
import { formOf } from '../words/search.word-forms.ts';

const maxPaid = 4;

/** Every active listing as search sees it, in the memory of one process. Answers are exact as of the last change that was taken. */
export class Postings {
  readonly segments = new Map<number, Segment>();
  readonly forms = new Forms();
  readonly cells = new Numbered<number>();
  readonly vocabulary = new Vocabulary();

  /** What a search finds, its words as they are typed. */
  answer(asked: AskedSearch): Answer {
    const words = asked.words.map((word) => this.#knownOf(word));
    const forms = words.map((word) => word?.forms ?? null);
    const known = words.flatMap((word) => word ?? []);
    if (known.length < words.length) return { total: 0, numbers: [], paid: 0, choices: null, forms };
    return { ...this.find({ ...asked, words: known }), forms };
  }

  /** What the vocabulary has for a word; null where neither it nor a category has anything. */
  #knownOf(word: AskedSearch['words'][number]): KnownWord | null {
    if (!('typed' in word)) return word;
    const forms = this.vocabulary.formsOf(word.typed, formOf(word.typed));
    return forms === null && word.facets.length === 0 ? null : { forms: forms ?? [], facets: word.facets };
  }

  find(asked: KnownSearch): FoundPage {
    return scratch.during(() => this.#find(asked));
  }

  #find(asked: KnownSearch): FoundPage {
    const rings = asked.rings && ringsOf(asked.rings, this.cells);
    const inOrder = [...this.segments.values()].toSorted((one, other) => one.first - other.first);
    const given = asked.words.map((word) => this.#wordOf(word));
    const [middle] = inOrder.slice(inOrder.length >> 1);
    const words = middle ? fewestFirst(given, middle) : given;
    const matches = inOrder.flatMap((segment) => this.#match(segment, words, asked, rings) ?? []);
    const counts = countOf(matches) <= asked.choicesUpTo ? noChoices() : null;
    if (counts || asksEvidence(asked.evidence)) {
      for (const match of matches) match.count = keepPassing(match.segment, asked.evidence, match.rows, counts);
    }
    const total = countOf(matches);
    return { total, choices: counts, ...pageOf(matches, rings, asked, total) };
  }

  #match(segment: Segment, words: readonly Word[], { facets, cell, byWorth }: AskedSearch, rings: Rings | null): Match | null {
    const rows = scratch.take();
    const found = [...Array.from({ length: byWorth ? worths - 1 : 0 }, () => scratch.take()), rows];
    let count = matchSegment(segment, { words, facets, byWorth }, found);
    if (count > 0 && cell !== null) count = this.#keepBased(segment, cell, rows);
    if (count > 0 && rings) count = keepWithin(segment, rows, rings);
    return count === 0 ? null : { segment, rows, count, worths: byWorth ? found : null };
  }

  #keepBased(segment: Segment, code: number, rows: Bits): number {
    const cell = this.cells.peek(code);
    if (cell === undefined) return 0;
    return scratch.during(() => {
      const there = scratch.take().fill(0);
      addBased(segment, cell, there);
      return both(rows, rows, there);
    });
  }

  /** Gives back the room of all. Nobody may ask any more. */
  giveBack(): void {
    for (const segment of this.segments.values()) segment.giveBack();
    this.segments.clear();
  }

  #wordOf({ forms, begins, facets }: KnownWord): Word {
    if (begins !== undefined) {
      const { stretch, others } = this.forms.beginningWith(begins);
      return wordOf(others, facets, this.forms.size, stretch);
    }
    const known = forms.flatMap((form) => this.forms.peek(form) ?? []);
    return wordOf(known, facets, this.forms.size);
  }
}

function pageOf(
  matches: readonly Match[],
  rings: Rings | null,
  { order, skip, take }: AskedSearch,
  total: number,
): Pick<FoundPage, 'numbers' | 'paid'> {
  if (skip >= total || take === 0) return { numbers: [], paid: 0 };
  if (order === 'recommended') {
    const page = { skip, take };
    return { numbers: rings ? pageByRing(matches, rings, page) : pageByRank(matches, page), paid: 0 };
  }
  const pageBy = order === 'rating' ? pageByScore : pageByNumber;
  const featured = pageBy(onlyFeatured(matches), { skip: 0, take: maxPaid });
  const first = featured.slice(skip, skip + take);
  const rest = { skip: Math.max(0, skip - featured.length), take: take - first.length };
  return { numbers: [...first, ...(rest.take > 0 ? pageBy(withoutThese(matches, featured), rest) : [])], paid: first.length };
}
