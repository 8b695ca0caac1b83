import { z } from 'zod';
import type { Call } from '../call.ts';
import { listingStatus, pageQuery, wholeNumber } from '../listings/calls.ts';
import { picture } from '../listings/picture.ts';
import { maxPdfBytes } from '../pdf.ts';
import { maxSharedPhotoBytes, maxSharedPhotos } from '../pictures.ts';
import { atMost, lines, requiredLines } from '../text-fields.ts';
import { maxMessageLength, maxMessagePictures } from './limits.ts';
import { quoteRequestJob } from './quote-requests.ts';
import { answerRecordLength, minReplyTimeAnswers, replyTimeDays, unansweredInARow } from './reply-time.ts';

export const conversationPageSize = 20;
export const messagePageSize = 50;

// Reads 'Message cannot exceed 2000 characters'.
const tooLong = `Message cannot exceed ${maxMessageLength} characters`;
const requiredText = requiredLines('Message is required', maxMessageLength, tooLong);
const clientId = z
  .uuid('Use a UUID')
  .meta({ description: 'Chosen by the caller for this message; sending it again under the same id sends it once' });

/** Risky content that the reader is warned about; the message is delivered all the same. */
const messageWarning = z.enum(['link', 'bank_details']);
export type MessageWarning = z.infer<typeof messageWarning>;

/** A PDF that came with a message. */
const attachedPdf = z.object({
  name: z.string(),
  bytes: z.int(),
  url: z.string().meta({ description: 'For the two sides of the conversation, as a download' }),
});
export type AttachedPdf = z.infer<typeof attachedPdf>;

/** A message as one side sees it. */
export const message = z.object({
  _id: z.uuid(),
  number: z.int().meta({ description: 'Counts up from 1 in each conversation, without gaps' }),
  mine: z.boolean(),
  text: z.string(),
  pictures: z.array(picture),
  pdf: attachedPdf.nullable(),
  createdAt: z.iso.datetime(),
  seenAt: z.iso.datetime().nullable().meta({ description: 'When the other side saw it' }),
  warnings: z.array(messageWarning).meta({ description: 'For the reader; none on your own messages' }),
  clientId: z.uuid().nullable().meta({ description: 'For the sender, whose browser may have shown it before it was sent' }),
});
export type Message = z.infer<typeof message>;

/** A conversation as one side sees it: one for each listing and buyer. */
const conversation = z.object({
  _id: z.uuid(),
  listing: z.object({ _id: z.uuid(), serviceTitle: z.string(), status: listingStatus }),
  role: z.enum(['buyer', 'seller']).meta({ description: 'Your role in the conversation' }),
  with: z
    .object({ name: z.string(), username: z.string(), avatar: z.string() })
    .meta({ description: 'For a seller, the name of the business' }),
  lastMessage: z.object({
    text: z.string(),
    createdAt: z.iso.datetime(),
    mine: z.boolean(),
    pictures: z.int(),
    hasPdf: z.boolean(),
    seenAt: z.iso.datetime().nullable(),
  }),
  unread: z.int().meta({ description: 'How many messages from the other side you have not seen' }),
  quoteRequest: z
    .enum(['open', 'closed'])
    .nullable()
    .meta({ description: 'Whether the newest quote request in the conversation is still open; null if there is none' }),
  blocked: z.enum(['by_me', 'by_them']).nullable().meta({ description: 'Who blocked the conversation; by_me if both did' }),
});
export type Conversation = z.infer<typeof conversation>;

const conversationId = z.object({ id: z.uuid('Use the id of a conversation') });

/** @public */
export const firstMessageForm = z.object({ message: requiredText });

const sendErrors = ['not_authenticated', 'blocked', 'blocked_by_you', 'member_left'] as const;
const fileErrors = [
  'unsupported_picture',
  'unsupported_pdf',
  'picture_too_large',
  'file_too_large',
  'too_many_files',
  'storage_full',
  'storage_unavailable',
] as const;
const pdfFile = { maxFiles: 1, maxBytes: maxPdfBytes } as const;

export const contactSellerCall = {
  method: 'POST',
  url: '/email/send',
  summary: 'Message the seller of a listing',
  details:
    'It starts a conversation, or continues the one you have, and the seller gets an email. The sender is always your account, never buyerEmail. Without files you can also send JSON.',
  access: 'session',
  form: firstMessageForm.extend({
    sellerId: z.uuid('Unable to contact seller. Invalid seller information.'),
    listingId: z
      .uuid('Use the id of a listing')
      .optional()
      .meta({ description: 'If left out: the seller’s newest active listing whose title is in the subject, or else their newest one' }),
    subject: requiredLines('Use the subject as shown in the dialog, or none', 1_000)
      .optional()
      .meta({ description: 'Only used to find the listing; the email has its own subject' }),
    clientId: clientId.optional(),
  }),
  files: { pictures: { maxFiles: maxSharedPhotos, maxBytes: maxSharedPhotoBytes }, pdf: pdfFile },
  jsonToo: true,
  response: z.object({ message: z.string(), conversationId: z.uuid() }),
  errors: [
    ...sendErrors,
    'address_not_confirmed',
    'own_listing_message',
    'seller_not_found',
    'listing_not_found',
    'listing_not_active',
    ...fileErrors,
  ],
} as const satisfies Call;

