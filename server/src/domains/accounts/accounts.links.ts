import { confirmDays } from '@handwise/contract/accounts/links';
import { dayMs } from '@handwise/contract/dates';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { hashToken, createToken } from '../../kit/secrets/tokens.ts';
import { confirmBusinessAddress, applyAddressChange } from './accounts.addresses.ts';
import { confirmationEmail } from './accounts.emails.ts';
import type { LinkPurpose } from './accounts.queries.ts';
import * as queries from './accounts.queries.ts';

/** Per network. A mailbox gets at most three emails an hour, whichever network requests them. */
const resendLimit = { max: 30, windowSeconds: 60 * 60 };

/** Emails a confirmation link if an account has this address. */
export const sendConfirmationJob = defineJob<{ email: string; conversationId?: string | undefined }>('accounts.send-confirmation');

export async function sendConfirmation({ db, jobs, clock, appUrl }: Context, email: string, conversationId?: string): Promise<void> {
  const user = await queries.findUserByEmail(db, email);
  if (!user || user.suspended_at) return;
  await db.transaction().execute(async (tx) => {
    const token = await createLink(tx, user, 'confirm', new Date(clock.now().getTime() + confirmDays * dayMs));
    await jobs.send(tx, sendMail, confirmationEmail({ to: user.email, appUrl }, token, conversationId));
  });
}

/** Creates a link that proves access to the account's mailbox, and returns its token. */
export async function createLink(tx: Tx, user: { id: string; email: string }, purpose: LinkPurpose, expires: Date): Promise<string> {
  const token = createToken();
  await queries.insertLink(tx, { token_hash: hashToken(token), user_id: user.id, purpose, email: user.email, expires_at: expires });
  return token;
}

/** The account of a valid link, without using the link up. */
export async function findLinkUser(db: Reader, token: string, purpose: LinkPurpose, now: Date) {
  const link = await queries.findLink(db, hashToken(token), purpose, now);
  return link && queries.findUser(db, link.user_id);
}

/** Uses up a valid link: returns its account, locked, and the address it was sent to. Of several concurrent uses, one gets it. */
export async function consumeLink(tx: Tx, token: string, purpose: LinkPurpose, now: Date) {
  const found = await queries.findLink(tx, hashToken(token), purpose, now);
  if (!found) return undefined;
  // Locks the user's row first: a transaction that holds it may delete this link.
  const user = await queries.lockUserRow(tx, found.user_id);
  const link = await queries.deleteValidLink(tx, hashToken(token), purpose, now);
  return link && { user, email: link.email };
}

export const requestConfirmation = ({ jobs }: Context, tx: Tx, email: string) => jobs.send(tx, sendConfirmationJob, { email });

/** `conversationId`: the conversation that the emailed link returns to. */
export async function resendConfirmation({ db, jobs }: Context, userId: string, network: string, conversationId?: string): Promise<void> {
  await countAttempt(db, `confirm-from:${network}`, resendLimit);
  const { email } = await queries.findContact(db, userId);
  if ((await queries.findConfirmation(db, userId)) !== null) return;
  await db.transaction().execute((tx) => jobs.send(tx, sendConfirmationJob, { email, conversationId }));
}

/**
 * Confirms an account's address, completes an address change, or confirms a business address, depending on the link. Throws
 * `link_not_valid`, also when the account has another address by now, and `email_taken`.
 */
export const verifyEmail = (context: Context, token: string): Promise<void> =>
  context.db.transaction().execute(async (tx) => {
    const { clock } = context;
    if ((await applyAddressChange(context, tx, token)) || (await confirmBusinessAddress(context, tx, token))) return;
    const link = await consumeLink(tx, token, 'confirm', clock.now());
    const confirmed = link && (await queries.confirmAddress(tx, link.user.id, link.email, clock.now()));
    if (!link || !confirmed) throw new AppError('link_not_valid');
    await queries.deleteLinks(tx, link.user.id, 'confirm');
    // Continues a page that waits for the confirmation, even when the link was opened on another device.
    await appendEvents(tx, [{ userId: link.user.id, kind: 'address-confirmed', data: {} }]);
  });
