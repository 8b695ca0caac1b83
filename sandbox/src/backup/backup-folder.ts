import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '@handwise/server/startup-error';

/**
 * How a backup lies in its folder:
 * - `system`: which database it is of,
 * - `wal/`: what the database has written since, compressed, a file for each segment,
 * - `files/` and `files.sha256`: every stored file that there was, and what it must be,
 * - `base-<time>/`: a copy of the database, in `postgres/`, with `manifest.json` and `files.txt`, the files that there were then.
 */
export const openFolder = (path: string) => {
  const root = resolve(path);
  const folder = {
    root,
    system: join(root, 'system'),
    wal: join(root, 'wal'),
    files: join(root, 'files'),
    checksums: join(root, 'files.sha256'),
    bases: () => (existsSync(root) ? readdirSync(root).filter((name) => /^base-[\dTZ]+$/.test(name)) : []).toSorted(),
  };
  return folder;
};
export type BackupFolder = ReturnType<typeof openFolder>;

export type Manifest = {
  systemIdentifier: string;
  /** When the copy was begun, and when it was whole: it can be restored to any moment from then on. */
  startedAt: string;
  wholeAt: string;
  /** The first segment that it needs. */
  firstWal: string;
  /** What each file of `postgres/` must be. */
  sha256: Record<string, string>;
};

export const readManifest = (folder: BackupFolder, base: string): Manifest =>
  JSON.parse(readFileSync(join(folder.root, base, 'manifest.json'), 'utf8')) as Manifest;

/**
 * Makes the folder the backup of one database. Throws where it is another one's: of two databases the segments have the same names.
 */
export function claimFolder(folder: BackupFolder, systemIdentifier: string): void {
  for (const path of [folder.root, folder.files]) mkdirSync(path, { recursive: true });
  const kept = existsSync(folder.system) ? readFileSync(folder.system, 'utf8').trim() : undefined;
  if (kept === undefined) writeFileSync(folder.system, `${systemIdentifier}\n`);
  else if (kept !== systemIdentifier)
    throw new StartupError(`${folder.root} is the backup of another database. Restore from it (npm run restore), or name an empty folder.`);
}

const small = 4_000_000;

export async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  // Most files of a database are: a stream for each takes ten times as long.
  if (statSync(path).size <= small) return hash.update(readFileSync(path)).digest('hex');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Has the disk keep a file, or a folder's names, before what follows counts on them. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A path as a shell reads it that PostgreSQL starts: to PostgreSQL `%` means something else. */
export const shellWord = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%');
