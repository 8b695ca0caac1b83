// Adds errors to a copy of the tree and expects the checks to find exactly these.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { domains, faultsOf } from '../domains.mjs';
import { directionOfImports, lintOfMigrations, typesAndLint, unusedCode } from './checks.mjs';
import { nodePath, root } from './install.mjs';
import { copyInto } from './tree-copy.mjs';

const copy = mkdtempSync(join(tmpdir(), 'handwise-checks-'));
beforeAll(() => copyInto(copy, root));
afterAll(() => rmSync(copy, { recursive: true, force: true }));
const long = 240_000;

/** Runs a check in the copy as `npm run check` does; returns its output and whether it fails. */
function run(args) {
  const { stdout, stderr, status } = spawnSync(nodePath, args, {
    cwd: copy,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    env: { ...process.env, FORCE_COLOR: '0' },
  });
  return { output: stdout + stderr, stdout, failed: status !== 0 };
}

/** Appends texts to files, created if missing, and removes both afterwards. */
function withPlants(plants, work) {
  const before = new Map(Object.keys(plants).map((path) => [path, existsSync(join(copy, path)) ? readFileSync(join(copy, path)) : null]));
  const made = [];
  for (const [path, text] of Object.entries(plants)) {
    made.push(mkdirSync(dirname(join(copy, path)), { recursive: true }));
    appendFileSync(join(copy, path), text);
  }
  try {
    return work();
  } finally {
    for (const [path, bytes] of before) {
      if (bytes) writeFileSync(join(copy, path), bytes);
      else rmSync(join(copy, path));
    }
    for (const folder of made.filter(Boolean)) rmSync(folder, { recursive: true, force: true });
  }
}

// Importing file, imported file, and the rule that rejects it. Only types are imported.
const wrongImports = [
  ['server/src/domains/search/planted.ts', 'server/src/domains/listings/listings.queries.ts', 'server-search-uses-what-it-may'],
  ['server/src/domains/plans/planted.ts', 'server/src/domains/payments/payments.rules.ts', 'server-plans-uses-what-it-may'],
  ['server/src/domains/accounts/planted.ts', 'server/src/domains/listings/listings.service.ts', 'server-accounts-uses-what-it-may'],
  ['server/src/domains/reviews/planted.ts', 'server/src/domains/plans/plans.service.ts', 'server-reviews-uses-what-it-may'],
  ['server/src/domains/site/planted.ts', 'server/src/env.ts', 'domains-know-no-app'],
  ['server/src/kit/planted.ts', 'server/src/domains/accounts/accounts.service.ts', 'kit-knows-the-kit-only'],
  ['server/src/kit/planted.ts', 'server/src/env.ts', 'kit-knows-the-kit-only'],
  ['server/src/planted.ts', 'server/src/domains/accounts/accounts.queries.ts', 'app-uses-services'],
  ['server/src/planted.ts', 'server/src/domains/payments/payments.rules.ts', 'app-uses-services'],
  ['server/src/planted.ts', 'sandbox/src/postgres.ts', 'server-knows-no-stand-ins'],
  ['contract/src/planted.ts', 'server/src/env.ts', 'contract-knows-nobody'],
  ['proof/src/planted.ts', 'contract/src/dates.ts', 'proof-knows-nobody'],
  ['server/src/planted.ts', 'proof/src/sandbox-key.ts', 'server-knows-no-stand-ins'],
  ['web/app/lib/planted.ts', 'proof/src/sandbox-key.ts', 'web-knows-contract-and-proof-only'],
  ['web/app/domains/accounts/planted.tsx', 'web/app/domains/site/site-footer.tsx', 'web-accounts-uses-what-it-may'],
  ['web/app/domains/search/planted.tsx', 'web/app/domains/listings/listing-data.server.ts', 'web-search-uses-what-it-may'],
  ['web/app/domains/site/planted.tsx', 'web/app/pages/site/terms.tsx', 'web-domains-know-no-page'],
  ['web/app/ui/planted.tsx', 'web/app/domains/listings/listing-card.tsx', 'ui-knows-no-domain'],
  ['web/app/lib/planted.ts', 'web/app/ui/forms/button.tsx', 'lib-knows-the-lib-only'],
  ['web/app/lib/planted.ts', 'server/src/env.ts', 'web-knows-contract-and-proof-only'],
  ['web/planted.ts', 'server/src/env.ts', 'web-knows-contract-and-proof-only'],
  ['web/app/planted.ts', 'web/named-widths.ts', 'pages-know-no-build'],
  ['web/app/planted.ts', 'tools/install.mjs', 'web-knows-contract-and-proof-only'],
  ['server/src/mcp/planted.ts', 'server/src/domains/accounts/accounts.queries.ts', 'app-uses-services'],
  ['server/src/mcp/planted/planted.ts', 'server/src/domains/accounts/accounts.queries.ts', 'app-uses-services'],
  ['server/src/planted.ts', 'planted/planted.ts', 'server-knows-no-stand-ins'],
  ['contract/src/planted.ts', 'planted/planted.ts', 'contract-knows-nobody'],
  ['proof/src/planted.ts', 'planted/planted.ts', 'proof-knows-nobody'],
  ['server/src/kit/planted-too.ts', 'server/src/kit/planted.ts', 'no-circles'],
  ['tools/planted-too.mjs', 'tools/planted.mjs', 'no-circles'],
  ['web/app/domains/sign-in/planted-too.tsx', 'web/app/domains/sign-in/planted.tsx', 'no-circles'],
];

