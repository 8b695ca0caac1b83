import type { ListingStatus } from '@handwise/contract/listings/calls';
import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database/database.ts';
import { moveAllTo } from './listings.states.ts';

/** Takes listings from the site, for moderators. Resolves to those that were not hidden before. */
export const hide = (tx: Tx, ids: readonly string[]): Promise<{ id: string }[]> =>
  moveAllTo(tx, named(ids), 'hidden', 'moderator', { hidden_from: sql<Exclude<ListingStatus, 'hidden'>>`status` });

/** Gives hidden listings back what they were. A subscription may have ended meanwhile, or begun anew. Resolves to those that were hidden. */
export const show = (tx: Tx, ids: readonly string[], now: Date): Promise<{ id: string }[]> => {
  const by = sql<ListingStatus>`case when subscription_ends_at <= ${now} then 'expired' when hidden_from = 'expired' then 'active' else hidden_from end`;
  return moveAllTo(tx, named(ids), { among: ['active', 'inactive', 'expired'], by }, 'moderator', { hidden_from: null });
};

const named = (ids: readonly string[]) => ids.map((id) => ({ id }));

/** A listing as moderators look at it, whatever its state. */
export const findForModerators = (db: Reader, id: string) =>
  db
    .selectFrom('listings')
    .select(['id', 'seller_id', 'status', 'service_title', 'service_description', 'business_title'])
    .where('id', '=', id)
    .executeTakeFirst();

/** All listings of a seller, locked in the order of their ids, as by everybody who locks several. */
export const lockIdsOf = async (tx: Tx, sellerId: string) =>
  (await tx.selectFrom('listings').select('id').where('seller_id', '=', sellerId).orderBy('id').forNoKeyUpdate().execute()).map(
    ({ id }) => id,
  );

export const countHidden = async (db: Reader) =>
  (
    await db
      .selectFrom('listings')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('listings'))
      .where('status', '=', sql.lit('hidden' as const))
      .executeTakeFirstOrThrow()
  ).listings;
