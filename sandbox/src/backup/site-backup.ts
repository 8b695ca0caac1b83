import { existsSync, readFileSync } from 'node:fs';
import { chmod, copyFile, mkdir, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { Env } from '@handwise/server/env';
import { hasCluster, getPasswordFile } from '../postgres-cluster.ts';
import { usePostgres } from '../postgres.ts';
import { pruneFiles } from './backup-files.ts';
import { openFolder, readManifest, type BackupFolder } from './backup-folder.ts';
import { copyBase } from './base-copy.ts';
import { pruneWal } from './wal-shipping.ts';

const secrets = ['account-keys.json', 'prize-keys.json', 'log-key'];

type Options = {
  path: string;
  keepDays: number;
  /** The folder that the keys are copied to. */
  keys?: string | undefined;
};

/** Copies the database and the stored files of a site, running or not. Resolves to the stored files that are missing. */
export async function backUp(env: Env, { path, keepDays, keys }: Options): Promise<string[]> {
  const startedAt = Date.now();
  const folder = openFolder(path);
  const keysIn = keys === undefined ? undefined : resolve(keys);
  if (keysIn === folder.root || keysIn?.startsWith(`${folder.root}/`))
    throw new Error('--keys must not lie in the backup: whoever has both can read everything');
  const dataDir = resolve(env.dataDir);
  if (!hasCluster(dataDir)) throw new Error(`there is no database in ${env.dataDir} yet`);
  const missing = await copy(folder, dataDir, env.s3 === null);
  await prune(folder, join(dataDir, 'files'), keepDays);
  if (keysIn !== undefined) await keepSecrets(dataDir, keysIn);
  else console.log(`The keys (${secrets.join(', ')}) are not in the backup: keep them elsewhere (--keys <folder>).`);
  console.log(`Done after ${((Date.now() - startedAt) / 1000).toFixed(1)} s.`);
  return missing;
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
