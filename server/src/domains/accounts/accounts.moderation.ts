import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import * as queries from './accounts.queries.ts';

// What administrators do with accounts, and what they need to know of them.

/** Ends every session of a user and lets none begin. */
export async function suspend(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx.updateTable('users').set({ suspended_at: now }).where('id', '=', userId).execute();
  await queries.endSessions(tx, userId, now);
}

export const restore = (tx: Tx, userId: string) => tx.updateTable('users').set({ suspended_at: null }).where('id', '=', userId).execute();

/** Administrators beside this one who can act now. */
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

/** A person as administrators name them; undefined where there is none, or not any more. */
export const findPerson = (db: Reader, id: string) =>
  db
    .selectFrom('users')
    .select(['id', 'full_name', sql<string>`username::text`.as('username'), 'about'])
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

export const countSuspended = async (db: Reader) =>
  (
    await db
      .selectFrom('users')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('users'))
      .where('suspended_at', 'is not', null)
      .executeTakeFirstOrThrow()
  ).users;

/** Gives the role to whoever has confirmed this address. Resolves to what stood in the way, if anything did. */
export async function grantAdministration(db: Reader, email: string): Promise<'unknown' | 'unconfirmed' | undefined> {
  const user = await db.selectFrom('users').select(['id', 'email_confirmed_at']).where('email', '=', email).executeTakeFirst();
  if (!user) return 'unknown';
  // Anybody can register with an address; only its owner can confirm it.
  if (!user.email_confirmed_at) return 'unconfirmed';
  await db.updateTable('users').set({ role: 'admin' }).where('id', '=', user.id).where('role', '<>', 'admin').execute();
  return undefined;
}
