import { sql } from 'kysely';
import type { Reader, Tx } from '../../kit/database.ts';
import { type CardRow, cardColumns } from '../listings/listings.service.ts';

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
    .select((row) => row.fn.countAll<string>().as('total'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return Number(total);
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
export async function listSaved(db: Reader, userId: string, page: { skip: number; take: number }): Promise<CardRow[]> {
  const { rows } = await sql<CardRow>`
    select ${cardColumns} from listings
    join (
      select listing_id, saved_at from saved_listings where user_id = ${userId}
      order by saved_at desc, listing_id offset ${page.skip} limit ${page.take}
    ) as page on listing_id = id
    order by saved_at desc, listing_id`.execute(db);
  return rows;
}
