import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

export const findHead = (db: Reader) =>
  db
    .selectFrom('audit_head')
    .select(({ cast }) => cast<number>('number', 'integer').as('number'))
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .executeTakeFirstOrThrow();

type Wanted = { subject: string | undefined; table: string | undefined; skip: number; take: number };

/** A page of the entries, the newest first, and how many there are. */
export async function listEntries(db: Reader, { subject, table, skip, take }: Wanted) {
  const wanted = db
    .selectFrom('audit_log')
    .$if(subject !== undefined, (query) => query.where('subject_id', '=', subject ?? ''))
    .$if(table !== undefined, (query) => query.where('what', 'like', `${table}.%`));
  const [rows, { total }] = await Promise.all([
    wanted
      .leftJoin('users', 'users.id', 'actor_id')
      .select(['written_at', 'actor_id', 'full_name', 'program', 'database_role', 'what', 'subject_id', 'before', 'after'])
      .select(({ cast }) => cast<number>('number', 'integer').as('number'))
      .select(sql<string>`encode(hash, 'hex')`.as('hash'))
      .orderBy('audit_log.number', 'desc')
      .offset(skip)
      .limit(take)
      .execute(),
    wanted.select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
