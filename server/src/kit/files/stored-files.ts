import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Db, Tx } from '../database/database.ts';
import type { PictureFormat, ProcessedFile, ProcessedPicture } from '../images/pool.ts';
import { toDisplayName } from './display-name.ts';
import { fileKey, type FileStore, privatePrefix } from './file-store.ts';

/**
 * A stored picture, with a file `{key}-{width}.{format}` for each of its widths and formats. Those of the demo data have no `formats`, which means
 * WebP only.
 */
export type StoredPicture = {
  key: string;
  widths: number[];
  width: number;
  height: number;
  thumbhash: string;
  alt: string;
  formats?: PictureFormat[];
};

/** A stored PDF under its display name; `key` is the key of its only file. */
export type StoredPdf = { key: string; name: string; bytes: number };

/** A stored file by its address. Null without one, and if it cannot be read: a picture must not cost anybody the document that it is for. */
export async function readForDocument({ store, logger }: Pick<Context, 'store' | 'logger'>, url: string): Promise<Uint8Array | null> {
  const key = fileKey(url);
  if (key === undefined) return null;
  try {
    const stream = await store.read(key);
    return stream ? new Uint8Array(await buffer(stream)) : null;
  } catch (error) {
    logger.warn({ err: error, key }, 'the logo of a document could not be read');
    return null;
  }
}

type NewFile = { key: string; files: { key: string; data: Buffer; contentType: string }[] };

function createFile(folder: string, files: readonly ProcessedFile[], keyOf: (base: string) => string): NewFile {
  const name = randomBytes(12).toString('hex');
  // Folders with millions of files are slow on some disks, so files are spread over 256.
  const base = `${folder}/${name.slice(0, 2)}/${name}`;
  return { key: keyOf(base), files: files.map(({ suffix, data, contentType }) => ({ key: base + suffix, data, contentType })) };
}

async function storeFiles(db: Db, store: FileStore, added: readonly NewFile[]): Promise<void> {
  if (added.length === 0) return;
  await db
    .insertInto('files')
    .values(added.map(({ key, files }) => ({ key, objects: files.map((file) => file.key) })))
    .execute();
  const puts = await Promise.allSettled(
    added.flatMap(({ files }) => files.map(({ key, data, contentType }) => store.put(key, data, contentType))),
  );
  const failure = puts.find((put) => put.status === 'rejected');
  if (!failure) return;
  const rows = added.map(({ key, files }) => ({ key, objects: files.map((file) => file.key) }));
  await deleteFiles(db, store, rows).catch(() => {
    // The clean-up job deletes them later. The error to report is that of the store.
  });
  throw failure.reason;
}

/**
 * Stores all pictures or none, in order. A picture that no transaction attaches within an hour is deleted. Call it outside of a transaction. Throws
 * what the store throws.
 */
export async function storePictures(
  db: Db,
  store: FileStore,
  pictures: readonly (ProcessedPicture & { alt: string })[],
): Promise<StoredPicture[]> {
  const stored = pictures.map(({ files, ...picture }) => ({ picture, file: createFile('pictures', files, (base) => base) }));
  await storeFiles(
    db,
    store,
    stored.map(({ file }) => file),
  );
  return stored.map(({ picture, file }) => ({ key: file.key, ...picture }));
}

/** Stores a logo as `storePictures` does and returns its key, which is also the key of its only file. */
export const storeLogo = (db: Db, store: FileStore, logo: ProcessedFile) => storeSingleFile(db, store, 'logos', logo);

/** Stores the files of the site's logo together and returns the key of the first. */
export async function storeSiteLogo(db: Db, store: FileStore, files: readonly ProcessedFile[]): Promise<string> {
  const file = createFile('logos', files, (base) => base + (files[0]?.suffix ?? ''));
  await storeFiles(db, store, [file]);
  return file.key;
}

