import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

export type RunFolder = {
  path: string;
  /** For a database that need not outlive the run: in memory if there is room. */
  memory: string;
  close(): Promise<void>;
};

/**
 * The temporary folder of this process and of all that it starts from now on. When the process is gone, also where somebody
 * killed it, what it started is ended and the folder is deleted with all that is in it; `close` does so at once.
 */
export function openRunFolder(prefix: string): RunFolder {
  const outside = process.env['TMPDIR'];
  const path = mkdtempSync(join(tmpdir(), prefix));
  // PostgreSQL runs as a user of its own where this is root.
  chmodSync(path, 0o755);
  const memory = hasRoomInMemory() ? join(memoryFolder, basename(path)) : path;
  mkdirSync(memory, { recursive: true });
  // A process of its own, out of reach of Ctrl+C. That its input ends is how it hears of our end.
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

/** Creating and deleting the thousand files of a database takes five times as long on a disk. */
function hasRoomInMemory() {
  if (!existsSync(memoryFolder)) return false;
  const { bavail, bsize } = statfsSync(memoryFolder);
  return Math.min(bavail * bsize, process.availableMemory()) > 4 * 2 ** 30;
}
