// Everything that must hold: the checks, the tests, and the journeys in a browser. The last line counts them.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runChecks } from './checks.mjs';
import { countOfJourneys, countOfTests, lastLines } from './counts.mjs';
import { install, root } from './install.mjs';
import { startJourneys, withSite } from './site.mjs';
import { startTests } from './tests.mjs';

const results = join(root, '.data/test-results');
const begun = Date.now();
const stage = (name) => console.log(`\n${name} (after ${Math.round((Date.now() - begun) / 1000)} s)`);

await install();
mkdirSync(results, { recursive: true });

stage('Checks');
const checks = await runChecks();

stage('Tests');
const tests = await count(
  'vitest',
  (report) => startTests(['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]).ended,
  countOfTests,
);

stage('Journeys');
const journeys = await count(
  'playwright',
  (report) => withSite((env) => startJourneys([], { ...env, PLAYWRIGHT_JSON_OUTPUT_FILE: report }).ended),
  countOfJourneys,
);

stage('Done');
const all = [{ ...checks, flaky: [] }, tests, journeys];
console.log(lastLines(all).join('\n'));
process.exit(all.every(({ failed }) => failed === 0) ? 0 : 1);

/** Runs a test runner and reads what it counted from its report. A runner without a report has failed once. */
async function count(name, runner, read) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const code = await runner(report).catch((error) => console.error(error));
  if (!existsSync(report)) return { passed: 0, failed: 1, flaky: [] };
  const counted = read(JSON.parse(readFileSync(report, 'utf8')));
  return { ...counted, failed: Math.max(counted.failed, code === 0 ? 0 : 1) };
}
