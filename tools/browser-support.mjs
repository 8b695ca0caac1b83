// Fails on scripts and styles that a promised browser cannot run, in the sources and in the built site.
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isHarmless, newerInScript, newerInStyle } from '../web/browser-support.ts';
import { root } from './install.mjs';

const places = [
  { pattern: '{contract,proof}/src/**/*.ts', check: newerInScript },
  { pattern: 'web/app/**/*.{ts,tsx}', check: newerInScript },
  { pattern: 'web/service-worker.js', check: newerInScript },
  { pattern: 'web/build/client/assets/*.js', check: newerInScript, isBundle: true },
  { pattern: 'web/build/client/assets/*.css', check: newerInStyle, isBundle: true },
];
const skipped = /\.(test|server)\.\w+$|entry\.server|\/proof\/src\/cli/;
for (const { pattern, check, isBundle = false } of places) {
  const files = globSync(join(root, pattern)).filter((file) => !skipped.test(file));
  if (files.length === 0) throw new Error(`no files: ${pattern}`);
  for (const file of files) {
    for (const use of check(readFileSync(file, 'utf8'), file).filter((one) => !isHarmless(one, isBundle))) {
      console.log(`${relative(root, file)}:${use.line}: ${use.feature} (${use.missing.join(', ')})`);
      process.exitCode = 1;
    }
  }
}
