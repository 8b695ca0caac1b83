import { ticketsOf } from '@handwise/contract/draws/prize';
import type { EntrySource } from '@handwise/contract/tickets/calls';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { appendEvents } from '../../kit/events/live-events.ts';
import { isSubscribed, getUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { findContact } from '../accounts/accounts.service.ts';
import { holdAccounts, issueTickets, listEntriesOf, runningPeriod, voidTickets } from '../tickets/tickets.service.ts';
import type { ReferralContext } from './referrals.context.ts';
import { type Concerned, type MailReader, type Occasion, type Taken, ticketsMail } from './referrals.mails.ts';
import { insertNotification } from './referrals.notification-queries.ts';
import type { ReferralRow } from './referrals.queries.ts';
import * as rewards from './referrals.reward-queries.ts';

type Gift = { userId: string; occasion: Occasion; tickets: number; source: EntrySource };

/** Who gets what: each of the two for signing up with a code, its owner when the first listing is live. */
const giftsOf = {
  signup: ({ referrer_id, referred_id }: ReferralRow): Gift[] => [
    { userId: referred_id, occasion: 'signup', tickets: ticketsOf.signup, source: 'signup' },
    { userId: referrer_id, occasion: 'code_used', tickets: ticketsOf.signup, source: 'referral' },
  ],
  listing: ({ referrer_id }: ReferralRow): Gift[] => [
    { userId: referrer_id, occasion: 'listing', tickets: ticketsOf.listing, source: 'listing' },
  ],
};

/**
 * Issues the tickets of a step and tells of them: by mails that end with the head of the log, and live to the owner of the code. With
 * `quiet` the owner finds it in the list of notifications alone. The tickets are the last that a transaction locks.
 */
export async function giveTickets(
  tx: Tx,
  context: ReferralContext,
  referral: ReferralRow,
  step: keyof typeof giftsOf,
  { quiet = false } = {},
): Promise<void> {
  const now = context.clock.now();
  const gifts = giftsOf[step](referral);
  // Before the first of them gets any: nobody who leaves waits for the month while we wait for them.
  await holdAccounts(
    tx,
    gifts.map(({ userId }) => userId),
  );
  const told: { gift: Gift; contact: Awaited<ReturnType<typeof findContact>> }[] = [];
  for (const gift of gifts) {
    const contact = await findContact(tx, gift.userId);
    // Whoever has left gets nothing, and nobody can be asked for them.
    if (!contact.deleted_at) told.push({ gift, contact });
  }
  let issued;
  for (const { gift } of told) {
    issued = await issueTickets(tx, context, { userId: gift.userId, tickets: gift.tickets, source: gift.source });
    await rewards.issue(tx, {
      userId: gift.userId,
      referralId: referral.id,
      reward: 'draw_entries',
      cause: gift.occasion,
      quantity: gift.tickets,
      entryId: issued.entryId,
      now,
    });
  }
  const period = await runningPeriod(tx, context.clock);
  if (!issued || !period) return;
  for (const { gift, contact } of quiet ? [] : told) {
    if (!(await isSubscribed(tx, gift.userId, 'referrals'))) continue;
    const end = await getUnsubscribeLinks(tx, context.appUrl, gift.userId, 'referrals');
    const { occasion, tickets } = gift;
    const mail = ticketsMail({ ...readerOf(contact, context), end }, { occasion, tickets, closesAt: period.closesAt, head: issued.head });
    await context.jobs.send(tx, sendMail, mail);
  }
  const owners = told.filter(({ gift }) => gift.userId === referral.referrer_id);
  for (const { gift } of owners) await notify(tx, referral, step, gift.tickets, { now, quiet });
}

async function notify(
  tx: Tx,
  referral: ReferralRow,
  type: 'signup' | 'listing',
  tickets: number,
  { now, quiet }: { now: Date; quiet: boolean },
): Promise<void> {
  const { id } = await insertNotification(tx, { user_id: referral.referrer_id, referral_id: referral.id, type, tickets, created_at: now });
  if (quiet) return;
  const data = { id, type, timestamp: now.toISOString(), tickets };
  await appendEvents(tx, [{ userId: referral.referrer_id, kind: 'referral', data }]);
}

export const readerOf = (contact: { email: string; full_name: string }, { appUrl }: Pick<Context, 'appUrl'>): MailReader => ({
  to: contact.email,
  name: contact.full_name,
  appUrl,
});

/** Mails both people of a referral, who have not left, each in their own words. */
export async function mailBoth(tx: Tx, context: Context, referral: ReferralRow, write: (reader: Concerned) => Mail): Promise<void> {
  for (const role of ['referrer', 'referred'] as const) {
    const contact = await findContact(tx, referral[`${role}_id`]);
    if (!contact.deleted_at) await context.jobs.send(tx, sendMail, write({ ...readerOf(contact, context), id: contact.id, role }));
  }
}

/** Which tickets of somebody can still be taken out of their draw. */
export async function openEntriesOf(db: Reader, userId: string, now: Date): Promise<Set<string>> {
  const entries = await listEntriesOf(db, userId);
  const isOpen = ({ status, expiryDate }: (typeof entries)[number]) =>
    status === 'active' && expiryDate !== null && Date.parse(expiryDate) > now.getTime();
  return new Set(entries.filter(isOpen).map(({ id }) => id));
}

/** Takes back the tickets of a referral whose draw has not closed, and the free months that were not used. Its people must be locked. */
export async function takeBack(tx: Tx, context: ReferralContext, referral: ReferralRow): Promise<Taken> {
  const freeMonths = new Map<string, number>();
  for (const reward of await rewards.listOpenOf(tx, referral.id, 'free_month')) {
    await rewards.spend(tx, reward, { change: 'void', cause: 'fraud' }, context.clock.now());
    freeMonths.set(reward.user_id, (freeMonths.get(reward.user_id) ?? 0) + 1);
  }
  return { freeMonths, ...(await voidAsFraud(tx, context, referral)) };
}

/** Takes back the tickets of a referral, as far as their draw has not closed. */
export async function voidAsFraud(tx: Tx, context: ReferralContext, referral: ReferralRow): Promise<Pick<Taken, 'tickets' | 'head'>> {
  const now = context.clock.now();
  const voided: string[] = [];
  const tickets = new Map<string, number>();
  for (const reward of await rewards.listOpenOf(tx, referral.id, 'draw_entries')) {
    const open = await openEntriesOf(tx, reward.user_id, now);
    if (reward.entry_id === null || !open.has(reward.entry_id)) continue;
    await rewards.spend(tx, reward, { change: 'void', cause: 'fraud' }, now);
    voided.push(reward.entry_id);
    tickets.set(reward.user_id, (tickets.get(reward.user_id) ?? 0) + reward.quantity);
  }
  const head = voided.length > 0 ? (await voidTickets(tx, context, voided, 'fraud')).head : undefined;
  return { tickets, head };
}
