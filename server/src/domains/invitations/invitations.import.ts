import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { z } from 'zod';
import { dayMs } from '@handwise/contract/dates';
import type {
  createImportCall,
  executeImportCall,
  ImportRow,
  InvitationDraft,
  InvitationImport,
  listImportRowsCall,
} from '@handwise/contract/invitations/calls';
import { maxImportRows, type RowOutcome, rowOutcomes } from '@handwise/contract/invitations/words';
import type { CountryCode } from '@handwise/contract/markets';
import { counted } from '@handwise/contract/numbers';
import { isCountryOpen } from '@handwise/contract/site/open';
import type { Context } from '../../kit/context.ts';
import { formatCsv } from '../../kit/csv.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { setAuditActor } from '../../kit/database/sql-helpers.ts';
import { AppError, invalidField } from '../../kit/errors.ts';
import { openPauses } from '../../kit/event-loop.ts';
import { defineJob } from '../../kit/jobs/jobs.ts';
import { sendMail } from '../../kit/mail/mail.ts';
import { createToken, hashToken } from '../../kit/secrets/tokens.ts';
import { listRegisteredEmails } from '../accounts/accounts.service.ts';
import { listListedBusinesses } from '../listings/listings.service.ts';
import { createAbuseKeys } from '../referrals/referrals.service.ts';
import { invitationEmail } from './invitations.emails.ts';
import * as queries from './invitations.queries.ts';
import { type IgnoredColumn, isInvitable, listColumns, parseImport, type RowProblem } from './invitations.rules.ts';
import { signRefusalLinks } from './invitations.service.ts';

/** Applies the waiting rows of an import. */
export const executeImportJob = defineJob<{ importId: string }>('invitations.execute-import', { retryLimit: 100, concurrency: 1 });

const batchSize = 500;
const dryRunMs = dayMs;
const newestImports = 20;
const defaultPageSize = 50;

/** Checks a file without inviting anyone. Throws `invalid_input` about the file as a whole. */
export async function createImport(
  { db, clock }: Context,
  administratorId: string,
  { country, columns, trade }: z.output<(typeof createImportCall)['form']>,
  path: string | undefined,
): Promise<InvitationImport> {
  if (!isCountryOpen(country)) throw invalidField('country', 'This country takes no new listings: see the settings');
  const bytes = await readUpload(path);
  const { rows, ignored } = await parseImport(bytes, country, { columns, trade });
  const planned = await planRows(db, rows, await listListed(db, rows));
  const id = await db.transaction().execute(async (tx) => {
    await setAuditActor(tx, administratorId);
    const file = { file_hash: createHash('sha256').update(bytes).digest(), country, row_count: rows.length };
    const importId = await queries.insertImport(tx, { ...file, administrator_id: administratorId, created_at: clock.now() }, ignored);
    for (let at = 0; at < planned.length; at += batchSize) {
      await queries.insertImportRows(tx, importId, planned.slice(at, at + batchSize));
    }
    return importId;
  });
  return getImport(db, id);
}

async function readUpload(path: string | undefined): Promise<Buffer> {
  if (path === undefined) throw invalidField('file', 'Choose a CSV file');
  return readFile(path);
}

/** The columns of a file, so that an administrator can say which is which. Throws `invalid_input` about the file as a whole. */
export const readColumns = async (country: CountryCode, path: string | undefined) => listColumns(await readUpload(path), country);

type Unplanned = { line: number; draft: InvitationDraft | null; name?: string; problems: readonly RowProblem[] };

function readContacts(rows: readonly { draft: unknown }[]): { emails: string[]; numbers: string[] } {
  const drafts = rows.flatMap(({ draft }) => (draft as InvitationDraft | null) ?? []);
  return { emails: drafts.map(({ email }) => email), numbers: drafts.flatMap(({ businessNumber }) => businessNumber || []) };
}

type Listed = Awaited<ReturnType<typeof listListedBusinesses>>;
/** Which of these businesses have a listing. Reads all listings, 0.4 s at 100,000, so it runs once per file instead of once per batch. */
const listListed = (db: Reader, rows: readonly { draft: unknown }[]): Promise<Listed> => listListedBusinesses(db, readContacts(rows));

