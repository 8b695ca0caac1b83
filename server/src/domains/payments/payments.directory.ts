import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import { isId } from '../../kit/database/search-text.ts';

export type PaymentStatus = 'all' | 'open' | 'succeeded' | 'failed' | 'canceled' | 'refunded';
type Wanted = { q: string | undefined; payerIds: readonly string[]; status: PaymentStatus; skip: number; take: number; counted: number };

const payments = (db: Reader) =>
  db
    .selectFrom('payments')
    .leftJoin('refunds', 'refunds.payment_id', 'payments.id')
    .leftJoin('receipts', 'receipts.payment_id', 'payments.id');

const shown = [
  'payments.id',
  'payments.user_id',
  'intent_id',
  'purpose',
  'amount_minor',
  'currency',
  'payments.status',
  'payments.created_at',
  'receipts.number as receipt_number',
  'refunds.status as refund_status',
  'refunds.reason as refund_reason',
] as const;

/** Payments by intent, id, number of the tax invoice or payer, the newest first; how many there are is counted up to `counted`. */
export async function searchForAdmin(db: Reader, { q, payerIds, status, skip, take, counted }: Wanted) {
  const wanted = payments(db)
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      return query.where((is) =>
        is.or([
          is('intent_id', '=', text),
          ...(isId(text) ? [is('payments.id', '=', text)] : []),
          ...(/^\d{1,9}$/.test(text) ? [is('receipts.number', '=', Number(text))] : []),
          ...(payerIds.length > 0 ? [is('payments.user_id', '=', sql<string>`any(${[...payerIds]}::uuid[])`)] : []),
        ]),
      );
    })
    .$if(status === 'refunded', (query) => query.where('refunds.id', 'is not', null))
    .$if(status !== 'all' && status !== 'refunded', (query) =>
      query.where('payments.status', '=', status === 'all' || status === 'refunded' ? 'open' : status),
    );
  const [rows, { total }] = await Promise.all([
    wanted.select(shown).orderBy('payments.id', 'desc').offset(skip).limit(take).execute(),
    db
      .selectFrom(wanted.select('payments.id').limit(counted).as('found'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type DirectoryRow = Awaited<ReturnType<typeof searchForAdmin>>['rows'][number];

export const listForAdmin = (db: Reader, payerId: string, most: number) =>
  payments(db).select(shown).where('payments.user_id', '=', payerId).orderBy('payments.id', 'desc').limit(most).execute();
