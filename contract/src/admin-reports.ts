import { z } from 'zod';
import { pages } from './admin.ts';
import type { Call } from './call.ts';
import { pageQuery } from './listings.ts';
import { maxDecisionReason } from './report-words.ts';
import { decisionKind, moderatorsReason, reportKind, reportReason } from './reports.ts';
import { requiredLines } from './text-fields.ts';

const person = z.object({ _id: z.uuid(), name: z.string(), username: z.string() });

const about = z.object({
  kind: reportKind,
  id: z.uuid(),
  title: z.string(),
  listingId: z.uuid().nullable().meta({ description: 'Where it can be seen' }),
});

/** A decision as administrators see it. */
const decision = z.object({
  _id: z.uuid(),
  decision: decisionKind,
  about,
  concerned: person,
  by: person,
  reason: z.string(),
  createdAt: z.iso.datetime(),
  undone: z.boolean(),
});
export type AdminDecision = z.infer<typeof decision>;

/** Everything that was reported about one thing, as one case. */
const reportCase = z.object({
  _id: z.uuid().meta({ description: 'Of the first of its reports' }),
  about,
  words: z.string().meta({ description: 'What stood there when it was first reported' }),
  concerned: person.extend({ suspended: z.boolean() }),
  reports: z.array(
    z.object({
      reason: reportReason,
      text: z.string(),
      by: person.nullable().meta({ description: 'Null: the site itself' }),
      createdAt: z.iso.datetime(),
    }),
  ),
  createdAt: z.iso.datetime(),
  earlier: z.int().meta({ description: 'How many measures there have been against the person before' }),
  decision: decision.nullable(),
  mayDecide: z.boolean().meta({ description: 'False where it is about oneself and another administrator can decide' }),
});
export type ReportCase = z.infer<typeof reportCase>;

const reason = requiredLines('Say why: the person concerned reads it', maxDecisionReason);
const caseId = z.object({ id: z.uuid('Use the id of a report') });
const decisionId = z.object({ id: z.uuid('Use the id of a decision') });
const appealId = z.object({ id: z.uuid('Use the id of an appeal') });
const decided = z.object({ message: z.string(), _id: z.uuid().meta({ description: 'Of the decision' }) });

export const listReports = {
  method: 'GET',
  url: '/admin/reports',
  summary: 'The queue of reports, the oldest first, or what was decided, the newest first',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(['open', 'decided'], 'Use open or decided').optional(),
    kind: reportKind.optional(),
  }),
  response: z.object({ reports: z.array(reportCase), ...pages }),
  errors: [],
} as const satisfies Call;

const decisionForm = z.object({
  decision: decisionKind,
  reason,
  removedBecause: moderatorsReason.optional().meta({ description: 'For remove_review: what its stub says' }),
});
export type DecisionForm = z.output<typeof decisionForm>;

const decisionErrors = ['already_decided', 'own_matter'] as const;

export const decideReport = {
  method: 'POST',
  url: '/admin/reports/:id/decide',
  summary: 'Decide about what was reported. It answers all open reports about the same thing; the person concerned reads the reason',
  access: 'admin',
  params: caseId,
  body: decisionForm,
  response: decided,
  errors: ['report_not_found', ...decisionErrors],
} as const satisfies Call;

export const createDecision = {
  method: 'POST',
  url: '/admin/decisions',
  summary: 'Decide about a listing, a review or an account that nobody reported',
  access: 'admin',
  status: 201,
  body: decisionForm.extend({ kind: reportKind, id: z.uuid('Use the id of what you decide about') }),
  response: decided,
  errors: ['nothing_to_decide', ...decisionErrors],
} as const satisfies Call;

export const listDecisions = {
  method: 'GET',
  url: '/admin/decisions',
  summary: 'Every decision, the newest first; about one person where they are named',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, concerned: z.uuid('Use the id of a user').optional() }),
  response: z.object({ decisions: z.array(decision), ...pages }),
  errors: [],
} as const satisfies Call;

export const undoDecision = {
  method: 'POST',
  url: '/admin/decisions/:id/undo',
  summary: 'Take a decision back by a new one, with a reason. Everything is as if it had not been made',
  access: 'admin',
  params: decisionId,
  body: z.object({ reason }),
  response: decided,
  errors: ['decision_not_found', ...decisionErrors],
} as const satisfies Call;

const appeal = z.object({
  _id: z.uuid(),
  words: z.string(),
  createdAt: z.iso.datetime(),
  decision,
  upheld: z.boolean().nullable(),
  answer: z.string().nullable(),
  mayDecide: z.boolean().meta({ description: 'False for who made the decision, where another administrator can answer' }),
});
export type AdminAppeal = z.infer<typeof appeal>;

export const listAppeals = {
  method: 'GET',
  url: '/admin/appeals',
  summary: 'Objections to decisions, the oldest open one first',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, status: z.enum(['open', 'answered'], 'Use open or answered').optional() }),
  response: z.object({ appeals: z.array(appeal), ...pages }),
  errors: [],
} as const satisfies Call;

export const decideAppeal = {
  method: 'POST',
  url: '/admin/appeals/:id/decide',
  summary: 'Answer an objection. Where it is right, the decision is undone',
  access: 'admin',
  params: appealId,
  body: z.object({ uphold: z.boolean('Say whether the objection is right'), reason }),
  response: z.object({ message: z.string() }),
  errors: ['appeal_not_found', 'needs_another_administrator', ...decisionErrors],
} as const satisfies Call;

export const getAdminOverview = {
  method: 'GET',
  url: '/admin/overview',
  summary: 'How much waits for administrators',
  access: 'admin',
  response: z.object({
    openReports: z.int(),
    openAppeals: z.int(),
    suspendedAccounts: z.int(),
    hiddenListings: z.int(),
    pendingRefunds: z.int(),
    refusedEvents: z.int().meta({ description: 'Messages of the payment provider within the last hour whose signature did not hold' }),
    lastEventAt: z.iso.datetime().nullable().meta({ description: 'When the last of its messages was taken' }),
    owedPayments: z.int().meta({ description: 'Payments of which a refund failed and nothing was sent in its place' }),
    openDisputes: z.int(),
    heldReferrals: z.int(),
    refusedReferrals: z.int(),
    wronglyHeldReferrals: z.int().meta({ description: 'Held, and approved in the end' }),
    oldestReportAt: z.iso.datetime().nullable(),
    head: z.object({ number: z.int(), hash: z.string() }).meta({ description: 'Of the audit log' }),
  }),
  errors: [],
} as const satisfies Call;
