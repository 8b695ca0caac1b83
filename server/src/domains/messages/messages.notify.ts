import type { Reader, Tx } from '../../kit/database/database.ts';
import { isOnline } from '../../kit/events/live-events.ts';
import { getsMails, waysToEnd } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, loadMailAddresses } from '../accounts/accounts.service.ts';
import type { MessageContext } from './messages.context.ts';
import * as queries from './messages.mail.queries.ts';
import type { UnseenRow } from './messages.mail.queries.ts';
import { firstMessageMail, unseenMessagesMail } from './messages.mails.ts';
import type { Role } from './messages.queries.ts';
import { askedFor } from './quotes/messages.quotes.views.ts';
import { replyAddress } from './messages.reply-address.ts';
import { nameOf } from './messages.views.ts';

const minuteMs = 60_000;
/** What comes within this time goes into one mail. */
const collectMs = 3 * minuteMs;
/** At most one mail of a conversation within this time, the first message's apart. */
const minutesBetweenMails = 60;
/** Whoever is online is not mailed. So long afterwards it is seen whether they have read it by then. */
const askAgainMs = 10 * minuteMs;
const atOnce = 100;

const later = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** When what comes now is to be mailed where it is not seen. */
export const mailTimes = (now: Date) => ({ mailAt: later(now, collectMs), minutesBetweenMails });

/** Part of sending: the first message of a conversation is mailed to the seller at once. */
export async function mailFirst(context: MessageContext, tx: Tx, conversationId: string): Promise<void> {
  const rows = await queries.listUnseen(tx, conversationId, 'seller', 0);
  if (!(await mail(context, tx, conversationId, 'seller', rows))) return;
  await queries.setMailTimes(tx, conversationId, 'seller', { mailed_at: context.clock.now(), mailed_number: 1 });
}

/** Mails what was not seen in time. By the clock, on one server at a time. */
export async function mailUnseen(context: MessageContext): Promise<void> {
  for (let found = atOnce; found === atOnce;) {
    const due = await queries.listDue(context.db, context.clock.now(), atOnce);
    found = due.length;
    for (const side of due) await context.db.transaction().execute((tx) => mailSide(context, tx, side.conversation_id, side.role));
  }
}

async function mailSide(context: MessageContext, tx: Tx, conversationId: string, reader: Role): Promise<void> {
  const now = context.clock.now();
  const side = await queries.lockMailTimes(tx, conversationId, reader);
  if (!side?.mail_due_at || side.mail_due_at > now) return;
  if (await isOnline(tx, side.user_id, now)) {
    await queries.setMailTimes(tx, conversationId, reader, { mail_due_at: later(now, askAgainMs) });
    return;
  }
  const rows = await queries.listUnseen(tx, conversationId, reader, side.mailed_number);
  const last = rows.at(-1);
  const isMailed = last !== undefined && (await mail(context, tx, conversationId, reader, rows));
  await queries.setMailTimes(tx, conversationId, reader, {
    mail_due_at: null,
    ...(isMailed && { mailed_at: now, mailed_number: last.number }),
  });
}

/** Where messages to one side of a conversation are mailed, and whether that address is confirmed. */
export async function findRecipient(db: Reader, conversationId: string, reader: Role) {
  const talk = await queries.findTalk(db, conversationId, reader);
  const contact = await findContact(db, talk.reader_id);
  const address = reader === 'seller' ? (await loadMailAddresses(db, [contact.id]))(contact, talk.business_email) : contact.email;
  return { talk, contact, address, isConfirmed: address !== contact.email || contact.email_confirmed_at !== null };
}

/** Whether a mail goes out: nobody is mailed whose address is not confirmed, who has left, or who has ended such mails. */
async function mail(
  { jobs, appUrl, replyDomain }: MessageContext,
  tx: Tx,
  conversationId: string,
  reader: Role,
  rows: readonly UnseenRow[],
): Promise<boolean> {
  const { talk, contact, address, isConfirmed } = await findRecipient(tx, conversationId, reader);
  if (!isConfirmed || contact.deleted_at || contact.suspended_at) return false;
  if (!(await getsMails(tx, contact.id, 'messages'))) return false;
  const [first] = rows;
  if (!first) return false;

  // An address of ours where answers by mail are taken. Without it a seller answers the buyer, who has written first; sellers' own
  // addresses stay theirs.
  const isDirect = replyDomain === null && reader === 'seller';
  const replyTo =
    replyDomain !== null ? await replyAddress(tx, replyDomain, conversationId, reader) : isDirect ? talk.other_email : undefined;
  const to = { to: address, name: contact.full_name, appUrl, end: await waysToEnd(tx, appUrl, contact.id, 'messages') };
  const about = { conversationId, title: talk.service_title, sender: nameOf({ ...talk, role: reader }), replyTo };
  const said = rows.map((row) => ({ text: row.body, pictures: row.pictures.length, quote: askedFor(row) }));
  const isFirst = first.number === 1 && said[0] !== undefined && rows.length === 1;
  const composed = isFirst && said[0] ? firstMessageMail(to, about, said[0], isDirect) : unseenMessagesMail(to, about, said, isDirect);
  await jobs.send(tx, sendMail, composed);
  return true;
}
