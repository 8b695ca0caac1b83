import type { OwnDecision } from '@handwise/contract/admin/report-calls';
import type { AdminAppeal, AdminDecision, ReportCase } from '@handwise/contract/admin/reports';
import { toPicture } from '../listings/listings.service.ts';
import type { DecisionRow } from './admin.decisions.queries.ts';
import type { listCases } from './admin.queries.ts';
import type { Attached } from './admin.reports.ts';

/** A decision for the person concerned, without the decider. */
export const toOwnDecision = (row: DecisionRow, mayAppeal: boolean): OwnDecision => ({
  _id: row.id,
  decision: row.kind,
  about: { kind: row.about_kind, title: row.about_title },
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  undone: row.undone_at && { reason: row.undone_reason ?? '', createdAt: row.undone_at.toISOString() },
  appeal:
    row.appealed_at === null
      ? null
      : { text: row.appeal_words ?? '', createdAt: row.appealed_at.toISOString(), upheld: row.upheld, answer: row.answer },
  mayAppeal,
});

export const toDecision = (row: DecisionRow): AdminDecision => ({
  _id: row.id,
  decision: row.kind,
  about: { kind: row.about_kind, id: row.about_id, title: row.about_title, listingId: row.about_listing_id },
  concerned: { _id: row.concerned_id, name: row.concerned_name, username: row.concerned_username },
  by: row.decided_by === null ? null : { _id: row.decided_by, name: row.decider_name ?? '', username: row.decider_username ?? '' },
  reason: row.reason,
  createdAt: row.created_at.toISOString(),
  undone: row.undone_at !== null,
});

export const toAppeal = (row: DecisionRow, mayDecide: boolean): AdminAppeal => ({
  _id: row.appeal_id ?? '',
  words: row.appeal_words ?? '',
  createdAt: (row.appealed_at ?? row.created_at).toISOString(),
  decision: toDecision(row),
  upheld: row.upheld,
  answer: row.answer,
  mayDecide,
});

type CaseRow = Awaited<ReturnType<typeof listCases>>['rows'][number];

type MoreOfCase = { attached: Attached; decision: DecisionRow | undefined; measures: number; mayDecide: boolean };

export const toCase = (row: CaseRow, more: MoreOfCase): ReportCase => ({
  _id: row.id,
  about: { kind: row.kind, id: row.subject_id, title: row.title, listingId: row.listing_id },
  words: row.words,
  pictures: more.attached.pictures.map(toPicture),
  pdf: more.attached.pdf && {
    name: more.attached.pdf.name,
    bytes: more.attached.pdf.bytes,
    url: `/api/admin/reports/${row.id}/pdf`,
  },
  concerned: { _id: row.concerned_id, name: row.full_name, username: row.username, suspended: row.suspended_at !== null },
  reports: row.said.map((one) => ({
    reason: one.reason,
    text: one.comment,
    by: one.reporter_id === null ? null : { _id: one.reporter_id, name: one.full_name ?? '', username: one.username ?? '' },
    createdAt: new Date(one.created_at).toISOString(),
  })),
  createdAt: new Date(row.created_at).toISOString(),
  earlier: more.measures,
  decision: more.decision ? toDecision(more.decision) : null,
  mayDecide: more.mayDecide,
});
