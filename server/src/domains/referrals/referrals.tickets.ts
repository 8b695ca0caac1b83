import { referralTickets } from '@handwise/contract/draws/prize';
import type { DrawEntry, EntrySource } from '@handwise/contract/tickets/calls';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { isSubscribed, getUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { lockAgainstDeletion, issueTickets, listEntriesOfUser, findRunningPeriod, voidTickets } from '../tickets/tickets.service.ts';
import type { ReferralContext } from './referrals.context.ts';
import { type ReferralRecipient, type EmailRecipient, type Occasion, type VoidedRewards, ticketsEmail } from './referrals.emails.ts';
import { insertNotification, type ReferralRow } from './referrals.queries.ts';
import * as rewards from './referrals.rewards.queries.ts';

type TicketGrant = { userId: string; occasion: Occasion; tickets: number; source: EntrySource };

/** Both people get tickets for a sign-up; the code's owner for the first live listing. */
const grantsOf = {
  signup: ({ referrer_id, referred_id }: ReferralRow): TicketGrant[] => [
    { userId: referred_id, occasion: 'signup', tickets: referralTickets.signup, source: 'signup' },
    { userId: referrer_id, occasion: 'code_used', tickets: referralTickets.signup, source: 'referral' },
  ],
  listing: ({ referrer_id }: ReferralRow): TicketGrant[] => [
    { userId: referrer_id, occasion: 'listing', tickets: referralTickets.listing, source: 'listing' },
  ],
};

/**
 * Issues the tickets of a step, emails both people with the head of the log, and sends the code's owner a live event. With `quiet` the owner
 * only gets a stored notification. The ticket log is the last lock of a transaction.
 */
export async function issueReferralTickets(
  tx: Tx,
  context: ReferralContext,
  referral: ReferralRow,
  step: keyof typeof grantsOf,
  { quiet = false } = {},
): Promise<void> {
  const now = context.clock.now();
  const grants = grantsOf[step](referral);
  // Before the period is locked: otherwise an account being deleted could deadlock with this transaction.
  await lockAgainstDeletion(
    tx,
    grants.map(({ userId }) => userId),
  );
  const recipients: { grant: TicketGrant; contact: Awaited<ReturnType<typeof findContact>> }[] = [];
  for (const grant of grants) {
    const contact = await findContact(tx, grant.userId);
    // A deleted account gets no tickets.
    if (!contact.deleted_at) recipients.push({ grant, contact });
  }
  let issued;
  for (const { grant } of recipients) {
    issued = await issueTickets(tx, context, { userId: grant.userId, tickets: grant.tickets, source: grant.source });
    await rewards.insertReward(tx, {
      userId: grant.userId,
      referralId: referral.id,
      reward: 'draw_entries',
      cause: grant.occasion,
      quantity: grant.tickets,
      entryId: issued.entryId,
      now,
    });
  }
  const period = await findRunningPeriod(tx, context.clock);
  if (!issued || !period) return;
  for (const { grant, contact } of quiet ? [] : recipients) {
    if (!(await isSubscribed(tx, grant.userId, 'referrals'))) continue;
    const end = await getUnsubscribeLinks(tx, context.appUrl, grant.userId, 'referrals');
    const { occasion, tickets } = grant;
    const mail = ticketsEmail({ ...toRecipient(contact, context), end }, { occasion, tickets, draw: period, head: issued.head });
    await context.jobs.send(tx, sendMail, mail);
  }
  const owners = recipients.filter(({ grant }) => grant.userId === referral.referrer_id);
  for (const { grant } of owners) await notifyReferrer(tx, referral, step, grant.tickets, { now, quiet, prize: period.prizeDollars });
}

async function notifyReferrer(
  tx: Tx,
  referral: ReferralRow,
  type: 'signup' | 'listing',
  tickets: number,
  { now, quiet, prize }: { now: Date; quiet: boolean; prize: number },
): Promise<void> {
  const { id } = await insertNotification(tx, { user_id: referral.referrer_id, referral_id: referral.id, type, tickets, created_at: now });
  if (quiet) return;
  const data = { id, type, timestamp: now.toISOString(), tickets, prize };
  await appendEvents(tx, [{ userId: referral.referrer_id, kind: 'referral', data }]);
}

export const toRecipient = (contact: { email: string; full_name: string }, { appUrl }: Pick<Context, 'appUrl'>): EmailRecipient => ({
  to: contact.email,
  name: contact.full_name,
  appUrl,
});

/** Emails both people of a referral, except deleted accounts. */
export async function emailBoth(
  tx: Tx,
  context: Context,
  referral: ReferralRow,
  write: (reader: ReferralRecipient) => Mail,
): Promise<void> {
  for (const role of ['referrer', 'referred'] as const) {
    const contact = await findContact(tx, referral[`${role}_id`]);
    if (!contact.deleted_at) await context.jobs.send(tx, sendMail, write({ ...toRecipient(contact, context), id: contact.id, role }));
  }
}

/** Whether the entry takes part in a draw that has not closed. */
export const isOpenEntry = ({ status, expiryDate }: DrawEntry, now: Date) =>
  status === 'active' && expiryDate !== null && Date.parse(expiryDate) > now.getTime();

export async function listOpenEntryIds(db: Reader, userId: string, now: Date): Promise<Set<string>> {
  const entries = await listEntriesOfUser(db, userId);
  return new Set(entries.filter((entry) => isOpenEntry(entry, now)).map(({ id }) => id));
}

/** Voids a referral's tickets of open draws and its unused free months. Both people must be locked. */
export async function voidRewards(tx: Tx, context: ReferralContext, referral: ReferralRow): Promise<VoidedRewards> {
  const freeMonths = new Map<string, number>();
  for (const reward of await rewards.listOpenRewards(tx, referral.id, 'free_month')) {
    await rewards.spendReward(tx, reward, { change: 'void', cause: 'fraud' }, context.clock.now());
    freeMonths.set(reward.user_id, (freeMonths.get(reward.user_id) ?? 0) + 1);
  }
  return { freeMonths, ...(await voidReferralTickets(tx, context, referral)) };
}

/** Voids a referral's tickets of open draws. */
export async function voidReferralTickets(
  tx: Tx,
  context: ReferralContext,
  referral: ReferralRow,
): Promise<Pick<VoidedRewards, 'tickets' | 'head'>> {
  const now = context.clock.now();
  const voided: string[] = [];
  const tickets = new Map<string, number>();
  for (const reward of await rewards.listOpenRewards(tx, referral.id, 'draw_entries')) {
    const open = await listOpenEntryIds(tx, reward.user_id, now);
    if (reward.entry_id === null || !open.has(reward.entry_id)) continue;
    await rewards.spendReward(tx, reward, { change: 'void', cause: 'fraud' }, now);
    voided.push(reward.entry_id);
    tickets.set(reward.user_id, (tickets.get(reward.user_id) ?? 0) + reward.quantity);
  }
  const head = voided.length > 0 ? (await voidTickets(tx, context, voided, 'fraud')).head : undefined;
  return { tickets, head };
}
