import type { Tx } from '../../kit/database/database.ts';
import type { Business } from '../evidence/evidence.service.ts';

/** The business behind a listing, locked until the transaction ends; undefined where there is no such listing. */
export const lockBusiness = (tx: Tx, listingId: string): Promise<Business | undefined> =>
  tx
    .selectFrom('listings')
    .select(['seller_id as sellerId', 'business_title as businessTitle', 'service_title as serviceTitle'])
    .where('id', '=', listingId)
    .forUpdate()
    .executeTakeFirst();

/** Says whether a register check of a listing holds. Pages that show when it was made hear of it even where it held before. */
export async function setVerified(tx: Tx, listingId: string, isVerified: boolean): Promise<void> {
  await tx.updateTable('listings').set({ verified: isVerified }).where('id', '=', listingId).execute();
}
