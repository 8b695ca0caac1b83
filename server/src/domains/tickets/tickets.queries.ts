import { type Insertable, sql } from 'kysely';
import type { DrawPermit } from '@handwise/contract/draws/permits';
import type { VoidReason } from '@handwise/contract/tickets/calls';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable, anyId } from '../../kit/database/sql-helpers.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';
import type { StoredTerms } from './tickets.terms.ts';

const periodColumns = ['id', 'year', 'month', 'starts_at', 'closes_at', 'origin', 'log_size', 'closed_at'] as const;
// Of the terms, which are fixed: what was announced is what is paid.
const prizeMinor = sql<number>`(terms->'prize'->>'amountMinor')::int`;
const permits = sql<DrawPermit[] | null>`terms->'permits'`;
const leftOut = sql<string[] | null>`terms->'leftOut'`;
const selectPeriods = (db: Reader) =>
  db
    .selectFrom('draw_periods')
    .select(periodColumns)
    .select([prizeMinor.as('prize_minor'), permits.as('permits'), leftOut.as('left_out')]);
export type PeriodRow = NonNullable<Awaited<ReturnType<typeof findPeriodRow>>>;

export const findPeriodRow = (db: Reader, year: number, month: number) =>
  selectPeriods(db).where('year', '=', year).where('month', '=', month).executeTakeFirst();

export const findLastPeriodRow = (db: Reader) =>
  selectPeriods(db).orderBy('year', 'desc').orderBy('month', 'desc').limit(1).executeTakeFirst();

export const listPeriodRows = (db: Reader) => selectPeriods(db).orderBy('year').orderBy('month').execute();

