import type { Reader, Tx } from '../../kit/database.ts';
import { cardColumns } from '../listings/listings.service.ts';

export const insertSaved = (tx: Tx, userId: string, listingId: string) =>
  tx
    .insertInto('saved_listings')
    .values({ user_id: userId, listing_id: listingId })
    .onConflict((conflict) => conflict.doNothing())
    .execute();

export const deleteSaved = (db: Reader, userId: string, listingId: string) =>
  db.deleteFrom('saved_listings').where('user_id', '=', userId).where('listing_id', '=', listingId).execute();

export const isSaved = async (db: Reader, userId: string, listingId: string) =>
  (await db
    .selectFrom('saved_listings')
    .select('listing_id')
    .where('user_id', '=', userId)
    .where('listing_id', '=', listingId)
    .executeTakeFirst()) !== undefined;

export async function countSaved(db: Reader, userId: string): Promise<number> {
  const { total } = await db
    .selectFrom('saved_listings')
    .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return total;
}

export const listIds = (db: Reader, userId: string) =>
  db
    .selectFrom('saved_listings')
    .select('listing_id')
    .where('user_id', '=', userId)
    .orderBy('saved_at', 'desc')
    .orderBy('listing_id')
    .execute();

/** A page of saved listings as cards, whatever their status, the last saved first. */
export const listSaved = (db: Reader, userId: string, page: { skip: number; take: number }) =>
  db
    .with('page', (saved) =>
      saved
        .selectFrom('saved_listings')
        .select(['listing_id', 'saved_at'])
        .where('user_id', '=', userId)
        .orderBy('saved_at', 'desc')
        .orderBy('listing_id')
        .offset(page.skip)
        .limit(page.take),
    )
    .selectFrom('listings')
    .innerJoin('page', 'page.listing_id', 'listings.id')
    .select(cardColumns)
    .orderBy('saved_at', 'desc')
    .orderBy('listing_id')
    .execute();
