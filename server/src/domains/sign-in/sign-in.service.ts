import type { LoginForm } from '@handwise/contract/sign-in/calls';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { endSession, findUserByPassword, lockUserRow } from '../accounts/accounts.service.ts';
import { listIdentityRows } from './sign-in.identities.queries.ts';
import { isPasswordSet, listIdentities } from './sign-in.identities.ts';
import { listPasskeys } from './sign-in.passkeys.ts';
import * as queries from './sign-in.queries.ts';
import { startSignIn } from './sign-in.second-step.ts';
export type { SignInContext } from './sign-in.context.ts';

export { endOtherSessions, endSessionById, restoreSession } from '../accounts/accounts.service.ts';
export { confirmAuthenticator, removeAuthenticator, renewRecoveryCodes, setUpAuthenticator } from './sign-in.authenticator.ts';

export {
  addPasskey,
  newPasskeyOptions,
  createPasskeyOptions,
  passkeySignInOptions,
  removePasskey,
  renamePasskey,
  signInByPasskey,
} from './sign-in.passkeys.ts';
export { disconnectProvider } from './sign-in.identities.ts';
export {
  connectByLink,
  finishAtProvider,
  findReturnPath,
  nameProviderAccount,
  startConfirming,
  startConnecting,
  startProviderSignIn,
  type Visitor,
} from './sign-in.providers.ts';
export { deleteChallenges, deleteCredentials } from './sign-in.queries.ts';
export { finishSignIn, secondStepPasskeyOptions } from './sign-in.second-step.ts';
export { verifyIdentity, listSessions } from './sign-in.sessions.ts';
export { forgotPassword, resetPassword } from './sign-in.reset.ts';

/** Starts a session, or the second step, for a right password. Throws `invalid_credentials`, `too_many_requests`. */
export async function login(context: Context, form: LoginForm, site: RelyingParty, from: Caller) {
  const { db } = context;
  const user = await findUserByPassword(context, form, from);
  if (!user) throw new AppError('invalid_credentials');
  return db.transaction().execute(async (tx) => {
    const now = await lockUserRow(tx, user.id);
    // The password may have changed since it was checked.
    if (now.suspended_at || now.password_hash !== user.password_hash) throw new AppError('invalid_credentials');
    return startSignIn(context, tx, now, site, from);
  });
}

export const logout = endSession;

/** The ways in which a user signs in. */
export async function getSecurity(db: Reader, userId: string) {
  const [authenticator, recoveryCodesLeft, passkeys, identities, hasPassword] = await Promise.all([
    queries.findAuthenticator(db, userId),
    queries.countRecoveryCodes(db, userId),
    listPasskeys(db, userId),
    listIdentities(db, userId),
    isPasswordSet(db, userId),
  ]);
  return { authenticator: authenticator !== undefined, recoveryCodesLeft, passkeys, identities, hasPassword };
}

/** A user's data in this domain, without secrets, keys and hashes. */
export const getOwnSignInData = (db: Reader, userId: string): OwnData => ({
  lists: {
    passkeys: () => listPasskeys(db, userId),
    'connected-accounts': async () =>
      (await listIdentityRows(db, userId)).map(({ subject, ...identity }) => ({ ...identity, idThere: subject })),
    'second-step': async () => [
      {
        authenticator: (await queries.findAuthenticator(db, userId)) !== undefined,
        recoveryCodesLeft: await queries.countRecoveryCodes(db, userId),
      },
    ],
  },
});
