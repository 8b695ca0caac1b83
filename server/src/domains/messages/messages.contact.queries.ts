import type { Reader, Tx } from '../../kit/database/database.ts';
import { counted } from './messages.queries.ts';

export const findConversation = (db: Reader, listingId: string, buyerId: string) =>
  db.selectFrom('conversations').select('id').where('listing_id', '=', listingId).where('buyer_id', '=', buyerId).executeTakeFirst();

export async function insertConversation(
  tx: Tx,
  values: { listing_id: string; buyer_id: string; seller_id: string; opening_hash: Buffer; created_at: Date },
): Promise<{ id: string }> {
  const { id } = await tx.insertInto('conversations').values(values).returning('id').executeTakeFirstOrThrow();
  await tx
    .insertInto('participants')
    .values([
      { conversation_id: id, role: 'buyer', user_id: values.buyer_id },
      { conversation_id: id, role: 'seller', user_id: values.seller_id },
    ])
    .execute();
  return { id };
}

export const countBegun = async (db: Reader, buyerId: string) =>
  counted(
    await db
      .selectFrom('conversations')
      .select(({ cast, fn }) => cast<number>(fn.countAll(), 'integer').as('total'))
      .where('buyer_id', '=', buyerId)
      .executeTakeFirst(),
  );

/** The first messages of the conversations that this buyer has begun since then with the same words, the newest last. */
export const listSameOpenings = async (db: Reader, buyerId: string, hash: Buffer, since: Date) =>
  (
    await db
      .selectFrom('conversations')
      .innerJoin('messages', (join) => join.onRef('conversation_id', '=', 'conversations.id').on('number', '=', 1))
      .select('messages.id')
      .where('buyer_id', '=', buyerId)
      .where('opening_hash', '=', hash)
      .where('conversations.created_at', '>', since)
      .orderBy('conversations.created_at')
      .orderBy('conversations.id')
      .execute()
  ).map(({ id }) => id);

/** Flags the conversations that this buyer has begun since then with the same words. */
export const flagSameOpenings = (tx: Tx, buyerId: string, hash: Buffer, since: Date) =>
  tx
    .updateTable('conversations')
    .set({ flagged_because: 'same_text' })
    .where('buyer_id', '=', buyerId)
    .where('opening_hash', '=', hash)
    .where('created_at', '>', since)
    .where('flagged_because', 'is', null)
    .execute();
