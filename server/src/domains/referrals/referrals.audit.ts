import { sql } from 'kysely';

/** Whether what was issued is open, used or void, in step with the tickets of the draw. */
export const rewardsAudit = {
  name: 'rewards',
  counts: sql<{ text: string }>`
    select format('%s issued = %s open + %s used + %s void',
      count(*) filter (where change = 'issue'),
      count(*) filter (where change = 'issue') - count(*) filter (where change <> 'issue'),
      count(*) filter (where change = 'use'), count(*) filter (where change = 'void')) as text from reward_entries`,
  faults: sql<{ id: string; fault: string }>`
    select reward_entries.id, case
        when draw_entries.id is null then 'the tickets of the reward are not in the draw'
        when (draw_entries.user_id, draw_entries.tickets) <> (reward_entries.user_id, reward_entries.quantity::int)
          then format('the reward is %s tickets of %s, the entry %s of %s', reward_entries.quantity, reward_entries.user_id, tickets, draw_entries.user_id)
        else format('the entry is void because of %s, the reward because of %s', coalesce(void_reason, 'nothing'), coalesce(spent.cause, 'nothing'))
      end as fault
    from reward_entries
    left join draw_entries on draw_entries.id = entry_id
    left join reward_entries as spent on spent.of_id = reward_entries.id
    where reward_entries.change = 'issue' and reward_entries.reward = 'draw_entries' and (
      draw_entries.id is null
      or (draw_entries.user_id, draw_entries.tickets) <> (reward_entries.user_id, reward_entries.quantity::int)
      or coalesce(spent.cause, '') <> case when void_reason in ('swapped', 'fraud') then void_reason else '' end)
    union all
    select spent.id, format('what was issued as %s is booked as %s %s', coalesce(issued.quantity::text, 'nothing'), spent.change, spent.quantity)
    from reward_entries as spent left join reward_entries as issued on issued.id = spent.of_id and issued.change = 'issue'
    where spent.change <> 'issue' and (issued.id is null
      or (issued.user_id, issued.reward, issued.quantity) <> (spent.user_id, spent.reward, spent.quantity))`,
};
