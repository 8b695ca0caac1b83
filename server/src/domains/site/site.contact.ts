import { sql } from 'kysely';
import type { z } from 'zod';
import { formerMember } from '@handwise/contract/accounts/public-name';
import { contactRetentionYears } from '@handwise/contract/periods';
import { type contactForm, contactLimits } from '@handwise/contract/site/contact';
import { site } from '@handwise/contract/site/site';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { headerText, type Mail, sendMail } from '../../kit/mail/mail.ts';
import { normalizeMailbox } from '../../kit/mail/mailbox.ts';
import { getNetwork } from '../../kit/network.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { findContact } from '../accounts/accounts.service.ts';

const hour = 60 * 60;

/** Stores a message and emails it to support. Throws `too_many_requests` per address and per network. */
export async function receiveContactMessage(context: Context, message: ContactMessage, ip: string): Promise<void> {
  const { db, jobs, clock } = context;
  await countAttempt(db, `contact by network ${getNetwork(ip)}`, { max: contactLimits.perNetwork, windowSeconds: hour });
  await countAttempt(db, `contact by ${normalizeMailbox(message.email)}`, { max: contactLimits.perAddress, windowSeconds: hour });
  await db.transaction().execute(async (tx) => {
    const { id } = await insertContactMessage(tx, message, clock.now());
    await jobs.send(tx, sendMail, contactEmail(site.supportEmail, message, id));
  });
}

export const deleteOldContactMessages = ({ db, clock }: Context) => {
  const oldest = clock.now();
  oldest.setFullYear(oldest.getFullYear() - contactRetentionYears);
  return deleteContactMessagesBefore(db, oldest);
};

type ContactMessage = z.infer<typeof contactForm>;

/** Sent to support, with the sender as reply address. */
function contactEmail(to: string, { fullName, email, website, message }: ContactMessage, id: string): Mail {
  return {
    to,
    replyTo: email,
    subject: `${site.name}: a message from ${headerText(fullName, 60)}`,
    preview: 'Somebody wrote through the contact form.',
    blocks: [
      {
        kind: 'facts',
        rows: [
          { label: 'Name', value: fullName },
          { label: 'Email', value: email },
          ...(website ? [{ label: 'Website', value: website }] : []),
          { label: 'Number', value: id },
        ],
      },
      { kind: 'quote', text: message },
      { kind: 'note', text: 'The sender typed the address, and it is not confirmed. A reply to this email goes to it.' },
    ],
  };
}

// The form accepts any address, so messages are matched with an account only by its confirmed address.

async function findConfirmedAddress(db: Reader, userId: string): Promise<string | undefined> {
  const { email, email_confirmed_at: confirmedAt } = await findContact(db, userId);
  return confirmedAt === null ? undefined : email;
}

/** A user's messages through the contact form. */
export const getOwnContactData = (db: Reader, userId: string): OwnData => ({
  lists: {
    'messages-to-us': async () => {
      const email = await findConfirmedAddress(db, userId);
      return email === undefined ? [] : listContactMessages(db, email);
    },
  },
});

/** Part of account deletion, before the address is removed; message texts stay for their retention time. */
export async function anonymizeSender(tx: Tx, userId: string): Promise<void> {
  const email = await findConfirmedAddress(tx, userId);
  if (email === undefined) return;
  await anonymizeContactMessages(tx, email, { full_name: formerMember, email: `${userId}@deleted.invalid`, website: '' });
}

type ContactMessageRow = { fullName: string; email: string; website: string; message: string };

const insertContactMessage = (tx: Tx, { fullName, ...rest }: ContactMessageRow, now: Date) =>
  tx
    .insertInto('contact_messages')
    .values({ full_name: fullName, ...rest, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

const deleteContactMessagesBefore = (db: Db, oldest: Date) => db.deleteFrom('contact_messages').where('created_at', '<', oldest).execute();

/** Ignores the case of the address. */
const listContactMessages = (db: Reader, email: string) =>
  db
    .selectFrom('contact_messages')
    .select(['full_name as fullName', 'email', 'website', 'message', 'created_at as createdAt'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at')
    .execute();

const anonymizeContactMessages = (tx: Tx, email: string, person: { full_name: string; email: string; website: string }) =>
  tx
    .updateTable('contact_messages')
    .set(person)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .execute();
