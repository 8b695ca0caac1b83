import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { fromHex, toHex } from './bytes.ts';
import { GrowingRoot, leafHash, nodeHash } from './tree.ts';

// Algorithm draw-v1: docs/draw.md.

/** @public The name of all this, which every proof gives. */
export const algorithm = 'draw-v1';
export const maxReserves = 10;

export type Entry = { id: string; tickets: number };
export type Pick = { entryId: string; ticketIndex: number };

export const isEntryId = (id: string) => /^[\da-f]{32}$/.test(id);

/** What is wrong with the entries of a draw, taken in this order; null where nothing is. */
export function faultOfEntries(entries: readonly Entry[]): string | null {
  let before = '';
  let total = 0;
  for (const { id, tickets } of entries) {
    if (!isEntryId(id)) return `${JSON.stringify(id)} is no entry id`;
    if (!Number.isSafeInteger(tickets) || tickets < 1) return `entry ${id} has ${tickets} tickets`;
    if (id === before) return `entry ${id} stands there twice`;
    if (id < before) return `entry ${id} stands behind ${before}: entries are sorted by their ids`;
    before = id;
    total += tickets;
  }
  return Number.isSafeInteger(total) ? null : `${total} tickets are more than can be counted exactly`;
}

/** In the order of their ids. They are random: sorted within heaps of the same first digits, a million take half the time. */
export function inOrder(entries: Iterable<Entry>): Entry[] {
  const heaps: Entry[][] = Array.from({ length: 16 ** 3 }, () => []);
  for (const entry of entries) heaps[Number.parseInt(entry.id.slice(0, 3), 16) || 0]?.push(entry);
  // Digits and letters a to f: the order of their characters is the order of their bytes.
  return heaps.flatMap((heap) => heap.toSorted((a, b) => (a.id < b.id ? -1 : Number(a.id > b.id))));
}

/** The entries in the order of the draw. Throws where they are none of a draw. */
export function sortEntries(entries: readonly Entry[]): Entry[] {
  const sorted = inOrder(entries);
  const fault = faultOfEntries(sorted);
  if (fault) throw new Error(fault);
  return sorted;
}

export const totalOf = (entries: readonly Entry[]) => entries.reduce((total, { tickets }) => total + tickets, 0);

const entryText = ({ id, tickets }: Entry) => `${id}:${tickets}`;
export const entryLeaf = (entry: Entry) => leafHash(entryText(entry));

/** The root over sorted entries, in hexadecimal. */
export function rootOfEntries(sorted: readonly Entry[]): string {
  const tree = new GrowingRoot();
  for (const entry of sorted) tree.add(entryText(entry));
  return toHex(tree.root());
}

/** Every level of the tree over sorted entries, leaves first: for many paths from one tree. */
export function levelsOfEntries(sorted: readonly Entry[]): Uint8Array[][] {
  const levels = [sorted.map(entryLeaf)];
  for (let below = levels[0] ?? []; below.length > 1; below = levels.at(-1) ?? []) {
    const level: Uint8Array[] = [];
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at], below[at + 1]];
      // The last of an odd number has no neighbour and goes up as it is: that is the tree of RFC 6962 level by level.
      if (left) level.push(right ? nodeHash(left, right) : left);
    }
    levels.push(level);
  }
  return levels;
}

/**
 * The Merkle path from the entry at this place to the root, in hexadecimal: as `verifyInclusion` of the tree takes it. The server
 * makes it from slices of the stored tree.
 */
export function pathInLevels(levels: Uint8Array[][], index: number): string[] {
  return levels.slice(0, -1).flatMap((level, height) => {
    const neighbour = level[Math.floor(index / 2 ** height) ^ 1];
    return neighbour ? [toHex(neighbour)] : [];
  });
}

/** How many of the 2^64 numbers are used: with the rest, the first tickets would be drawn a little more often. */
export const usableNumbers = (total: number) => (2n ** 64n / BigInt(total)) * BigInt(total);

/** The numbers of the stream: 64 bits of HMAC-SHA256 over the root and a counter. */
export function* numbersOf(randomness: Uint8Array, root: Uint8Array): Generator<bigint> {
  const keyed = hmac.create(sha256, randomness);
  const counter = new Uint8Array(8);
  const view = new DataView(counter.buffer);
  for (let k = 0n; ; k += 1n) {
    view.setBigUint64(0, k);
    const digest = keyed.clone().update(root).update(counter).digest();
    yield new DataView(digest.buffer, digest.byteOffset).getBigUint64(0);
  }
}

/** The ticket indices of a stream of numbers, each of the tickets with the same chance. */
export function* ticketsOf(numbers: Iterable<bigint>, total: number): Generator<number> {
  const limit = usableNumbers(total);
  for (const number of numbers) if (number < limit) yield Number(number % BigInt(total));
}

// Ten entries of fifty tickets hide one of one ticket for some thousand numbers at most. A made-up file shall not
// keep its reader busy for ever.
const patience = 100_000;

/**
 * The winner and up to ten reserves of sorted entries, in their order; none of no entries. Throws where randomness and root are not
 * 32 bytes each in hexadecimal.
 */
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
  for (const ticketIndex of ticketsOf(numbersOf(key, message), total)) {
    const place = placeOfTicket(ends, ticketIndex);
    const entry = sorted[place];
    if (entry && !picks.has(place)) picks.set(place, { entryId: entry.id, ticketIndex });
    if (picks.size === wanted) break;
    if ((tries += 1) > patience) throw new Error('The entries are too uneven to be drawn from');
  }
  return [...picks.values()];
}

/** Whose ticket it is: the first entry that ends behind it. */
function placeOfTicket(ends: Float64Array, ticketIndex: number): number {
  let [from, to] = [0, ends.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((ends[middle] ?? 0) > ticketIndex) to = middle;
    else from = middle + 1;
  }
  return from;
}
