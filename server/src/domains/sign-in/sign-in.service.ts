import type { LoginForm } from '@handwise/contract/sign-in';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { endSession, findByPassword } from '../accounts/accounts.service.ts';
import { startSignIn } from './sign-in.second-step.ts';

export { endOtherSessions, endSessionById } from '../accounts/accounts.service.ts';
export { confirmAuthenticator, getSecurity, removeAuthenticator, renewRecoveryCodes, setUpAuthenticator } from './sign-in.authenticator.ts';
export { finishSignIn } from './sign-in.second-step.ts';
export { confirmByPassword, listSessions } from './sign-in.sessions.ts';
export { forgotPassword, resetPassword } from './sign-in.reset.ts';

/** Starts a session for whoever knows the password, or its second step. Throws `invalid_credentials`, `too_many_requests`. */
export async function login(context: Context, form: LoginForm, from: From) {
  const { db } = context;
  const user = await findByPassword(db, form, from);
  if (!user) throw new AppError('invalid_credentials');
  return db.transaction().execute((tx) => startSignIn(context, tx, user, from));
}

export const logout = endSession;
