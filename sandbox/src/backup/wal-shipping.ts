import { createHash } from 'node:crypto';
import { chmodSync, chownSync, createReadStream, createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { inDatabase } from '../in-database.ts';
import { canEnter, type Owner, getClusterPlace } from '../postgres-cluster.ts';
import { fileMirror } from './backup-files.ts';
import { type BackupFolder, claimFolder, openFolder, computeSha256, shellWord, syncPath } from './backup-folder.ts';

/** Names of archived files: segments, timeline histories and backup labels. */
const isWal = (name: string) => /^[\dA-F]{24}(\.[\dA-F]{8}\.backup)?$|^[\dA-F]{8}\.history$/.test(name);

/** PostgreSQL's archive folder beside its cluster, which it can write wherever the backup is. */
export const getSpool = (cluster: string) => `${cluster}-wal`;

export function openSpool(cluster: string, owner: Owner | undefined): string {
  const spool = getSpool(cluster);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  if (!owner) return spool;
  chownSync(spool, owner.uid, owner.gid);
  const dataDir = dirname(spool);
  if (!canEnter(join('..', basename(spool)), owner, spool)) {
    // PostgreSQL may only pass through the data folder, from its cluster to the spool.
    chownSync(dataDir, statSync(dataDir).uid, owner.gid);
    chmodSync(dataDir, statSync(dataDir).mode | 0o010);
  }
  return spool;
}

/** The spool relative to the cluster, the working folder of PostgreSQL's commands, because the owner may not enter the folders above. */
export const spoolForCommands = (spool: string, owner: Owner | undefined): string =>
  !owner || canEnter(spool, owner) ? spool : join('..', basename(spool));

const longestMinutes = 5;

/**
 * PostgreSQL's archive command: a segment when it is full, and `seconds` after a write. It fails while an earlier one
 * has not been shipped for minutes, so that the database and its metrics show that the backup lags.
 */
export function archiveSettings(spool: string, owner: Owner | undefined, seconds: number): Record<string, string> {
  const to = shellWord(spoolForCommands(spool, owner));
  const waiting = `find ${to} -name '${'?'.repeat(24)}' -mmin +${longestMinutes}`;
  return {
    archive_mode: 'on',
    archive_timeout: String(seconds),
    archive_command: `test -z "$(${waiting})" && cp "%p" ${to}/.%f && sync ${to}/.%f && mv ${to}/.%f ${to}/%f`,
  };
}

type Shipping = { spool: string; folder: BackupFolder; filesDir: string };

/**
 * Ships archived segments into the backup, after the stored files. A file named by a segment's transactions
 * was stored before their commit, so no segment of the backup names a file that the backup lacks.
 */
export function walShipper({ spool, folder, filesDir }: Shipping) {
  const mirror = fileMirror(filesDir, folder);
  mkdirSync(folder.wal, { recursive: true, mode: 0o700 });

  async function ship(name: string) {
    const target = join(folder.wal, `${name}.gz`);
    const from = join(spool, name);
    if (existsSync(target)) {
      if ((await getContent(target)) !== (await computeSha256(from)))
        throw new Error(`${target} exists with other content: two databases have been archived into this folder`);
    } else {
      const part = join(folder.wal, `.${name}`);
      await pipeline(createReadStream(from), createGzip({ level: 1 }), createWriteStream(part, { mode: 0o600 }));
      await syncPath(part);
      await rename(part, target);
      await syncPath(folder.wal);
    }
    await unlink(from);
  }

  return async (): Promise<number> => {
    const names = (await readdir(spool)).filter(isWal).toSorted();
    if (names.length === 0) return 0;
    await mirror();
    for (const name of names) await ship(name);
    return names.length;
  };
}

async function getContent(path: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), createGunzip(), hash);
  return hash.digest('hex');
}

const readIdentifier = async (url: string): Promise<string> => {
  const client = new pg.Client({ connectionString: url, application_name: 'handwise backup' });
  await client.connect();
  try {
    const { rows } = await client.query<{ id: string }>('select system_identifier::text as id from pg_control_system()');
    return rows[0]?.id ?? '';
  } finally {
    await client.end();
  }
};

/** The continuous backup of a started database: its settings, and the shipping while it runs. */
export function openArchive(dataDir: string, { dir, seconds }: { dir: string; seconds: number }) {
  const { cluster, owner } = getClusterPlace(dataDir);
  const folder = openFolder(dir);
  let shipping: ReturnType<typeof startShipping> | undefined;
  return {
    /** Must be called when the cluster exists or is about to be created. */
    settings: () => archiveSettings(openSpool(cluster, owner), owner, seconds),
    /** Throws if the folder is the backup of another database. */
    async begin(url: string) {
      claimFolder(folder, await readIdentifier(url));
      if (folder.bases().length === 0)
        console.warn(`There is no copy of the database in ${folder.root} yet: npm run backup makes one while the site runs.`);
      shipping = startShipping({ spool: getSpool(cluster), folder, filesDir: join(resolve(dataDir), 'files') });
    },
    /** Archives the last writes before the database stops. */
    finish: (url: string) => inDatabase(url, 'select pg_switch_wal()'),
    close: async () => shipping?.close(),
  };
}

/** Ships until it is closed. Failures are reported once a minute and retried. */
function startShipping(shipping: Shipping) {
  const ship = walShipper(shipping);
  const closing = new AbortController();
  let loggedAt = 0;
  const turn = async () => {
    try {
      await ship();
    } catch (error) {
      if (Date.now() - loggedAt < 60_000) return;
      loggedAt = Date.now();
      console.error(`The backup has fallen behind: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const running = (async () => {
    while (!closing.signal.aborted) {
      await turn();
      await pause(1_000, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();
  return {
    /** Ships the rest, after PostgreSQL has ended. */
    async close() {
      closing.abort();
      await running;
      await turn();
    },
  };
}

/** Deletes segments that no copy needs. Timeline histories stay. */
export async function pruneWal(folder: BackupFolder, firstWal: string): Promise<number> {
  const old = (await readdir(folder.wal).catch(() => [])).filter(
    (name) => /^[\dA-F]{24}/.test(name) && name.slice(8, 24) < firstWal.slice(8, 24),
  );
  for (const name of old) await rm(join(folder.wal, name));
  return old.length;
}