/** Lock several months in order of time. Not `for update`, because entries reference the row. */
export const lockPeriod = (tx: Tx, id: string) => selectPeriods(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();

export const getStoredTerms = async (db: Reader, periodId: string) =>
  (await db.selectFrom('draw_periods').select('terms').where('id', '=', periodId).executeTakeFirstOrThrow())
    .terms as unknown as StoredTerms;

/** Undefined if another transaction has inserted it first. */
export const insertPeriod = (tx: Tx, period: Insertable<DB['draw_periods']>) =>
  tx
    .insertInto('draw_periods')
    .values(period)
    .onConflict((conflict) => conflict.constraint('draw_periods_month').doNothing())
    .returning('id')
    .executeTakeFirst();

export const setLogSize = (tx: Tx, periodId: string, size: number) =>
  tx.updateTable('draw_periods').set({ log_size: size }).where('id', '=', periodId).execute();

export const setPeriodClosed = (tx: Tx, periodId: string, at: Date) =>
  tx.updateTable('draw_periods').set({ closed_at: at }).where('id', '=', periodId).execute();

/** Prevents deletion of these accounts until the transaction ends, but no other updates. */
export const lockAgainstDeletion = (tx: Tx, userIds: readonly string[]) =>
  tx.selectFrom('users').select('id').where('id', '=', anyId(userIds)).orderBy('id').forKeyShare().execute();

/** Blocks new references to an account until the transaction ends. */
export const lockUserForDeletion = (tx: Tx, userId: string) =>
  tx.selectFrom('users').select(['full_name', 'username', 'email']).where('id', '=', userId).forUpdate().executeTakeFirstOrThrow();

export const insertEntry = (tx: Tx, entry: Insertable<DB['draw_entries']>) => tx.insertInto('draw_entries').values(entry).execute();

export const findEntry = (db: Reader, periodId: string, id: string) =>
  db.selectFrom('draw_entries').select(['id', 'leaf_index']).where('id', '=', id).where('period_id', '=', periodId).executeTakeFirst();

/** The active ones of these entries, in order of issue. */
export const listActiveEntriesById = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('draw_entries')
    .select(['id', 'period_id'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('voided_at', 'is', null)
    .orderBy('period_id')
    .orderBy('leaf_index')
    .execute();

/** A user's active entries of open draws. */
export const listOpenEntriesOfUser = (db: Reader, userId: string) =>
  db
    .selectFrom('draw_entries')
    .innerJoin('draw_periods', 'draw_periods.id', 'period_id')
    .select(['draw_entries.id', 'period_id'])
    .where('user_id', '=', userId)
    .where('voided_at', 'is', null)
    .where('closed_at', 'is', null)
    .execute();

/** Active entries of users who cannot take part, in order of issue. */
export async function listIneligibleEntries(db: Reader, periodId: string): Promise<{ id: string; reason: VoidReason }[]> {
  return db
    .selectFrom('draw_entries')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['draw_entries.id'])
    .select(
      sql<VoidReason>`case when deleted_at is not null then 'deleted' when role = 'admin' then 'administrator'
        when suspended_at is not null then 'suspended' else 'unconfirmed' end`.as('reason'),
    )
    .where('period_id', '=', periodId)
    .where('voided_at', 'is', null)
    .where((is) =>
      is.or([
        is('deleted_at', 'is not', null),
        is('role', '=', 'admin'),
        is('suspended_at', 'is not', null),
        is('email_confirmed_at', 'is', null),
      ]),
    )
    .orderBy('leaf_index')
    .execute();
}

export const setEntriesVoid = (tx: Tx, voids: readonly { id: string; reason: VoidReason }[], at: Date) =>
  tx
    .updateTable('draw_entries')
    .from(unnestTable('voids', { id: ['text', voids.map(({ id }) => id)], reason: ['text', voids.map(({ reason }) => reason)] }))
    .set({ voided_at: at, void_reason: sql<VoidReason>`voids.reason` })
    .whereRef('draw_entries.id', '=', 'voids.id')
    .execute();

/** Sorted as in the draw. */
export const listActiveEntries = (db: Reader, periodId: string) =>
  db
    .selectFrom('draw_entries')
    .select(['id', 'tickets'])
    .where('period_id', '=', periodId)
    .where('voided_at', 'is', null)
    .orderBy('id')
    .execute();

/** Those of these users who have tickets in the period's draw. */
export const listEntrantsAmong = async (db: Reader, periodId: string, userIds: readonly string[]): Promise<string[]> => {
  const entrants = db
    .selectFrom('draw_entries')
    .distinct()
    .select('user_id')
    .where('user_id', '=', anyId(userIds))
    .where('period_id', '=', periodId)
    .where('voided_at', 'is', null);
  return (await entrants.execute()).map((row) => row.user_id);
};

export const countVoidEntries = (db: Reader, periodId: string) =>
  db
    .selectFrom('draw_entries')
    .select(['void_reason as reason', ({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')])
    .where('period_id', '=', periodId)
    .where('void_reason', 'is not', null)
    .groupBy('void_reason')
    .execute();

export async function countActiveTickets(db: Reader, periodId: string, userId: string | undefined) {
  return db
    .selectFrom('draw_entries')
    .select(({ cast, fn }) => [
      cast<number>(fn.coalesce(fn.sum('tickets'), sql.lit(0)), 'integer').as('tickets'),
      cast<number>(fn.countAll(), 'integer').as('entries'),
      cast<number>(fn.count('user_id').distinct(), 'integer').as('people'),
    ])
    .where('period_id', '=', periodId)
    .where('voided_at', 'is', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .executeTakeFirstOrThrow();
}

const selectOwn = (db: Reader) =>
  db
    .selectFrom('draw_entries')
    .innerJoin('draw_periods', 'draw_periods.id', 'period_id')
    .select(['draw_entries.id', 'source', 'created_at', 'tickets', 'void_reason', 'closes_at', 'closed_at', 'year', 'month']);

export const getOwnEntry = (db: Reader, id: string) => selectOwn(db).where('draw_entries.id', '=', id).executeTakeFirstOrThrow();

export const listOwnEntryRows = (db: Reader, userId: string, periodId: string | undefined) =>
  selectOwn(db)
    .where('user_id', '=', userId)
    .$if(periodId !== undefined, (query) => query.where('period_id', '=', periodId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('draw_entries.id')
    .execute();

export type OwnEntryRow = Awaited<ReturnType<typeof listOwnEntryRows>>[number];

export const insertGivenEntry = (tx: Tx, entry: { entry_id: string; user_id: string; tickets: number; given_by: string; reason: string }) =>
  tx.insertInto('given_entries').values(entry).execute();

/** `months` after a user's last draw closes; undefined without entries. */
export async function findEndOfRetention(db: Reader, userId: string, months: number): Promise<Date | undefined> {
  const { ends } = await db
    .selectFrom('draw_entries')
    .innerJoin('draw_periods', 'draw_periods.id', 'period_id')
    .select(sql<Date | null>`max(closes_at) + make_interval(months => ${months}::int)`.as('ends'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return ends ?? undefined;
}

export const insertSealedEntrant = (tx: Tx, row: Insertable<DB['sealed_entrants']>) =>
  tx.insertInto('sealed_entrants').values(row).execute();

export const findSealedEntrant = (db: Reader, userId: string) =>
  db.selectFrom('sealed_entrants').select(['key_id', 'sealed']).where('user_id', '=', userId).executeTakeFirst();

export const deleteExpiredEntrants = (db: Reader, now: Date) => db.deleteFrom('sealed_entrants').where('erase_after', '<=', now).execute();

export const listEntrantsOfOtherKeys = (db: Reader, keyId: string) =>
  db.selectFrom('sealed_entrants').select(['user_id', 'key_id', 'sealed']).where('key_id', '<>', keyId).execute();

export const updateSealedEntrant = (db: Reader, userId: string, { keyId, sealed }: Sealed) =>
  db.updateTable('sealed_entrants').set({ key_id: keyId, sealed }).where('user_id', '=', userId).execute();

export const findEntryOwner = (db: Reader, entryId: string) =>
  db
    .selectFrom('draw_entries')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'full_name', 'username', 'email', 'deleted_at'])
    .where('draw_entries.id', '=', entryId)
    .executeTakeFirst();
