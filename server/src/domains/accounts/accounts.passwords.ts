import { setTimeout as wait } from 'node:timers/promises';
import { guessesPerHour } from '@handwise/contract/sign-in/calls';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import {
  resetAttempts,
  isFirstAttempt,
  type LimitedKey,
  limitFailures,
  rejectExhausted,
  throttleAttempt,
} from '../../kit/identity/attempts.ts';
import { withPasswordHasher } from '../../kit/identity/password.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import { deleteAddressChange } from './accounts.addresses.queries.ts';
import type { AccountHooks } from './accounts.context.ts';
import { addressChangeEndedEmail, passwordGuessesEmail, passwordChangedEmail } from './accounts.emails.ts';
import * as queries from './accounts.queries.ts';
import { hasPassword } from './accounts.rules.ts';

const windowSeconds = 15 * 60;
const perAccount = { max: 10, windowSeconds };
const perNetwork = { max: 100, windowSeconds };
const perKnownDevice = { free: 10, longestPauseSeconds: 15, windowSeconds };
/** Per account, over all networks. */
const perHour = { max: guessesPerHour, windowSeconds: 60 * 60 };
const perDay = { windowSeconds: 24 * 60 * 60 };

const guessedText =
  'Too many wrong passwords for this account. Sign in on a device you have used for it before, choose a new password by email, or try again in an hour.';

/** Notifies the owner of an account, if one has this address, that strangers are guessing the password. */
export const notifyOfGuessesJob = defineJob<{ email: string }>('accounts.send-guess-warning');

export async function notifyOfGuesses({ db, jobs, appUrl }: Context, email: string): Promise<void> {
  const user = await queries.findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  await db.transaction().execute(async (tx) => {
    if (await isFirstAttempt(tx, `guesses-mailed:${user.id}`, perDay))
      await jobs.send(tx, sendMail, passwordGuessesEmail({ to: user.email, appUrl }));
  });
}

type Passwords = Pick<Context, 'db' | 'jobs'>;

/**
 * The account with this address and password. Wrong passwords are limited per account and network, per network, and per account over all
 * networks; a device that has signed in to the account before is only slowed down. An unknown address behaves the same.
 */
export async function findUserByPassword(
  { db, jobs }: Passwords,
  form: { email: string; password: string },
  from: Pick<Caller, 'network' | 'device'>,
) {
  // The database compares addresses case-insensitively.
  const address = form.email.toLowerCase();
  const keys: LimitedKey[] = [
    {
      key: `login-anywhere:${address}`,
      limit: perHour,
      message: guessedText,
      onExhausted: (tx) => jobs.send(tx, notifyOfGuessesJob, { email: address }),
    },
    { key: `login:${address} from ${from.network}`, limit: perAccount },
    { key: `login-from:${from.network}`, limit: perNetwork },
  ];
  const device = from.device === undefined ? undefined : hashToken(from.device);
  const isKnown = device !== undefined && (await queries.isKnownDevice(db, device, address));
  const deviceKey = device && isKnown ? `login-device:${address} on ${device.toString('base64url')}` : undefined;
  if (deviceKey) await wait((await throttleAttempt(db, deviceKey, perKnownDevice)) * 1000);
  else await rejectExhausted(db, keys);

  const user = await queries.findUserByEmail(db, address);
  const found = await withPasswordHasher((passwords) => {
    const check = async () =>
      (await passwords.isMatch(user?.password_hash, form.password)) && user && !user.suspended_at ? user : undefined;
    return deviceKey ? check() : limitFailures(db, keys, check);
  });
  if (found && deviceKey) await resetAttempts(db, deviceKey);
  return found;
}

/** Whether this is the user's password. Wrong ones count towards the limits of signing in. */
export async function isOwnPassword(
  context: Passwords,
  userId: string,
  password: string,
  from: Pick<Caller, 'network' | 'device'>,
): Promise<boolean> {
  const { email } = await queries.findContact(context.db, userId);
  return (await findUserByPassword(context, { email, password }, from)) !== undefined;
}

const wrongPasswordError = () => invalidField('currentPassword', 'Current password is incorrect');

/** Throws `invalid_input` for a wrong password and if there is none, `too_many_requests`. */
export async function getUserByOwnPassword(context: Passwords, userId: string, password: string, from: Pick<Caller, 'network' | 'device'>) {
  const owner = await queries.findUser(context.db, userId);
  if (!owner) throw new AppError('not_authenticated');
  if (!hasPassword(owner)) throw invalidField('currentPassword', 'Your account has no password yet. Choose one under Security first.');
  const { email } = owner;
  const user = await findUserByPassword(context, { email, password }, from);
  if (!user) throw wrongPasswordError();
  return user;
}

/** Throws `invalid_input` when the password changed between the check and the lock. */
export function rejectChangedPassword(checked: { password_hash: string }, locked: { password_hash: string }): void {
  if (checked.password_hash !== locked.password_hash) throw wrongPasswordError();
}

/** The browser that changes how a user signs in, and the time zone for the email about it. */
export type ChangedBy = Pick<Caller, 'browser'> & { timeZoneOf: AccountHooks['timeZoneOf'] };

/**
 * Sets a new password and notifies the owner. Ends every session, sign-in under way, reset link and pending address change, and forgets every
 * device, because a stranger who knew the old password may have signed in. `user` is locked.
 */
export async function changePassword(
  { jobs, clock, appUrl }: Context,
  tx: Tx,
  user: { id: string; email: string },
  passwordHash: string,
  { browser, timeZoneOf }: ChangedBy,
  { onPasswordChanged, credentialsEnded = false }: { onPasswordChanged: AccountHooks['onPasswordChanged']; credentialsEnded?: boolean },
): Promise<void> {
  await setAuditActor(tx, user.id);
  await queries.updatePasswordHash(tx, user.id, passwordHash);
  await queries.endSessions(tx, user.id, clock.now());
  await queries.deleteDevices(tx, user.id);
  await queries.deleteLinks(tx, user.id, 'reset');
  await onPasswordChanged(tx, user.id);
  const change = await deleteAddressChange(tx, user.id);
  const pending = change && change.expires_at > clock.now() ? change.email : undefined;
  const timeZone = await timeZoneOf(tx, user.id);
  const ended = { addressChange: pending !== undefined, credentials: credentialsEnded };
  await jobs.send(tx, sendMail, passwordChangedEmail({ to: user.email, appUrl }, { browser, at: clock.now(), timeZone }, ended));
  if (pending !== undefined) await jobs.send(tx, sendMail, addressChangeEndedEmail({ to: pending }));
}
