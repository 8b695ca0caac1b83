import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findFolderError } from '@handwise/server/startup-error';
import { StartupError } from '@handwise/server/startup-error';

/**
 * Locks a data folder for this process until the returned function is called, because two starts would fight over its database. The folder and
 * what this process creates from now on are for its owner alone: it holds emails, keys and the database.
 */
export async function takeDataDir(dataDir: string): Promise<() => Promise<void>> {
  const fault = await findFolderError('DATA_DIR', dataDir);
  if (fault !== undefined) throw new StartupError(fault);
  process.umask(0o077);
  try {
    chmodSync(dataDir, 0o700);
  } catch (error) {
    throw new StartupError(`DATA_DIR is ${dataDir}, which cannot be closed to other users (${(error as NodeJS.ErrnoException).code}).`);
  }
  const file = join(dataDir, 'start.pid');
  try {
    const pid = existsSync(file) ? Number(readFileSync(file, 'utf8')) : 0;
    if (pid !== process.pid && isStart(pid)) throw inUse(dataDir, pid);
    writeFileSync(file, String(process.pid));
  } catch (error) {
    if (error instanceof StartupError) throw error;
    throw new StartupError(`${file} cannot be read and written (${(error as NodeJS.ErrnoException).code}). Delete it.`);
  }
  return () => Promise.resolve(rmSync(file, { force: true }));
}

export const inUse = (dataDir: string, pid: number): StartupError =>
  new StartupError(`DATA_DIR is ${dataDir}, which a running start uses (process ${pid}). Stop it first, or set another.`);

/** Whether a process is a start of the product. Linux only. */
export function isStart(pid: number): boolean {
  try {
    return /sandbox\/src\/(start|stage)\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
