import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { AppError } from '../../kit/errors.ts';
import type { RelyingParty } from '../../kit/hosts.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { withPasswordHasher } from '../../kit/identity/password.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import {
  type ChangedBy,
  confirmAddress,
  findLinkUser,
  findUserByEmail,
  createLink,
  rejectWeakPassword,
  changePassword,
  consumeLink,
} from '../accounts/accounts.service.ts';
import type { SignInContext } from './sign-in.context.ts';
import { resetEmail } from './sign-in.emails.ts';
import { deleteChallenges, deleteCredentials } from './sign-in.queries.ts';
import { startSignIn } from './sign-in.second-step.ts';

const hour = 60 * 60 * 1000;

/** Per network, requests and resets together. A mailbox gets at most three emails an hour, whichever network requests them. */
const limit = { max: 30, windowSeconds: 60 * 60 };

/** Emails a reset link if an account has this address. A job, so that the call answers known and unknown addresses alike. */
export const sendResetJob = defineJob<{ email: string }>('sign-in.send-reset-link');

export async function sendReset({ db, jobs, clock, appUrl }: Context, email: string): Promise<void> {
  const user = await findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  await db.transaction().execute(async (tx) => {
    const token = await createLink(tx, user, 'reset', new Date(clock.now().getTime() + hour));
    await jobs.send(tx, sendMail, resetEmail({ to: user.email, appUrl }, token, user.email_confirmed_at !== null));
  });
}

/** Takes the same time for known and unknown addresses; the job looks the account up. */
export async function forgotPassword({ db, jobs }: Context, email: string, network: string): Promise<void> {
  await countAttempt(db, `reset-from:${network}`, limit);
  await db.transaction().execute((tx) => jobs.send(tx, sendResetJob, { email }));
}

/**
 * Sets a new password with an emailed link and signs in, with the second step if the account has one. Using the link also confirms the
 * address; an account that was never confirmed loses every passkey, authenticator and recovery code. Throws `link_not_valid`, and
 * `invalid_input` for a weak password.
 */
export async function resetPassword(context: SignInContext, token: string, password: string, site: RelyingParty, from: Caller & ChangedBy) {
  const { db, clock } = context;
  await countAttempt(db, `reset-from:${from.network}`, limit);
  const owner = await findLinkUser(db, token, 'reset', clock.now());
  if (!owner) throw new AppError('link_not_valid');
  await rejectWeakPassword(password, owner);
  const passwordHash = await withPasswordHasher((passwords) => passwords.hash(password));
  return db.transaction().execute(async (tx) => {
    const link = await consumeLink(tx, token, 'reset', clock.now());
    const user = link?.user;
    if (!user || user.suspended_at || !(await confirmAddress(tx, user.id, link.email, clock.now()))) {
      throw new AppError('link_not_valid');
    }
    // The person who registered an address that was never confirmed may not be its owner.
    const credentialsEnded = user.email_confirmed_at === null;
    if (credentialsEnded) await deleteCredentials(tx, user.id);
    await changePassword(context, tx, user, passwordHash, from, { credentialsEnded, onPasswordChanged: deleteChallenges });
    const result = await startSignIn(context, tx, { ...user, email_confirmed_at: user.email_confirmed_at ?? clock.now() }, site, from);
    return 'secondStep' in result ? result : { ...result, credentialsEnded };
  });
}
