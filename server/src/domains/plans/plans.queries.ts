import { type Insertable, sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import type { CountryCode } from '@handwise/contract/markets';
import type { PlanType } from '@handwise/contract/plans/calls';
import { plans } from '@handwise/contract/plans/table';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId, rowCount } from '../../kit/database/sql-helpers.ts';
import { periodEnd } from './plans.rules.ts';

/** Checks that each used free month is a subscription of the user who earned it. */
export const freeMonthsAudit = {
  name: 'free months',
  counts: sql<{ text: string }>`select format('%s used', count(*)) as text from subscriptions where source = 'free_month'`,
  faults: sql<{ id: string; fault: string }>`
    select coalesce(subscriptions.id, used.id) as id, case
        when used.id is null then 'nobody had the free month of the subscription'
        else 'the free month was used for a missing subscription or one of another user'
      end as fault
    from (select * from subscriptions where source = 'free_month') as subscriptions
    full join (select * from reward_entries where change = 'use') as used on used.subscription_id = subscriptions.id
    where used.id is null or subscriptions.id is null or used.user_id <> subscriptions.user_id`,
};

const weekMs = 7 * dayMs;

/** The smallest UUIDv7 of this time. */
const firstIdAt = (time: number) => {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
};

/**
 * Payments that succeeded since then, by plan and country. A payment starts at most a week earlier and ids are ordered by time, so older
 * ids are skipped.
 */
export const countSoldPlans = (db: Reader, since: Date) =>
  db
    .selectFrom('payments')
    .innerJoin('plans', 'plans.id', 'payments.plan_id')
    .where('payments.id', '>=', firstIdAt(since.getTime() - weekMs))
    .where('succeeded_at', '>=', since)
    .groupBy(['plan_type', 'country'])
    .select(['plan_type as plan', 'country'])
    .select(rowCount.as('payments'))
    .execute();

export const listPlanRows = (db: Reader) => db.selectFrom('plans').select(['id', 'plan_type']).orderBy('rank').execute();

export const upsertPlan = (tx: Tx, { plan_type, ...terms }: Insertable<DB['plans']>) =>
  tx
    .insertInto('plans')
    .values({ plan_type, ...terms })
    .onConflict((conflict) => conflict.column('plan_type').doUpdateSet(terms))
    .execute();

// Until the money for it goes back, the one that follows has the slots.
const followedBy = sql<
  string | null
>`(select next.id from subscriptions as next where next.follows_id = subscriptions.id and next.returned_at is null)`;

// One that begins later adds to the paid one before it.
const paidFrom = sql<Date>`coalesce((
  select before.starts_at from subscriptions as before
  where before.id = subscriptions.follows_id and before.returned_at is null and before.source not in ('free_first_month', 'free_month')
), subscriptions.starts_at)`;

const selectSubscriptions = (db: Reader) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'subscriptions.plan_id')
    .select(['subscriptions.id', 'user_id', 'plan_id', 'plan_type', 'country', 'source', 'starts_at', 'ends_at', 'subscriptions.slots'])
    .select(['subscriptions.price_minor', 'slots_used', 'payment_id', 'replaced_by', 'returned_at', 'disputed_at', 'follows_id'])
    .select([followedBy.as('followed_by'), paidFrom.as('paid_from')]);

export type SubscriptionRow = Awaited<ReturnType<ReturnType<typeof selectSubscriptions>['execute']>>[number];

/** Running ones first, highest plan first. */
export const listSubscriptionRows = (db: Reader, userId: string, now: Date) =>
  selectSubscriptions(db)
    .where('user_id', '=', userId)
    .orderBy((eb) => eb('ends_at', '>', now), 'desc')
    .orderBy((eb) => eb.case().when('ends_at', '>', now).then(eb.ref('rank')).end(), 'desc')
    .orderBy('ends_at', 'desc')
    .limit(50)
    .execute();

export const getSubscription = (db: Reader, id: string) =>
  selectSubscriptions(db).where('subscriptions.id', '=', id).executeTakeFirstOrThrow();

export const findSubscriptionOfPayment = (db: Reader, paymentId: string) =>
  selectSubscriptions(db).where('payment_id', '=', paymentId).executeTakeFirst();

/**
 * A running subscription of a country with a free slot: of the highest plan, or with `minRank` of the lowest plan from that rank on; of
 * several, the one that ends last.
 */
export const findFreeSlot = (db: Reader, userId: string, now: Date, country: CountryCode, minRank?: number) =>
  selectSubscriptions(db)
    .where('user_id', '=', userId)
    .where('country', '=', country)
    .where('ends_at', '>', now)
    .where('replaced_by', 'is', null)
    .where('returned_at', 'is', null)
    .where('disputed_at', 'is', null)
    .where(followedBy, 'is', null)
    .whereRef('slots_used', '<', 'subscriptions.slots')
    .$if(minRank !== undefined, (query) => query.where('rank', '>=', minRank ?? 0))
    .orderBy('rank', minRank === undefined ? 'desc' : 'asc')
    .orderBy('ends_at', 'desc')
    .limit(1)
    .executeTakeFirst();

