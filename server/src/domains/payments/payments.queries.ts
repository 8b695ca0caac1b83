import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Account } from './customers/payments.account.ts';

const paymentColumns = [
  'id',
  'user_id',
  'purpose',
  'plan_id',
  'country',
  'listing_id',
  'replaces_id',
  'card_id',
  'amount_minor',
  'captured_minor',
  'bought_minor',
  'owed_minor',
  'currency',
  'status',
  'intent_id',
  'created_at',
  'account',
  'livemode',
  'succeeded_at',
] as const;

const selectPayments = (db: Reader) => db.selectFrom('payments').select(paymentColumns);

export type PaymentRow = Awaited<ReturnType<ReturnType<typeof selectPayments>['execute']>>[number];

// Written out, not a parameter: only then do the indexes of open payments serve.
const open = sql.lit('open' as const);
const listing = sql.lit('listing' as const);

export type NewPayment = Omit<
  PaymentRow,
  'id' | 'status' | 'intent_id' | 'created_at' | 'succeeded_at' | 'captured_minor' | 'bought_minor' | 'owed_minor' | 'account' | 'livemode'
>;

export const insertPayment = (tx: Tx, payment: NewPayment) =>
  tx.insertInto('payments').values(payment).returning(paymentColumns).executeTakeFirstOrThrow();

export const findPayment = (db: Reader, id: string) => selectPayments(db).where('id', '=', id).executeTakeFirst();

export const findPaymentOfIntent = (db: Reader, intentId: string) =>
  selectPayments(db).where('intent_id', '=', intentId).executeTakeFirst();

