// A copy of the tree for planted errors, so that the working tree stays unchanged.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const leftOut = new Set(['node_modules', '.git', '.data', 'build', '.react-router', 'test-results', 'playwright-report']);

/** Copies the tracked files into an empty folder, with links to the original's packages. */
export function copyInto(dir, root) {
  cpSync(root, dir, { recursive: true, verbatimSymlinks: true, filter: (path) => !leftOut.has(basename(path)) });
  linkPackages(root, dir);
}

/** Links each package, with workspaces linked to the copy. */
function linkPackages(root, dir) {
  const own = join(root, 'node_modules/@handwise');
  const parts = existsSync(own) ? readdirSync(own) : [];
  for (const folder of ['', ...parts]) {
    const from = join(root, folder, 'node_modules');
    if (!existsSync(from)) continue;
    const into = join(dir, folder, 'node_modules');
    mkdirSync(into);
    // Caches would be shared with the original.
    for (const name of readdirSync(from).filter((name) => name !== '@handwise' && (name === '.bin' || !name.startsWith('.')))) {
      symlinkSync(join(from, name), join(into, name));
    }
  }
  if (parts.length > 0) mkdirSync(join(dir, 'node_modules/@handwise'));
  for (const part of parts) symlinkSync(join(dir, part), join(dir, 'node_modules/@handwise', part));
}
