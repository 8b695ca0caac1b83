import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sendMessageCall } from '@handwise/contract/messages/calls';
import { maxMessagePictures } from '@handwise/contract/messages/limits';
import { formatNames } from '@handwise/contract/pictures';
import type { Tx } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { processPicture } from '../../kit/images/images.ts';
import type { InboundMail } from '../../kit/mail/inbound-mail.ts';
import type { OwnText } from '../../kit/mail/mail-own-lines.ts';
import type { MailFile } from '../../kit/mail/mail-parser.ts';
import { getUnsubscribeLinks } from '../../kit/mail/mail-preferences.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { findContact, loadMailAddresses } from '../accounts/accounts.service.ts';
import type { LoadedFiles } from './messages.attachments.ts';
import type { MessageContext } from './messages.context.ts';
import { describeFiles, listOwnSentences, partOfReplySentEmail } from './messages.emails.ts';
import { findParticipant, getEmailSubject } from './messages.notify.queries.ts';
import { listMessages } from './messages.queries.ts';
import { readReplyAddress } from './messages.reply-address.ts';
import { sendWithFiles } from './messages.send.ts';
import { getDisplayName } from './messages.views.ts';

/** Whether an address is a valid reply address of a conversation. */
export const isReplyAddress = async ({ db, replyDomain }: MessageContext, address: string): Promise<boolean> =>
  replyDomain !== null && (await readReplyAddress(db, replyDomain, address)) !== undefined;

/** The latest messages, which an email that is being answered may quote. */
const quotedMessages = 100;

/**
 * The conversation and side of a reply. The recipient address identifies them, and the sender must be that user's confirmed address or the confirmed
 * address of their business. Throws `forbidden` and `conversation_not_found`.
 */
async function identifyWriter({ db, replyDomain }: MessageContext, { to, from }: { to: string; from: string }) {
  const target = replyDomain === null ? undefined : await readReplyAddress(db, replyDomain, to);
  const userId = target && (await findParticipant(db, target.conversationId, target.role));
  if (!target || !userId) throw new AppError('conversation_not_found');
  const contact = await findContact(db, userId);
  const subject = await getEmailSubject(db, target.conversationId, target.role);
  const own = contact.email_confirmed_at === null ? [] : [contact.email];
  if (target.role === 'seller') {
    const confirmed = (await loadMailAddresses(db, [userId]))(contact, subject.business_email);
    if (confirmed !== contact.email) own.push(confirmed);
  }
  const address = own.find((one) => one.toLowerCase() === from.toLowerCase());
  if (address === undefined || contact.suspended_at || contact.deleted_at) {
    throw new AppError('forbidden', { message: 'We only accept answers from your account’s own address.' });
  }
  return { ...target, userId, contact, subject, address };
}

/** What our emails say to the writer of a reply, from `senders`. Throws as `identifyWriter` does. */
export async function admitEmailReply(
  context: MessageContext,
  mail: { to: string; from: string },
  senders: readonly string[],
): Promise<Omit<OwnText, 'subject'>> {
  const { db, appUrl } = context;
  const { conversationId, role, userId, contact, subject } = await identifyWriter(context, mail);
  const sender = getDisplayName({ ...subject, role });
  const { page } = await getUnsubscribeLinks(db, appUrl, userId, 'messages');
  const messages = await listMessages(db, conversationId, {}, quotedMessages);
  return {
    appUrl,
    reader: contact.full_name,
    ourAddresses: [mail.to, ...senders],
    privateAddresses: listPrivateAddresses(contact.email, subject),
    secrets: [new URL(page).searchParams.get('token') ?? '', mail.to.split('@')[0] ?? ''],
    sentences: listOwnSentences({ sender, title: subject.service_title, replyTo: mail.to }),
    messages: [
      subject.service_title,
      ...messages.flatMap(({ body, pictures, pdf }) => [body, ...describeFiles({ pictures: pictures.length, pdf })]),
    ],
  };
}

const listPrivateAddresses = (
  own: string,
  { other_email: other, business_email: business }: { other_email: string; business_email: string | null },
) => [...new Set([own, other, ...(business ? [business] : [])].map((one) => one.toLowerCase()))];

/**
 * Sends an email reply as a message, with its pictures and its PDF; idempotent per email. What is not taken is said to the writer by email, or in the error if
 * nothing is left. Throws `forbidden`, `invalid_input`, and what sending throws.
 */
export async function receiveEmailReply(context: MessageContext, mail: InboundMail): Promise<void> {
  const { conversationId, userId, contact, subject, address, role } = await identifyWriter(context, mail);
  const leftOut: string[] = mail.files.flatMap((file) => ('problem' in file ? [describeProblem(file)] : []));
  const usable = mail.files.filter((file) => 'content' in file);
  const pictures = usable.filter(({ kind }) => kind === 'picture');
  const [pdf, ...morePdfs] = usable.filter(({ kind }) => kind === 'pdf');
  for (const { name } of morePdfs) leftOut.push(`“${name}”: a message has one PDF.`);
  if (mail.moreFiles > 0) leftOut.push(`${mail.moreFiles} more: a message has at most ${maxMessagePictures} pictures.`);
  if (mail.text === '' && usable.length === 0) throw nothingToSend(leftOut);

  const { data, error } = sendMessageCall.form.safeParse({ message: mail.text, clientId: deriveClientId(mail) });
  if (!data) throw new AppError('invalid_input', { message: error.issues[0]?.message ?? 'This text cannot be sent' });
  const folder = await mkdtemp(join(tmpdir(), 'handwise-reply-'));
  try {
    await sendWithFiles(context, userId, conversationId, data, {
      load: async () => {
        const loaded: LoadedFiles['pictures'] = [];
        for (const [index, { name, content }] of pictures.entries()) {
          const path = join(folder, String(index));
          await writeFile(path, content);
          try {
            loaded.push(await processPicture({ path, fieldPath: 'pictures', filename: name }, userId));
          } catch (problem) {
            if (!(problem instanceof AppError) || problem.fields.length === 0) throw problem;
            leftOut.push(...problem.fields.map(({ message }) => message));
          }
        }
        if (data.message === '' && loaded.length === 0 && !pdf) throw nothingToSend(leftOut);
        return { pictures: loaded, pdf: pdf ? { name: pdf.name, content: Buffer.from(pdf.content) } : null };
      },
      onSent: async (tx: Tx) => {
        if (leftOut.length === 0 && !mail.isMasked) return;
        const about = { conversationId, sender: getDisplayName({ ...subject, role }), leftOut, isMasked: mail.isMasked };
        await context.jobs.send(
          tx,
          sendMail,
          partOfReplySentEmail({ to: address, name: contact.full_name, appUrl: context.appUrl }, about),
        );
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const describeProblem = (file: Extract<MailFile, { problem: string }>) =>
  file.problem === 'too_large'
    ? `“${file.name}” is larger than ${file.maxBytes / 1024 / 1024} MB.`
    : `“${file.name}” is neither a PDF nor a picture that we can read. Use ${formatNames}.`;

const nothingToSend = (leftOut: readonly string[]) =>
  new AppError('invalid_input', {
    message:
      leftOut.length === 0
        ? 'This email has no text of its own. Nothing was sent. Please write above the quoted email.'
        : `Nothing was sent. ${leftOut.join(' ')}`,
  });

/** A UUID derived from the email, so that a repeated delivery has the same one. */
function deriveClientId({ to, id }: { to: string; id: string }): string {
  const hex = createHash('sha256').update(`${to.toLowerCase()}\n${id}`).digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
