import { type Insertable, type RawBuilder, sql } from 'kysely';
import type { ReportKind } from '@handwise/contract/admin/report-words';
import { siteTimeZone } from '@handwise/contract/dates';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';

/** Whether a person has reported a listing, or anything of its seller. */
export const hasReported = async (db: Reader, reporterId: string, about: { listingId: string; sellerId: string }): Promise<boolean> =>
  (await db
    .selectFrom('reports')
    .select('id')
    .where('reporter_id', '=', reporterId)
    .where((eb) => eb.or([eb('listing_id', '=', about.listingId), eb('concerned_id', '=', about.sellerId)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const insertReport = (tx: Tx, report: Insertable<DB['reports']>) =>
  tx.insertInto('reports').values(report).returning('id').executeTakeFirstOrThrow();

export const findReport = (db: Reader, id: string) => db.selectFrom('reports').selectAll().where('id', '=', id).executeTakeFirst();

/** The newest report that the site itself made about one of these subjects of a person. */
export const findSystemReport = (tx: Tx, kind: ReportKind, concernedId: string, subjectIds: readonly string[]) =>
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

/** A user's own reports, newest first. */
export const listReportsBy = (db: Reader, userId: string) =>
  db
    .selectFrom('reports')
    .select(['kind', 'title', 'reason', 'comment', 'created_at as createdAt'])
    .where('reporter_id', '=', userId)
    .orderBy('created_at', 'desc')
    .execute();

/** Marks the open reports about a subject as answered by a decision. Resolves to their reporters. */
export const closeReports = (tx: Tx, kind: ReportKind, subjectId: string, decisionId: string) =>
  tx
    .updateTable('reports')
    .set({ decision_id: decisionId })
    .where('kind', '=', kind)
    .where('subject_id', '=', subjectId)
    .where('decision_id', 'is', null)
    .returning(['reporter_id', 'title'])
    .execute();

/** Reopens the reports that a decision answered, except of users who have reported the same subject again. */
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

type CaseFilter = { status: 'open' | 'decided'; kind: ReportKind | undefined; skip: number; take: number };
type CaseReport = {
  reason: DB['reports']['reason'];
  comment: string;
  /** Null for a report by the site itself. */
  reporter_id: string | null;
  full_name: string | null;
  username: string | null;
  created_at: string;
};

/** Cases: all open reports about one subject, or all reports that one decision answered. */
export async function listCases(db: Reader, { status, kind, skip, take }: CaseFilter) {
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
      sql<CaseReport[]>`jsonb_agg(jsonb_build_object('reason', reason, 'comment', comment, 'reporter_id', reporter_id,
        'full_name', reporters.full_name, 'username', reporters.username, 'created_at', reports.created_at) order by reports.created_at)`.as(
        'said',
      ),
    ]);
  const [rows, { total }] = await Promise.all([
    db
      .selectFrom(grouped.as('cases'))
      .selectAll()
      .$if(status === 'open', (query) => query.orderBy('created_at'))
      // Ids ascend with time.
      .$if(status === 'decided', (query) => query.orderBy('decision_id', 'desc'))
      .orderBy('id')
      .offset(skip)
      .limit(take)
      .execute(),
    db.selectFrom(grouped.as('cases')).select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** The number of subjects with open reports and the date of the oldest report. */
export const countOpenReports = (db: Reader) =>
  db
    .selectFrom('reports')
    .select(({ cast }) => cast<number>(sql`count(distinct (kind, subject_id))`, 'integer').as('things'))
    .select(({ fn }) => fn.min('created_at').as('oldest'))
    .where('decision_id', 'is', null)
    .executeTakeFirstOrThrow();

export const insertLook = (tx: Tx, look: Insertable<DB['looks']>) => tx.insertInto('looks').values(look).execute();

/** Staff views of the site as this user, newest first. */
export const listLooksAt = (db: Reader, userId: string) =>
  db
    .selectFrom('looks')
    .innerJoin('users', 'users.id', 'administrator_id')
    .select(['full_name', 'reason', 'begun_at'])
    .where('user_id', '=', userId)
    .orderBy('begun_at', 'desc')
    .limit(20)
    .execute();

type Month = { from: Date; until: Date };

/** Whether a number of working days, Monday to Friday, has passed from one time to another. */
const isWithin = (from: RawBuilder<unknown>, to: RawBuilder<unknown>, days: number) => sql<boolean>`(
  select count(*) from generate_series(
    (${from} at time zone ${siteTimeZone})::date + 1, (${to} at time zone ${siteTimeZone})::date, interval '1 day'
  ) as day where extract(isodow from day) < 6
) <= ${days}`;

/** What people reported in a month and what became of it, what was decided in it, and what still waits for longer than it should. */
export async function countModeration(db: Reader, { from, until }: Month, { days, now }: { days: number; now: Date }) {
  const inTime = isWithin(sql.ref('reports.created_at'), sql.ref('decisions.created_at'), days);
  const { rows } = await sql<
    Record<'received' | 'decided' | 'in_time' | 'overdue' | 'objections' | 'upheld', number> & { kinds: Record<string, number> }
  >`
    select count(*)::int as received, count(decisions.id)::int as decided, (count(*) filter (where decisions.id is not null and ${inTime}))::int as in_time,
      (select count(*)::int from reports as waiting where decision_id is null and reporter_id is not null
        and not ${isWithin(sql.ref('waiting.created_at'), sql`${now}::timestamptz`, days)}) as overdue,
      (select count(*)::int from appeals where created_at >= ${from} and created_at < ${until}) as objections,
      (select count(*)::int from appeals where created_at >= ${from} and created_at < ${until} and upheld) as upheld,
      (select coalesce(jsonb_object_agg(kind, times), '{}') from (
        select kind, count(*)::int as times from decisions where created_at >= ${from} and created_at < ${until} group by kind
      ) as counted) as kinds
    from reports left join decisions on decisions.id = decision_id
    where reporter_id is not null and reports.created_at >= ${from} and reports.created_at < ${until}`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('a count has a row');
  return row;
}
