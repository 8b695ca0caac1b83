import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db, Tx } from '../database/database.ts';
import type { FileStore } from './files-store.ts';
import type { PictureFormat, ProcessedFile, ProcessedPicture } from '../images/processed.ts';

/**
 * A picture as a listing keeps it: a file `{key}-{width}.{format}` for each of its widths and formats. Those of the demo
 * data have no `formats` and mean WebP alone.
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

type NewFile = { key: string; files: { key: string; data: Buffer; contentType: string }[] };

function newFile(folder: string, files: readonly ProcessedFile[], keyOf: (base: string) => string): NewFile {
  const name = randomBytes(12).toString('hex');
  // A folder of millions of files is slow on some disks, so they are spread over 256.
  const base = `${folder}/${name.slice(0, 2)}/${name}`;
  return { key: keyOf(base), files: files.map(({ suffix, data, contentType }) => ({ key: base + suffix, data, contentType })) };
}

async function storeFiles(db: Db, store: FileStore, given: readonly NewFile[]): Promise<void> {
  if (given.length === 0) return;
  await db
    .insertInto('files')
    .values(given.map(({ key, files }) => ({ key, objects: files.map((file) => file.key) })))
    .execute();
  const puts = await Promise.allSettled(
    given.flatMap(({ files }) => files.map(({ key, data, contentType }) => store.put(key, data, contentType))),
  );
  const failure = puts.find((put) => put.status === 'rejected');
  if (!failure) return;
  const rows = given.map(({ key, files }) => ({ key, objects: files.map((file) => file.key) }));
  await deleteFiles(db, store, rows).catch(() => {
    // The sweep will do it. What is to be answered is why storing failed.
  });
  throw failure.reason;
}

/**
 * Stores pictures, all or none, in the order given, and not for good: a picture that no transaction attaches within an hour
 * is swept. Call it outside of a transaction. Throws what the store throws.
 */
export async function storePictures(
  db: Db,
  store: FileStore,
  pictures: readonly (ProcessedPicture & { alt: string })[],
): Promise<StoredPicture[]> {
  const stored = pictures.map(({ files, ...picture }) => ({ picture, file: newFile('pictures', files, (base) => base) }));
  await storeFiles(
    db,
    store,
    stored.map(({ file }) => file),
  );
  return stored.map(({ picture, file }) => ({ key: file.key, ...picture }));
}

/** Stores a logo as `storePictures` does and returns its key, which is also the key of its one file: see `fileUrl`. */
export const storeLogo = (db: Db, store: FileStore, logo: ProcessedFile) => storeOne(db, store, 'logos', logo);

/** Stores the picture of a person as `storeLogo` does. */
export const storeAvatar = (db: Db, store: FileStore, avatar: ProcessedFile) => storeOne(db, store, 'avatars', avatar);

async function storeOne(db: Db, store: FileStore, folder: string, picture: ProcessedFile): Promise<string> {
  const file = newFile(folder, [picture], (base) => base + picture.suffix);
  await storeFiles(db, store, [file]);
  return file.key;
}

/**
 * Keeps stored files for as long as the transaction's listing shows them. Throws where one is not there any more, or is
 * another listing's: then the transaction must not commit.
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
  if (missing.length > 0) throw new Error(`These files cannot be attached: ${missing.join(', ')}`);
}

/**
 * Gives files up to the sweep, which leaves them for another hour because kept pages may show them. Keys of the demo data
 * may be among them: they stay.
 */
export async function detachFiles(tx: Tx, keys: readonly string[]): Promise<void> {
  await tx
    .updateTable('files')
    .set({ state: 'unattached', changed_at: sql`now()` })
    .where('key', '=', sql<string>`any(${keys})`)
    .where('state', '=', 'attached')
    .execute();
}

/** Deletes at once what a request stored and then did not attach. Where that fails the sweep will do it. */
export async function discardFiles(db: Db, store: FileStore, keys: readonly string[]): Promise<void> {
  if (keys.length === 0) return;
  try {
    const rows = await toDelete(db)
      .where('key', '=', sql<string>`any(${[...keys]})`)
      .where('state', '=', 'unattached')
      .execute();
    await deleteFiles(db, store, rows);
  } catch {
    // What the request is to answer is why it failed, not that cleaning up failed as well.
  }
}

const sweepBatch = 100;

type FileRow = { key: string; objects: string[] };

const toDelete = (db: Db) =>
  db
    .updateTable('files')
    .set({ state: 'deleting', changed_at: sql`now()` })
    .returning(['key', 'objects']);

// The row goes last, so that a process killed in between leaves something for the next sweep to find.
async function deleteFiles(db: Db, store: FileStore, rows: readonly FileRow[]): Promise<void> {
  await store.delete(rows.flatMap((row) => row.objects));
  await db
    .deleteFrom('files')
    .where('key', '=', sql<string>`any(${rows.map((row) => row.key)})`)
    .execute();
}

/**
 * Deletes the files that nothing has shown for so long, and returns how many pictures and logos that were. It may run on
 * several servers at once. Where the store fails it throws, and a later sweep goes on. The age must be longer than the
 * longest request that stores files.
 */
export async function sweepOrphans(db: Db, store: FileStore, olderThanSeconds = 3600): Promise<number> {
  for (let swept = 0; ;) {
    // A row that a transaction holds is passed over, because it may be about to be attached. Rows that an earlier sweep
    // left in `deleting` come up again when they are as old.
    const rows = await toDelete(db)
      .where('key', 'in', (from) =>
        from
          .selectFrom('files')
          .select('key')
          .where('state', '<>', 'attached')
          .where('changed_at', '<=', sql<Date>`now() - make_interval(secs => ${olderThanSeconds})`)
          .orderBy('changed_at')
          .limit(sweepBatch)
          .forUpdate()
          .skipLocked(),
      )
      .execute();
    if (rows.length === 0) return swept;
    await deleteFiles(db, store, rows);
    swept += rows.length;
  }
}
