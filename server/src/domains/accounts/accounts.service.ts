import { createHash, randomBytes, randomInt } from 'node:crypto';
import type { LoginForm, RegisterForm, SessionUser } from '@handwise/contract/accounts';
import { countAttempt, forgiveAttempt } from '../../kit/attempts.ts';
import { type Db, type Tx, violatedConstraint } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import { hashPassword, isCommonPassword, isPassword } from '../../kit/password.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import * as queries from './accounts.queries.ts';
import { referralCodeNumber, referralCodePrefix } from './accounts.rules.ts';

const day = 24 * 60 * 60 * 1000;
const sessionDays = 30;

const limits = {
  loginPerEmail: { max: 10, windowSeconds: 15 * 60 },
  loginPerAddress: { max: 100, windowSeconds: 15 * 60 },
  registerPerAddress: { max: 300, windowSeconds: 60 * 60 },
};

const hashOf = (token: string) => createHash('sha256').update(token).digest();

type User = Awaited<ReturnType<typeof queries.insertUser>>;

const asSessionUser = (user: User): Omit<SessionUser, 'token'> => ({
  _id: user.id,
  name: user.full_name,
  fullName: user.full_name,
  username: user.username,
  email: user.email,
  avatar: user.avatar,
  role: user.role === 'admin' ? 'admin' : 'user',
  referralCode: user.referral_code,
});

async function startSession(tx: Tx, user: User): Promise<SessionUser> {
  const token = randomBytes(32).toString('base64url');
  await queries.insertSession(tx, { token_hash: hashOf(token), user_id: user.id, expires_at: new Date(Date.now() + sessionDays * day) });
  return { ...asSessionUser(user), token };
}

/**
 * Checks a password. Wrong ones are limited for each address of mail and of network; the count is taken before the check,
 * so that parallel attempts cannot slip through, and given back where the password is right.
 */
export async function checkCredentials(db: Db, form: LoginForm, networkAddress: string): Promise<User> {
  const keys = [
    [`login:${form.email.toLowerCase()}`, limits.loginPerEmail],
    [`login-from:${networkAddress}`, limits.loginPerAddress],
  ] as const;
  for (const [key, limit] of keys) await countAttempt(db, key, limit);
  const user = await queries.findUserByEmail(db, form.email);
  const right = await isPassword(user?.password_hash, form.password);
  if (!user || !right || user.suspended_at) throw new AppError('invalid_credentials');
  for (const [key] of keys) await forgiveAttempt(db, key);
  return user;
}

export const login = (tx: Tx, user: User) => startSession(tx, user);

/** What registration needs that takes long and so must not happen inside of the transaction. */
export async function prepareRegistration(db: Db, form: RegisterForm, networkAddress: string): Promise<string> {
  if (isCommonPassword(form.password)) {
    throw new AppError('invalid_input', { fields: [{ field: 'password', message: 'This password is too common' }] });
  }
  await countAttempt(db, `register-from:${networkAddress}`, limits.registerPerAddress);
  return hashPassword(form.password);
}

/** Creates the account with its own referral code and remembers the code that it came with, where that is a valid one. */
export async function register(tx: Tx, form: RegisterForm, passwordHash: string): Promise<SessionUser> {
  const prefix = referralCodePrefix(form.username);
  let number = referralCodeNumber(0, randomInt);
  for (let attempt = 1; await queries.isCodeTaken(tx, prefix + number); attempt += 1) number = referralCodeNumber(attempt, randomInt);
  const given = form.referralCode?.toUpperCase() || null;
  try {
    const user = await queries.insertUser(tx, {
      full_name: form.fullName,
      username: form.username,
      email: form.email,
      password_hash: passwordHash,
      referral_code: prefix + number,
      referred_by_code: given && (await queries.isReferralCode(tx, given)) ? given : null,
    });
    return await startSession(tx, user);
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

export const logout = (tx: Tx, token: string) => queries.deleteSession(tx, hashOf(token));

export async function getUser(db: Db, id: string) {
  const user = await queries.findUser(db, id);
  if (!user) throw new AppError('not_authenticated');
  return asSessionUser(user);
}

/** The viewer of a token, or undefined. A session that is used is renewed, once a day at most. */
export async function findViewer(db: Db, token: string): Promise<Viewer | undefined> {
  const tokenHash = hashOf(token);
  const session = await queries.findSessionUser(db, tokenHash);
  if (!session) return undefined;
  const renewed = Date.now() + sessionDays * day;
  if (renewed - session.expires_at.getTime() > day) await queries.extendSession(db, tokenHash, new Date(renewed));
  return { id: session.id, role: session.role, token };
}

export const { deleteExpiredSessions, findContact, isReferralCode } = queries;

/** Whoever spends money or a right of this user waits here for the others, until the transaction ends. */
export const lockUser = queries.lockContact;

export type Contact = Awaited<ReturnType<typeof queries.findContact>>;
