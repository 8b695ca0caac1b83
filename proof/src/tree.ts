import { sameBytes } from './bytes.ts';
import { bytesOfHash, hashWords, sha256, wordsOf } from './sha256.ts';

// The Merkle tree of RFC 6962. Whole subtrees never change once they are complete, so what keeps them by their place can give any
// root and any proof from a few dozen of them, however long the log is.

/** The subtree of the 2^level leaves that begin with leaf index * 2^level. */
export type Place = { level: number; index: number };
export type StoredNode = Place & { hash: Uint8Array };
/** The hashes of complete subtrees, in the order of the places. */
export type ReadNodes = (places: Place[]) => Promise<Uint8Array[]> | Uint8Array[];
/** Leaves `from` up to, but not with, `to`. */
type Range = { from: number; to: number };

export const emptyRoot: Uint8Array = sha256(new Uint8Array(0));

// A byte stands before what is hashed: 0 before a leaf, 1 before the two below a node.
const shortLeaf = new Int32Array(64);
const pair = new Int32Array(17);

/** Writes the hash of a leaf as eight words to a place of `into`. */
function hashLeaf(data: string, into: Int32Array, place: number) {
  // Every leaf of ours is ASCII: a byte for each character. What is not takes the long way.
  const length = data.length + 1;
  let bits = 0;
  if (length < 4 * shortLeaf.length) {
    let isAscii = 0;
    for (let at = 1; at < length; at += 1) {
      const code = data.charCodeAt(at - 1);
      isAscii |= code;
      bits = (bits << 8) | code;
      if ((at & 3) === 3) shortLeaf[at >> 2] = bits;
    }
    if (isAscii < 128) {
      // What is left of the last word stands at its front.
      shortLeaf[length >> 2] = (length & 3) === 0 ? 0 : bits << (32 - 8 * (length & 3));
      hashWords(shortLeaf, length, into, place);
      return;
    }
  }
  const bytes = Uint8Array.of(0, ...new TextEncoder().encode(data));
  hashWords(wordsOf(bytes), bytes.length, into, place);
}

/** Writes the hash of a node to the place of what is below it on its left; both stand in `hashes` as eight words each. */
function hashNode(hashes: Int32Array, left: number, right: number) {
  let before = 1;
  for (let word = 0; word < 16; word += 1) {
    const next = hashes[word < 8 ? left + word : right + word - 8] as number;
    pair[word] = (before << 24) | (next >>> 8);
    before = next;
  }
  pair[16] = before << 24;
  hashWords(pair, 65, hashes, left);
}

const one = new Int32Array(8);
export function leafHash(data: string): Uint8Array {
  hashLeaf(data, one, 0);
  return bytesOfHash(one, 0);
}

const two = new Int32Array(16);
export function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  wordsOf(left, two, 0);
  wordsOf(right, two, 8);
  hashNode(two, 0, 8);
  return bytesOfHash(two, 0);
}

const levelOf = (leaves: number) => Math.floor(Math.log2(leaves));
/** The largest power of two below a number of leaves above one. */
const splitOf = (leaves: number) => 2 ** levelOf(leaves - 1);

