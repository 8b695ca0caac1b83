// Mutation testing with Stryker: `npm run mutation` for the rules, states, proof, money and access, `npm run mutation -- payments` for the services and
// queries of a domain, against the database. The tree is copied, so the one you work in stays as it is.
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { filesIn, install, root, runNode } from './install.mjs';
import { copyInto } from './tree-copy.mjs';

const isTest = (file) => /\.test\.\w+$|\/testing\//.test(file);
const sources = (pattern) =>
  ['server/src', 'proof/src', 'contract/src']
    .flatMap((folder) => [...filesIn(join(root, folder))])
    .map((file) => relative(root, file))
    .filter((file) => pattern.test(file) && !isTest(file));

/** What is mutated, the tests that run, and the share of mutants in percent that they have to kill. */
function sliceOf(domain) {
  if (domain === undefined) {
    return {
      mutate: sources(
        /^server\/src\/domains\/.*\.(rules|states)\.ts$|^proof\/src\/[\w-]+\.ts$|^contract\/src\/(money|numbers|draws\/account-number)\.ts$|^server\/src\/kit\/(http|life-cycle|identity\/session-guard)\.ts$/,
      ),
      tests: [
        'server/src/domains/**/*.rules.test.ts',
        'server/src/domains/**/*.states.test.ts',
        'proof/src/*.test.ts',
        'contract/src/money.test.ts',
        'contract/src/numbers.test.ts',
        'contract/src/draws/*.test.ts',
        'server/src/kit/*.test.ts',
        'server/src/kit/identity/*.test.ts',
      ],
      atLeast: 90,
    };
  }
  const folder = `server/src/domains/${domain}/`;
  if (!existsSync(join(root, folder))) throw new Error(`There is no domain ${domain}.`);
  return {
    mutate: sources(new RegExp(`^${folder}.*\\.ts$`)).filter((file) => !/\.(rules|states|emails|mails)\.ts$/.test(file)),
    tests: [`${folder}**/*.test.ts`],
    atLeast: 85,
  };
}

await install();
const domain = process.argv[2];
const name = domain ?? 'rules';
const { mutate, tests, atLeast } = sliceOf(domain);
const folder = join(root, '.data/mutation');
const incrementalFile = join(folder, `${name}.json`);
mkdirSync(folder, { recursive: true });
const tree = mkdtempSync(join(tmpdir(), 'handwise-mutation-'));
process.once('exit', () => rmSync(tree, { recursive: true, force: true }));
copyInto(tree, root);
writeFileSync(
  join(tree, 'stryker.config.json'),
  JSON.stringify({
    testRunner: 'vitest',
    vitest: { configFile: 'vitest.config.ts', related: false },
    plugins: ['@stryker-mutator/vitest-runner'],
    mutate,
    inPlace: true,
    incremental: true,
    incrementalFile,
    // SQL is tested by constraints and triggers, and texts by the tests of emails and pages.
    mutator: { excludedMutations: ['StringLiteral'] },
    ignoreStatic: true,
    concurrency: 2,
    timeoutMS: 20_000,
    reporters: ['clear-text', 'progress-append-only'],
    clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
    thresholds: { high: 95, low: atLeast, break: atLeast },
    allowEmpty: false,
    checkers: [],
    disableTypeChecks: false,
  }),
);
const env = { TEST_FILES: tests.join(','), CI: '1' };
await runNode([join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'stryker.config.json'], { cwd: tree, env });
