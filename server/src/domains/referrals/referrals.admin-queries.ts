import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';
import type { ReferralState } from './referrals.states.ts';

type Wanted = { status: ReferralState | undefined; skip: number; take: number };

const personOf = (table: 'referrer' | 'referred') =>
  sql<{ _id: string; fullName: string; username: string; email: string; createdAt: string; emailConfirmed: boolean }>`json_build_object(
    '_id', ${sql.ref(`${table}.id`)}, 'fullName', ${sql.ref(`${table}.full_name`)}, 'username', ${sql.ref(`${table}.username`)}::text,
    'email', ${sql.ref(`${table}.email`)}::text, 'createdAt', ${sql.ref(`${table}.created_at`)},
    'emailConfirmed', ${sql.ref(`${table}.email_confirmed_at`)} is not null)`;

/** Held ones by how long they have waited, others the newest first. */
export const listForAdmin = (db: Reader, { status, skip, take }: Wanted) =>
  db
    .selectFrom('referrals')
    .innerJoin('users as referrer', 'referrer.id', 'referrer_id')
    .innerJoin('users as referred', 'referred.id', 'referred_id')
    .leftJoin('users as decider', 'decider.id', 'decided_by')
    .select(['referrals.id', 'code', 'status', 'referrals.created_at', 'held_because', 'held_until', 'held_lapses', 'listing_id'])
    .select(['referrer_id', 'referred_id', 'approved', 'decision_reason', 'decided_at', 'decider.full_name as decided_by'])
    .select([personOf('referrer').as('referrer'), personOf('referred').as('referred')])
    .$if(status !== undefined, (query) => query.where('status', '=', status ?? 'held'))
    .$if(status === 'held', (query) => query.orderBy('held_at'))
    .orderBy('referrals.created_at', 'desc')
    .orderBy('referrals.id', 'desc')
    .offset(skip)
    .limit(take)
    .execute();

export const countForAdmin = (db: Reader) =>
  db
    .selectFrom('referrals')
    .select(({ cast, fn }) => {
      const all = fn.countAll();
      const inState = (state: ReferralState) => cast<number>(all.filterWhere('status', '=', state), 'integer');
      return [
        cast<number>(all, 'integer').as('total'),
        inState('held').as('held'),
        inState('pending').as('pending'),
        inState('converted').as('converted'),
        inState('refused').as('refused'),
        cast<number>(all.filterWhere('held_at', 'is not', null), 'integer').as('everHeld'),
        cast<number>(all.filterWhere('approved', 'is', true), 'integer').as('wronglyHeld'),
      ];
    })
    .executeTakeFirstOrThrow();

export const listFindings = (db: Reader, referralIds: readonly string[]) =>
  db
    .selectFrom('referral_findings')
    .select(['referral_id', 'rule', 'severity', 'created_at'])
    .where('referral_id', '=', sql<string>`any(${[...referralIds]}::uuid[])`)
    .orderBy('created_at')
    .orderBy('rule')
    .execute();
