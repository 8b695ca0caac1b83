import { sql } from 'kysely';

/** Whether each free month that was earned and used is a subscription of whoever earned it. */
export const freeMonthsBook = {
  name: 'free months',
  counts: sql<{ text: string }>`select format('%s used', count(*)) as text from subscriptions where source = 'free_month'`,
  faults: sql<{ id: string; fault: string }>`
    select coalesce(subscriptions.id, used.id) as id, case
        when used.id is null then 'the subscription is a free month that nobody had'
        else 'the free month was used for a subscription that is none, or somebody else’s'
      end as fault
    from (select * from subscriptions where source = 'free_month') as subscriptions
    full join (select * from reward_entries where change = 'use') as used on used.subscription_id = subscriptions.id
    where used.id is null or subscriptions.id is null or used.user_id <> subscriptions.user_id`,
};
