import {
  type DecisionKind,
  type Measure,
  measuresFor,
  opposites,
  type ReportKind,
  type Opposite,
} from '@handwise/contract/admin/report-words';
import type { DecisionForm } from '@handwise/contract/admin/reports';
import type { RemovalReason } from '@handwise/contract/reviews/words';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { hashToken, createToken } from '../../kit/secrets/tokens.ts';
import { hasOtherAdministrators, lockAccount } from '../accounts/accounts.service.ts';
import * as accounts from '../accounts/accounts.service.ts';
import * as listings from '../listings/listings.service.ts';
import { endRenewalsOfUser } from '../plans/plans.service.ts';
import { type RefusedLicence, showLicence } from '../registers/registers.service.ts';
import * as reviews from '../reviews/reviews.service.ts';
import * as queries from './admin.decisions.queries.ts';
import { findDecisionInForce, findSuspension, listHiddenByDecision } from './admin.decisions.queries.ts';
import { notifyConcernedUser, notifyReporters } from './admin.notifications.ts';
import { closeReports, findReport, reopenReports } from './admin.queries.ts';
import { findSubject, type Subject } from './admin.reports.ts';

type DecisionSubject = SubjectRef & Pick<Subject, 'title'>;

export const isMeasure = (kind: DecisionKind): kind is Measure => kind in opposites;

/** Decides a report. Throws `report_not_found`, and the errors of `decide`. */
export async function decideReport(context: Context, adminId: string, reportId: string, form: DecisionForm): Promise<string> {
  const report = await findReport(context.db, reportId);
  if (!report) throw new AppError('report_not_found');
  // Taken from the report, because its subject may be deleted by now.
  const about = {
    kind: report.kind,
    id: report.subject_id,
    concernedId: report.concerned_id,
    title: report.title,
    listingId: report.listing_id,
  };
  return decide(context, adminId, about, form, true);
}

/** Decides about a subject without a report. Throws `nothing_to_decide`, and the errors of `decide`. */
export async function createDecision(
  context: Context,
  adminId: string,
  form: DecisionForm & { kind: ReportKind; id: string },
): Promise<string> {
  const subject = await findSubject(context.db, form.kind, form.id);
  if (!subject) throw new AppError('nothing_to_decide');
  if (form.decision === 'restore_account' && form.kind === 'user') return restoreAccount(context, adminId, subject, form.reason);
  if (form.decision === 'dismiss') throw invalidField('decision', 'There is no report to leave as it is');
  return decide(context, adminId, subject, form, false);
}

/**
 * Makes a decision, applies it, answers the open reports about its subject and notifies everyone concerned, all in one transaction.
 * Decisions about one person are serialized. Throws `own_matter`, `already_decided`, `invalid_input`.
 */
async function decide(context: Context, adminId: string, about: DecisionSubject, form: DecisionForm, ofReport: boolean): Promise<string> {
  const { decision, reason, removedBecause } = form;
  if (!isMeasure(decision) || !(measuresFor[about.kind] as readonly Measure[]).includes(decision)) {
    throw invalidField('decision', 'This decision is not possible here');
  }
  if ((decision === 'remove_review') !== (removedBecause !== undefined)) {
    throw invalidField('removedBecause', 'Choose the kind of reason that the note in place of the review will show');
  }
  const { db, clock, events } = context;
  const link = createToken();
  const { id, changed } = await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    await lockAccount(tx, about.concernedId);
    await rejectOwnMatter(tx, adminId, about.concernedId);
    // Even without another administrator, because no one could restore the account.
    if (decision === 'suspend_account' && about.concernedId === adminId) throw new AppError('own_matter');
    const listings = await applyDecision(tx, decision, about, removedBecause, clock.now());
    const made = await queries.insertDecision(tx, {
      ...getColumns(about),
      kind: decision,
      decided_by: adminId,
      reason,
      removed_because: removedBecause ?? null,
      link_hash: hashToken(link),
    });
    const reports = await closeReports(tx, about.kind, about.id, made.id);
    if (ofReport && reports.length === 0) throw new AppError('already_decided');
    await notifyReporters(context, tx, reports, { decision, reason, title: about.title });
    if (decision !== 'dismiss') await notifyConcernedUser(context, tx, about.concernedId, { decision, reason, title: about.title, link });
    return { id: made.id, changed: listings };
  });
  if (changed.length > 0) events.emit('listings', changed);
  return id;
}

