import { z } from 'zod';
import type { Call } from './call.ts';
import { listingStatus, pageQuery, picture, wholeNumber } from './listings.ts';
import { maxMessageLength, maxMessagePictures } from './message-limits.ts';
import { quotedJob } from './messages-quotes.ts';
import { maxPhotoBytes } from './pictures.ts';
import { lines, requiredLines } from './text-fields.ts';

export const conversationPageSize = 20;
export const messagePageSize = 50;

// Reads 'Message cannot exceed 2000 characters'.
const tooLong = `Message cannot exceed ${maxMessageLength} characters`;
const requiredText = requiredLines('Message is required', maxMessageLength, tooLong);
const clientId = z
  .uuid('Use a UUID')
  .meta({ description: 'Made by the sender for this one message: sent again under the same id it is sent once' });

/** What stands in a message that its reader should think about. It is delivered all the same. */
const messageWarning = z.enum(['link', 'bank_details']);
export type MessageWarning = z.infer<typeof messageWarning>;

/** A message as one side sees it. */
export const message = z.object({
  _id: z.uuid(),
  number: z.int().meta({ description: 'Counts up from 1 in each conversation, without gaps' }),
  mine: z.boolean(),
  text: z.string(),
  pictures: z.array(picture),
  createdAt: z.iso.datetime(),
  seenAt: z.iso.datetime().nullable().meta({ description: 'When the other side had it before their eyes' }),
  warnings: z.array(messageWarning).meta({ description: 'For its reader; none on one’s own' }),
  clientId: z.uuid().nullable().meta({ description: 'For its sender, who may have shown it before it was sent' }),
});
export type Message = z.infer<typeof message>;

/** A conversation as one side sees it: one for each listing and buyer. */
const conversation = z.object({
  _id: z.uuid(),
  listing: z.object({ _id: z.uuid(), serviceTitle: z.string(), status: listingStatus }),
  role: z.enum(['buyer', 'seller']).meta({ description: 'Of the one who asks' }),
  with: z
    .object({ name: z.string(), username: z.string(), avatar: z.string() })
    .meta({ description: 'A seller goes by the name of the business' }),
  lastMessage: z.object({
    text: z.string(),
    createdAt: z.iso.datetime(),
    mine: z.boolean(),
    pictures: z.int(),
    seenAt: z.iso.datetime().nullable(),
  }),
  unread: z.int().meta({ description: 'Messages of the other side that one has not seen' }),
  blocked: z.enum(['by_me', 'by_them']).nullable().meta({ description: 'Who stopped it. by_me where both did' }),
});
export type Conversation = z.infer<typeof conversation>;

const conversationId = z.object({ id: z.uuid('Use the id of a conversation') });

/** @public */
export const firstMessageForm = z.object({ message: requiredText });

const sendErrors = ['not_authenticated', 'blocked', 'blocked_by_you', 'member_left'] as const;

export const contactSeller = {
  method: 'POST',
  url: '/email/send',
  summary:
    'Message the seller of a listing. It begins a conversation, or goes on with the one that there is, and is mailed. Who writes is taken from the account, never from buyerEmail',
  access: 'session',
  body: firstMessageForm.extend({
    sellerId: z.uuid('Unable to contact seller. Invalid seller information.'),
    listingId: z
      .uuid('Use the id of a listing')
      .optional()
      .meta({ description: 'Without it: the seller’s newest active listing whose title stands in the subject, else the newest' }),
    subject: requiredLines('Use the subject as it stands in the dialog, or none', 1_000)
      .optional()
      .meta({ description: 'Only to find the listing by. The mail has a subject of our own' }),
    clientId: clientId.optional(),
  }),
  response: z.object({ message: z.string(), conversationId: z.uuid() }),
  errors: [...sendErrors, 'address_not_confirmed', 'own_listing_message', 'seller_not_found', 'listing_not_found', 'listing_not_active'],
} as const satisfies Call;

export const listConversations = {
  method: 'GET',
  url: '/messages',
  summary: 'One’s conversations, that with the newest message first',
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

export const countUnread = {
  method: 'GET',
  url: '/messages/unread',
  summary: 'In how many conversations there is something that one has not seen',
  access: 'session',
  response: z.object({ conversations: z.int() }),
  errors: ['not_authenticated'],
} as const satisfies Call;

export const getConversation = {
  method: 'GET',
  url: '/messages/:id',
  summary: 'A conversation of one’s own with its messages, the newest first: the last ones, those before a number, or those after one',
  access: 'session',
  params: conversationId,
  query: z.strictObject({
    before: wholeNumber('Use the number of a message').optional(),
    after: wholeNumber('Use the number of a message').optional().meta({ description: 'The first ones after it, also the newest first' }),
  }),
  response: z.object({
    conversation,
    quoteRequest: quotedJob.nullable().meta({ description: 'The newest that was sent in this conversation' }),
    messages: z.array(message),
    hasMore: z.boolean().meta({ description: 'Whether there are more in the direction that was asked for' }),
  }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

export const sendMessage = {
  method: 'POST',
  url: '/messages/:id',
  summary: 'Send a message in a conversation of one’s own: a text, pictures, or both. JSON does where there are no pictures',
  access: 'session',
  params: conversationId,
  form: z.object({ message: lines('Message is required').max(maxMessageLength, { error: tooLong, abort: true }).default(''), clientId }),
  files: { pictures: { maxFiles: maxMessagePictures, maxBytes: maxPhotoBytes } },
  jsonToo: true,
  response: message,
  errors: [
    ...sendErrors,
    'conversation_not_found',
    'unsupported_picture',
    'picture_too_large',
    'file_too_large',
    'too_many_files',
    'storage_full',
    'storage_unavailable',
  ],
} as const satisfies Call;

export const markSeen = {
  method: 'POST',
  url: '/messages/:id/seen',
  summary: 'Say that one has seen the messages of the other side up to a number',
  access: 'session',
  params: conversationId,
  body: z.object({ number: z.int('Use the number of a message').min(1, 'Use the number of a message') }),
  response: z.object({ unread: z.int().meta({ description: 'Messages of this conversation that are still unseen' }) }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

const blocking = {
  url: '/messages/:id/block',
  access: 'session',
  params: conversationId,
  response: z.object({ blocked: z.boolean() }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const;

export const blockSender = {
  ...blocking,
  method: 'POST',
  summary: 'Stop the other side of a conversation: in none do their messages reach one any more, and they are told so when they write',
} as const satisfies Call;

export const unblockSender = { ...blocking, method: 'DELETE', summary: 'Let the other side write again' } as const satisfies Call;

/** How fast a seller answers first messages. `null`: too few of them to say. */
const replyTime = z.object({ medianMinutes: z.int(), answers: z.int() }).nullable();
/** @public */
export type ReplyTime = z.infer<typeof replyTime>;

export const getReplyTimes = {
  method: 'GET',
  url: '/messages/reply-times',
  summary: 'How fast the sellers of up to 20 listings answer: the median of first answers over 90 days, where there are at least 3',
  access: 'public',
  query: z.strictObject({
    listingIds: z
      .string({ error: 'Use the ids of listings, with commas' })
      .transform((text) => text.split(','))
      .pipe(z.array(z.uuid('Use the ids of listings, with commas')).min(1).max(20, 'Use at most 20 listings')),
  }),
  response: z.object({ replyTimes: z.array(z.object({ listingId: z.uuid(), replyTime })) }),
  errors: [],
} as const satisfies Call;
