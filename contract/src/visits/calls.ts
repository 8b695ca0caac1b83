import { z } from 'zod';
import type { Call } from '../call.ts';
import { atMost, line } from '../text-fields.ts';
import {
  maxVisitDays,
  maxVisitMinutes,
  maxVisitNoteLength,
  maxVisitTimes,
  minVisitMinutes,
  type VisitState,
  visitStates,
} from './words.ts';

const role = z.enum(['buyer', 'seller']);
const minutes = z
  .int('Use whole minutes')
  .min(minVisitMinutes, `A visit takes at least ${minVisitMinutes} minutes`)
  .max(maxVisitMinutes, `A visit takes at most ${maxVisitMinutes / 60} hours`);
const start = z.iso.datetime('Use one of the proposed times');

/** A visit as both sides of a conversation see it. */
const visit = z.object({
  _id: z.uuid(),
  conversationId: z.uuid(),
  messageNumber: z.int().meta({ description: 'The last message of the conversation about it' }),
  role: role.meta({ description: 'Your role in the conversation' }),
  state: z.enum(Object.keys(visitStates) as [VisitState, ...VisitState[]]).meta({
    description: 'An agreed visit stays agreed while another time is proposed. Proposed times that have all begun lapse at once',
  }),
  revision: z.int().meta({ description: 'Counts the changes; send it with a change of yours to make sure that nothing has changed' }),
  timeZone: z.string().meta({ description: 'Where the listing is', example: 'Pacific/Auckland' }),
  agreed: z
    .object({ start: z.iso.datetime(), minutes: z.int() })
    .nullable()
    .meta({ description: 'When it is, or was before it was cancelled' }),
  times: z.array(z.object({ start: z.iso.datetime(), minutes: z.int() })).meta({ description: 'The proposed times that are still ahead' }),
  proposedBy: role.nullable().meta({ description: 'Who proposed these times; the other side takes one' }),
  isOver: z.boolean().meta({ description: 'Whether the agreed time has begun; then nothing can be changed' }),
  cancelled: z.object({ by: role, reason: z.string() }).nullable(),
});
export type Visit = z.infer<typeof visit>;

const conversationId = z.uuid('Use the id of a conversation');
const visitId = z.object({ id: z.uuid('Use the id of a visit') });
const times = z
  .array(
    z.object({
      start: z.iso
        .datetime({ local: true, offset: false, precision: -1, error: 'Choose a day and a time' })
        .meta({ description: 'On the clocks where the listing is', example: '2026-12-08T10:00' }),
      minutes,
    }),
  )
  .min(1, 'Propose at least one time')
  .max(...atMost(maxVisitTimes, 'times'))
  .meta({ description: `Within ${maxVisitDays} days; they may not overlap` });
const clientId = z
  .uuid('Use a UUID')
  .meta({ description: 'Chosen by the caller for this proposal; sending it again under the same id sends it once' });
const revision = z
  .int()
  .optional()
  .meta({ description: 'The revision that you have seen. If the visit has changed since, nothing happens and the answer says what' });
const note = line('Use text for the note')
  .max(...atMost(maxVisitNoteLength))
  .default('');

const writeErrors = ['not_authenticated', 'blocked', 'blocked_by_you', 'member_left'] as const;
const changeErrors = ['visit_not_found', 'visit_changed', 'visit_over'] as const;

export const proposeVisitCall = {
  method: 'POST',
  url: '/visits',
  summary: 'Propose times for a visit to the customer of a conversation',
  details: 'Only the business can. A conversation has one open proposal; agreed visits do not count.',
  access: 'session',
  status: 201,
  body: z.object({ conversationId, clientId, times }),
  response: visit,
  errors: [...writeErrors, 'conversation_not_found', 'not_the_business', 'visit_open'],
} as const satisfies Call;
export type VisitTimesForm = z.output<typeof times>;

