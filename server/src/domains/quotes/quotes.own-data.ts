import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { OwnData } from '../../kit/own-data.ts';
import * as queries from './quotes.queries.ts';
import { moveQuote } from './quotes.states.ts';
import { toQuote } from './quotes.views.ts';

/** The quotes that a user has sent and received. */
export const getOwnQuoteData = (db: Reader, userId: string): OwnData => ({
  lists: {
    quotes: async () => {
      const rows = await queries.listQuotesOfUser(db, userId);
      const lines = await queries.listQuoteLines(
        db,
        rows.map(({ id }) => id),
      );
      // As of the time it was sent, the state is the stored one.
      return rows.map((row) => toQuote(row, lines, userId, row.sent_at));
    },
  },
});

/**
 * Part of account deletion. Open quotes end, and the name in those that were not accepted goes. An accepted one is an agreement: it stays for the
 * other side as it was.
 */
export async function endQuotesOfUser(tx: Tx, userId: string, now: Date): Promise<void> {
  for (const { role, ...quote } of await queries.lockUnacceptedQuotesOfUser(tx, userId)) {
    const change =
      role === 'seller' ? ({ status: 'withdrawn' } as const) : ({ status: 'declined', decline_reason: 'left', decline_note: '' } as const);
    await moveQuote(tx, quote, change, now);
  }
  await queries.anonymizeQuotes(tx, userId, formerMember);
}
