import { contactLimits, type contactForm } from '@handwise/contract/contact';
import { contactKeptYears } from '@handwise/contract/periods';
import { siteName } from '@handwise/contract/site-name';
import type { z } from 'zod';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { mailboxOf } from '../../kit/mail/mailbox.ts';
import { headerText } from '../../kit/mail/mail-words.ts';
import { type Mail, sendMail } from '../../kit/mail/mail.ts';
import { networkOf } from '../../kit/network.ts';
import * as queries from './site.queries.ts';

type Message = z.infer<typeof contactForm>;

const hour = 60 * 60;

/** Keeps a message and mails it to the support. Throws `too_many_requests` where its address or network wrote too often. */
export async function receiveMessage(context: Context, supportEmail: string, message: Message, ip: string): Promise<void> {
  const { db, jobs, clock } = context;
  await countAttempt(db, `contact by network ${networkOf(ip)}`, { max: contactLimits.perNetwork, windowSeconds: hour });
  await countAttempt(db, `contact by ${mailboxOf(message.email)}`, { max: contactLimits.perAddress, windowSeconds: hour });
  await db.transaction().execute(async (tx) => {
    const { id } = await queries.insertContactMessage(tx, message, clock.now());
    await jobs.send(tx, sendMail, contactMail(supportEmail, message, id));
  });
}

/** Deletes messages that are older than we keep them. */
export const deleteOldMessages = ({ db, clock }: Context) => {
  const oldest = clock.now();
  oldest.setFullYear(oldest.getFullYear() - contactKeptYears);
  return queries.deleteContactMessagesBefore(db, oldest);
};

function contactMail(to: string, { fullName, email, website, message }: Message, id: string): Mail {
  return {
    to,
    replyTo: email,
    subject: `${siteName}: a message from ${headerText(fullName, 60)}`,
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
