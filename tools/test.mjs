// `npm test` runs the checks, the tests and the journeys tagged @main; `npm run test:faults` the tests that kill servers and the other journeys.
// The last line counts them.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { install, root, startNode } from './install.mjs';
import { bufferOutput, countOfJourneys, failure, lastLines } from './report.mjs';
import { startTests } from './tests.mjs';

const tier = process.argv[2] ?? 'main';
if (!['main', 'faults'].includes(tier)) throw new Error(`There are two tiers, main and faults, but no ${tier}.`);

const results = join(root, '.data/test-results');
// How much of a runner's output explains that it failed after its tests.
const lengthOfEnd = 1_500;
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
  return count('vitest', (report) => {
    const { child, ended } = startTests(reporters, { TEST_TIER: tier, TEST_REPORT: report }, { stdio: ['inherit', 'inherit', 'pipe'] });
    child.stderr.pipe(process.stderr, { end: false });
    // Not until the stream is closed, which a process left behind by a test could keep open.
    return { streams: [child.stderr], ended: ended.then((code) => pause(500, code)) };
  });
}

function runJourneys(which, write) {
  const start = async (report) => {
    // The checks report a failed build.
    await built.catch(() => {});
    const env = { PLAYWRIGHT_JSON_OUTPUT_FILE: report };
    const { child, ended } = startNode(['tools/journeys.mjs', which], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const streams = [child.stdout, child.stderr];
    for (const stream of streams) stream.on('data', write);
    return { streams, ended: once(child, 'close').then(() => ended) };
  };
  return count('playwright', start, countOfJourneys);
}

/** Runs a test runner and reads the counts of its report. A missing report counts as one failure, and so does a red end without one. */
async function count(name, start, read = (counted) => counted) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  let end = '';
  const { streams, ended } = await start(report);
  for (const stream of streams) stream.on('data', (chunk) => (end = `${end}${chunk}`.slice(-lengthOfEnd)));
  const code = await ended;
  const counted = existsSync(report) ? read(JSON.parse(readFileSync(report, 'utf8'))) : { passed: 0, failed: 0, flaky: [], failures: [] };
  if (counted.failed > 0 || (code === 0 && existsSync(report))) return counted;
  return { ...counted, failed: 1, failures: [failure(`${name} ended with code ${code}, and no test had failed`, end, 20)] };
}
