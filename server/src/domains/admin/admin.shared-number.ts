import { businessNumberText, businessRegisters } from '@handwise/contract/evidence/business-number';
import type { Tx } from '../../kit/database/database.ts';
import type { SharedNumber } from '../evidence/evidence.service.ts';
import { listPlaces } from '../listings/listings.service.ts';
import * as queries from './admin.queries.ts';
import { reportOf } from './admin.reports.ts';
import { findThing } from './admin.things.ts';

/** Brings a listing to the moderators whose business number another account gives as well. One account may use its number for all its listings. */
export async function flagSharedNumber(tx: Tx, shared: SharedNumber): Promise<void> {
  const { listingId, sellerId, register, number, otherListingIds } = shared;
  const first = (await listPlaces(tx, { ids: otherListingIds })).find((other) => other.sellerId !== sellerId);
  const thing = first && (await findThing(tx, 'listing', listingId));
  if (!thing) return;
  const named = `${businessRegisters[register].number} ${businessNumberText(number, register)}`;
  const text = `Another account gives the ${named} as well, for “${first.title}”.`;
  await queries.insertReport(tx, reportOf(thing, { reporterId: null, reason: 'misleading', text }));
}