/** What would happen to each row now. Of rows with one mailbox or number, the first counts. */
async function planRows(db: Reader, rows: readonly Unplanned[], listed: Listed): Promise<queries.PlannedRow[]> {
  const keys = await createAbuseKeys(db);
  const { emails, numbers } = readContacts(rows);
  const pause = openPauses();
  const mailboxKeys: string[] = [];
  for (const email of emails) {
    mailboxKeys.push(keys.ofMailbox(email));
    await pause();
  }
  const refused = await queries.listRefused(db, mailboxKeys);
  const invited = await queries.listInvited(db, mailboxKeys, numbers.map(keys.ofBusinessNumber));
  const members = new Set<string>();
  for (const email of [...(await listRegisteredEmails(db, emails)), ...listed.emails]) {
    members.add(keys.ofMailbox(email));
    await pause();
  }
  const listedNumbers = new Set(listed.numbers);
  const seen = new Set<string>();
  const planned: queries.PlannedRow[] = [];
  for (const { line, draft, name, problems } of rows) {
    await pause();
    if (!draft) {
      planned.push({ line, draft: name ? { businessName: name } : null, problems, outcome: 'invalid' });
      continue;
    }
    const mailbox = keys.ofMailbox(draft.email);
    const all = draft.businessNumber ? [mailbox, keys.ofBusinessNumber(draft.businessNumber)] : [mailbox];
    const isRepeated = all.some((key) => seen.has(key));
    for (const key of all) seen.add(key);
    const outcome = refused.has(mailbox)
      ? 'refused'
      : isRepeated
        ? 'duplicate'
        : members.has(mailbox) || listedNumbers.has(draft.businessNumber)
          ? 'member'
          : all.some((key) => invited.has(key))
            ? 'invited'
            : isInvitable(draft)
              ? 'invite'
              : 'closed';
    planned.push({ line, draft, problems, outcome });
  }
  return planned;
}

const toImports = async (db: Reader, records: readonly queries.ImportRecord[]): Promise<InvitationImport[]> => {
  const counted = await queries.countRows(
    db,
    records.map(({ id }) => id),
  );
  return records.map((record) => {
    const own = counted.filter((row) => row.import_id === record.id);
    const sum = (rows: typeof own) => rows.reduce((total, { count }) => total + count, 0);
    const outcomes = Object.keys(rowOutcomes) as RowOutcome[];
    return {
      _id: record.id,
      fileHash: record.file_hash.toString('hex'),
      country: record.country,
      ignoredColumns: record.ignored_columns as IgnoredColumn[],
      rows: record.row_count,
      counts: Object.fromEntries(outcomes.map((one) => [one, sum(own.filter(({ outcome }) => outcome === one))])) as Record<
        RowOutcome,
        number
      >,
      basis: record.basis,
      createdAt: record.created_at.toISOString(),
      executedAt: record.executed_at?.toISOString() ?? null,
      finishedAt: record.finished_at?.toISOString() ?? null,
      applied: sum(own.filter(({ is_applied: isApplied }) => isApplied)),
    };
  });
};

/** Throws `import_not_found`. */
export async function getImport(db: Reader, id: string): Promise<InvitationImport> {
  const record = await queries.findImport(db, id);
  const [found] = record ? await toImports(db, [record]) : [];
  if (!found) throw new AppError('import_not_found');
  return found;
}

export const listImports = async (db: Reader) => toImports(db, await queries.listNewestImports(db, newestImports));

// Without a value once the import is executed, and in rows from before values were kept.
const readProblems = (stored: unknown): RowProblem[] =>
  (stored as (Omit<RowProblem, 'value'> & { value?: string })[]).map(({ value = '', ...problem }) => ({ ...problem, value }));

/** "Ponsonby, Auckland": a city that is its own region appears once. */
const formatPlace = ({ base, district, region }: InvitationDraft) => [...new Set([base, district, region])].filter(Boolean).join(', ');

/** A page of rows. Throws `import_not_found`. */
export async function listImportRows(db: Reader, id: string, query: z.output<(typeof listImportRowsCall)['query']>) {
  if (!(await queries.findImport(db, id))) throw new AppError('import_not_found');
  const { page = 1, limit = defaultPageSize, outcome } = query;
  const total = await queries.countRowsOf(db, id, outcome);
  const rows = await queries.listRows(db, id, outcome, { skip: (page - 1) * limit, take: limit });
  return {
    rows: rows.map((row): ImportRow => {
      const draft = row.draft as InvitationDraft | null;
      const isComplete = draft !== null && row.outcome !== 'invalid';
      return {
        line: row.line,
        outcome: row.outcome,
        name: draft?.businessName ?? null,
        email: isComplete ? draft.email : null,
        place: isComplete ? formatPlace(draft) : null,
        problems: readProblems(row.problems),
      };
    }),
    currentPage: page,
    totalPages: Math.max(1, Math.ceil(total / limit)),
    total,
  };
}

