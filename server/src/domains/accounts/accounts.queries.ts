import { sql, type Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import { prepared, type Reader, type Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

export type LinkPurpose = 'confirm' | 'reset';

const userColumns = [
  'id',
  'full_name',
  'username',
  'email',
  'avatar',
  'role',
  'referral_code',
  'password_hash',
  'suspended_at',
  'email_confirmed_at',
] as const;

export const findUserByEmail = (db: Reader, email: string) =>
  db.selectFrom('users').select(userColumns).where('email', '=', email).executeTakeFirst();

/** The addresses among these that belong to an account, in lower case. */
export const listRegisteredEmails = async (db: Reader, emails: readonly string[]): Promise<string[]> =>
  (
    await db
      .selectFrom('users')
      .select('email')
      .where('email', '=', sql<string>`any(${[...emails]}::citext[])`)
      .execute()
  ).map(({ email }) => email.toLowerCase());

export const findUser = (db: Reader, id: string) => db.selectFrom('users').select(userColumns).where('id', '=', id).executeTakeFirst();

// Not `for update`: rows that merely point at the user can still be written by others.
export const lockUserRow = (tx: Tx, id: string) =>
  tx.selectFrom('users').select(userColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();

/** Locks a user and all active administrators, ordered by id to avoid deadlocks with other transactions that lock several users. */
export async function lockUserAndAdministrators(tx: Tx, id: string) {
  const rows = await tx
    .selectFrom('users')
    .select([...userColumns, 'deleted_at'])
    .where(({ or, and, eb }) =>
      or([eb('id', '=', id), and([eb('role', '=', 'admin'), eb('suspended_at', 'is', null), eb('deleted_at', 'is', null)])]),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  const user = rows.find((row) => row.id === id);
  if (!user) throw new Error(`there is no user ${id}`);
  const administrators = rows.filter((row) => row.role === 'admin' && row.suspended_at === null && row.deleted_at === null);
  return { user, administrators: administrators.map((row) => row.id) };
}

/** Removes personal data and credentials from an account; its row stays because other rows reference it. */
export async function anonymizeUser(tx: Tx, id: string, anonymizedUser: Updateable<DB['users']>): Promise<void> {
  await tx.updateTable('users').set(anonymizedUser).where('id', '=', id).execute();
  for (const table of ['sessions', 'devices', 'account_links', 'address_changes', 'business_addresses'] as const) {
    await tx.deleteFrom(table).where('user_id', '=', id).execute();
  }
}

const profileColumns = ['phone_number', 'address', 'about'] as const;

export const findProfile = (db: Reader, id: string) =>
  db.selectFrom('users').select(userColumns).select(profileColumns).where('id', '=', id).executeTakeFirst();

type ProfileChange = Partial<Record<'full_name' | 'phone_number' | 'address' | 'about' | 'avatar', string>>;

export const setProfile = async (tx: Tx, id: string, change: ProfileChange) => {
  if (Object.keys(change).length > 0) await tx.updateTable('users').set(change).where('id', '=', id).execute();
};

export const insertUser = (
  tx: Tx,
  user: {
    full_name: string;
    username: string;
    email: string;
    password_hash: string;
  },
) => tx.insertInto('users').values(user).returning('id').executeTakeFirstOrThrow();

/** Nothing if the username is taken. */
export const insertVerifiedUser = (
  tx: Tx,
  user: { full_name: string; username: string; email: string; password_hash: string; email_confirmed_at: Date },
) =>
  tx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('username').doNothing())
    .returning('id')
    .executeTakeFirst();

export const insertSession = (
  tx: Tx,
  session: {
    token_hash: Buffer;
    user_id: string;
    browser: string;
    looked_by?: string;
    look_reason?: string;
    created_at: Date;
    last_used_at: Date;
    confirmed_at: Date;
    expires_at: Date;
  },
) => tx.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow();

/** Nothing for a session that has just ended. */
export const insertRestoreToken = (db: Reader, tokenHash: Buffer, sessionId: string, now: Date, expiresAt: Date) =>
  db
    .insertInto('restore_tokens')
    .columns(['token_hash', 'session_id', 'created_at', 'expires_at'])
    .expression((is) =>
      is
        .selectFrom('sessions')
        .select([is.val(tokenHash).as('token_hash'), 'id', is.val(now).as('created_at'), is.val(expiresAt).as('expires_at')])
        .where('id', '=', sessionId),
    )
    .execute();

// A staff view is ended instead of deleted, so that the user still sees it.
const endLook = (db: Reader, now: Date) =>
  db.updateTable('sessions').set({ expires_at: now }).where('looked_by', 'is not', null).where('expires_at', '>', now);
const deleteOwn = (db: Reader) => db.deleteFrom('sessions').where('looked_by', 'is', null);

export async function endSessionByToken(db: Reader, tokenHash: Buffer, now: Date): Promise<void> {
  await deleteOwn(db).where('token_hash', '=', tokenHash).execute();
  await endLook(db, now).where('token_hash', '=', tokenHash).execute();
}

/** Whether the user had this session. */
export async function endSessionOfUser(db: Reader, userId: string, id: string, now: Date): Promise<boolean> {
  const deleted = await deleteOwn(db).where('id', '=', id).where('user_id', '=', userId).returning('id').execute();
  const ended = await endLook(db, now).where('id', '=', id).where('user_id', '=', userId).returning('id').execute();
  return deleted.length + ended.length > 0;
}

/** Ends all sessions of a user, optionally except one. */
export async function endSessions(db: Reader, userId: string, now: Date, exceptId: string | null = null): Promise<void> {
  await deleteOwn(db).where('user_id', '=', userId).where('id', 'is distinct from', exceptId).execute();
  await endLook(db, now).where('user_id', '=', userId).where('id', 'is distinct from', exceptId).execute();
}

/** Ends every session in which this member of staff views the site as a user. */
export async function endLooksByAdmin(db: Reader, staffId: string, now: Date): Promise<void> {
  await endLook(db, now).where('looked_by', '=', staffId).execute();
}

/** Deletes expired sessions. Staff views are deleted only when they ended before `looksBefore`. */
export const deleteExpiredSessions = (db: Reader, now: Date, looksBefore: Date) =>
  db
    .deleteFrom('sessions')
    .where((is) => is.or([is.and([is('looked_by', 'is', null), is('expires_at', '<', now)]), is('expires_at', '<', looksBefore)]))
    .execute();

/** The user of a running session, unless the user is suspended or deleted, or the viewing member of staff lost the role. */
export const findSessionUser = (db: Reader, tokenHash: Buffer, now: Date) =>
  db
    .selectFrom('sessions')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('users as staff', 'staff.id', 'sessions.looked_by')
    .select(['users.id', 'users.role', 'sessions.id as session_id', 'looked_by', 'sessions.created_at', 'last_used_at', 'confirmed_at'])
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', now)
    .where('users.suspended_at', 'is', null)
    .where('users.deleted_at', 'is', null)
    .where((is) => is.or([is('looked_by', 'is', null), is.and([is('staff.role', '=', 'admin'), is('staff.suspended_at', 'is', null)])]))
    .executeTakeFirst();

export const useSession = (db: Reader, tokenHash: Buffer, now: Date, expiresAt: Date) =>
  db.updateTable('sessions').set({ last_used_at: now, expires_at: expiresAt }).where('token_hash', '=', tokenHash).execute();

export const confirmSession = (db: Reader, id: string, now: Date) =>
  db.updateTable('sessions').set({ confirmed_at: now }).where('id', '=', id).execute();

export const listSessionRows = (db: Reader, userId: string, now: Date) =>
  db
    .selectFrom('sessions')
    .select(['id', 'browser', 'created_at', 'last_used_at', 'expires_at', 'look_reason'])
    .where('user_id', '=', userId)
    .where((is) => is.or([is('expires_at', '>', now), is('looked_by', 'is not', null)]))
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute();

/** Whether the device has ever signed in, as any user. */
export const isDevice = async (db: Reader, tokenHash: Buffer) =>
  (await db.selectFrom('devices').select('user_id').where('token_hash', '=', tokenHash).limit(1).executeTakeFirst()) !== undefined;

/** Whether the device has signed in as the user with this address. */
export const isKnownDevice = async (db: Reader, tokenHash: Buffer, email: string) =>
  (await db
    .selectFrom('devices')
    .innerJoin('users', 'users.id', 'devices.user_id')
    .select('users.id')
    .where('token_hash', '=', tokenHash)
    .where('email', '=', email)
    .executeTakeFirst()) !== undefined;

/** Whether one device has signed in as both of these users. */
export const haveSharedDevice = async (db: Reader, one: string, other: string) =>
  (await db
    .selectFrom('devices')
    .innerJoin('devices as theirs', 'theirs.token_hash', 'devices.token_hash')
    .select('devices.user_id')
    .where('devices.user_id', '=', one)
    .where('theirs.user_id', '=', other)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const listDeviceUserIds = async (db: Reader, tokenHash: Buffer) =>
  (await db.selectFrom('devices').select('user_id').where('token_hash', '=', tokenHash).execute()).map(({ user_id }) => user_id);

/** Other users who have signed in on one of this user's devices. */
export const listDeviceMates = async (db: Reader, userId: string) =>
  (
    await db
      .selectFrom('devices')
      .innerJoin('devices as theirs', 'theirs.token_hash', 'devices.token_hash')
      .select('theirs.user_id')
      .distinct()
      .where('devices.user_id', '=', userId)
      .where('theirs.user_id', '<>', userId)
      .execute()
  ).map(({ user_id }) => user_id);

export const saveDevice = (tx: Tx, device: { token_hash: Buffer; user_id: string; last_used_at: Date }) =>
  tx
    .insertInto('devices')
    .values(device)
    .onConflict((conflict) => conflict.columns(['token_hash', 'user_id']).doUpdateSet({ last_used_at: device.last_used_at }))
    .execute();

export const deleteUnusedDevices = (db: Reader, unusedSince: Date) =>
  db.deleteFrom('devices').where('last_used_at', '<', unusedSince).execute();

const contactColumns = ['id', 'full_name', 'email', 'role', 'email_confirmed_at', 'suspended_at', 'deleted_at'] as const;

const contacts = (db: Reader, ids: readonly string[]) => db.selectFrom('users').select(contactColumns).where('id', '=', anyId(ids));

export const listContacts = (db: Reader, ids: readonly string[]) => contacts(db, ids).execute();

/** Locks those of these users that no other transaction has locked, and returns them. */
export const lockFreeContacts = (tx: Tx, ids: readonly string[]) => contacts(tx, ids).forNoKeyUpdate().skipLocked().execute();

export const findContact = (db: Reader, id: string) =>
  db.selectFrom('users').select(contactColumns).where('id', '=', id).executeTakeFirstOrThrow();

// Not `for update`: rows that merely point at the user can still be written by others.
export const lockContact = (tx: Tx, id: string) =>
  tx.selectFrom('users').select(contactColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow();

export const findConfirmation = async (db: Reader, id: string) =>
  (await db.selectFrom('users').select('email_confirmed_at').where('id', '=', id).executeTakeFirstOrThrow()).email_confirmed_at;

export const insertLink = (tx: Tx, link: { token_hash: Buffer; user_id: string; purpose: LinkPurpose; email: string; expires_at: Date }) =>
  tx.insertInto('account_links').values(link).execute();

export const findLink = (db: Reader, tokenHash: Buffer, purpose: LinkPurpose, now: Date) =>
  db
    .selectFrom('account_links')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .executeTakeFirst();

/** Deletes a link that has not expired. Of several concurrent uses, one gets it. */
export const deleteValidLink = (tx: Tx, tokenHash: Buffer, purpose: LinkPurpose, now: Date) =>
  tx
    .deleteFrom('account_links')
    .where('token_hash', '=', tokenHash)
    .where('purpose', '=', purpose)
    .where('expires_at', '>', now)
    .returning('email')
    .executeTakeFirst();

export const deleteLinks = (tx: Tx, userId: string, purpose: LinkPurpose) =>
  tx.deleteFrom('account_links').where('user_id', '=', userId).where('purpose', '=', purpose).execute();

export const deleteExpiredLinks = (db: Reader, now: Date) => db.deleteFrom('account_links').where('expires_at', '<=', now).execute();

/** Confirms a user's address if it is still this one. A second confirmation keeps the first date. */
export const confirmAddress = (tx: Tx, userId: string, email: string, now: Date) =>
  tx
    .updateTable('users')
    .set((row) => ({ email_confirmed_at: row.fn.coalesce('email_confirmed_at', row.val(now)) }))
    .where('id', '=', userId)
    .where('email', '=', email)
    .returning('id')
    .executeTakeFirst();

export const updatePasswordHash = (tx: Tx, userId: string, passwordHash: string) =>
  tx.updateTable('users').set({ password_hash: passwordHash }).where('id', '=', userId).execute();

export const deleteDevices = (tx: Tx, userId: string) => tx.deleteFrom('devices').where('user_id', '=', userId).execute();

export const findOwnAccount = (db: Reader, id: string) =>
  db
    .selectFrom('users')
    .select(['id', 'full_name as fullName', 'username', 'email', 'email_confirmed_at as emailConfirmedAt', 'phone_number as phoneNumber'])
    .select(['address', 'about', 'avatar', 'role', 'referral_code as referralCode', 'referred_by_code as referredByCode'])
    .select('created_at as createdAt')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();

export const listOwnSessions = (db: Reader, userId: string) =>
  db
    .selectFrom('sessions')
    .select(['browser', 'created_at as createdAt', 'last_used_at as lastUsedAt', 'expires_at as expiresAt', 'look_reason as lookReason'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

export const listSignInDevices = (db: Reader, userId: string) =>
  db.selectFrom('devices').select('last_used_at as lastUsedAt').where('user_id', '=', userId).orderBy('last_used_at').execute();
