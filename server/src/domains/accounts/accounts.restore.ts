import type { SessionUser } from '@handwise/contract/accounts/calls';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { createToken, hashToken } from '../../kit/secrets/tokens.ts';
import * as queries from './accounts.queries.ts';
import { issueRestoreToken, sessionEnd, toSessionUser } from './accounts.sessions.ts';

/** A cookie in use is renewed daily, so that it lasts as long as its session. */
const renewMs = 24 * 60 * 60 * 1000;

/** A new token for a session whose last one is a day old, or that has none. An unused one stays valid, because this answer may be lost. */
export async function renewRestoreToken({ db, clock }: Context, sessionId: string): Promise<string | undefined> {
  const now = clock.now();
  const fresh = await db
    .selectFrom('restore_tokens')
    .select('session_id')
    .where('session_id', '=', sessionId)
    .where('created_at', '>', new Date(now.getTime() - renewMs))
    .limit(1)
    .executeTakeFirst();
  return fresh ? undefined : issueRestoreToken(db, sessionId, now);
}

/**
 * Gives a session a new token in place of the lost one, for its restore token, which is replaced too. Undefined if there is nothing to restore;
 * a restore token that was used before ends its session.
 */
export async function restoreSession(
  { db, clock, logger }: Context,
  shown: string,
  browser: string,
): Promise<{ data: SessionUser; restore: string } | undefined> {
  const hash = hashToken(shown);
  const now = clock.now();
  return db.transaction().execute(async (tx) => {
    const owner = await findOwner(tx, hash);
    if (!owner) return undefined;
    // Locks the user first and then the session, as a password change does.
    const user = await queries.lockUserRow(tx, owner.user_id);
    const session = await lockSession(tx, owner.session_id, now);
    const token = session && (await lockToken(tx, hash));
    if (!session || !token || token.expires_at <= now || user.suspended_at) return undefined;
    if (token.used_at) {
      logger.warn({ userId: user.id }, 'a restore token was used twice, so its session has ended');
      await tx.deleteFrom('sessions').where('id', '=', owner.session_id).execute();
      return undefined;
    }
    await tx
      .updateTable('restore_tokens')
      .set({ used_at: now })
      .where('session_id', '=', owner.session_id)
      .where('used_at', 'is', null)
      .execute();
    const newToken = createToken();
    await tx
      .updateTable('sessions')
      .set({
        token_hash: hashToken(newToken),
        browser,
        last_used_at: now,
        expires_at: sessionEnd(now, session.created_at),
        // A cookie proves no identity.
        confirmed_at: new Date(0),
      })
      .where('id', '=', owner.session_id)
      .execute();
    return { data: { ...toSessionUser(user), token: newToken }, restore: await issueRestoreToken(tx, owner.session_id, now) };
  });
}

const findOwner = (tx: Tx, hash: Buffer) =>
  tx
    .selectFrom('restore_tokens')
    .innerJoin('sessions', 'sessions.id', 'session_id')
    .select(['session_id', 'user_id'])
    .where('restore_tokens.token_hash', '=', hash)
    .executeTakeFirst();

const lockSession = (tx: Tx, id: string, now: Date) =>
  tx
    .selectFrom('sessions')
    .select('created_at')
    .where('id', '=', id)
    .where('looked_by', 'is', null)
    .where('expires_at', '>', now)
    .forUpdate()
    .executeTakeFirst();

const lockToken = (tx: Tx, hash: Buffer) =>
  tx.selectFrom('restore_tokens').select(['expires_at', 'used_at']).where('token_hash', '=', hash).forUpdate().executeTakeFirst();
