import { type Insertable, sql } from 'kysely';
import type { ReportKind } from '@handwise/contract/admin/report-words';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';

type Kind = DB['decisions']['kind'];

/** Decisions with the people involved, what undid them, and their appeal. */
const decisions = (db: Reader) =>
  db
    .selectFrom('decisions')
    .innerJoin('users as concerned', 'concerned.id', 'decisions.concerned_id')
    .leftJoin('users as deciders', 'deciders.id', 'decided_by')
    .leftJoin('decisions as undoing', 'undoing.undoes', 'decisions.id')
    .leftJoin('appeals', 'appeals.decision_id', 'decisions.id')
    .select([
      'decisions.id',
      'decisions.kind',
      'decisions.about_kind',
      'decisions.about_id',
      'decisions.about_title',
      'decisions.about_listing_id',
    ])
    .select(['decisions.concerned_id', 'decisions.decided_by', 'decisions.reason', 'decisions.created_at'])
    .select(['concerned.full_name as concerned_name', sql<string>`concerned.username::text`.as('concerned_username')])
    .select(['deciders.full_name as decider_name', sql<string | null>`deciders.username::text`.as('decider_username')])
    .select(['undoing.reason as undone_reason', 'undoing.created_at as undone_at'])
    .select([
      'appeals.id as appeal_id',
      'appeals.words as appeal_words',
      'appeals.created_at as appealed_at',
      'appeals.upheld',
      'appeals.answer',
    ]);

export type DecisionRow = Awaited<ReturnType<ReturnType<typeof decisions>['execute']>>[number];

export const insertDecision = (tx: Tx, decision: Insertable<DB['decisions']>) =>
  tx.insertInto('decisions').values(decision).returning('id').executeTakeFirstOrThrow();

export const findDecision = (db: Reader, id: string) => decisions(db).where('decisions.id', '=', id).executeTakeFirst();

export const findDecisionByLink = (db: Reader, linkHash: Buffer) =>
  decisions(db).where('decisions.link_hash', '=', linkHash).executeTakeFirst();

export const listDecisionsByIds = (db: Reader, ids: readonly string[]) => decisions(db).where('decisions.id', '=', anyId(ids)).execute();

/** Kinds that the person concerned is notified of: all but dismissed reports. */
export const notifiedKinds = [
  'hide_listing',
  'remove_review',
  'warn',
  'suspend_account',
  'hide_licence',
  'show_licence',
  'show_listing',
  'restore_review',
  'withdraw_warning',
  'restore_account',
] as const satisfies Kind[];

/** Decisions that a person was notified of, newest first. */
export const listNotifiedDecisions = (db: Reader, userId: string, kinds: readonly Kind[]) =>
  decisions(db)
    .where('decisions.concerned_id', '=', userId)
    .where('decisions.kind', 'in', kinds)
    .orderBy('decisions.created_at', 'desc')
    .limit(100)
    .execute();

type Page = { skip: number; take: number };

export async function listDecisionRows(db: Reader, concernedId: string | undefined, { skip, take }: Page) {
  const total = await db
    .selectFrom('decisions')
    .$if(concernedId !== undefined, (query) => query.where('concerned_id', '=', concernedId ?? ''))
    .select(rowCount.as('total'))
    .executeTakeFirstOrThrow();
  const rows = await decisions(db)
    .$if(concernedId !== undefined, (query) => query.where('decisions.concerned_id', '=', concernedId ?? ''))
    .orderBy('decisions.created_at', 'desc')
    .orderBy('decisions.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();
  return { rows, ...total };
}

const selectInForce = (db: Reader) =>
  db
    .selectFrom('decisions')
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('decisions as later').select('later.id').whereRef('later.undoes', '=', 'decisions.id'))),
    );

/** The decision of this kind about a subject that is in force. */
export const findDecisionInForce = (db: Reader, kind: Kind, about: { kind: ReportKind; id: string }) =>
  selectInForce(db)
    .select('decisions.id')
    .where('kind', '=', kind)
    .where('about_kind', '=', about.kind)
    .where('about_id', '=', about.id)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** The decision that suspended this person and is in force. */
export const findSuspension = (db: Reader, userId: string) =>
  selectInForce(db)
    .select('decisions.id')
    .where('kind', '=', 'suspend_account')
    .where('concerned_id', '=', userId)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Ids of those of these listings that a decision of their own hides. */
export const listHiddenByDecision = async (db: Reader, listingIds: readonly string[]) =>
  (await selectInForce(db).select('about_id').where('kind', '=', 'hide_listing').where('about_id', '=', anyId(listingIds)).execute()).map(
    (row) => row.about_id,
  );

/** The number of measures against each of these people, without dismissed reports. */
export const countMeasures = (db: Reader, userIds: readonly string[]) =>
  db
    .selectFrom('decisions')
    .select('concerned_id')
    .select(rowCount.as('measures'))
    .where('concerned_id', '=', anyId(userIds))
    .where('kind', 'in', ['hide_listing', 'remove_review', 'warn', 'suspend_account'])
    .groupBy('concerned_id')
    .execute();

export const insertAppeal = (tx: Tx, appeal: { decision_id: string; words: string }) => tx.insertInto('appeals').values(appeal).execute();

/** Whether an objection to the removal of a review is unanswered. */
export const hasOpenAppeal = async (db: Reader, reviewId: string): Promise<boolean> =>
  (await db
    .selectFrom('appeals')
    .innerJoin('decisions', 'decisions.id', 'decision_id')
    .select('appeals.id')
    .where('decisions.kind', '=', 'remove_review')
    .where('decisions.about_id', '=', reviewId)
    .where('upheld', 'is', null)
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const findAppealed = (db: Reader, appealId: string) => decisions(db).where('appeals.id', '=', appealId).executeTakeFirst();

type Answer = { upheld: boolean; answer: string; answered_by: string; answered_at: Date };

export const answerAppeal = (tx: Tx, decisionId: string, answer: Answer) =>
  tx.updateTable('appeals').set(answer).where('decision_id', '=', decisionId).where('upheld', 'is', null).execute();

export async function listAppealRows(db: Reader, status: 'open' | 'answered', { skip, take }: Page) {
  const ofStatus = status === 'open' ? ('is' as const) : ('is not' as const);
  const { total } = await db.selectFrom('appeals').where('upheld', ofStatus, null).select(rowCount.as('total')).executeTakeFirstOrThrow();
  const rows = await decisions(db)
    .where('appeals.id', 'is not', null)
    .where('appeals.upheld', ofStatus, null)
    .$if(status === 'open', (query) => query.orderBy('appeals.created_at'))
    .$if(status === 'answered', (query) => query.orderBy('appeals.answered_at', 'desc'))
    .offset(skip)
    .limit(take)
    .execute();
  return { rows, total };
}
