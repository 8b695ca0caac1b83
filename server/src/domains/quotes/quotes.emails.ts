import { formatDate } from '@handwise/contract/dates';
import { money } from '@handwise/contract/money';
import { paths } from '@handwise/contract/paths';
import type { Quote } from '@handwise/contract/quotes/calls';
import {
  getContractSentence,
  declineSentences,
  formatGst,
  formatValidUntil,
  kindSentences,
  quoteKinds,
} from '@handwise/contract/quotes/words';
import { formatGreeting, headerText, type Mail, type MailBlock } from '../../kit/mail/mail.ts';
import type { MailReader } from '../messages/messages.service.ts';

/** Characters of a listing's title in a subject. */
const maxTitleLength = 60;

const formatTotal = ({ totalMinor, currency }: Quote) => money(totalMinor, currency);
const getKind = ({ kind }: Quote) => quoteKinds[kind].toLowerCase();
const getSubjectTitle = ({ title }: MailReader) => `"${headerText(title, maxTitleLength)}"`;

const buildFacts = (quote: Quote): MailBlock => ({
  kind: 'facts',
  rows: [
    { label: 'Number', value: quote.number },
    { label: 'Total', value: `${formatTotal(quote)}, ${formatGst(quote)}`, strong: true },
    { label: 'Valid until', value: formatValidUntil(quote.validUntil) },
    ...(quote.startsOn === null ? [] : [{ label: 'Work starts', value: formatDate(quote.startsOn, 'UTC') }]),
  ],
});

type Parts = { subject: string; preview: string; opening: string; more?: MailBlock[]; button: string; reason: string; kind: string };

const compose = (reader: MailReader, quote: Quote, parts: Parts): Mail => ({
  to: reader.to,
  ...(reader.replyTo !== undefined && { replyTo: reader.replyTo }),
  subject: parts.subject,
  preview: parts.preview,
  greeting: formatGreeting(reader.name),
  blocks: [
    { kind: 'text', text: parts.opening },
    buildFacts(quote),
    ...(parts.more ?? []),
    { kind: 'button', label: parts.button, url: reader.appUrl + paths.conversation(quote.conversationId) },
    { kind: 'note', text: getContractSentence() },
  ],
  limit: { kind: parts.kind, perHour: 20 },
  end: reader.end,
  reason: parts.reason,
});

const forCustomer = 'You get this email because a business sent you a quote.';
const forBusiness = 'You get this email because you sent this quote.';

export const quoteSentEmail = (reader: MailReader, quote: Quote, isReplacing: boolean): Mail =>
  compose(reader, quote, {
    subject: `${quoteKinds[quote.kind]} for ${getSubjectTitle(reader)}: ${formatTotal(quote)}`,
    preview: `Valid until ${formatValidUntil(quote.validUntil)}.`,
    opening: `${reader.sender} has sent you ${quote.kind === 'quote' ? 'a quote' : 'an estimate'} for “${reader.title}”.${isReplacing ? ' It replaces the one before.' : ''}`,
    more: [{ kind: 'text', text: kindSentences[quote.kind] }],
    button: `View ${getKind(quote)}`,
    reason: forCustomer,
    kind: 'quote.sent',
  });

export const quoteReminderEmail = (reader: MailReader, quote: Quote): Mail =>
  compose(reader, quote, {
    subject: `${quoteKinds[quote.kind]} for ${getSubjectTitle(reader)} is valid until ${formatValidUntil(quote.validUntil)}`,
    preview: 'You can accept it, decline it or ask a question.',
    opening: `The ${getKind(quote)} from ${reader.sender} for “${reader.title}” runs out soon. You can accept it, decline it or ask a question until then.`,
    button: `View ${getKind(quote)}`,
    reason: forCustomer,
    kind: 'quote.reminder',
  });

export const quoteAcceptedEmail = (reader: MailReader, quote: Quote): Mail =>
  compose(reader, quote, {
    subject: `${quoteKinds[quote.kind]} accepted for ${getSubjectTitle(reader)}: ${formatTotal(quote)}`,
    preview: `${quote.customer} has accepted it.`,
    opening: `${quote.customer} has accepted your ${getKind(quote)} for “${reader.title}”.${quote.startsOn === null ? ' Agree on the day in your conversation.' : ''}`,
    button: 'Open conversation',
    reason: forBusiness,
    kind: 'quote.accepted',
  });

/** To the customer, about their own acceptance. */
export const acceptanceCopyEmail = (reader: MailReader, quote: Quote): Mail =>
  compose(reader, quote, {
    subject: `You accepted the ${getKind(quote)} for ${getSubjectTitle(reader)}: ${formatTotal(quote)}`,
    preview: `${quote.business} has been told.`,
    opening: `You have accepted the ${getKind(quote)} from ${quote.business} for “${reader.title}”. You can download it in your conversation.`,
    button: 'Open conversation',
    reason: 'You get this email because you accepted a quote.',
    kind: 'quote.accepted-copy',
  });

export const quoteDeclinedEmail = (reader: MailReader, quote: Quote): Mail =>
  compose(reader, quote, {
    subject: `${quoteKinds[quote.kind]} declined for ${getSubjectTitle(reader)}`,
    preview: declineSentences[quote.decline?.reason ?? 'other'],
    opening: `${quote.customer} has declined your ${getKind(quote)} for “${reader.title}”. ${declineSentences[quote.decline?.reason ?? 'other']}`,
    more: quote.decline?.note ? [{ kind: 'quote', text: quote.decline.note }] : [],
    button: 'Open conversation',
    reason: forBusiness,
    kind: 'quote.declined',
  });
