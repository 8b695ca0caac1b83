import type { ListingPage } from '@handwise/contract/listings/calls';
import { maxSaved, savedPageSize } from '@handwise/contract/saved/calls';
import type { Context } from '../../kit/context.ts';
import type { Db } from '../../kit/database/database.ts';
import { AppError } from '../../kit/errors.ts';
import { lockUser } from '../accounts/accounts.service.ts';
import { listListingCards, pageOf, requireActive } from '../listings/listings.service.ts';
import * as queries from './saved.queries.ts';

export { ownDataOf } from './saved.own-data.ts';
export const { countByDay: countSavesByDay, deleteAllSaved, deleteSaved: unsaveListing, isSaved, listSavedSince } = queries;

/**
 * Saves an active listing for a user. What is saved already stays as it is, whatever became of the listing. Throws
 * `listing_not_found`, `listing_gone`, `too_many_saved`.
 */
export async function saveListing({ db }: Context, userId: string, listingId: string): Promise<void> {
  await db.transaction().execute(async (tx) => {
    // Parallel taps wait for each other, so that the limit holds.
    await lockUser(tx, userId);
    if (await queries.isSaved(tx, userId, listingId)) return;
    await requireActive(tx, listingId);
    if ((await queries.countSaved(tx, userId)) >= maxSaved) throw new AppError('too_many_saved');
    await queries.insertSaved(tx, userId, listingId);
  });
}

export const listSavedIds = (db: Db, userId: string): Promise<string[]> => queries.listIds(db, userId);

/** A page of saved listings as cards, whatever became of them, the last saved first. */
export async function listSaved(
  db: Db,
  userId: string,
  asked: { page?: number | undefined; limit?: number | undefined },
): Promise<ListingPage> {
  const page = asked.page ?? 1;
  const take = asked.limit ?? savedPageSize;
  const [ids, total] = await Promise.all([queries.listIds(db, userId, { skip: (page - 1) * take, take }), queries.countSaved(db, userId)]);
  return pageOf(await listListingCards(db, ids), total, { page, take });
}
