import { type RawBuilder, sql, type Updateable } from 'kysely';
import type { BusinessRegister } from '@handwise/contract/registers/business-number';
import type { RegisterCheckState } from '@handwise/contract/registers/checks';
import type { DB } from '../../kit/database/database.generated.ts';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { anyId } from '../../kit/database/sql-helpers.ts';

export type VerifiedRow = { register: BusinessRegister; number: string; name: string; at: string; sandbox: boolean };

/** For lists: the valid check of a verified listing; null for the others. */
export const verifiedBy: RawBuilder<VerifiedRow[] | null> = sql`case when listings.verified then (
  select jsonb_agg(jsonb_build_object('register', register, 'number', number, 'name', register_name, 'at', checked_at, 'sandbox', sandbox))
  from register_checks where listing_id = listings.id and state = 'verified') end`;

export type CheckRow = {
  register: BusinessRegister;
  number: string;
  state: RegisterCheckState;
  registerName: string | null;
  checkedAt: string | null;
};

/** For one listing in full: the check of its number in any state. */
export const registerCheck: RawBuilder<CheckRow | null> = sql`(
  select jsonb_build_object('register', register, 'number', number, 'state', state, 'registerName', register_name, 'checkedAt', checked_at)
  from register_checks where listing_id = listings.id)`;

export const deleteChecks = (tx: Tx, listingIds: readonly string[]) =>
  tx.deleteFrom('register_checks').where('listing_id', '=', anyId(listingIds)).execute();

export const insertCheck = (tx: Tx, check: { listing_id: string; register: BusinessRegister; number: string; check_at: Date }) =>
  tx
    .insertInto('register_checks')
    .values({ ...check, state: 'claimed' })
    .execute();

const selectCheck = (db: Reader, listingId: string) =>
  db.selectFrom('register_checks').select(['register', 'number', 'state']).where('listing_id', '=', listingId);

export const findCheck = (db: Reader, listingId: string) => selectCheck(db, listingId).executeTakeFirst();

export const lockCheck = (tx: Tx, listingId: string) => selectCheck(tx, listingId).forUpdate().executeTakeFirst();

export const updateCheck = (tx: Tx, listingId: string, changes: Updateable<DB['register_checks']>) =>
  tx.updateTable('register_checks').set(changes).where('listing_id', '=', listingId).execute();

export const listOtherListingsWith = async (tx: Tx, number: string, listingId: string) =>
  (
    await tx.selectFrom('register_checks').select('listing_id').where('number', '=', number).where('listing_id', '<>', listingId).execute()
  ).map(({ listing_id: id }) => id);

/** Claims due checks for one server and postpones them until `next`. */
export const claimDueChecks = async (tx: Tx, now: Date, next: Date, limit: number) =>
  (
    await tx
      .with(
        (cte) => cte('due').materialized(),
        (db) =>
          db
            .selectFrom('register_checks')
            .select(['listing_id', 'register'])
            .where('check_at', '<=', now)
            .orderBy('check_at')
            .limit(limit)
            .forUpdate()
            .skipLocked(),
      )
      .updateTable('register_checks')
      .from('due')
      .set({ check_at: next })
      .whereRef('register_checks.listing_id', '=', 'due.listing_id')
      .whereRef('register_checks.register', '=', 'due.register')
      .returning('register_checks.listing_id')
      .execute()
  ).map(({ listing_id: id }) => id);

/** Listings that are verified now, and what registers answered in a period, as far as it is known. */
export const countChecks = (db: Reader, { from, until }: { from: Date; until: Date }) =>
  db
    .selectFrom('register_checks')
    .select(({ fn, eb }) => {
      const inPeriod = eb.and([eb('checked_at', '>=', from), eb('checked_at', '<', until)]);
      return [
        sql<number>`${fn.countAll().filterWhere('state', '=', 'verified')}::int`.as('verified'),
        sql<number>`${fn.countAll().filterWhere(inPeriod)}::int`.as('asked'),
        sql<number>`${fn.countAll().filterWhere(eb.and([inPeriod, eb('state', 'in', ['refused', 'gone'])]))}::int`.as('refused'),
      ];
    })
    .executeTakeFirstOrThrow();
