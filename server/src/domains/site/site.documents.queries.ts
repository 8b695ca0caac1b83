import { sql } from 'kysely';
import type { Reader } from '../../kit/database/database.ts';

export const findDocumentEtag = async (db: Reader, path: string): Promise<string | undefined> =>
  (await db.selectFrom('site_documents').select('etag').where('path', '=', path).executeTakeFirst())?.etag;

/** Undefined if the document has been rebuilt or removed since its etag was read. */
export const findDocumentBody = async (db: Reader, path: string, etag: string, encoding: 'br' | 'gzip'): Promise<Buffer | undefined> =>
  (await db.selectFrom('site_documents').select(`${encoding} as body`).where('path', '=', path).where('etag', '=', etag).executeTakeFirst())
    ?.body;

type StoredDocument = { path: string; etag: string; br: Buffer; gzip: Buffer; built_at: Date };

export const saveDocument = (db: Reader, { path, ...built }: StoredDocument) =>
  db
    .insertInto('site_documents')
    .values({ path, ...built })
    .onConflict((conflict) => conflict.column('path').doUpdateSet(built))
    .execute();

export const setBuiltAt = (db: Reader, path: string, now: Date) =>
  db.updateTable('site_documents').set({ built_at: now }).where('path', '=', path).execute();

export const deleteOtherDocuments = (db: Reader, paths: readonly string[]) =>
  db
    .deleteFrom('site_documents')
    .where('path', '<>', sql<string>`all(${[...paths]}::text[])`)
    .execute();
