import { type Insertable, sql } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';

/** Waits for others who come with one of these keys, until the transaction ends. */
export async function lockKeys(tx: Tx, keys: readonly (string | null)[]): Promise<void> {
  // In one order, so that two with both keys in common do not wait for each other.
  for (const key of keys.filter((one) => one !== null).toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 31))`.execute(tx);
}

export const upsertOrigin = (tx: Tx, { user_id, ...origin }: Insertable<DB['referral_origins']>) =>
  tx
    .insertInto('referral_origins')
    .values({ user_id, ...origin })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(origin))
    .execute();

type Compared = { mailboxKey: string; networkSince: Date; domainSince: Date };

/** Who else came from the same network or with the same mail domain since then, and who came with this mailbox. */
export async function listOthersOfOrigin(db: Reader, userId: string, { mailboxKey, networkSince, domainSince }: Compared) {
  const idsOf = async (query: { execute: () => Promise<{ user_id: string }[]> }) => (await query.execute()).map(({ user_id }) => user_id);
  const others = db.selectFrom('referral_origins').select('user_id').where('user_id', '<>', userId);
  const own = await db
    .selectFrom('referral_origins')
    .select(['network_key', 'domain_key', 'came_at'])
    .where('user_id', '=', userId)
    .executeTakeFirst();
  const network = own && own.came_at > networkSince ? own.network_key : null;
  const domain = own && own.came_at > domainSince ? own.domain_key : null;
  return {
    mailbox: await idsOf(others.where('mailbox_key', '=', mailboxKey)),
    network: network === null ? [] : await idsOf(others.where('network_key', '=', network).where('came_at', '>', networkSince)),
    domain: domain === null ? [] : await idsOf(others.where('domain_key', '=', domain).where('came_at', '>', domainSince)),
  };
}

/**
 * Which of these accounts are connected to the first ones by referrals that were made since then, whichever way they go. A code that a rule
 * refused as it was entered connects nobody.
 */
export async function findInTree(db: Reader, from: readonly string[], among: readonly string[], since: Date): Promise<Set<string>> {
  const wanted = [...new Set(among)].filter((id) => !from.includes(id));
  const found = new Set(among.filter((id) => from.includes(id)));
  if (wanted.length === 0) return found;
  const { rows } = await sql<{ id: string }>`
    with recursive links as not materialized (
      select referrer_id, referred_id from referrals where created_at > ${since} and not exists (
        select from referral_findings as findings
        where referral_id = referrals.id and severity = 'reject' and findings.created_at <= referrals.created_at
      )
    ), tree (id) as (
      select unnest(${[...from]}::uuid[])
      union
      select other.id from tree cross join lateral (
        select referrer_id as id from links where referred_id = tree.id
        union all select referred_id from links where referrer_id = tree.id
      ) as other
    )
    select id from tree where id = any(${wanted}::uuid[])`.execute(db);
  for (const { id } of rows) found.add(id);
  return found;
}

/** Waits for whoever else enters a code that may close a ring. */
export const lockRings = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('referral rings', 31))`.execute(tx);

/** Whether somebody else was referred who reads this mailbox. */
export const isMailboxUsed = async (db: Reader, mailboxKey: string, referredId: string) =>
  (await db
    .selectFrom('referrals')
    .select('id')
    .where('mailbox_key', '=', mailboxKey)
    .where('status', '<>', 'refused')
    .where('referred_id', '<>', referredId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** Of how many people the ring would be that closes when one refers the other; 0 where there is none. */
export async function ringOf(db: Reader, referrerId: string, referredId: string): Promise<number> {
  const ring = await db
    .withRecursive('above(id, people)', (from) =>
      from.selectNoFrom([sql<string>`${referrerId}::uuid`.as('id'), sql<number>`1`.as('people')]).unionAll(
        from
          .selectFrom('above')
          .innerJoin('referrals', (join) => join.onRef('referred_id', '=', 'above.id').on('status', '<>', 'refused'))
          .select(['referrer_id as id', sql<number>`people + 1`.as('people')])
          .where('people', '<', 50)
          .where('above.id', '<>', referredId),
      ),
    )
    .selectFrom('above')
    .select('people')
    .where('id', '=', referredId)
    .limit(1)
    .executeTakeFirst();
  return ring?.people ?? 0;
}

/** How many others came by the same person's code since then. */
export const countOthers = async (db: Reader, { referrerId, referredId, since }: { referrerId: string; referredId: string; since: Date }) =>
  (
    await db
      .selectFrom('referrals')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('count'))
      .where('referrer_id', '=', referrerId)
      .where('referred_id', '<>', referredId)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
  ).count;

/** Forgets from which networks accounts came, and later all of where they came from, once that is not compared any more. */
export async function deleteOldOrigins(db: Reader, before: { network: Date; tree: Date }): Promise<void> {
  await db.deleteFrom('referral_origins').where('came_at', '<', before.tree).execute();
  await db
    .updateTable('referral_origins')
    .set({ network_key: null })
    .where('network_key', 'is not', null)
    .where('came_at', '<', before.network)
    .execute();
}
