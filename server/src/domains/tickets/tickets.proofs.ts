import { maxLeavesPerCall } from '@handwise/contract/tickets/calls';
import { consistencyPath, inclusionPath } from '@handwise/proof/tree';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import * as log from './tickets.log.ts';
import { type Period, getPeriodByMonth } from './tickets.periods.ts';
import { findEntry } from './tickets.queries.ts';

const toBase64 = (hashes: Uint8Array[]) => hashes.map((hash) => Buffer.from(hash).toString('base64'));

/** At most `maxLeavesPerCall` leaves. Throws `beyond_the_log`. */
export async function readLeaves(db: Reader, period: Period, { from = 0, to }: { from?: number | undefined; to?: number | undefined }) {
  const size = period.logSize;
  if (from > size || (to !== undefined && to < from)) throw new AppError('beyond_the_log');
  return { size, leaves: await log.listLeaves(db, period.id, from, Math.min(to ?? size, size, from + maxLeavesPerCall)) };
}

/** Streams the log as it was when the period was read; leaves appended meanwhile are left out. */
export async function* streamLogText(db: Reader, { id, logSize }: Pick<Period, 'id' | 'logSize'>): AsyncGenerator<string> {
  for (let from = 0; from < logSize; from += maxLeavesPerCall) {
    const leaves = await log.listLeaves(db, id, from, Math.min(logSize, from + maxLeavesPerCall));
    yield `${leaves.join('\n')}\n`;
  }
}

/** Throws `draw_period_not_found`. */
export async function readCheckpoint(db: Reader, month: string): Promise<string> {
  const { id } = await getPeriodByMonth(db, month);
  const head = await log.findNewestHead(db, id);
  if (!head) throw new AppError('draw_period_not_found');
  return head.checkpoint;
}

/**
 * Proves that the head of a size, by default the newest, includes the leaf that issued an entry. Throws `draw_period_not_found`,
 * `entry_not_found`, `beyond_the_log`.
 */
export async function proveInclusion(db: Reader, month: string, entryId: string, wantedSize: number | undefined) {
  const period = await getPeriodByMonth(db, month);
  const entry = await findEntry(db, period.id, entryId);
  if (!entry) throw new AppError('entry_not_found');
  const index = entry.leaf_index;
  const size = wantedSize ?? (await log.findNewestHead(db, period.id))?.size ?? period.logSize;
  if (size > period.logSize || size <= index) throw new AppError('beyond_the_log');
  const path = await inclusionPath(index, size, log.createNodeReader(db, period.id).read);
  return { index, size, leaf: await log.getLeaf(db, period.id, index), path: toBase64(path) };
}

/** Proves that the log of size `from` is a prefix of the log of size `to`. Throws `draw_period_not_found`, `beyond_the_log`. */
export async function proveConsistency(db: Reader, month: string, from: number, to: number) {
  const period = await getPeriodByMonth(db, month);
  if (from > to || to > period.logSize) throw new AppError('beyond_the_log');
  return { path: toBase64(await consistencyPath(from, to, log.createNodeReader(db, period.id).read)) };
}
