import { dayMs } from '@handwise/contract/dates';
import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import { invitationBases, invitationDays, invitationReminderDays } from '@handwise/contract/invitations/words';
import { paths } from '@handwise/contract/paths';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { limitFailures } from '../../kit/identity/attempts.ts';
import { signUnsubscribeLinks, verifySignedToken } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { createToken, hashToken } from '../../kit/secrets/tokens.ts';
import { listRegisteredEmails, lockUser } from '../accounts/accounts.service.ts';
import { grantFreeFirstMonth } from '../referrals/referrals.service.ts';
import { invitationEmail } from './invitations.emails.ts';
import * as queries from './invitations.queries.ts';
import { isInvitable } from './invitations.rules.ts';

const invitationMs = invitationDays * dayMs;
const reminderBatch = 200;

/** Per network: tokens have 256 bits, so this is only to save work. */
const failureLimit = { max: 20, windowSeconds: 60 * 60 };
const limitGuesses = async <Result>(db: Db, network: string, attempt: () => Promise<Result | undefined>): Promise<Result> => {
  const found = await limitFailures(db, [{ key: `invitation-from:${network}`, limit: failureLimit }], attempt);
  if (found === undefined) throw new AppError('link_not_valid');
  return found;
};

const getExpiry = ({ created_at: createdAt }: { created_at: Date }) => new Date(createdAt.getTime() + invitationMs);

/** An invitation that is open, or accepted by the viewer. Throws `link_not_valid`, `too_many_requests`. */
export const showInvitation = ({ db, clock }: Context, viewerId: string | undefined, token: string, network: string) =>
  limitGuesses(db, network, async () => {
    const row = await queries.findInvitation(db, hashToken(token));
    if (!row?.draft || getExpiry(row) <= clock.now()) return undefined;
    if (row.claimed_by !== null && row.claimed_by !== viewerId) return undefined;
    const { businessName, email, source } = row.draft as InvitationDraft;
    const { because } = invitationBases[row.basis];
    return { businessName, email, because, source: source || null, expiresAt: getExpiry(row).toISOString() };
  });

/**
 * Gives an account the draft of an invitation and a free first month; one account can. Idempotent. Throws `link_not_valid`, also if another account
 * was first, and `too_many_requests`.
 */
export const claimInvitation = ({ db, clock }: Context, userId: string, token: string, network: string) =>
  limitGuesses(db, network, () =>
    db.transaction().execute(async (tx) => {
      await lockUser(tx, userId);
      const row = await queries.lockInvitation(tx, hashToken(token));
      const now = clock.now();
      if (!row?.draft || getExpiry(row) <= now) return undefined;
      const draft = row.draft as InvitationDraft;
      if (row.claimed_by !== null) return row.claimed_by === userId ? { draft } : undefined;
      await queries.setClaimed(tx, row.id, userId, now);
      await grantFreeFirstMonth(tx, userId, draft.businessNumber || undefined, now);
      return { draft };
    }),
  );

const refusalSuffix = 'invitation';

/** The links of an invitation that refuse all further ones; they hold the mailbox's key, because the invitation's data goes. */
export async function signRefusalLinks(db: Reader, appUrl: string) {
  const linksOf = await signUnsubscribeLinks(db, {
    oneClick: `${appUrl}/api/invitations/refuse`,
    page: `${appUrl}${paths.endInvitations}`,
  });
  return (mailboxKey: string) => linksOf(`${mailboxKey}.${refusalSuffix}`);
}

/** Never invites a mailbox again. Throws `link_not_valid`. */
export async function refuseInvitations({ db, clock }: Context, token: string): Promise<{ isRefused: true }> {
  const [mailboxKey = '', suffix, ...more] = (await verifySignedToken(db, token)).split('.');
  if (suffix !== refusalSuffix || more.length > 0) throw new AppError('link_not_valid');
  await db.transaction().execute((tx) => queries.insertRefusal(tx, mailboxKey, clock.now()));
  return { isRefused: true };
}

/** Whether the invitation of a mailbox is neither answered nor over nor of a closed trade, so that its emails may go. */
export const isInvitationOpen = async ({ db, clock }: Pick<Context, 'db' | 'clock'>, mailboxKey: string): Promise<boolean> => {
  const row = await queries.findOpenInvitation(db, mailboxKey);
  return row !== undefined && getExpiry(row) > clock.now() && isInvitable(row.draft as InvitationDraft);
};

/** Sends the one reminder of invitations that were neither answered nor refused. */
export async function remindOfInvitations(context: Context, batch = reminderBatch): Promise<void> {
  while ((await context.db.transaction().execute((tx) => remindBatch(context, tx, batch))) === batch);
}

async function remindBatch({ jobs, clock, appUrl }: Context, tx: Tx, batch: number): Promise<number> {
  const now = clock.now();
  const created = { after: new Date(now.getTime() - invitationMs), until: new Date(now.getTime() - invitationReminderDays * dayMs) };
  const due = (await queries.lockUnreminded(tx, created, batch)).map((row) => ({
    ...row,
    draft: row.draft as InvitationDraft,
    token: createToken(),
  }));
  const members = new Set(
    await listRegisteredEmails(
      tx,
      due.map(({ draft }) => draft.email),
    ),
  );
  const linksOf = await signRefusalLinks(tx, appUrl);
  for (const { id, token } of due) await queries.setReminded(tx, id, hashToken(token), now);
  const reminders = due.filter(({ draft }) => isInvitable(draft) && !members.has(draft.email.toLowerCase()));
  await jobs.sendAll(
    tx,
    sendMail,
    reminders.map(({ draft, basis, token, mailbox_key: mailboxKey }) =>
      invitationEmail({ draft, basis, token, end: linksOf(mailboxKey), mailboxKey, isReminder: true, appUrl }),
    ),
  );
  return due.length;
}

/** Deletes what was prepared and not published; the keyed hashes stay, so that the business is not invited again. */
export const expireInvitations = ({ db, clock }: Context) => queries.clearInvitations(db, new Date(clock.now().getTime() - invitationMs));

/** The invitations that a user has accepted. */
export const getOwnInvitationData = (db: Reader, userId: string): OwnData => ({
  lists: { invitations: () => queries.listClaimed(db, userId) },
});

/** Part of account deletion: the drafts go, the hashes stay. */
export async function deleteClaimedDrafts(tx: Tx, userId: string): Promise<void> {
  await queries.clearClaimed(tx, userId);
}
