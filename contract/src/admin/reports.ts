import { z } from 'zod';
import type { Call } from '../call.ts';
import { pageQuery } from '../listings/calls.ts';
import { picture } from '../listings/picture.ts';
import { refundStatus } from '../payments/refunds.ts';
import { foundPaymentDays } from '../periods.ts';
import { requiredLines } from '../text-fields.ts';
import { pages } from './calls.ts';
import { decisionKind, moderatorsReason, reportKind, reportReason } from './report-calls.ts';
import { maxDecisionReason } from './report-words.ts';

const person = z.object({ _id: z.uuid(), name: z.string(), username: z.string() });

const about = z.object({
  kind: reportKind,
  id: z.uuid(),
  title: z.string(),
  listingId: z.uuid().nullable().meta({ description: 'The listing it can be seen on' }),
});

/** A decision for administrators. */
const decision = z.object({
  _id: z.uuid(),
  decision: decisionKind,
  about,
  concerned: person,
  by: person.nullable().meta({ description: 'Null if nobody decided: a register’s answer hid a licence' }),
  reason: z.string(),
  createdAt: z.iso.datetime(),
  undone: z.boolean(),
});
export type AdminDecision = z.infer<typeof decision>;

/** A case: all reports about one subject. */
const reportCase = z.object({
  _id: z.uuid().meta({ description: 'The id of its first report' }),
  about,
  words: z.string().meta({ description: 'What it said when it was first reported' }),
  pictures: z.array(picture).meta({ description: 'Photos of the message or review, as they are now' }),
  pdf: z
    .object({ name: z.string(), bytes: z.int(), url: z.string() })
    .nullable()
    .meta({ description: 'The PDF of the message, as a download' }),
  concerned: person.extend({ suspended: z.boolean() }),
  reports: z.array(
    z.object({
      reason: reportReason,
      text: z.string(),
      by: person.nullable().meta({ description: 'Null if the site itself reported it' }),
      createdAt: z.iso.datetime(),
    }),
  ),
  createdAt: z.iso.datetime(),
  earlier: z.int().meta({ description: 'How many earlier measures there have been against this person' }),
  decision: decision.nullable(),
  mayDecide: z.boolean().meta({ description: 'False if it is about you and another administrator can decide' }),
});
export type ReportCase = z.infer<typeof reportCase>;

const reason = requiredLines('Say why: the person concerned reads it', maxDecisionReason);
const caseId = z.object({ id: z.uuid('Use the id of a report') });
const decisionId = z.object({ id: z.uuid('Use the id of a decision') });
const appealId = z.object({ id: z.uuid('Use the id of an appeal') });
const decided = z.object({ message: z.string(), _id: z.uuid().meta({ description: 'The id of the decision' }) });

export const listReportsCall = {
  method: 'GET',
  url: '/admin/reports',
  summary: 'List open reports, oldest first, or decided ones, newest first',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    status: z.enum(['open', 'decided'], 'Use open or decided').optional(),
    kind: reportKind.optional(),
  }),
  response: z.object({ reports: z.array(reportCase), ...pages }),
  errors: [],
} as const satisfies Call;

export const getReportedPdfCall = {
  method: 'GET',
  url: '/admin/reports/:id/pdf',
  summary: 'Download the PDF of a reported message',
  access: 'admin',
  params: caseId,
  response: z.unknown(),
  mediaType: 'application/pdf',
  errors: ['report_not_found', 'file_not_found', 'storage_unavailable'],
} as const satisfies Call;

const decisionForm = z.object({
  decision: decisionKind,
  reason,
  removedBecause: moderatorsReason.optional().meta({ description: 'For remove_review: the reason shown in place of the review' }),
});
export type DecisionForm = z.output<typeof decisionForm>;

const decisionErrors = ['already_decided', 'own_matter'] as const;

