import type { Reader, Tx } from '../../kit/database/database.ts';

export const findOfUser = (db: Reader, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'transports', 'rp_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

export const findByCredential = (db: Reader, credentialId: string, site: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', site)
    .executeTakeFirst();

export const insert = (
  tx: Tx,
  passkey: {
    user_id: string;
    credential_id: string;
    public_key: Buffer;
    counter: string;
    transports: string[];
    rp_id: string;
    name: string;
    created_at: Date;
  },
) => tx.insertInto('passkeys').values(passkey).returning(['id', 'name', 'created_at', 'last_used_at']).executeTakeFirstOrThrow();

export const use = (db: Reader, id: string, counter: number, now: Date) =>
  db
    .updateTable('passkeys')
    .set({ counter: String(counter), last_used_at: now })
    .where('id', '=', id)
    .execute();

/** Whether the user has this passkey. */
export const rename = async (db: Reader, userId: string, id: string, name: string) => {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Whether the user had it. */
export const remove = async (tx: Tx, userId: string, id: string) => {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};
