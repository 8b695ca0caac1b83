// Everything that must hold: the checks, the tests, and the journeys in a browser. The last line counts them.
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { runChecks } from './checks.mjs';
import { countOfJourneys, countOfTests, lastLines } from './counts.mjs';
import { held } from './held.mjs';
import { install, root, startNode } from './install.mjs';
import { startTests } from './tests.mjs';

const results = join(root, '.data/test-results');
const begun = Date.now();
const stage = (name) => console.log(`\n${name} (after ${Math.round((Date.now() - begun) / 1000)} s)`);

await install();
mkdirSync(results, { recursive: true });

// Half of a journey is waiting for pages, half of a test for the database: side by side they use what cores there are.
const built = build();
const journeysSaid = held(process.stdout);
const journeysCounted = count(
  'playwright',
  async (report) => {
    // Where that fails, it fails for them too, and they say so.
    await built.catch(() => {});
    const { child, ended } = startNode(['tools/journeys.mjs'], {
      env: { PLAYWRIGHT_JSON_OUTPUT_FILE: report },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr]) stream.on('data', journeysSaid.say);
    await once(child, 'close');
    return ended;
  },
  countOfJourneys,
);

const bundled = startNode(['sandbox/src/faults/server-bundle.ts']).ended;

stage('Checks; the journeys run beside them and the tests, and what they say comes after');
const checks = await runChecks(built);

stage('Tests');
await bundled;
const tests = await count(
  'vitest',
  (report) => startTests(['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]).ended,
  countOfTests,
);

stage('Journeys');
journeysSaid.show();
const journeys = await journeysCounted;

stage('Done');
const all = [{ ...checks, flaky: [] }, tests, journeys];
console.log(lastLines(all).join('\n'));
process.exit(all.every(({ failed }) => failed === 0) ? 0 : 1);

/** Runs a test runner and reads what it counted from its report. A runner without a report has failed once. */
async function count(name, runner, read) {
  const report = join(results, `${name}.json`);
  rmSync(report, { force: true });
  const code = await runner(report).catch((error) => console.error(error));
  if (!existsSync(report)) return { passed: 0, failed: 1, flaky: [], failures: [[`${name} ended without a report`]] };
  const counted = read(JSON.parse(readFileSync(report, 'utf8')));
  return { ...counted, failed: Math.max(counted.failed, code === 0 ? 0 : 1) };
}
