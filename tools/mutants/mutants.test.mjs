import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { root } from '../install.mjs';
import { readFaults } from './lists.mjs';
import { plantFaults } from './plant.mjs';
import { openState } from './state.mjs';

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
symlinkSync(join(root, 'node_modules'), join(product, 'node_modules'));

const fault = (id, find, replace, more = {}) => ({ id, file: 'price.ts', find, replace, tests: ['price.test.ts'], ...more });
const lists = (faults) => {
  write('lists/prices.json', JSON.stringify(faults));
  return readFaults(join(product, 'lists'), product);
};
// The tests that are run here belong to another run than this one.
const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('VITEST')));
const plant = async (faults, parallel = 2) => {
  const results = {};
  const problems = [];
  await plantFaults({
    root: product,
    env,
    faults,
    parallel,
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
  ['stands twice', [fault('one', 'count', 'number')], 'prices/one: stale: what is to be replaced stands 3 times in price.ts'],
  ['changes nothing', [fault('one', '> 9', '> 9')], 'prices/one: nothing is changed'],
  ['names a test that is not there', [fault('one', '> 9', '> 8', { tests: ['cost.test.ts'] })], 'prices/one: there is no cost.test.ts'],
  ['has the id of another', [fault('one', '> 9', '> 8'), fault('one', '10', '11')], 'prices/one: another entry has this id'],
])('an entry that %s is refused by name', (_, faults, problem) => {
  expect(() => lists(faults)).toThrow(problem);
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