export const lockPayment = (tx: Tx, id: string) => selectPayments(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** The open payment of a user for a new subscription. */
export const findOpenPurchase = (db: Reader, userId: string) =>
  selectPayments(db).where('user_id', '=', userId).where('status', '=', open).where('purpose', '=', listing).executeTakeFirst();

/** The open payment for a listing's change of plan or reactivation, or for the change of the same plan by way of another listing. */
export const findOpenChange = (db: Reader, listingId: string, replacesId: string | null) =>
  selectPayments(db)
    .where('status', '=', open)
    .where('purpose', '<>', listing)
    .where((eb) => eb.or([eb('listing_id', '=', listingId), eb('replaces_id', '=', replacesId)]))
    .limit(1)
    .executeTakeFirst();

/** Writes down which intent is a payment's, and with whose keys it was made. */
export const setIntent = (db: Reader, id: string, intentId: string, here: Account) =>
  db.updateTable('payments').set({ intent_id: intentId, account: here.id, livemode: here.livemode }).where('id', '=', id).execute();

/** Counts that the provider failed to make the intent. Resolves to how often it has. */
export const countFault = async (db: Reader, id: string) =>
  (
    await db
      .updateTable('payments')
      .set((eb) => ({ provider_faults: eb('provider_faults', '+', 1) }))
      .where('id', '=', id)
      .returning('provider_faults')
      .executeTakeFirstOrThrow()
  ).provider_faults;

/** Open payments whose time to ask the provider has come by `now`, the longest waiting first; null for all of them. */
export const listOpenPayments = (db: Reader, now: Date | null, most: number) =>
  selectPayments(db)
    .where('status', '=', open)
    .$if(now !== null, (query) => query.where('check_at', '<=', now))
    .orderBy('check_at')
    .limit(most)
    .execute();

/** What a user has begun to pay. */
export const listOpenOf = (db: Reader, userId: string) =>
  selectPayments(db).where('user_id', '=', userId).where('status', '=', open).execute();

export async function forgetCards(tx: Tx, userId: string, now: Date): Promise<void> {
  await tx
    .updateTable('cards')
    .set(({ fn, val }) => ({ full_name: '', fingerprint: null, removed_at: fn.coalesce('removed_at', val(now)) }))
    .where('user_id', '=', userId)
    .execute();
  await tx
    .updateTable('payments')
    .set({ card_fingerprint: null })
    .where('user_id', '=', userId)
    .where('card_fingerprint', 'is not', null)
    .execute();
}

/** Forgets who a user is at the provider, and says who that was. */
export const takeCustomer = async (tx: Tx, userId: string) =>
  (await tx.deleteFrom('payment_customers').where('user_id', '=', userId).returning('customer_id').executeTakeFirst())?.customer_id;

export const setNextCheck = (db: Reader, id: string, checkAt: Date) =>
  db.updateTable('payments').set({ check_at: checkAt }).where('id', '=', id).execute();

/** What of a payment bought something. */
export const setBought = (tx: Tx, id: string, amount: number) =>
  tx.updateTable('payments').set({ bought_minor: amount }).where('id', '=', id).execute();

export const findCustomer = async (db: Reader, userId: string) =>
  (await db.selectFrom('payment_customers').select('customer_id').where('user_id', '=', userId).executeTakeFirst())?.customer_id;

const cardColumns = [
  'id',
  'user_id',
  'payment_method_id',
  'full_name',
  'brand',
  'last4',
  'exp_month',
  'exp_year',
  'account',
  'livemode',
] as const;
export type CardRow = NonNullable<Awaited<ReturnType<typeof findCard>>>;

export const listCards = (db: Reader, userId: string) =>
  db
    .selectFrom('cards')
    .select(cardColumns)
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

export const findCard = (db: Reader, userId: string, id: string) =>
  db
    .selectFrom('cards')
    .select(cardColumns)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

/** A saved card by the provider's name for it. */
export const findCardOfMethod = (db: Reader, paymentMethodId: string) =>
  db
    .selectFrom('cards')
    .select(cardColumns)
    .where('payment_method_id', '=', paymentMethodId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

type NewCard = Omit<CardRow, 'id' | 'account'> & { fingerprint: string | null };

/** Keeps a card, once for each payment method. Undefined for one that was removed: the provider has forgotten it for good. */
export const upsertCard = (db: Reader, card: NewCard) =>
  db
    .insertInto('cards')
    .values((eb) => ({
      ...card,
      account: eb.selectFrom('payment_customers').select('account').where('user_id', '=', card.user_id),
    }))
    .onConflict((conflict) =>
      conflict
        .column('payment_method_id')
        .doUpdateSet((eb) => ({
          full_name: card.full_name,
          fingerprint: card.fingerprint,
          brand: eb.ref('excluded.brand'),
          last4: eb.ref('excluded.last4'),
          exp_month: eb.ref('excluded.exp_month'),
          exp_year: eb.ref('excluded.exp_year'),
        }))
        .where('cards.removed_at', 'is', null),
    )
    .returning(cardColumns)
    .executeTakeFirst();

/** The cards that somebody keeps, by the provider's name for their number. */
export const listSavedCards = (db: Reader, userId: string) =>
  db.selectFrom('cards').select('fingerprint').where('user_id', '=', userId).where('removed_at', 'is', null).execute();

/**
 * The cards that somebody has saved, removed ones included, or paid with, each with the others who have. `isPaid`: a payment with it stands, and
 * nothing of it is on its way back.
 */
export async function listCardSharers(db: Reader, userId: string) {
  const { rows } = await sql<{ isPaid: boolean; others: string[] }>`
    with own as (
      select fingerprint, bool_or(is_paid) as is_paid from (
        select fingerprint, false as is_paid from cards where user_id = ${userId} and fingerprint is not null
        union all
        select card_fingerprint, not exists (select from refunds where payment_id = payments.id and status <> 'failed')
        from payments where user_id = ${userId} and card_fingerprint is not null
      ) as cards group by fingerprint
    )
    select is_paid as "isPaid", array(
      select user_id from cards where fingerprint = own.fingerprint and user_id <> ${userId}
      union
      select user_id from payments where card_fingerprint = own.fingerprint and user_id <> ${userId}
    ) as others from own`.execute(db);
  return rows;
}

/** Whether two users have saved or paid with the same card. */
export const haveSharedCard = async (db: Reader, one: string, other: string) =>
  (await listCardSharers(db, one)).some(({ others }) => others.includes(other));

export const removeCard = (db: Reader, userId: string, id: string, removedAt: Date) =>
  db
    .updateTable('cards')
    .set({ removed_at: removedAt })
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('removed_at', 'is', null)
    .returning('payment_method_id')
    .executeTakeFirst();

export const insertReceipt = (tx: Tx, receipt: { user_id: string; payment_id: string; details: string }) =>
  tx.insertInto('receipts').values(receipt).returning(['id', 'number', 'issued_at']).executeTakeFirstOrThrow();

const receiptRows = (db: Reader, userId: string) =>
  db
    .selectFrom('receipts')
    .leftJoinLateral(
      (eb) =>
        eb
          .selectFrom('refunds')
          .select([sql<number>`coalesce(sum(amount_minor), 0)::int`.as('refunded_minor'), sql<Date>`max(refunded_at)`.as('refunded_at')])
          .whereRef('refunds.payment_id', '=', 'receipts.payment_id')
          .where('refunds.status', '=', 'succeeded')
          .as('back'),
      (join) => join.onTrue(),
    )
    .select(['receipts.id', 'receipts.number', 'receipts.issued_at', 'receipts.details', 'back.refunded_at'])
    .select(({ fn }) => fn.coalesce('refunded_minor', sql<number>`0`).as('refunded_minor'))
    .where('receipts.user_id', '=', userId)
    .orderBy('receipts.number', 'desc');
export type ReceiptRow = Awaited<ReturnType<typeof listReceipts>>[number];

export const listReceipts = (db: Reader, userId: string) => receiptRows(db, userId).limit(200).execute();

export const findReceipt = (db: Reader, userId: string, id: string) =>
  receiptRows(db, userId).where('receipts.id', '=', id).executeTakeFirst();

/** All of a user's payments, by the names that the API has for what they hold. */
export const listOwnPayments = (db: Reader, userId: string) =>
  db
    .selectFrom('payments')
    .select(['id', 'purpose', 'country', 'listing_id as listingId', 'amount_minor as amountMinor', 'currency', 'status'])
    .select(['created_at as createdAt', 'succeeded_at as succeededAt', 'captured_minor as takenMinor', 'owed_minor as owedMinor'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

export const listOwnInvoices = (db: Reader, userId: string) =>
  db
    .selectFrom('receipts')
    .select(['number', 'payment_id as paymentId', 'issued_at as issuedAt', 'details'])
    .where('user_id', '=', userId)
    .orderBy('number')
    .execute();

export const listOwnCards = (db: Reader, userId: string) =>
  db
    .selectFrom('cards')
    .select(['full_name as fullName', 'brand as cardBrand', 'last4 as cardLast4', 'exp_month as expMonth', 'exp_year as expYear'])
    .select(['created_at as createdAt', 'removed_at as removedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();