export const decideReportCall = {
  method: 'POST',
  url: '/admin/reports/:id/decide',
  summary: 'Decide a report',
  details: 'The decision answers all open reports about the same thing, and the person concerned reads the reason.',
  access: 'admin',
  params: caseId,
  body: decisionForm,
  response: decided,
  errors: ['report_not_found', ...decisionErrors],
} as const satisfies Call;

export const createDecisionCall = {
  method: 'POST',
  url: '/admin/decisions',
  summary: 'Make a decision about a listing, a review or an account that nobody reported',
  access: 'admin',
  status: 201,
  body: decisionForm.extend({ kind: reportKind, id: z.uuid('Use the id of what you decide about') }),
  response: decided,
  errors: ['nothing_to_decide', ...decisionErrors],
} as const satisfies Call;

export const listDecisionsCall = {
  method: 'GET',
  url: '/admin/decisions',
  summary: 'List decisions, newest first, for everyone or for one person',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, concerned: z.uuid('Use the id of a user').optional() }),
  response: z.object({ decisions: z.array(decision), ...pages }),
  errors: [],
} as const satisfies Call;

export const undoDecisionCall = {
  method: 'POST',
  url: '/admin/decisions/:id/undo',
  summary: 'Undo a decision',
  details: 'The undo is a decision of its own, with a reason. Everything goes back to how it was.',
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
  mayDecide: z.boolean().meta({ description: 'False if you made the decision and another administrator can answer' }),
});
export type AdminAppeal = z.infer<typeof appeal>;

export const listAppealsCall = {
  method: 'GET',
  url: '/admin/appeals',
  summary: 'List objections to decisions, oldest first',
  access: 'admin',
  query: z.strictObject({ ...pageQuery, status: z.enum(['open', 'answered'], 'Use open or answered').optional() }),
  response: z.object({ appeals: z.array(appeal), ...pages }),
  errors: [],
} as const satisfies Call;

export const decideAppealCall = {
  method: 'POST',
  url: '/admin/appeals/:id/decide',
  summary: 'Answer an objection',
  details: 'If it is upheld, the decision is undone.',
  access: 'admin',
  params: appealId,
  body: z.object({ uphold: z.boolean('Say whether the objection is right'), reason }),
  response: z.object({ message: z.string() }),
  errors: ['appeal_not_found', 'needs_another_administrator', ...decisionErrors],
} as const satisfies Call;

const foundPayment = z.object({
  intentId: z.string(),
  paymentId: z.uuid(),
  outcome: z.enum(['rebuilt', 'returned']).meta({ description: 'Restored with what it bought, or on its way back in full' }),
  reason: z.string(),
  amountMinor: z.int(),
  currency: z.string(),
  refundStatus: refundStatus.nullable(),
  foundAt: z.iso.datetime(),
});

export const getAdminOverviewCall = {
  method: 'GET',
  url: '/admin/overview',
  summary: 'Count what is waiting for administrators',
  access: 'admin',
  response: z.object({
    openReports: z.int(),
    openAppeals: z.int(),
    suspendedAccounts: z.int(),
    hiddenListings: z.int(),
    pendingRefunds: z.int(),
    refusedEvents: z.int().meta({ description: 'Webhooks from the payment provider in the last hour whose signature did not match' }),
    lastEventAt: z.iso.datetime().nullable().meta({ description: 'When its last webhook was accepted' }),
    owedPayments: z.int().meta({ description: 'Payments with a failed refund that nothing has replaced' }),
    openDisputes: z.int(),
    foundPayments: z.array(foundPayment).meta({
      description: `Payments that our database had lost, as after a restore, and that were found at the payment provider in the last ${foundPaymentDays} days, newest first`,
    }),
    heldReferrals: z.int(),
    refusedReferrals: z.int(),
    wronglyHeldReferrals: z.int().meta({ description: 'Held, then approved' }),
    oldestReportAt: z.iso.datetime().nullable(),
    head: z.object({ number: z.int(), hash: z.string() }).meta({ description: 'The head of the audit log' }),
  }),
  errors: [],
} as const satisfies Call;
