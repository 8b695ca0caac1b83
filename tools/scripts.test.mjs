// The scripts of package.json work in a fresh clone: the first command is run by the machine's Node, which may be 20 and knows no packages.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './install.mjs';

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What a file imports before its first line runs, itself and through others. */
function importsOf(file, found = new Set()) {
  for (const [, path] of readFileSync(file, 'utf8').matchAll(/^(?:import|export)\b[^;]*?\bfrom '([^']+)'|^import '([^']+)'/gm)) {
    const target = path?.startsWith('.') ? join(dirname(file), path) : path;
    if (found.has(target)) continue;
    found.add(target);
    if (target?.endsWith('.mjs')) importsOf(target, found);
  }
  return [...found];
}

const runsOnAnyNode = (path) => path.startsWith('node:') || (path.startsWith(root) && /\.(mjs|json)$/.test(path));

/** What in a script the machine's Node cannot run in a fresh clone. */
function faultsOf(script) {
  if (/^npm (test|run [\w:]+)( && npm (test|run [\w:]+))*$/.test(script)) return [];
  const [, tool, rest] = /^node ((?:commands|tools)\/[\w-]+\.mjs)((?: [\w./-]+)*)$/.exec(script) ?? [];
  // A second command would be started by the same Node, after the first one has brought another.
  if (tool === undefined) return [script];
  const named = rest.split(' ').filter((argument) => argument.includes('/'));
  return [...named.filter((path) => !existsSync(join(root, path))), ...importsOf(join(root, tool)).filter((path) => !runsOnAnyNode(path))];
}

test.for(Object.entries(scripts))('npm run %s starts on the machine’s Node before anything is installed', ([, script]) => {
  expect(faultsOf(script)).toEqual([]);
});
