import { type ExpressionBuilder, sql } from 'kysely';
import type { DeclineReason, QuoteStatus } from '@handwise/contract/quotes/words';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Tx } from '../../kit/database/database.ts';
import { type LifeCycle, canTransition, listStatesBefore } from '../../kit/life-cycle.ts';

/** An accepted quote is final. The database holds the same table (025-quotes.sql). */
export const quoteTransitions = {
  sent: ['seen', 'accepted', 'declined', 'replaced', 'expired', 'withdrawn'],
  seen: ['accepted', 'declined', 'replaced', 'expired', 'withdrawn'],
  accepted: [],
  declined: [],
  replaced: [],
  expired: [],
  withdrawn: [],
} as const satisfies LifeCycle<QuoteStatus>;

/** The statuses from which a quote can still be accepted. */
const openStatuses = listStatesBefore<QuoteStatus>(quoteTransitions, 'accepted');

type Timed = { status: QuoteStatus; expires_at: Date };

/** The status by the clock: an open quote whose time is over is expired, whether or not the job has run. */
export const getStatusAt = ({ status, expires_at }: Timed, now: Date): QuoteStatus =>
  canTransition<QuoteStatus>(quoteTransitions, status, 'expired') && expires_at <= now ? 'expired' : status;

export const isUnseen = (status: QuoteStatus) => status === 'sent';
export const isAccepted = (status: QuoteStatus) => status === 'accepted';
const isOpen = (status: QuoteStatus) => openStatuses.includes(status);

/** In the order in which a list shows the quotes of one conversation: the open one, the accepted one, others. */
export const getRank = (status: QuoteStatus) => (isOpen(status) ? 0 : isAccepted(status) ? 1 : 2);

export const whereOpen = (eb: ExpressionBuilder<DB, 'quotes'>) => eb('quotes.status', 'in', openStatuses);

type Change =
  | { status: 'seen' }
  | { status: 'accepted' | 'replaced' | 'expired' | 'withdrawn' }
  | { status: 'declined'; decline_reason: DeclineReason | 'left'; decline_note: string };

/**
 * The only way to change a status; the conversation must be locked, or the quote itself. False if the table has no such step; then nothing was
 * changed.
 */
export async function moveQuote(tx: Tx, quote: { id: string; status: QuoteStatus }, change: Change, at: Date): Promise<boolean> {
  if (!canTransition<QuoteStatus>(quoteTransitions, quote.status, change.status)) return false;
  const isRead = change.status === 'seen' || change.status === 'accepted' || change.status === 'declined';
  const { numUpdatedRows } = await tx
    .updateTable('quotes')
    .set({
      ...change,
      ...(isRead && { seen_at: sql<Date>`coalesce(seen_at, ${at})` }),
      ...(change.status !== 'seen' && { closed_at: at }),
    })
    .where('id', '=', quote.id)
    .where('status', '=', quote.status)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}
