import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** What earlier runs found, as long as neither the fault nor a file that it concerns has changed. Kept after each fault. */
export function openState(path, root) {
  const known = existsSync(path) ? JSON.parse(readFileSync(path, 'utf8')) : {};
  mkdirSync(dirname(path), { recursive: true });
  // Taken once: whoever changes a file while the faults are planted in copies of it asks anew the next time.
  const keys = new Map();
  const keyOf = (fault) => {
    if (!keys.has(fault)) keys.set(fault, hashOf(fault, root));
    return keys.get(fault);
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

function hashOf({ file, find, replace, tests }, root) {
  const hash = createHash('sha256').update(JSON.stringify([file, find, replace, tests]));
  for (const name of [file, ...tests]) hash.update(readFileSync(join(root, name)));
  return hash.digest('hex');
}
