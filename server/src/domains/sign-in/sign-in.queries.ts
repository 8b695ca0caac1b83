import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Sealed } from '../../kit/secrets/keyring.ts';

export type ChallengePurpose = 'second-step' | 'new-passkey' | 'passkey-sign-in' | 'passkey-second-step' | 'passkey-confirm';

export const insertChallenge = (
  db: Reader,
  challenge: { token_hash: Buffer; purpose: ChallengePurpose; user_id: string | null; expires_at: Date },
) => db.insertInto('sign_in_challenges').values(challenge).execute();

/** Holds a challenge that still runs: of several who answer it at once, the others wait. */
export const lockChallenge = (tx: Tx, tokenHash: Buffer, purpose: ChallengePurpose, now: Date) =>
  tx
    .selectFrom('sign_in_challenges')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();

export const deleteChallenge = (tx: Tx, tokenHash: Buffer) =>
  tx.deleteFrom('sign_in_challenges').where('token_hash', '=', tokenHash).execute();

/** Whether this user, or where it is null nobody in particular, was asked it and it still runs. It is over by that. */
export const takeChallenge = async (db: Reader, tokenHash: Buffer, purpose: ChallengePurpose, userId: string | null, now: Date) => {
  const { numDeletedRows } = await db
    .deleteFrom('sign_in_challenges')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('user_id', 'is not distinct from', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};

export const findChallengeUser = (db: Reader, tokenHash: Buffer, purpose: ChallengePurpose, now: Date) =>
  db
    .selectFrom('sign_in_challenges')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();

export const deleteChallengesOf = (tx: Tx, userId: string) => tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();

export const deleteOldChallenges = (db: Reader, now: Date) => db.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute();

const authenticatorColumns = ['user_id', 'secret', 'key_id', 'sealed', 'used_step'] as const;

const authenticatorOf = (db: Reader, userId: string) =>
  db.selectFrom('authenticators').select(authenticatorColumns).where('user_id', '=', userId);
export type AuthenticatorRow = NonNullable<Awaited<ReturnType<typeof findAuthenticator>>>;

/** The app that is asked for codes, not one that is being set up. */
export const findAuthenticator = (db: Reader, userId: string) =>
  authenticatorOf(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst();

export const findNewAuthenticator = (db: Reader, userId: string) =>
  authenticatorOf(db, userId).where('confirmed_at', 'is', null).executeTakeFirst();

/** Whether there was none that is asked for codes: that is not replaced. */
export const saveNewAuthenticator = async (db: Reader, userId: string, { keyId, sealed }: Sealed) => {
  const secret = { secret: null, key_id: keyId, sealed };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('authenticators')
    .values({ user_id: userId, ...secret })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(secret).where('authenticators.confirmed_at', 'is', null))
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

// Only what was read: meanwhile another secret may have taken its place.
const unchanged = (db: Reader, { user_id, secret, sealed }: AuthenticatorRow) =>
  db
    .updateTable('authenticators')
    .where('user_id', '=', user_id)
    .where('secret', 'is not distinct from', secret)
    .where('sealed', 'is not distinct from', sealed);

/** Whether the app with this secret was still to be confirmed. */
export const confirmAuthenticator = async (tx: Tx, row: AuthenticatorRow, step: number, now: Date) => {
  const { numUpdatedRows } = await unchanged(tx, row)
    .set({ confirmed_at: now, used_step: step })
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Those whose secret is readable, or sealed with another key than this one. */
export const listSealedOtherwise = (db: Reader, keyId: string) =>
  db.selectFrom('authenticators').select(authenticatorColumns).where('key_id', 'is distinct from', keyId).execute();

export const sealAnew = (db: Reader, row: AuthenticatorRow, { keyId, sealed }: Sealed) =>
  unchanged(db, row).set({ secret: null, key_id: keyId, sealed }).execute();

/** Whether no code of this step or a later one was used before: of several at once, one gets it. */
export const useStep = async (tx: Tx, userId: string, step: number) => {
  const { numUpdatedRows } = await tx
    .updateTable('authenticators')
    .set({ used_step: step })
    .where('user_id', '=', userId)
    .where('used_step', '<', String(step))
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

export const deleteAuthenticator = async (tx: Tx, userId: string) => {
  const deleted = await tx.deleteFrom('authenticators').where('user_id', '=', userId).returning('confirmed_at').executeTakeFirst();
  return deleted !== undefined && deleted.confirmed_at !== null;
};

export const insertRecoveryCodes = (tx: Tx, userId: string, hashes: readonly Buffer[]) =>
  tx
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ code_hash, user_id: userId })))
    .execute();

export const deleteRecoveryCodes = (tx: Tx, userId: string) => tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();

/** Whether it was one of the user's. It is none any more. */
export const useRecoveryCode = async (tx: Tx, userId: string, hash: Buffer) => {
  const { numDeletedRows } = await tx
    .deleteFrom('recovery_codes')
    .where('user_id', '=', userId)
    .where('code_hash', '=', hash)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};

export const countRecoveryCodes = async (db: Reader, userId: string) => {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select(({ fn, cast }) => cast<number>(fn.countAll(), 'integer').as('count'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return count;
};

/** Deletes everything by which the user signs in or would, except the password. */
export async function deleteCredentials(tx: Tx, userId: string): Promise<void> {
  for (const table of ['authenticators', 'recovery_codes', 'passkeys', 'sign_in_challenges'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}
