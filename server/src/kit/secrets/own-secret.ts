import { randomBytes } from 'node:crypto';
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { StartFault } from '../start-fault.ts';

/** A secret that a sandbox makes at its first start and keeps in a file that its own user alone may read. Throws a `StartFault` if it is damaged. */
export function ownSecret<Secret>(file: string, make: () => string, parse: (text: string) => Secret | undefined): Secret {
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
  let secret: Secret | undefined;
  try {
    secret = parse(readFileSync(file, 'utf8').trim());
  } catch {
    // Unreadable: said below.
  }
  if (secret === undefined)
    throw new StartFault(
      `${file} is damaged or cannot be read. Put it back as it was. Without it a start makes a new one, and what the old one sealed or signed cannot be read or continued.`,
    );
  return secret;
}
