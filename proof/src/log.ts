import { type Entry, inOrder, isEntryId } from './draw.ts';
import { GrowingRoot } from './tree.ts';
import { type VoidReason, voidReasons } from './void-reasons.ts';

// ticket-log-v1, as docs/draw.md describes it: everything that was said about tickets during a month, in its order.

/** `at` is a time in UTC to the second: 2026-11-21T09:30:00Z. */
export type LogLeaf =
  | { kind: 'issued'; entryId: string; tickets: number; at: string }
  | { kind: 'voided'; entryId: string; reason: VoidReason; at: string };

/** A time as the leaves have it. */
export const leafTime = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

export function leafText(leaf: LogLeaf): string {
  return leaf.kind === 'issued' ? `+ ${leaf.entryId} ${leaf.tickets} ${leaf.at}` : `- ${leaf.entryId} ${leaf.reason} ${leaf.at}`;
}

const isReason = (word: string): word is VoidReason => (voidReasons as readonly string[]).includes(word);

// Many leaves in a row are of the same second.
let lastTime = '';
function isTime(text: string): boolean {
  if (text === lastTime) return true;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) || Number.isNaN(Date.parse(text))) return false;
  lastTime = text;
  return true;
}

/** The leaf of a text; null where it is none, to the last character. */
export function parseLeaf(text: string): LogLeaf | null {
  const [sign, entryId, what, at] = [text.slice(0, 2), text.slice(2, 34), text.slice(35, -21), text.slice(-20)];
  if (text[34] !== ' ' || text.at(-21) !== ' ' || !isEntryId(entryId) || !isTime(at)) return null;
  if (sign === '- ') return isReason(what) ? { kind: 'voided', entryId, reason: what, at } : null;
  const tickets = Number(what);
  return sign === '+ ' && /^[1-9]\d*$/.test(what) && Number.isSafeInteger(tickets) ? { kind: 'issued', entryId, tickets, at } : null;
}

/** The leaves of a log as it is served: one a line, the last line end is none of them. */
export function leavesOfText(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

export type Replay = {
  size: number;
  root: Uint8Array;
  /** Tickets by the ids of the entries that were issued and not voided. */
  tickets: Map<string, number>;
  /** The same in the order of the draw, worked out where somebody asks. */
  readonly entries: Entry[];
  voided: Record<VoidReason, number>;
  /** The root at each of the sizes that were asked for, as far as the log reaches. */
  rootsAt: Map<number, Uint8Array>;
  /** What no honest log holds, with the number of its line. */
  faults: string[];
};

/** Works a whole log out: who is in the draw in the end, and what the root was at these sizes. */
export function replayLog(leaves: Iterable<string>, sizes: readonly number[] = []): Replay {
  const tree = new GrowingRoot();
  // No tickets where an entry is void.
  const accounts = new Map<string, number>();
  const voided = Object.fromEntries(voidReasons.map((reason) => [reason, 0])) as Record<VoidReason, number>;
  const rootsAt = new Map<number, Uint8Array>();
  const faults: string[] = [];
  const wanted = new Set(sizes);
  const keepRoot = () => wanted.has(tree.size) && rootsAt.set(tree.size, tree.root());
  keepRoot();
  for (const text of leaves) {
    tree.add(text);
    keepRoot();
    const fault = take(parseLeaf(text));
    if (fault) faults.push(`line ${tree.size}: ${fault}`);
  }
  const tickets = new Map<string, number>();
  for (const [id, count] of accounts) if (count > 0) tickets.set(id, count);
  return {
    size: tree.size,
    root: tree.root(),
    tickets,
    get entries() {
      return inOrder([...tickets].map(([id, count]) => ({ id, tickets: count })));
    },
    voided,
    rootsAt,
    faults,
  };

  /** Takes a leaf into the account; what is wrong with it, null where nothing is. */
  function take(leaf: LogLeaf | null): string | null {
    if (!leaf) return 'is no leaf of a ticket log';
    const { entryId } = leaf;
    const before = accounts.get(entryId);
    if (leaf.kind === 'issued') {
      if (before !== undefined) return `entry ${entryId} is issued a second time`;
      accounts.set(entryId, leaf.tickets);
      return null;
    }
    if (before === undefined) return `entry ${entryId} is voided before it was issued`;
    if (before === 0) return `entry ${entryId} is voided a second time`;
    accounts.set(entryId, 0);
    voided[leaf.reason] += 1;
    return null;
  }
}
