import { areBytesEqual } from './bytes.ts';
import { hashToBytes, hashWords, sha256, bytesToWords } from './sha256.ts';

// The Merkle tree of RFC 6962. Complete subtrees never change, so a store of them yields any root and proof from a few dozen nodes, however long the
// log is.

/** The subtree of 2^level leaves that starts at leaf index * 2^level. */
export type NodePosition = { level: number; index: number };
export type StoredNode = NodePosition & { hash: Uint8Array };
/** Returns the hashes of complete subtrees in the order of `positions`. */
export type ReadNodes = (positions: NodePosition[]) => Promise<Uint8Array[]> | Uint8Array[];
/** `to` is exclusive. */
type Range = { from: number; to: number };

export const emptyRoot: Uint8Array = sha256(new Uint8Array(0));

// Hash inputs have a prefix byte: 0 for a leaf, 1 for a node.
const shortLeaf = new Int32Array(64);
const pair = new Int32Array(17);

function writeLeafHash(data: string, into: Int32Array, offset: number) {
  // Real leaves are ASCII, one byte per character; others take the slow path.
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
      // The rest of the last word is aligned to its most significant bytes.
      shortLeaf[length >> 2] = (length & 3) === 0 ? 0 : bits << (32 - 8 * (length & 3));
      hashWords(shortLeaf, length, into, offset);
      return;
    }
  }
  const bytes = Uint8Array.of(0, ...new TextEncoder().encode(data));
  hashWords(bytesToWords(bytes), bytes.length, into, offset);
}

