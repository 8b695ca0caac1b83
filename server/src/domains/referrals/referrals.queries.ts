import { type Insertable, sql, type Updateable } from 'kysely';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import type { Severity } from './referrals.abuse.ts';

/**
 * Keeps a code for this transaction, unless anybody has it, suspended accounts too, or another transaction is about to give it: codes are given once.
 * Two statements, because one that waits for nobody still reads what stood there when it began.
 */
export async function claimCode(tx: Tx, code: string): Promise<boolean> {
  const { rows } = await sql<{ ours: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${code}, 32)) as ours`.execute(tx);
  if (!rows[0]?.ours) return false;
  return (await tx.selectFrom('users').select('id').where('referral_code', '=', code).executeTakeFirst()) === undefined;
}

/** The owner of a code that a new user can enter: nobody who is suspended or has left. */
export const findOwner = (db: Reader, code: string) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`email::text`.as('email')])
    .where('referral_code', '=', code)
    .where('suspended_at', 'is', null)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();

/** Whose code it is, whatever became of them. */
export const findAnyOwner = (db: Reader, code: string) =>
  db
    .selectFrom('users')
    .select(['id', sql<string>`email::text`.as('email')])
    .where('referral_code', '=', code)
    .executeTakeFirst();

export const findCodes = (db: Reader, userId: string) =>
  db
    .selectFrom('users')
    .select(['username', 'referral_code', 'referred_by_code', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow();

export const setCodes = (tx: Tx, userId: string, codes: { referral_code?: string; referred_by_code?: string | null }) =>
  tx.updateTable('users').set(codes).where('id', '=', userId).execute();

/** Accounts that registered with a code and have no referral yet: they did so before there were any. */
export const listUnreferred = (db: Reader, count: number) =>
  db
    .selectFrom('users')
    .select('id')
    .where('referred_by_code', 'is not', null)
    .where('deleted_at', 'is', null)
    .where((is) => is.not(is.exists(is.selectFrom('referrals').select('id').whereRef('referred_id', '=', 'users.id'))))
    .orderBy('id')
    .limit(count)
    .execute();

const columns = [
  'id',
  'referrer_id',
  'referred_id',
  'code',
  'status',
  'created_at',
  'held_because',
  'held_until',
  'held_lapses',
  'refused_because',
  'decided_at',
  'approved',
  'converted_at',
  'listing_id',
] as const;

const select = (db: Reader) => db.selectFrom('referrals').select(columns);
export type ReferralRow = Awaited<ReturnType<ReturnType<typeof select>['execute']>>[number];

/** The two people of a referral; none where there is no such one. */
export async function findPeople(db: Reader, id: string): Promise<string[]> {
  const row = await db.selectFrom('referrals').select(['referrer_id', 'referred_id']).where('id', '=', id).executeTakeFirst();
  return row ? [row.referrer_id, row.referred_id] : [];
}

export const lockReferral = (tx: Tx, id: string) => select(tx).where('id', '=', id).forUpdate().executeTakeFirst();

/** How an account came, where its code counts or is looked at. */
export const findReferralOf = (db: Reader, referredId: string) =>
  select(db).where('referred_id', '=', referredId).where('status', '<>', 'refused').executeTakeFirst();

export const lockReferralOf = (tx: Tx, referredId: string) =>
  select(tx).where('referred_id', '=', referredId).where('status', '<>', 'refused').forUpdate().executeTakeFirst();

/** As `findReferralOf`, or the newest one that was refused. */
export const findLastReferralOf = (db: Reader, referredId: string) =>
  select(db)
    .where('referred_id', '=', referredId)
    .orderBy((is) => is('status', '<>', 'refused'), 'desc')
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();

export const insertReferral = (tx: Tx, referral: Insertable<DB['referrals']>) =>
  tx.insertInto('referrals').values(referral).returning(columns).executeTakeFirstOrThrow();

/** An administrator's decision about one that was refused before. */
export const setDecision = (tx: Tx, id: string, decision: Omit<Updateable<DB['referrals']>, 'status'>) =>
  tx.updateTable('referrals').set(decision).where('id', '=', id).execute();

/** Keeps which listing was the first one of the referred. */
export const setListing = (tx: Tx, id: string, listingId: string) =>
  tx.updateTable('referrals').set({ listing_id: listingId }).where('id', '=', id).execute();

export async function insertFindings(
  tx: Reader,
  referral: { id: string | null; referrerId: string; referredId: string },
  findings: readonly { rule: string; severity: Severity }[],
  now: Date,
): Promise<void> {
  if (findings.length === 0) return;
  await tx
    .insertInto('referral_findings')
    .values(
      findings.map(({ rule, severity }) => ({
        referral_id: referral.id,
        referrer_id: referral.referrerId,
        referred_id: referral.referredId,
        rule,
        severity,
        created_at: now,
      })),
    )
    .onConflict((conflict) => conflict.constraint('referral_findings_once').doNothing())
    .execute();
}

/** Held referrals about which nobody has decided in time. */
export const listDue = (db: Reader, now: Date) =>
  db.selectFrom('referrals').select('id').where('status', '=', 'held').where('held_until', '<=', now).orderBy('held_until').execute();

/** What is still open of somebody who leaves ends. */
export const listOpenOf = (tx: Tx, referredId: string) =>
  select(tx).where('referred_id', '=', referredId).where('status', 'in', ['held', 'pending']).forUpdate().execute();