export const listConversationsCall = {
  method: 'GET',
  url: '/messages',
  summary: 'List your conversations, latest message first',
  access: 'session',
  query: z.strictObject({ ...pageQuery, listingId: z.uuid('Use the id of a listing').optional() }),
  response: z.object({
    conversations: z.array(conversation),
    currentPage: z.int(),
    totalPages: z.int(),
    totalConversations: z.int(),
  }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const countUnreadCall = {
  method: 'GET',
  url: '/messages/unread',
  summary: 'Count your conversations with unseen messages',
  access: 'session',
  response: z.object({ conversations: z.int() }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const getConversationCall = {
  method: 'GET',
  url: '/messages/:id',
  summary: 'Get your conversation with its messages, newest first',
  details: 'Gives the last ones, those before a number, or those after a number.',
  access: 'session',
  params: conversationId,
  query: z.strictObject({
    before: wholeNumber('Use the number of a message').optional(),
    after: wholeNumber('Use the number of a message')
      .optional()
      .meta({ description: 'The first ones after this number, still newest first' }),
  }),
  response: z.object({
    conversation,
    quoteRequest: quoteRequestJob.nullable().meta({ description: 'The latest one sent in this conversation' }),
    messages: z.array(message),
    emailWaits: z.boolean().meta({ description: 'Whether messages are not emailed to you because your address is not confirmed' }),
    hasMore: z.boolean().meta({ description: 'Whether there are more in the direction you asked for' }),
  }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

export const sendMessageCall = {
  method: 'POST',
  url: '/messages/:id',
  summary: 'Send a message in your conversation',
  details: 'Text, pictures, a PDF or several of these. Without files you can also send JSON.',
  access: 'session',
  params: conversationId,
  form: z.object({ message: lines('Message is required').max(maxMessageLength, { error: tooLong, abort: true }).default(''), clientId }),
  files: { pictures: { maxFiles: maxMessagePictures, maxBytes: maxSharedPhotoBytes }, pdf: pdfFile },
  jsonToo: true,
  response: message,
  errors: [...sendErrors, 'conversation_not_found', ...fileErrors],
} as const satisfies Call;

export const getMessagePdfCall = {
  method: 'GET',
  url: '/messages/:id/pdf/:number',
  summary: 'Download the PDF of a message in your conversation',
  access: 'session',
  params: conversationId.extend({ number: wholeNumber('Use the number of a message') }),
  response: z.unknown(),
  mediaType: 'application/pdf',
  errors: ['not_authenticated', 'conversation_not_found', 'file_not_found', 'storage_unavailable'],
} as const satisfies Call;

export const markSeenCall = {
  method: 'POST',
  url: '/messages/:id/seen',
  summary: 'Mark the other side’s messages as seen up to a number',
  access: 'session',
  params: conversationId,
  body: z.object({ number: z.int('Use the number of a message').min(1, 'Use the number of a message') }),
  response: z.object({ unread: z.int().meta({ description: 'How many messages in this conversation are still unseen' }) }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

const blocking = {
  url: '/messages/:id/block',
  access: 'session',
  params: conversationId,
  response: z.object({ blocked: z.boolean() }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const;

export const blockSenderCall = {
  ...blocking,
  method: 'POST',
  summary: 'Block the other side of a conversation',
  details: 'Their messages no longer reach you in any conversation, and they are told so when they write.',
} as const satisfies Call;

export const unblockSenderCall = {
  ...blocking,
  method: 'DELETE',
  summary: 'Unblock the other side of a conversation',
  details: 'They can write to you again.',
} as const satisfies Call;

/** Listings per request. */
const maxReplyTimes = 20;

export const getReplyTimesCall = {
  method: 'GET',
  url: '/messages/reply-times',
  summary: `Get how fast the sellers of up to ${maxReplyTimes} listings answer`,
  details: `The median time to a first answer over ${replyTimeDays} days, for sellers with at least ${minReplyTimeAnswers}, and how many of the last ${answerRecordLength} first messages they answered. ${unansweredInARow} unanswered ones in a row leave no time.`,
  access: 'public',
  query: z.strictObject({
    listingIds: z
      .string({ error: 'Use the ids of listings, with commas' })
      .transform((text) => text.split(','))
      .pipe(
        z
          .array(z.uuid('Use the ids of listings, with commas'))
          .min(1)
          .max(...atMost(maxReplyTimes, 'listings')),
      ),
  }),
  response: z.object({
    replyTimes: z.array(
      z.object({
        listingId: z.uuid(),
        text: z.string().nullable().meta({ description: 'In words; null if too little is known' }),
        minutes: z.int().nullable().meta({ description: 'The median time' }),
        given: z.int().meta({ description: 'How many were answered' }),
        of: z.int().meta({ description: `Newest first messages, at most ${answerRecordLength}` }),
      }),
    ),
  }),
  errors: [],
} as const satisfies Call;
