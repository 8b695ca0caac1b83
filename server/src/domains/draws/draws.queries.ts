import { type Insertable, type Selectable, sql } from 'kysely';
import type { PrizeCurrency } from '@handwise/contract/draws/prize';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable, anyId } from '../../kit/database/sql-helpers.ts';
import { publishChange } from '../../kit/events/changes.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';

export type DrawRow = Selectable<DB['draws']>;
export type ActionKind = Selectable<DB['draw_actions']>['action'];

export async function insertDraw(tx: Tx, draw: Insertable<DB['draws']> & { id: string }) {
  await publishChange(tx, 'draws', draw.id);
  return tx.insertInto('draws').values(draw).returningAll().executeTakeFirstOrThrow();
}

export const insertFiles = (tx: Tx, files: Insertable<DB['draw_files']>) => tx.insertInto('draw_files').values(files).execute();

export const findDraw = (db: Reader, id: string) => db.selectFrom('draws').selectAll().where('id', '=', id).executeTakeFirst();

/** Serializes changes of a draw. Not `for update`, so that rows that reference it can still be inserted. */
export const lockDraw = (tx: Tx, id: string) => tx.selectFrom('draws').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst();

export const setResultPushedTo = (tx: Tx, id: string, userId: string) =>
  tx.updateTable('draws').set({ result_pushed_to: userId }).where('id', '=', id).execute();

export const listDraws = (db: Reader) => db.selectFrom('draws').selectAll().execute();

/** Draws whose announced round is due. */
export const listDueDraws = (db: Reader, now: Date) =>
  db
    .selectFrom('draws')
    .selectAll()
    .where('status', '=', sql.lit('waiting'))
    .where('expected_at', '<=', now)
    .orderBy('expected_at')
    .execute();

/** The entries as bytes of the proof file, created once at closing. */
export async function readEntries(db: Reader, drawId: string): Promise<Buffer> {
  return (await db.selectFrom('draw_files').select('entries').where('draw_id', '=', drawId).executeTakeFirstOrThrow()).entries;
}

/** 20 bytes per entry: 16 of its id, 4 of its first ticket's number. */
export async function readEntryPlaces(db: Reader, drawId: string): Promise<Buffer> {
  return (await db.selectFrom('draw_files').select('places').where('draw_id', '=', drawId).executeTakeFirstOrThrow()).places;
}

/** Hashes of the entries' tree by their positions in the file. */
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
    .innerJoin('draw_entries', 'draw_entries.id', 'entry_id')
    .leftJoin('prize_claims', 'pick_id', 'draw_picks.id')
    .selectAll('draw_picks')
    .select(['user_id', 'tickets', 'currency', 'claimed_at', 'erased_at'])
    .orderBy('draw_id')
    .orderBy('place');
/** With its owner and tickets, and the claim if there is one. */
export type PickRow = Awaited<ReturnType<typeof listPicks>>[number];

/** All picks of these draws, in the order drawn. */
export const listPicks = (db: Reader, drawIds: readonly string[]) => picks(db).where('draw_id', '=', anyId(drawIds)).execute();

/** Prizes won by this user and not struck, oldest first. */
export const listPrizesOfUser = (db: Reader, userId: string) =>
  picks(db)
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select(['prize', 'paid_at', 'closed_at'])
    .where('user_id', '=', userId)
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

/** Winners without a claim who were notified before this time. */
export const listUnclaimed = (db: Reader, wonBefore: Date) =>
  db
    .selectFrom('draw_picks')
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select(['draw_picks.id', 'draw_id'])
    .where('prize', '=', sql.lit('pending'))
    .where('struck_at', 'is', null)
    .where('won_at', '<=', wonBefore)
    .execute();

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

/** The claim of the pick that has the prize now, with the winner's id. */
export const findCurrentClaim = (tx: Tx, drawId: string) =>
  tx
    .selectFrom('prize_claims')
    .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
    .innerJoin('draw_entries', 'draw_entries.id', 'entry_id')
    .select(['prize_claims.id', 'currency', 'claimed_at', 'user_id'])
    .where('draw_id', '=', drawId)
    .where('struck_at', 'is', null)
    .executeTakeFirst();

/** Undefined once erased. */
export async function findSealedClaim(db: Reader, claimId: string): Promise<Sealed | undefined> {
  const row = await db.selectFrom('prize_claims').select(['key_id', 'sealed']).where('id', '=', claimId).executeTakeFirst();
  return row?.key_id && row.sealed ? { keyId: row.key_id, sealed: row.sealed } : undefined;
}

/** Erases the bank details of a pick's claim, if there is one. */
export const eraseClaim = (db: Reader, pickId: string, at: Date) =>
  db
    .updateTable('prize_claims')
    .set({ key_id: null, sealed: null, erased_at: at })
    .where('pick_id', '=', pickId)
    .where('erased_at', 'is', null)
    .execute();

/** Picks paid before this time whose bank details are not erased. */
export const listPaidBefore = (db: Reader, time: Date) =>
  db
    .selectFrom('prize_claims')
    .innerJoin('draw_picks', 'draw_picks.id', 'pick_id')
    .innerJoin('draws', 'draws.id', 'draw_id')
    .select('draw_picks.id')
    .where('erased_at', 'is', null)
    .where('paid_at', '<=', time)
    .execute();

export const listClaimsOfOtherKeys = (db: Reader, keyId: string) =>
  db.selectFrom('prize_claims').select('id').where('erased_at', 'is', null).where('key_id', '<>', keyId).execute();

/** Leaves a claim that was erased or re-encrypted meanwhile as it is. */
export const updateSealedClaim = (db: Reader, claimId: string, before: string, { keyId, sealed }: Sealed) =>
  db.updateTable('prize_claims').set({ key_id: keyId, sealed }).where('id', '=', claimId).where('key_id', '=', before).execute();

export const insertAction = (tx: Tx, action: Insertable<DB['draw_actions']>) => tx.insertInto('draw_actions').values(action).execute();

/** Ids of everything in a draw that the audit log may mention: the draw, its picks, claims and administrators' actions. */
export async function listAuditSubjects(db: Reader, drawId: string): Promise<string[]> {
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
