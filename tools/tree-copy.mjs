// A copy of the tree, for faults that are planted: whoever works in the tree meanwhile sees none of them.
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';

const leftOut = new Set(['node_modules', '.git', '.data', 'build', '.react-router', 'test-results', 'playwright-report']);

/** Copies the tree's own files into an empty folder, with the packages of the original. */
export function copyInto(dir, root) {
  cpSync(root, dir, { recursive: true, verbatimSymlinks: true, filter: (path) => !leftOut.has(basename(path)) });
  linkPackages(root, dir);
}

/** Links each package, and the workspaces among them to the copy's own. */
function linkPackages(root, dir) {
  const own = join(root, 'node_modules/@handwise');
  const parts = existsSync(own) ? readdirSync(own) : [];
  for (const folder of ['', ...parts]) {
    const from = join(root, folder, 'node_modules');
    if (!existsSync(from)) continue;
    const into = join(dir, folder, 'node_modules');
    mkdirSync(into);
    // What is kept between runs would be shared with the original.
    for (const name of readdirSync(from).filter((name) => name !== '@handwise' && (name === '.bin' || !name.startsWith('.')))) {
      symlinkSync(join(from, name), join(into, name));
    }
  }
  if (parts.length > 0) mkdirSync(join(dir, 'node_modules/@handwise'));
  for (const part of parts) symlinkSync(join(dir, part), join(dir, 'node_modules/@handwise', part));
}
