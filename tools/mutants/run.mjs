import { mkdtempSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startPostgres } from '../../sandbox/src/postgres.ts';
import { openRunFolder } from '../../sandbox/src/runs/run-folder.ts';
import { root, withOwnNode } from '../install.mjs';
import { readFaults } from './lists.mjs';
import { plantFaults } from './plant.mjs';
import { openState } from './state.mjs';
import { openTemplates } from './templates.mjs';

const enough = 0.95;
const { values } = parseArgs({
  options: {
    only: { type: 'string', multiple: true },
    parallel: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
    list: { type: 'boolean' },
    fresh: { type: 'boolean' },
    help: { type: 'boolean' },
  },
});
const parallel = Number(values.parallel);
if (!Number.isInteger(parallel) || parallel < 1) {
  console.error('--parallel takes a number from 1 on');
  process.exit(1);
}
if (values.help) {
  console.log(`npm run mutants -- [--only <area or id>]… [--parallel <number>] [--list] [--fresh]

Plants every fault of tools/mutants/lists/, one at a time in each copy of the tree, and runs the test files that should see it.
There are as many copies as half the cores, or --parallel many.
What was found is kept in .data/mutants.json as long as the files concerned stay the same; --fresh asks again.`);
  process.exit(0);
}

let faults;
try {
  faults = readFaults(join(root, 'tools/mutants/lists'), root, values.only);
} catch (error) {
  console.error(error.message);
  process.exit(1);
}
if (values.list) {
  for (const { area, id, file, tests, unseen } of faults)
    console.log(`${area}/${id}  ${file}  ${tests.join(' ')}${unseen ? `  (${unseen})` : ''}`);
  console.log(`${faults.length} faults`);
  process.exit(0);
}

const state = openState(join(root, '.data/mutants.json'), root);
const todo = faults.filter((fault) => values.fresh || !state.resultOf(fault));
console.log(`${faults.length} faults, ${faults.length - todo.length} known from earlier runs`);
const isWhole = todo.length === 0 || (await plantAll(todo));
process.exit(report() && isWhole ? 0 : 1);

async function plantAll(todo) {
  // One PostgreSQL for all runs. Nothing of them outlives us.
  const run = openRunFolder('handwise-mutants-');
  const postgres = await startPostgres({
    dataDir: mkdtempSync(join(tmpdir(), 'postgres-')),
    brief: true,
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', shared_buffers: '128MB', max_wal_size: '256MB' },
  });
  let stopping;
  const stop = () => (stopping ??= postgres.remove().then(() => run.close()));
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(1)));
  let done = 0;
  try {
    const env = withOwnNode({ TEST_POSTGRES_URL: postgres.url, FORCE_COLOR: '0' });
    return await plantFaults({
      root,
      env,
      templates: openTemplates(postgres.url, env),
      faults: todo,
      parallel,
      onProblem: (problem) => console.error(problem),
      onResult(fault, result) {
        done += 1;
        const { seen, by, seconds, problem } = result;
        if (!problem) state.keep(fault, result);
        console.log(
          `${done}/${todo.length}  ${seconds} s  ${seen ? 'seen  ' : 'UNSEEN'}  ${fault.area}/${fault.id}  ${by ?? problem ?? ''}`,
        );
      },
    });
  } finally {
    await stop();
  }
}

/** Prints the table by area and what was not seen. True where enough was. */
function report() {
  const isSeen = (fault) => state.resultOf(fault)?.seen === true;
  const percent = (list) => `${((100 * list.filter(isSeen).length) / list.length).toFixed(1)} %`;
  const row = (name, list) =>
    `${name.padEnd(16)}${String(list.length).padStart(6)}${String(list.filter(isSeen).length).padStart(6)}${percent(list).padStart(9)}`;
  console.log(`\n${'area'.padEnd(16)}${'faults'.padStart(6)}${'seen'.padStart(6)}${'share'.padStart(9)}`);
  for (const [area, list] of Object.entries(Object.groupBy(faults, ({ area }) => area))) console.log(row(area, list));
  console.log(row('all', faults));
  for (const fault of faults.filter((fault) => !isSeen(fault))) console.log(`unseen  ${fault.area}/${fault.id}  ${fault.unseen ?? ''}`);
  for (const fault of faults.filter((fault) => fault.unseen && isSeen(fault))) console.log(`seen after all: ${fault.area}/${fault.id}`);
  return faults.length > 0 && faults.filter(isSeen).length >= enough * faults.length;
}
