import { sql } from 'kysely';
import type { InvitationDraft } from '@handwise/contract/invitations/calls';
import type { InvitationBasis, RowOutcome } from '@handwise/contract/invitations/words';
import type { CountryCode } from '@handwise/contract/markets';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';
import type { IgnoredColumn, RowProblem } from './invitations.rules.ts';

const anyText = (texts: readonly string[]) => sql<string>`any(${[...texts]}::text[])`;

type NewImport = { administrator_id: string; file_hash: Buffer; country: CountryCode; row_count: number; created_at: Date };

export async function insertImport(tx: Tx, values: NewImport, ignored: readonly IgnoredColumn[]): Promise<string> {
  const row = { ...values, ignored_columns: JSON.stringify(ignored) };
  return (await tx.insertInto('invitation_imports').values(row).returning('id').executeTakeFirstOrThrow()).id;
}

/** Of an invalid row, only the name of its business is stored. */
export type PlannedRow = { line: number; problems: readonly RowProblem[] } & (
  | { outcome: 'invalid'; draft: { businessName: string } | null }
  | { outcome: Exclude<RowOutcome, 'invalid'>; draft: InvitationDraft }
);

export async function insertImportRows(tx: Tx, importId: string, rows: readonly PlannedRow[]): Promise<void> {
  await sql`
    insert into invitation_import_rows (import_id, line, outcome, problems, draft)
    select ${importId}, (one ->> 'line')::int, one ->> 'outcome', one -> 'problems', nullif(one -> 'draft', 'null')
    from jsonb_array_elements(${JSON.stringify(rows)}::jsonb) as one`.execute(tx);
}

const selectImports = (db: Reader) => db.selectFrom('invitation_imports').selectAll();
export type ImportRecord = Awaited<ReturnType<ReturnType<typeof selectImports>['execute']>>[number];

export const findImport = (db: Reader, id: string) => selectImports(db).where('id', '=', id).executeTakeFirst();
/** One worker at a time applies an import. */
export const lockImport = (tx: Tx, id: string) => selectImports(tx).where('id', '=', id).forUpdate().executeTakeFirst();
export const listNewestImports = (db: Reader, take: number) => selectImports(db).orderBy('created_at', 'desc').limit(take).execute();

export const countRows = (db: Reader, importIds: readonly string[]) =>
  db
    .selectFrom('invitation_import_rows')
    .select(['import_id', 'outcome', 'is_applied', rowCount.as('count')])
    .where('import_id', '=', sql<string>`any(${[...importIds]}::uuid[])`)
    .groupBy(['import_id', 'outcome', 'is_applied'])
    .execute();

const selectRows = (db: Reader, importId: string, outcome?: RowOutcome) =>
  db
    .selectFrom('invitation_import_rows')
    .where('import_id', '=', importId)
    .$if(outcome !== undefined, (query) => query.where('outcome', '=', outcome ?? 'invite'));

export const countRowsOf = async (db: Reader, importId: string, outcome: RowOutcome | undefined): Promise<number> =>
  (await selectRows(db, importId, outcome).select(rowCount.as('count')).executeTakeFirstOrThrow()).count;

/** Rows that would invite a business without saying where its data came from. */
export const countWithoutSource = async (db: Reader, importId: string): Promise<number> =>
  (
    await selectRows(db, importId, 'invite')
      .select(rowCount.as('count'))
      .where(sql<boolean>`coalesce(draft ->> 'source', '') = ''`)
      .executeTakeFirstOrThrow()
  ).count;

export const listRows = (db: Reader, importId: string, outcome: RowOutcome | undefined, { skip, take }: { skip: number; take: number }) =>
  selectRows(db, importId, outcome).select(['line', 'outcome', 'problems', 'draft']).orderBy('line').offset(skip).limit(take).execute();

/** Records the execution; rows that invite no one are applied with it. */
export async function startExecution(tx: Tx, id: string, basis: InvitationBasis, now: Date): Promise<void> {
  await tx.updateTable('invitation_imports').set({ basis, executed_at: now }).where('id', '=', id).execute();
  await tx
    .updateTable('invitation_import_rows')
    // What the problems quote is personal data too.
    .set({
      is_applied: true,
      draft: null,
      problems: sql`coalesce((select jsonb_agg(one - 'value') from jsonb_array_elements(problems) as one), '[]')`,
    })
    .where('import_id', '=', id)
    .where('outcome', '<>', 'invite')
    .execute();
}

export const listWaitingRows = (db: Reader, importId: string, take: number) =>
  selectRows(db, importId).select(['line', 'draft']).where('is_applied', '=', false).orderBy('line').limit(take).execute();

export const setApplied = (tx: Tx, importId: string, outcomes: ReadonlyMap<number, RowOutcome>) =>
  sql`
    update invitation_import_rows as row set is_applied = true, draft = null, outcome = done.outcome
    from unnest(${[...outcomes.keys()]}::int[], ${[...outcomes.values()]}::text[]) as done (line, outcome)
    where row.import_id = ${importId} and row.line = done.line`.execute(tx);

export const setFinished = (tx: Tx, id: string, now: Date) =>
  tx.updateTable('invitation_imports').set({ finished_at: now }).where('id', '=', id).execute();

