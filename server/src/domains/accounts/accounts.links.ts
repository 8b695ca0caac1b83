import { countAttempt } from '../../kit/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs.ts';
import { sendMail } from '../../kit/mail.ts';
import { withPasswords } from '../../kit/password.ts';
import { hashOf, newToken } from '../../kit/tokens.ts';
import { confirmMail, passwordChangedMail, resetMail } from './accounts.mails.ts';
import type { LinkPurpose } from './accounts.queries.ts';
import * as queries from './accounts.queries.ts';
import { refuseCommonPassword } from './accounts.rules.ts';
import { type Session, startSession } from './accounts.sessions.ts';
import type { From } from './accounts.sign-in.ts';

const hour = 60 * 60 * 1000;
const lifeOf: Record<LinkPurpose, number> = { confirm: 7 * 24 * hour, reset: hour };

/** For each network. A mailbox gets three mails an hour at most, whoever asks for them. */
const askLimit = { max: 30, windowSeconds: 60 * 60 };

/** Makes a link and mails it, where the address is somebody's: the call that wanted it has answered by then, alike for all. */
export const mailLink = defineJob<{ email: string; purpose: LinkPurpose }>('accounts.mail-link');

export async function makeLink({ db, jobs, clock, appUrl }: Context, email: string, purpose: LinkPurpose): Promise<void> {
  const user = await queries.findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  const token = newToken();
  await db.transaction().execute(async (tx) => {
    const expires = new Date(clock.now().getTime() + lifeOf[purpose]);
    await queries.insertLink(tx, { token_hash: hashOf(token), user_id: user.id, purpose, email: user.email, expires_at: expires });
    const reader = { to: user.email, appUrl };
    await jobs.send(tx, sendMail, purpose === 'confirm' ? confirmMail(reader, token) : resetMail(reader, token));
  });
}

/** Part of registering. */
export const askForConfirmation = ({ jobs }: Context, tx: Tx, email: string) => jobs.send(tx, mailLink, { email, purpose: 'confirm' });

export async function resendConfirmation({ db, jobs }: Context, userId: string, from: Pick<From, 'network'>): Promise<void> {
  await countAttempt(db, `confirm-from:${from.network}`, askLimit);
  const { email } = await queries.findContact(db, userId);
  if ((await queries.findConfirmation(db, userId)) !== null) return;
  await db.transaction().execute((tx) => jobs.send(tx, mailLink, { email, purpose: 'confirm' }));
}

/** The same for known and unknown addresses: who has one is found out later, by the job. */
export async function forgotPassword({ db, jobs }: Context, email: string, from: Pick<From, 'network'>): Promise<void> {
  await countAttempt(db, `reset-from:${from.network}`, askLimit);
  await db.transaction().execute((tx) => jobs.send(tx, mailLink, { email, purpose: 'reset' }));
}

/** Throws `link_not_valid`, also where the account has another address by now. */
export const verifyEmail = ({ db, clock }: Context, token: string): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const link = await queries.takeLink(tx, hashOf(token), 'confirm', clock.now());
    const confirmed = link && (await queries.confirmAddress(tx, link.user_id, link.email, clock.now()));
    if (!link || !confirmed) throw new AppError('link_not_valid');
    await queries.deleteLinks(tx, link.user_id, 'confirm');
  });

/**
 * Sets a new password: every session and every other reset link of the account ends, no device is known any more, and one session begins. The link went to the
 * account's address, so that is confirmed as well. Throws `link_not_valid`, `invalid_input` for a password that is too common.
 */
export async function resetPassword(context: Context, token: string, password: string, from: From): Promise<Session> {
  const { db, jobs, clock, appUrl } = context;
  refuseCommonPassword(password);
  await countAttempt(db, `reset-from:${from.network}`, askLimit);
  const passwordHash = await withPasswords((passwords) => passwords.hash(password));
  return db.transaction().execute(async (tx) => {
    const link = await queries.takeLink(tx, hashOf(token), 'reset', clock.now());
    const user = link && (await queries.findUser(tx, link.user_id));
    if (!user || user.suspended_at || !(await queries.confirmAddress(tx, user.id, link.email, clock.now()))) {
      throw new AppError('link_not_valid');
    }
    await queries.setPassword(tx, user.id, passwordHash);
    await queries.deleteSessions(tx, user.id);
    // Whoever knew the old password may have signed in: their device counts as a stranger's again.
    await queries.deleteDevicesOf(tx, user.id);
    await queries.deleteLinks(tx, user.id, 'reset');
    await jobs.send(tx, sendMail, passwordChangedMail({ to: user.email, appUrl }));
    return startSession(tx, user, from.device, clock.now());
  });
}
