import type { CountryCode } from '@handwise/contract/markets';
import type { PlanType } from '@handwise/contract/plans';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database.ts';

export const listPlans = (db: Reader) => db.selectFrom('plans').select(['id', 'plan_type']).orderBy('rank').execute();

type PlanRow = { plan_type: string; rank: number; price_minor: number; slots: number; photos: number };

export const upsertPlan = (tx: Tx, { plan_type, ...terms }: PlanRow) =>
  tx
    .insertInto('plans')
    .values({ plan_type, ...terms })
    .onConflict((conflict) => conflict.column('plan_type').doUpdateSet(terms))
    .execute();

export type SubscriptionRow = {
  id: string;
  user_id: string;
  plan_id: string;
  plan_type: PlanType;
  country: CountryCode;
  source: string;
  starts_at: Date;
  ends_at: Date;
  slots: number;
  slots_used: number;
  payment_id: string | null;
  replaced_by: string | null;
};

const subscriptionsWhere = (condition: ReturnType<typeof sql>) => sql<SubscriptionRow>`
  select subscriptions.id, user_id, plan_id, plan_type, country, source, starts_at, ends_at, subscriptions.slots, slots_used, payment_id,
    replaced_by
  from subscriptions join plans on plans.id = plan_id
  where ${condition}`;

/** A user's subscriptions, running ones first, and of them those with the highest plan. */
export async function listSubscriptions(db: Reader, userId: string, now: Date): Promise<SubscriptionRow[]> {
  const condition = sql`user_id = ${userId} order by ends_at > ${now} desc, case when ends_at > ${now} then rank end desc, ends_at desc limit 50`;
  return (await subscriptionsWhere(condition).execute(db)).rows;
}

export async function findSubscription(db: Reader, id: string): Promise<SubscriptionRow | undefined> {
  return (await subscriptionsWhere(sql`subscriptions.id = ${id}`).execute(db)).rows[0];
}

export async function findSubscriptionOfPayment(db: Reader, paymentId: string): Promise<SubscriptionRow | undefined> {
  return (await subscriptionsWhere(sql`payment_id = ${paymentId}`).execute(db)).rows[0];
}

/** A running subscription of a country with room for another listing, the one that ends last; of one plan where it is given. */
export async function findFreeSlot(
  db: Reader,
  userId: string,
  now: Date,
  country: CountryCode,
  planId?: string,
): Promise<SubscriptionRow | undefined> {
  const ofPlan = planId ? sql`and plan_id = ${planId}` : sql``;
  const condition = sql`user_id = ${userId} and country = ${country} and ends_at > ${now} and replaced_by is null
    and slots_used < subscriptions.slots ${ofPlan}
    order by rank desc, ends_at desc limit 1`;
  return (await subscriptionsWhere(condition).execute(db)).rows[0];
}

/** Waits for whoever else takes a slot of it or replaces it. */
export async function lockSubscription(tx: Tx, id: string): Promise<SubscriptionRow | undefined> {
  return (await subscriptionsWhere(sql`subscriptions.id = ${id} for no key update of subscriptions`).execute(tx)).rows[0];
}

export const hasSubscribed = async (db: Reader, userId: string) =>
  (await db.selectFrom('subscriptions').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined;

type NewSubscription = {
  user_id: string;
  plan_id: string;
  country: CountryCode;
  source: 'payment' | 'plan_change' | 'free_first_month';
  payment_id: string | null;
  slots: number;
  starts_at: Date;
  ends_at: Date;
};

export const insertSubscription = (tx: Tx, subscription: NewSubscription) =>
  tx.insertInto('subscriptions').values(subscription).returning('id').executeTakeFirstOrThrow();

/** Ends a subscription now, because another one takes its place. */
export const replaceSubscription = (tx: Tx, id: string, replacedBy: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ replaced_by: replacedBy, ends_at: sql<Date>`least(ends_at, greatest(${now}::timestamptz, starts_at + interval '1 second'))` })
    .where('id', '=', id)
    .execute();
