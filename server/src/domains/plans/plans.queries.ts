import type { CountryCode } from '@handwise/contract/markets';
import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';

export const listPlans = (db: Reader) => db.selectFrom('plans').select(['id', 'plan_type']).orderBy('rank').execute();

export const upsertPlan = (tx: Tx, { plan_type, ...terms }: Insertable<DB['plans']>) =>
  tx
    .insertInto('plans')
    .values({ plan_type, ...terms })
    .onConflict((conflict) => conflict.column('plan_type').doUpdateSet(terms))
    .execute();

const selectSubscriptions = (db: Reader) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['subscriptions.id', 'user_id', 'plan_id', 'plan_type', 'country', 'source', 'starts_at', 'ends_at', 'subscriptions.slots'])
    .select(['slots_used', 'payment_id', 'replaced_by', 'returned_at', 'disputed_at']);

export type SubscriptionRow = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>['execute']>>[number];

/** A user's subscriptions, running ones first, and of them those with the highest plan. */
export const listSubscriptions = (db: Reader, userId: string, now: Date) =>
  selectSubscriptions(db)
    .where('user_id', '=', userId)
    .orderBy((eb) => eb('ends_at', '>', now), 'desc')
    .orderBy((eb) => eb.case().when('ends_at', '>', now).then(eb.ref('rank')).end(), 'desc')
    .orderBy('ends_at', 'desc')
    .limit(50)
    .execute();

export const findSubscription = (db: Reader, id: string) => selectSubscriptions(db).where('subscriptions.id', '=', id).executeTakeFirst();

export const findSubscriptionOfPayment = (db: Reader, paymentId: string) =>
  selectSubscriptions(db).where('payment_id', '=', paymentId).executeTakeFirst();

/**
 * A running subscription of a country with room for another listing: of the highest plan, or with `minRank` of the lowest plan from that
 * rank on; of several the one that ends last.
 */
export const findFreeSlot = (db: Reader, userId: string, now: Date, country: CountryCode, minRank?: number) =>
  selectSubscriptions(db)
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .where('ends_at', '>', now)
    .where('replaced_by', 'is', null)
    .where('disputed_at', 'is', null)
    .whereRef('slots_used', '<', 'subscriptions.slots')
    .$if(minRank !== undefined, (query) => query.where('rank', '>=', minRank ?? 0))
    .orderBy('rank', minRank === undefined ? 'desc' : 'asc')
    .orderBy('ends_at', 'desc')
    .limit(1)
    .executeTakeFirst();

/** Waits for whoever else takes a slot of it or replaces it. */
export const lockSubscription = (tx: Tx, id: string) =>
  selectSubscriptions(tx).where('subscriptions.id', '=', id).forNoKeyUpdate('subscriptions').executeTakeFirst();

export const hasSubscribed = async (db: Reader, userId: string) =>
  (await db.selectFrom('subscriptions').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined;

export const insertSubscription = (tx: Tx, subscription: Insertable<DB['subscriptions']>) =>
  tx.insertInto('subscriptions').values(subscription).returning('id').executeTakeFirstOrThrow();

const endNow = (now: Date) => sql<Date>`least(ends_at, greatest(${now}::timestamptz, starts_at + interval '1 second'))`;

/** Ends what runs of a user's subscriptions. */
export const endSubscriptions = (tx: Tx, userId: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ ends_at: endNow(now) })
    .where('user_id', '=', userId)
    .where('ends_at', '>', now)
    .returning(['id', 'ends_at'])
    .execute();

/** Ends what a payment bought, because its money went back. Undefined where that was before, or it bought nothing. */
export const returnSubscription = (tx: Tx, paymentId: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ ends_at: endNow(now), returned_at: now, disputed_at: null })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .returning(['id', 'plan_id', 'starts_at', 'ends_at'])
    .executeTakeFirst();

/** Those of these payments whose subscription ended because their money went back. */
export const findReturned = async (db: Reader, paymentIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('subscriptions')
    .select((is) => is.ref('payment_id').$notNull().as('paymentId'))
    .where('payment_id', '=', sql<string>`any(${[...paymentIds]}::uuid[])`)
    .where('returned_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ paymentId }) => paymentId));
};

/** Makes a gift of what a payment bought. */
export const giveSubscription = (tx: Tx, paymentId: string) =>
  tx
    .updateTable('subscriptions')
    .set({ source: 'grant', payment_id: null, disputed_at: null })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .execute();

/** Keeps that a bank decides about what bought a subscription, since when, or that it does not any more. */
export const setDisputed = (tx: Tx, paymentId: string, since: Date | null) =>
  tx
    .updateTable('subscriptions')
    .set({ disputed_at: since })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .where('disputed_at', since === null ? 'is not' : 'is', null)
    .execute();

/** Ends a subscription now, because another one takes its place. */
export const replaceSubscription = (tx: Tx, id: string, replacedBy: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ replaced_by: replacedBy, ends_at: endNow(now) })
    .where('id', '=', id)
    .execute();

/** All of a user's subscriptions, by the names that the API has for what they hold. */
export const listOwnData = (db: Reader, userId: string) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'plan_id')
    .select(['subscriptions.id', 'plan_type as planType', 'country', 'source', 'subscriptions.slots', 'slots_used as slotsUsed'])
    .select(['starts_at as startDate', 'ends_at as endDate', 'payment_id as paymentId'])
    .where('user_id', '=', userId)
    .orderBy('starts_at')
    .execute();