/** The complete subtrees of a part of the tree, from the left. */
function placesOf({ from, to }: Range): Place[] {
  const places: Place[] = [];
  for (let at = from; at < to;) {
    const level = levelOf(to - at);
    places.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return places;
}

const joined = (hashes: Uint8Array[]) => hashes.reduceRight((right, left) => nodeHash(left, right));

async function hashesOf(ranges: Range[], read: ReadNodes): Promise<Uint8Array[]> {
  const parts = ranges.map(placesOf);
  const hashes = await read(parts.flat());
  let taken = 0;
  return parts.map((places) => joined(hashes.slice(taken, (taken += places.length))));
}

/** What is new to be stored, leaves among it, when leaves are appended to a tree of this size. */
export async function appendLeaves(size: number, leaves: Uint8Array[], read: ReadNodes): Promise<StoredNode[]> {
  const edge = placesOf({ from: 0, to: size });
  const hashes = await read(edge);
  const open: StoredNode[] = edge.map((place, at) => ({ ...place, hash: hashes[at] ?? emptyRoot }));
  const added: StoredNode[] = [];
  for (const [at, hash] of leaves.entries()) {
    let node: StoredNode = { level: 0, index: size + at, hash };
    added.push(node);
    for (let left = open.at(-1); left?.level === node.level; left = open.at(-1)) {
      open.pop();
      node = { level: node.level + 1, index: left.index / 2, hash: nodeHash(left.hash, node.hash) };
      added.push(node);
    }
    open.push(node);
  }
  return added;
}

export async function rootOf(size: number, read: ReadNodes): Promise<Uint8Array> {
  if (size === 0) return emptyRoot;
  const [root] = await hashesOf([{ from: 0, to: size }], read);
  return root ?? emptyRoot;
}

/** From the leaf up: the neighbour at each step, and on which side it stands. */
function neighbours(index: number, size: number): (Range & { left: boolean })[] {
  const steps: (Range & { left: boolean })[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + splitOf(to - from);
    const isRight = index >= middle;
    steps.unshift(isRight ? { from, to: middle, left: true } : { from: middle, to, left: false });
    if (isRight) from = middle;
    else to = middle;
  }
  return steps;
}

/** The proof that a tree of this size holds the leaf: RFC 6962, section 2.1.1. */
export async function inclusionPath(index: number, size: number, read: ReadNodes): Promise<Uint8Array[]> {
  if (!isWhole(index) || !isWhole(size) || index >= size) throw new RangeError(`There is no leaf ${index} among ${size}`);
  return hashesOf(neighbours(index, size), read);
}

export type Inclusion = { leaf: Uint8Array; index: number; size: number; path: Uint8Array[]; root: Uint8Array };

export function verifyInclusion({ leaf, index, size, path, root }: Inclusion): boolean {
  if (!isWhole(index) || !isWhole(size) || index >= size) return false;
  const steps = neighbours(index, size);
  if (path.length !== steps.length || !path.every((hash) => hash.length === 32)) return false;
  const found = path.reduce((below, hash, at) => (steps[at]?.left ? nodeHash(hash, below) : nodeHash(below, hash)), leaf);
  return sameBytes(found, root);
}

/** What a proof of consistency holds: RFC 6962, section 2.1.2. `known`: the old root is what the reader has already. */
function consistencyRanges(old: number, { from, to }: Range, known: boolean): Range[] {
  if (old === to) return known ? [] : [{ from, to }];
  const middle = from + splitOf(to - from);
  return old <= middle
    ? [...consistencyRanges(old, { from, to: middle }, known), { from: middle, to }]
    : [...consistencyRanges(old, { from: middle, to }, false), { from, to: middle }];
}

/** The proof that the tree of the first size is the beginning of the tree of the second. Nothing has to be said about an empty one. */
export async function consistencyPath(from: number, to: number, read: ReadNodes): Promise<Uint8Array[]> {
  if (!isWhole(from) || !isWhole(to) || from > to) throw new RangeError(`A log of ${to} leaves never had ${from}`);
  return from === 0 ? [] : hashesOf(consistencyRanges(from, { from: 0, to }, true), read);
}

export type Consistency = { from: number; to: number; fromRoot: Uint8Array; toRoot: Uint8Array; path: Uint8Array[] };

/**
 * Whether the path proves it. For whoever watches the log; our own pages replay it instead.
 */
export function verifyConsistency({ from, to, fromRoot, toRoot, path }: Consistency): boolean {
  if (!isWhole(from) || !isWhole(to) || from > to || !path.every((hash) => hash.length === 32)) return false;
  if (from === 0) return path.length === 0 && sameBytes(fromRoot, emptyRoot) && (to > 0 || sameBytes(toRoot, emptyRoot));
  const ranges = consistencyRanges(from, { from: 0, to }, true);
  if (path.length !== ranges.length) return false;
  // The old root stands at the beginning where the old tree is one complete subtree, else the proof begins with its last part.
  const parts = ranges.map((range, at) => ({ ...range, hash: path[at] ?? emptyRoot }));
  const start = parts[0]?.from === from || parts.length === 0 ? { from: 0, to: from, hash: fromRoot } : parts.shift();
  if (!start) return false;
  let older = start.hash;
  let newer = start.hash;
  for (const part of parts) {
    if (part.from < from) {
      older = nodeHash(part.hash, older);
      newer = nodeHash(part.hash, newer);
    } else newer = nodeHash(newer, part.hash);
  }
  return sameBytes(older, fromRoot) && sameBytes(newer, toRoot);
}

/** A tree that is worked out leaf by leaf and keeps only the edge: a million leaves pass through thirty hashes. */
export class GrowingRoot {
  /** The complete subtrees from the left, eight words each: one of each size that has a bit in the number of leaves. */
  readonly #edge = new Int32Array(8 * 64);
  #end = 0;
  size = 0;

  add(leaf: string) {
    hashLeaf(leaf, this.#edge, this.#end);
    this.#end += 8;
    // A subtree of the same size stands before it for each bit at the end of the number.
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      this.#end -= 8;
      hashNode(this.#edge, this.#end - 8, this.#end);
    }
    this.size += 1;
  }

  root(): Uint8Array {
    if (this.size === 0) return emptyRoot;
    const edge = this.#edge.slice(0, this.#end);
    for (let last = this.#end - 8; last > 0; last -= 8) hashNode(edge, last - 8, last);
    return bytesOfHash(edge, 0);
  }
}

function isWhole(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
