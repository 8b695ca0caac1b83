import { sql } from 'kysely';
import type { Reader, Tx } from '../../../kit/database/database.ts';

/** The tax invoice of a payment, with what notes have taken off it. */
export const findReceiptOf = (db: Reader, paymentId: string) =>
  db
    .selectFrom('receipts')
    .select(['id', 'number', 'issued_at', 'details'])
    .select(({ selectFrom }) =>
      selectFrom('adjustment_notes')
        .select(sql<number>`coalesce(sum((adjustment_notes.details ->> 'totalMinor')::int), 0)::int`.as('noted'))
        .whereRef('receipt_id', '=', 'receipts.id')
        .$asScalar()
        .as('noted'),
    )
    .where('payment_id', '=', paymentId)
    .executeTakeFirst();

/** Writes a note under the next number. Whoever else writes one waits: that is the price of numbers without gaps. */
export async function insertNote(
  tx: Tx,
  note: { user_id: string; receipt_id: string; refund_id: string; issued_at: Date; details: string },
) {
  const { last } = await tx
    .updateTable('adjustment_numbers')
    .set(({ eb }) => ({ last: eb('last', '+', 1) }))
    .returning('last')
    .executeTakeFirstOrThrow();
  return tx
    .insertInto('adjustment_notes')
    .values({ ...note, number: last })
    .returning(['id', 'number', 'issued_at'])
    .executeTakeFirstOrThrow();
}

/** The notes of a payment, the oldest first. */
export const listNotesOf = (db: Reader, paymentId: string) =>
  db
    .selectFrom('adjustment_notes')
    .innerJoin('refunds', 'refunds.id', 'refund_id')
    .select(['number', 'refund_id', 'issued_at', 'details'])
    .where('payment_id', '=', paymentId)
    .orderBy('number')
    .execute();

export const findNote = (db: Reader, userId: string, id: string) =>
  db
    .selectFrom('adjustment_notes')
    .select(['id', 'number', 'issued_at', 'details'])
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst();
