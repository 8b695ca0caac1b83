import { adminPageSize, type AuditEntry } from '@handwise/contract/admin/calls';
import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { findHead, listEntries } from './admin.audit-queries.ts';

/** One page of the audit log, the newest entry first, with the head of its chain. */
export async function listAuditLog(
  db: Db,
  asked: { page?: number | undefined; limit?: number | undefined; subject?: string | undefined; table?: string | undefined },
) {
  const page = asked.page ?? 1;
  const take = asked.limit ?? adminPageSize;
  const [head, { rows, total }] = await Promise.all([
    findHead(db),
    listEntries(db, { subject: asked.subject, table: asked.table, skip: (page - 1) * take, take }),
  ]);
  return { entries: rows.map(asEntry), head, currentPage: page, totalPages: Math.ceil(total / take), total };
}

type Row = Awaited<ReturnType<typeof listEntries>>['rows'][number];

const asEntry = (row: Row): AuditEntry => ({
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
 * Writes the end of the audit log to the server's log, which lies elsewhere: whoever can write to the database could chain the whole log
 * anew, but not so that it still holds this entry (`npm run audit -- --head <number>:<hash>`).
 */
export async function logHead({ db, logger }: Pick<Context, 'db' | 'logger'>): Promise<void> {
  const { number, hash } = await findHead(db);
  logger.info({ head: `${number}:${hash}` }, 'the audit log ends here');
}
