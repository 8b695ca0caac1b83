import type { LoginForm, RegisterForm, SessionUser } from '@handwise/contract/accounts';
import { countAttempt } from '../../kit/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { type Db, type Reader, type Tx, violatedConstraint } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { isCommonPassword, withPasswords } from '../../kit/password.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { hashOf, newToken } from '../../kit/tokens.ts';
import * as queries from './accounts.queries.ts';
import { checkCredentials, type From } from './accounts.sign-in.ts';

const day = 24 * 60 * 60 * 1000;
const sessionDays = 30;

/** For each network. */
const registerLimit = { max: 300, windowSeconds: 60 * 60 };

const sessionEnd = (now: Date) => new Date(now.getTime() + sessionDays * day);

type User = NonNullable<Awaited<ReturnType<typeof queries.findUser>>>;

/** What follows a registration, in its transaction and before the answer is made. */
export type OnRegistered = (tx: Tx, user: { id: string; username: string }, form: RegisterForm) => Promise<void>;

const asSessionUser = (user: User): Omit<SessionUser, 'token'> => ({
  _id: user.id,
  name: user.full_name,
  fullName: user.full_name,
  username: user.username,
  email: user.email,
  avatar: user.avatar,
  role: user.role === 'admin' ? 'admin' : 'user',
  referralCode: user.referral_code ?? '',
});

type Session = { data: SessionUser; device: string };

async function startSession(tx: Tx, user: User, shown: string | undefined, now: Date): Promise<Session> {
  const token = newToken();
  await queries.insertSession(tx, { token_hash: hashOf(token), user_id: user.id, expires_at: sessionEnd(now) });
  return { data: { ...asSessionUser(user), token }, device: await rememberDevice(tx, user.id, shown, now) };
}

/** Keeps that this device has signed in as the user. One that was never given out gets a new name. */
async function rememberDevice(tx: Tx, userId: string, shown: string | undefined, now: Date): Promise<string> {
  const device = shown !== undefined && (await queries.isDevice(tx, hashOf(shown))) ? shown : newToken();
  await queries.saveDevice(tx, { token_hash: hashOf(device), user_id: userId, last_used_at: now });
  return device;
}

/** Starts a session for whoever knows the password. Throws `invalid_credentials`, `too_many_requests`. */
export async function login({ db, clock }: Context, form: LoginForm, from: From): Promise<Session> {
  const user = await checkCredentials(db, form, from);
  return db.transaction().execute((tx) => startSession(tx, user, from.device, clock.now()));
}

/** Creates the account and signs it in. Throws `username_taken`, `email_taken`. */
export async function register({ db, clock }: Context, form: RegisterForm, from: From, onRegistered: OnRegistered): Promise<Session> {
  if (isCommonPassword(form.password)) {
    throw new AppError('invalid_input', { fields: [{ field: 'password', message: 'This password is too common' }] });
  }
  await countAttempt(db, `register-from:${from.network}`, registerLimit);
  const passwordHash = await withPasswords((passwords) => passwords.hash(form.password));
  try {
    return await db.transaction().execute(async (tx) => {
      const { id } = await queries.insertUser(tx, {
        full_name: form.fullName,
        username: form.username,
        email: form.email,
        password_hash: passwordHash,
      });
      await onRegistered(tx, { id, username: form.username }, form);
      const user = await queries.findUser(tx, id);
      if (!user) throw new Error('an account that was just written is not there');
      return startSession(tx, user, from.device, clock.now());
    });
  } catch (error) {
    const constraint = violatedConstraint(error);
    const { code, field } =
      constraint === 'users_username_key'
        ? ({ code: 'username_taken', field: 'username' } as const)
        : ({ code: 'email_taken', field: 'email' } as const);
    if (constraint !== 'users_username_key' && constraint !== 'users_email_key') throw error;
    const refusal = new AppError(code);
    throw new AppError(code, { fields: [{ field, message: refusal.message }] });
  }
}

export const logout = ({ db }: Context, token: string) => queries.deleteSession(db, hashOf(token));

export async function getUser(db: Db, id: string) {
  const user = await queries.findUser(db, id);
  if (!user) throw new AppError('not_authenticated');
  return asSessionUser(user);
}

/** The viewer of a token, or undefined. A session that is used is renewed, once a day at most. */
export async function findViewer({ db, clock }: Context, token: string): Promise<Viewer | undefined> {
  const tokenHash = hashOf(token);
  const now = clock.now();
  const session = await queries.findSessionUser(db, tokenHash, now);
  if (!session) return undefined;
  const renewed = sessionEnd(now);
  if (renewed.getTime() - session.expires_at.getTime() > day) await queries.extendSession(db, tokenHash, renewed);
  return { id: session.id, role: session.role, token };
}

export const { findContact } = queries;

export const deleteExpiredSessions = ({ db, clock }: Context) => queries.deleteExpiredSessions(db, clock.now());

/** Devices that have not signed in for a year. */
export const deleteOldDevices = ({ db, clock }: Context) => queries.deleteDevices(db, new Date(clock.now().getTime() - 365 * day));

/** Whoever spends money or a right of this user waits here for the others, until the transaction ends. */
export const lockUser = queries.lockContact;

export type Contact = Awaited<ReturnType<typeof queries.findContact>>;

/** Whether a user's address of mail was confirmed by a link that went there. */
export const isConfirmed = async (db: Reader, userId: string): Promise<boolean> => (await queries.findConfirmation(db, userId)) !== null;
