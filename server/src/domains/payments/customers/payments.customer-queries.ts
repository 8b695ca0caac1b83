import type { Reader, Tx } from '../../../kit/database/database.ts';
import type { Account } from './payments.account.ts';

export const findCustomerRow = (db: Reader, userId: string) =>
  db.selectFrom('payment_customers').select(['customer_id', 'account', 'livemode']).where('user_id', '=', userId).executeTakeFirst();

export const findUserOfCustomer = async (db: Reader, customerId: string) =>
  (await db.selectFrom('payment_customers').select('user_id').where('customer_id', '=', customerId).executeTakeFirst())?.user_id;

/** Where two requests made a customer at once, the first one stays. */
export const insertCustomer = (db: Reader, userId: string, customerId: string, here: Account) =>
  db
    .insertInto('payment_customers')
    .values({ user_id: userId, customer_id: customerId, account: here.id, livemode: here.livemode })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

/** Writes down where a customer and the cards of its user are, which were kept before that was known. */
export async function setBelonging(db: Reader, userId: string, here: Account): Promise<void> {
  const belonging = { account: here.id, livemode: here.livemode };
  await db.updateTable('payment_customers').set(belonging).where('user_id', '=', userId).where('livemode', 'is', null).execute();
  await db.updateTable('cards').set(belonging).where('user_id', '=', userId).where('livemode', 'is', null).execute();
}

/** Whether there still was this customer to forget. */
export const deleteCustomerRow = async (tx: Tx, userId: string, customerId: string) =>
  (await tx
    .deleteFrom('payment_customers')
    .where('user_id', '=', userId)
    .where('customer_id', '=', customerId)
    .returning('user_id')
    .executeTakeFirst()) !== undefined;

/** Takes all cards of a user from the offers. Resolves to what they were known by. */
export const removeCards = (tx: Tx, userId: string, removedAt: Date) =>
  tx
    .updateTable('cards')
    .set({ removed_at: removedAt })
    .where('user_id', '=', userId)
    .where('removed_at', 'is', null)
    .returning(['brand', 'last4'])
    .execute();
