import type { DecisionForm } from '@handwise/contract/admin/reports';
import { type DecisionKind, type Measure, measuresFor, opposites, type ReportKind } from '@handwise/contract/admin/report-words';
import type { Context } from '../../kit/context.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { asActor } from '../../kit/actor.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { hashOf, newToken } from '../../kit/identity/tokens.ts';
import { hasOtherAdministrators, lockAccount } from '../accounts/accounts.service.ts';
import * as queries from './admin.decision-queries.ts';
import { type About, apply, revert } from './admin.effects.ts';
import { closeReports, findReport } from './admin.queries.ts';
import { tellConcerned, tellReporters } from './admin.tellings.ts';
import { findThing, type Thing } from './admin.things.ts';

type Subject = About & Pick<Thing, 'title'>;

export const isMeasure = (kind: DecisionKind): kind is Measure => kind in opposites;

/** Decides about what was reported. Throws `report_not_found`, and what `decide` throws. */
export async function decideReport(context: Context, adminId: string, reportId: string, form: DecisionForm): Promise<string> {
  const report = await findReport(context.db, reportId);
  if (!report) throw new AppError('report_not_found');
  // The thing may be gone meanwhile: the report has kept what is needed of it.
  const about = {
    kind: report.kind,
    id: report.subject_id,
    concernedId: report.concerned_id,
    title: report.title,
    listingId: report.listing_id,
  };
  return decide(context, adminId, about, form, true);
}

/** Decides about something that nobody needs to have reported. Throws `nothing_to_decide`, and what `decide` throws. */
export async function createDecision(
  context: Context,
  adminId: string,
  form: DecisionForm & { kind: ReportKind; id: string },
): Promise<string> {
  const thing = await findThing(context.db, form.kind, form.id);
  if (!thing) throw new AppError('nothing_to_decide');
  if (form.decision === 'restore_account' && form.kind === 'user') return restoreAccount(context, adminId, thing, form.reason);
  if (form.decision === 'dismiss') throw invalidField('decision', 'There is no report to leave as it is');
  return decide(context, adminId, thing, form, false);
}

/**
 * Makes a decision, brings it about, answers the open reports about the thing and tells everybody whom it concerns, all in one
 * transaction. Decisions about one person wait for each other. Throws `own_matter`, `already_decided`, `invalid_input`.
 */
async function decide(context: Context, adminId: string, about: Subject, form: DecisionForm, ofReport: boolean): Promise<string> {
  const { decision, reason, removedBecause } = form;
  if (!isMeasure(decision) || !(measuresFor[about.kind] as readonly Measure[]).includes(decision)) {
    throw invalidField('decision', 'This decision is not possible here');
  }
  if ((decision === 'remove_review') !== (removedBecause !== undefined)) {
    throw invalidField('removedBecause', 'Choose the kind of reason that the note in place of the review will show');
  }
  const { db, clock, events } = context;
  const link = newToken();
  const { id, changed } = await db.transaction().execute(async (tx) => {
    await asActor(tx, adminId);
    await lockAccount(tx, about.concernedId);
    await refuseOwnMatter(tx, adminId, about.concernedId);
    // Also where nobody else is there: who would let them in again?
    if (decision === 'suspend_account' && about.concernedId === adminId) throw new AppError('own_matter');
    const listings = await apply(tx, decision, about, removedBecause, clock.now());
    const made = await queries.insertDecision(tx, {
      ...columnsOf(about),
      kind: decision,
      decided_by: adminId,
      reason,
      removed_because: removedBecause ?? null,
      link_hash: hashOf(link),
    });
    const reports = await closeReports(tx, about.kind, about.id, made.id);
    if (ofReport && reports.length === 0) throw new AppError('already_decided');
    await tellReporters(context, tx, reports, { decision, reason, title: about.title });
    if (decision !== 'dismiss') await tellConcerned(context, tx, about.concernedId, { decision, reason, title: about.title, link });
    return { id: made.id, changed: listings };
  });
  if (changed.length > 0) events.emit('listings', changed);
  return id;
}

/** Takes a decision back by another one. Throws `decision_not_found`, `already_decided`, `own_matter`. */
export async function undoDecision(context: Context, adminId: string, id: string, reason: string): Promise<string> {
  const { id: made, changed } = await context.db.transaction().execute(async (tx) => {
    await asActor(tx, adminId);
    const undone = await undo(context, tx, adminId, id, reason);
    await tellUndone(context, tx, undone, reason);
    return undone;
  });
  if (changed.length > 0) context.events.emit('listings', changed);
  return made;
}

export type Undone = { id: string; kind: DecisionKind; about: Subject; changed: readonly string[] };

/** The part of undoing that is somebody else's transaction. It answers an objection that is open, and tells nobody yet. */
export async function undo(context: Context, tx: Tx, adminId: string, id: string, reason: string): Promise<Undone> {
  const decision = await queries.findDecision(tx, id);
  if (!decision) throw new AppError('decision_not_found');
  const { kind } = decision;
  // An undoing is not undone: whoever wants it back decides anew.
  if (!isMeasure(kind)) throw new AppError('already_decided');
  const about: Subject = {
    kind: decision.about_kind,
    id: decision.about_id,
    concernedId: decision.concerned_id,
    title: decision.about_title,
    listingId: decision.about_listing_id,
  };
  await lockAccount(tx, about.concernedId);
  await refuseOwnMatter(tx, adminId, about.concernedId);
  // Read anew under the lock.
  if ((await queries.findDecision(tx, id))?.undone_at) throw new AppError('already_decided');
  const opposite = opposites[kind];
  const now = context.clock.now();
  const made = await queries.insertDecision(tx, { ...columnsOf(about), kind: opposite, decided_by: adminId, reason, undoes: id });
  const changed = await revert(tx, id, opposite, about, now);
  await queries.answerAppeal(tx, id, { upheld: true, answer: reason, answered_by: adminId, answered_at: now });
  return { id: made.id, kind: opposite, about, changed };
}

const tellUndone = async (context: Context, tx: Tx, { kind, about }: Undone, reason: string) => {
  if (kind !== 'reopen') await tellConcerned(context, tx, about.concernedId, { decision: kind, reason, title: about.title });
};

/** Also where nobody decided it: an account may have been suspended by hand. */
async function restoreAccount(context: Context, adminId: string, person: Thing, reason: string): Promise<string> {
  const suspension = await queries.findSuspension(context.db, person.concernedId);
  if (suspension) return undoDecision(context, adminId, suspension.id, reason);
  const { id, changed } = await context.db.transaction().execute(async (tx) => {
    await asActor(tx, adminId);
    const { suspended_at: since } = await lockAccount(tx, person.concernedId);
    if (!since) throw new AppError('already_decided');
    const made = await queries.insertDecision(tx, { ...columnsOf(person), kind: 'restore_account', decided_by: adminId, reason });
    const shown = await revert(tx, null, 'restore_account', person, context.clock.now());
    await tellConcerned(context, tx, person.concernedId, { decision: 'restore_account', reason, title: person.title });
    return { id: made.id, changed: shown };
  });
  if (changed.length > 0) context.events.emit('listings', changed);
  return id;
}

/** Nobody judges their own case, unless nobody else is there. */
export async function refuseOwnMatter(db: Reader, adminId: string, concernedId: string): Promise<void> {
  if (adminId === concernedId && (await hasOtherAdministrators(db, adminId))) throw new AppError('own_matter');
}

const columnsOf = (about: Subject) => ({
  about_kind: about.kind,
  about_id: about.id,
  about_title: about.title.slice(0, 200),
  about_listing_id: about.listingId,
  concerned_id: about.concernedId,
});
