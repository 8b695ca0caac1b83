import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { nodePath, root } from './install.mjs';

const folder = mkdtempSync(join(tmpdir(), 'handwise-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('runs a script on the product’s own Node, whichever the shell has, and exits with its code', () => {
  // Stands for the machine's Node, which a developer has in any folder.
  const other = join(folder, 'node');
  copyFileSync(nodePath, other);
  const script = join(folder, 'script.ts');
  writeFileSync(script, 'const args: string[] = process.argv.slice(2);\nconsole.log(process.execPath, ...args);\nprocess.exitCode = 3;\n');
  const PATH = [folder, ...(process.env.PATH ?? '').split(delimiter).filter((path) => path !== dirname(nodePath))].join(delimiter);
  const { status, stdout } = spawnSync(other, [join(root, 'tools/run.mjs'), script, '--listings', '1'], {
    env: { ...process.env, PATH },
    encoding: 'utf8',
  });
  expect([status, stdout.trim().split('\n').at(-1)]).toEqual([3, `${nodePath} --listings 1`]);
});
