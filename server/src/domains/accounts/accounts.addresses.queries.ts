import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

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

export const deleteChange = (db: Reader, userId: string) =>
  db.deleteFrom('address_changes').where('user_id', '=', userId).returning(['email', 'expires_at']).executeTakeFirst();

/** The address that an account is to have, while its link holds. */
export const findPending = async (db: Reader, userId: string, now: Date) =>
  (await db.selectFrom('address_changes').select('email').where('user_id', '=', userId).where('expires_at', '>', now).executeTakeFirst())
    ?.email ?? null;

export const findChangeUser = async (tx: Tx, tokenHash: Buffer, now: Date) =>
  (
    await tx
      .selectFrom('address_changes')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
  )?.user_id;

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

/** Notes that a link goes to a business's address. False where it is confirmed, or where a link went there since `before`. */
export const askBusiness = async (tx: Tx, asked: { user_id: string; email: string; token_hash: Buffer; asked_at: Date }, before: Date) => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('business_addresses')
    .values(asked)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'email'])
        .doUpdateSet({ token_hash: asked.token_hash, asked_at: asked.asked_at })
        .where('business_addresses.confirmed_at', 'is', null)
        .where('business_addresses.asked_at', '<=', before),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** How many addresses a user has had links sent to since a time. */
export const countAsked = async (tx: Tx, userId: string, since: Date) =>
  (
    await tx
      .selectFrom('business_addresses')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('addresses'))
      .where('user_id', '=', userId)
      .where('asked_at', '>', since)
      .executeTakeFirstOrThrow()
  ).addresses;

/** Confirms the business address that this link went to. Of several who show it at once, one does. */
export const confirmBusiness = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .updateTable('business_addresses')
    .set({ confirmed_at: now, token_hash: null })
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst();

export const listConfirmed = (db: Reader, userIds: readonly string[]) =>
  db
    .selectFrom('business_addresses')
    .select(['user_id', 'email'])
    .where('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)
    .where('confirmed_at', 'is not', null)
    .execute();

/** The business addresses of a user, by the names that the API has for what they hold. */
export const listOwnAddresses = (db: Reader, userId: string) =>
  db
    .selectFrom('business_addresses')
    .select(['email', 'asked_at as askedAt', 'confirmed_at as confirmedAt'])
    .where('user_id', '=', userId)
    .orderBy('asked_at')
    .execute();
