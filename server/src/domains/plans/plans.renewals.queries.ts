import { type Insertable, sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import { noticeHours, renewalDays, renewalHours } from '@handwise/contract/plans/renewal';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';
import { pendingStatuses } from './plans.renewals.states.ts';

const renewalColumns = [
  'subscription_id',
  'renewals.user_id',
  'card_id',
  'amount_minor',
  'renewals.status',
  'problem',
  'agreed_at',
  'charge_at',
  'noticed_at',
  'notice_queued_at',
] as const;

const selectRenewals = (db: Reader) => db.selectFrom('renewals').select(renewalColumns);

export type RenewalRow = Awaited<ReturnType<ReturnType<typeof selectRenewals>['execute']>>[number];

const selectRenewal = (db: Reader, subscriptionId: string) => selectRenewals(db).where('subscription_id', '=', subscriptionId);

export const findRenewal = (db: Reader, subscriptionId: string) => selectRenewal(db, subscriptionId).executeTakeFirst();

export const getRenewal = (db: Reader, subscriptionId: string) => selectRenewal(db, subscriptionId).executeTakeFirstOrThrow();

export const listRenewals = (db: Reader, subscriptionIds: readonly string[]) =>
  selectRenewals(db).where('subscription_id', '=', anyId(subscriptionIds)).execute();

export const insertRenewal = (tx: Tx, renewal: Insertable<DB['renewals']>) => tx.insertInto('renewals').values(renewal).execute();

/** Renewals whose next attempt is due and announced, longest waiting first, of plans that did not end before then. */
export const listDueRenewals = (db: Reader, now: Date, endedBefore: Date, most: number) =>
  selectRenewals(db)
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
    .where('ends_at', '>=', endedBefore)
    .where('charge_at', '<=', now)
    .where('noticed_at', 'is not', null)
    .orderBy('charge_at')
    .limit(most)
    .execute();

/** Delays a due attempt whose outcome is not known. */
export const postponeRenewal = (db: Reader, subscriptionId: string, now: Date, until: Date) =>
  db
    .updateTable('renewals')
    .set({ charge_at: until })
    .where('subscription_id', '=', subscriptionId)
    .where('status', 'in', pendingStatuses)
    .where('charge_at', '<=', now)
    .execute();

/**
 * Renewals whose charge is not announced: those whose email is due, and those whose email has waited until the plan ends before the charge
 * that it would announce.
 */
export const listUnannouncedRenewals = (db: Reader, now: Date, most: number) =>
  selectRenewals(db)
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
    .where('renewals.status', '=', sql.lit('on' as const))
    .where('noticed_at', 'is', null)
    .where('ends_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('notice_queued_at', 'is', null).and('ends_at', '<=', new Date(now.getTime() + renewalDays.notice * dayMs)),
        eb('notice_queued_at', 'is not', null).and(
          sql<boolean>`ends_at < ${now}::timestamptz + case when agreed_at >= ends_at - make_interval(days => ${renewalDays.notice})
            then make_interval(hours => ${renewalHours}, mins => -10) else make_interval(hours => ${noticeHours}) end`,
        ),
      ]),
    )
    .orderBy('ends_at')
    .limit(most)
    .execute();

/** Renewals of plans that ended before then without being renewed. */
export const listLapsedRenewals = (db: Reader, endedBefore: Date, most: number) =>
  selectRenewals(db)
    .innerJoin('subscriptions', 'subscriptions.id', 'subscription_id')
    .where('renewals.status', 'in', pendingStatuses)
    .where('ends_at', '<', endedBefore)
    .orderBy('ends_at')
    .limit(most)
    .execute();

/** Renewals whose card was removed since they were switched on. */
export const listCardlessRenewals = (db: Reader, most: number) =>
  selectRenewals(db)
    .innerJoin('cards', 'cards.id', 'card_id')
    .where('renewals.status', '=', sql.lit('on' as const))
    .where('removed_at', 'is not', null)
    .limit(most)
    .execute();

/** All of a user's renewals, under the API's field names. */
export const listOwnRenewalData = (db: Reader, userId: string) =>
  db
    .selectFrom('renewals')
    .select(['subscription_id as subscriptionId', 'card_id as cardId', 'amount_minor as amountMinor', 'status', 'problem'])
    .select(['agreed_at as agreedAt', 'charge_at as nextChargeAt'])
    .where('user_id', '=', userId)
    .orderBy('agreed_at')
    .execute();

/** Checks that each paid renewal is one subscription that follows the renewed one without a gap, and that renewed ones have it. */
export const renewalsAudit = {
  name: 'renewals',
  counts: sql<{ text: string }>`
    select format('%s paid, %s free, %s switched on', count(*) filter (where next.payment_id is not null),
      count(*) filter (where next.source = 'free_month'), (select count(*) from renewals where charge_at is not null)) as text
    from subscriptions as next where follows_id is not null`,
  faults: sql<{ id: string; fault: string }>`
    select payments.id, format('the payment renews subscription %s, and the subscription that it bought follows %s',
      renews_id, coalesce(follows_id::text, 'none')) as fault
    from payments join subscriptions on subscriptions.payment_id = payments.id
    where follows_id is distinct from renews_id
    union all
    select next.id, format('the subscription of %s begins on %s and follows one of %s that ends on %s',
      next.plan_id, next.starts_at, old.plan_id, old.ends_at)
    from subscriptions as next join subscriptions as old on old.id = next.follows_id
    where (next.plan_id, next.country) <> (old.plan_id, old.country)
      or date_trunc('milliseconds', next.starts_at) < date_trunc('milliseconds', old.ends_at)
    union all
    select old.id, format('the renewal is %s, and the subscription has %s that follows it', coalesce(renewals.status, 'missing'),
      case when next.id is null then 'none' else 'one' end)
    from subscriptions as old
    left join renewals on renewals.subscription_id = old.id
    left join subscriptions as next on next.follows_id = old.id
    where (next.id is not null) <> (renewals.status is not distinct from 'renewed')
    union all
    select payments.renews_id, format('the renewal was paid %s times', count(*))
    from payments where renews_id is not null and bought_minor > 0 group by payments.renews_id having count(*) > 1`,
};
