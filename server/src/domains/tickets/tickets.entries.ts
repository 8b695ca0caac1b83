import type { DrawEntry } from '@handwise/contract/tickets/calls';
import type { Reader } from '../../kit/database/database.ts';
import type { Period } from './tickets.periods.ts';
import * as queries from './tickets.queries.ts';
import { monthText } from './tickets.rules.ts';

/** Active tickets of a period, or of one person in it, with the number of entries and of people. */
export const countTickets = (db: Reader, { periodId, userId }: { periodId: string; userId?: string }) =>
  queries.countActive(db, periodId, userId);

/** Somebody's entries, the newest first: of one period, or all. */
export const listEntriesOf = async (db: Reader, userId: string, period?: Pick<Period, 'id'>): Promise<DrawEntry[]> =>
  (await queries.listEntriesOf(db, userId, period?.id)).map(asOwnEntry);

export const asOwnEntry = (row: queries.OwnEntryRow): DrawEntry => ({
  id: row.id,
  source: row.source,
  createdAt: row.created_at.toISOString(),
  status: row.void_reason ? 'void' : row.closed_at ? 'drawn' : 'active',
  tickets: row.tickets,
  expiryDate: (row.closed_at && row.closed_at < row.closes_at ? row.closed_at : row.closes_at).toISOString(),
  voidReason: row.void_reason,
  period: monthText(row),
});
