import { formOf } from '../words/search.word-forms.ts';

/** A word of active listings, with its form and how many of them have it. */
export type WordRow = { word: string; form: string; listings: number };

// With more words than these searches ask PostgreSQL what theirs stand for.
const mostWords = 300_000;
// So many that came later are looked through for each searched word. With more, all are put in order anew.
const mostLater = 1_000;
// No shorter word makes others by being put behind them.
const fewestLetters = 4;

/** The words of the active listings, in the order of their letters and of their forms: what a searched word stands for, as `findWords` reads it. */
export class Vocabulary {
  readonly #most: number;
  #words: readonly string[] = [];
  #forms: readonly string[] = [];
  #listings = new Int32Array();
  /** Places of words, in the order of their forms. */
  #byForm = new Uint32Array();
  /** Words that are another word with something behind it, by the form of that. */
  readonly #byTail = new Map<string, string[]>();
  readonly #later = new Map<string, WordRow>();
  /** Whether it has all words. */
  #isWhole = false;

  constructor(most = mostWords) {
    this.#most = most;
  }

  /** Takes all words, in place of those that it has. */
  begin(rows: readonly WordRow[]): void {
    this.#later.clear();
    this.#isWhole = rows.length <= this.#most;
    this.#order(this.#isWhole ? rows : []);
  }

  /** What is true now of these words. */
  change(rows: readonly WordRow[]): void {
    if (!this.#isWhole) return;
    for (const row of rows) {
      const at = this.#placeOf(row.word);
      if (this.#words[at] === row.word) this.#listings[at] = row.listings;
      else {
        if (!this.#later.has(row.word)) this.#splitLater(row.word);
        this.#later.set(row.word, row);
      }
    }
    if (this.#later.size > mostLater) this.begin(this.#all().filter(({ listings }) => listings > 0));
  }

  /**
   * The forms of the words that a searched one of this form stands for, those that most listings have first; null where there are none, or nobody can
   * say it here.
   */
  formsOf(typed: string, form: string): string[] | null {
    if (!this.#isWhole) return null;
    const same = this.#ofForm(form);
    const inAll = same.reduce((sum, { listings }) => sum + listings, 0);
    const meant = [...this.#beginningWith(typed), ...same, ...(inAll === 0 ? [] : this.#compoundsOf(typed, form, inAll))];
    const byForm = new Map<string, number>();
    // A word can be meant in several ways.
    for (const { form: one, listings } of new Map(meant.map((row) => [row.word, row])).values())
      if (listings > 0) byForm.set(one, (byForm.get(one) ?? 0) + listings);
    if (byForm.size === 0) return null;
    return [...byForm].toSorted(([one, ones], [other, others]) => others - ones || (one < other ? -1 : 1)).map(([one]) => one);
  }

  #order(rows: readonly WordRow[]) {
    const inOrder = rows.toSorted((one, other) => (one.word < other.word ? -1 : 1));
    this.#words = inOrder.map(({ word }) => word);
    // Most words are their own forms: of these two texts one is kept.
    this.#forms = inOrder.map(({ word, form }) => (word === form ? word : form));
    this.#listings = Int32Array.from(inOrder, ({ listings }) => listings);
    this.#byForm = Uint32Array.from(inOrder.keys()).toSorted((one, other) => (this.#formAt(one) < this.#formAt(other) ? -1 : 1));
    this.#byTail.clear();
    // Each word stands behind those that it begins with.
    const heads: string[] = [];
    for (const word of this.#words) {
      while (heads.length > 0 && !word.startsWith(heads.at(-1) as string)) heads.pop();
      for (const head of heads) this.#split(word, head.length);
      heads.push(word);
    }
  }

  #splitLater(word: string) {
    for (let at = 1; at < word.length; at += 1) if (this.#listingsOf(word.slice(0, at)) !== undefined) this.#split(word, at);
    for (const whole of this.#beginningWith(word)) if (whole.word !== word) this.#split(whole.word, word.length);
  }

  #split(word: string, at: number) {
    const tail = word.slice(at);
    // It must stand behind the third letter too, where it is looked for from there on.
    if (tail.length < fewestLetters || (at < 3 && !word.includes(tail.slice(0, fewestLetters), 3))) return;
    const form = formOf(tail);
    const same = this.#byTail.get(form);
    if (same) same.push(word);
    else this.#byTail.set(form, [word]);
  }

  #formAt(at: number): string {
    return this.#forms[at] as string;
  }

  #rowAt(at: number): WordRow {
    return { word: this.#words[at] as string, form: this.#formAt(at), listings: this.#listings[at] as number };
  }

  #all(): WordRow[] {
    return [...this.#words.map((_, at) => this.#rowAt(at)), ...this.#later.values()];
  }

  #placeOf(word: string): number {
    return firstPlace(this.#words.length, (at) => (this.#words[at] as string) >= word);
  }

  #listingsOf(word: string): number | undefined {
    const at = this.#placeOf(word);
    return this.#words[at] === word ? this.#listings[at] : this.#later.get(word)?.listings;
  }

  #beginningWith(typed: string): WordRow[] {
    const found: WordRow[] = [];
    const from = this.#placeOf(typed);
    const behind = firstPlace(this.#words.length, (at) => at >= from && !(this.#words[at] as string).startsWith(typed));
    for (let at = from; at < behind; at += 1) found.push(this.#rowAt(at));
    for (const row of this.#later.values()) if (row.word.startsWith(typed)) found.push(row);
    return found;
  }

  #ofForm(form: string): WordRow[] {
    const found: WordRow[] = [];
    let at = firstPlace(this.#byForm.length, (one) => this.#formAt(this.#byForm[one] as number) >= form);
    for (; at < this.#byForm.length && this.#formAt(this.#byForm[at] as number) === form; at += 1)
      found.push(this.#rowAt(this.#byForm[at] as number));
    for (const row of this.#later.values()) if (row.form === form) found.push(row);
    return found;
  }

  /** Words that are put together with it, of two that are each a commoner word than the whole. */
  *#compoundsOf(typed: string, form: string, inAll: number): Iterable<WordRow> {
    if ([...typed].length < fewestLetters) return;
    for (const word of this.#byTail.get(form) ?? []) {
      const listings = this.#listingsOf(word) ?? 0;
      if (listings >= inAll || !word.includes(typed, startOf(word, 3))) continue;
      const at = word.indexOf(typed);
      if ((this.#listingsOf(word.slice(0, at)) ?? 0) > listings && formOf(word.slice(at)) === form)
        yield { word, form: formOf(word), listings };
    }
  }
}

/** Where the letter of this number begins: some letters take two places. */
const startOf = (word: string, letter: number) => [...word].slice(0, letter).join('').length;

/** The first of so many places of which it holds, where it holds of all behind as well. */
function firstPlace(places: number, holds: (at: number) => boolean): number {
  let [low, high] = [0, places];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (holds(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
