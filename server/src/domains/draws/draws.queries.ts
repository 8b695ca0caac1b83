import type { PrizeCurrency } from '@handwise/contract/draws/prize';
import { type Insertable, type Selectable, sql } from 'kysely';
import { publishChange } from '../../kit/events/changes.ts';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';

export type DrawRow = Selectable<DB['draws']>;
export type ActionKind = Selectable<DB['draw_actions']>['action'];

export async function insertDraw(tx: Tx, draw: Insertable<DB['draws']> & { id: string }) {
  await publishChange(tx, 'draws', draw.id);
  return tx.insertInto('draws').values(draw).returningAll().executeTakeFirstOrThrow();
}

export const insertFiles = (tx: Tx, files: Insertable<DB['draw_files']>) => tx.insertInto('draw_files').values(files).execute();

export const findDraw = (db: Reader, id: string) => db.selectFrom('draws').selectAll().where('id', '=', id).executeTakeFirst();

/** Whoever does something with a draw waits here for the others. Not `for update`: what points at the draw can still be written. */
export const lockDraw = (tx: Tx, id: string) => tx.selectFrom('draws').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export const listDraws = (db: Reader) => db.selectFrom('draws').selectAll().execute();

/** Draws whose announced round is due. */
export const listDue = (db: Reader, now: Date) =>
  db
    .selectFrom('draws')
    .selectAll()
    .where('status', '=', sql.lit('waiting'))
    .where('expected_at', '<=', now)
    .orderBy('expected_at')
    .execute();

/** The entries as the proof file has them: its bytes, which are made once. */
export async function readEntries(db: Reader, drawId: string): Promise<Buffer> {
  return (await db.selectFrom('draw_files').select('entries').where('draw_id', '=', drawId).executeTakeFirstOrThrow()).entries;
}

/** Where each entry stands and begins: 16 bytes of its id, 4 of its first ticket. */
export async function readPlaces(db: Reader, drawId: string): Promise<Buffer> {
  return (await db.selectFrom('draw_files').select('places').where('draw_id', '=', drawId).executeTakeFirstOrThrow()).places;
}

/** Hashes of the entries' tree by their places in the file. */
export async function readTree(db: Reader, drawId: string, places: readonly number[]): Promise<Buffer[]> {
  const rows = await db
    .selectFrom('draw_files')
    .innerJoin(unnestTable('wanted', { at: ['int', places] }), (join) => join.onTrue())
    .select(sql<Buffer>`substring(tree from wanted.at * 32 + 1 for 32)`.as('hash'))
    .where('draw_id', '=', drawId)
    .orderBy('wanted.place')
    .execute();
  return rows.map(({ hash }) => hash);
}

export const insertPicks = (tx: Tx, picks: Insertable<DB['draw_picks']>[]) => tx.insertInto('draw_picks').values(picks).execute();

const picks = (db: Reader) =>
  db
    .selectFrom('draw_picks')
    .leftJoin('prize_claims', 'pick_id', 'draw_picks.id')
    .selectAll('draw_picks')
    .select(['prize_claims.id as claim_id', 'currency', 'claimed_at', 'erased_at'])
    .orderBy('draw_id')
    .orderBy('place');
export type PickRow = Awaited<ReturnType<typeof listPicks>>[number];

/** Everybody who was picked in these draws, in the order of the draws. */
export const listPicks = (db: Reader, drawIds: readonly string[]) =>
  picks(db)
    .where('draw_id', '=', sql<string>`any(${[...drawIds]}::uuid[])`)
    .execute();

/** Prizes that were won by one of these entries and not lost again, the oldest first. */
export const listWonBy = (db: Reader, entryIds: readonly string[]) =>
  picks(db)
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select(['prize', 'paid_at', 'closed_at'])
    .where('entry_id', '=', sql<string>`any(${[...entryIds]}::text[])`)
    .where('won_at', 'is not', null)
    .where('struck_at', 'is', null)
    .clearOrderBy()
    .orderBy('closed_at')
    .execute();

