import type { LoginForm } from '@handwise/contract/sign-in';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import { endSession, findByPassword, type Session, startSession } from '../accounts/accounts.service.ts';

export { endOtherSessions, endSessionById } from '../accounts/accounts.service.ts';
export { confirmByPassword, listSessions } from './sign-in.sessions.ts';
export { forgotPassword, resetPassword } from './sign-in.reset.ts';

/** Starts a session for whoever knows the password. Throws `invalid_credentials`, `too_many_requests`. */
export async function login({ db, clock }: Context, form: LoginForm, from: From): Promise<Session> {
  const user = await findByPassword(db, form, from);
  if (!user) throw new AppError('invalid_credentials');
  return db.transaction().execute((tx) => startSession(tx, user, from, clock.now()));
}

export const logout = endSession;
