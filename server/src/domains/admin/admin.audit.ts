import { sql } from 'kysely';
import { formerMember } from '@handwise/contract/accounts/public-name';
import { adminPageSize, type AuditEntry } from '@handwise/contract/admin/calls';
import type { Context } from '../../kit/context.ts';
import type { Reader, Db } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';

export const findHead = (db: Reader) =>
  db
    .selectFrom('audit_head')
    .select(({ cast }) => cast<number>('number', 'integer').as('number'))
    .select(sql<string>`encode(hash, 'hex')`.as('hash'))
    .executeTakeFirstOrThrow();

/** Entries about these subjects in the order of the log. The actor appears only as the server or a person. */
export const listPublicEntries = (db: Reader, subjectIds: readonly string[]) =>
  db
    .selectFrom('audit_log')
    .select((is) => [
      'number',
      'written_at',
      'what',
      is.case().when('actor_id', 'is', null).then('the server').else('a person').end().as('by'),
      sql`before`.as('before'),
      // Internal notes of administrators may name people, so they are omitted.
      sql`after - 'administrator_id' - 'reason'`.as('after'),
      sql<string>`encode(hash, 'hex')`.as('hash'),
    ])
    .where('subject_id', '=', anyId(subjectIds))
    .orderBy('number')
    .execute();

type EntryFilter = { subject: string | undefined; table: string | undefined; skip: number; take: number };

/** A page of entries, newest first, with their total. */
async function listEntries(db: Reader, { subject, table, skip, take }: EntryFilter) {
  const matching = db
    .selectFrom('audit_log')
    .$if(subject !== undefined, (query) => query.where('subject_id', '=', subject ?? ''))
    .$if(table !== undefined, (query) => query.where('what', 'like', `${table}.%`));
  const [rows, { total }] = await Promise.all([
    matching
      .leftJoin('users', 'users.id', 'actor_id')
      .select(['written_at', 'actor_id', 'full_name', 'program', 'database_role', 'what', 'subject_id', 'before', 'after'])
      .select(({ cast }) => cast<number>('number', 'integer').as('number'))
      .select(sql<string>`encode(hash, 'hex')`.as('hash'))
      .orderBy('audit_log.number', 'desc')
      .offset(skip)
      .limit(take)
      .execute(),
    matching.select(rowCount.as('total')).executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}

/** One page of the audit log, newest first, with the head of its hash chain. */
export async function listAuditLog(
  db: Db,
  query: { page?: number | undefined; limit?: number | undefined; subject?: string | undefined; table?: string | undefined },
) {
  const page = query.page ?? 1;
  const take = query.limit ?? adminPageSize;
  const [head, { rows, total }] = await Promise.all([
    findHead(db),
    listEntries(db, { subject: query.subject, table: query.table, skip: (page - 1) * take, take }),
  ]);
  return { entries: rows.map(toEntry), head, currentPage: page, totalPages: Math.ceil(total / take), total };
}

type Row = Awaited<ReturnType<typeof listEntries>>['rows'][number];

const toEntry = (row: Row): AuditEntry => ({
  number: row.number,
  writtenAt: row.written_at.toISOString(),
  actor: row.actor_id === null ? null : { _id: row.actor_id, name: row.full_name ?? formerMember },
  program: row.program,
  databaseRole: row.database_role,
  what: row.what,
  subjectId: row.subject_id,
  before: row.before as AuditEntry['before'],
  after: row.after as AuditEntry['after'],
  hash: row.hash,
});

/**
 * Writes the head of the audit log to the server's log, which is stored elsewhere. Someone who can write to the database could rebuild the
 * whole chain, but not so that it still contains this head (`npm run audit -- --head <number>:<hash>`).
 */
export async function logHead({ db, logger }: Pick<Context, 'db' | 'logger'>): Promise<void> {
  const { number, hash } = await findHead(db);
  logger.info({ head: `${number}:${hash}` }, 'head of the audit log');
}
