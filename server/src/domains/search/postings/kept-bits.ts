import { type Bits, newBits } from './bits.ts';

/** Bits that are made once and then kept, for the `most` keys that were last asked for. Nobody may change them. */
export function keptBits<Key>(kept: Map<Key, Bits>, key: Key, most: number, make: (bits: Bits) => void): Bits {
  const known = kept.get(key);
  if (known) kept.delete(key);
  const bits = known ?? roomOf(kept, most);
  if (!known) make(bits);
  // Last, so that those nobody asks for are forgotten first.
  kept.set(key, bits);
  return bits;
}

function roomOf<Key>(kept: Map<Key, Bits>, most: number): Bits {
  const [oldest] = kept;
  if (!oldest || kept.size < most) return newBits();
  kept.delete(oldest[0]);
  return oldest[1].fill(0);
}