/** Each problem of the file as a line of a CSV. Throws `import_not_found`. */
export async function formatImportErrors(db: Reader, id: string): Promise<string> {
  const record = await queries.findImport(db, id);
  if (!record) throw new AppError('import_not_found');
  const rows = await queries.listRows(db, id, 'invalid', { skip: 0, take: record.row_count });
  const lines = rows.flatMap(({ line, draft, problems }) => {
    const { businessName = '' } = (draft as Partial<InvitationDraft> | null) ?? {};
    return readProblems(problems).map(({ column, value, message }) => [String(line), businessName, column, value, message]);
  });
  return formatCsv([['line', 'business', 'column', 'value', 'problem'], ...lines]);
}

/** Starts inviting the businesses of a dry run, once. Throws `import_not_found`, `import_file_differs`. */
export async function executeImport(
  { db, jobs, clock }: Context,
  administratorId: string,
  id: string,
  { fileHash, basis }: z.output<(typeof executeImportCall)['body']>,
): Promise<InvitationImport> {
  await db.transaction().execute(async (tx) => {
    const record = await queries.lockImport(tx, id);
    if (!record) throw new AppError('import_not_found');
    if (record.file_hash.toString('hex') !== fileHash) throw new AppError('import_file_differs');
    if (record.executed_at) return;
    // Who is written to because of a published address is told where it was published.
    const without = basis === 'published_address' ? await queries.countWithoutSource(tx, id) : 0;
    if (without > 0)
      throw invalidField(
        'basis',
        `For this, each business needs a source: ${counted(without, 'row')} of the file have none. Add the column “source”`,
      );
    await setAuditActor(tx, administratorId);
    await queries.startExecution(tx, id, basis, clock.now());
    await jobs.send(tx, executeImportJob, { importId: id });
  });
  return getImport(db, id);
}

/** Applies an import to its end. A retry continues where the last one stopped. */
export async function applyImport(context: Context, importId: string, batch = batchSize): Promise<void> {
  const listed = await listListed(context.db, await queries.listWaitingRows(context.db, importId, maxImportRows));
  while (await context.db.transaction().execute((tx) => applyBatch(context, tx, { importId, listed, batch })));
}

/** Invites a batch of businesses and queues their emails; false when nothing is left. */
type Batch = { importId: string; listed: Listed; batch: number };

async function applyBatch({ jobs, clock, appUrl }: Context, tx: Tx, { importId, listed, batch }: Batch): Promise<boolean> {
  const record = await queries.lockImport(tx, importId);
  const basis = record?.basis;
  if (!basis || record.finished_at) return false;
  const now = clock.now();
  const waiting = await queries.listWaitingRows(tx, importId, batch);
  if (waiting.length === 0) {
    await queries.setFinished(tx, importId, now);
    return false;
  }
  const keys = await createAbuseKeys(tx);
  const planned = await planRows(
    tx,
    waiting.map(({ line, draft }) => ({ line, draft: draft as InvitationDraft | null, problems: [] })),
    listed,
  );
  const invitations = planned.flatMap(({ line, draft, outcome }) => {
    if (outcome !== 'invite') return [];
    const mailboxKey = keys.ofMailbox(draft.email);
    return [{ line, draft, token: createToken(), mailboxKey }];
  });
  const inserted = await queries.insertInvitations(
    tx,
    invitations.map(({ draft, token, mailboxKey }) => ({
      mailbox_key: mailboxKey,
      business_number_key: draft.businessNumber ? keys.ofBusinessNumber(draft.businessNumber) : null,
      basis,
      draft,
      token_hash: hashToken(token),
      created_at: now,
    })),
  );
  const linksOf = await signRefusalLinks(tx, appUrl);
  const sent = invitations.filter(({ mailboxKey }) => inserted.has(mailboxKey));
  await jobs.sendAll(
    tx,
    sendMail,
    sent.map(({ draft, token, mailboxKey }) =>
      invitationEmail({ draft, basis, token, end: linksOf(mailboxKey), mailboxKey, isReminder: false, appUrl }),
    ),
  );
  const lost = new Set(invitations.filter(({ mailboxKey }) => !inserted.has(mailboxKey)).map(({ line }) => line));
  await queries.setApplied(tx, importId, new Map(planned.map(({ line, outcome }) => [line, lost.has(line) ? 'invited' : outcome])));
  return true;
}

/** Deletes dry runs that were not executed, with their rows. */
export const deleteOldDryRuns = ({ db, clock }: Context) => queries.deleteDryRuns(db, new Date(clock.now().getTime() - dryRunMs));
