import type { SessionUser } from '@handwise/contract/accounts';
import type { Context } from '../../kit/context.ts';
import type { Db, Tx } from '../../kit/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/session-guard.ts';
import { hashOf, newToken } from '../../kit/tokens.ts';
import * as queries from './accounts.queries.ts';

const day = 24 * 60 * 60 * 1000;
const sessionDays = 30;

const sessionEnd = (now: Date) => new Date(now.getTime() + sessionDays * day);

type User = NonNullable<Awaited<ReturnType<typeof queries.findUser>>>;

export const asSessionUser = (user: User): Omit<SessionUser, 'token'> => ({
  _id: user.id,
  name: user.full_name,
  fullName: user.full_name,
  username: user.username,
  email: user.email,
  avatar: user.avatar,
  role: user.role === 'admin' ? 'admin' : 'user',
  referralCode: user.referral_code ?? '',
});

export type Session = { data: SessionUser; device: string };

/** Starts a session on a device: the one that it shows, where that is known. */
export async function startSession(tx: Tx, user: User, shown: string | undefined, now: Date): Promise<Session> {
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

export const endSession = ({ db }: Context, token: string) => queries.deleteSession(db, hashOf(token));

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
