import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type BackupFolder, syncPath } from './backup-folder.ts';

/** Every stored file below a folder by its key; files being written start with a dot. */
export async function* keysIn(root: string, under = ''): AsyncGenerator<string> {
  const entries = await readdir(join(root, under), { withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (entry.name.startsWith('.')) continue;
    const key = under ? `${under}/${entry.name}` : entry.name;
    if (entry.isDirectory()) yield* keysIn(root, key);
    else yield key;
  }
}

// Milliseconds: a folder changed this recently may change again within the same timestamp.
const coarseMs = 2_000;

/**
 * Copies stored files that the backup lacks. Stored files never change, so each is read once, and a folder with an unchanged time has
 * no new ones. Returns how many were copied. A file that cannot be read is reported to `onUnreadable`, without which it stops the copying.
 */
export function fileMirror(filesDir: string, folder: BackupFolder, onUnreadable?: (key: string, code: string) => void) {
  const seen = new Map<string, number>();

  async function mirrorFolder(under: string): Promise<number> {
    const path = join(filesDir, under);
    const before = (await stat(path).catch(() => undefined))?.mtimeMs;
    if (before === undefined) return 0;
    let copied = 0;
    const entries = await readdir(path, { withFileTypes: true });
    const isUnchanged = seen.get(under) === before;
    for (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const key = under ? `${under}/${entry.name}` : entry.name;
      if (entry.isDirectory()) copied += await mirrorFolder(key);
      else if (!isUnchanged) copied += Number(await mirrorFile(key));
    }
    if (Date.now() - before > coarseMs) seen.set(under, before);
    return copied;
  }

  async function mirrorFile(key: string): Promise<boolean> {
    const target = join(folder.files, key);
    if (existsSync(target)) return false;
    const data = await readFile(join(filesDir, key)).catch((error: NodeJS.ErrnoException) => {
      // The file was deleted since the folder was read.
      if (error.code === 'ENOENT') return undefined;
      if (!onUnreadable) throw error;
      onUnreadable(key, error.code ?? error.message);
      return undefined;
    });
    if (!data) return false;
    await mkdir(dirname(target), { recursive: true });
    const part = join(dirname(target), `.${process.pid}-${key.replaceAll('/', '-')}`);
    await writeFile(part, data, { flush: true });
    await appendFile(folder.checksums, `${createHash('sha256').update(data).digest('hex')}  ${key}\n`);
    await rename(part, target);
    return true;
  }

  return async () => {
    const copied = await mirrorFolder('');
    if (copied > 0) await syncPath(folder.files);
    return copied;
  };
}

export async function readChecksums(folder: BackupFolder): Promise<Map<string, string>> {
  if (!existsSync(folder.checksums)) return new Map();
  const lines = (await readFile(folder.checksums, 'utf8')).split('\n');
  return new Map(lines.flatMap((line) => (line.length > 66 ? [[line.slice(66), line.slice(0, 64)] as const] : [])));
}

/**
 * Deletes files that no restorable time needs: no longer stored, added before the oldest remaining copy of the
 * database, and named by none of the copies.
 */
export async function pruneFiles(folder: BackupFolder, filesDir: string, named: ReadonlySet<string>, oldest: Date): Promise<number> {
  let deleted = 0;
  for await (const key of keysIn(folder.files)) {
    if (named.has(key) || existsSync(join(filesDir, key))) continue;
    const path = join(folder.files, key);
    if ((await stat(path)).mtimeMs >= oldest.getTime()) continue;
    await unlink(path);
    deleted += 1;
  }
  return deleted;
}
