import type { VoidReason } from '@handwise/contract/tickets/calls';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { unnestTable } from '../../kit/database/sql-helpers.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';
import type { StoredTerms } from './tickets.terms.ts';

const periodColumns = ['id', 'year', 'month', 'starts_at', 'closes_at', 'origin', 'log_size', 'closed_at'] as const;
const selectPeriods = (db: Reader) => db.selectFrom('draw_periods').select(periodColumns);
export type PeriodRow = NonNullable<Awaited<ReturnType<typeof findPeriod>>>;

export const findPeriod = (db: Reader, year: number, month: number) =>
  selectPeriods(db).where('year', '=', year).where('month', '=', month).executeTakeFirst();

export const findLastPeriod = (db: Reader) =>
  selectPeriods(db).orderBy('year', 'desc').orderBy('month', 'desc').limit(1).executeTakeFirst();

export const listPeriods = (db: Reader) => selectPeriods(db).orderBy('year').orderBy('month').execute();

/** Where several months' rows are locked, the earlier one comes first. Not `for update`: entries point at it. */
export const lockPeriod = (tx: Tx, id: string) => selectPeriods(tx).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();

/** As `begin` wrote them. */
export const findTerms = async (db: Reader, periodId: string) =>
  (await db.selectFrom('draw_periods').select('terms').where('id', '=', periodId).executeTakeFirstOrThrow())
    .terms as unknown as StoredTerms;

/** Undefined where somebody else was first. */
export const insertPeriod = (tx: Tx, period: Insertable<DB['draw_periods']>) =>
  tx
    .insertInto('draw_periods')
    .values(period)
    .onConflict((conflict) => conflict.constraint('draw_periods_month').doNothing())
    .returning('id')
    .executeTakeFirst();

export const setLogSize = (tx: Tx, periodId: string, size: number) =>
  tx.updateTable('draw_periods').set({ log_size: size }).where('id', '=', periodId).execute();

export const setClosed = (tx: Tx, periodId: string, at: Date) =>
  tx.updateTable('draw_periods').set({ closed_at: at }).where('id', '=', periodId).execute();

/** Keeps accounts from being deleted before the transaction ends; others may go on writing to them. */
export const holdAccounts = (tx: Tx, userIds: readonly string[]) =>
  tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .orderBy('id')
    .forKeyShare()
    .execute();

/** Keeps everybody from pointing at an account until the transaction ends. */
export const lockForLeaving = (tx: Tx, userId: string) =>
  tx.selectFrom('users').select(['full_name', 'username', 'email']).where('id', '=', userId).forUpdate().executeTakeFirstOrThrow();

export const insertEntry = (tx: Tx, entry: Insertable<DB['draw_entries']>) => tx.insertInto('draw_entries').values(entry).execute();

export const findEntry = (db: Reader, periodId: string, id: string) =>
  db.selectFrom('draw_entries').select(['id', 'leaf_index']).where('id', '=', id).where('period_id', '=', periodId).executeTakeFirst();

/** The entries among these ids that are not void, in the order in which they were issued. */
export const listActiveAmong = (db: Reader, ids: readonly string[]) =>
  db
    .selectFrom('draw_entries')
    .select(['id', 'period_id'])
    .where('id', '=', sql<string>`any(${[...ids]}::text[])`)
    .where('voided_at', 'is', null)
    .orderBy('period_id')
    .orderBy('leaf_index')
    .execute();

/** Somebody's entries that are still to be drawn. */
export const listActiveOf = (db: Reader, userId: string) =>
  db
    .selectFrom('draw_entries')
    .innerJoin('draw_periods', 'draw_periods.id', 'period_id')
    .select(['draw_entries.id', 'period_id'])
    .where('user_id', '=', userId)
    .where('voided_at', 'is', null)
    .where('closed_at', 'is', null)
    .execute();

/** Entries that take no part because of what their owners are, in the order in which they were issued. */
export async function listNotAllowed(db: Reader, periodId: string): Promise<{ id: string; reason: VoidReason }[]> {
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

export const setVoid = (tx: Tx, voids: readonly { id: string; reason: VoidReason }[], at: Date) =>
  tx
    .updateTable('draw_entries')
    .from(unnestTable('voids', { id: ['text', voids.map(({ id }) => id)], reason: ['text', voids.map(({ reason }) => reason)] }))
    .set({ voided_at: at, void_reason: sql<VoidReason>`voids.reason` })
    .whereRef('draw_entries.id', '=', 'voids.id')
    .execute();

/** In the order of the draw. */
export const listActive = (db: Reader, periodId: string) =>
  db
    .selectFrom('draw_entries')
    .select(['id', 'tickets'])
    .where('period_id', '=', periodId)
    .where('voided_at', 'is', null)
    .orderBy('id')
    .execute();

export const countVoid = (db: Reader, periodId: string) =>
  db
    .selectFrom('draw_entries')
    .select(['void_reason as reason', ({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count')])
    .where('period_id', '=', periodId)
    .where('void_reason', 'is not', null)
    .groupBy('void_reason')
    .execute();

export async function countActive(db: Reader, periodId: string, userId: string | undefined) {
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

export const findOwnEntry = (db: Reader, id: string) => selectOwn(db).where('draw_entries.id', '=', id).executeTakeFirstOrThrow();

export const listEntriesOf = (db: Reader, userId: string, periodId: string | undefined) =>
  selectOwn(db)
    .where('user_id', '=', userId)
    .$if(periodId !== undefined, (query) => query.where('period_id', '=', periodId ?? ''))
    .orderBy('created_at', 'desc')
    .orderBy('draw_entries.id')
    .execute();

export type OwnEntryRow = Awaited<ReturnType<typeof listEntriesOf>>[number];

export const insertGiven = (tx: Tx, given: { entry_id: string; user_id: string; tickets: number; given_by: string; reason: string }) =>
  tx.insertInto('given_entries').values(given).execute();

/** So many months after the last draw of somebody closes; undefined where they were in none. */
export async function findEndOfRecords(db: Reader, userId: string, months: number): Promise<Date | undefined> {
  const { ends } = await db
    .selectFrom('draw_entries')
    .innerJoin('draw_periods', 'draw_periods.id', 'period_id')
    .select(sql<Date | null>`max(closes_at) + make_interval(months => ${months}::int)`.as('ends'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return ends ?? undefined;
}

export const insertSealed = (tx: Tx, row: Insertable<DB['sealed_entrants']>) => tx.insertInto('sealed_entrants').values(row).execute();

export const findSealed = (db: Reader, userId: string) =>
  db.selectFrom('sealed_entrants').select(['key_id', 'sealed']).where('user_id', '=', userId).executeTakeFirst();

export const deleteSealed = (db: Reader, now: Date) => db.deleteFrom('sealed_entrants').where('erase_after', '<=', now).execute();

export const listSealedOtherwise = (db: Reader, keyId: string) =>
  db.selectFrom('sealed_entrants').select(['user_id', 'key_id', 'sealed']).where('key_id', '<>', keyId).execute();

export const sealAnew = (db: Reader, userId: string, { keyId, sealed }: Sealed) =>
  db.updateTable('sealed_entrants').set({ key_id: keyId, sealed }).where('user_id', '=', userId).execute();

export const findOwner = (db: Reader, entryId: string) =>
  db
    .selectFrom('draw_entries')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['users.id', 'full_name', 'username', 'email', 'deleted_at'])
    .where('draw_entries.id', '=', entryId)
    .executeTakeFirst();
