import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../install.mjs';
import { readFaults } from './lists.mjs';
import { plantFaults } from './plant.mjs';
import { openState } from './state.mjs';
import { plantingFaults, unplanted } from './unplanted.mjs';

// A product of one function, whose test looks at one of its two rules.
const product = mkdtempSync(join(tmpdir(), 'handwise-product-'));
afterAll(() => rmSync(product, { recursive: true, force: true }));
const write = (path, text) => {
  mkdirSync(dirname(join(product, path)), { recursive: true });
  writeFileSync(join(product, path), text);
};
write('price.ts', 'export const price = (count: number) => (count > 9 ? 8 : 10) * Math.max(0, count);\n');
write(
  'price.test.ts',
  "import { expect, test } from 'vitest';\nimport { price } from './price.ts';\ntest('ten are cheaper', () => expect([price(9), price(10)]).toEqual([90, 80]));\n",
);
write('vitest.config.ts', 'export default { test: {} };\n');
const madeBy = (sql, name, body) => `${sql} function ${name}(count int) returns int language sql as $$ ${body} $$;\n`;
write(
  'migrations/001-a.sql',
  `create function kept(count int) returns int return 7;\n${madeBy('create', 'kept_too', 'select 1')}${madeBy('create', 'moved', 'select 2')}`,
);
write('migrations/002-b.sql', madeBy('create or replace', 'moved', 'select 4'));
write('migrations/003-c.sql', madeBy('create or replace', 'moved', 'select 5'));
symlinkSync(join(root, 'node_modules'), join(product, 'node_modules'));

const fault = (id, find, replace, more = {}) => ({ id, file: 'price.ts', find, replace, tests: ['price.test.ts'], ...more });
const lists = (faults) => {
  write('lists/prices.json', JSON.stringify(faults));
  return readFaults(join(product, 'lists'), product);
};
// The tests that are run here belong to another run than this one.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
const plant = async (faults, parallel = 2, more = {}) => {
  const results = {};
  const problems = [];
  await plantFaults({
    root: product,
    env,
    faults,
    parallel,
    ...more,
    onResult: ({ id }, result) => (results[id] = result),
    onProblem: (problem) => problems.push(problem),
  });
  return { results, problems };
};

test('a planted fault is seen where a test looks, told with the test that went red, and unseen where none does', async () => {
  const before = readFileSync(join(product, 'price.ts'), 'utf8');
  const { results } = await plant(
    lists([
      fault('nine', '> 9', '>= 9'),
      fault('below-zero', 'Math.max(0, count)', 'count'),
      fault('broken', 'export const', 'export konst'),
    ]),
  );
  expect(results).toMatchObject({
    nine: { seen: true, by: 'price.test.ts: ten are cheaper' },
    'below-zero': { seen: false },
    broken: { seen: false, problem: expect.stringContaining('no test ran') },
  });
  expect(results['below-zero']).not.toHaveProperty('problem');
  expect(readFileSync(join(product, 'price.ts'), 'utf8')).toBe(before);
});

