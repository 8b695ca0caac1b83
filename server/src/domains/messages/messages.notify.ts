import { paths } from '@handwise/contract/paths';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { isOnline } from '../../kit/events/live-events.ts';
import { isSubscribed, getUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, loadMailAddresses } from '../accounts/accounts.service.ts';
import { sendPush } from '../push/push.service.ts';
import type { MessageContext } from './messages.context.ts';
import { firstMessageEmail, unseenMessagesEmail } from './messages.emails.ts';
import type { UnseenRow } from './messages.notify.queries.ts';
import * as queries from './messages.notify.queries.ts';
import type { Role } from './messages.queries.ts';
import { createReplyAddress } from './messages.reply-address.ts';
import { buildQuoteRequestBlock, getDisplayName, getWarnings } from './messages.views.ts';

const minuteMs = 60_000;
/** Messages within this time go into one email. */
const collectMs = 3 * minuteMs;
/** At most one email per conversation within this time, not counting the first message's. */
const minutesBetweenEmails = 60;
/** Online users get no email; their unseen messages are checked again after this time. */
const recheckOnlineMs = 10 * minuteMs;
const batchSize = 100;

const addMs = (time: Date, ms: number) => new Date(time.getTime() + ms);

/** When a message sent now is emailed if it is still unseen. */
export const scheduleEmail = (now: Date) => ({ emailAt: addMs(now, collectMs), minutesBetweenEmails });

/** Part of sending: emails the first message of a conversation to the seller at once. */
export async function emailFirstMessage(context: MessageContext, tx: Tx, conversationId: string): Promise<void> {
  const rows = await queries.listUnseenMessages(tx, conversationId, 'seller', 0);
  if (!(await sendEmail(context, tx, conversationId, 'seller', rows))) return;
  await queries.setEmailTimes(tx, conversationId, 'seller', { mailed_at: context.clock.now(), mailed_number: 1 });
}

type Pushed = { conversationId: string; receiverId: string; reader: Role; text: string; isQuoteRequest: boolean };

/** Part of sending: notifies the receiver's devices at once. */
export async function pushMessage(
  context: MessageContext,
  tx: Tx,
  { conversationId, receiverId, reader, text, isQuoteRequest }: Pushed,
): Promise<void> {
  await sendPush(tx, context, receiverId, async () => {
    const conversation = await queries.getEmailSubject(tx, conversationId, reader);
    const sender = getDisplayName({ ...conversation, role: reader });
    return {
      title: isQuoteRequest ? 'You have a new quote request' : 'You have a new message',
      privateText: { title: isQuoteRequest ? `Quote request from ${sender}` : sender, body: text },
      path: paths.conversation(conversationId),
      tag: `conversation-${conversationId}`,
    };
  });
}

/** A scheduled job that runs on one server at a time. One conversation that fails does not stop the others, and is tried again. */
export async function emailUnseenMessages(context: MessageContext, batch = batchSize): Promise<void> {
  for (let found = batch; found === batch;) {
    const due = await queries.listDueEmails(context.db, context.clock.now(), batch);
    found = due.length;
    for (const { conversation_id: id, role } of due) {
      await context.db
        .transaction()
        .execute((tx) => emailSide(context, tx, id, role))
        .catch((error: unknown) => {
          context.logger.error({ err: error, conversationId: id }, 'unseen messages could not be emailed');
          // It stays due, so the next run tries it again.
          found = 0;
        });
    }
  }
}

async function emailSide(context: MessageContext, tx: Tx, conversationId: string, reader: Role): Promise<void> {
  const now = context.clock.now();
  const side = await queries.lockEmailTimes(tx, conversationId, reader);
  if (!side?.mail_due_at || side.mail_due_at > now) return;
  if (await isOnline(tx, side.user_id, now)) {
    await queries.setEmailTimes(tx, conversationId, reader, { mail_due_at: addMs(now, recheckOnlineMs) });
    return;
  }
  const rows = await queries.listUnseenMessages(tx, conversationId, reader, side.mailed_number);
  const last = rows.at(-1);
  const isSent = last !== undefined && (await sendEmail(context, tx, conversationId, reader, rows));
  await queries.setEmailTimes(tx, conversationId, reader, {
    mail_due_at: null,
    ...(isSent && { mailed_at: now, mailed_number: last.number }),
  });
}

/** The email address of one side of a conversation, and whether it is confirmed. */
export async function getRecipient(db: Reader, conversationId: string, reader: Role) {
  const conversation = await queries.getEmailSubject(db, conversationId, reader);
  const contact = await findContact(db, conversation.reader_id);
  const address = reader === 'seller' ? (await loadMailAddresses(db, [contact.id]))(contact, conversation.business_email) : contact.email;
  return { conversation, contact, address, isConfirmed: address !== contact.email || contact.email_confirmed_at !== null };
}

/** Who gets an email about a conversation, and the conversation as the email names it. */
export type MailReader = {
  to: string;
  name: string;
  appUrl: string;
  end: Awaited<ReturnType<typeof getUnsubscribeLinks>>;
  title: string;
  /** The other side's public name. */
  sender: string;
  /** Where a reply by email goes; undefined if replies are not read. */
  replyTo: string | undefined;
  /** Whether a reply goes to the other side's own address. */
  isDirect: boolean;
};

/** Undefined if the address is unconfirmed, the account is deleted or suspended, or the user has unsubscribed. */
export async function findMailReader(
  { appUrl, replyDomain }: MessageContext,
  tx: Tx,
  conversationId: string,
  reader: Role,
): Promise<MailReader | undefined> {
  const { conversation, contact, address, isConfirmed } = await getRecipient(tx, conversationId, reader);
  if (!isConfirmed || contact.deleted_at || contact.suspended_at) return undefined;
  if (!(await isSubscribed(tx, contact.id, 'messages'))) return undefined;
  // Without inbound email a seller replies to the buyer's own address, because the buyer wrote first; sellers' addresses are never shown.
  const isDirect = replyDomain === null && reader === 'seller';
  const replyTo =
    replyDomain !== null
      ? await createReplyAddress(tx, replyDomain, conversationId, reader)
      : isDirect
        ? conversation.other_email
        : undefined;
  const end = await getUnsubscribeLinks(tx, appUrl, contact.id, 'messages');
  const sender = getDisplayName({ ...conversation, role: reader });
  return { to: address, name: contact.full_name, appUrl, end, title: conversation.service_title, sender, replyTo, isDirect };
}

/** Returns false without sending if there is no one to send to. */
async function sendEmail(
  context: MessageContext,
  tx: Tx,
  conversationId: string,
  reader: Role,
  rows: readonly UnseenRow[],
): Promise<boolean> {
  const to = await findMailReader(context, tx, conversationId, reader);
  const [first] = rows;
  if (!to || !first) return false;
  const about = { conversationId, title: to.title, sender: to.sender, replyTo: to.replyTo };
  const messages = rows.map((row) => ({
    text: row.body,
    warnings: getWarnings(row),
    pictures: row.pictures.length,
    pdf: row.pdf,
    quote: buildQuoteRequestBlock(row),
  }));
  const isFirst = first.number === 1 && messages[0] !== undefined && rows.length === 1;
  const composed =
    isFirst && messages[0] ? firstMessageEmail(to, about, messages[0], to.isDirect) : unseenMessagesEmail(to, about, messages, to.isDirect);
  await context.jobs.send(tx, sendMail, composed);
  return true;
}