export const deleteDryRuns = (db: Reader, before: Date) =>
  db.deleteFrom('invitation_imports').where('executed_at', 'is', null).where('created_at', '<', before).execute();

export const listRefused = async (db: Reader, mailboxKeys: readonly string[]) =>
  new Set(
    (await db.selectFrom('invitation_refusals').select('mailbox_key').where('mailbox_key', '=', anyText(mailboxKeys)).execute()).map(
      (row) => row.mailbox_key,
    ),
  );

/** The keys among these, of mailboxes and of business numbers, that were ever invited. */
export async function listInvited(db: Reader, mailboxKeys: readonly string[], numberKeys: readonly string[]): Promise<Set<string>> {
  const rows = await db
    .selectFrom('invitations')
    .select(['mailbox_key', 'business_number_key'])
    .where((eb) => eb.or([eb('mailbox_key', '=', anyText(mailboxKeys)), eb('business_number_key', '=', anyText(numberKeys))]))
    .execute();
  return new Set(rows.flatMap((row) => [row.mailbox_key, ...(row.business_number_key === null ? [] : [row.business_number_key])]));
}

type NewInvitation = {
  mailbox_key: string;
  business_number_key: string | null;
  basis: InvitationBasis;
  draft: InvitationDraft;
  token_hash: Buffer;
  created_at: Date;
};

/** Inserts those whose mailbox and number were never invited; returns their mailboxes' keys. */
export async function insertInvitations(tx: Tx, all: readonly NewInvitation[]): Promise<Set<string>> {
  if (all.length === 0) return new Set();
  // In one order, so that two imports of the same businesses wait for each other instead of deadlocking.
  const sorted = all.toSorted((one, other) => (one.mailbox_key < other.mailbox_key ? -1 : 1));
  const rows = await tx
    .insertInto('invitations')
    .values(sorted.map((one) => ({ ...one, draft: JSON.stringify(one.draft) })))
    .onConflict((conflict) => conflict.doNothing())
    .returning('mailbox_key')
    .execute();
  return new Set(rows.map((row) => row.mailbox_key));
}

const selectByToken = (db: Reader, tokenHash: Buffer) =>
  db
    .selectFrom('invitations')
    .select(['id', 'basis', 'draft', 'created_at', 'claimed_by'])
    .where((eb) => eb.or([eb('token_hash', '=', tokenHash), eb('reminder_token_hash', '=', tokenHash)]));

export const findInvitation = (db: Reader, tokenHash: Buffer) => selectByToken(db, tokenHash).executeTakeFirst();
export const lockInvitation = (tx: Tx, tokenHash: Buffer) => selectByToken(tx, tokenHash).forUpdate().executeTakeFirst();

export const findOpenInvitation = (db: Reader, mailboxKey: string) =>
  db
    .selectFrom('invitations')
    .select(['created_at', 'draft'])
    .where('mailbox_key', '=', mailboxKey)
    .where('status', '=', 'open')
    .executeTakeFirst();

export const setClaimed = (tx: Tx, id: string, userId: string, now: Date) =>
  tx.updateTable('invitations').set({ status: 'claimed', claimed_by: userId, claimed_at: now }).where('id', '=', id).execute();

export async function insertRefusal(tx: Tx, mailboxKey: string, now: Date): Promise<void> {
  await tx
    .insertInto('invitation_refusals')
    .values({ mailbox_key: mailboxKey, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await tx
    .updateTable('invitations')
    .set({ status: 'refused', draft: null })
    .where('mailbox_key', '=', mailboxKey)
    .where('status', '=', 'open')
    .execute();
}

/** Open invitations without a reminder, created within these times; other workers skip them. */
export const lockUnreminded = (tx: Tx, created: { after: Date; until: Date }, take: number) =>
  tx
    .selectFrom('invitations')
    .select(['id', 'mailbox_key', 'basis', 'draft'])
    .where('status', '=', 'open')
    .where('reminded_at', 'is', null)
    .where('created_at', '<=', created.until)
    .where('created_at', '>', created.after)
    .orderBy('created_at')
    .limit(take)
    .forUpdate()
    .skipLocked()
    .execute();

export const setReminded = (tx: Tx, id: string, tokenHash: Buffer, now: Date) =>
  tx.updateTable('invitations').set({ reminded_at: now, reminder_token_hash: tokenHash }).where('id', '=', id).execute();

/** Deletes the personal data of old invitations. */
export const clearInvitations = (db: Reader, before: Date) =>
  db
    .updateTable('invitations')
    .set({ draft: null, status: sql<'open'>`case status when 'open' then 'expired' else status end` })
    .where('draft', 'is not', null)
    .where('created_at', '<=', before)
    .execute();

export const listClaimed = (db: Reader, userId: string) =>
  db
    .selectFrom('invitations')
    .select(['id', 'basis', 'draft', 'created_at', 'claimed_at'])
    .where('claimed_by', '=', userId)
    .orderBy('claimed_at')
    .execute();

export const clearClaimed = (tx: Tx, userId: string) =>
  tx.updateTable('invitations').set({ draft: null }).where('claimed_by', '=', userId).execute();