/** Overwrites the left child with the hash of its parent; both children are eight words in `hashes`. */
function writeNodeHash(hashes: Int32Array, left: number, right: number) {
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
export function hashLeaf(data: string): Uint8Array {
  writeLeafHash(data, one, 0);
  return hashToBytes(one, 0);
}

const two = new Int32Array(16);
export function hashChildren(left: Uint8Array, right: Uint8Array): Uint8Array {
  bytesToWords(left, two, 0);
  bytesToWords(right, two, 8);
  writeNodeHash(two, 0, 8);
  return hashToBytes(two, 0);
}

const floorLog2 = (leaves: number) => Math.floor(Math.log2(leaves));
/** The largest power of two below `leaves`, which is at least two. */
const splitSize = (leaves: number) => 2 ** floorLog2(leaves - 1);

/** The complete subtrees of a range, from the left. */
function getSubtrees({ from, to }: Range): NodePosition[] {
  const positions: NodePosition[] = [];
  for (let at = from; at < to;) {
    const level = floorLog2(to - at);
    positions.push({ level, index: at / 2 ** level });
    at += 2 ** level;
  }
  return positions;
}

const combineHashes = (hashes: Uint8Array[]) => hashes.reduceRight((right, left) => hashChildren(left, right));

async function readRangeHashes(ranges: Range[], read: ReadNodes): Promise<Uint8Array[]> {
  const parts = ranges.map(getSubtrees);
  const hashes = await read(parts.flat());
  let taken = 0;
  return parts.map((positions) => combineHashes(hashes.slice(taken, (taken += positions.length))));
}

/** The new nodes to store, leaves included, when leaves are appended to a tree of this size. */
export async function appendLeaves(size: number, leaves: Uint8Array[], read: ReadNodes): Promise<StoredNode[]> {
  const edge = getSubtrees({ from: 0, to: size });
  const hashes = await read(edge);
  const open: StoredNode[] = edge.map((position, at) => ({ ...position, hash: hashes[at] ?? emptyRoot }));
  const added: StoredNode[] = [];
  for (const [at, hash] of leaves.entries()) {
    let node: StoredNode = { level: 0, index: size + at, hash };
    added.push(node);
    for (let left = open.at(-1); left?.level === node.level; left = open.at(-1)) {
      open.pop();
      node = { level: node.level + 1, index: left.index / 2, hash: hashChildren(left.hash, node.hash) };
      added.push(node);
    }
    open.push(node);
  }
  return added;
}

export async function computeRoot(size: number, read: ReadNodes): Promise<Uint8Array> {
  if (size === 0) return emptyRoot;
  const [root] = await readRangeHashes([{ from: 0, to: size }], read);
  return root ?? emptyRoot;
}

/** From the leaf up: the sibling at each step and its side. */
function listSiblings(index: number, size: number): (Range & { left: boolean })[] {
  const steps: (Range & { left: boolean })[] = [];
  let from = 0;
  let to = size;
  while (to - from > 1) {
    const middle = from + splitSize(to - from);
    const isRight = index >= middle;
    steps.unshift(isRight ? { from, to: middle, left: true } : { from: middle, to, left: false });
    if (isRight) from = middle;
    else to = middle;
  }
  return steps;
}

/** RFC 6962, section 2.1.1. */
export async function inclusionPath(index: number, size: number, read: ReadNodes): Promise<Uint8Array[]> {
  if (!isWholeNumber(index) || !isWholeNumber(size) || index >= size) throw new RangeError(`There is no leaf ${index} among ${size}`);
  return readRangeHashes(listSiblings(index, size), read);
}

export type Inclusion = { leaf: Uint8Array; index: number; size: number; path: Uint8Array[]; root: Uint8Array };

export function verifyInclusion({ leaf, index, size, path, root }: Inclusion): boolean {
  if (!isWholeNumber(index) || !isWholeNumber(size) || index >= size) return false;
  const steps = listSiblings(index, size);
  if (path.length !== steps.length || !path.every((hash) => hash.length === 32)) return false;
  const found = path.reduce((below, hash, at) => (steps[at]?.left ? hashChildren(hash, below) : hashChildren(below, hash)), leaf);
  return areBytesEqual(found, root);
}

/** RFC 6962, section 2.1.2. `known`: the verifier already has the old root. */
function consistencyRanges(old: number, { from, to }: Range, known: boolean): Range[] {
  if (old === to) return known ? [] : [{ from, to }];
  const middle = from + splitSize(to - from);
  return old <= middle
    ? [...consistencyRanges(old, { from, to: middle }, known), { from: middle, to }]
    : [...consistencyRanges(old, { from: middle, to }, false), { from, to: middle }];
}

/** Proves that the tree of size `from` is a prefix of the tree of size `to`; empty if `from` is 0. */
export async function consistencyPath(from: number, to: number, read: ReadNodes): Promise<Uint8Array[]> {
  if (!isWholeNumber(from) || !isWholeNumber(to) || from > to) throw new RangeError(`A log of ${to} leaves never had ${from}`);
  return from === 0 ? [] : readRangeHashes(consistencyRanges(from, { from: 0, to }, true), read);
}

export type Consistency = { from: number; to: number; fromRoot: Uint8Array; toRoot: Uint8Array; path: Uint8Array[] };

/** For external monitors of the log; our own pages replay it instead. */
export function verifyConsistency({ from, to, fromRoot, toRoot, path }: Consistency): boolean {
  if (!isWholeNumber(from) || !isWholeNumber(to) || from > to || !path.every((hash) => hash.length === 32)) return false;
  if (from === 0) return path.length === 0 && areBytesEqual(fromRoot, emptyRoot) && (to > 0 || areBytesEqual(toRoot, emptyRoot));
  const ranges = consistencyRanges(from, { from: 0, to }, true);
  if (path.length !== ranges.length) return false;
  // The old root comes first if the old tree is one complete subtree; otherwise the proof starts with its last subtree.
  const parts = ranges.map((range, at) => ({ ...range, hash: path[at] ?? emptyRoot }));
  const start = parts[0]?.from === from || parts.length === 0 ? { from: 0, to: from, hash: fromRoot } : parts.shift();
  if (!start) return false;
  let older = start.hash;
  let newer = start.hash;
  for (const part of parts) {
    if (part.from < from) {
      older = hashChildren(part.hash, older);
      newer = hashChildren(part.hash, newer);
    } else newer = hashChildren(newer, part.hash);
  }
  return areBytesEqual(older, fromRoot) && areBytesEqual(newer, toRoot);
}

/** Computes the root leaf by leaf and stores only the right edge: some thirty hashes for a million leaves. */
export class IncrementalTree {
  /** The complete subtrees from the left, eight words each: one per set bit of the size. */
  readonly #edge = new Int32Array(8 * 64);
  #end = 0;
  size = 0;

  add(leaf: string) {
    writeLeafHash(leaf, this.#edge, this.#end);
    this.#end += 8;
    // Each trailing one bit of the size is a subtree of the same size to merge with.
    for (let rest = this.size; rest % 2 === 1; rest = (rest - 1) / 2) {
      this.#end -= 8;
      writeNodeHash(this.#edge, this.#end - 8, this.#end);
    }
    this.size += 1;
  }

  root(): Uint8Array {
    if (this.size === 0) return emptyRoot;
    const edge = this.#edge.slice(0, this.#end);
    for (let last = this.#end - 8; last > 0; last -= 8) writeNodeHash(edge, last - 8, last);
    return hashToBytes(edge, 0);
  }
}

function isWholeNumber(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}
