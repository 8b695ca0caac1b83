import type { z } from 'zod';
import type { listOwnEntriesCall } from '@handwise/contract/draws/calls';
import type { Db, Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listEntriesOfUser, type Period, getPeriodByMonth } from '../tickets/tickets.service.ts';
import * as queries from './draws.queries.ts';
import { pathPositions, findEntryPlace } from './draws.rules.ts';

type OwnEntry = z.infer<typeof listOwnEntriesCall.response>['entries'][number];

/** A user's entries of one month or all, with the Merkle path to the published root if the draw has closed. */
export async function listEntriesWithProofs(db: Db, userId: string, only: string | undefined): Promise<OwnEntry[]> {
  const period = only === undefined ? undefined : await getPeriodByMonth(db, only);
  const entries = await listEntriesOfUser(db, userId, period);
  const drawn = Map.groupBy(
    entries.filter(({ status }) => status === 'drawn'),
    (entry) => entry.period,
  );
  const paths = new Map<string, OwnEntry['proof']>();
  for (const [text, ofPeriod] of drawn) {
    for (const [id, path] of await loadPaths(db, await getPeriodByMonth(db, text), ofPeriod)) paths.set(id, path);
  }
  return entries.map((entry) => ({ ...entry, proof: paths.get(entry.id) ?? null }));
}

async function loadPaths(db: Db, period: Period, entries: readonly { id: string }[]) {
  const paths = new Map<string, NonNullable<OwnEntry['proof']>>();
  const draw = await queries.findDraw(db, period.id);
  if (!draw) return paths;
  const places = await queries.readEntryPlaces(db, draw.id);
  for (const { id } of entries) {
    const place = findEntryPlace(places, id);
    if (!place) continue;
    const hashes = await queries.readTree(db, draw.id, pathPositions(place));
    paths.set(id, { ...place, path: hashes.map((hash) => hash.toString('hex')), root: draw.root.toString('hex') });
  }
  return paths;
}

/** Leaves out bank details, which only administrators can see. */
export async function getOwnDrawData(db: Reader, userId: string): Promise<OwnData> {
  const won = await queries.listPrizesOfUser(db, userId);
  const prizes = won.map((one) => ({
    draw: one.draw_id,
    entry: one.entry_id,
    wonAt: one.won_at,
    prize: one.prize,
    currency: one.currency,
    claimedAt: one.claimed_at,
    paidAt: one.paid_at,
    bankDetailsErasedAt: one.erased_at,
  }));
  return { lists: { prizes: () => prizes } };
}
