import { z } from 'zod';
import type { Call } from './call.ts';
import { message } from './messages/calls.ts';
import { referralNotification } from './referrals/notifications.ts';

/** How often a comment keeps an idle connection open. */
export const liveCommentSeconds = 20;

/**
 * The events of `GET /api/events` by name. Ids count the receiver's events without gaps, so that `Last-Event-ID` resumes a broken
 * connection.
 */
const liveEvents = {
  /** A message was sent in one of the user's conversations, by the other side or in another tab. */
  message: z.object({ conversationId: z.uuid(), message }),
  /** The number of conversations with unseen messages; also the first event of a new stream. */
  unread: z.object({ conversations: z.int() }),
  /** Messages up to this number were seen, by the other side or by the user in another tab. */
  seen: z.object({ conversationId: z.uuid(), number: z.int(), by: z.enum(['me', 'them']), seenAt: z.iso.datetime() }),
  /** The conversation was stopped or reopened; pages that show it reload it. */
  block: z.object({ conversationId: z.uuid() }),
  /** A quote request was sent or closed in the conversation, or a quote was sent or changed its status; pages that show them reload them. */
  quote: z.object({ conversationId: z.uuid() }),
  /** A visit was proposed, agreed, moved or cancelled in the conversation; pages that show it reload it. */
  visit: z.object({ conversationId: z.uuid() }),
  /** Someone signed up with the user's referral code, or their first listing went live. */
  referral: referralNotification,
  /** Referral notifications were seen, in this tab or another one. */
  'referral-seen': z.object({ ids: z.array(z.uuid()) }),
  /** The user's email address was confirmed, on any device. */
  'address-confirmed': z.object({}),
  /** Missed events are no longer stored, so pages reload everything they show. */
  reset: z.object({}),
} as const satisfies Record<string, z.ZodType>;

/** The data of each event. */
export type LiveEvents = { [Kind in keyof typeof liveEvents]: z.infer<(typeof liveEvents)[Kind]> };
export type LiveEventKind = keyof LiveEvents;

export const streamEventsCall = {
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
