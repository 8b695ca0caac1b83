import type { SessionUser } from '@handwise/contract/accounts/calls';
import { lastUseMinutes, longestSessionDays, lookMinutes, recentMinutes } from '@handwise/contract/periods';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { hashToken, createToken } from '../../kit/secrets/tokens.ts';
import * as queries from './accounts.queries.ts';

const minute = 60 * 1000;
const day = 24 * 60 * minute;

/** A session expires after this time without use. */
const idleDays = 30;
const lastUseMs = lastUseMinutes * minute;
const recentMs = recentMinutes * minute;
export const lookMs = lookMinutes * minute;

export const sessionEnd = (now: Date, startedAt: Date) =>
  new Date(Math.min(now.getTime() + idleDays * day, startedAt.getTime() + longestSessionDays * day));

type User = NonNullable<Awaited<ReturnType<typeof queries.findUser>>>;

export const toSessionUser = (user: User): Omit<SessionUser, 'token'> => ({
  _id: user.id,
  name: user.full_name,
  fullName: user.full_name,
  username: user.username,
  email: user.email,
  avatar: user.avatar,
  role: user.role === 'admin' ? 'admin' : 'user',
  referralCode: user.referral_code ?? '',
  emailConfirmed: user.email_confirmed_at !== null,
});

/** `restore` belongs into the cookie that restores the session, not into an answer. */
export type Session = { data: SessionUser; device: string; restore: string };

/** Starts a session for a user who has just authenticated, and links it to their device. */
export async function startSession(tx: Tx, user: User, from: Pick<Caller, 'device' | 'browser'>, now: Date): Promise<Session> {
  const token = createToken();
  const { id } = await queries.insertSession(tx, {
    token_hash: hashToken(token),
    user_id: user.id,
    browser: from.browser,
    created_at: now,
    last_used_at: now,
    confirmed_at: now,
    expires_at: sessionEnd(now, now),
  });
  return {
    data: { ...toSessionUser(user), token },
    device: await saveSignInDevice(tx, user.id, from.device, now),
    restore: await issueRestoreToken(tx, id, now),
  };
}

/** Creates a token that restores the session once; as long as a session lasts without use. */
export async function issueRestoreToken(db: Reader, sessionId: string, now: Date): Promise<string> {
  const token = createToken();
  await queries.insertRestoreToken(db, hashToken(token), sessionId, now, new Date(now.getTime() + idleDays * day));
  return token;
}

/** Starts a session in which staff view the site as a user. The user sees it, with the reason, in their list of sessions. */
export async function startLook(tx: Tx, user: User, by: { id: string; reason: string; browser: string }, now: Date): Promise<SessionUser> {
  const token = createToken();
  await queries.insertSession(tx, {
    token_hash: hashToken(token),
    user_id: user.id,
    browser: by.browser,
    looked_by: by.id,
    look_reason: by.reason,
    created_at: now,
    last_used_at: now,
    // Staff have not proved the user's identity, so calls that require that stay forbidden.
    confirmed_at: new Date(0),
    expires_at: new Date(now.getTime() + lookMs),
  });
  return { ...toSessionUser(user), role: 'user', token };
}

/** Records that this device signed in as the user. An unknown token is replaced by a new one. */
async function saveSignInDevice(tx: Tx, userId: string, shown: string | undefined, now: Date): Promise<string> {
  const device = shown !== undefined && (await queries.isDevice(tx, hashToken(shown))) ? shown : createToken();
  await queries.saveDevice(tx, { token_hash: hashToken(device), user_id: userId, last_used_at: now });
  return device;
}

export const endSession = ({ db, clock }: Context, token: string) => queries.endSessionByToken(db, hashToken(token), clock.now());

/** Ends all sessions of a user except this one. */
export const endOtherSessions = ({ db, clock }: Context, userId: string, sessionId: string) =>
  queries.endSessions(db, userId, clock.now(), sessionId);

/** Ends one session of a user. Throws `session_not_found`. */
export async function endSessionById({ db, clock }: Context, userId: string, sessionId: string): Promise<void> {
  if (!(await queries.endSessionOfUser(db, userId, sessionId, clock.now()))) throw new AppError('session_not_found');
}

/** A user's running sessions, and staff views including those that have ended. */
export const listUserSessions = ({ db, clock }: Context, userId: string) => queries.listSessionRows(db, userId, clock.now());

/** Records that the user of this session has just proved their identity. */
export const confirmIdentity = (db: Reader, sessionId: string, now: Date) => queries.confirmSession(db, sessionId, now);

/** Deletes expired sessions. Staff views stay visible to the user for the longest lifetime of a session. */
export function deleteOldSessions({ db, clock }: Context) {
  const now = clock.now();
  return queries.deleteExpiredSessions(db, now, new Date(now.getTime() - longestSessionDays * day));
}

export async function getSessionUser(db: Db, id: string) {
  const user = await queries.findUser(db, id);
  if (!user) throw new AppError('not_authenticated');
  return toSessionUser(user);
}

/** The viewer that a session token belongs to. Use extends the session, up to its maximum lifetime. */
export async function findViewer({ db, clock }: Context, token: string): Promise<Viewer | undefined> {
  const tokenHash = hashToken(token);
  const now = clock.now();
  const session = await queries.findSessionUser(db, tokenHash, now);
  if (!session) return undefined;
  const isLook = session.looked_by !== null;
  const isExtended = !isLook && now.getTime() - session.last_used_at.getTime() > lastUseMs;
  if (isExtended) await queries.useSession(db, tokenHash, now, sessionEnd(now, session.created_at));
  return {
    id: session.id,
    role: isLook ? 'user' : session.role,
    token,
    sessionId: session.session_id,
    isRecent: now.getTime() - session.confirmed_at.getTime() < recentMs,
    isLook,
    isExtended,
  };
}
