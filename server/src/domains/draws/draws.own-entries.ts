import type { listOwnEntries } from '@handwise/contract/draws/calls';
import type { z } from 'zod';
import type { Db, Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { listEntriesOfUser, type Period, getPeriodByMonth } from '../tickets/tickets.service.ts';
import * as queries from './draws.queries.ts';
import { pathPlaces, placeOf } from './draws.rules.ts';
import { listWon } from './draws.winners.ts';

type OwnEntry = z.infer<typeof listOwnEntries.response>['entries'][number];

/** Somebody's entries, in one month or in all, with the paths to the published roots of those draws that have closed. */
export async function listOwn(db: Db, userId: string, only: string | undefined): Promise<OwnEntry[]> {
  const period = only === undefined ? undefined : await getPeriodByMonth(db, only);
  const entries = await listEntriesOfUser(db, userId, period);
  const drawn = Map.groupBy(
    entries.filter(({ status }) => status === 'drawn'),
    (entry) => entry.period,
  );
  const paths = new Map<string, OwnEntry['proof']>();
  for (const [text, ofPeriod] of drawn) {
    for (const [id, path] of await pathsIn(db, await getPeriodByMonth(db, text), ofPeriod)) paths.set(id, path);
  }
  return entries.map((entry) => ({ ...entry, proof: paths.get(entry.id) ?? null }));
}

async function pathsIn(db: Db, period: Period, entries: readonly { id: string }[]) {
  const paths = new Map<string, NonNullable<OwnEntry['proof']>>();
  const draw = await queries.findDraw(db, period.id);
  if (!draw) return paths;
  const places = await queries.readPlaces(db, draw.id);
  for (const { id } of entries) {
    const place = placeOf(places, id);
    if (!place) continue;
    const hashes = await queries.readTree(db, draw.id, pathPlaces(place));
    paths.set(id, { ...place, path: hashes.map((hash) => hash.toString('hex')), root: draw.root.toString('hex') });
  }
  return paths;
}

/** The prizes that somebody won, without the bank details, which only administrators who pay can see. */
export async function ownDataOf(db: Reader, userId: string): Promise<OwnData> {
  const won = await listWon(db, userId);
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
  return { lists: { prizes: () => prizes }, pictures: [] };
}
