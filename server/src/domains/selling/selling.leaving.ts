import { formerMember } from '@handwise/contract/accounts/public-name';
import type { Tx } from '../../kit/database/database.ts';
import { fileKey } from '../../kit/files/files.ts';
import { detachFiles } from '../../kit/files/stored-files.ts';
import { deleteChecks } from '../evidence/evidence.service.ts';
import { moveAllTo } from '../listings/listings.service.ts';
import { endWithSubscription } from './selling.queries.ts';

const lockAll = (tx: Tx, sellerId: string) =>
  tx
    .selectFrom('listings')
    .select(['id', 'status', 'pictures', 'logo'])
    .where('seller_id', '=', sellerId)
    .orderBy('id')
    .forUpdate()
    .execute();

/**
 * Ends the listings of a seller who leaves. Titles, places and stars stay, for those who saved a listing or wrote about it; words, pictures
 * and addresses go. What moderators have hidden stays hidden.
 */
export async function endListings(tx: Tx, sellerId: string, ended: readonly { id: string; ends_at: Date }[]): Promise<void> {
  const listings = await lockAll(tx, sellerId);
  await deleteChecks(
    tx,
    listings.map(({ id }) => id),
  );
  await moveAllTo(tx, listings, 'expired', 'owner');
  await tx
    .updateTable('listings')
    .set({
      pictures: '[]',
      logo: '',
      website: '',
      business_email: '',
      business_info: '',
      business_title: formerMember,
      service_description: '',
      services: [],
      licence_register: null,
      licence_number: null,
      licence_name: null,
      business_number: null,
      verified: false,
    })
    .where('seller_id', '=', sellerId)
    .execute();
  // Also of those that moderators have hidden: shown again, they are over.
  for (const { id, ends_at: endsAt } of ended) await endWithSubscription(tx, id, endsAt);
  const logos = listings.flatMap(({ logo }) => fileKey(logo) ?? []);
  await detachFiles(tx, [...listings.flatMap(({ pictures }) => pictures.map(({ key }) => key)), ...logos]);
}
