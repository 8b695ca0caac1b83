import { z } from 'zod';
import type { Call } from '../call.ts';
import { maxOthersAsked, unansweredHours } from '../messages/reply-time.ts';

const params = z.object({ id: z.uuid('Use the id of a conversation') });

const other = z.object({
  listingId: z.uuid(),
  business: z.string(),
  serviceTitle: z.string(),
  answering: z.string().nullable().meta({ description: 'How they answer first messages, in words' }),
});
export type OtherBusiness = z.infer<typeof other>;

export const getOthersCall = {
  method: 'GET',
  url: '/messages/:id/others',
  summary: 'Get which other businesses a customer can ask when their first message is not answered',
  details: `Up to ${maxOthersAsked} that do this work nearby and answer at least half of their messages, once there is no answer after ${unansweredHours} hours. The business sees only whether others were asked.`,
  access: 'session',
  params,
  response: z.object({
    unanswered: z.boolean().meta({ description: 'Whether the customer was told that there is no answer, and there still is none' }),
    others: z.array(other).max(maxOthersAsked),
    asked: z.int().max(maxOthersAsked).meta({ description: 'How many others have the message' }),
    askedAt: z.iso.datetime().nullable(),
    conversations: z
      .array(z.object({ conversationId: z.uuid(), business: z.string() }))
      .meta({ description: 'With those who were asked; for the customer only' }),
  }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;
export type Others = z.infer<typeof getOthersCall.response>;

export const askOtherCall = {
  method: 'POST',
  url: '/messages/:id/others',
  summary: 'Send your unanswered first message to another business',
  details: 'Only to one that is offered. Each gets it once.',
  access: 'session',
  params,
  body: z.object({ listingId: z.uuid('Use the id of a listing') }),
  response: z.object({ conversationId: z.uuid() }),
  errors: [
    'not_authenticated',
    'conversation_not_found',
    'others_not_offered',
    'address_not_confirmed',
    'listing_not_active',
    'blocked',
    'blocked_by_you',
    'member_left',
  ],
} as const satisfies Call;