test('in one copy each fault is the code that runs, also in what is imported by what is imported, and what one leaves behind disturbs none', async () => {
  write('rate.ts', 'export const rate = (count: number) => (count > 9 ? 8 : 10);\n');
  write('sum.ts', "import { rate } from './rate.ts';\nexport const sum = (count: number) => rate(count) * Math.max(0, count);\n");
  write(
    'sum.test.ts',
    `import { spawn } from 'node:child_process';
    import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    import { sum } from './sum.ts';
    const isAsleep = (id) => existsSync('/proc/' + id + '/cmdline') && readFileSync('/proc/' + id + '/cmdline', 'utf8').startsWith('sleep');
    test('sums', () => {
      const before = readdirSync('${product}').flatMap((name) => (name.startsWith('sleeps-') ? [name.slice(7)] : []));
      // What follows one that was killed is not waited for.
      if (before.length < 3) expect(before.filter(isAsleep)).toEqual([]);
      // Would outlive a worker that is ended.
      const { pid } = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
      writeFileSync('${product}/sleeps-' + pid, '');
      expect([sum(9), sum(10)]).toEqual([90, 80]);
    });`,
  );
  const of = (id, file, find, replace) => fault(id, find, replace, { file, tests: ['sum.test.ts'] });
  const faults = lists([
    of('rate-nine', 'rate.ts', '> 9', '> 8'),
    of('below', 'sum.ts', 'Math.max(0, count)', 'count'),
    of('for-ever', 'rate.ts', '(count > 9', "(Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0) === 'ok'"),
    of('rate-ten', 'rate.ts', '> 9', '> 10'),
    of('above', 'sum.ts', 'Math.max(0, count)', '(count <= 999 ? count : 999)'),
    of('ends', 'sum.ts', 'rate(count) *', '(process.kill(process.pid, 9), rate(count)) *'),
    of('dear', 'rate.ts', ': 10', ': 11'),
  ]);
  const { results, problems } = await plant(faults, 1, { shortest: 3_000 });
  expect(problems).toEqual([]);
  const isSeen = Object.fromEntries(
    Object.entries(results).map(([id, { seen, by, problem }]) => [id, problem ? 'no test ran' : seen && by]),
  );
  const sums = 'sum.test.ts: sums';
  const isLate = 'ran into the time limit';
  expect(isSeen).toEqual({
    'rate-nine': sums,
    below: false,
    'for-ever': isLate,
    'rate-ten': sums,
    above: false,
    ends: 'no test ran',
    dear: sums,
  });
  const asleep = readdirSync(product).flatMap((name) => (name.startsWith('sleeps-') ? [name.slice(7)] : []));
  expect(asleep.length).toBeGreaterThan(4);
  const isAsleep = (id) => existsSync(`/proc/${id}/cmdline`) && readFileSync(`/proc/${id}/cmdline`, 'utf8').startsWith('sleep');
  expect(asleep.filter(isAsleep)).toEqual([]);
});

test('tests copy the database of the tree, and where a fault is in what makes it, one that was made with it', async () => {
  write('made.ts', 'export const made = 1;\n');
  write(
    'made.test.ts',
    "import { expect, test } from 'vitest';\nimport './made.ts';\ntest('copies', () => expect(process.env.TEST_TEMPLATE_DATABASE).toBe('of 1'));\n",
  );
  const made = [];
  const dropped = [];
  const templates = {
    async make(dir) {
      const name = `of ${/\d/.exec(readFileSync(join(dir, 'made.ts'), 'utf8'))[0]}`;
      if (name === 'of 4') throw new Error('four cannot be made');
      made.push(name);
      return { name, isMadeFrom: (file) => file !== 'price.ts', drop: async () => void dropped.push(name) };
    },
  };
  const of = (id, replace) => ({ id, file: 'made.ts', find: 'made = 1', replace, tests: ['made.test.ts'] });
  const faults = lists([
    of('two', 'made = 2'),
    fault('elsewhere', '> 9', '> 8', { tests: ['made.test.ts'] }),
    of('four', 'made = 4'),
    of('again', 'again = 1'),
  ]);
  const { results } = await plant(faults, 1, { templates });
  expect(results).toMatchObject({
    two: { seen: true, by: 'made.test.ts: copies' },
    elsewhere: { seen: false },
    four: { seen: false, problem: expect.stringContaining('four cannot be made') },
    again: { seen: false },
  });
  expect(results.again).not.toHaveProperty('problem');
  expect({ made, dropped }).toEqual({ made: ['of 1', 'of 2', 'of 1'], dropped: ['of 2', 'of 1'] });
});

test('a fault whose test is red on its own is not planted; the others are', async () => {
  write('red.test.ts', "import { expect, test } from 'vitest';\ntest('is red', () => expect(1).toBe(2));\n");
  const { results, problems } = await plant(
    lists([fault('nine', '> 9', '>= 9', { tests: ['price.test.ts', 'red.test.ts'] }), fault('dear', '? 8', '? 9')]),
  );
  expect(results).toMatchObject({ dear: { seen: true } });
  expect(results).not.toHaveProperty('nine');
  expect(problems).toEqual([expect.stringMatching(/^red\.test\.ts is red without a fault: red\.test\.ts: is red$/)]);
});

