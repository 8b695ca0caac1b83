import { z } from 'zod';
import { pages } from '../admin/calls.ts';
import type { Call } from '../call.ts';
import { countryCode } from '../country-code.ts';
import { pageQuery } from '../listings/calls.ts';
import { mainCategories } from '../listings/categories.ts';
import { mailToken } from '../mail-preferences.ts';
import { atMost, line } from '../text-fields.ts';
import {
  importColumns,
  type ImportColumn,
  type ImportMapping,
  type InvitationBasis,
  invitationBases,
  maxImportMb,
  type RowOutcome,
  rowOutcomes,
} from './words.ts';

const time = z.iso.datetime();
const count = z.int().nonnegative();
const outcome = z.enum(Object.keys(rowOutcomes) as [RowOutcome, ...RowOutcome[]], 'Use an outcome of the list');
const basis = z.enum(Object.keys(invitationBases) as [InvitationBasis, ...InvitationBasis[]], 'Say why they may be emailed');
const importId = z.object({ id: z.uuid('Use the id of an import') });
const fileHash = z.string().regex(/^[\da-f]{64}$/, 'Use the hash that the dry run showed');

const invitationImport = z.object({
  _id: z.uuid(),
  fileHash,
  country: countryCode,
  ignoredColumns: z.array(
    z.object({ name: z.string(), reason: z.enum(['protected', 'unknown']).meta({ description: 'protected: decides money or a state' }) }),
  ),
  rows: count,
  counts: z.record(outcome, count).meta({ description: 'Rows by outcome: as planned, and once a row is applied, as done' }),
  basis: basis.nullable(),
  createdAt: time,
  executedAt: time.nullable().meta({ description: 'Null for a dry run' }),
  finishedAt: time.nullable(),
  applied: count.meta({ description: 'Rows that have been applied' }),
});
export type InvitationImport = z.infer<typeof invitationImport>;

const csvFile = { maxFiles: 1, maxBytes: maxImportMb * 1_000_000, required: true } as const;
const columnNames = Object.keys(importColumns) as [ImportColumn, ...ImportColumn[]];
const wrongMapping = 'Use a JSON object of columns and their names in the file';

const mapping = z
  .string()
  .max(4_000)
  .transform((text, context): ImportMapping => {
    try {
      return z.partialRecord(z.enum(columnNames), line().max(200)).parse(JSON.parse(text));
    } catch {
      context.addIssue(wrongMapping);
      return z.NEVER;
    }
  });

export const readImportColumnsCall = {
  method: 'POST',
  url: '/admin/imports/columns',
  summary: 'Get the columns of a CSV, to say which is which',
  access: 'admin',
  form: z.object({ country: countryCode }),
  files: { file: csvFile },
  response: z.object({
    columns: z.array(z.object({ name: z.string(), example: z.string().meta({ description: 'Its first cell that is not empty' }) })),
    recognised: z.partialRecord(z.enum(columnNames), z.string()).meta({ description: 'Our columns and their names in the file' }),
    missing: z.array(z.enum(columnNames)).meta({ description: 'Required columns that were not recognised' }),
  }),
  errors: ['file_too_large', 'too_many_files'],
} as const satisfies Call;

export const createImportCall = {
  method: 'POST',
  url: '/admin/imports',
  summary: 'Check a CSV of businesses: a dry run, which invites nobody',
  details: 'UTF-8, with a header. Columns that decide money or a state, and unknown ones, are ignored. A dry run is deleted after a day.',
  access: 'admin',
  status: 201,
  form: z.object({
    country: countryCode,
    columns: mapping.optional().meta({
      example: '{"name":"Business name","place":"Town"}',
      description: 'Which column of the file is which, as JSON. Without it, the columns are recognised by their names',
    }),
    trade: line()
      .max(...atMost(60))
      .optional()
      .meta({ description: 'The trade of every business, if the file has no column for it' }),
  }),
  files: { file: csvFile },
  response: invitationImport,
  errors: ['file_too_large', 'too_many_files'],
} as const satisfies Call;

export const listImportsCall = {
  method: 'GET',
  url: '/admin/imports',
  summary: 'List the newest imports',
  details: 'The last twenty.',
  access: 'admin',
  response: z.object({ imports: z.array(invitationImport) }),
  errors: [],
} as const satisfies Call;