/** Records that a licence was hidden because of what its register says, and tells the business, which can object as to any other decision. */
export async function hideLicence(
  context: Context,
  tx: Tx,
  { listingId, sellerId, title, reason, administratorId }: RefusedLicence,
): Promise<void> {
  const link = createToken();
  await queries.insertDecision(tx, {
    ...getColumns({ kind: 'listing', id: listingId, concernedId: sellerId, title, listingId }),
    kind: 'hide_licence',
    decided_by: administratorId,
    reason,
    link_hash: hashToken(link),
  });
  await notifyConcernedUser(context, tx, sellerId, { decision: 'hide_licence', reason, title, link });
}

/** Undoes a decision by recording its opposite. Throws `decision_not_found`, `already_decided`, `own_matter`. */
export async function undoDecision(context: Context, adminId: string, id: string, reason: string): Promise<string> {
  const { id: made, changed } = await context.db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const undone = await recordUndo(context, tx, adminId, id, reason);
    await notifyOfUndo(context, tx, undone, reason);
    return undone;
  });
  if (changed.length > 0) context.events.emit('listings', changed);
  return made;
}

export type Undone = { id: string; kind: DecisionKind; about: DecisionSubject; changed: readonly string[] };

/** Undoes a decision in the caller's transaction and answers an open appeal. The caller notifies the person concerned. */
export async function recordUndo(context: Context, tx: Tx, adminId: string, id: string, reason: string): Promise<Undone> {
  const decision = await queries.findDecision(tx, id);
  if (!decision) throw new AppError('decision_not_found');
  const { kind } = decision;
  // An undoing cannot be undone; a new decision replaces it.
  if (!isMeasure(kind)) throw new AppError('already_decided');
  const about: DecisionSubject = {
    kind: decision.about_kind,
    id: decision.about_id,
    concernedId: decision.concerned_id,
    title: decision.about_title,
    listingId: decision.about_listing_id,
  };
  await lockAccount(tx, about.concernedId);
  await rejectOwnMatter(tx, adminId, about.concernedId);
  // Read again under the lock.
  if ((await queries.findDecision(tx, id))?.undone_at) throw new AppError('already_decided');
  const opposite = opposites[kind];
  const now = context.clock.now();
  const made = await queries.insertDecision(tx, { ...getColumns(about), kind: opposite, decided_by: adminId, reason, undoes: id });
  const changed = await revertDecision(tx, id, opposite, about, now);
  await queries.answerAppeal(tx, id, { upheld: true, answer: reason, answered_by: adminId, answered_at: now });
  return { id: made.id, kind: opposite, about, changed };
}

const notifyOfUndo = async (context: Context, tx: Tx, { kind, about }: Undone, reason: string) => {
  if (kind !== 'reopen') await notifyConcernedUser(context, tx, about.concernedId, { decision: kind, reason, title: about.title });
};

/** Also restores an account that was suspended by hand, without a decision. */
async function restoreAccount(context: Context, adminId: string, person: Subject, reason: string): Promise<string> {
  const suspension = await queries.findSuspension(context.db, person.concernedId);
  if (suspension) return undoDecision(context, adminId, suspension.id, reason);
  const { id, changed } = await context.db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const { suspended_at: since } = await lockAccount(tx, person.concernedId);
    if (!since) throw new AppError('already_decided');
    const made = await queries.insertDecision(tx, { ...getColumns(person), kind: 'restore_account', decided_by: adminId, reason });
    const shown = await revertDecision(tx, null, 'restore_account', person, context.clock.now());
    await notifyConcernedUser(context, tx, person.concernedId, { decision: 'restore_account', reason, title: person.title });
    return { id: made.id, changed: shown };
  });
  if (changed.length > 0) context.events.emit('listings', changed);
  return id;
}

