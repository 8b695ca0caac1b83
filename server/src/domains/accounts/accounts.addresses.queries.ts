import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';

export const upsertAddressChange = (tx: Tx, change: { user_id: string; email: string; token_hash: Buffer; expires_at: Date }) =>
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

export const deleteAddressChange = (db: Reader, userId: string) =>
  db.deleteFrom('address_changes').where('user_id', '=', userId).returning(['email', 'expires_at']).executeTakeFirst();

/** The new address of an account whose change is not yet confirmed. */
export const findPendingAddress = async (db: Reader, userId: string, now: Date) =>
  (await db.selectFrom('address_changes').select('email').where('user_id', '=', userId).where('expires_at', '>', now).executeTakeFirst())
    ?.email ?? null;

export const findAddressChangeUser = async (tx: Tx, tokenHash: Buffer, now: Date) =>
  (
    await tx
      .selectFrom('address_changes')
      .select('user_id')
      .where('token_hash', '=', tokenHash)
      .where('expires_at', '>', now)
      .executeTakeFirst()
  )?.user_id;

/** Deletes and returns the change of a valid link. Of several concurrent uses, one gets it. */
export const consumeAddressChange = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .deleteFrom('address_changes')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['user_id', 'email'])
    .executeTakeFirst();

export const deleteExpiredAddressChanges = (db: Reader, now: Date) =>
  db.deleteFrom('address_changes').where('expires_at', '<=', now).execute();

/** The address counts as confirmed because its link was used. */
export const setAddress = (tx: Tx, userId: string, email: string, now: Date) =>
  tx.updateTable('users').set({ email, email_confirmed_at: now }).where('id', '=', userId).execute();

/** Records that a link is sent to a business address. False when it is confirmed, or a link was sent after `before`. */
export const upsertBusinessAddress = async (
  tx: Tx,
  request: { user_id: string; email: string; token_hash: Buffer; asked_at: Date },
  before: Date,
) => {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('business_addresses')
    .values(request)
    .onConflict((conflict) =>
      conflict
        .columns(['user_id', 'email'])
        .doUpdateSet({ token_hash: request.token_hash, asked_at: request.asked_at })
        .where('business_addresses.confirmed_at', 'is', null)
        .where('business_addresses.asked_at', '<=', before),
    )
    .executeTakeFirst();
  return (numInsertedOrUpdatedRows ?? 0n) > 0n;
};

/** How many business addresses a user has had links sent to since a time. */
export const countRequestedAddresses = async (tx: Tx, userId: string, since: Date) =>
  (
    await tx
      .selectFrom('business_addresses')
      .select(rowCount.as('addresses'))
      .where('user_id', '=', userId)
      .where('asked_at', '>', since)
      .executeTakeFirstOrThrow()
  ).addresses;

/** Confirms the business address of a link. Of several concurrent uses, one succeeds. */
export const setBusinessConfirmed = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .updateTable('business_addresses')
    .set({ confirmed_at: now, token_hash: null })
    .where('token_hash', '=', tokenHash)
    .returning('user_id')
    .executeTakeFirst();

export const listConfirmedBusinesses = (db: Reader, userIds: readonly string[]) =>
  db
    .selectFrom('business_addresses')
    .select(['user_id', 'email'])
    .where('user_id', '=', anyId(userIds))
    .where('confirmed_at', 'is not', null)
    .execute();

export const listOwnAddresses = (db: Reader, userId: string) =>
  db
    .selectFrom('business_addresses')
    .select(['email', 'asked_at as askedAt', 'confirmed_at as confirmedAt'])
    .where('user_id', '=', userId)
    .orderBy('asked_at')
    .execute();
