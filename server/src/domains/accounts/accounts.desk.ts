import { isId } from '@handwise/contract/ids';
import { sql } from 'kysely';
import type { Db, Reader } from '../../kit/database/database.ts';
import { anywhere } from '../../kit/database/search-text.ts';

export type UserStatus = 'all' | 'suspended' | 'administrators' | 'unconfirmed' | 'deleted';
type Wanted = { q: string | undefined; status: UserStatus; skip: number; take: number; counted: number };

const columns = ['id', 'full_name', 'role', 'email_confirmed_at', 'created_at', 'suspended_at', 'deleted_at'] as const;
const shown = (db: Reader) =>
  db
    .selectFrom('users')
    .select(columns)
    .select([sql<string>`username::text`.as('username'), sql<string>`email::text`.as('email')]);

export const findUserForAdmin = (db: Reader, id: string) => shown(db).where('id', '=', id).executeTakeFirst();
export type DirectoryRow = NonNullable<Awaited<ReturnType<typeof findUserForAdmin>>>;

/** Accounts by id, address, name or a part of these, the newest first; how many there are is counted up to `counted`. */
export async function searchUsers(db: Db, { q, status, skip, take, counted }: Wanted): Promise<{ rows: DirectoryRow[]; total: number }> {
  const wanted = shown(db)
    .$if(q !== undefined && isId(q), (query) => query.where('id', '=', q ?? ''))
    .$if(q !== undefined && !isId(q), (query) => {
      const part = anywhere((q ?? '').replace(/^@/, ''));
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
    wanted.orderBy('id', 'desc').offset(skip).limit(take).execute(),
    db
      .selectFrom(wanted.clearSelect().select('id').limit(counted).as('found'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** The ids of accounts that a text names: by address, user name (with or without @) or id. At most a few. */
export async function findIdsByName(db: Reader, q: string): Promise<string[]> {
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

/** Names of people by their ids. */
export async function namesOf(db: Reader, ids: readonly string[]): Promise<Map<string, { _id: string; name: string; username: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`username::text`.as('username')])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute();
  return new Map(rows.map((row) => [row.id, { _id: row.id, name: row.full_name, username: row.username }]));
}

/** Names and addresses of people by their ids, for administrators who must reach them. Who has left is left out. */
export async function contactsOf(
  db: Reader,
  ids: readonly string[],
): Promise<Map<string, { id: string; fullName: string; email: string }>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`email::text`.as('email')])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute();
  return new Map(rows.map(({ id, full_name: fullName, email }) => [id, { id, fullName, email }]));
}
