import { foundPaymentDays } from '@handwise/contract/periods';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../../kit/database/database.ts';
import type { PaymentRow } from '../payments.queries.ts';

const columns = [
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

const found = (db: Reader) => db.selectFrom('found_payments').select(columns);
export type FoundRow = Awaited<ReturnType<ReturnType<typeof found>['execute']>>[number];

/** False where it was found already: whoever is finding it in another transaction is waited for. */
export const insertFound = async (tx: Tx, row: Insertable<DB['found_payments']>): Promise<boolean> =>
  (await tx
    .insertInto('found_payments')
    .values(row)
    .onConflict((conflict) => conflict.column('intent_id').doNothing())
    .returning('id')
    .executeTakeFirst()) !== undefined;

export const findFound = (db: Reader, intentId: string) => found(db).where('intent_id', '=', intentId).executeTakeFirst();

/** What is to go back and has not arrived yet, as far as is known. */
export const listUnreturned = (db: Reader) =>
  found(db)
    .where('refund_status', '=', sql.lit('pending' as const))
    .execute();

/** What was found lately, the newest first. */
export const listNewestFound = (db: Reader) =>
  found(db)
    .where('found_at', '>', sql<Date>`now() - make_interval(days => ${foundPaymentDays})`)
    .orderBy('found_at', 'desc')
    .limit(100)
    .execute();

/** Which of these intents were found, as the audit reads them. */
export async function listFoundOf(db: Reader, intentIds: readonly string[]): Promise<FoundRow[]> {
  const rows: FoundRow[] = [];
  for (let at = 0; at < intentIds.length; at += 5_000) {
    rows.push(
      ...(await found(db)
        .where('intent_id', 'in', intentIds.slice(at, at + 5_000))
        .execute()),
    );
  }
  return rows;
}

export const setRefund = (tx: Tx, intentId: string, refund: Pick<FoundRow, 'refund_id' | 'refund_status'>) =>
  tx.updateTable('found_payments').set(refund).where('intent_id', '=', intentId).execute();

type Rebuilt = Pick<
  PaymentRow,
  | 'id'
  | 'user_id'
  | 'purpose'
  | 'plan_id'
  | 'country'
  | 'listing_id'
  | 'replaces_id'
  | 'amount_minor'
  | 'currency'
  | 'intent_id'
  | 'account'
  | 'livemode'
  | 'created_at'
>;

/** Writes a lost payment again, as one that was given up: its money can arrive, and whoever pays anew meanwhile is not kept from it. */
export const insertRebuilt = (tx: Tx, payment: Rebuilt) =>
  tx
    .insertInto('payments')
    .values({ ...payment, status: 'canceled' })
    .execute();

/** Whether somebody has paid for the same once more since then, because they did not see what they had. What was lost with it does not count. */
export const hasPaidAgain = async (tx: Tx, { user_id, purpose, plan_id, country, listing_id, created_at }: Rebuilt): Promise<boolean> =>
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
    .where('created_at', '>', created_at)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('found_payments').select('id').whereRef('found_payments.intent_id', '=', 'payments.intent_id'))),
    )
    .limit(1)
    .executeTakeFirst()) !== undefined;

export const findSite = (db: Reader) => db.selectFrom('payment_site').select(['id', 'looked_until']).executeTakeFirstOrThrow();

/** Never backwards: of two that looked at the same time the later one stays. */
export const setLookedUntil = (db: Reader, until: Date) =>
  db.updateTable('payment_site').set({ looked_until: until }).where('looked_until', '<', until).execute();

export const listKnownIntents = async (db: Reader, intentIds: readonly string[]) =>
  intentIds.length === 0
    ? []
    : db
        .selectFrom('payments')
        .select(['intent_id', 'status'])
        .where('intent_id', 'in', [...intentIds])
        .execute();

/** Whose keys the newest payment was made with. Undefined where none is known to. */
export const findNewestBelonging = (db: Reader) =>
  db
    .selectFrom('payments')
    .select(['account', 'livemode'])
    .where('livemode', 'is not', null)
    .where('intent_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
