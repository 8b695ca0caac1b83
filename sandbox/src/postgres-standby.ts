import { chownSync, copyFileSync, lstatSync, mkdirSync, readdirSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { Place } from './postgres-cluster.ts';

type Standby = Place & { of: { url: string; cluster: string }; passwordFile: string };

// These belong to the running server only, or are streamed to the standby.
const emptied = new Set(['pg_wal', 'pg_replslot', 'pg_dynshmem', 'pg_notify', 'pg_stat_tmp', 'pg_subtrans']);
const left = new Set(['postmaster.pid', 'postmaster.opts', 'standby.signal', 'backup_label']);

/**
 * Creates a standby of a running cluster on this machine from its files between start and stop of a backup, because the bundled
 * PostgreSQL has no pg_basebackup. Later writes are streamed, so the running cluster must retain them (`wal_keep_size`).
 */
export async function copyAsStandby({ of, passwordFile, ...place }: Standby): Promise<void> {
  const client = new pg.Client({ connectionString: of.url });
  await client.connect();
  try {
    await client.query(`select pg_backup_start('standby', true)`);
    rmSync(place.cluster, { recursive: true, force: true });
    copyFolder(of.cluster, place);
    const { rows: stopped } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    writeOwned(place, 'backup_label', stopped[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  follow(place, of.url);
  writeFileSync(passwordFile, decodeURIComponent(new URL(of.url).password), { mode: 0o600 });
}

/** Makes a stopped cluster follow the server at this address from its next start on. */
function follow(place: Place, of: string): void {
  const { hostname, port, username, password } = new URL(of);
  const to = `host=${hostname} port=${port} user=${username} password=${decodeURIComponent(password)}`;
  writeOwned(place, 'postgresql.auto.conf', `primary_conninfo = '${to}'\n`);
  writeOwned(place, 'standby.signal', '');
}

function writeOwned({ cluster, owner }: Place, name: string, text: string) {
  writeFileSync(join(cluster, name), text, { mode: 0o600 });
  if (owner) chownSync(join(cluster, name), owner.uid, owner.gid);
}

/** Skips files that are deleted meanwhile: the log restores or deletes them again. */
function copyFolder(from: string, { cluster, owner }: Place, folder = '') {
  const own = (path: string) => owner && chownSync(path, owner.uid, owner.gid);
  mkdirSync(join(cluster, folder), { mode: 0o700, recursive: true });
  own(join(cluster, folder));
  for (const name of readdirSync(join(from, folder))) {
    const path = join(folder, name);
    if (left.has(path)) continue;
    const [source, copy] = [join(from, path), join(cluster, path)];
    try {
      const found = lstatSync(source);
      if (found.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
      else if (!found.isDirectory()) copyFileSync(source, copy);
      else if (emptied.has(path)) mkdirSync(copy, { mode: 0o700 });
      else copyFolder(from, { cluster, owner }, path);
      if (!found.isSymbolicLink()) own(copy);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}
