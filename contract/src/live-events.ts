import { z } from 'zod';
import type { Call } from './call.ts';
import { message } from './messages/calls.ts';
import { referralNotification } from './referrals/notifications.ts';

/** A connection without news carries a comment this often. */
export const liveCommentSeconds = 20;

/**
 * What `GET /api/events` tells, by the name of the event. Its id counts the receiver's own events without gaps, so `Last-Event-ID` goes
 * on where a connection broke.
 */
const liveEvents = {
  /** A message was sent in a conversation of one's own, by the other side or by oneself in another tab. */
  message: z.object({ conversationId: z.uuid(), message }),
  /** In how many conversations there is something unseen; also the first event of a stream that begins anew. */
  unread: z.object({ conversations: z.int() }),
  /** Messages up to this number were seen: by the other side those that one sent, by oneself in another tab theirs. */
  seen: z.object({ conversationId: z.uuid(), number: z.int(), by: z.enum(['me', 'them']), seenAt: z.iso.datetime() }),
  /** The conversation was stopped or opened again. Whoever shows it reads it anew. */
  block: z.object({ conversationId: z.uuid() }),
  /** A quote request was sent in the conversation, or closed. Whoever shows it reads it anew. */
  quote: z.object({ conversationId: z.uuid() }),
  /** Somebody signed up with one’s referral code, or a listing of theirs went live. */
  referral: referralNotification,
  /** Notifications about one’s code were seen, in this tab or another one. */
  'referral-seen': z.object({ ids: z.array(z.uuid()) }),
  /** One’s address of mail was confirmed, on whatever device the link was opened. */
  'address-confirmed': z.object({}),
  /** What came in between is not kept any more: whatever is shown must be read anew. */
  reset: z.object({}),
} as const satisfies Record<string, z.ZodType>;

/** What is told, by its name. */
export type LiveEvents = { [Kind in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Kind]> };
export type LiveEventKind = keyof LiveEvents;

export const streamEvents = {
  method: 'GET',
  url: '/events',
  summary: 'Stream what happens to you as it happens',
  details: `Server-sent events, with a comment every ${liveCommentSeconds} seconds to keep the connection open. Send the id of the last event you read and the stream carries on after it.`,
  access: 'session',
  headers: z.object({
    'last-event-id': z
      .string()
      .regex(/^\d{1,15}$/, 'Use the id of an event')
      .optional(),
  }),
  response: z.string(),
  mediaType: 'text/event-stream',
  errors: ['not_authenticated', 'look_only'],
} as const satisfies Call;