test(
  'finds every forbidden import, and no other',
  () => {
    const plants = {
      'planted/planted.ts': 'export {};\n',
      // A cycle is reported once.
      'server/src/kit/planted.ts': "import type {} from './planted-too.ts';\n",
      'tools/planted.mjs': "import {} from './planted-too.mjs';\n",
      'web/app/domains/sign-in/planted.tsx': "void import('./planted-too.tsx');\n",
    };
    for (const [from, to] of wrongImports) {
      expect([to, to.includes('planted') || existsSync(join(copy, to))]).toEqual([to, true]);
      const up = '../'.repeat(from.split('/').length - 1);
      plants[from] = `${plants[from] ?? ''}import ${from.endsWith('.mjs') ? '' : 'type '}{} from '${up}${to}';\n`;
    }
    const found = withPlants(plants, () => run([...directionOfImports(), '--output-type', 'json']));
    const { violations } = JSON.parse(found.stdout).summary;
    const lines = (all) => all.map((one) => one.join(' ')).toSorted();
    expect(lines(violations.map(({ from, to, rule }) => [from, to, rule.name]))).toEqual(lines(wrongImports));
  },
  long,
);

test.each(['server/src/domains/valuations/valuations.service.ts', 'web/app/domains/valuations/valuation.tsx'])(
  'rejects a domain that is not on the list: %s',
  (path) => {
    const { output, failed } = withPlants({ [path]: 'export {};\n' }, () => run(directionOfImports()));
    expect(output).toContain(`${dirname(path)} is no domain of domains.mjs`);
    expect(failed).toBe(true);
  },
  long,
);

test.each(['server/src/webhooks/planted.ts', 'web/app/hooks/planted.ts', 'web/planted/planted.ts'])(
  'rejects a folder that is no layer, because no rule would apply: %s',
  (path) => {
    const { output, failed } = withPlants({ [path]: 'export {};\n' }, () => run(directionOfImports()));
    expect(output).toContain(`${dirname(path)} is no layer of domains.mjs`);
    expect(failed).toBe(true);
  },
  long,
);

test.each([
  ['create index a on listings (verified);', 'require-concurrent-index-creation'],
  [
    'create index concurrently a on listings (verified);\nalter table listings add column b int;',
    'ban-concurrent-index-creation-in-transaction',
  ],
  ['alter table listings add column a int not null;', 'adding-required-field'],
  ['alter table listings add column a uuid default gen_random_uuid();', 'adding-field-with-default'],
  ['alter table listings add constraint a check (b > 0);', 'constraint-missing-not-valid'],
  ['alter table listings alter column a type bigint;', 'changing-column-type'],
  ['alter table listings alter column a set not null;', 'adding-not-nullable-field'],
  ['alter table listings drop column a;', 'ban-drop-column'],
  ['drop table listings;', 'ban-drop-table'],
])('a migration that blocks others or breaks the version before is refused: %s', (sql, rule) => {
  const path = 'server/migrations/900-planted.sql';
  const { output, failed } = withPlants({ [path]: sql }, () => run(lintOfMigrations([join(copy, path)])));
  expect([failed, output]).toEqual([true, expect.stringContaining(rule)]);
});

test.each([
  'create table a (id int primary key);\ncreate index b on a (id);\nalter table listings add column c int;',
  'alter table listings add constraint a check (b > 0) not valid;\nalter table listings add column c boolean not null default false;',
  '-- outside a transaction\n-- squawk-ignore-file ban-concurrent-index-creation-in-transaction\ndrop index concurrently if exists a;\ncreate index concurrently a on listings (id);',
  '-- No server reads it any more.\n-- squawk-ignore ban-drop-column\nalter table plans drop column a;',
])('a migration that blocks no one passes: %s', (sql) => {
  const path = 'server/migrations/900-planted.sql';
  expect(withPlants({ [path]: sql }, () => run(lintOfMigrations([join(copy, path)])))).toMatchObject({ output: '', failed: false });
});

test('a domain may only use those to its left on the list', () => {
  expect(faultsOf(domains, [])).toEqual([]);
  expect(faultsOf({ a: ['b'], b: ['a', 'b', 'c'] }, ['web/app/domains/a'])).toEqual([
    'domains.mjs: a may not use b, which is not to its left',
    'domains.mjs: b may not use b, which is not to its left',
    'domains.mjs: b may not use c, which is not to its left',
  ]);
});

const workspaces = {
  contract: 'src',
  proof: 'src',
  server: 'src/kit',
  sandbox: 'src',
  demo: 'src',
  web: 'app/lib',
  e2e: 'src',
  bench: 'src',
};