/** Throws `own_matter` for a decision about oneself, unless there is no other administrator. */
export async function rejectOwnMatter(db: Reader, adminId: string, concernedId: string): Promise<void> {
  if (adminId === concernedId && (await hasOtherAdministrators(db, adminId))) throw new AppError('own_matter');
}

const getColumns = (about: DecisionSubject) => ({
  about_kind: about.kind,
  about_id: about.id,
  about_title: about.title.slice(0, 200),
  about_listing_id: about.listingId,
  concerned_id: about.concernedId,
});

type SubjectRef = Pick<Subject, 'kind' | 'id' | 'concernedId' | 'listingId'>;
type ReviewRemovalReason = Exclude<RemovalReason, 'withdrawn'>;

/** Applies a decision. Resolves to the ids of the listings that look different now. Throws `already_decided` if it is in force already. */
async function applyDecision(
  tx: Tx,
  decision: Measure,
  about: SubjectRef,
  removedBecause: ReviewRemovalReason | undefined,
  now: Date,
): Promise<readonly string[]> {
  switch (decision) {
    case 'dismiss':
    case 'warn':
      return [];
    case 'hide_listing':
      if (await findDecisionInForce(tx, 'hide_listing', about)) throw new AppError('already_decided');
      return (await listings.hideListings(tx, [about.id])).map(({ id }) => id);
    case 'remove_review':
      if (!removedBecause || !(await reviews.removeReview(tx, about.id, removedBecause))) throw new AppError('already_decided');
      return about.listingId ? [about.listingId] : [];
    case 'hide_licence':
      // Only what a register says hides a licence: see `hideLicence`.
      throw new AppError('already_decided');
    case 'suspend_account': {
      const { suspended_at: since } = await accounts.findContact(tx, about.concernedId);
      if (since) throw new AppError('already_decided');
      await accounts.suspendUser(tx, about.concernedId, now);
      await endRenewalsOfUser(tx, about.concernedId);
      return (await listings.hideListings(tx, await listings.lockListingIds(tx, about.concernedId))).map(({ id }) => id);
    }
  }
}

/** Reverts the effect of a decision that has just been undone. What another decision in force still covers stays. */
async function revertDecision(
  tx: Tx,
  decisionId: string | null,
  opposite: Opposite,
  about: SubjectRef,
  now: Date,
): Promise<readonly string[]> {
  switch (opposite) {
    case 'reopen':
      if (decisionId) await reopenReports(tx, decisionId);
      return [];
    case 'show_listing': {
      const { suspended_at: suspended } = await accounts.findContact(tx, about.concernedId);
      // A suspension or another decision still hides it.
      if (suspended || (await findDecisionInForce(tx, 'hide_listing', about))) return [];
      return (await listings.unhideListings(tx, [about.id], now)).map(({ id }) => id);
    }
    case 'show_licence':
      await showLicence(tx, listings, about.id, now);
      return [about.id];
    case 'restore_review':
      await reviews.restoreReview(tx, about.id);
      return about.listingId ? [about.listingId] : [];
    case 'restore_account': {
      if (await findSuspension(tx, about.concernedId)) return [];
      await accounts.restoreUser(tx, about.concernedId);
      const all = await listings.lockListingIds(tx, about.concernedId);
      const hidden = new Set(await listHiddenByDecision(tx, all));
      const back = all.filter((id) => !hidden.has(id));
      return (await listings.unhideListings(tx, back, now)).map(({ id }) => id);
    }
    case 'withdraw_warning':
      return [];
  }
}
