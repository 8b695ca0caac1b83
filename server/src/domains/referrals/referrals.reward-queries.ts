import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';

type Issue = { userId: string; referralId: string; now: Date } & (
  | { reward: 'draw_entries'; cause: 'signup' | 'code_used' | 'listing'; quantity: number; entryId: string }
  | { reward: 'free_month'; cause: 'swapped' | 'kept_back' }
);

/** Books a reward that was given. */
export const issue = (tx: Tx, given: Issue) =>
  tx
    .insertInto('reward_entries')
    .values({
      user_id: given.userId,
      referral_id: given.referralId,
      reward: given.reward,
      change: 'issue',
      quantity: given.reward === 'draw_entries' ? given.quantity : 1,
      cause: given.cause,
      entry_id: given.reward === 'draw_entries' ? given.entryId : null,
      created_at: given.now,
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

/** Books that a reward was used or became void. Each can be once: the database holds it. */
export const spend = (
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

/** Free months that somebody has and has not used, the oldest first. */
export const listCredits = (db: Reader, userId: string) =>
  open(db)
    .where('issued.user_id', '=', userId)
    .where('issued.reward', '=', 'free_month')
    .orderBy('issued.created_at')
    .orderBy('issued.id')
    .execute();

/** What a referral brought that is neither used, swapped nor void by our doing. */
export const listOpenOf = (db: Reader, referralId: string, reward: 'draw_entries' | 'free_month') =>
  open(db).where('issued.referral_id', '=', referralId).where('issued.reward', '=', reward).execute();

/** Whether this reward of a referral was ever given. */
export const isIssued = async (db: Reader, referralId: string, userId: string, cause: 'signup' | 'swapped') =>
  (await db
    .selectFrom('reward_entries')
    .select('id')
    .where('referral_id', '=', referralId)
    .where('user_id', '=', userId)
    .where('cause', '=', cause)
    .where('change', '=', 'issue')
    .executeTakeFirst()) !== undefined;

export const insertFirstMonth = (tx: Tx, month: { user_id: string; subscription_id: string; mailbox_key: string; created_at: Date }) =>
  tx.insertInto('free_first_months').values(month).execute();

/** Whether somebody's mailbox, or somebody of these accounts, has had a free first month. */
export const hadFirstMonth = async (db: Reader, mailboxKey: string, userIds: readonly string[]) =>
  (await db
    .selectFrom('free_first_months')
    .select('user_id')
    .where((is) => is.or([is('mailbox_key', '=', mailboxKey), is('user_id', '=', sql<string>`any(${[...userIds]}::uuid[])`)]))
    .limit(1)
    .executeTakeFirst()) !== undefined;

export type ClaimKind = 'card' | 'business_number';

/** Which of these keys another account has had a free month with. */
export const listClaimedByOthers = async (db: Reader, userId: string, kind: ClaimKind, keys: readonly string[]) =>
  (
    await db
      .selectFrom('free_month_claims')
      .select('key')
      .where('kind', '=', kind)
      .where('key', '=', sql<string>`any(${[...keys]}::text[])`)
      .where('user_id', '<>', userId)
      .execute()
  ).map(({ key }) => key);

/** Whether a key is this account's from now on: false where another one was quicker. */
export async function claim(tx: Tx, row: { kind: ClaimKind; key: string; user_id: string; created_at: Date }): Promise<boolean> {
  const { kind, key, user_id: userId } = row;
  await tx
    .insertInto('free_month_claims')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return (await listClaimedByOthers(tx, userId, kind, [key])).length === 0;
}
