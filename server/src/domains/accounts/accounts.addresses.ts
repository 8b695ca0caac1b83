import { addressChangeHours } from '@handwise/contract/accounts/address';
import type { Profile } from '@handwise/contract/accounts/profile';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { asActor } from '../../kit/actor.ts';
import type { From } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, type Tx, violatedConstraint } from '../../kit/database/database.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { hashOf, newToken } from '../../kit/identity/tokens.ts';
import * as addresses from './accounts.addresses.queries.ts';
import { addressChangedMail, addressWantedMail, businessAddressMail, newAddressMail } from './accounts.mails.ts';
import { findByOwnPassword, refuseChangedPassword } from './accounts.passwords.ts';
import { getProfile } from './accounts.profile.ts';
import * as queries from './accounts.queries.ts';

const hour = 60 * 60 * 1000;

/** For each account. */
const changeLimit = { max: 10, windowSeconds: 60 * 60 };

const taken = () => {
  const { message } = new AppError('email_taken');
  return new AppError('email_taken', { fields: [{ field: 'email', message }] });
};

/**
 * Asks for another address: a link goes there, and the address so far is told of it. Throws `email_taken`, `too_many_requests`, and
 * `invalid_input` for a wrong password.
 */
export async function changeAddress(
  context: Context,
  userId: string,
  { email, currentPassword }: { email: string; currentPassword: string },
  from: From,
): Promise<Profile> {
  const { db, jobs, clock, appUrl } = context;
  await countAttempt(db, `address-by:${userId}`, changeLimit);
  const proven = await findByOwnPassword(context, userId, currentPassword, from);
  return db.transaction().execute(async (tx) => {
    const user = await queries.lockUser(tx, userId);
    refuseChangedPassword(proven, user);
    const holder = await queries.findUserByEmail(tx, email);
    if (holder?.id === userId) throw invalidField('email', 'This is already your address');
    if (holder) throw taken();
    const token = newToken();
    const expires = new Date(clock.now().getTime() + addressChangeHours * hour);
    await addresses.saveChange(tx, { user_id: userId, email, token_hash: hashOf(token), expires_at: expires });
    await jobs.send(tx, sendMail, newAddressMail({ to: email, appUrl }, token));
    await jobs.send(tx, sendMail, addressWantedMail({ to: user.email, appUrl }));
    return getProfile(tx, userId, clock.now());
  });
}

/** Takes the wish for another address back. */
export async function keepAddress({ db, clock }: Context, userId: string): Promise<Profile> {
  await addresses.deleteChange(db, userId);
  return getProfile(db, userId, clock.now());
}

/**
 * Gives an account its new address, where this is the token of the link that went there, and tells the old one. Links to the old one are
 * worth nothing from then on. False where it is the token of no such link. Throws `email_taken`.
 */
export async function takeNewAddress({ jobs, clock, appUrl }: Context, tx: Tx, token: string): Promise<boolean> {
  const userId = await addresses.findChangeUser(tx, hashOf(token), clock.now());
  if (userId === undefined) return false;
  // The user's row first, as in a change of password, which ends the pending change.
  const user = await queries.lockUser(tx, userId);
  const change = await addresses.takeChange(tx, hashOf(token), clock.now());
  if (!change || user.suspended_at) return false;
  await asActor(tx, user.id);
  try {
    await addresses.setAddress(tx, user.id, change.email, clock.now());
  } catch (error) {
    // Somebody has registered with it meanwhile.
    throw violatedConstraint(error) === 'users_email_key' ? taken() : error;
  }
  await queries.deleteLinks(tx, user.id, 'confirm');
  await queries.deleteLinks(tx, user.id, 'reset');
  await jobs.send(tx, sendMail, addressChangedMail({ to: user.email, appUrl }));
  return true;
}

/** Links to new business addresses that an account has sent in a day. */
const businessesADay = 10;

/**
 * Sends a link to a business's address that stands on a listing, in the transaction that writes it: once, and again where it was not used for a day. One's
 * own address needs none.
 */
export async function askBusinessAddress({ jobs, clock, appUrl }: Context, tx: Tx, userId: string, email: string): Promise<void> {
  const { email: own } = await queries.findContact(tx, userId);
  if (own.toLowerCase() === email.toLowerCase()) return;
  const now = clock.now();
  const dayAgo = new Date(now.getTime() - 24 * hour);
  if ((await addresses.countAsked(tx, userId, dayAgo)) >= businessesADay) return;
  const token = newToken();
  const asked = { user_id: userId, email, token_hash: hashOf(token), asked_at: now };
  if (await addresses.askBusiness(tx, asked, dayAgo)) await jobs.send(tx, sendMail, businessAddressMail({ to: email, appUrl }, token));
}

/** Confirms a business's address, where this is the token of the link that went there. */
export const takeBusinessAddress = async ({ clock }: Context, tx: Tx, token: string): Promise<boolean> =>
  (await addresses.confirmBusiness(tx, hashOf(token), clock.now())) !== undefined;

/** Where mails about a listing go: to the business's address once that was confirmed, until then to the account's. */
export type MailAddress = (owner: { id: string; email: string }, businessEmail: string) => string;

/** For the listings of these users. */
export async function mailAddresses(db: Reader, userIds: readonly string[]): Promise<MailAddress> {
  const keyOf = (userId: string, email: string) => `${userId} ${email.toLowerCase()}`;
  const confirmed = new Map((await addresses.listConfirmed(db, userIds)).map((row) => [keyOf(row.user_id, row.email), row.email]));
  return (owner, businessEmail) => confirmed.get(keyOf(owner.id, businessEmail)) ?? owner.email;
}
