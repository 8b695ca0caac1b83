import type { MessageWarning } from '@handwise/contract/messages/calls';
import { maxMessageLength } from '@handwise/contract/messages/limits';
import { paths } from '@handwise/contract/paths';
import { formatGreeting, headerText, type Mail, type MailBlock } from '../../kit/mail/mail.ts';

type Reader = { to: string; name: string; appUrl: string; end: NonNullable<Mail['end']> };
type EmailSubject = { conversationId: string; title: string; sender: string; replyTo: string | undefined };
/** `quote` is the requested job if the message is a quote request. */
type MailedMessage = {
  text: string;
  warnings: readonly MessageWarning[];
  pictures: number;
  pdf: { name: string } | null;
  quote: MailBlock | null;
};

/** Further messages are only counted. */
const maxShownMessages = 5;

const warning =
  'It has a link in it, or mentions bank details. Be careful with both until you know who you are dealing with: we never ask for either in a message.';

/** Lines that name what came with a message. */
export const describeFiles = ({ pictures, pdf }: Pick<MailedMessage, 'pictures' | 'pdf'>): string[] => [
  ...(pictures === 0 ? [] : [pictures === 1 ? '[a picture]' : `[${pictures} pictures]`]),
  ...(pdf ? [`[a PDF: ${pdf.name}]`] : []),
];

const buildQuote = ({ text, ...files }: MailedMessage): MailBlock => ({
  kind: 'quote',
  text: [text.slice(0, maxMessageLength), ...describeFiles(files)].filter(Boolean).join('\n'),
});

function buildBody(
  { appUrl }: Reader,
  { conversationId }: EmailSubject,
  opening: string,
  messages: readonly MailedMessage[],
  replying: string,
): MailBlock[] {
  const remaining = messages.length - maxShownMessages;
  return [
    { kind: 'text', text: opening },
    ...messages.slice(0, maxShownMessages).flatMap((one) => [...(one.quote ? [one.quote] : []), buildQuote(one)]),
    ...(remaining > 0 ? [{ kind: 'text', text: `And ${remaining} more.` } as const] : []),
    ...(messages.some(({ warnings }) => warnings.length > 0) ? [{ kind: 'note', text: warning } as const] : []),
    { kind: 'button', label: 'Reply', url: appUrl + paths.conversation(conversationId) },
    { kind: 'note', text: replying },
  ];
}

const replyByEmail = 'You can also reply to this email: what you write is sent as a message.';

const describeReply = ({ replyTo }: EmailSubject, isDirect: boolean) =>
  replyTo === undefined
    ? 'Please use the button to answer: nobody reads replies to this email.'
    : isDirect
      ? `A reply to this email goes to ${replyTo} directly.`
      : replyByEmail;

const openings = {
  message: (sender: string, title: string) => `${sender} wrote to you about “${title}”:`,
  quoteRequest: (sender: string, title: string) => `${sender} is asking you for a quote. They found you through “${title}”:`,
};

/** The sentences of these emails, by which a quoted one is recognised in a reply. */
export const listOwnSentences = ({ sender, title, replyTo }: { sender: string; title: string; replyTo: string }): string[] => [
  openings.message(sender, title),
  openings.quoteRequest(sender, title),
  replyByEmail,
  describeReply({ conversationId: '', title, sender, replyTo }, true),
  warning,
  ...Object.values(previews),
  ...Object.values(reasons),
];

const reasons = {
  first: 'You get this email because somebody wrote to you about your listing.',
  unseen: 'You get this email because you have a conversation about this listing.',
};

const previews = {
  quoteRequest: 'Somebody is asking you for a quote.',
  first: 'Somebody is looking for a business like yours.',
  one: 'Somebody wrote to you.',
  several: 'Somebody wrote to you several times.',
};

/** Characters of a listing's title in a subject. */
const maxTitleLength = 60;

/** Sent to the seller. With `isDirect`, an email reply goes to the buyer's own address. */
export const firstMessageEmail = (reader: Reader, conversation: EmailSubject, message: MailedMessage, isDirect: boolean): Mail => ({
  to: reader.to,
  ...(conversation.replyTo !== undefined && { replyTo: conversation.replyTo }),
  subject: `${message.quote ? 'Quote request' : 'Message received'} for "${headerText(conversation.title, maxTitleLength)}"`,
  preview: message.quote ? previews.quoteRequest : previews.first,
  greeting: formatGreeting(reader.name),
  blocks: buildBody(
    reader,
    conversation,
    openings[message.quote ? 'quoteRequest' : 'message'](conversation.sender, conversation.title),
    [message],
    describeReply(conversation, isDirect),
  ),
  limit: { kind: 'message.first', perHour: 60 },
  end: reader.end,
  reason: reasons.first,
});

/** New messages that the receiver has not seen. */
export const unseenMessagesEmail = (
  reader: Reader,
  conversation: EmailSubject,
  messages: readonly MailedMessage[],
  isDirect: boolean,
): Mail => ({
  to: reader.to,
  ...(conversation.replyTo !== undefined && { replyTo: conversation.replyTo }),
  subject: `${messages.length === 1 ? 'A new message' : `${messages.length} new messages`} about "${headerText(conversation.title, 60)}"`,
  preview: messages.length === 1 ? previews.one : previews.several,
  greeting: formatGreeting(reader.name),
  blocks: buildBody(
    reader,
    conversation,
    openings.message(conversation.sender, conversation.title),
    messages,
    describeReply(conversation, isDirect),
  ),
  limit: { kind: 'message.unseen', perHour: 20 },
  end: reader.end,
  reason: reasons.unseen,
});

/** To the writer of a reply by email of which something was not sent. */
export const partOfReplySentEmail = (
  { to, name, appUrl }: { to: string; name: string; appUrl: string },
  { conversationId, sender, leftOut, isMasked }: { conversationId: string; sender: string; leftOut: readonly string[]; isMasked: boolean },
): Mail => ({
  to,
  subject: 'Your message was sent without a part of it',
  preview: `${sender} has the rest.`,
  greeting: formatGreeting(name),
  blocks: [
    { kind: 'text', text: `We sent your reply to ${sender}, but not all of it.` },
    ...leftOut.map((text): MailBlock => ({ kind: 'text', text })),
    ...(isMasked
      ? [{ kind: 'text', text: 'We took email addresses out of it. If you want to share yours, write it in the conversation.' } as const]
      : []),
    { kind: 'button', label: 'Open conversation', url: appUrl + paths.conversation(conversationId) },
  ],
  limit: { kind: 'message.part-sent', perHour: 20 },
  reason: 'You get this email because you replied to a message by email.',
});
