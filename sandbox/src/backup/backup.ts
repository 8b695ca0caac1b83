import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { readEnv } from '@handwise/server/env';
import { hasCluster, getPasswordFile } from '../postgres-cluster.ts';
import { usePostgres } from '../postgres.ts';
import { pruneFiles } from './backup-files.ts';
import { openFolder, readManifest, type BackupFolder } from './backup-folder.ts';
import { copyBase } from './base-copy.ts';
import { pruneWal } from './wal-shipping.ts';

// `npm run backup`: copies the database and the stored files, whether the site is running or not. Exits with 0, with 2 if stored files were missing, and
// with 1 if no backup was made.
const usage = 'npm run backup -- <folder> [--keep <days>] [--keys <another folder>]';
const secrets = ['account-keys.json', 'prize-keys.json', 'log-key'];

try {
  const { values, positionals } = parseArgs({ options: { keep: { type: 'string' }, keys: { type: 'string' } }, allowPositionals: true });
  const env = readEnv(process.env);
  const path = positionals[0] ?? env.backup?.dir;
  const keepDays = Number(values.keep ?? 14);
  if (!path || !(keepDays >= 1)) throw new Error(usage);
  if (env.databaseUrl)
    throw new Error('DATABASE_URL names a database of your own: back it up with pgBackRest, as docs/operations.md says.');
  const startedAt = Date.now();
  const folder = openFolder(path);
  const keysIn = values.keys === undefined ? undefined : resolve(values.keys);
  if (keysIn === folder.root || keysIn?.startsWith(`${folder.root}/`))
    throw new Error('--keys must not lie in the backup: whoever has both can read everything');
  const dataDir = resolve(env.dataDir);
  if (!hasCluster(dataDir)) throw new Error(`there is no database in ${env.dataDir} yet`);
  const missing = await copy(folder, dataDir, env.s3 === null);
  await prune(folder, join(dataDir, 'files'), keepDays);
  if (keysIn !== undefined) await keepSecrets(dataDir, keysIn);
  else console.log(`The keys (${secrets.join(', ')}) are not in the backup: keep them elsewhere (--keys <folder>).`);
  console.log(`Done after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  if (missing.length > 0) {
    console.error([`${missing.length} stored files that the database names are not in the backup:`, ...missing].join('\n  '));
    process.exitCode = 2;
  }
  if (env.backup === null)
    console.log(
      'It does not include what is written from now on. Start the site with BACKUP_DIR for a backup that follows within seconds.',
    );
} catch (error) {
  console.error(`No backup was made: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
}

async function copy(folder: BackupFolder, dataDir: string, hasFiles: boolean): Promise<string[]> {
  const postgres = await usePostgres(dataDir);
  try {
    const password = readFileSync(getPasswordFile(dataDir), 'utf8');
    const { base, bytes, files, missing } = await copyBase({
      url: postgres.url,
      cluster: postgres.cluster,
      filesDir: hasFiles ? join(dataDir, 'files') : null,
      folder,
      password,
    });
    const stored = hasFiles ? `and ${files} stored files` : '(stored files are in the bucket, which has its own versions)';
    console.log(`${join(folder.root, base)}: ${(bytes / 1e6).toFixed(0)} MB of the database ${stored}.`);
    return missing;
  } finally {
    await postgres.stop();
  }
}

/** Keeps all copies of the last days and the one before, so that any time within these days can be restored. */
async function prune(folder: BackupFolder, filesDir: string, days: number): Promise<void> {
  const since = Date.now() - days * 86_400_000;
  const bases = folder.bases().map((base) => ({ base, manifest: readManifest(folder, base) }));
  const first = Math.max(
    0,
    bases.findLastIndex(({ manifest }) => Date.parse(manifest.wholeAt) <= since),
  );
  for (const { base } of bases.slice(0, first)) await rm(join(folder.root, base), { recursive: true });
  const remaining = bases.slice(first);
  const [oldest] = remaining;
  if (!oldest) return;
  const segments = await pruneWal(folder, oldest.manifest.firstWal);
  const named = new Set(remaining.flatMap(({ base }) => readFileSync(join(folder.root, base, 'files.txt'), 'utf8').split('\n')));
  const files = await pruneFiles(folder, filesDir, named, new Date(oldest.manifest.startedAt));
  if (first > 0 || segments > 0 || files > 0)
    console.log(`Deleted what is older than ${days} days: ${first} copies, ${segments} segments, ${files} files.`);
}

async function keepSecrets(dataDir: string, target: string): Promise<void> {
  await mkdir(target, { recursive: true, mode: 0o700 });
  for (const name of secrets.filter((one) => existsSync(join(dataDir, one)))) {
    await copyFile(join(dataDir, name), join(target, name));
    await chmod(join(target, name), 0o600);
  }
  await writeFile(join(target, 'README'), 'Keys of Handwise: put them into DATA_DIR after a restore, before starting the site.\n');
  console.log(`The keys are in ${target}.`);
}
