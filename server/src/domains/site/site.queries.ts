import { sql } from 'kysely';
import type { Db, Reader, Tx } from '../../kit/database/database.ts';

type ContactMessage = { fullName: string; email: string; website: string; message: string };

export const insertContactMessage = (tx: Tx, { fullName, ...rest }: ContactMessage, now: Date) =>
  tx
    .insertInto('contact_messages')
    .values({ full_name: fullName, ...rest, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

export const deleteContactMessagesBefore = (db: Db, oldest: Date) =>
  db.deleteFrom('contact_messages').where('created_at', '<', oldest).execute();

/** What was written by the contact form under an address, whatever its case. */
export const listContactMessagesOf = (db: Reader, email: string) =>
  db
    .selectFrom('contact_messages')
    .select(['full_name as fullName', 'email', 'website', 'message', 'created_at as createdAt'])
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .orderBy('created_at')
    .execute();

/** Takes from it who wrote. */
export const forgetContact = (tx: Tx, email: string, person: { full_name: string; email: string; website: string }) =>
  tx
    .updateTable('contact_messages')
    .set(person)
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .execute();