const selectLocked = (tx: Tx, id: string) => selectSubscriptions(tx).where('subscriptions.id', '=', id).forNoKeyUpdate('subscriptions');

/** Waits for transactions that take a slot or replace it. */
export const lockSubscription = (tx: Tx, id: string) => selectLocked(tx, id).executeTakeFirstOrThrow();

export const lockOwnSubscription = (tx: Tx, userId: string, id: string) =>
  selectLocked(tx, id).where('user_id', '=', userId).executeTakeFirst();

export const hasSubscribed = async (db: Reader, userId: string) =>
  (await db.selectFrom('subscriptions').select('id').where('user_id', '=', userId).limit(1).executeTakeFirst()) !== undefined;

const insertSubscription = (tx: Tx, subscription: Insertable<DB['subscriptions']>) =>
  tx.insertInto('subscriptions').values(subscription).returning('id').executeTakeFirstOrThrow();

const endsNow = (now: Date) => sql<Date>`least(ends_at, greatest(${now}::timestamptz, starts_at + interval '1 second'))`;

export const endSubscriptions = (tx: Tx, userId: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ ends_at: endsNow(now) })
    .where('user_id', '=', userId)
    .where('ends_at', '>', now)
    .returning(['id', 'ends_at'])
    .execute();

/** Ends what a refunded payment bought. Undefined when it had ended before or bought nothing. */
export const endReturnedSubscription = (tx: Tx, paymentId: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ ends_at: endsNow(now), returned_at: now, disputed_at: null })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .returning(['id', 'plan_id', 'starts_at', 'ends_at'])
    .executeTakeFirst();

/** The payments whose subscription ended because of a refund. */
export const listReturnedPaymentIds = async (db: Reader, paymentIds: readonly string[]): Promise<ReadonlySet<string>> => {
  const rows = await db
    .selectFrom('subscriptions')
    .select((is) => is.ref('payment_id').$notNull().as('paymentId'))
    .where('payment_id', '=', anyId(paymentIds))
    .where('returned_at', 'is not', null)
    .execute();
  return new Set(rows.map(({ paymentId }) => paymentId));
};

/** Keeps what a payment bought as a gift. */
export const giftSubscription = (tx: Tx, paymentId: string) =>
  tx
    .updateTable('subscriptions')
    .set({ source: 'grant', payment_id: null, disputed_at: null })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .execute();

/** Sets or clears since when a bank decides about the subscription's payment. */
export const setSubscriptionDisputed = (tx: Tx, paymentId: string, since: Date | null) =>
  tx
    .updateTable('subscriptions')
    .set({ disputed_at: since })
    .where('payment_id', '=', paymentId)
    .where('returned_at', 'is', null)
    .where('disputed_at', since === null ? 'is not' : 'is', null)
    .execute();

/** Ends a subscription now because another one replaces it. */
export const replaceSubscription = (tx: Tx, id: string, replacedBy: string, now: Date) =>
  tx
    .updateTable('subscriptions')
    .set({ replaced_by: replacedBy, ends_at: endsNow(now) })
    .where('id', '=', id)
    .execute();

/** All of a user's subscriptions, under the API's field names. */
export const listOwnSubscriptionData = (db: Reader, userId: string) =>
  db
    .selectFrom('subscriptions')
    .innerJoin('plans', 'plans.id', 'plan_id')
    .select(['subscriptions.id', 'plan_type as planType', 'country', 'source', 'subscriptions.slots', 'slots_used as slotsUsed'])
    .select(['starts_at as startDate', 'ends_at as endDate', 'payment_id as paymentId'])
    .where('user_id', '=', userId)
    .orderBy('starts_at')
    .execute();

type SubscriptionTerms = {
  userId: string;
  planId: string;
  planType: PlanType;
  country: CountryCode;
  source: 'payment' | 'plan_change' | 'free_first_month' | 'free_month';
  paymentId: string | null;
  /** The full price, if it was not today's. */
  priceMinor?: number;
  /** The subscription that it renews. */
  followsId?: string;
};

/** Inserts a subscription that starts now, or for a renewal later. */
export async function startSubscription(tx: Tx, startsAt: Date, terms: SubscriptionTerms): Promise<SubscriptionRow> {
  const { id } = await insertSubscription(tx, {
    user_id: terms.userId,
    plan_id: terms.planId,
    country: terms.country,
    source: terms.source,
    payment_id: terms.paymentId,
    follows_id: terms.followsId ?? null,
    slots: plans[terms.planType].slots,
    price_minor: terms.priceMinor ?? plans[terms.planType].priceMinor,
    starts_at: startsAt,
    ends_at: periodEnd(startsAt),
  });
  return getSubscription(tx, id);
}
