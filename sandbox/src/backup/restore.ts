import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { copyFile, mkdir, readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import pg from 'pg';
import { getCluster, changeOwner, getPasswordFile, type Place, getClusterPlace } from '../postgres-cluster.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import { keysIn, readChecksums } from './backup-files.ts';
import { type BackupFolder, type Manifest, readManifest, computeSha256 } from './backup-folder.ts';
import { feedWal, restoreSettings } from './wal-feeding.ts';
import { archiveSettings, openSpool, getSpool } from './wal-shipping.ts';

export type RestorePlan = { base: string; manifest: Manifest; until: Date | null };

/** The copy to restore from: the newest complete one before the time. Throws an Error that lists the copies. */
export function planRestore(folder: BackupFolder, until: Date | null): RestorePlan {
  const bases = folder.bases().map((base) => ({ base, manifest: readManifest(folder, base) }));
  if (bases.length === 0) throw new Error(`There is no backup in ${folder.root}.`);
  const found = bases.findLast(({ manifest }) => until === null || new Date(manifest.wholeAt) <= until);
  if (!found) throw new Error(`The oldest backup in ${folder.root} can be restored from ${bases[0]?.manifest.wholeAt} on.`);
  return { ...found, until };
}

/** Throws if there is already a site, because a restore never overwrites one. */
export function refuseLiving(dataDir: string): void {
  const cluster = getCluster(dataDir);
  const places = [cluster, getSpool(cluster), join(resolve(dataDir), 'files')];
  const lives = places.filter((path) => existsSync(path) && readdirSync(path).length > 0);
  if (lives.length > 0)
    throw new Error(`Nothing was restored: ${lives.join(' and ')} must not be there. Stop the site, move them away, and try again.`);
}

/** Names the damaged files of a copy. */
export async function faultsOfCopy(folder: BackupFolder, { base, manifest }: RestorePlan): Promise<string[]> {
  const faults: string[] = [];
  for (const [path, wanted] of Object.entries(manifest.sha256)) {
    const file = join(folder.root, base, 'postgres', path);
    if (!existsSync(file)) faults.push(`${path} is missing`);
    else if ((await computeSha256(file)) !== wanted) faults.push(`${path} was changed`);
  }
  return faults;
}

export type Restored = {
  /** The last restored change. */
  lastChangeAt: Date | null;
  files: number;
  /** Files that the database names and that are missing or damaged in the backup. */
  missing: string[];
};

// Numbers lost with the data are in emails and on paper, so none of them is reused.
const numbersLeftOut = 1_000;

/**
 * Restores a backup below `dataDir`: the copy of the database, its log (up to a time), and the stored files.
 * The database is stopped again. A failed restore deletes what it has created.
 */
export async function restore(dataDir: string, folder: BackupFolder, plan: RestorePlan): Promise<Restored> {
  refuseLiving(dataDir);
  const place = getClusterPlace(dataDir);
  const { cluster, owner } = place;
  const filesDir = join(resolve(dataDir), 'files');
  let postgres: Postgres | undefined;
  try {
    copyCluster(folder, plan, place);
    // The password admits only this machine, and the copy contains the same one.
    writeFileSync(getPasswordFile(resolve(dataDir)), await readFile(join(folder.root, plan.base, 'password'), 'utf8'), { mode: 0o600 });
    const target = plan.until && { recovery_target_time: plan.until.toISOString().replace('T', ' ').replace('Z', '+00') };
    const spool = openSpool(cluster, owner);
    // The history of the new timeline stays for the next backup.
    const settings = { ...restoreSettings(spool, owner), ...archiveSettings(spool, owner, 0), ...target };
    const feed = feedWal(folder, spool, owner);
    try {
      postgres = await startPostgres({ dataDir, settings, withinMs: 24 * 3_600_000 });
    } catch (error) {
      throw explained(error, plan);
    } finally {
      await feed.close();
    }
    const { lastChangeAt, keys } = await finish(postgres.url);
    const missing = await restoreFiles(folder, filesDir, keys);
    await postgres.stop();
    return { lastChangeAt, files: keys.length - missing.length, missing };
  } catch (error) {
    await postgres?.stop();
    for (const path of [cluster, getSpool(cluster), filesDir, getPasswordFile(resolve(dataDir))])
      rmSync(path, { recursive: true, force: true });
    throw error;
  }
}

function copyCluster(folder: BackupFolder, { base }: RestorePlan, { cluster, owner }: Place): void {
  // Renamed when complete, so that the next start cannot mistake a partial copy for a cluster.
  const part = `${cluster}-new`;
  rmSync(part, { recursive: true, force: true });
  cpSync(join(folder.root, base, 'postgres'), part, { recursive: true });
  chmodSync(part, 0o700);
  writeFileSync(join(part, 'recovery.signal'), '');
  if (owner) changeOwner(part, owner);
  renameSync(part, cluster);
}

function explained(error: unknown, { until }: RestorePlan): unknown {
  const message = error instanceof Error ? error.message : '';
  if (!message.includes('before configured recovery target was reached')) return error;
  return new Error(`The backup does not reach ${until?.toISOString()}. Leave --until out for all that it has.`);
}

async function finish(url: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'handwise restore' });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date | null }>('select pg_last_xact_replay_timestamp() as at');
    await client.query(`
      select setval(pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name),
        nextval(pg_get_serial_sequence(format('%I.%I', table_schema, table_name), column_name)) + ${numbersLeftOut})
      from information_schema.columns where table_schema = 'public' and is_identity = 'YES'`);
    const { rows: files } = await client.query<{ key: string }>(`select unnest(objects) as key from files where state = 'attached'`);
    return { lastChangeAt: rows[0]?.at ?? null, keys: files.map(({ key }) => key) };
  } finally {
    await client.end();
  }
}

/** Restores the stored files, and returns those named by the database that are missing or damaged. */
async function restoreFiles(folder: BackupFolder, filesDir: string, named: readonly string[]): Promise<string[]> {
  await mkdir(filesDir, { recursive: true });
  const checksums = await readChecksums(folder);
  const restored = new Set<string>();
  for await (const key of keysIn(folder.files)) {
    const from = join(folder.files, key);
    const sum = createHash('sha256')
      .update(await readFile(from))
      .digest('hex');
    if (checksums.get(key) !== sum) continue;
    await mkdir(dirname(join(filesDir, key)), { recursive: true });
    await copyFile(from, join(filesDir, key));
    restored.add(key);
  }
  return named.filter((key) => !restored.has(key));
}
