import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

export const findHead = (db: Reader) =>
  db
    .selectFrom('audit_head')
    .select(({ cast }) => cast<number>('number', 'integer').as('number'))
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .executeTakeFirstOrThrow();

/** What the log has about these, in its order, without anybody's name: who did it is said by their part only. */
export const listPublicEntries = (db: Reader, subjectIds: readonly string[]) =>
  db
    .selectFrom('audit_log')
    .select((is) => [
      'number',
      'written_at',
      'what',
      is.case().when('actor_id', 'is', null).then('the server').else('a person').end().as('by'),
      sql`before`.as('before'),
      // What administrators write for themselves may name people; what they publish stands elsewhere.
      sql`after - 'administrator_id' - 'reason'`.as('after'),
      sql<string>`encode(hash, 'hex')`.as('hash'),
    ])
    .where('subject_id', '=', sql<string>`any(${[...subjectIds]}::uuid[])`)
    .orderBy('number')
    .execute();

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