export const listVisitsCall = {
  method: 'GET',
  url: '/visits',
  summary: 'List the visits of your conversation, newest first',
  details: 'The last fifty.',
  access: 'session',
  query: z.strictObject({ conversationId }),
  response: z.object({ timeZone: z.string().meta({ description: 'Where the listing is' }), visits: z.array(visit) }),
  errors: ['not_authenticated', 'conversation_not_found'],
} as const satisfies Call;

const oneVisit = { method: 'POST', access: 'session', params: visitId, response: visit } as const;

export const takeVisitCall = {
  ...oneVisit,
  url: '/visits/:id/take',
  summary: 'Take one of the times that the other side proposes',
  details: 'The visit is then agreed, or moved. Both sides get it for their calendars. Taking it again changes nothing.',
  body: z.object({ start, revision }),
  errors: [...writeErrors, ...changeErrors, 'visit_time_gone'],
} as const satisfies Call;

export const moveVisitCall = {
  ...oneVisit,
  url: '/visits/:id/times',
  summary: 'Propose other times',
  details: 'For an agreed visit either side can; it stays as agreed until the other side takes one. Before that only the business can.',
  body: z.object({ clientId, times, revision }),
  errors: [...writeErrors, ...changeErrors, 'not_the_business'],
} as const satisfies Call;

export const askForTimesCall = {
  ...oneVisit,
  url: '/visits/:id/ask',
  summary: 'Ask for other times than the proposed ones',
  details: 'An agreed visit that was to be moved stays as agreed.',
  body: z.object({ note, revision }),
  errors: [...writeErrors, ...changeErrors],
} as const satisfies Call;

export const cancelVisitCall = {
  ...oneVisit,
  url: '/visits/:id/cancel',
  summary: 'Cancel a visit, or what was proposed',
  details: 'Either side can, also where messages are stopped. Cancelling it again changes nothing.',
  body: z.object({ reason: note, revision }),
  errors: ['not_authenticated', ...changeErrors],
} as const satisfies Call;

export const getVisitFileCall = {
  method: 'GET',
  url: '/visits/:id.ics',
  summary: 'Download an agreed or cancelled visit for a calendar',
  access: 'session',
  params: visitId,
  response: z.unknown(),
  mediaType: 'text/calendar',
  errors: ['not_authenticated', 'visit_not_found'],
} as const satisfies Call;

const feedState = z.object({ createdAt: z.iso.datetime().nullable().meta({ description: 'null: there is no address' }) });
const feedAddress = z.object({
  createdAt: z.iso.datetime(),
  url: z
    .string()
    .meta({ description: 'Whoever has it can read when and with whom your visits are', example: 'https://…/api/visits/feed.ics?token=…' }),
});

export const getVisitFeedStateCall = {
  method: 'GET',
  url: '/visits/feed',
  summary: 'Check whether your visits have an address for calendars',
  access: 'session',
  response: feedState,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const showVisitFeedCall = {
  method: 'POST',
  url: '/visits/feed',
  summary: 'Get the secret address of your visits for calendars',
  details: 'It is made when it is first shown. With `renew` the old one ends and a new one is made.',
  access: 'session',
  recent: true,
  body: z.object({ renew: z.boolean().default(false) }),
  response: feedAddress,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const endVisitFeedCall = {
  method: 'DELETE',
  url: '/visits/feed',
  summary: 'End the secret address of your visits',
  access: 'session',
  response: feedState,
  errors: ['not_authenticated'],
} as const satisfies Call;

export const readVisitFeedCall = {
  method: 'GET',
  url: '/visits/feed.ics',
  summary: 'Read the visits of the person to whom a secret address belongs',
  details: 'For calendars, which sign in nowhere. Agreed visits from the last 90 days on.',
  access: 'public',
  query: z.object({ token: z.string().regex(/^[\w.-]{40,100}$/, 'This address is not complete. Copy it again from your account.') }),
  response: z.unknown(),
  mediaType: 'text/calendar',
  errors: ['visit_feed_not_found'],
} as const satisfies Call;
