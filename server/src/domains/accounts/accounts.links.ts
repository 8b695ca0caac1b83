import { confirmDays } from '@handwise/contract/accounts/links';
import { dayMs } from '@handwise/contract/dates';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { hashOf, newToken } from '../../kit/identity/tokens.ts';
import { takeBusinessAddress, takeNewAddress } from './accounts.addresses.ts';
import { confirmMail } from './accounts.mails.ts';
import type { LinkPurpose } from './accounts.queries.ts';
import * as queries from './accounts.queries.ts';

/** For each network. A mailbox gets three mails an hour at most, whoever asks for them. */
const askLimit = { max: 30, windowSeconds: 60 * 60 };

/** Mails a link to confirm an address, where it is somebody's. */
export const mailConfirmation = defineJob<{ email: string; conversationId?: string | undefined }>('accounts.mail-confirmation');

export async function sendConfirmation({ db, jobs, clock, appUrl }: Context, email: string, conversationId?: string): Promise<void> {
  const user = await queries.findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  await db.transaction().execute(async (tx) => {
    const token = await newLink(tx, user, 'confirm', new Date(clock.now().getTime() + confirmDays * dayMs));
    await jobs.send(tx, sendMail, confirmMail({ to: user.email, appUrl }, token, conversationId));
  });
}

/** A link that proves that its reader has the account's address: the token that stands in the mail. */
export async function newLink(tx: Tx, user: { id: string; email: string }, purpose: LinkPurpose, expires: Date): Promise<string> {
  const token = newToken();
  await queries.insertLink(tx, { token_hash: hashOf(token), user_id: user.id, purpose, email: user.email, expires_at: expires });
  return token;
}

/** The account that a link which still holds is for. It goes on holding. */
export async function findLinkUser(db: Reader, token: string, purpose: LinkPurpose, now: Date) {
  const link = await queries.findLink(db, hashOf(token), purpose, now);
  return link && queries.findUser(db, link.user_id);
}

/** Takes a link that still holds: its account, locked, and the address it went to. Of several who show it at once, one gets it. */
export async function takeLink(tx: Tx, token: string, purpose: LinkPurpose, now: Date) {
  const found = await queries.findLink(tx, hashOf(token), purpose, now);
  if (!found) return undefined;
  // The user's row first: whoever holds it may delete this link.
  const user = await queries.lockUser(tx, found.user_id);
  const link = await queries.takeLink(tx, hashOf(token), purpose, now);
  return link && { user, email: link.email };
}

/** Part of registering. */
export const askForConfirmation = ({ jobs }: Context, tx: Tx, email: string) => jobs.send(tx, mailConfirmation, { email });

/** `conversationId`: where the confirmed address leads back to. */
export async function resendConfirmation({ db, jobs }: Context, userId: string, network: string, conversationId?: string): Promise<void> {
  await countAttempt(db, `confirm-from:${network}`, askLimit);
  const { email } = await queries.findContact(db, userId);
  if ((await queries.findConfirmation(db, userId)) !== null) return;
  await db.transaction().execute((tx) => jobs.send(tx, mailConfirmation, { email, conversationId }));
}

/** Confirms an account's address, gives it the new one that it asked for, or confirms a business's address. Throws `link_not_valid`, also where the account has another address by now, and `email_taken`. */
export const verifyEmail = (context: Context, token: string): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const { clock } = context;
    if ((await takeNewAddress(context, tx, token)) || (await takeBusinessAddress(context, tx, token))) return;
    const link = await takeLink(tx, token, 'confirm', clock.now());
    const confirmed = link && (await queries.confirmAddress(tx, link.user.id, link.email, clock.now()));
    if (!link || !confirmed) throw new AppError('link_not_valid');
    await queries.deleteLinks(tx, link.user.id, 'confirm');
    // A page that waits for it goes on, on whatever device the link was opened.
    await appendEvents(tx, [{ userId: link.user.id, kind: 'address-confirmed', data: {} }]);
  });
