import type { DrawEntry } from '@handwise/contract/tickets/calls';
import type { Reader } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import type { Period } from './tickets.periods.ts';
import * as queries from './tickets.queries.ts';
import { formatMonth } from './tickets.rules.ts';

/** Active tickets, entries and people of a period, optionally of one user only. */
export const countTickets = (db: Reader, { periodId, userId }: { periodId: string; userId?: string }) =>
  queries.countActiveTickets(db, periodId, userId);

/** Newest first, of one period or all. */
export const listEntriesOfUser = async (db: Reader, userId: string, period?: Pick<Period, 'id'>): Promise<DrawEntry[]> =>
  (await queries.listOwnEntryRows(db, userId, period?.id)).map(toDrawEntry);

export const toDrawEntry = (row: queries.OwnEntryRow): DrawEntry => ({
  id: row.id,
  source: row.source,
  createdAt: row.created_at.toISOString(),
  status: row.void_reason ? 'void' : row.closed_at ? 'drawn' : 'active',
  tickets: row.tickets,
  expiryDate: (row.closed_at && row.closed_at < row.closes_at ? row.closed_at : row.closes_at).toISOString(),
  voidReason: row.void_reason,
  period: formatMonth(row),
});

export const getOwnTicketData = (db: Reader, userId: string): OwnData => ({
  lists: { tickets: () => listEntriesOfUser(db, userId) },
});
