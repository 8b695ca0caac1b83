import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { ProviderAccount } from './payments.provider-account.ts';
import { openDisputeStatuses } from './payments.states.ts';

export async function anonymizeCards(tx: Tx, userId: string, now: Date): Promise<void> {
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

/** Deletes the link to the provider's customer and returns the customer's id. */
export const deleteCustomerOfUser = async (tx: Tx, userId: string) =>
  (await tx.deleteFrom('payment_customers').where('user_id', '=', userId).returning('customer_id').executeTakeFirst())?.customer_id;

export const findCustomerId = async (db: Reader, userId: string) =>
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

export const listCardRows = (db: Reader, userId: string) =>
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

export const findCardByMethodId = (db: Reader, paymentMethodId: string) =>
  db
    .selectFrom('cards')
    .select(cardColumns)
    .where('payment_method_id', '=', paymentMethodId)
    .where('removed_at', 'is', null)
    .executeTakeFirst();

type NewCard = Omit<CardRow, 'id' | 'account'> & { fingerprint: string | null };

/** Saves a card once per payment method. Undefined for a removed card, which the provider has detached for good. */
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

/** The fingerprints of a user's saved cards. */
export const listCardFingerprints = (db: Reader, userId: string) =>
  db.selectFrom('cards').select('fingerprint').where('user_id', '=', userId).where('removed_at', 'is', null).execute();

/**
 * The cards that a user has saved (including removed ones) or paid with, each with the other users of the same card. `isPaid`: a payment
 * with it succeeded and is not being refunded.
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

/**
 * Whether a user has paid, with money that has not gone back and about which no bank decides, and the fingerprints of their saved cards that no
 * other account has saved or paid with.
 */
export async function findMeans(db: Reader, userId: string): Promise<{ hasPaid: boolean; ownCards: string[] }> {
  const { rows } = await sql<{ hasPaid: boolean; ownCards: string[] }>`
    select exists (
      select from payments where user_id = ${userId} and status = 'succeeded'
        and captured_minor > (select coalesce(sum(amount_minor), 0) from refunds where payment_id = payments.id and status <> 'canceled')
        and not exists (select from disputes where payment_id = payments.id and status = any(${sql.val([...openDisputeStatuses])}::text[]))
    ) as "hasPaid", array(
      select distinct fingerprint from cards as own where user_id = ${userId} and removed_at is null and fingerprint is not null
        and not exists (select from cards where fingerprint = own.fingerprint and user_id <> ${userId})
        and not exists (select from payments where card_fingerprint = own.fingerprint and user_id <> ${userId})
      order by fingerprint
    ) as "ownCards"`.execute(db);
  return rows[0] ?? { hasPaid: false, ownCards: [] };
}

export const hasSharedCard = async (db: Reader, one: string, other: string) =>
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

export const listOwnCards = (db: Reader, userId: string) =>
  db
    .selectFrom('cards')
    .select(['full_name as fullName', 'brand as cardBrand', 'last4 as cardLast4', 'exp_month as expMonth', 'exp_year as expYear'])
    .select(['created_at as createdAt', 'removed_at as removedAt'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute();

export const findCustomer = (db: Reader, userId: string) =>
  db.selectFrom('payment_customers').select(['customer_id', 'account', 'livemode']).where('user_id', '=', userId).executeTakeFirst();

export const findUserByCustomer = async (db: Reader, customerId: string) =>
  (await db.selectFrom('payment_customers').select('user_id').where('customer_id', '=', customerId).executeTakeFirst())?.user_id;

/** When two requests create a customer at once, the first one wins. */
export const insertCustomer = (db: Reader, userId: string, customerId: string, here: ProviderAccount) =>
  db
    .insertInto('payment_customers')
    .values({ user_id: userId, customer_id: customerId, account: here.id, livemode: here.livemode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Sets the account of a customer and cards that were saved before accounts were recorded. */
export async function setCustomerAccount(db: Reader, userId: string, here: ProviderAccount): Promise<void> {
  const belonging = { account: here.id, livemode: here.livemode };
  await db.updateTable('payment_customers').set(belonging).where('user_id', '=', userId).where('livemode', 'is', null).execute();
  await db.updateTable('cards').set(belonging).where('user_id', '=', userId).where('livemode', 'is', null).execute();
}

/** False when the customer was already deleted. */
export const deleteKnownCustomer = async (tx: Tx, userId: string, customerId: string) =>
  (await tx
    .deleteFrom('payment_customers')
    .where('user_id', '=', userId)
    .where('customer_id', '=', customerId)
    .returning('user_id')
    .executeTakeFirst()) !== undefined;

/** Removes all cards of a user and returns how their owner recognises them. */
export const removeAllCards = (tx: Tx, userId: string, removedAt: Date) =>
  tx
    .updateTable('cards')
    .set({ removed_at: removedAt })
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .returning(['brand', 'last4'])
    .execute();
