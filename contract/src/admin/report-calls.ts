import { z } from 'zod';
import type { Call } from '../call.ts';
import { removalReasons, type RemovalReason } from '../reviews/words.ts';
import { atMost, lines, requiredLines, secret } from '../text-fields.ts';
import {
  decisionKinds,
  type DecisionKind,
  maxReportText,
  type ReportKind,
  reportKinds,
  type ReportReason,
  reportReasons,
} from './report-words.ts';

const getKeys = <Key extends string>(table: Record<Key, unknown>) => Object.keys(table) as [Key, ...Key[]];

export const reportKind = z.enum(getKeys<ReportKind>(reportKinds), 'Use listing, review, message or user');
export const reportReason = z.enum(getKeys<ReportReason>(reportReasons), 'Choose a reason');
export const decisionKind = z.enum(getKeys<DecisionKind>(decisionKinds));
/** Why moderators remove a review, as shown in place of the review. */
export const moderatorsReason = z.enum(
  getKeys(removalReasons).filter((reason) => reason !== 'withdrawn') as [Exclude<RemovalReason, 'withdrawn'>],
  'Choose the kind of reason that the note in place of the review will show',
);

export const maxAppealText = 2_000;

const reportForm = z.object({
  kind: reportKind,
  id: z.uuid('Use the id of what you report'),
  reason: reportReason,
  text: lines('Say what is wrong')
    .max(...atMost(maxReportText))
    .default(''),
});
export type ReportForm = z.output<typeof reportForm>;

export const createReportCall = {
  method: 'POST',
  url: '/reports',
  summary: 'Report a listing, a review, a message in your own conversation or a person to the moderators',
  access: 'session',
  status: 201,
  body: reportForm,
  response: z.object({ message: z.string(), _id: z.uuid() }),
  errors: ['nothing_to_report', 'own_content', 'already_reported'],
} as const satisfies Call;

const appealText = requiredLines('Say why you object', maxAppealText);

/** A decision for the person concerned. */
const ownDecision = z.object({
  _id: z.uuid(),
  decision: decisionKind,
  about: z.object({ kind: reportKind, title: z.string() }),
  reason: z.string(),
  createdAt: z.iso.datetime(),
  undone: z.object({ reason: z.string(), createdAt: z.iso.datetime() }).nullable(),
  appeal: z
    .object({
      text: z.string(),
      createdAt: z.iso.datetime(),
      upheld: z.boolean().nullable().meta({ description: 'Whether the objection was upheld; null while it is open' }),
      answer: z.string().nullable(),
    })
    .nullable(),
  mayAppeal: z.boolean(),
});
export type OwnDecision = z.infer<typeof ownDecision>;

const decisionId = z.object({ id: z.uuid('Use the id of a decision') });

export const listOwnDecisionsCall = {
  method: 'GET',
  url: '/decisions',
  summary: 'List what moderators decided about you and your content, newest first',
  access: 'session',
  response: z.object({ decisions: z.array(ownDecision) }),
  errors: [],
} as const satisfies Call;

export const appealDecisionCall = {
  method: 'POST',
  url: '/decisions/:id/appeal',
  summary: 'Object to a decision about you',
  details: 'This can be done once. Another administrator answers, if there is one.',
  access: 'session',
  params: decisionId,
  body: z.object({ text: appealText }),
  response: z.object({ message: z.string() }),
  errors: ['decision_not_found', 'already_appealed', 'appeal_too_late'],
} as const satisfies Call;

const link = secret('Use the link in the email').max(200, 'Use the link in the email');

export const showLinkedDecisionCall = {
  method: 'POST',
  url: '/decisions/linked',
  summary: 'Get the decision that an emailed link is about',
  details: 'For people whose account is suspended.',
  access: 'public',
  body: z.object({ token: link }),
  response: ownDecision,
  errors: ['decision_not_found'],
} as const satisfies Call;

export const appealLinkedDecisionCall = {
  method: 'POST',
  url: '/decisions/linked/appeal',
  summary: 'Object to the decision that an emailed link is about',
  access: 'public',
  body: z.object({ token: link, text: appealText }),
  response: z.object({ message: z.string() }),
  errors: ['decision_not_found', 'already_appealed', 'appeal_too_late'],
} as const satisfies Call;
