import type { OneSession } from '@handwise/contract/sign-in/calls';
import type { PasskeyAnswer } from '@handwise/contract/sign-in/passkeys';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { invalidField } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import * as accounts from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import { verifyPasskey } from './sign-in.passkeys.ts';
import { requireSecondStep } from './sign-in.second-step.ts';

type Proof = {
  password?: string | undefined;
  code?: string | undefined;
  recoveryCode?: string | undefined;
  passkey?: PasskeyAnswer | undefined;
};

/**
 * Verifies the identity of a session's user with what signing in would take, and records it. Throws `invalid_input`, `passkey_refused`,
 * `too_many_requests`.
 */
export async function verifyIdentity(
  context: SignInContext,
  viewer: Viewer,
  { password, passkey, ...answer }: Proof,
  site: RelyingParty,
  from: Caller & accounts.ChangedBy,
): Promise<void> {
  const { db, clock } = context;
  if (passkey) await verifyPasskey(context, passkey, { purpose: 'passkey-confirm', userId: viewer.id }, site);
  else if (password === undefined || !(await accounts.isOwnPassword(context, viewer.id, password, from))) {
    throw invalidField('password', 'This is not your password');
  } else await requireSecondStep(context, viewer.id, answer, from);
  await accounts.confirmIdentity(db, viewer.sessionId, clock.now());
}

export async function listSessions(context: Context, viewer: Viewer): Promise<OneSession[]> {
  const now = context.clock.now();
  const sessions = await accounts.listUserSessions(context, viewer.id);
  return sessions.map((session) => ({
    _id: session.id,
    browser: session.browser,
    current: session.id === viewer.sessionId,
    createdAt: session.created_at.toISOString(),
    lastUsedAt: session.last_used_at.toISOString(),
    look: session.look_reason === null ? null : { reason: session.look_reason, ended: session.expires_at <= now },
  }));
}
