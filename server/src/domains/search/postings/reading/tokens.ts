const firstSlots = 2 ** 16;

/** Numbers of texts that come as bytes, millions of them and the same ones again and again: found without making texts of them. */
export class Tokens {
  readonly #numberOf: (text: string) => number;
  // Where an entry of this hash stands, one more than that; 0: none.
  #slots = new Uint32Array(firstSlots);
  readonly #texts: Buffer[] = [];
  readonly #numbers: number[] = [];

  /** `numberOf` is asked once for each text. */
  constructor(numberOf: (text: string) => number) {
    this.#numberOf = numberOf;
  }

  /** The number of the text from one byte up to below another. */
  numberOf(bytes: Buffer, from: number, to: number): number {
    const mask = this.#slots.length - 1;
    let slot = hashOf(bytes, from, to) & mask;
    for (let entry = this.#slots[slot] as number; entry !== 0; entry = this.#slots[slot] as number) {
      if (isSame(this.#texts[entry - 1] as Buffer, bytes, from, to)) return this.#numbers[entry - 1] as number;
      slot = (slot + 1) & mask;
    }
    return this.#add(Buffer.from(bytes.subarray(from, to)), slot);
  }

  #add(text: Buffer, slot: number): number {
    const number = this.#numberOf(text.toString());
    this.#texts.push(text);
    this.#numbers.push(number);
    this.#slots[slot] = this.#texts.length;
    if (this.#texts.length * 2 > this.#slots.length) this.#grow();
    return number;
  }

  #grow() {
    this.#slots = new Uint32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    for (const [index, text] of this.#texts.entries()) {
      let slot = hashOf(text, 0, text.length) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = index + 1;
    }
  }
}

// FNV-1a, with its upper half mixed in: slots are told by the lower bits.
function hashOf(bytes: Buffer, from: number, to: number): number {
  let hash = 0x811c9dc5;
  for (let at = from; at < to; at += 1) hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  return hash ^ (hash >>> 15);
}

function isSame(text: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (text.length !== to - from) return false;
  for (let at = 0; at < text.length; at += 1) if (text[at] !== bytes[from + at]) return false;
  return true;
}
