import { type Insertable, sql } from 'kysely';
import { foundPaymentDays } from '@handwise/contract/periods';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { type PaymentRow, paymentColumns } from './payments.queries.ts';

const foundColumns = [
  'id',
  'intent_id',
  'payment_id',
  'user_id',
  'amount_minor',
  'currency',
  'outcome',
  'reason',
  'refund_id',
  'refund_status',
  'found_at',
] as const;

const selectFound = (db: Reader) => db.selectFrom('found_payments').select(foundColumns);
export type FoundRow = Awaited<ReturnType<ReturnType<typeof selectFound>['execute']>>[number];

/** False when it was found already; waits for another transaction that inserts the same intent. */
export const insertFoundPayment = async (tx: Tx, row: Insertable<DB['found_payments']>): Promise<boolean> =>
  (await tx
    .insertInto('found_payments')
    .values(row)
    .onConflict((conflict) => conflict.column('intent_id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const findFoundPayment = (db: Reader, intentId: string) => selectFound(db).where('intent_id', '=', intentId).executeTakeFirst();

export const lockFoundPayment = (tx: Tx, intentId: string) =>
  selectFound(tx).where('intent_id', '=', intentId).forUpdate().executeTakeFirstOrThrow();

/** Found payments whose refund has not arrived yet. */
export const listPendingFoundPayments = (db: Reader) =>
  selectFound(db)
    .where('refund_status', '=', sql.lit('pending' as const))
    .execute();

export const listRecentFoundPayments = (db: Reader) =>
  selectFound(db)
    .where('found_at', '>', sql<Date>`now() - make_interval(days => ${foundPaymentDays})`)
    .orderBy('found_at', 'desc')
    .limit(100)
    .execute();

export async function listFoundPayments(db: Reader, intentIds: readonly string[]): Promise<FoundRow[]> {
  const rows: FoundRow[] = [];
  for (let at = 0; at < intentIds.length; at += 5_000) {
    rows.push(
      ...(await selectFound(db)
        .where('intent_id', 'in', intentIds.slice(at, at + 5_000))
        .execute()),
    );
  }
  return rows;
}

export const setFoundRefund = (tx: Tx, intentId: string, refund: Pick<FoundRow, 'refund_id' | 'refund_status'>) =>
  tx.updateTable('found_payments').set(refund).where('intent_id', '=', intentId).execute();

type RebuiltPayment = Pick<
  PaymentRow,
  | 'id'
  | 'user_id'
  | 'purpose'
  | 'plan_id'
  | 'country'
  | 'listing_id'
  | 'replaces_id'
  | 'renews_id'
  | 'amount_minor'
  | 'currency'
  | 'intent_id'
  | 'account'
  | 'livemode'
  | 'created_at'
>;

/** Inserts a lost payment as cancelled: its money can still be booked, and it does not block another open payment. */
export const insertRebuiltPayment = (tx: Tx, payment: RebuiltPayment) =>
  tx
    .insertInto('payments')
    .values({ ...payment, status: 'canceled' })
    .returning(paymentColumns)
    .executeTakeFirstOrThrow();

/** Whether the user has paid for the same again since then; payments lost in the same restore do not count. */
export const hasPaidAgain = async (
  tx: Tx,
  { user_id, purpose, plan_id, country, listing_id, renews_id, created_at }: RebuiltPayment,
): Promise<boolean> =>
  (await tx
    .selectFrom('payments')
    .select('id')
    .where('user_id', '=', user_id)
    .where('status', '=', 'succeeded')
    .where('bought_minor', '>', sql.lit(0))
    .where('purpose', '=', purpose)
    .where('plan_id', '=', plan_id)
    .where('country', '=', country)
    .where('listing_id', 'is not distinct from', listing_id)
    .where('renews_id', 'is not distinct from', renews_id)
    .where('created_at', '>', created_at)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('found_payments').select('id').whereRef('found_payments.intent_id', '=', 'payments.intent_id'))),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Never moves backwards: of two concurrent scans the later time stays. */
export const setScannedUntil = (db: Reader, until: Date) =>
  db.updateTable('payment_site').set({ looked_until: until }).where('looked_until', '<', until).execute();

export const listPaymentStatuses = async (db: Reader, intentIds: readonly string[]) =>
  intentIds.length === 0
    ? []
    : db
        .selectFrom('payments')
        .select(['intent_id', 'status'])
        .where('intent_id', 'in', [...intentIds])
        .execute();

/** The account that the newest payment was made with; undefined if none is recorded. */
export const findNewestPaymentAccount = (db: Reader) =>
  db
    .selectFrom('payments')
    .select(['account', 'livemode'])
    .where('livemode', 'is not', null)
    .where('intent_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
