import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

type NewReward = { userId: string; referralId: string; now: Date } & (
  | { reward: 'draw_entries'; cause: 'signup' | 'code_used' | 'listing'; quantity: number; entryId: string }
  | { reward: 'free_month'; cause: 'swapped' | 'kept_back' }
);

export const insertReward = (tx: Tx, reward: NewReward) =>
  tx
    .insertInto('reward_entries')
    .values({
      user_id: reward.userId,
      referral_id: reward.referralId,
      reward: reward.reward,
      change: 'issue',
      quantity: reward.reward === 'draw_entries' ? reward.quantity : 1,
      cause: reward.cause,
      entry_id: reward.reward === 'draw_entries' ? reward.entryId : null,
      created_at: reward.now,
    })
    .returning(['id', 'created_at'])
    .executeTakeFirstOrThrow();

const open = (db: Reader) =>
  db
    .selectFrom('reward_entries as issued')
    .select(['issued.id', 'issued.user_id', 'issued.referral_id', 'issued.reward', 'issued.quantity', 'issued.cause', 'issued.entry_id'])
    .select('issued.created_at')
    .where('issued.change', '=', 'issue')
    .where((is) =>
      is.not(is.exists(is.selectFrom('reward_entries as spent').select('spent.id').whereRef('spent.of_id', '=', 'issued.id'))),
    );

export type OpenReward = Awaited<ReturnType<ReturnType<typeof open>['execute']>>[number];

/** Records the use or voiding of a reward; a constraint allows it once per reward. */
export const spendReward = (
  tx: Tx,
  { id, user_id, referral_id, reward, quantity }: Pick<OpenReward, 'id' | 'user_id' | 'referral_id' | 'reward' | 'quantity'>,
  by: { change: 'use'; cause: 'subscription'; subscriptionId: string } | { change: 'void'; cause: 'swapped' | 'fraud' },
  now: Date,
) =>
  tx
    .insertInto('reward_entries')
    .values({
      user_id,
      referral_id,
      reward,
      quantity,
      of_id: id,
      change: by.change,
      cause: by.cause,
      subscription_id: by.change === 'use' ? by.subscriptionId : null,
      created_at: now,
    })
    .execute();

/** Unused free months, oldest first. */
export const listOpenFreeMonths = (db: Reader, userId: string) =>
  open(db)
    .where('issued.user_id', '=', userId)
    .where('issued.reward', '=', 'free_month')
    .orderBy('issued.created_at')
    .orderBy('issued.id')
    .execute();

/** Rewards of a referral that are not used, swapped or voided. */
export const listOpenRewards = (db: Reader, referralId: string, reward: 'draw_entries' | 'free_month') =>
  open(db).where('issued.referral_id', '=', referralId).where('issued.reward', '=', reward).execute();

export const isRewardIssued = async (db: Reader, referralId: string, userId: string, cause: 'signup' | 'swapped') =>
  (await db
    .selectFrom('reward_entries')
    .select('id')
    .where('referral_id', '=', referralId)
    .where('user_id', '=', userId)
    .where('cause', '=', cause)
    .where('change', '=', 'issue')
    .executeTakeFirst()) !== undefined;

/** When the tickets of a conversion were issued. */
export const findRewardTime = async (db: Reader, referralId: string) =>
  (
    await db
      .selectFrom('reward_entries')
      .select('created_at')
      .where('referral_id', '=', referralId)
      .where('cause', '=', 'listing')
      .where('change', '=', 'issue')
      .executeTakeFirst()
  )?.created_at;

export const insertFreeFirstMonth = (tx: Tx, month: { user_id: string; subscription_id: string; mailbox_key: string; created_at: Date }) =>
  tx.insertInto('free_first_months').values(month).execute();

/** Whether this mailbox or one of these accounts has had a free first month. */
export const hasHadFreeFirstMonth = async (db: Reader, mailboxKey: string, userIds: readonly string[]) =>
  (await db
    .selectFrom('free_first_months')
    .select('user_id')
    .where((is) => is.or([is('mailbox_key', '=', mailboxKey), is('user_id', '=', anyId(userIds))]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type ClaimKind = 'card' | 'business_number';

/** Which of these keys another account has used for a free month. */
export const listKeysClaimedByOthers = async (db: Reader, userId: string, kind: ClaimKind, keys: readonly string[]) =>
  (
    await db
      .selectFrom('free_month_claims')
      .select('key')
      .where('kind', '=', kind)
      .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
      .where('user_id', '<>', userId)
      .execute()
  ).map(({ key }) => key);

/** False if another account has claimed the key first. */
export async function claimKey(tx: Tx, row: { kind: ClaimKind; key: string; user_id: string; created_at: Date }): Promise<boolean> {
  const { kind, key, user_id: userId } = row;
  await tx
    .insertInto('free_month_claims')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await listKeysClaimedByOthers(tx, userId, kind, [key])).length === 0;
}

/** A referral has the tickets of its conversion exactly if it waits for no card, unless the code's owner had left. */
export const conversionsAudit = {
  name: 'conversions',
  counts: sql<{ text: string }>`
    select format('%s converted, %s of them wait for a card', count(*), count(*) filter (where awaits_card)) as text
    from referrals where status = 'converted'`,
  faults: sql<{ id: string; fault: string }>`
    select id, case when awaits_card then 'it waits for a card, and its tickets have been issued'
        else 'it has converted, and its tickets have not been issued' end as fault
    from referrals
    where status = 'converted'
      and awaits_card = exists (select from reward_entries where referral_id = referrals.id and cause = 'listing' and change = 'issue')
      and (awaits_card or not exists (select from users where users.id = referrer_id and deleted_at is not null))`,
};

/** Every issued reward is open, used or void, and agrees with the tickets of the draw. */
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

type Grant = { user_id: string; business_number_key: string | null; created_at: Date };

/** Does nothing if the account has one. */
export const insertGrant = (tx: Tx, grant: Grant) =>
  tx
    .insertInto('free_month_grants')
    .values(grant)
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const findGrant = (db: Reader, userId: string) =>
  db.selectFrom('free_month_grants').select('business_number_key').where('user_id', '=', userId).executeTakeFirst();

export const deleteGrant = (tx: Tx, userId: string) => tx.deleteFrom('free_month_grants').where('user_id', '=', userId).execute();