test('as many tests as are asked for run at the same time, each in a copy of its own', async () => {
  // Each waits for the word of the other, which says where it runs.
  const meet = (own, other) => `
    import { existsSync, readFileSync, writeFileSync } from 'node:fs';
    import { expect, test } from 'vitest';
    import { price } from './price.ts';
    const said = (name) => (existsSync(name) ? readFileSync(name, 'utf8') : '');
    test('meets the other', async () => {
      writeFileSync('${product}/${own}', process.cwd());
      await expect.poll(() => said('${product}/${other}'), { timeout: 50_000 }).toMatch(/./);
      expect(said('${product}/${other}')).not.toBe(process.cwd());
      expect(price(10)).toBe(80);
    }, 60_000);`;
  write('one.test.ts', meet('one', 'other'));
  write('other.test.ts', meet('other', 'one'));
  const faults = lists([
    fault('nine', '> 9', '> 99', { tests: ['one.test.ts'] }),
    fault('dear', '? 8', '? 9', { tests: ['other.test.ts'] }),
  ]);
  expect(await plant(faults, 2)).toMatchObject({ problems: [] });
});

test.each([
  ['is gone', [fault('one', '> 10', '> 9')], 'prices/one: stale: what is to be replaced stands 0 times in price.ts'],
  [
    'is in a function that a later migration makes anew',
    [{ ...fault('one', 'select 2', 'select 3'), file: 'migrations/001-a.sql' }],
    'prices/one: stale: the function stands anew in 003-c.sql',
  ],
  ['stands twice', [fault('one', 'count', 'number')], 'prices/one: stale: what is to be replaced stands 3 times in price.ts'],
  ['changes nothing', [fault('one', '> 9', '> 9')], 'prices/one: nothing is changed'],
  ['names a test that is not there', [fault('one', '> 9', '> 8', { tests: ['cost.test.ts'] })], 'prices/one: there is no cost.test.ts'],
  ['has the id of another', [fault('one', '> 9', '> 8'), fault('one', '10', '11')], 'prices/one: another entry has this id'],
])('an entry that %s is refused by name', (_, faults, problem) => {
  expect(() => lists(faults)).toThrow(problem);
});

// Who changes a line that a fault was to be planted in says where it is to be planted now, or that it is gone.
test('every entry of the lists fits the tree as it is', () => {
  expect(readFaults(join(root, 'tools/mutants/lists'), root).length).toBeGreaterThan(3_000);
});

// Whoever writes a rule into a new file plants a fault there and sees that a test notices it.
test('every longer file of the contract, the domains and the kit has a fault, or is listed as one that never had', () => {
  expect(plantingFaults(root, readFaults(join(root, 'tools/mutants/lists'), root))).toEqual([]);
  expect(unplanted).toEqual(unplanted.toSorted());
});

test('docs/tests.md names every fault that is known to be unseen, and no other', () => {
  const [, table = ''] = readFileSync(join(root, 'docs/tests.md'), 'utf8').split('## Known faults that no test notices');
  const rows = table
    .split(/^## /m)[0]
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| fault |'));
  const named = rows
    .flatMap((row) =>
      row
        .split('|')[1]
        .split(',')
        .map((name) => name.trim()),
    )
    .filter((name) => !name.startsWith('(no entry)'));
  const unseen = readFaults(join(root, 'tools/mutants/lists'), root).flatMap(({ area, id, unseen: why }) => (why ? [`${area}/${id}`] : []));
  expect(named.toSorted()).toEqual(unseen.toSorted());
});

test('an entry in a function that stands as a migration made it is taken', () => {
  const inSql = (id, file, find) => ({ ...fault(id, find, 'select 9'), file });
  expect(lists([inSql('one', 'migrations/001-a.sql', 'select 1'), inSql('two', 'migrations/003-c.sql', 'select 5')])).toHaveLength(2);
  expect(() => lists([inSql('three', 'migrations/002-b.sql', 'select 4')])).toThrow('the function stands anew in 003-c.sql');
});

test('what was found is known again until a file that it concerns changes', () => {
  const [nine] = lists([fault('nine', '> 9', '>= 9')]);
  const path = join(product, '.data/mutants.json');
  const state = openState(path, product);
  expect(state.resultOf(nine)).toBeUndefined();
  state.keep(nine, { seen: true });
  expect(openState(path, product).resultOf(nine)).toMatchObject({ seen: true });
  expect(openState(path, product).resultOf({ ...nine, replace: '> 8' })).toBeUndefined();
  write('price.test.ts', `${readFileSync(join(product, 'price.test.ts'), 'utf8')}// more\n`);
  expect(openState(path, product).resultOf(nine)).toBeUndefined();
  // What was planted in a copy of the old file says nothing about the new one.
  state.keep(nine, { seen: true });
  expect(openState(path, product).resultOf(nine)).toBeUndefined();
});
