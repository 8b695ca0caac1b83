// SHA-256 (FIPS 180-4) for many short texts: a tree of a million leaves needs two million hashes, and allocating even 32 bytes per call costs more
// than the hash. Messages and hashes are therefore big-endian 32-bit words. All other code uses @noble/hashes.

/** The first 32 bits of the fractional parts of the roots of the first primes, as the standard defines its constants. */
function fractions(count: number, root: (prime: number) => number): Int32Array {
  const words = new Int32Array(count);
  for (let prime = 2, found = 0; found < count; prime += 1) {
    let isPrime = true;
    for (let divisor = 2; divisor * divisor <= prime; divisor += 1) if (prime % divisor === 0) isPrime = false;
    if (isPrime) words[found++] = (root(prime) % 1) * 2 ** 32;
  }
  return words;
}
const initial = fractions(8, Math.sqrt);
const constants = fractions(64, Math.cbrt);

const words = new Int32Array(64);
const state = new Int32Array(8);

function compress() {
  for (let at = 16; at < 64; at += 1) {
    const x = words[at - 15] as number;
    const y = words[at - 2] as number;
    const s0 = ((x >>> 7) | (x << 25)) ^ ((x >>> 18) | (x << 14)) ^ (x >>> 3);
    const s1 = ((y >>> 17) | (y << 15)) ^ ((y >>> 19) | (y << 13)) ^ (y >>> 10);
    words[at] = (s0 + (words[at - 7] as number) + s1 + (words[at - 16] as number)) | 0;
  }
  let a = state[0] as number;
  let b = state[1] as number;
  let c = state[2] as number;
  let d = state[3] as number;
  let e = state[4] as number;
  let f = state[5] as number;
  let g = state[6] as number;
  let h = state[7] as number;
  for (let at = 0; at < 64; at += 1) {
    const s1 = ((e >>> 6) | (e << 26)) ^ ((e >>> 11) | (e << 21)) ^ ((e >>> 25) | (e << 7));
    const t1 = (h + s1 + ((e & f) ^ (~e & g)) + (constants[at] as number) + (words[at] as number)) | 0;
    const s0 = ((a >>> 2) | (a << 30)) ^ ((a >>> 13) | (a << 19)) ^ ((a >>> 22) | (a << 10));
    const t2 = (s0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    h = g;
    g = f;
    f = e;
    e = (d + t1) | 0;
    d = c;
    c = b;
    b = a;
    a = (t1 + t2) | 0;
  }
  state[0] = (state[0] as number) + a;
  state[1] = (state[1] as number) + b;
  state[2] = (state[2] as number) + c;
  state[3] = (state[3] as number) + d;
  state[4] = (state[4] as number) + e;
  state[5] = (state[5] as number) + f;
  state[6] = (state[6] as number) + g;
  state[7] = (state[7] as number) + h;
}

/**
 * Hashes the first `length` bytes of the message, whose last word is padded with zeros, and writes eight words to `into` at `offset`. `into` may be
 * the message.
 */
export function hashWords(message: Int32Array, length: number, into: Int32Array, offset: number): void {
  state.set(initial);
  // Padding: one bit, zeros, and the length in bits in eight bytes.
  const end = length >>> 2;
  const blocks = (length + 72) >>> 6;
  for (let block = 0, at = 0; block < blocks; block += 1) {
    for (let word = 0; word < 16; word += 1, at += 1) words[word] = at <= end ? (message[at] as number) : 0;
    if (end >>> 4 === block) words[end & 15] = (words[end & 15] as number) | (0x80 << (24 - 8 * (length & 3)));
    if (block === blocks - 1) {
      words[14] = length / 2 ** 29;
      words[15] = length << 3;
    }
    compress();
  }
  into.set(state, offset);
}

export function hashToBytes(words: Int32Array, offset: number): Uint8Array {
  const bytes = new Uint8Array(32);
  for (let at = 0; at < 32; at += 1) bytes[at] = (words[offset + (at >> 2)] as number) >>> (24 - 8 * (at & 3));
  return bytes;
}

/** Pads the last word with zeros. */
export function bytesToWords(bytes: Uint8Array, into = new Int32Array((bytes.length >>> 2) + 1), offset = 0): Int32Array {
  for (let at = 0; at < bytes.length; at += 4)
    into[offset + (at >> 2)] =
      ((bytes[at] as number) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
  return into;
}

export function sha256(data: Uint8Array): Uint8Array {
  const hash = new Int32Array(8);
  hashWords(bytesToWords(data), data.length, hash, 0);
  return hashToBytes(hash, 0);
}
