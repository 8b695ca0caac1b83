import type { ReportKind } from '@handwise/contract/admin/report-words';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';

export const insertReport = (tx: Tx, report: Insertable<DB['reports']>) =>
  tx.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow();

export const findReport = (db: Reader, id: string) => db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();

/** The newest report that the site itself made of one of these things of one person. */
export const findOwnReport = (tx: Tx, kind: ReportKind, concernedId: string, subjectIds: readonly string[]) =>
  tx
    .selectFrom('reports')
    .select(['id', 'decision_id', 'created_at'])
    .where('concerned_id', '=', concernedId)
    .where('reporter_id', 'is', null)
    .where('kind', '=', kind)
    .where('subject_id', 'in', subjectIds)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();

export const setReportComment = (tx: Tx, id: string, comment: string) =>
  tx.updateTable('reports').set({ comment }).where('id', '=', id).execute();

/** What somebody has reported, the newest first. */
export const listReportsBy = (db: Reader, userId: string) =>
  db
    .selectFrom('reports')
    .select(['kind', 'title', 'reason', 'comment', 'created_at as createdAt'])
    .where('reporter_id', '=', userId)
    .orderBy('created_at', 'desc')
    .execute();

/** The open reports about a thing become answered by a decision. Resolves to who made them. */
export const closeReports = (tx: Tx, kind: ReportKind, subjectId: string, decisionId: string) =>
  tx
    .updateTable('reports')
    .set({ decision_id: decisionId })
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('decision_id', 'is', null)
    .returning(['reporter_id', 'title'])
    .execute();

/** What a decision answered is open again, but for those who have reported the same thing anew. */
export const reopenReports = (tx: Tx, decisionId: string) =>
  tx
    .updateTable('reports')
    .set({ decision_id: null })
    .where('decision_id', '=', decisionId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('reports as newer')
            .select('newer.id')
            .whereRef('newer.reporter_id', '=', 'reports.reporter_id')
            .whereRef('newer.kind', '=', 'reports.kind')
            .whereRef('newer.subject_id', '=', 'reports.subject_id')
            .where('newer.decision_id', 'is', null),
        ),
      ),
    )
    .execute();

type Wanted = { status: 'open' | 'decided'; kind: ReportKind | undefined; skip: number; take: number };
type Said = {
  reason: DB['reports']['reason'];
  comment: string;
  /** Null where the site itself reported it. */
  reporter_id: string | null;
  full_name: string | null;
  username: string | null;
  created_at: string;
};

/** Cases: what was reported about one thing and is open, or was answered by one decision. */
export async function listCases(db: Reader, { status, kind, skip, take }: Wanted) {
  const grouped = db
    .selectFrom('reports')
    .leftJoin('users as reporters', 'reporters.id', 'reporter_id')
    .innerJoin('users as concerned', 'concerned.id', 'concerned_id')
    .where('decision_id', status === 'open' ? 'is' : 'is not', null)
    .$if(kind !== undefined, (query) => query.where('kind', '=', kind ?? 'listing'))
    .groupBy(['kind', 'subject_id', 'concerned_id', 'decision_id', 'concerned.full_name', 'concerned.username', 'concerned.suspended_at'])
    .select(['kind', 'subject_id', 'concerned_id', 'decision_id'])
    .select(['concerned.full_name', sql<string>`concerned.username::text`.as('username'), 'concerned.suspended_at'])
    .select(({ fn }) => fn.min('reports.created_at').as('created_at'))
    .select([
      sql<string>`(array_agg(reports.id order by reports.created_at, reports.id))[1]`.as('id'),
      sql<string>`(array_agg(title order by reports.created_at))[1]`.as('title'),
      sql<string>`(array_agg(words order by reports.created_at))[1]`.as('words'),
      sql<string | null>`(array_agg(listing_id order by reports.created_at))[1]`.as('listing_id'),
      sql<Said[]>`jsonb_agg(jsonb_build_object('reason', reason, 'comment', comment, 'reporter_id', reporter_id,
        'full_name', reporters.full_name, 'username', reporters.username, 'created_at', reports.created_at) order by reports.created_at)`.as(
        'said',
      ),
    ]);
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom(grouped.as('cases'))
      .selectAll()
      .$if(status === 'open', (query) => query.orderBy('created_at'))
      // Ids count up with time.
      .$if(status === 'decided', (query) => query.orderBy('decision_id', 'desc'))
      .orderBy('id')
      .offset(skip)
      .limit(take)
      .execute(),
    db
      .selectFrom(grouped.as('cases'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** How many things are reported and wait, and since when the oldest one does. */
export const countOpen = (db: Reader) =>
  db
    .selectFrom('reports')
    .select(({ cast }) => cast<number>(sql`count(distinct (kind, subject_id))`, 'integer').as('things'))
    .select(({ fn }) => fn.min('created_at').as('oldest'))
    .where('decision_id', 'is', null)
    .executeTakeFirstOrThrow();

export const insertLook = (tx: Tx, look: Insertable<DB['looks']>) => tx.insertInto('looks').values(look).execute();

/** Who looked as this user, the newest first. */
export const listLooksAt = (db: Reader, userId: string) =>
  db
    .selectFrom('looks')
    .innerJoin('users', 'users.id', 'administrator_id')
    .select(['full_name', 'reason', 'begun_at'])
    .where('user_id', '=', userId)
    .orderBy('begun_at', 'desc')
    .limit(20)
    .execute();
