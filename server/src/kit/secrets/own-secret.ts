import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** A secret that a sandbox makes at its first start and keeps in a file that its own user alone may read. */
export function ownSecret(file: string, make: () => string): string {
  mkdirSync(dirname(file), { recursive: true });
  // Processes that start together end up with the same one: it appears whole or not at all, and once.
  const own = `${file}.${process.pid}.${randomBytes(4).toString('hex')}`;
  writeFileSync(own, make(), { mode: 0o600, flag: 'wx' });
  try {
    linkSync(own, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(own);
  }
  return readFileSync(file, 'utf8').trim();
}
