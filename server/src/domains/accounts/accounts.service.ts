import type { RegisterForm } from '@handwise/contract/accounts/calls';
import { dayMs } from '@handwise/contract/dates';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, type Tx, violatedConstraint } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { withPasswords } from '../../kit/identity/password.ts';
import { hashOf } from '../../kit/identity/tokens.ts';
import { askForConfirmation } from './accounts.links.ts';
import * as queries from './accounts.queries.ts';
import { refuseWeakPassword } from './accounts.rules.ts';
import { type Session, startSession } from './accounts.sessions.ts';

export { type ChangedAt, whenAndWhere } from './accounts.mails.ts';
export { countSuspended, findPerson, grantAdministration, hasOtherAdministrators, restore, suspend } from './accounts.moderation.ts';
export { contactsOf, type DirectoryRow, findIdsByName, findUserForAdmin, namesOf, searchUsers, type UserStatus } from './accounts.desk.ts';
export { findLinkUser, newLink, takeLink } from './accounts.links.ts';
export { askBusinessAddress, mailAddresses } from './accounts.addresses.ts';
export type { OnAccountDeleted } from './accounts.leaving.ts';
export { ownDataOf } from './accounts.own-data.ts';
export { type ChangedBy, findByPassword, isOwnPassword, setPassword, type TimeZoneOf } from './accounts.passwords.ts';
export { refuseWeakPassword } from './accounts.rules.ts';
export {
  confirmIdentity,
  endLooksOf,
  endOtherSessions,
  endSession,
  endSessionById,
  findSessions,
  findViewer,
  getUser,
  lookMs,
  type Session,
  startLook,
  startSession,
} from './accounts.sessions.ts';

/** For each network. */
const registerLimit = { max: 300, windowSeconds: 60 * 60 };

/** What follows a registration, in its transaction and before the answer is made. */
export type OnRegistered = (tx: Tx, user: { id: string; username: string }, form: RegisterForm, from: From) => Promise<void>;

/** Creates the account and signs it in. Throws `username_taken`, `email_taken`. */
export async function register(context: Context, form: RegisterForm, from: From, onRegistered: OnRegistered): Promise<Session> {
  const { db, clock } = context;
  await refuseWeakPassword(form.password, { full_name: form.fullName, username: form.username, email: form.email });
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
      await askForConfirmation(context, tx, form.email);
      await onRegistered(tx, { id, username: form.username }, form, from);
      const user = await queries.findUser(tx, id);
      if (!user) throw new Error('an account that was just written is not there');
      return startSession(tx, user, from, clock.now());
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

export const { findContact, listContacts, lockFreeContacts, findUser, findUserByEmail, confirmAddress, haveSharedDevice, listDeviceMates } =
  queries;

/** Who has signed in on a device, by the name that it shows. */
export const listUsersOfDevice = (db: Reader, device: string): Promise<string[]> => queries.listUsersOfDevice(db, hashOf(device));

/** Devices that have not signed in for a year. */
export const deleteOldDevices = ({ db, clock }: Context) => queries.deleteDevices(db, new Date(clock.now().getTime() - 365 * dayMs));

/**
 * Whoever spends money or a right of this user waits here for the others, until the transaction ends. Throws `not_authenticated` where
 * the account was deleted meanwhile.
 */
export async function lockUser(tx: Tx, id: string): Promise<Contact> {
  const user = await queries.lockContact(tx, id);
  if (user.deleted_at) throw new AppError('not_authenticated');
  return user;
}

/** As `lockUser`, also where the account was deleted: for what others do about it. */
export const lockAccount = queries.lockContact;

export type Contact = Awaited<ReturnType<typeof queries.findContact>>;

/** Throws `address_not_confirmed`. */
export function requireConfirmed({ email_confirmed_at }: Pick<Contact, 'email_confirmed_at'>): void {
  if (email_confirmed_at === null) throw new AppError('address_not_confirmed');
}

/** Whether a user's address of mail was confirmed by a link that went there. */
export const isConfirmed = async (db: Reader, userId: string): Promise<boolean> => (await queries.findConfirmation(db, userId)) !== null;
