import { createHash } from 'node:crypto';
import { sendMessage as sendCall } from '@handwise/contract/messages/calls';
import { AppError } from '../../kit/errors.ts';
import { findContact, loadMailAddresses } from '../accounts/accounts.service.ts';
import { type MessageContext, readReplyAddress } from './messages.reply-address.ts';
import { findParticipant, getEmailSubject } from './messages.notify.queries.ts';
import { sendMessage } from './messages.send.ts';

/** Whether an address is a valid reply address of a conversation. */
export const isReplyAddress = async ({ db, replyDomain }: MessageContext, address: string): Promise<boolean> =>
  replyDomain !== null && (await readReplyAddress(db, replyDomain, address)) !== undefined;

/**
 * Sends an email reply as a message; idempotent per email. The recipient address identifies the conversation and side, and the sender must
 * be that user's confirmed address or the confirmed address of their business. Throws `forbidden`, `invalid_input`, and what sending throws.
 */
export async function receiveEmailReply(
  context: MessageContext,
  mail: { to: string; from: string; messageId: string; text: string },
): Promise<void> {
  const { db, replyDomain } = context;
  const target = replyDomain === null ? undefined : await readReplyAddress(db, replyDomain, mail.to);
  const userId = target && (await findParticipant(db, target.conversationId, target.role));
  if (!target || !userId) throw new AppError('conversation_not_found');
  const contact = await findContact(db, userId);
  const own = contact.email_confirmed_at === null ? [] : [contact.email];
  if (target.role === 'seller') {
    const { business_email: business } = await getEmailSubject(db, target.conversationId, 'seller');
    const confirmed = (await loadMailAddresses(db, [userId]))(contact, business);
    if (confirmed !== contact.email) own.push(confirmed);
  }
  const isOwn = own.some((address) => address.toLowerCase() === mail.from.toLowerCase());
  if (!isOwn || contact.suspended_at || contact.deleted_at) {
    throw new AppError('forbidden', { message: 'We only accept answers from your account’s own address.' });
  }
  const { data, error } = sendCall.form.safeParse({ message: mail.text, clientId: deriveClientId(mail.to, mail.messageId) });
  if (!data) throw new AppError('invalid_input', { message: error.issues[0]?.message ?? 'This text cannot be sent' });
  await sendMessage(context, userId, target.conversationId, data, []);
}

/** A UUID derived from the email, so that a repeated delivery has the same one. */
function deriveClientId(to: string, messageId: string): string {
  const hex = createHash('sha256').update(`${to.toLowerCase()}\n${messageId}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
