import type { Reader, Tx } from '../../kit/database.ts';

export const saveChange = (tx: Tx, change: { user_id: string; email: string; token_hash: Buffer; expires_at: Date }) =>
  tx
    .insertInto('address_changes')
    .values(change)
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet(({ ref }) => ({
        email: ref('excluded.email'),
        token_hash: ref('excluded.token_hash'),
        expires_at: ref('excluded.expires_at'),
      })),
    )
    .execute();

export const deleteChange = (db: Reader, userId: string) => db.deleteFrom('address_changes').where('user_id', '=', userId).execute();

/** The address that an account is to have, while its link holds. */
export const findPending = async (db: Reader, userId: string, now: Date) =>
  (await db.selectFrom('address_changes').select('email').where('user_id', '=', userId).where('expires_at', '>', now).executeTakeFirst())
    ?.email ?? null;

/** Takes a change whose link is shown and holds. Of several who show it at once, one gets it. */
export const takeChange = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .deleteFrom('address_changes')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst();

export const deleteExpiredChanges = (db: Reader, now: Date) => db.deleteFrom('address_changes').where('expires_at', '<=', now).execute();

/** The account's address from now on. Whoever chose it has shown that they read what goes there. */
export const setAddress = (tx: Tx, userId: string, email: string, now: Date) =>
  tx.updateTable('users').set({ email, email_confirmed_at: now }).where('id', '=', userId).execute();
