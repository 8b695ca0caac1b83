import { contactLimits } from '@handwise/contract/site/contact';
import { contactKeptYears } from '@handwise/contract/periods';
import { countAttempt } from '../../kit/identity/attempts.ts';
import type { Context } from '../../kit/context.ts';
import { mailboxOf } from '../../kit/mail/mailbox.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { networkOf } from '../../kit/network.ts';
import { type ContactMessage, contactMail } from './site.mails.ts';
import * as queries from './site.queries.ts';

const hour = 60 * 60;

/** Keeps a message and mails it to the support. Throws `too_many_requests` where its address or network wrote too often. */
export async function receiveMessage(context: Context, supportEmail: string, message: ContactMessage, ip: string): Promise<void> {
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
