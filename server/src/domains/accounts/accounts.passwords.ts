import { setTimeout as wait } from 'node:timers/promises';
import { guessesPerHour } from '@handwise/contract/sign-in/calls';
import { asActor } from '../../kit/actor.ts';
import { forgetAttempts, isFirstAttempt, type LimitedKey, limitFailures, refuseUsedUp, takeTurn } from '../../kit/identity/attempts.ts';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { invalidField } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { withPasswords } from '../../kit/identity/password.ts';
import { hashOf } from '../../kit/identity/tokens.ts';
import { deleteChange } from './accounts.addresses.queries.ts';
import { addressChangeEndedMail, guessedMail, passwordChangedMail } from './accounts.mails.ts';
import * as queries from './accounts.queries.ts';

const windowSeconds = 15 * 60;
const perAccount = { max: 10, windowSeconds };
const perNetwork = { max: 100, windowSeconds };
const ofKnownDevice = { free: 10, longestPauseSeconds: 15, windowSeconds };
/** Over all networks. */
const perHour = { max: guessesPerHour, windowSeconds: 60 * 60 };
const aDay = { windowSeconds: 24 * 60 * 60 };

const guessedText =
  'Too many wrong passwords for this account. Sign in on a device you have used for it before, choose a new password by email, or try again in an hour.';

/** Tells the owner of an address, if it is somebody's, that strangers guess the password. */
export const mailGuesses = defineJob<{ email: string }>('accounts.mail-guesses');

export async function sendGuesses({ db, jobs, appUrl }: Context, email: string): Promise<void> {
  const user = await queries.findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  await db.transaction().execute(async (tx) => {
    if (await isFirstAttempt(tx, `guesses-mailed:${user.id}`, aDay)) await jobs.send(tx, sendMail, guessedMail({ to: user.email, appUrl }));
  });
}

type Passwords = Pick<Context, 'db' | 'jobs'>;

/**
 * The account of this address, where the password is its own. Strangers who guess are refused: for each account from their network, for their network as a
 * whole, and for each account over all networks. A device that has signed in to the account before is only slowed. An address that
 * nobody has is treated alike.
 */
export async function findByPassword(
  { db, jobs }: Passwords,
  form: { email: string; password: string },
  from: Pick<From, 'network' | 'device'>,
) {
  // As the database compares addresses.
  const address = form.email.toLowerCase();
  const keys: LimitedKey[] = [
    {
      key: `login-anywhere:${address}`,
      limit: perHour,
      message: guessedText,
      onUsedUp: (tx) => jobs.send(tx, mailGuesses, { email: address }),
    },
    { key: `login:${address} from ${from.network}`, limit: perAccount },
    { key: `login-from:${from.network}`, limit: perNetwork },
  ];
  const device = from.device === undefined ? undefined : hashOf(from.device);
  const isKnown = device !== undefined && (await queries.isDeviceOf(db, device, address));
  const turns = device && isKnown ? `login-device:${address} on ${device.toString('base64url')}` : undefined;
  if (turns) await wait((await takeTurn(db, turns, ofKnownDevice)) * 1000);
  else await refuseUsedUp(db, keys);

  const user = await queries.findUserByEmail(db, address);
  const found = await withPasswords((passwords) => {
    const check = async () =>
      (await passwords.isRight(user?.password_hash, form.password)) && user && !user.suspended_at ? user : undefined;
    return turns ? check() : limitFailures(db, keys, check);
  });
  if (found && turns) await forgetAttempts(db, turns);
  return found;
}

/** Whether this is the password of one's own account: guesses count by the same limits as at the sign-in. */
export async function isOwnPassword(
  context: Passwords,
  userId: string,
  password: string,
  from: Pick<From, 'network' | 'device'>,
): Promise<boolean> {
  const { email } = await queries.findContact(context.db, userId);
  return (await findByPassword(context, { email, password }, from)) !== undefined;
}

const wrongPassword = () => invalidField('currentPassword', 'Current password is incorrect');

/** The account, if this is its password. Throws `invalid_input` if it is not, `too_many_requests`. */
export async function findByOwnPassword(context: Passwords, userId: string, password: string, from: Pick<From, 'network' | 'device'>) {
  const { email } = await queries.findContact(context.db, userId);
  const user = await findByPassword(context, { email, password }, from);
  if (!user) throw wrongPassword();
  return user;
}

/** Throws `invalid_input` if the locked account has another password than the one that was checked before it was locked. */
export function refuseChangedPassword(checked: { password_hash: string }, locked: { password_hash: string }): void {
  if (checked.password_hash !== locked.password_hash) throw wrongPassword();
}

/** By whose clocks a member is told of times: those of where they do business; undefined where the product knows of no place. */
export type TimeZoneOf = (db: Reader, userId: string) => Promise<string | undefined>;

/** Who changes how one signs in: the browser that asks, and by whose clocks the owner is told of it. */
export type ChangedBy = Pick<From, 'browser'> & { timeZoneOf: TimeZoneOf };

/**
 * Sets a new password and tells the owner: every session, every reset link and a pending change of address end, and no device is known any more,
 * because whoever knew the old password may have signed in.
 */
export async function setPassword(
  { jobs, clock, appUrl }: Context,
  tx: Tx,
  user: { id: string; email: string },
  passwordHash: string,
  { browser, timeZoneOf }: ChangedBy,
  { credentialsEnded = false } = {},
): Promise<void> {
  await asActor(tx, user.id);
  await queries.setPassword(tx, user.id, passwordHash);
  await queries.endSessions(tx, user.id, clock.now());
  await queries.deleteDevicesOf(tx, user.id);
  await queries.deleteLinks(tx, user.id, 'reset');
  const change = await deleteChange(tx, user.id);
  const pending = change && change.expires_at > clock.now() ? change.email : undefined;
  const timeZone = await timeZoneOf(tx, user.id);
  const ended = { addressChange: pending !== undefined, credentials: credentialsEnded };
  await jobs.send(tx, sendMail, passwordChangedMail({ to: user.email, appUrl }, { browser, at: clock.now(), timeZone }, ended));
  if (pending !== undefined) await jobs.send(tx, sendMail, addressChangeEndedMail({ to: pending }));
}
