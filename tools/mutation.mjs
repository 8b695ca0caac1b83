// Mutation testing with Stryker. `npm run mutation` mutates the rules, states, money arithmetic, access checks and the proof of the draw;
// `npm run mutation -- states` one of those parts; `npm run mutation -- payments` the services and queries of a domain, with the database;
// `npm run mutation -- payments 2/4` the second quarter of its files. The report has the results of earlier runs too.
// It mutates a copy of the tree, so that the working tree stays unchanged.
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
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
const parts = {
  rules: {
    mutate: sources(/^server\/src\/domains\/.*\.rules\.ts$|^contract\/src\/(money|numbers|draws\/account-number)\.ts$/),
    tests: [
      'server/src/domains/**/*.rules.test.ts',
      'server/src/domains/places/places.test.ts',
      'contract/src/{money,numbers}.test.ts',
      'contract/src/draws/*.test.ts',
    ],
    atLeast: 90,
  },
  // The tables of states are evaluated once, when their module loads, so each of their mutants runs all tests of this part.
  states: {
    mutate: sources(/^server\/src\/(domains\/.*\.states|kit\/life-cycle)\.ts$/),
    tests: ['server/src/domains/**/*.states.test.ts', 'server/test/{life-cycles,transitions}.test.ts'],
    atLeast: 90,
    ignoreStatic: false,
  },
  access: {
    mutate: sources(/^server\/src\/kit\/identity\/[\w-]+\.ts$/),
    tests: ['server/src/kit/identity/*.test.ts', 'server/test/access-matrix.test.ts'],
    atLeast: 90,
  },
  // The tests of `cli.ts` start it as a process, where Stryker's mutants are not active.
  proof: { mutate: sources(/^proof\/src\/(?!cli\.)[\w-]+\.ts$/), tests: ['proof/src/*.test.ts'], atLeast: 90 },
};

const testsOf = (domain) => `server/src/domains/${domain}/**/*.test.ts`;

// These domains work together: plans are bought with listings, given for referrals and end with a refund, and edits restart checks.
const alsoTestedBy = {
  plans: [testsOf('selling'), testsOf('referrals')],
  selling: [testsOf('plans'), testsOf('payments'), testsOf('registers'), testsOf('facts')],
  payments: [
    testsOf('plans'),
    testsOf('selling'),
    'server/src/domains/admin/admin.search.test.ts',
    'server/src/composition/app-metrics.test.ts',
    'commands/payments-check.test.ts',
    'server/test/account-deletion.test.ts',
  ],
};

function partOfDomain(domain) {
  const folder = `server/src/domains/${domain}/`;
  if (!existsSync(join(root, folder))) throw new Error(`${domain} is neither a domain nor one of ${Object.keys(parts).join(', ')}.`);
  return {
    mutate: sources(new RegExp(`^${folder}.*\\.ts$`)).filter((file) => !/\.(rules|states)\.ts$|emails\.ts$/.test(file)),
    tests: [testsOf(domain), ...(alsoTestedBy[domain] ?? [])],
    atLeast: 85,
  };
}

/** Every so many-th file, the largest first, so that slices take about as long. */
function sliceOf(files, slice) {
  const [, number, count] = slice.match(/^(\d+)\/(\d+)$/) ?? [];
  if (!(Number(number) >= 1 && Number(number) <= Number(count))) throw new Error(`“${slice}” is not a slice such as 2/4.`);
  const bySize = files.toSorted((one, other) => statSync(join(root, other)).size - statSync(join(root, one)).size);
  return bySize.filter((_, index) => index % Number(count) === Number(number) - 1);
}

async function run(name, { mutate, tests, atLeast, ignoreStatic = true }) {
  const reports = join(root, '.data/mutation');
  mkdirSync(reports, { recursive: true });
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
      incrementalFile: join(reports, `${name}.json`),
      // Texts are tested as rendered: in emails, pages and responses.
      mutator: { excludedMutations: ['StringLiteral'] },
      ignoreStatic,
      concurrency: 2,
      timeoutMS: 60_000,
      dryRunTimeoutMinutes: 20,
      reporters: ['clear-text', 'progress-append-only'],
      clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
      thresholds: { high: 95, low: atLeast, break: atLeast },
      disableTypeChecks: false,
    }),
  );
  console.log(`Mutating ${name}: ${mutate.length} files …`);
  const env = { TEST_FILES: tests.join(' '), CI: '1' };
  await runNode([join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js'), 'run', 'stryker.config.json'], { cwd: tree, env });
}

await install();
const [, , name, slice = '1/1'] = process.argv;
const chosen = name === undefined ? Object.entries(parts) : [[name, parts[name] ?? partOfDomain(name)]];
for (const [part, options] of chosen) await run(part, { ...options, mutate: sliceOf(options.mutate, slice) });
