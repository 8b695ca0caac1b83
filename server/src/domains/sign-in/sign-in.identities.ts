import type { OneIdentity } from '@handwise/contract/accounts/identities';
import type { ProviderName } from '@handwise/contract/accounts/provider-names';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { type ChangedBy, findUser, hasPassword, lockUserRow } from '../accounts/accounts.service.ts';
import { notifyOfChange } from './sign-in.authenticator.ts';
import * as identities from './sign-in.identities.queries.ts';
import { listPasskeyRows } from './sign-in.queries.ts';

export async function listIdentities(db: Reader, userId: string): Promise<OneIdentity[]> {
  const rows = await identities.listIdentityRows(db, userId);
  return rows.map(({ provider, email, created_at, last_used_at }) => ({
    provider,
    email,
    createdAt: created_at.toISOString(),
    lastUsedAt: last_used_at?.toISOString() ?? null,
  }));
}

export const isPasswordSet = async (db: Reader, userId: string): Promise<boolean> => {
  const user = await findUser(db, userId);
  return user !== undefined && hasPassword(user);
};

/** After a way to sign in was removed from a locked user. Throws `last_credential`, which restores it. */
export async function requireCredential(tx: Tx, user: { id: string; password_hash: string }): Promise<void> {
  if (hasPassword(user) || (await listPasskeyRows(tx, user.id)).length > 0) return;
  if ((await identities.listIdentityRows(tx, user.id)).length === 0) throw new AppError('last_credential');
}

/**
 * Lets a person at a provider sign in to a locked user’s account, and notifies its owner. Nothing changes if they already can. Throws `identity_taken`,
 * `identity_exists`.
 */
export async function connectIdentity(
  context: Context,
  tx: Tx,
  identity: { userId: string; provider: ProviderName; subject: string; email: string },
  by: ChangedBy,
): Promise<void> {
  const { userId, provider, subject, email } = identity;
  await setAuditActor(tx, userId);
  const row = { user_id: userId, provider, subject, email, created_at: context.clock.now(), last_used_at: null };
  if (await identities.insertIdentity(tx, row)) return notifyOfChange(context, tx, userId, `${provider}Connected`, by);
  const holder = await identities.findIdentity(tx, provider, subject);
  if (holder?.user_id === userId) return;
  throw new AppError(holder ? 'identity_taken' : 'identity_exists');
}

/** Throws `identity_not_found`, `last_credential`. */
export const disconnectProvider = (context: Context, userId: string, provider: ProviderName, by: ChangedBy): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const user = await lockUserRow(tx, userId);
    await setAuditActor(tx, userId);
    if (!(await identities.deleteIdentity(tx, userId, provider))) throw new AppError('identity_not_found');
    await requireCredential(tx, user);
    await notifyOfChange(context, tx, userId, `${provider}Disconnected`, by);
  });
