import { type Entry, sortById, isEntryId } from './draw.ts';
import { IncrementalTree } from './tree.ts';
import { type VoidReason, voidReasons } from './void-reasons.ts';

// ticket-log-v1, described in docs/draw.md: every ticket issued or voided during a month, in order.

/** `at` is a time in UTC to the second: 2026-11-21T09:30:00Z. */
export type LogLeaf =
  | { kind: 'issued'; entryId: string; tickets: number; at: string }
  | { kind: 'voided'; entryId: string; reason: VoidReason; at: string };

export const formatLeafTime = (time: Date) => `${time.toISOString().slice(0, 19)}Z`;

export function formatLeaf(leaf: LogLeaf): string {
  return leaf.kind === 'issued' ? `+ ${leaf.entryId} ${leaf.tickets} ${leaf.at}` : `- ${leaf.entryId} ${leaf.reason} ${leaf.at}`;
}

const isReason = (word: string): word is VoidReason => (voidReasons as readonly string[]).includes(word);

// Consecutive leaves often have the same second.
let lastTime = '';
function isTime(text: string): boolean {
  if (text === lastTime) return true;
  if (!/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/.test(text) || Number.isNaN(Date.parse(text))) return false;
  lastTime = text;
  return true;
}

/** Null unless the whole text is a leaf. */
export function parseLeaf(text: string): LogLeaf | null {
  const [sign, entryId, what, at] = [text.slice(0, 2), text.slice(2, 34), text.slice(35, -21), text.slice(-20)];
  if (text[34] !== ' ' || text.at(-21) !== ' ' || !isEntryId(entryId) || !isTime(at)) return null;
  if (sign === '- ') return isReason(what) ? { kind: 'voided', entryId, reason: what, at } : null;
  const tickets = Number(what);
  return sign === '+ ' && /^[1-9]\d*$/.test(what) && Number.isSafeInteger(tickets) ? { kind: 'issued', entryId, tickets, at } : null;
}

/** One leaf per line; the final line end is not a leaf. */
export function parseLogText(text: string): string[] {
  if (text === '') return [];
  return text.replace(/\r?\n$/, '').split(/\r?\n/);
}

export type Replay = {
  size: number;
  root: Uint8Array;
  /** Tickets by entry id, without void entries. */
  tickets: Map<string, number>;
  /** The same entries sorted as in the draw, computed on access. */
  readonly entries: Entry[];
  voided: Record<VoidReason, number>;
  /** The root at each requested size that the log reaches. */
  rootsAt: Map<number, Uint8Array>;
  /** Violations of the log's rules with their line numbers. */
  faults: string[];
};

/** Replays a whole log: the entries at its end and the roots at these sizes. */
export function replayLog(leaves: Iterable<string>, sizes: readonly number[] = []): Replay {
  const tree = new IncrementalTree();
  // Zero tickets for a void entry.
  const accounts = new Map<string, number>();
  const voided = Object.fromEntries(voidReasons.map((reason) => [reason, 0])) as Record<VoidReason, number>;
  const rootsAt = new Map<number, Uint8Array>();
  const faults: string[] = [];
  const wanted = new Set(sizes);
  const saveRoot = () => wanted.has(tree.size) && rootsAt.set(tree.size, tree.root());
  saveRoot();
  for (const text of leaves) {
    tree.add(text);
    saveRoot();
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
      return sortById([...tickets].map(([id, count]) => ({ id, tickets: count })));
    },
    voided,
    rootsAt,
    faults,
  };

  /** Applies a leaf; returns its fault or null. */
  function take(leaf: LogLeaf | null): string | null {
    if (!leaf) return 'is not a leaf of a ticket log';
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
