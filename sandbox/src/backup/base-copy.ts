import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { fileMirror, keysIn } from './backup-files.ts';
import { type BackupFolder, claimFolder, type Manifest, syncPath } from './backup-folder.ts';

// PostgreSQL rebuilds these files or they belong to the running process; its manual excludes them from base backups.
const emptied = /^(pg_wal|pg_replslot|pg_dynshmem|pg_notify|pg_serial|pg_snapshots|pg_stat_tmp|pg_subtrans)\/./;
const leftOut = /(^|\/)(pgsql_tmp[^/]*|pg_internal\.init(\.\d+)?|postmaster\.(pid|opts)|backup_label(\.old)?|tablespace_map(\.old)?)(\/|$)/;
// Copied last, because it determines where the replay starts.
const control = 'global/pg_control';

async function* entriesOf(root: string, under = ''): AsyncGenerator<{ path: string; isFolder: boolean }> {
  for (const entry of await readdir(join(root, under), { withFileTypes: true }).catch(() => [])) {
    const path = under ? `${under}/${entry.name}` : entry.name;
    if (leftOut.test(path) || emptied.test(path)) continue;
    yield { path, isFolder: entry.isDirectory() };
    if (entry.isDirectory()) yield* entriesOf(root, path);
  }
}

type Copy = { url: string; cluster: string; filesDir: string | null; folder: BackupFolder; password: string };
/** `missing`: stored files that the database names and that could not be copied, each with the reason if it is there. */
export type Copied = { base: string; manifest: Manifest; bytes: number; files: number; missing: string[] };

/**
 * Copies a running database, consistent by the log written meanwhile, which is part of the copy. Then the stored files: one
 * that is missing was lost before, because an unused one is deleted only after an hour, and without the others more would be lost. Throws if
 * another copy of this database is being made.
 */
export async function copyBase({ url, cluster, filesDir, folder, password }: Copy): Promise<Copied> {
  const client = new pg.Client({ connectionString: url, application_name: 'handwise backup' });
  await client.connect();
  try {
    const one = async <Row extends object>(statement: string, ...values: unknown[]) =>
      (await client.query<Row>(statement, values)).rows[0] as Row;
    const { id } = await one<{ id: string }>('select system_identifier::text as id from pg_control_system()');
    claimFolder(folder, id);
    // Held until this connection ends, so the parts that are there now belong to runs that were killed.
    const { locked } = await one<{ locked: boolean }>(`select pg_try_advisory_lock(hashtext('handwise backup')) as locked`);
    if (!locked) throw new Error('another backup of this database is running');
    for (const name of folder.parts()) await rm(join(folder.root, name), { recursive: true });
    const startedAt = new Date();
    const base = `base-${startedAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')}`;
    const part = join(folder.root, `${base}.part`);
    const target = join(part, 'postgres');
    await mkdir(target, { recursive: true, mode: 0o700 });

    // Retains the log written meanwhile, until this connection ends.
    await client.query(`select pg_create_physical_replication_slot('handwise_backup_' || pg_backend_pid(), true, true)`);
    const started = await one<{ wal: string }>(`select pg_walfile_name(pg_backup_start('handwise', true)) as wal`);
    const sha256: Record<string, string> = {};
    let bytes = 0;
    const copy = async (path: string) => {
      const copied = await copyFile(join(cluster, path), join(target, path));
      if (!copied) return;
      sha256[path] = copied.sha256;
      bytes += copied.bytes;
    };
    for await (const { path, isFolder } of entriesOf(cluster)) {
      if (isFolder) await mkdir(join(target, path), { recursive: true, mode: 0o700 });
      else if (path !== control) await copy(path);
    }
    await copy(control);
    const ended = await one<{ label: string; map: string; wal: string }>(
      'select labelfile as label, spcmapfile as map, pg_walfile_name(lsn) as wal from pg_backup_stop(false)',
    );
    for (const name of (await readdir(join(cluster, 'pg_wal'))).filter(
      (file) => /^[\dA-F]{24}$/.test(file) && file >= started.wal && file <= ended.wal,
    )) {
      await copy(`pg_wal/${name}`);
    }
    const write = async (path: string, content: string) => {
      await writeFile(join(target, path), content, { flush: true });
      sha256[path] = createHash('sha256').update(content).digest('hex');
    };
    await write('backup_label', ended.label);
    if (ended.map) await write('tablespace_map', ended.map);
    const { now: wholeAt } = await one<{ now: Date }>('select clock_timestamp() as now');

    const { keys, missing } = filesDir === null ? { keys: [], missing: [] } : await copyFiles(client, filesDir, folder);
    await writeFile(join(part, 'password'), password, { mode: 0o600, flush: true });
    await writeFile(join(part, 'files.txt'), keys.map((key) => `${key}\n`).join(''), { flush: true });
    const manifest = {
      systemIdentifier: id,
      startedAt: startedAt.toISOString(),
      wholeAt: wholeAt.toISOString(),
      firstWal: started.wal,
      sha256,
    };
    await writeFile(join(part, 'manifest.json'), JSON.stringify(manifest), { flush: true });
    await rename(part, join(folder.root, base));
    await syncPath(folder.root);
    return { base, manifest, bytes, files: keys.length, missing };
  } finally {
    await client.end();
  }
}

async function copyFiles(client: pg.Client, filesDir: string, folder: BackupFolder): Promise<{ keys: string[]; missing: string[] }> {
  const { rows } = await client.query<{ key: string }>(`select unnest(objects) as key from files where state = 'attached'`);
  const unreadable = new Map<string, string>();
  await fileMirror(filesDir, folder, (key, code) => unreadable.set(key, code))();
  const there = new Set<string>();
  for await (const key of keysIn(folder.files)) there.add(key);
  const missing = rows
    .filter(({ key }) => !there.has(key))
    .map(({ key }) => (unreadable.has(key) ? `${key} (${unreadable.get(key)})` : key))
    .toSorted();
  // Files that only earlier copies name are left out, because they would never be deleted otherwise.
  const named = new Set(rows.map(({ key }) => key));
  return { keys: [...there].filter((key) => named.has(key) || existsSync(join(filesDir, key))), missing };
}

/** Undefined if the file is gone, whose contents are in the log. */
async function copyFile(from: string, to: string): Promise<{ sha256: string; bytes: number } | undefined> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 });
  const hash = createHash('sha256');
  let bytes = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _, done) {
      hash.update(chunk);
      bytes += chunk.length;
      done(null, chunk);
    },
  });
  try {
    await pipeline(createReadStream(from), watch, createWriteStream(to, { mode: 0o600, flush: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    await rm(to, { force: true });
    return undefined;
  }
  return { sha256: hash.digest('hex'), bytes };
}
