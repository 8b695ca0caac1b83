import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export type RunFolder = {
  path: string;
  /** For a temporary database: in memory if there is room. */
  memory: string;
  close(): Promise<void>;
};

/**
 * The temporary folder of this process and its children. When the process ends or is killed, its children are ended and the folder is
 * deleted; `close` does so immediately.
 */
export function openRunFolder(prefix: string): RunFolder {
  const outside = process.env['TMPDIR'];
  const path = mkdtempSync(join(tmpdir(), prefix));
  // If this process is root, PostgreSQL runs as another user.
  chmodSync(path, 0o755);
  const memory = hasRoomInMemory() ? join(memoryFolder, basename(path)) : path;
  mkdirSync(memory, { recursive: true });
  // A detached process that Ctrl+C does not reach. Its input ends with this process.
  const cleaner = spawn(process.execPath, [join(import.meta.dirname, 'clean-up.ts'), path, memory], {
    stdio: ['pipe', 'ignore', 'inherit'],
    detached: true,
  });
  const cleaned = once(cleaner, 'exit');
  cleaner.unref();
  process.env['TMPDIR'] = path;
  return {
    path,
    memory,
    async close() {
      cleaner.ref();
      cleaner.stdin.end();
      await cleaned;
      if (outside === undefined) delete process.env['TMPDIR'];
      else process.env['TMPDIR'] = outside;
    },
  };
}

const memoryFolder = '/dev/shm';

/** On a disk, creating and deleting a database's thousand files takes five times as long. */
function hasRoomInMemory() {
  if (!existsSync(memoryFolder)) return false;
  const { bavail, bsize } = statfsSync(memoryFolder);
  return Math.min(bavail * bsize, process.availableMemory()) > 4 * 2 ** 30;
}
