import type { ListingPage } from '@handwise/contract/listings/calls';
import { maxSaved, savedPageSize } from '@handwise/contract/saved/calls';
import type { Context } from '../../kit/context.ts';
import type { Db, Reader } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import type { OwnData } from '../../kit/own-data.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { listListingCards, buildListingPage, requireActive } from '../listings/listings.service.ts';
import * as queries from './saved.queries.ts';

export const { countSavesByDay, deleteAllSaved, deleteSaved: unsaveListing, isSaved, listSavedSince } = queries;

/**
 * Saves an active listing; idempotent, even if the listing is no longer active. Throws
 * `listing_not_found`, `listing_gone`, `too_many_saved`.
 */
export async function saveListing({ db }: Context, userId: string, listingId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // The lock serializes concurrent saves, so that the limit is exact.
    await lockUser(tx, userId);
    if (await queries.isSaved(tx, userId, listingId)) return;
    await requireActive(tx, listingId);
    if ((await queries.countSaved(tx, userId)) >= maxSaved) throw new AppError('too_many_saved');
    await queries.insertSaved(tx, userId, listingId);
  });
}

export const listSavedIds = (db: Db, userId: string): Promise<string[]> => queries.listSavedListingIds(db, userId);

/** Saved listings in any state, last saved first. */
export async function listSaved(
  db: Db,
  userId: string,
  options: { page?: number | undefined; limit?: number | undefined },
): Promise<ListingPage> {
  const page = options.page ?? 1;
  const take = options.limit ?? savedPageSize;
  const [ids, total] = await Promise.all([
    queries.listSavedListingIds(db, userId, { skip: (page - 1) * take, take }),
    queries.countSaved(db, userId),
  ]);
  return buildListingPage(await listListingCards(db, ids), total, { page, take });
}

export const getOwnSavedData = (db: Reader, userId: string): OwnData => ({
  lists: { 'saved-listings': () => queries.listSavedForExport(db, userId) },
});
