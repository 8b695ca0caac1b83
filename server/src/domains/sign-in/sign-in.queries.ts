import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Sealed } from '../../kit/secrets/keys.ts';
import { deleteAuthorizations } from './sign-in.identities.queries.ts';

export type ChallengePurpose = 'second-step' | 'new-passkey' | 'passkey-sign-in' | 'passkey-second-step' | 'passkey-confirm';

export const insertChallenge = (
  db: Reader,
  challenge: { token_hash: Buffer; purpose: ChallengePurpose; user_id: string | null; expires_at: Date },
) => db.insertInto('sign_in_challenges').values(challenge).execute();

/** Locks a challenge that has not expired, so that concurrent answers to it wait. */
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

/** Deletes a challenge of this user (null: of no known user). Resolves to whether it existed and had not expired. */
export const consumeChallenge = async (db: Reader, tokenHash: Buffer, purpose: ChallengePurpose, userId: string | null, now: Date) => {
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

/** Ends every sign-in and change of credentials that a user has begun. */
export async function deleteChallenges(tx: Tx, userId: string): Promise<void> {
  await deleteAuthorizations(tx, userId);
  await tx.deleteFrom('sign_in_challenges').where('user_id', '=', userId).execute();
}

export const deleteExpiredChallenges = (db: Reader, now: Date) =>
  db.deleteFrom('sign_in_challenges').where('expires_at', '<=', now).execute();

const authenticatorColumns = ['user_id', 'secret', 'key_id', 'sealed', 'used_step'] as const;

const getAuthenticator = (db: Reader, userId: string) =>
  db.selectFrom('authenticators').select(authenticatorColumns).where('user_id', '=', userId);
export type AuthenticatorRow = NonNullable<Awaited<ReturnType<typeof findAuthenticator>>>;

/** The confirmed app of a user, not one that is being set up. */
export const findAuthenticator = (db: Reader, userId: string) =>
  getAuthenticator(db, userId).where('confirmed_at', 'is not', null).executeTakeFirst();

export const findNewAuthenticator = (db: Reader, userId: string) =>
  getAuthenticator(db, userId).where('confirmed_at', 'is', null).executeTakeFirst();

/** Resolves to false, and saves nothing, if the user has a confirmed app. */
export const saveNewAuthenticator = async (db: Reader, userId: string, { keyId, sealed }: Sealed) => {
  const secret = { secret: null, key_id: keyId, sealed };
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('authenticators')
    .values({ user_id: userId, ...secret })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(secret).where('authenticators.confirmed_at', 'is', null))
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows === 1n;
};

// Updates only the secret that was read, because another may have replaced it meanwhile.
const unchanged = (db: Reader, { user_id, secret, sealed }: AuthenticatorRow) =>
  db
    .updateTable('authenticators')
    .where('user_id', '=', user_id)
    .where('secret', 'is not distinct from', secret)
    .where('sealed', 'is not distinct from', sealed);

/** Resolves to whether the app with this secret was unconfirmed until now. */
export const setAuthenticatorConfirmed = async (tx: Tx, row: AuthenticatorRow, step: number, now: Date) => {
  const { numUpdatedRows } = await unchanged(tx, row)
    .set({ confirmed_at: now, used_step: step })
    .where('confirmed_at', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Authenticators whose secret is in clear text or sealed with another key. */
export const listAuthenticatorsToReseal = (db: Reader, keyId: string) =>
  db.selectFrom('authenticators').select(authenticatorColumns).where('key_id', 'is distinct from', keyId).execute();

export const resealAuthenticator = (db: Reader, row: AuthenticatorRow, { keyId, sealed }: Sealed) =>
  unchanged(db, row).set({ secret: null, key_id: keyId, sealed }).execute();

/** Resolves to whether no code of this or a later time step was used before. Of several concurrent uses, one succeeds. */
export const consumeStep = async (tx: Tx, userId: string, step: number) => {
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

/** Deletes a recovery code. Resolves to whether the user had it. */
export const consumeRecoveryCode = async (tx: Tx, userId: string, hash: Buffer) => {
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

/** Deletes all credentials of a user except the password. */
export async function deleteCredentials(tx: Tx, userId: string): Promise<void> {
  await deleteAuthorizations(tx, userId);
  for (const table of ['authenticators', 'recovery_codes', 'passkeys', 'identities', 'sign_in_challenges'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

export const listPasskeyRows = (db: Reader, userId: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'name', 'credential_id', 'transports', 'rp_id', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('id')
    .execute();

export const findPasskeyByCredential = (db: Reader, credentialId: string, site: string) =>
  db
    .selectFrom('passkeys')
    .select(['id', 'user_id', 'credential_id', 'public_key', 'counter', 'transports'])
    .where('credential_id', '=', credentialId)
    .where('rp_id', '=', site)
    .executeTakeFirst();

export const insertPasskey = (
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

export const setPasskeyUsed = (db: Reader, id: string, counter: number, now: Date) =>
  db
    .updateTable('passkeys')
    .set({ counter: String(counter), last_used_at: now })
    .where('id', '=', id)
    .execute();

/** Resolves to whether the user has this passkey. */
export const setPasskeyName = async (db: Reader, userId: string, id: string, name: string) => {
  const { numUpdatedRows } = await db
    .updateTable('passkeys')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
};

/** Resolves to whether the user had this passkey. */
export const deletePasskey = async (tx: Tx, userId: string, id: string) => {
  const { numDeletedRows } = await tx.deleteFrom('passkeys').where('id', '=', id).where('user_id', '=', userId).executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};
