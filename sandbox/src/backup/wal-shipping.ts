import { createHash } from 'node:crypto';
import { chmodSync, chownSync, createReadStream, createWriteStream, existsSync, mkdirSync, statSync } from 'node:fs';
import { readdir, rename, rm, unlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { createGunzip, createGzip } from 'node:zlib';
import pg from 'pg';
import { inDatabase } from '../in-database.ts';
import { canEnter, type Owner, placeOf } from '../postgres-cluster.ts';
import { fileMirror } from './backup-files.ts';
import { type BackupFolder, claimFolder, openFolder, sha256Of, shellWord, syncPath } from './backup-folder.ts';

/** What PostgreSQL hands over: segments, histories of timelines and labels of copies. */
const isWal = (name: string) => /^[\dA-F]{24}(\.[\dA-F]{8}\.backup)?$|^[\dA-F]{8}\.history$/.test(name);

/** Where PostgreSQL hands over, beside its cluster: it can write there wherever the backup lies. */
export const spoolOf = (cluster: string) => `${cluster}-wal`;

export function openSpool(cluster: string, owner: Owner | undefined): string {
  const spool = spoolOf(cluster);
  mkdirSync(spool, { recursive: true, mode: 0o700 });
  if (!owner) return spool;
  chownSync(spool, owner.uid, owner.gid);
  const dataDir = dirname(spool);
  if (!canEnter(join('..', basename(spool)), owner, spool)) {
    // PostgreSQL goes from its cluster to the spool through the data folder, and sees nothing else in it.
    chownSync(dataDir, statSync(dataDir).uid, owner.gid);
    chmodSync(dataDir, statSync(dataDir).mode | 0o010);
  }
  return spool;
}

/** How PostgreSQL's commands name the spool: their working folder is the cluster, and the owner may not enter the folders above. */
export const spoolForCommands = (spool: string, owner: Owner | undefined): string =>
  !owner || canEnter(spool, owner) ? spool : join('..', basename(spool));

const longestMinutes = 5;

/**
 * How PostgreSQL hands over what it has written: a segment when it is full, and after `seconds` in which anything was written. It takes none while an earlier one
 * has waited for minutes, shipped by nobody: then the database itself knows that its backup does not follow, and so do its figures.
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
 * Ships what PostgreSQL has handed over into the backup: the stored files first, then the segments. Whatever a segment's transactions name
 * was stored before they were committed, so no segment of the backup names a file that the backup lacks.
 */
export function walShipper({ spool, folder, filesDir }: Shipping) {
  const mirror = fileMirror(filesDir, folder);
  mkdirSync(folder.wal, { recursive: true, mode: 0o700 });

  async function ship(name: string) {
    const target = join(folder.wal, `${name}.gz`);
    const from = join(spool, name);
    if (existsSync(target)) {
      if ((await contentOf(target)) !== (await sha256Of(from)))
        throw new Error(`${target} is there with other content: two databases have been archived into this folder`);
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

async function contentOf(path: string): Promise<string> {
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

/** A backup that follows a database which a start runs: its settings, and what ships once it runs. */
export function openArchive(dataDir: string, { dir, seconds }: { dir: string; seconds: number }) {
  const { cluster, owner } = placeOf(dataDir);
  const folder = openFolder(dir);
  let shipping: ReturnType<typeof keepShipping> | undefined;
  return {
    /** Asked for once the cluster is there, or about to be made. */
    settings: () => archiveSettings(openSpool(cluster, owner), owner, seconds),
    /** Throws where the folder is the backup of another database. */
    async begin(url: string) {
      claimFolder(folder, await readIdentifier(url));
      if (folder.bases().length === 0)
        console.warn(`There is no copy of the database in ${folder.root} yet: npm run backup makes one while the site runs.`);
      shipping = keepShipping({ spool: spoolOf(cluster), folder, filesDir: join(resolve(dataDir), 'files') });
    },
    /** Has what was written last handed over, before the database stops. */
    finish: (url: string) => inDatabase(url, 'select pg_switch_wal()'),
    close: async () => shipping?.close(),
  };
}

/** Ships until it is closed. What cannot be shipped stays where PostgreSQL has put it, is said once a minute and tried again. */
function keepShipping(shipping: Shipping) {
  const ship = walShipper(shipping);
  const closing = new AbortController();
  let saidAt = 0;
  const turn = async () => {
    try {
      await ship();
    } catch (error) {
      if (Date.now() - saidAt < 60_000) return;
      saidAt = Date.now();
      console.error(`The backup does not follow: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  const running = (async () => {
    while (!closing.signal.aborted) {
      await turn();
      await pause(1_000, undefined, { signal: closing.signal }).catch(() => {});
    }
  })();
  return {
    /** Ships what is left. To be called when PostgreSQL has ended. */
    async close() {
      closing.abort();
      await running;
      await turn();
    },
  };
}

/** Deletes segments that no kept copy of the database needs. Histories stay: they are small, and say which way the timelines went. */
export async function pruneWal(folder: BackupFolder, firstWal: string): Promise<number> {
  const old = (await readdir(folder.wal).catch(() => [])).filter(
    (name) => /^[\dA-F]{24}/.test(name) && name.slice(8, 24) < firstWal.slice(8, 24),
  );
  for (const name of old) await rm(join(folder.wal, name));
  return old.length;
}
