import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesIn, hashOfFiles, root, runNode } from './install.mjs';

const stamp = join(root, 'web/build/.built-from');

/** Builds the site unless web/build is up to date. */
export async function build() {
  const settings = readdirSync(join(root, 'web')).filter((name) => /\.(ts|json)$/.test(name));
  const folders = ['web/app', 'web/public', 'contract/src', 'proof/src'].map((path) => join(root, path)).filter((path) => existsSync(path));
  const sources = hashOfFiles([
    join(root, 'package-lock.json'),
    ...settings.map((name) => join(root, 'web', name)),
    ...folders.flatMap((folder) => [...filesIn(folder)]),
  ]);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === sources) return;
  console.log('Building the site …');
  const cli = join(root, 'node_modules/@react-router/dev/bin.cjs');
  await runNode([cli, 'build', '--logLevel', 'warn'], { cwd: join(root, 'web'), env: { NODE_ENV: 'production' } });
  // The manifest is for web/script-budget.ts and is not served.
  renameSync(join(root, 'web/build/client/.vite'), join(root, 'web/build/.vite'));
  await runNode([join(root, 'tools/compress.mjs'), join(root, 'web/build/client')]);
  writeFileSync(stamp, sources);
}