/** Stores a person's picture as `storeLogo` does. */
export const storeAvatar = (db: Db, store: FileStore, avatar: ProcessedFile) => storeSingleFile(db, store, 'avatars', avatar);

/** Stores a PDF as `storePictures` does, where only a route that checks the reader gives it out. */
export async function storePdf(db: Db, store: FileStore, { name, content }: { name: string; content: Buffer }): Promise<StoredPdf> {
  const file = { suffix: '.pdf', data: content, contentType: 'application/pdf' };
  return { key: await storeSingleFile(db, store, `${privatePrefix}pdfs`, file), name: toDisplayName(name, '.pdf'), bytes: content.length };
}

async function storeSingleFile(db: Db, store: FileStore, folder: string, single: ProcessedFile): Promise<string> {
  const file = createFile(folder, [single], (base) => base + single.suffix);
  await storeFiles(db, store, [file]);
  return file.key;
}

export class FilesGoneError extends Error {}

/**
 * Protects stored files from clean-up once the transaction commits. Throws `FilesGoneError` if one was deleted or is attached elsewhere: then the
 * transaction must not commit.
 */
export async function attachFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  const attached = await tx
    .updateTable('files')
    .set({ state: 'attached', changed_at: sql`now()` })
    .where('key', '=', sql<string>`any(${keys})`)
    .where('state', '=', 'unattached')
    .returning('key')
    .execute();
  const found = new Set(attached.map((row) => row.key));
  const missing = keys.filter((key) => !found.has(key));
  if (missing.length > 0) throw new FilesGoneError(`These files cannot be attached: ${missing.join(', ')}`);
}

/**
 * Releases files for clean-up an hour later, because cached pages may still show them. Pictures of the demo data have no row and stay.
 */
export async function detachFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('files')
    .set({ state: 'unattached', changed_at: sql`now()` })
    .where('key', '=', sql<string>`any(${keys})`)
    .where('state', '=', 'attached')
    .execute();
}

/** Deletes at once what a request stored but did not attach. If that fails, the clean-up job does it. */
export async function discardFiles(db: Db, store: FileStore, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    const rows = await markDeleting(db)
      .where('key', '=', sql<string>`any(${[...keys]})`)
      .where('state', '=', 'unattached')
      .execute();
    await deleteFiles(db, store, rows);
  } catch {
    // The request reports its own error, not that of the clean-up.
  }
}

const cleanupBatch = 100;

type FileRow = { key: string; objects: string[] };

const markDeleting = (db: Db) =>
  db
    .updateTable('files')
    .set({ state: 'deleting', changed_at: sql`now()` })
    .returning(['key', 'objects']);

// The row is deleted last, so that the next clean-up finds the files of a process killed in between.
async function deleteFiles(db: Db, store: FileStore, rows: readonly FileRow[]): Promise<void> {
  await store.delete(rows.flatMap((row) => row.objects));
  await db
    .deleteFrom('files')
    .where('key', '=', sql<string>`any(${rows.map((row) => row.key)})`)
    .execute();
}

/**
 * Deletes files that have been unattached for so long, and returns the number of pictures and logos. Several servers may run it at once. If the store
 * fails it throws, and a later run continues. The age must exceed the longest request that stores files.
 */
export async function deleteOrphanedFiles(db: Db, store: FileStore, olderThanSeconds = 3600): Promise<number> {
  for (let deleted = 0; ;) {
    // Locked rows are skipped, because a transaction may be attaching them. Rows that an interrupted run left in `deleting` are retried at the same
    // age.
    const rows = await markDeleting(db)
      .where('key', 'in', (from) =>
        from
          .selectFrom('files')
          .select('key')
          .where('state', '<>', 'attached')
          .where('changed_at', '<=', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
          .orderBy('changed_at')
          .limit(cleanupBatch)
          .forUpdate()
          .skipLocked(),
      )
      .execute();
    if (rows.length === 0) return deleted;
    await deleteFiles(db, store, rows);
    deleted += rows.length;
  }
}
