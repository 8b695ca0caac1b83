import { randomInt } from 'node:crypto';
import { type RegisterForm, registerForm } from '@handwise/contract/accounts/calls';
import { suggestUsername } from '@handwise/contract/accounts/username';
import { dayMs } from '@handwise/contract/dates';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, type Tx, getViolatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { withPasswordHasher } from '../../kit/identity/password.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import type { AccountHooks } from './accounts.context.ts';
import { requestConfirmation } from './accounts.links.ts';
import * as queries from './accounts.queries.ts';
import { noPassword, rejectWeakPassword } from './accounts.rules.ts';
import { type Session, startSession } from './accounts.sessions.ts';
export type { AccountHooks } from './accounts.context.ts';

export { type ChangedAt, formatWhenAndWhere } from './accounts.emails.ts';
export {
  type AdminUserRow,
  countSuspendedUsers,
  findPerson,
  findUserForAdmin,
  getContactsById,
  getNamesById,
  grantAdminRole,
  hasOtherAdministrators,
  listUserIdsByName,
  restoreUser,
  searchAccounts,
  suspendUser,
  type UserStatus,
} from './accounts.admin.ts';
export { findLinkUser, createLink, consumeLink } from './accounts.links.ts';
export { requestBusinessConfirmation, loadMailAddresses } from './accounts.addresses.ts';
export { getOwnAccountData } from './accounts.own-data.ts';
export { changePassword, type ChangedBy, findUserByPassword, isOwnPassword } from './accounts.passwords.ts';
export { hasPassword, rejectWeakPassword } from './accounts.rules.ts';
export {
  confirmIdentity,
  endOtherSessions,
  endSession,
  endSessionById,
  listUserSessions,
  findViewer,
  getSessionUser,
  lookMs,
  type Session,
  startLook,
  startSession,
} from './accounts.sessions.ts';
export { renewRestoreToken, restoreSession } from './accounts.restore.ts';

/** Per network. */
const registerLimit = { max: 300, windowSeconds: 60 * 60 };

/** Creates the account and signs it in. Throws `username_taken`, `email_taken`. */
export async function register(
  context: Context,
  form: RegisterForm,
  from: Caller,
  onRegistered: AccountHooks['onRegistered'],
): Promise<Session> {
  const { db, clock } = context;
  await rejectWeakPassword(form.password, { full_name: form.fullName, username: form.username, email: form.email });
  await limitRegistrations(context, from.network);
  const passwordHash = await withPasswordHasher((passwords) => passwords.hash(form.password));
  try {
    return await db.transaction().execute(async (tx) => {
      const { id } = await queries.insertUser(tx, {
        full_name: form.fullName,
        username: form.username,
        email: form.email,
        password_hash: passwordHash,
      });
      await requestConfirmation(context, tx, form.email);
      await onRegistered(tx, { id, username: form.username }, form, from);
      const user = await queries.findUser(tx, id);
      if (!user) throw new Error('the account just inserted is missing');
      return startSession(tx, user, from, clock.now());
    });
  } catch (error) {
    const constraint = getViolatedConstraint(error);
    const { code, field } =
      constraint === 'users_username_key'
        ? ({ code: 'username_taken', field: 'username' } as const)
        : ({ code: 'email_taken', field: 'email' } as const);
    if (constraint !== 'users_username_key' && constraint !== 'users_email_key') throw error;
    const { message } = new AppError(code);
    throw new AppError(code, { fields: [{ field, message }] });
  }
}

export type ProvidedAccount = Pick<RegisterForm, 'fullName' | 'email' | 'referralCode'>;

/** Usernames are tried with other digits, or without the name where it is reserved. */
const usernameAttempts = 20;

/**
 * Creates an account without a password for an address that an identity provider has verified, with a username made of the name. Limited like any
 * sign-up. Throws `email_taken`, `too_many_requests`.
 */
export async function registerVerified(
  context: Context,
  tx: Tx,
  form: ProvidedAccount,
  from: Caller,
  onRegistered: AccountHooks['onRegistered'],
) {
  const { fullName, email } = form;
  if (await queries.findUserByEmail(tx, email)) throw new AppError('email_taken');
  for (let attempt = 0; attempt < usernameAttempts; attempt += 1) {
    const digits = randomInt(1_000, 10_000);
    const suggested = suggestUsername(fullName, digits);
    const username = registerForm.shape.username.safeParse(suggested).success ? suggested : suggestUsername('X', digits);
    const added = await queries.insertVerifiedUser(tx, {
      full_name: fullName,
      username,
      email,
      password_hash: noPassword,
      email_confirmed_at: context.clock.now(),
    });
    if (!added) continue;
    const isReferred = await onRegistered(tx, { id: added.id, username }, form, from);
    const user = await queries.findUser(tx, added.id);
    if (!user) throw new Error('the account just inserted is missing');
    return { user, isReferred };
  }
  throw new Error(`no username is free for an account`);
}

export const limitRegistrations = ({ db }: Context, network: string) => countAttempt(db, `register-from:${network}`, registerLimit);

export const {
  endLooksByAdmin,
  findContact,
  listContacts,
  listRegisteredEmails,
  lockFreeContacts,
  lockUserRow,
  findUser,
  findUserByEmail,
  confirmAddress,
  haveSharedDevice,
  listDeviceMates,
} = queries;

/** Ids of the users who have signed in on a device, by its token. */
export const listUsersOfDevice = (db: Reader, device: string): Promise<string[]> => queries.listDeviceUserIds(db, hashToken(device));

/** Deletes devices without a sign-in for a year. */
export const deleteOldDevices = ({ db, clock }: Context) => queries.deleteUnusedDevices(db, new Date(clock.now().getTime() - 365 * dayMs));

/**
 * Serializes everything that spends this user's money or entitlements, until the transaction ends. Throws `not_authenticated` when the
 * account was deleted meanwhile.
 */
export async function lockUser(tx: Tx, id: string): Promise<Contact> {
  const user = await queries.lockContact(tx, id);
  if (user.deleted_at) throw new AppError('not_authenticated');
  return user;
}

/** Like `lockUser`, but also for deleted accounts. */
export const lockAccount = queries.lockContact;

export type Contact = Awaited<ReturnType<typeof queries.findContact>>;

/** Throws `address_not_confirmed`. */
export function requireConfirmed({ email_confirmed_at }: Pick<Contact, 'email_confirmed_at'>): void {
  if (email_confirmed_at === null) throw new AppError('address_not_confirmed');
}

export const isConfirmed = async (db: Reader, userId: string): Promise<boolean> => (await queries.findConfirmation(db, userId)) !== null;
