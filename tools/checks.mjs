// Every check of the code, the same for `npm run check`, `npm test` and CI.
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { nodePath, root, withOwnNode } from './install.mjs';

const require = createRequire(import.meta.url);
const bin = (name, path) => join(root, 'node_modules', name, path ?? binOf(name));
const binOf = (name) => {
  const { bin } = require(join(root, 'node_modules', name, 'package.json'));
  return typeof bin === 'string' ? bin : (bin[name.split('/').pop()] ?? Object.values(bin)[0]);
};

// Functions, because nothing is installed yet when this file is read.
const prepare = () => [
  ['types of the database', ['sandbox/src/database-types.ts']],
  ['types of the pages', [bin('@react-router/dev'), 'typegen'], 'web'],
];
const checks = () => [
  // The linter also reports the compiler's errors, with each folder's settings.
  ['types and lint', typesAndLint()],
  ['format (npm run format fixes it)', formatting('--check', '.')],
  ['unused code', unusedCode()],
  ['imports run one way', directionOfImports()],
  ['patterns take linear time', [join(root, 'tools/patterns.mjs')]],
  ...(newMigrations().length > 0 ? [['migrations block no one', lintOfMigrations(newMigrations())]] : []),
];

const lastBaseline = '020';
const migrations = join(root, 'server/migrations');
/** The migrations that run on tables with rows. */
const newMigrations = () =>
  readdirSync(migrations)
    .filter((name) => name.endsWith('.sql') && name.slice(0, 3) > lastBaseline)
    .map((name) => join(migrations, name));

/** Node's arguments for the check of migrations that block others or break the previous version. */
const lintOfMigrations = (files) => [bin('squawk-cli'), '--config', join(root, '.squawk.toml'), '--reporter', 'gcc', ...files];

/** Node's arguments for the formatter. */
export const formatting = (...args) => [bin('oxfmt'), ...args];

/** Node's arguments for type check and lint of the working folder. */
const typesAndLint = () => [bin('oxlint'), '--deny-warnings', '--type-check'];

/** Node's arguments for the check of unused exports, files and packages. */
const unusedCode = () => [bin('knip')];

/** Node's arguments for the check of forbidden imports. */
const directionOfImports = () => [
  bin('dependency-cruiser'),
  '--config',
  '.dependency-cruiser.cjs',
  'contract/src',
  'proof/src',
  'server/src',
  'sandbox/src',
  'demo/src',
  'web',
  'e2e/src',
  'bench/src',
  'commands',
  'tools',
];

// The type checker is written in Go; less garbage collection saves a fifth of its time.
const roomForTypes = { GOGC: '400' };

function runCheck([name, args, folder]) {
  return new Promise((done) => {
    const startedAt = Date.now();
    let output = '';
    const child = spawn(nodePath, args, { cwd: join(root, folder ?? ''), env: withOwnNode({ FORCE_COLOR: '0', ...roomForTypes }) });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
    child.once('exit', (code) => {
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'}  ${name}  ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
      if (code !== 0) console.log(output);
      done({ name, held: code === 0 });
    });
  });
}

async function checkBuild(built) {
  try {
    await built;
  } catch (error) {
    console.log('FAIL  the site is built\n', error);
    return [{ name: 'the site is built', held: false }];
  }
  return [
    await runCheck(['script of each page', [join(root, 'tools/script-budget.mjs')]]),
    await runCheck(['promised browsers', [join(root, 'tools/browser-support.mjs')]]),
  ];
}

/** Runs every check, two at a time, and returns how many passed. `built` resolves when the site is built. */
export async function runChecks(built) {
  const results = [];
  const weighed = checkBuild(built);
  for (const step of prepare()) results.push(await runCheck(step));
  const waiting = checks();
  const worker = async () => {
    for (let step = waiting.shift(); step; step = waiting.shift()) results.push(await runCheck(step));
  };
  await Promise.all([worker(), worker()]);
  results.push(...(await weighed));
  const failed = results.filter(({ held }) => !held);
  return { passed: results.length - failed.length, failed: failed.length, failures: failed.map(({ name }) => [name]) };
}