export const markWon = (tx: Tx, pickId: string, wonAt: Date, claimBy: Date) =>
  tx.updateTable('draw_picks').set({ won_at: wonAt, claim_by: claimBy }).where('id', '=', pickId).execute();

export async function markStruck(tx: Tx, pickId: string, at: Date, reason: string) {
  await publishChange(tx, 'draws', pickId);
  await tx.updateTable('draw_picks').set({ struck_at: at, struck_reason: reason }).where('id', '=', pickId).execute();
}

const unclaimed = (db: Reader) =>
  db
    .selectFrom('draw_picks')
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select(['draw_picks.id', 'draw_id', 'entry_id', 'won_at', 'claim_by', 'reminders'])
    .where('prize', '=', sql.lit('pending'))
    .where('won_at', 'is not', null)
    .where('struck_at', 'is', null);

/** Winners who have not claimed, and were told before this time. */
export const listUnclaimed = (db: Reader, wonBefore: Date) => unclaimed(db).where('won_at', '<=', wonBefore).execute();

export const setReminders = (tx: Tx, pickId: string, reminders: number) =>
  tx.updateTable('draw_picks').set({ reminders }).where('id', '=', pickId).execute();

export const insertClaim = (
  tx: Tx,
  claim: { id: string; pick_id: string; currency: PrizeCurrency; claimed_at: Date },
  { keyId, sealed }: Sealed,
) =>
  tx
    .insertInto('prize_claims')
    .values({ ...claim, key_id: keyId, sealed })
    .execute();

/** What was sealed with a claim; undefined once it is erased. */
export async function findSealed(db: Reader, claimId: string): Promise<Sealed | undefined> {
  const row = await db.selectFrom('prize_claims').select(['key_id', 'sealed']).where('id', '=', claimId).executeTakeFirst();
  return row?.key_id && row.sealed ? { keyId: row.key_id, sealed: row.sealed } : undefined;
}

export const eraseClaim = (tx: Tx | Reader, claimId: string, at: Date) =>
  tx
    .updateTable('prize_claims')
    .set({ key_id: null, sealed: null, erased_at: at })
    .where('id', '=', claimId)
    .where('erased_at', 'is', null)
    .execute();

/** Claims whose prize was paid before this time and whose details are still there. */
export const listPaidBefore = (db: Reader, time: Date) =>
  db
    .selectFrom('prize_claims')
    .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select('prize_claims.id')
    .where('erased_at', 'is', null)
    .where('paid_at', '<=', time)
    .execute();

/** Claims that are sealed with another key than this one. */
export const listSealedOtherwise = (db: Reader, keyId: string) =>
  db.selectFrom('prize_claims').select('id').where('erased_at', 'is', null).where('key_id', '<>', keyId).execute();

/** False where the claim was erased or sealed anew meanwhile. */
export async function sealAnew(db: Reader, claimId: string, before: string, { keyId, sealed }: Sealed): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('prize_claims')
    .set({ key_id: keyId, sealed })
    .where('id', '=', claimId)
    .where('key_id', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

export const insertAction = (tx: Tx, action: Insertable<DB['draw_actions']>) => tx.insertInto('draw_actions').values(action).execute();

/** Everything of a draw that the audit log may have entries about: itself, who was picked, their claims, what administrators did. */
export async function listSubjects(db: Reader, drawId: string): Promise<string[]> {
  const picks = db.selectFrom('draw_picks').where('draw_id', '=', drawId);
  const rows = await db
    .selectFrom('draw_actions')
    .select('id')
    .where('draw_id', '=', drawId)
    .unionAll(picks.select('id'))
    .unionAll(picks.innerJoin('prize_claims', 'pick_id', 'draw_picks.id').select('prize_claims.id'))
    .execute();
  return [drawId, ...rows.map(({ id }) => id)];
}
