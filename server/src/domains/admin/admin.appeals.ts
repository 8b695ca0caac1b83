import { appealMonths } from '@handwise/contract/periods';
import type { Context } from '../../kit/context.ts';
import { type Reader, getViolatedConstraint } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError } from '../../kit/errors.ts';
import { countAttempt } from '../../kit/identity/attempts.ts';
import { hashToken } from '../../kit/secrets/tokens.ts';
import { hasOtherAdministrators, lockAccount } from '../accounts/accounts.service.ts';
import * as queries from './admin.decisions.queries.ts';
import type { DecisionRow } from './admin.decisions.queries.ts';
import { isMeasure, rejectOwnMatter, recordUndo } from './admin.decisions.ts';
import { notifyOfAppealAnswer } from './admin.notifications.ts';
import { toOwnDecision } from './admin.views.ts';

const linkLimit = { max: 60, windowSeconds: 60 * 60 };

export const listOwnDecisions = async ({ db, clock }: Context, userId: string) =>
  (await queries.listNotifiedDecisions(db, userId, queries.notifiedKinds)).map((row) => toOwnDecision(row, canAppeal(row, clock.now())));

/** The decision of an emailed link. Throws `decision_not_found`. */
export async function getLinkedDecision(context: Context, token: string, network: string) {
  const row = await getLinkedRow(context, token, network);
  return toOwnDecision(row, canAppeal(row, context.clock.now()));
}

async function getLinkedRow({ db }: Context, token: string, network: string) {
  await countAttempt(db, `decision-link:${network}`, linkLimit);
  const row = await queries.findDecisionByLink(db, hashToken(token));
  if (!row || row.kind === 'dismiss') throw new AppError('decision_not_found');
  return row;
}

const appealDeadline = (createdAt: Date) => {
  const last = new Date(createdAt);
  last.setUTCMonth(last.getUTCMonth() + appealMonths);
  return last;
};

const isAppealable = (row: DecisionRow) => isMeasure(row.kind) && row.kind !== 'dismiss' && row.undone_at === null;
const canAppeal = (row: DecisionRow, now: Date) => isAppealable(row) && row.appeal_id === null && now < appealDeadline(row.created_at);

/** Throws `decision_not_found`, also for another person's decision, `already_appealed`, `appeal_too_late`. */
export async function appealOwnDecision(context: Context, userId: string, decisionId: string, words: string): Promise<void> {
  const row = await queries.findDecision(context.db, decisionId);
  if (row?.concerned_id !== userId) throw new AppError('decision_not_found');
  await insertAppeal(context, row, words);
}

export const appealLinkedDecision = async (context: Context, token: string, network: string, words: string): Promise<void> =>
  insertAppeal(context, await getLinkedRow(context, token, network), words);

async function insertAppeal({ db, clock }: Context, row: DecisionRow, words: string): Promise<void> {
  if (!isAppealable(row)) throw new AppError('decision_not_found');
  if (row.appeal_id !== null) throw new AppError('already_appealed');
  if (clock.now() >= appealDeadline(row.created_at)) throw new AppError('appeal_too_late');
  try {
    await db.transaction().execute(async (tx) => {
      await setAuditActor(tx, row.concerned_id);
      await queries.insertAppeal(tx, { decision_id: row.id, words });
    });
  } catch (error) {
    if (getViolatedConstraint(error) === 'appeals_decision_id_key') throw new AppError('already_appealed');
    throw error;
  }
}

/** Whether an administrator may answer an appeal: not against their own decision, unless there is no other administrator. */
export const canAnswer = async (db: Reader, adminId: string, row: Pick<DecisionRow, 'decided_by' | 'concerned_id'>) =>
  (row.decided_by !== adminId && row.concerned_id !== adminId) || !(await hasOtherAdministrators(db, adminId));

/** Answers an appeal. Throws `appeal_not_found`, `already_decided`, `needs_another_administrator`, `own_matter`. */
export async function decideAppeal(context: Context, adminId: string, appealId: string, uphold: boolean, reason: string): Promise<void> {
  const { db, clock, events } = context;
  const changed = await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, adminId);
    const row = await queries.findAppealed(tx, appealId);
    if (!row) throw new AppError('appeal_not_found');
    // Serializes concurrent answers to the appeal and undoing of the decision.
    await lockAccount(tx, row.concerned_id);
    if ((await queries.findAppealed(tx, appealId))?.upheld !== null) throw new AppError('already_decided');
    await rejectOwnMatter(tx, adminId, row.concerned_id);
    if (!(await canAnswer(tx, adminId, row))) throw new AppError('needs_another_administrator');
    const undone = uphold ? await recordUndo(context, tx, adminId, row.id, reason) : undefined;
    if (!undone) await queries.answerAppeal(tx, row.id, { upheld: false, answer: reason, answered_by: adminId, answered_at: clock.now() });
    await notifyOfAppealAnswer(context, tx, row.concerned_id, { upheld: uphold, answer: reason, title: row.about_title });
    return undone?.changed ?? [];
  });
  if (changed.length > 0) events.emit('listings', changed);
}
