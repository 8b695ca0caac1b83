import { sql } from 'kysely';
import type { Db, Tx } from '../../kit/database.ts';

type ContactMessage = { fullName: string; email: string; website: string; message: string };

export const insertContactMessage = (tx: Tx, { fullName, ...rest }: ContactMessage, now: Date) =>
  tx
    .insertInto('contact_messages')
    .values({ full_name: fullName, ...rest, created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow();

export const deleteContactMessagesBefore = (db: Db, oldest: Date) =>
  db.deleteFrom('contact_messages').where('created_at', '<', oldest).execute();

export const ping = (db: Db) => sql`select 1`.execute(db);
