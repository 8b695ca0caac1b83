import { type Insertable, sql } from 'kysely';
import { dayMs } from '@handwise/contract/dates';
import { referralDomainDays, referralTreeDays } from '@handwise/contract/periods';
import type { Caller } from '../../kit/caller.ts';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { rowCount } from '../../kit/database/sql-helpers.ts';
import { isDisposable, getPrivateDomain } from '../../kit/mail/mail-domains.ts';
import { normalizeMailbox } from '../../kit/mail/mailbox.ts';
import { findSite, getSubnet } from '../../kit/network.ts';
import { createSigner, signText } from '../../kit/secrets/tokens.ts';
import { listDeviceMates, listUsersOfDevice } from '../accounts/accounts.service.ts';
import type { ReferralHooks } from './referrals.context.ts';
import type { Facts } from './referrals.rules.ts';

const hourMs = 60 * 60 * 1000;
/** How long networks and mail domains are compared, and how long a referral connects two accounts. */
export const comparisonMs = { network: dayMs, domain: referralDomainDays * dayMs, tree: referralTreeDays * dayMs };
const digits = 32;

/** Mailboxes, networks, domains, cards and business numbers are stored and compared as keyed hashes only. */
const getKey = (tx: Reader, text: string) => signText(tx, 'abuse', text, digits);
const nameMailbox = (email: string) => `mailbox ${normalizeMailbox(email)}`;
const nameBusinessNumber = (number: string) => `business number ${number}`;
export const getMailboxKey = (tx: Reader, email: string) => getKey(tx, nameMailbox(email));
export const getCardKey = (tx: Reader, fingerprint: string) => getKey(tx, `card ${fingerprint}`);
export const getBusinessNumberKey = (tx: Reader, number: string) => getKey(tx, nameBusinessNumber(number));

/** The keys of many mailboxes and business numbers, without a query for each. */
export async function createAbuseKeys(db: Reader) {
  const sign = await createSigner(db, 'abuse', digits);
  return { ofMailbox: (email: string) => sign(nameMailbox(email)), ofBusinessNumber: (number: string) => sign(nameBusinessNumber(number)) };
}

type Person = { id: string; email: string };
export type Couple = { referrer: Person; referred: Person };
export type LoadedFacts = { facts: Facts; mailboxKey: string };
export type Origin = Pick<Caller, 'network' | 'device'>;

/** Stores an account's origin. With a code, serializes accounts of the same network, /48 or mail domain until the transaction ends. */
export async function saveOrigin(tx: Tx, { id, email }: Person, { network }: Origin, now: Date, hasCode: boolean): Promise<void> {
  const domain = getPrivateDomain(email);
  const block = findSite(network);
  const origin = {
    user_id: id,
    came_at: now,
    block_key: block === undefined ? null : await getKey(tx, `network ${block}`),
    network_key: network === 'unknown' ? null : await getKey(tx, `network ${getSubnet(network)}`),
    domain_key: domain === undefined ? null : await getKey(tx, `domain ${domain}`),
    mailbox_key: await getMailboxKey(tx, email),
  };
  if (hasCode) await lockOriginKeys(tx, [origin.network_key, origin.block_key, origin.domain_key]);
  await upsertOrigin(tx, origin);
}

/** Input of the abuse rules. Both people must be locked and their origins saved. `device` is the token of the browser that enters the code. */
export async function loadFacts(
  tx: Tx,
  hooks: ReferralHooks,
  { referrer, referred }: Couple,
  device: string | undefined,
  now: Date,
): Promise<LoadedFacts> {
  const mailboxKey = await getMailboxKey(tx, referred.email);
  await lockOriginKeys(tx, [mailboxKey]);
  const before = (ms: number) => new Date(now.getTime() - ms);
  const cards = await hooks.listCardSharers(tx, referred.id);
  const others = {
    device: [...(await listDeviceMates(tx, referred.id)), ...(device === undefined ? [] : await listUsersOfDevice(tx, device))],
    card: cards.flatMap(({ others: sharers }) => sharers),
    mailbox: await listUsersOfMailbox(tx, referred.id, mailboxKey),
    network: await listUsersOfSameOrigin(tx, referred.id, 'network_key', before(comparisonMs.network)),
    domain: await listUsersOfSameOrigin(tx, referred.id, 'domain_key', before(comparisonMs.domain)),
  };
  const tree = await listConnectedUsers(tx, [referrer.id, referred.id], Object.values(others).flat(), before(comparisonMs.tree));
  const ofTree = (ids: readonly string[]) => new Set(ids.filter((id) => id !== referred.id && tree.has(id)));
  const facts = {
    isOwnCode: referrer.id === referred.id,
    isSameMailbox: normalizeMailbox(referrer.email) === normalizeMailbox(referred.email),
    isDisposable: isDisposable(referrer.email) || isDisposable(referred.email),
    isMailboxUsed: await isMailboxUsed(tx, mailboxKey, referred.id),
    ring: await countRing(tx, referrer.id, referred.id),
    sharesMailbox: [...ofTree(others.mailbox)].some((id) => id !== referrer.id),
    sharesCard: ofTree(others.card).size > 0,
    sharesDevice: ofTree(others.device).size > 0,
    fromNetwork: ofTree(others.network).size,
    fromDomain: ofTree(others.domain).size,
    codesFromNetwork: await countCodesOfSameOrigin(tx, referred.id, 'network_key', before(comparisonMs.network)),
    codesFromBlock: await countCodesOfSameOrigin(tx, referred.id, 'block_key', before(comparisonMs.network)),
    codesFromDomain: await countCodesOfSameOrigin(tx, referred.id, 'domain_key', before(comparisonMs.domain)),
    withinHour: await countRecentReferrals(tx, { referrerId: referrer.id, referredId: referred.id, since: before(hourMs) }),
    hasPaidAlone: cards.some(({ isPaid, others: sharers }) => isPaid && ofTree(sharers).size === 0),
  };
  return { facts, mailboxKey };
}

