import { z } from 'zod';
import type { Call } from '../call.ts';
import { pageQuery } from '../listings/calls.ts';

export const adminPageSize = 25;

/** A page of any list for administrators. */
export const pages = { currentPage: z.int(), totalPages: z.int(), total: z.int() };

const auditEntry = z.object({
  number: z.int(),
  writtenAt: z.iso.datetime(),
  actor: z.object({ _id: z.uuid(), name: z.string() }).nullable().meta({
    description: 'The person the server made the change for; null if the server acted by itself, or somebody worked in the database',
  }),
  program: z.string().meta({ description: 'handwise is the server; any other name, or none, is somebody working in the database' }),
  databaseRole: z.string(),
  what: z.string().meta({ description: 'The table and the kind of change', example: 'users.update' }),
  subjectId: z.uuid(),
  before: z.record(z.string(), z.unknown()).nullable(),
  after: z.record(z.string(), z.unknown()).nullable(),
  hash: z.string(),
});
export type AuditEntry = z.infer<typeof auditEntry>;

export const listAuditLogCall = {
  method: 'GET',
  url: '/admin/audit',
  summary: 'List the audit log, newest entry first, with the head of its chain',
  access: 'admin',
  query: z.strictObject({
    ...pageQuery,
    subject: z.uuid('Use the id of what was changed').optional(),
    table: z
      .enum(
        [
          'users',
          'listings',
          'reviews',
          'payments',
          'refunds',
          'disputes',
          'fraud_warnings',
          'subscriptions',
          'plans',
          'site_settings',
          'decisions',
          'reports',
          'appeals',
          'looks',
          'referrals',
          'given_entries',
          'draws',
          'draw_picks',
          'prize_claims',
          'draw_actions',
        ],
        'Use the name of a table',
      )
      .optional(),
  }),
  response: z.object({
    entries: z.array(auditEntry),
    head: z.object({ number: z.int(), hash: z.string() }),
    ...pages,
  }),
  errors: [],
} as const satisfies Call;
