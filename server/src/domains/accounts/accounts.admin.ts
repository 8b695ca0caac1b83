import { sql } from 'kysely';
import { isId } from '@handwise/contract/ids';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { toContainsPattern, anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import * as queries from './accounts.queries.ts';

export type UserStatus = 'all' | 'suspended' | 'administrators' | 'unconfirmed' | 'deleted';
type UserFilter = { q: string | undefined; status: UserStatus; skip: number; take: number; counted: number };

const columns = ['id', 'full_name', 'role', 'email_confirmed_at', 'created_at', 'suspended_at', 'deleted_at'] as const;
const selectUsers = (db: Reader) =>
  db
    .selectFrom('users')
    .select(columns)
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')]);

export const findUserForAdmin = (db: Reader, id: string) => selectUsers(db).where('id', '=', id).executeTakeFirst();
export type AdminUserRow = NonNullable<Awaited<ReturnType<typeof findUserForAdmin>>>;

/** Searches accounts by id, address, name or a part of these, newest first. The total stops at `counted`. */
export async function searchAccounts(
  db: Db,
  { q, status, skip, take, counted }: UserFilter,
): Promise<{ rows: AdminUserRow[]; total: number }> {
  const matching = selectUsers(db)
    .$if(q !== undefined && isId(q), (query) => query.where('id', '=', q ?? ''))
    .$if(q !== undefined && !isId(q), (query) => {
      const part = toContainsPattern((q ?? '').replace(/^@/, ''));
      return query.where((is) =>
        is.or([
          is(sql<string>`email::text`, 'ilike', part),
          is(sql<string>`username::text`, 'ilike', part),
          is('full_name', 'ilike', part),
        ]),
      );
    })
    .$if(status === 'suspended', (query) => query.where('suspended_at', 'is not', null))
    .$if(status === 'administrators', (query) => query.where('role', '=', 'admin'))
    .$if(status === 'unconfirmed', (query) => query.where('email_confirmed_at', 'is', null))
    .$if(status === 'deleted', (query) => query.where('deleted_at', 'is not', null));
  const [rows, { total }] = await Promise.all([
    matching.orderBy('id', 'desc').offset(skip).limit(take).execute(),
    db.selectFrom(matching.clearSelect().select('id').limit(counted).as('found')).select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** Finds accounts whose address, user name (with or without @), full name or id is this text; at most 20. */
export async function listUserIdsByName(db: Reader, q: string): Promise<string[]> {
  const name = q.replace(/^@/, '');
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where((is) =>
      is.or([
        is('email', '=', q),
        is('username', '=', name),
        is(sql<string>`lower(full_name)`, '=', q.toLowerCase()),
        ...(isId(q) ? [is('id', '=', q)] : []),
      ]),
    )
    .limit(20)
    .execute();
  return rows.map(({ id }) => id);
}

export async function getNamesById(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { _id: string; name: string; username: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`username::text`.as('username')])
    .where('id', '=', anyId(ids))
    .execute();
  return new Map(rows.map((row) => [row.id, { _id: row.id, name: row.full_name, username: row.username }]));
}

/** Names and addresses for administrators who have to reach these users. Deleted accounts are omitted. */
export async function getContactsById(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { id: string; fullName: string; email: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`email::text`.as('email')])
    .where('id', '=', anyId(ids))
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, full_name: fullName, email }) => [id, { id, fullName, email }]));
}

/** Suspends a user, which ends their sessions and prevents new ones. */
export async function suspendUser(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ suspended_at: now }).where('id', '=', userId).execute();
  await queries.endSessions(tx, userId, now);
}

export const restoreUser = (tx: Tx, userId: string) =>
  tx.updateTable('users').set({ suspended_at: null }).where('id', '=', userId).execute();

/** Whether another administrator is neither suspended nor deleted. */
export async function hasOtherAdministrators(db: Reader, userId: string): Promise<boolean> {
  const other = await db
    .selectFrom('users')
    .select('id')
    .where('role', '=', 'admin')
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .where('id', '<>', userId)
    .limit(1)
    .executeTakeFirst();
  return other !== undefined;
}

/** Undefined when the account does not exist or was deleted. */
export const findPerson = (db: Reader, id: string) =>
  db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`username::text`.as('username'), 'about'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const countSuspendedUsers = async (db: Reader) =>
  (await db.selectFrom('users').select(rowCount.as('users')).where('suspended_at', 'is not', null).executeTakeFirstOrThrow()).users;

/** Grants the role to the account with this confirmed address. Resolves to the reason when it cannot. */
export async function grantAdminRole(db: Reader, email: string): Promise<'unknown' | 'unconfirmed' | undefined> {
  const user = await db.selectFrom('users').select(['id', 'email_confirmed_at']).where('email', '=', email).executeTakeFirst();
  if (!user) return 'unknown';
  // Anyone can register with an address; only its owner can confirm it.
  if (!user.email_confirmed_at) return 'unconfirmed';
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).where('role', '<>', 'admin').execute();
  return undefined;
}
