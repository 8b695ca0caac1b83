import type { Profile } from '@handwise/contract/accounts/profile';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { fileKey, fileUrl } from '../../kit/files/file-store.ts';
import type { UploadedFile } from '../../kit/files/multipart.ts';
import { attachFiles, detachFiles, discardFiles, storeAvatar } from '../../kit/files/stored-files.ts';
import { withPasswordHasher } from '../../kit/identity/password.ts';
import type { Viewer } from '../../kit/identity/session-guard.ts';
import { processLogo } from '../../kit/images/images.ts';
import { findPendingAddress } from './accounts.addresses.queries.ts';
import type { AccountHooks } from './accounts.context.ts';
import { changePassword, type ChangedBy, getUserByOwnPassword, rejectChangedPassword } from './accounts.passwords.ts';
import * as queries from './accounts.queries.ts';
import { hasPassword, rejectWeakPassword } from './accounts.rules.ts';
import { toSessionUser, startSession } from './accounts.sessions.ts';

export async function getProfile(db: Reader, id: string, now: Date): Promise<Profile> {
  const [user, pendingEmail] = await Promise.all([queries.findProfile(db, id), findPendingAddress(db, id, now)]);
  if (!user) throw new AppError('not_authenticated');
  return {
    ...toSessionUser(user),
    phoneNumber: user.phone_number,
    address: user.address,
    about: user.about,
    hasPassword: hasPassword(user),
    pendingEmail,
  };
}

export type ProfileChange = {
  fullName?: string | undefined;
  username?: string | undefined;
  phoneNumber?: string | undefined;
  address?: string | undefined;
  about?: string | undefined;
  password?: string | undefined;
  currentPassword?: string | undefined;
};

type Updated = { data: Profile & { token: string }; device?: string; restore?: string };

/**
 * Changes the fields that are present. A new password ends every session and forgets every device; the caller gets a new session. Throws
 * `invalid_input`, `too_many_requests`.
 */
export async function updateProfile(
  context: Context,
  viewer: Viewer,
  change: ProfileChange,
  from: Caller & ChangedBy,
  onPasswordChanged: AccountHooks['onPasswordChanged'],
): Promise<Updated> {
  const { db, clock } = context;
  const { id } = viewer;
  const now = clock.now();
  const newPassword = await getNewPassword(context, id, change, from);
  return db.transaction().execute(async (tx) => {
    const user = await queries.lockUserRow(tx, id);
    if (newPassword) rejectChangedPassword(newPassword.proven, user);
    if (change.username !== undefined && change.username !== user.username) {
      throw invalidField('username', 'Your username cannot be changed');
    }
    await queries.setProfile(tx, id, getColumns(change));
    if (!newPassword) return { data: { ...(await getProfile(tx, id, now)), token: viewer.token } };
    await changePassword(context, tx, user, newPassword.hash, from, { onPasswordChanged });
    const { data, device, restore } = await startSession(tx, user, from, now);
    return { data: { ...(await getProfile(tx, id, now)), token: data.token }, device, restore };
  });
}

const getColumns = ({ fullName, phoneNumber, address, about }: ProfileChange) => ({
  ...(fullName !== undefined && { full_name: fullName }),
  ...(phoneNumber !== undefined && { phone_number: phoneNumber }),
  ...(address !== undefined && { address }),
  ...(about !== undefined && { about }),
});

async function getNewPassword(context: Context, userId: string, change: ProfileChange, from: Caller) {
  const { db } = context;
  const { password, currentPassword } = change;
  if (password === undefined) return undefined;
  if (currentPassword === undefined) throw invalidField('currentPassword', 'Current password is required');
  const owner = await queries.findUser(db, userId);
  if (!owner) throw new AppError('not_authenticated');
  await rejectWeakPassword(password, { ...owner, full_name: change.fullName ?? owner.full_name });
  const proven = await getUserByOwnPassword(context, userId, currentPassword, from);
  return { proven, hash: await withPasswordHasher((passwords) => passwords.hash(password)) };
}

/** Replaces the user's avatar. */
export async function setAvatar(context: Context, userId: string, picture: UploadedFile | undefined): Promise<Profile> {
  const { db, store } = context;
  if (!picture) throw invalidField('avatar', 'Choose a picture');
  const key = await storeAvatar(db, store, await processLogo(picture, userId));
  try {
    return await changeAvatar(context, userId, key);
  } catch (error) {
    await discardFiles(db, store, [key]);
    throw error;
  }
}

export const removeAvatar = (context: Context, userId: string) => changeAvatar(context, userId, null);

const changeAvatar = ({ db, clock }: Context, userId: string, key: string | null): Promise<Profile> =>
  db.transaction().execute(async (tx) => {
    // The lock lets each of two concurrent uploads detach the one before it.
    const { avatar } = await queries.lockUserRow(tx, userId);
    const before = fileKey(avatar);
    if (before !== undefined) await detachFiles(tx, [before]);
    if (key !== null) await attachFiles(tx, [key]);
    await queries.setProfile(tx, userId, { avatar: key === null ? '' : fileUrl(key) });
    return getProfile(tx, userId, clock.now());
  });
