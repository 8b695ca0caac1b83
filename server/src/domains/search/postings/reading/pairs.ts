import { Numbered } from '../forms.ts';

/** Pairs of a key and a row, as many as come, in any order. Keys are numbered, so that they can be counted without looking them up. */
export class Pairs {
  /** Keys by their numbers. */
  readonly keys: number[] = [];
  readonly #numbers = new Numbered<number>();
  #keys = new Uint32Array(65_536);
  #rows = new Uint16Array(65_536);
  #length = 0;

  numberOf(key: number): number {
    const number = this.#numbers.of(key);
    this.keys[number] = key;
    return number;
  }

  add(number: number, row: number): void {
    if (this.#length === this.#keys.length) {
      const [keys, rows] = [new Uint32Array(this.#length * 2), new Uint16Array(this.#length * 2)];
      keys.set(this.#keys);
      rows.set(this.#rows);
      [this.#keys, this.#rows] = [keys, rows];
    }
    this.#keys[this.#length] = number;
    this.#rows[this.#length] = row;
    this.#length += 1;
  }

  /** The room of what was added is used again. */
  clear(): void {
    this.#length = 0;
  }

  all(): { numbers: Uint32Array; rows: Uint16Array } {
    return { numbers: this.#keys.subarray(0, this.#length), rows: this.#rows.subarray(0, this.#length) };
  }
}
