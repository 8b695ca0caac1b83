import { sql } from 'kysely';
import type { Db } from '../../kit/database.ts';

export const ping = (db: Db) => sql`select 1`.execute(db);
