// `npm test` runs the checks, the tests and the journeys tagged @main; `npm run test:faults` the tests that kill servers and the other journeys.
// The last line counts them.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { install, root, startNode } from './install.mjs';
import { bufferOutput, countOfJourneys, lastLines } from './report.mjs';
import { startTests } from './tests.mjs';

const tier = process.argv[2] ?? 'main';
if (!['main', 'faults'].includes(tier)) throw new Error(`There are two tiers, main and faults, but no ${tier}.`);

const results = join(root, '.data/test-results');
const startedAt = Date.now();
const stage = (name) => console.log(`\n${name} (after ${Math.round((Date.now() - startedAt) / 1000)} s)`);

await install();
mkdirSync(results, { recursive: true });

const built = build();
const counts = [];
if (tier === 'main') {
  // Journeys wait for pages and tests for the database, so they share the cores well.
  const output = bufferOutput(process.stdout);
  const journeys = runJourneys('--grep=@main', output.write);
  stage('Checks, with the journeys beside them');
  counts.push({ ...(await runChecks(built)), flaky: [] });
  stage('Tests, with the journeys beside them');
  counts.push(await runTests());
  stage('Journeys');
  output.show();
  counts.push(await journeys);
} else {
  // Journeys report a failed build.
  await built.catch(() => {});
  await startNode(['sandbox/src/faults/server-bundle.ts']).ended;
  stage('Tests');
  counts.push(await runTests());
  // One after the other, because killed servers start again slowly while journeys use the cores.
  stage('Journeys');
  counts.push(await runJourneys('--grep-invert=@main', (chunk) => process.stdout.write(chunk)));
}

stage('Done');
console.log(lastLines(counts).join('\n'));
process.exit(counts.every(({ failed }) => failed === 0) ? 0 : 1);

function runTests() {
  const reporters = ['--reporter=default', '--reporter=./tools/vitest-report.mjs'];
  return count('vitest', (report) => startTests(reporters, { TEST_TIER: tier, TEST_REPORT: report }).ended);
}

function runJourneys(which, write) {
  const run = async (report) => {
    // The checks report a failed build.
    await built.catch(() => {});
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const { child, ended } = startNode(['tools/journeys.mjs', which], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', write);
    await once(child, 'close');
    return ended;
  };
  return count('playwright', run, countOfJourneys);
}

/** Runs a test runner and reads the counts of its report. A missing report counts as one failure, and so does a red end without one. */
async function count(name, runner, read = (counted) => counted) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const code = await runner(report).catch((error) => console.error(error));
  if (!existsSync(report)) return { passed: 0, failed: 1, flaky: [], failures: [[`${name} ended without a report`]] };
  const counted = read(JSON.parse(readFileSync(report, 'utf8')));
  if (code === 0 || counted.failed > 0) return counted;
  return { ...counted, failed: 1, failures: [[`${name} ended with code ${code}, though none failed`]] };
}
