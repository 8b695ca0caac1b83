import { addressChangeHours } from '@handwise/contract/accounts/address';
import type { Profile } from '@handwise/contract/accounts/profile';
import type { Caller } from '../../kit/caller.ts';
import type { Context } from '../../kit/context.ts';
import { type Reader, type Tx, getViolatedConstraint } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { hashToken, createToken } from '../../kit/secrets/tokens.ts';
import * as addresses from './accounts.addresses.queries.ts';
import { addressChangedEmail, addressChangeRequestedEmail, businessAddressEmail, newAddressEmail } from './accounts.emails.ts';
import { getUserByOwnPassword, rejectChangedPassword } from './accounts.passwords.ts';
import { getProfile } from './accounts.profile.ts';
import * as queries from './accounts.queries.ts';

const hour = 60 * 60 * 1000;

/** Per account. */
const changeLimit = { max: 10, windowSeconds: 60 * 60 };

const emailTakenError = () => {
  const { message } = new AppError('email_taken');
  return new AppError('email_taken', { fields: [{ field: 'email', message }] });
};

/**
 * Starts an address change: sends a link to the new address and a notice to the current one. Throws `email_taken`, `too_many_requests`,
 * and `invalid_input` for a wrong password.
 */
export async function changeAddress(
  context: Context,
  userId: string,
  { email, currentPassword }: { email: string; currentPassword: string },
  from: Caller,
): Promise<Profile> {
  const { db, jobs, clock, appUrl } = context;
  await countAttempt(db, `address-by:${userId}`, changeLimit);
  const proven = await getUserByOwnPassword(context, userId, currentPassword, from);
  return db.transaction().execute(async (tx) => {
    const user = await queries.lockUserRow(tx, userId);
    rejectChangedPassword(proven, user);
    const holder = await queries.findUserByEmail(tx, email);
    if (holder?.id === userId) throw invalidField('email', 'This is already your address');
    if (holder) throw emailTakenError();
    const token = createToken();
    const expires = new Date(clock.now().getTime() + addressChangeHours * hour);
    await addresses.upsertAddressChange(tx, { user_id: userId, email, token_hash: hashToken(token), expires_at: expires });
    await jobs.send(tx, sendMail, newAddressEmail({ to: email, appUrl }, token));
    await jobs.send(tx, sendMail, addressChangeRequestedEmail({ to: user.email, appUrl }));
    return getProfile(tx, userId, clock.now());
  });
}

export async function cancelAddressChange({ db, clock }: Context, userId: string): Promise<Profile> {
  await addresses.deleteAddressChange(db, userId);
  return getProfile(db, userId, clock.now());
}

/**
 * Completes an address change: sets the address that the link of this token was sent to, notifies the old one, and deletes links sent to
 * it. False if the token belongs to no address change. Throws `email_taken`.
 */
export async function applyAddressChange({ jobs, clock, appUrl }: Context, tx: Tx, token: string): Promise<boolean> {
  const userId = await addresses.findAddressChangeUser(tx, hashToken(token), clock.now());
  if (userId === undefined) return false;
  // Locks the user's row first, as a password change does, which cancels the pending change.
  const user = await queries.lockUserRow(tx, userId);
  const change = await addresses.consumeAddressChange(tx, hashToken(token), clock.now());
  if (!change || user.suspended_at) return false;
  await setAuditActor(tx, user.id);
  try {
    await addresses.setAddress(tx, user.id, change.email, clock.now());
  } catch (error) {
    // Another account has taken the address meanwhile.
    throw getViolatedConstraint(error) === 'users_email_key' ? emailTakenError() : error;
  }
  await queries.deleteLinks(tx, user.id, 'confirm');
  await queries.deleteLinks(tx, user.id, 'reset');
  await jobs.send(tx, sendMail, addressChangedEmail({ to: user.email, appUrl }));
  return true;
}

/** Per account: new business addresses that links are sent to. */
const maxBusinessesPerDay = 10;

/**
 * Emails a confirmation link to the business address of a listing, in the transaction that writes the listing. An unused link is sent
 * again after a day. The account's own address needs none.
 */
export async function requestBusinessConfirmation({ jobs, clock, appUrl }: Context, tx: Tx, userId: string, email: string): Promise<void> {
  const { email: own } = await queries.findContact(tx, userId);
  if (own.toLowerCase() === email.toLowerCase()) return;
  const now = clock.now();
  const dayAgo = new Date(now.getTime() - 24 * hour);
  if ((await addresses.countRequestedAddresses(tx, userId, dayAgo)) >= maxBusinessesPerDay) return;
  const token = createToken();
  const row = { user_id: userId, email, token_hash: hashToken(token), asked_at: now };
  if (await addresses.upsertBusinessAddress(tx, row, dayAgo))
    await jobs.send(tx, sendMail, businessAddressEmail({ to: email, appUrl }, token));
}

/** Confirms the business address that the link of this token was sent to. False if there is none. */
export const confirmBusinessAddress = async ({ clock }: Context, tx: Tx, token: string): Promise<boolean> =>
  (await addresses.setBusinessConfirmed(tx, hashToken(token), clock.now())) !== undefined;

/** The recipient of emails about a listing: the business address once confirmed, until then the account's. */
export type MailAddress = (owner: { id: string; email: string }, businessEmail: string) => string;

export async function loadMailAddresses(db: Reader, userIds: readonly string[]): Promise<MailAddress> {
  const keyOf = (userId: string, email: string) => `${userId} ${email.toLowerCase()}`;
  const confirmed = new Map(
    (await addresses.listConfirmedBusinesses(db, userIds)).map((row) => [keyOf(row.user_id, row.email), row.email]),
  );
  return (owner, businessEmail) => confirmed.get(keyOf(owner.id, businessEmail)) ?? owner.email;
}
