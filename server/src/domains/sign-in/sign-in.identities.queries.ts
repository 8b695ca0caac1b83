import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';

export type AuthorizationPurpose = 'sign-in' | 'connect' | 'confirm';

export const insertAuthorization = (
  db: Reader,
  authorization: {
    state_hash: Buffer;
    browser_hash: Buffer;
    provider: ProviderName;
    purpose: AuthorizationPurpose;
    nonce: string;
    code_verifier: string;
    return_to: string;
    referral_code: string | null;
    user_id: string | null;
    session_id: string | null;
    expires_at: Date;
  },
) => db.insertInto('authorizations').values(authorization).execute();

/** Deletes an authorization of this browser that has not expired. Of several concurrent uses, one gets it. */
export const consumeAuthorization = (db: Db, stateHash: Buffer, browserHash: Buffer, provider: ProviderName, now: Date) =>
  db
    .deleteFrom('authorizations')
    .where('state_hash', '=', stateHash)
    .where('browser_hash', '=', browserHash)
    .where('provider', '=', provider)
    .where('expires_at', '>', now)
    .returning(['purpose', 'nonce', 'code_verifier', 'referral_code', 'user_id', 'session_id'])
    .executeTakeFirst();

export const findReturnPath = async (db: Reader, stateHash: Buffer) =>
  (await db.selectFrom('authorizations').select('return_to').where('state_hash', '=', stateHash).executeTakeFirst())?.return_to;

export const findIdentity = (db: Reader, provider: ProviderName, subject: string) =>
  db.selectFrom('identities').select('user_id').where('provider', '=', provider).where('subject', '=', subject).executeTakeFirst();

export const listIdentityRows = (db: Reader, userId: string) =>
  db
    .selectFrom('identities')
    .select(['provider', 'subject', 'email', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('provider')
    .execute();

export type NewIdentity = {
  user_id: string;
  provider: ProviderName;
  subject: string;
  email: string;
  created_at: Date;
  last_used_at: Date | null;
};

/** Resolves to whether it was added: not if the user has one of this provider, or the person another account. */
export const insertIdentity = async (tx: Tx, identity: NewIdentity) =>
  (await tx
    .insertInto('identities')
    .values(identity)
    .onConflict((conflict) => conflict.doNothing())
    .returning('user_id')
    .executeTakeFirst()) !== undefined;

export const setIdentityUsed = (tx: Tx, userId: string, provider: ProviderName, email: string, now: Date) =>
  tx
    .updateTable('identities')
    .set({ last_used_at: now, ...(email !== '' && { email }) })
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .execute();

/** Resolves to whether the user had it. */
export const deleteIdentity = async (tx: Tx, userId: string, provider: ProviderName) => {
  const { numDeletedRows } = await tx
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where('provider', '=', provider)
    .executeTakeFirstOrThrow();
  return numDeletedRows === 1n;
};

export const insertWaitingIdentity = (
  tx: Reader,
  waiting: {
    token_hash: Buffer;
    provider: ProviderName;
    subject: string;
    email: string;
    referral_code?: string | null;
    user_id: string | null;
    expires_at: Date;
  },
) => tx.insertInto('waiting_identities').values(waiting).execute();

export const findWaitingUser = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .selectFrom('waiting_identities')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** One that waits for the name of a new account. */
export const findNamelessIdentity = (db: Reader, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('waiting_identities')
    .select(['provider', 'subject', 'email', 'referral_code'])
    .where('token_hash', '=', tokenHash)
    .where('user_id', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Deletes it. Of several concurrent uses, one gets it. */
export const consumeWaitingIdentity = (tx: Tx, tokenHash: Buffer, now: Date) =>
  tx
    .deleteFrom('waiting_identities')
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .returning(['provider', 'subject', 'email', 'user_id'])
    .executeTakeFirst();

/** Ends what a user has begun at a provider, and links to connect one. */
export async function deleteAuthorizations(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('authorizations').where('user_id', '=', userId).execute();
  await tx.deleteFrom('waiting_identities').where('user_id', '=', userId).execute();
}

export async function deleteExpiredAuthorizations(db: Reader, now: Date): Promise<void> {
  await db.deleteFrom('authorizations').where('expires_at', '<=', now).execute();
  await db.deleteFrom('waiting_identities').where('expires_at', '<=', now).execute();
}
