/** Numbers for texts that are given once and never change. */
export class Numbered<Key> {
  protected readonly numbers = new Map<Key, number>();
  get size(): number {
    return this.numbers.size;
  }
  peek(key: Key): number | undefined {
    return this.numbers.get(key);
  }
  of(key: Key): number {
    const known = this.numbers.get(key);
    if (known !== undefined) return known;
    const number = this.numbers.size;
    this.numbers.set(key, number);
    return number;
  }
}

/** All forms from one number up to below another. */
export type Stretch = { from: number; to: number };

/** The forms of words. Those that are known from the beginning are numbered in their order, so that those that begin alike stand together. */
export class Forms extends Numbered<string> {
  #inOrder: readonly string[] = [];
  /** Those that came later, each with its number. */
  readonly #later: [string, number][] = [];

  /** To be called before any is numbered. */
  begin(forms: readonly string[]): void {
    this.#inOrder = [...new Set(forms)].toSorted((one, other) => (one < other ? -1 : 1));
    for (const form of this.#inOrder) super.of(form);
  }

  /** Those that begin with some letters: a stretch, and those that were not known at the beginning. */
  beginningWith(letters: string): { stretch: Stretch; others: number[] } {
    const stretch = { from: this.#placeOf(letters), to: this.#placeOf(`${letters}\u{10ffff}`) };
    return { stretch, others: this.#later.flatMap(([form, number]) => (form.startsWith(letters) ? number : [])) };
  }

  override of(form: string): number {
    const known = this.peek(form);
    if (known !== undefined) return known;
    const number = super.of(form);
    this.#later.push([form, number]);
    return number;
  }

  #placeOf(text: string): number {
    let [low, high] = [0, this.#inOrder.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#inOrder[middle] as string) < text) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
