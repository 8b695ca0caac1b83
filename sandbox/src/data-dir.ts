import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folderFault } from '@handwise/server/kit/writable-folder';
import { StartFault } from '@handwise/server/start-fault';

/** Makes a data folder this process's own until what it resolves to is called: two starts on one would fight over its database. */
export async function takeDataDir(dataDir: string): Promise<() => Promise<void>> {
  const fault = await folderFault('DATA_DIR', dataDir);
  if (fault !== undefined) throw new StartFault(fault);
  const file = join(dataDir, 'start.pid');
  if (existsSync(file)) {
    const pid = Number(readFileSync(file, 'utf8'));
    if (pid !== process.pid && isStart(pid))
      throw new StartFault(`DATA_DIR is ${dataDir}, which a running start uses (process ${pid}). Stop it first, or set another.`);
  }
  writeFileSync(file, String(process.pid));
  return () => Promise.resolve(rmSync(file, { force: true }));
}

function isStart(pid: number) {
  try {
    return /sandbox\/src\/(start|stage)\.ts/.test(readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  } catch {
    return false;
  }
}
