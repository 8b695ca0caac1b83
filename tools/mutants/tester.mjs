// Started in a copy of the tree by `copy.mjs`, runs test files when it is told to. It stays for all faults of its copy, because reading the tree
// anew takes longer than most tests; each run has a worker of its own all the same, in which nothing of an earlier fault is left.
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createVitest } from 'vitest/node';
import { openRunFolder } from '../../sandbox/src/runs/run-folder.ts';

let told;
const reporter = {
  onTestCaseResult: (test) => told.results.push(test),
  onTestModuleEnd: (module) => told.problems.push(...module.errors()),
  onTestRunEnd: (_, errors) => told.problems.push(...errors),
};
const vitest = await createVitest('test', { root: process.cwd(), watch: false, bail: 1, maxWorkers: 1, reporters: [reporter] });

process.on('disconnect', () => process.exit());
process.on('message', (order) => void run(order).then((result) => process.send(result)));

async function run({ tests, changed, template }) {
  told = { results: [], problems: [] };
  const outside = process.env.TMPDIR;
  const folder = openRunFolder('handwise-fault-');
  // It is the worker's and what that starts, not Vitest's own.
  if (outside === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = outside;
  vitest.config.env = { ...vitest.config.env, TMPDIR: folder.path };
  // Read by the setup before the first run, and given to all later ones.
  if (template) {
    process.env.TEST_TEMPLATE_DATABASE = template;
    vitest.provide('templateDatabase', template);
  }
  if (changed) vitest.invalidateFile(changed);
  try {
    const found = await vitest.globTestSpecifications(tests);
    await vitest.runTestSpecifications(found.filter(({ moduleId }) => tests.includes(moduleId)));
  } catch (error) {
    told.problems.push(error);
  } finally {
    if (changed) vitest.invalidateFile(changed);
  }
  // The worker ends by itself, what a broken server left running does not.
  for (let waited = 0; waited < 2_000 && hasWorkers(); waited += 10) await pause(10);
  await folder.close();
  return resultOf(told);
}

function resultOf({ results, problems }) {
  const red = results.filter((test) => test.result().state === 'failed');
  const [first] = red;
  return {
    isGreen: red.length === 0 && problems.length === 0 && results.length > 0,
    failed: red.length,
    total: results.length,
    by: first && `${basename(first.module.moduleId)}: ${first.name}`,
    output: problems.map(({ message, stack }) => stack ?? message).join('\n'),
  };
}

/** Told by Linux alone: elsewhere a worker is not waited for. */
function hasWorkers() {
  try {
    const ids = readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').split(' ').filter(Boolean);
    return ids.some((id) => readFileSync(`/proc/${id}/cmdline`, 'utf8').includes('/dist/workers/forks.js'));
  } catch {
    return false;
  }
}