export async function hasSharedDeviceOrCard(tx: Reader, userId: string, cardSharers: readonly string[], now: Date): Promise<boolean> {
  const sharers = [...(await listDeviceMates(tx, userId)), ...cardSharers];
  return (await listConnectedUsers(tx, [userId], sharers, new Date(now.getTime() - comparisonMs.tree))).size > 0;
}

/** Serializes transactions that share one of these keys. */
async function lockOriginKeys(tx: Tx, keys: readonly (string | null)[]): Promise<void> {
  // Sorted, so that two transactions with both keys in common do not deadlock.
  for (const key of keys.filter((one) => one !== null).toSorted())
    await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 31))`.execute(tx);
}

const upsertOrigin = (tx: Tx, { user_id, ...origin }: Insertable<DB['referral_origins']>) =>
  tx
    .insertInto('referral_origins')
    .values({ user_id, ...origin })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(origin))
    .execute();

const listUsersOfMailbox = async (db: Reader, userId: string, mailboxKey: string) =>
  (
    await db.selectFrom('referral_origins').select('user_id').where('user_id', '<>', userId).where('mailbox_key', '=', mailboxKey).execute()
  ).map(({ user_id: id }) => id);

const selectUsersOfSameOrigin = (db: Reader, userId: string, key: 'network_key' | 'block_key' | 'domain_key', since: Date) =>
  db
    .selectFrom('referral_origins as own')
    .innerJoin('referral_origins as other', (join) => join.onRef(`other.${key}`, '=', `own.${key}`))
    .where('own.user_id', '=', userId)
    .where('own.came_at', '>', since)
    .where('other.user_id', '<>', userId)
    .where('other.came_at', '>', since);

/** Other users of the same network or mail domain, if they and the user have signed up since then. */
const listUsersOfSameOrigin = async (db: Reader, userId: string, key: 'network_key' | 'domain_key', since: Date) =>
  (await selectUsersOfSameOrigin(db, userId, key, since).select('other.user_id').execute()).map(({ user_id: id }) => id);

/** How many of them used a code, whoever's; codes that were refused on entering count too. */
const countCodesOfSameOrigin = async (db: Reader, userId: string, key: 'network_key' | 'block_key' | 'domain_key', since: Date) =>
  (
    await selectUsersOfSameOrigin(db, userId, key, since)
      .where((is) => is.exists(is.selectFrom('referrals').select('id').whereRef('referred_id', '=', 'other.user_id')))
      .select(rowCount.as('count'))
      .executeTakeFirstOrThrow()
  ).count;

/**
 * Which of `among` are connected to `from` by referrals created since then, in either direction. A code that a rule rejected on entry
 * connects no accounts.
 */
async function listConnectedUsers(db: Reader, from: readonly string[], among: readonly string[], since: Date): Promise<Set<string>> {
  if (among.length === 0) return new Set();
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
    select id from tree where id = any(${[...among]}::uuid[])`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Serializes entering codes, so that two of them cannot close a ring unseen. */
export const lockRingCheck = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('referral rings', 31))`.execute(tx);

/** Whether another referred user has this mailbox. */
const isMailboxUsed = async (db: Reader, mailboxKey: string, referredId: string) =>
  (await db
    .selectFrom('referrals')
    .select('id')
    .where('mailbox_key', '=', mailboxKey)
    .where('status', '<>', 'refused')
    .where('referred_id', '<>', referredId)
    .limit(1)
    .executeTakeFirst()) !== undefined;

/** How many people the ring would have that this referral closes; 0 if it closes none. */
async function countRing(db: Reader, referrerId: string, referredId: string): Promise<number> {
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

const countRecentReferrals = async (
  db: Reader,
  { referrerId, referredId, since }: { referrerId: string; referredId: string; since: Date },
) =>
  (
    await db
      .selectFrom('referrals')
      .select(rowCount.as('count'))
      .where('referrer_id', '=', referrerId)
      .where('referred_id', '<>', referredId)
      .where('created_at', '>', since)
      .executeTakeFirstOrThrow()
  ).count;

/** Deletes networks, and later whole origins, once the rules no longer compare them. */
export async function deleteOldOrigins(db: Reader, before: { network: Date; tree: Date }): Promise<void> {
  await db.deleteFrom('referral_origins').where('came_at', '<', before.tree).execute();
  await db
    .updateTable('referral_origins')
    .set({ network_key: null, block_key: null })
    .where('network_key', 'is not', null)
    .where('came_at', '<', before.network)
    .execute();
}
