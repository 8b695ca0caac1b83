import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What earlier runs found, as long as neither the fault nor a file that it concerns has changed. Kept after each fault. */
export function openState(path, root) {
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  mkdirSync(dirname(path), { recursive: true });
  const keyOf = ({ file, find, replace, tests }) => {
    const hash = createHash('sha256').update(JSON.stringify([file, find, replace, tests]));
    for (const name of [file, ...tests]) hash.update(readFileSync(join(root, name)));
    return hash.digest('hex');
  };
  return {
    resultOf(fault) {
      const result = known[fault.id];
      return result?.key === keyOf(fault) ? result : undefined;
    },
    keep(fault, result) {
      known[fault.id] = { key: keyOf(fault), ...result };
      writeFileSync(path, JSON.stringify(known, null, 1));
    },
  };
}
