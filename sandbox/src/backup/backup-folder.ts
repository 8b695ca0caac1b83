import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { StartupError } from '@handwise/server/startup-error';

/**
 * The folder of a backup:
 * - `system`: the identifier of its database,
 * - `wal/`: the archived log, a compressed file for each segment,
 * - `files/` and `files.sha256`: every stored file with its hash,
 * - `base-<time>/`: a copy of the database in `postgres/`, with `manifest.json` and `files.txt`, the files stored at that time.
 */
export const openFolder = (path: string) => {
  const root = resolve(path);
  const namesLike = (pattern: RegExp) => (existsSync(root) ? readdirSync(root).filter((name) => pattern.test(name)) : []).toSorted();
  const folder = {
    root,
    system: join(root, 'system'),
    wal: join(root, 'wal'),
    files: join(root, 'files'),
    checksums: join(root, 'files.sha256'),
    bases: () => namesLike(/^base-[\dTZ]+$/),
    /** Copies that are being made, or whose run was killed. */
    parts: () => namesLike(/^base-[\dTZ]+\.part$/),
  };
  return folder;
};
export type BackupFolder = ReturnType<typeof openFolder>;

export type Manifest = {
  systemIdentifier: string;
  /** Start and end of the copy, which can be restored to any time from its end on. */
  startedAt: string;
  wholeAt: string;
  /** The first log segment that it needs. */
  firstWal: string;
  /** Hashes of the files in `postgres/`. */
  sha256: Record<string, string>;
};

export const readManifest = (folder: BackupFolder, base: string): Manifest =>
  JSON.parse(readFileSync(join(folder.root, base, 'manifest.json'), 'utf8')) as Manifest;

/**
 * Makes the folder the backup of this database; throws if it belongs to another one, whose segments have the same names.
 */
export function claimFolder(folder: BackupFolder, systemIdentifier: string): void {
  for (const path of [folder.root, folder.files]) mkdirSync(path, { recursive: true });
  const stored = existsSync(folder.system) ? readFileSync(folder.system, 'utf8').trim() : undefined;
  if (stored === undefined) writeFileSync(folder.system, `${systemIdentifier}\n`);
  else if (stored !== systemIdentifier)
    throw new StartupError(`${folder.root} is the backup of another database. Restore from it (npm run restore), or name an empty folder.`);
}

const small = 4_000_000;

export async function computeSha256(path: string): Promise<string> {
  const hash = createHash('sha256');
  // Most files are small, and streams would take ten times as long.
  if (statSync(path).size <= small) return hash.update(readFileSync(path)).digest('hex');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Syncs a file, or a folder's names, to disk. */
export async function syncPath(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A path quoted for a shell command of PostgreSQL's, which replaces `%`. */
export const shellWord = (path: string) => `'${path.replaceAll("'", `'\\''`)}'`.replaceAll('%', '%%');