export const getImportCall = {
  method: 'GET',
  url: '/admin/imports/:id',
  summary: 'Get an import with its progress',
  access: 'admin',
  params: importId,
  response: invitationImport,
  errors: ['import_not_found'],
} as const satisfies Call;

const importRow = z.object({
  line: z.int().meta({ description: 'In the file, from 1' }),
  outcome,
  name: z.string().nullable().meta({ description: 'The business; null if the row has none, and once the row is applied' }),
  email: z.string().nullable(),
  place: z.string().nullable().meta({ description: 'As it was understood', example: 'Ponsonby, Auckland' }),
  problems: z.array(
    z.object({
      column: z.string(),
      value: z.string().meta({ description: 'What the file says, cut to 100 characters; empty once the import is executed' }),
      message: z.string(),
    }),
  ),
});
export type ImportRow = z.infer<typeof importRow>;

export const listImportRowsCall = {
  method: 'GET',
  url: '/admin/imports/:id/rows',
  summary: 'List the rows of an import, in the order of the file',
  access: 'admin',
  params: importId,
  query: z.strictObject({ ...pageQuery, outcome: outcome.optional() }),
  response: z.object({ rows: z.array(importRow), ...pages }),
  errors: ['import_not_found'],
} as const satisfies Call;

export const getImportErrorsCall = {
  method: 'GET',
  url: '/admin/imports/:id/errors',
  summary: 'Get the errors of an import as CSV',
  access: 'admin',
  params: importId,
  response: z.string(),
  mediaType: 'text/csv',
  errors: ['import_not_found'],
} as const satisfies Call;

export const executeImportCall = {
  method: 'POST',
  url: '/admin/imports/:id/execute',
  summary: 'Send invitations to the businesses of a dry run',
  details: 'Runs in the background. Again for the same import, it changes nothing.',
  access: 'admin',
  recent: true,
  status: 202,
  params: importId,
  body: z.object({
    fileHash,
    basis,
    isConfirmed: z.literal(true, 'Confirm that the basis is right for every business in the file'),
  }),
  response: invitationImport,
  errors: ['import_not_found', 'import_file_differs'],
} as const satisfies Call;

const token = z
  .string({ error: 'This link is not complete. Open it again from the email.' })
  .regex(/^[\w-]{43}$/, 'This link is not complete. Open it again from the email.')
  .meta({ description: 'From the email' });

const invitationDraft = z.object({
  businessName: z.string(),
  email: z.string(),
  country: countryCode,
  region: z.string(),
  district: z.string(),
  base: z.string().optional().meta({ description: 'A town or suburb of the district; empty or, from before 28 November 2026, missing' }),
  mainCategory: z.enum(mainCategories),
  category: z.string(),
  subCategory: z.string(),
  phone: z.string(),
  website: z.string(),
  businessNumber: z.string(),
  text: z.string(),
  source: z.string().optional().meta({ description: 'Where the data came from, and when; empty or missing if that is not known' }),
});
export type InvitationDraft = z.infer<typeof invitationDraft>;

export const showInvitationCall = {
  method: 'POST',
  url: '/invitations/show',
  summary: 'Get an invitation that is open, or yours, by the link in its email',
  access: 'optional',
  body: z.object({ token }),
  response: z.object({
    businessName: z.string(),
    email: z.string(),
    because: z.string(),
    source: z.string().nullable().meta({ description: 'Where the operator found what it prepared, and when' }),
    expiresAt: time,
  }),
  errors: ['link_not_valid', 'too_many_requests'],
} as const satisfies Call;

export const claimInvitationCall = {
  method: 'POST',
  url: '/invitations/claim',
  summary: 'Accept an invitation, which gives you its draft and a free first month',
  details: 'One account can. Again by the same account, it answers the same.',
  access: 'session',
  body: z.object({ token }),
  response: z.object({ draft: invitationDraft }),
  errors: ['not_authenticated', 'link_not_valid', 'too_many_requests'],
} as const satisfies Call;

export const refuseInvitationsCall = {
  method: 'POST',
  url: '/invitations/refuse',
  summary: 'Stop all further invitations by the link in one of them',
  details: 'Needs no sign-in: mail programs do this in one click (RFC 8058).',
  access: 'public',
  query: z.object({ token: mailToken }),
  response: z.object({ isRefused: z.literal(true) }),
  errors: ['link_not_valid'],
} as const satisfies Call;