test(
  'finds a wrong type in each workspace, by its runtime',
  () => {
    const plants = Object.fromEntries(
      Object.entries(workspaces).map(([workspace, folder]) => [`${workspace}/${folder}/planted.ts`, 'export const planted: string = 7;\n']),
    );
    const noPage = 'export const planted = document.title;\n';
    plants['server/src/planted-page.ts'] = noPage;
    plants['web/app/planted-page.ts'] = noPage;
    const { stdout, failed } = withPlants(plants, () => run([...typesAndLint(), '--format', 'unix', ...Object.keys(plants)]));
    const found = stdout.split('\n').flatMap((line) => {
      const [, path, code] = /^(\S+?):\d+:\d+:.*\b(TS\d+)/.exec(line) ?? [];
      return path ? [`${path} ${code}`] : [];
    });
    const wrong = Object.keys(workspaces).map((workspace) => `${workspace}/${workspaces[workspace]}/planted.ts TS2322`);
    expect(found.toSorted()).toEqual([...wrong, 'server/src/planted-page.ts TS2584'].toSorted());
    expect(failed).toBe(true);
  },
  long,
);

const ownTimes = `export const planted = [
  new Intl.DateTimeFormat('en-NZ').format(new Date()),
  new Date().toLocaleString('sv-SE'),
  new Date().toLocaleDateString('en-NZ'),
  new Date().toLocaleTimeString('en-NZ'),
];
`;

test(
  'finds dates formatted without contract/src/dates.ts in contract, server and web, but not in tests',
  () => {
    const places = ['contract/src', 'server/src/domains/analytics', 'web/app/lib'];
    const plants = Object.fromEntries(
      places.flatMap((folder) => [`${folder}/planted.ts`, `${folder}/planted.test.ts`].map((path) => [path, ownTimes])),
    );
    const withoutTypes = typesAndLint().filter((argument) => argument !== '--type-check');
    const { stdout, failed } = withPlants(plants, () => run([...withoutTypes, '--format', 'unix', ...Object.keys(plants)]));
    const found = stdout.split('\n').flatMap((line) => /^(\S+?:\d+):\d+:.*no-restricted-properties/.exec(line)?.[1] ?? []);
    expect(found.toSorted()).toEqual(places.flatMap((folder) => [2, 3, 4, 5].map((line) => `${folder}/planted.ts:${line}`)));
    expect(failed).toBe(true);
  },
  long,
);

/** Knip's findings for a tree with these additions: kind, file and name, one a line. */
function foundUnused(args, plants) {
  const { stdout, failed } = withPlants(plants, () => run([...args, '--reporter', 'json']));
  const lines = JSON.parse(stdout).issues.flatMap((issue) =>
    Object.entries(issue).flatMap(([kind, list]) => (Array.isArray(list) ? list.map(({ name }) => `${kind}: ${issue.file} ${name}`) : [])),
  );
  return { found: lines.toSorted(), failed };
}
/** @type {(paths: string[]) => string[]} */
const asFiles = (paths) => paths.map((path) => `files: ${path} ${path}`);
/** @type {(paths: string[]) => string[]} */
const asExports = (paths) => paths.map((path) => `exports: ${path} plantedExport`);
const plantedFiles = (paths) => Object.fromEntries(paths.map((path) => [path, 'export const plantedHere = 1;\n']));
const plantedExports = (paths) => Object.fromEntries(paths.map((path) => [path, '\nexport const plantedExport = 1;\n']));

test(
  'finds an unused export and an unused file in every workspace, and nothing else',
  () => {
    const files = [
      // Contract and sandbox export all files, so an unused one is found by its exports.
      ...Object.entries(workspaces).flatMap(([workspace, folder]) =>
        ['contract', 'sandbox'].includes(workspace) ? [] : [`${workspace}/${folder}/planted-file.ts`],
      ),
      // Beside source folders, in a folder without a rule, and among pages.
      ...Object.keys(workspaces).map((workspace) => `${workspace}/planted-file.ts`),
      'planted-file.mjs',
      'ops/planted-file.mjs',
      'planted/planted-file.ts',
      'tools/planted-file.mjs',
      'web/app/pages/site/planted-page.tsx',
    ];
    const changed = [
      'contract/src/places/regions.ts',
      'proof/src/bytes.ts',
      'server/src/kit/errors.ts',
      'server/src/domains/listings/listings.views.ts',
      'server/src/main.ts',
      'sandbox/src/postgres.ts',
      'sandbox/src/start.ts',
      'demo/src/random.ts',
      'web/app/lib/format.ts',
      'web/named-widths.ts',
      'e2e/src/journey.ts',
      'e2e/src/visitor.e2e.ts',
      'bench/src/load.ts',
      'bench/src/floor.ts',
      'tools/install.mjs',
    ];
    const plants = { ...plantedFiles(files), ...plantedExports(changed) };
    const { found, failed } = foundUnused([...unusedCode(), '--include', 'files,exports,types'], plants);
    expect(found).toEqual([...asFiles(files), ...asExports(changed)].toSorted());
    expect(failed).toBe(true);
  },
  long,
);
