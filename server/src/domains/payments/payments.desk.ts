import { isId } from '@handwise/contract/ids';
import { type ExpressionBuilder, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader } from '../../kit/database/database.ts';
import { openStatuses } from './disputes/payments.disputes.states.ts';

type Status = 'open' | 'succeeded' | 'failed' | 'canceled';
export type PaymentStatus = 'all' | Status | 'refunded' | 'owed' | 'disputed';
type Wanted = { q: string | undefined; payerIds: readonly string[]; status: PaymentStatus; skip: number; take: number; counted: number };

const payments = (db: Reader) =>
  db
    .selectFrom('payments')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('refunds')
          .select(['refunds.id', 'refunds.status', 'refunds.reason', 'refunds.amount_minor'])
          .whereRef('refunds.payment_id', '=', 'payments.id')
          .orderBy('refunds.created_at', 'desc')
          .orderBy('refunds.id', 'desc')
          .limit(1)
          .as('newest'),
      (join) => join.onTrue(),
    )
    .leftJoin('receipts', 'receipts.payment_id', 'payments.id');

const isState = (status: PaymentStatus) => !['all', 'refunded', 'owed', 'disputed'].includes(status);

const shown = [
  'payments.id',
  'payments.user_id',
  'intent_id',
  'purpose',
  'payments.amount_minor',
  'owed_minor',
  'currency',
  'payments.status',
  'payments.created_at',
  'receipts.number as receipt_number',
  'newest.status as refund_status',
  'newest.reason as refund_reason',
  'newest.amount_minor as refund_minor',
] as const;

// Whether a bank decides about it.
const isDisputed = ({ exists, selectFrom }: ExpressionBuilder<DB, 'payments'>) =>
  exists(
    selectFrom('disputes')
      .select('disputes.id')
      .whereRef('disputes.payment_id', '=', 'payments.id')
      .where('disputes.status', 'in', openStatuses),
  )
    .$castTo<boolean>()
    .as('is_disputed');

/** Payments by intent, id, number of the tax invoice, refund or dispute at the provider, or payer, the newest first; how many there are is counted up to `counted`. */
export async function searchForAdmin(db: Reader, { q, payerIds, status, skip, take, counted }: Wanted) {
  const wanted = payments(db)
    .$if(q !== undefined, (query) => {
      const text = q ?? '';
      const receipt = /^(?:HW-)?(\d{1,9})$/i.exec(text)?.[1];
      return query.where((is) =>
        is.or([
          is('intent_id', '=', text),
          ...(isId(text) ? [is('payments.id', '=', text)] : []),
          ...(receipt ? [is('receipts.number', '=', Number(receipt))] : []),
          ...['refunds' as const, 'disputes' as const].map((table) =>
            is('payments.id', 'in', is.selectFrom(table).select(`${table}.payment_id`).where(`${table}.provider_id`, '=', text)),
          ),
          ...(payerIds.length > 0 ? [is('payments.user_id', '=', sql<string>`any(${[...payerIds]}::uuid[])`)] : []),
        ]),
      );
    })
    .$if(status === 'refunded', (query) => query.where('newest.id', 'is not', null))
    .$if(status === 'owed', (query) => query.where('owed_minor', '>', sql.lit(0)))
    .$if(status === 'disputed', (query) =>
      query.where('payments.id', 'in', (is) =>
        is.selectFrom('disputes').select('disputes.payment_id').where('disputes.status', 'in', openStatuses),
      ),
    )
    .$if(isState(status), (query) => query.where('payments.status', '=', status as Status));
  const [rows, { total }] = await Promise.all([
    wanted.select(shown).select(isDisputed).orderBy('payments.id', 'desc').offset(skip).limit(take).execute(),
    db
      .selectFrom(wanted.select('payments.id').limit(counted).as('found'))
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .executeTakeFirstOrThrow(),
  ]);
  return { rows, total };
}
export type DirectoryRow = Awaited<ReturnType<typeof searchForAdmin>>['rows'][number];

export const listForAdmin = (db: Reader, payerId: string, most: number) =>
  payments(db)
    .select(shown)
    .select(isDisputed)
    .where('payments.user_id', '=', payerId)
    .orderBy('payments.id', 'desc')
    .limit(most)
    .execute();
