import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './bytes.ts';
import { IncrementalTree, hashLeaf, hashChildren } from './tree.ts';

// Algorithm draw-v1: docs/draw.md.

/** @public The name in every proof. */
export const algorithm = 'draw-v1';
export const maxReserves = 10;

export type Entry = { id: string; tickets: number };
export type Pick = { entryId: string; ticketIndex: number };

export const isEntryId = (id: string) => /^[\da-f]{32}$/.test(id);

/** The first fault of the entries in this order, or null. */
export function findEntriesFault(entries: readonly Entry[]): string | null {
  let before = '';
  let total = 0;
  for (const { id, tickets } of entries) {
    if (!isEntryId(id)) return `${JSON.stringify(id)} is not an entry id`;
    if (!Number.isSafeInteger(tickets) || tickets < 1) return `entry ${id} has ${tickets} tickets`;
    if (id === before) return `entry ${id} appears twice`;
    if (id < before) return `entry ${id} comes after ${before}: entries must be sorted by id`;
    before = id;
    total += tickets;
  }
  return Number.isSafeInteger(total) ? null : `${total} tickets are more than can be counted exactly`;
}

/** Sorts random ids within buckets of their first digits, which halves the time for a million. */
export function sortById(entries: Iterable<Entry>): Entry[] {
  const buckets: Entry[][] = Array.from({ length: 16 ** 3 }, () => []);
  for (const entry of entries) buckets[Number.parseInt(entry.id.slice(0, 3), 16) || 0]?.push(entry);
  // In lower-case hexadecimal, string order is byte order.
  return buckets.flatMap((bucket) => bucket.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id))));
}

/** Sorted as in the draw. Throws on invalid entries. */
export function sortEntries(entries: readonly Entry[]): Entry[] {
  const sorted = sortById(entries);
  const fault = findEntriesFault(sorted);
  if (fault) throw new Error(fault);
  return sorted;
}

export const countTickets = (entries: readonly Entry[]) => entries.reduce((total, { tickets }) => total + tickets, 0);

const formatEntry = ({ id, tickets }: Entry) => `${id}:${tickets}`;
export const hashEntry = (entry: Entry) => hashLeaf(formatEntry(entry));

/** In hexadecimal. */
export function computeEntriesRoot(sorted: readonly Entry[]): string {
  const tree = new IncrementalTree();
  for (const entry of sorted) tree.add(formatEntry(entry));
  return toHex(tree.root());
}

/** Every level of the tree, leaves first, for many paths from one tree. */
export function buildEntryLevels(sorted: readonly Entry[]): Uint8Array[][] {
  const levels = [sorted.map(hashEntry)];
  for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
    const level: Uint8Array[] = [];
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]];
      // The last of an odd number moves up unchanged, which gives the tree of RFC 6962.
      if (left) level.push(right ? hashChildren(left, right) : left);
    }
    levels.push(level);
  }
  return levels;
}

/** The Merkle path from an entry to the root, in hexadecimal, for `verifyInclusion`. The server reads it from slices of the stored tree. */
export function buildMerklePath(levels: Uint8Array[][], index: number): string[] {
  return levels.slice(0, -1).flatMap((level, height) => {
    const sibling = level[Math.floor(index / 2 ** height) ^ 1];
    return sibling ? [toHex(sibling)] : [];
  });
}

/** How many of the 2^64 numbers are used; using the remainder would favour the first tickets. */
export const countUsableNumbers = (total: number) => (2n ** 64n / BigInt(total)) * BigInt(total);

/** A stream of numbers: 64 bits each of HMAC-SHA256 over the root and a counter. */
export function* generateNumbers(randomness: Uint8Array, root: Uint8Array): Generator<bigint> {
  const keyed = hmac.create(sha256, randomness);
  const counter = new Uint8Array(8);
  const view = new DataView(counter.buffer);
  for (let k = 0n; ; k += 1n) {
    view.setBigUint64(0, k);
    const digest = keyed.clone().update(root).update(counter).digest();
    yield new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  }
}

/** Uniformly distributed ticket indexes. */
export function* drawTicketIndexes(numbers: Iterable<bigint>, total: number): Generator<number> {
  const limit = countUsableNumbers(total);
  for (const number of numbers) if (number < limit) yield Number(number % BigInt(total));
}

// Real draws need a few thousand numbers at most; a forged file must not keep its reader busy forever.
const maxTries = 100_000;

/** The winner and up to ten reserves in order; empty without entries. `randomness` and `root` are 32 bytes each in hexadecimal. */
export function pickEntries(sorted: readonly Entry[], randomness: string, root: string): Pick[] {
  const [key, message] = [fromHex(randomness, 32), fromHex(root, 32)];
  if (!key || !message) throw new Error('Randomness and root are 32 bytes each in hexadecimal');
  const ends = new Float64Array(sorted.length);
  let total = 0;
  for (const [place, { tickets }] of sorted.entries()) ends[place] = total += tickets;
  const wanted = Math.min(sorted.length, 1 + maxReserves);
  const picks = new Map<number, Pick>();
  if (wanted === 0) return [];
  let tries = 0;
  for (const ticketIndex of drawTicketIndexes(generateNumbers(key, message), total)) {
    const place = findEntryIndex(ends, ticketIndex);
    const entry = sorted[place];
    if (entry && !picks.has(place)) picks.set(place, { entryId: entry.id, ticketIndex });
    if (picks.size === wanted) break;
    if ((tries += 1) > maxTries) throw new Error('The entries are too uneven to be drawn from');
  }
  return [...picks.values()];
}

/** The first entry whose tickets end after this index. */
function findEntryIndex(ends: Float64Array, ticketIndex: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ends[middle] ?? 0) > ticketIndex) to = middle;
    else from = middle + 1;
  }
  return from;
}
